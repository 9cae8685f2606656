"""Published values read from the bytes of their texts, many at a time: what form they have, and the numbers in them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import kernel
from .space import Floats, Ints

Bytes = NDArray[np.uint8]
Small = NDArray[np.int8]
Grid = NDArray[np.int8]

ASTERISK, COMMA, MINUS, POINT, ZERO, NINE, SPACE, OPEN_BRACE, CLOSE_BRACE = b"*,-.09 {}"
SINGLE, RANGE, LISTED, STAR = 0, 1, 2, 3
NO_NUMBER, WHOLE, DECIMAL = 0, 1, 2
MOST_DIGITS = 15
"""So many digits, with a power of ten up to 10^22, make a DOUBLE without being rounded twice."""


class Texts(NamedTuple):
    """By text: its form; of a single value or a range, both ends as numbers, and what kind of number they are.

    NO_NUMBER is any end that is not a plain number of at most 15 digits; what it is, is for others to tell.
    """

    form: Small
    low: Floats
    high: Floats
    low_kind: Small
    high_kind: Small


def read_texts(data: Bytes, offsets: Ints, typed: bool) -> Texts:
    """Read the texts data[offsets[i]:offsets[i + 1]]. Ranges are {'lo': 1, 'hi': 2} if `typed`, else [1, 2]."""
    size = offsets.size - 1
    forms, kinds = np.empty(size, np.int8), np.zeros((2, size), np.int8)
    ends = np.zeros((2, size))
    words = (b"{'lo': ", b", 'hi': ", b"}", b"NULL") if typed else (b"[", b", ", b"]", b"")
    opening, middle, closing, nothing = (np.frombuffer(word, np.uint8) for word in words)
    fill_texts(data, offsets, opening, middle, closing, nothing, forms, ends, kinds)
    return Texts(forms, ends[0], ends[1], kinds[0], kinds[1])


@kernel
def fill_texts(
    data: Bytes,
    offsets: Ints,
    opening: Bytes,
    middle: Bytes,
    closing: Bytes,
    nothing: Bytes,
    forms: Small,
    ends: Floats,
    kinds: Grid,
) -> None:
    """Fill forms, and both lines of ends and kinds. Assumes that offsets lie within data."""
    for i in range(forms.size):
        start, end = offsets[i], offsets[i + 1]
        forms[i] = SINGLE
        if end - start == 1 and data[start] == ASTERISK:
            forms[i] = STAR
            continue
        inner, outer = start + opening.size, end - closing.size
        if begins(data, start, end, opening) and outer > inner and begins(data, outer, end, closing):
            at = find(data, inner, outer, middle)
            more = at + middle.size
            if (
                inner < at
                and more < outer
                and find_comma(data, inner, at) == at
                and find_comma(data, more, outer) == outer
            ):
                forms[i] = RANGE
                ends[0, i], kinds[0, i] = read_number(data, inner, at)
                ends[1, i], kinds[1, i] = read_number(data, more, outer)
                if at - inner == nothing.size and begins(data, inner, at, nothing):
                    forms[i] = STAR
                continue
        if end - start > 3 and data[start] == OPEN_BRACE and data[end - 1] == CLOSE_BRACE:
            comma = find_comma(data, start + 1, end - 1)
            while comma < end - 2 and data[comma + 1] != SPACE:
                comma = find_comma(data, comma + 1, end - 1)
            if comma < end - 2:
                forms[i] = LISTED
                continue
        ends[0, i], kinds[0, i] = read_number(data, start, end)
        ends[1, i], kinds[1, i] = ends[0, i], kinds[0, i]


@kernel
def begins(data: Bytes, start: int, end: int, word: Bytes) -> bool:
    """Whether data[start:end] begins with a word."""
    matched = 0
    while matched < word.size and start + matched < end and data[start + matched] == word[matched]:
        matched += 1
    return bool(matched == word.size)


@kernel
def find(data: Bytes, start: int, end: int, word: Bytes) -> int:
    """Where a word first occurs in data[start:end]; `end` if it does not."""
    for at in range(start, end - word.size + 1):
        if begins(data, at, end, word):
            return at
    return end


@kernel
def find_comma(data: Bytes, start: int, end: int) -> int:
    """Where the first comma is in data[start:end]; `end` if there is none."""
    at = start
    while at < end and data[at] != COMMA:
        at += 1
    return at


@kernel
def read_number(data: Bytes, start: int, end: int) -> tuple[float, int]:
    """The number data[start:end] and its kind: digits, perhaps a minus before them and a point among them."""
    negative = end > start and data[start] == MINUS
    digits, power = 0, 0.0  # 10^digits behind the point, once there is one
    number = 0.0
    for i in range(start + 1 if negative else start, end):
        byte = data[i]
        if byte == POINT and power == 0 and digits > 0:
            power = 1.0
        elif ZERO <= byte <= NINE:
            number = 10.0 * number + (byte - ZERO)
            digits += 1
            power *= 10.0
        else:
            return 0.0, NO_NUMBER
    if digits == 0 or digits > MOST_DIGITS or power == 1:
        return 0.0, NO_NUMBER
    if power > 0:
        number /= power
    return -number if negative else number, DECIMAL if power > 0 else WHOLE
