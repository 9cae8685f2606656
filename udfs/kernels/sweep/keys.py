"""Which points have the same nodes at a level vector. A point is one value of all quasi-identifiers.

A level vector is taken in two halves. There are few halves, so that the nodes of each are numbered once and kept; then
one look at either half tells which class a point is in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.jit import kernel
from ..space import Ints, Space, Wide
from .order import Levels

WORD = 2**62
"""Keys of one word are smaller."""

SPREADER = 1_327_217_885
"""Odd, and the golden section of 2^31: multiplied by it, keys that differ little differ in their upper bits."""

HALF = 2**31 - 1
"""Half a word, all bits set: products of two such numbers do not overflow."""


ROOM = 2**26
"""Numbers that are kept for both halves together: 256 MB. What does not fit is numbered again when it is needed."""


class Digits(NamedTuple):
    """The nodes of each column and level, numbered from 0: at first[c] + level · size[c] + code. `radix`: how many."""

    first: Wide
    size: Wide
    digit: Wide
    radix: Wide


def read_digits(space: Space) -> Digits:
    """Number the nodes of each level. NULL, where it has no node above it, is a node."""
    columns = space.levels.size
    radix = np.zeros((columns, int(space.levels.max()) + 1), np.int64)
    lines: list[Wide] = []
    first = np.zeros(columns, np.int64)
    total = 0
    for column in range(columns):
        size, levels = int(space.first[column + 1] - space.first[column]), int(space.levels[column])
        start = int(space.trees[column])
        above = space.ancestor[start : start + levels * size].reshape(levels, size)
        first[column] = total
        total += (levels + 1) * size
        for level, nodes in enumerate((np.arange(size), *above)):
            lines.append(np.unique(nodes, return_inverse=True)[1].astype(np.int64))
            radix[column, level] = lines[-1].max() + 1
    return Digits(first, np.diff(space.first), np.concatenate(lines), radix)


class Half(NamedTuple):
    """Some columns: begin … end − 1. A line of `number` has the number of each point's nodes at some levels of these.

    `levels_of` tells which, as one number, −1 for none yet; `numbers` how many there are.
    """

    begin: int
    end: int
    number: Ints
    levels_of: Wide
    numbers: Wide


def split_columns(space: Space, points: int) -> tuple[Half, Half]:
    """Return two halves of the columns, with about as many level vectors in each."""
    vectors = np.cumprod(space.levels + 1)
    split = int(np.searchsorted(vectors, np.sqrt(float(vectors[-1])))) + 1
    return new_half(space, 0, split, points), new_half(space, split, space.levels.size, points)


def new_half(space: Space, begin: int, end: int, points: int) -> Half:
    """Make room for the columns begin … end − 1."""
    lines = min(int(np.prod(space.levels[begin:end] + 1.0)), max(1, ROOM // 2 // points))
    return Half(begin, end, np.empty((lines, points), np.int32), np.full(lines, -1), np.zeros(lines, np.int64))


@kernel
def number_half(half: Half, vector: Levels, codes: Ints, digits: Digits) -> int:
    """Return the line of a half that numbers the nodes at this level vector; numbers them if that is not done yet."""
    levels = 0
    for column in range(half.begin, half.end):
        levels = levels * digits.radix.shape[1] + vector[column]
    line = levels % half.levels_of.shape[0]
    if half.levels_of[line] != levels:
        half.levels_of[line] = levels
        half.numbers[line] = number_keys(key_points(half, vector, codes, digits), half.number[line])
    return int(line)


@kernel
def key_points(half: Half, vector: Levels, codes: Ints, digits: Digits) -> Wide:
    """Return keys, shape (points, words), that are equal where nodes are."""
    strides = np.zeros(vector.shape[0], np.int64)
    word_of = np.zeros(vector.shape[0], np.int64)
    words = set_strides(half, digits, vector, strides, word_of)
    keys = np.zeros((codes.shape[0], words), np.int64)
    for column in range(half.begin, half.end):
        start = digits.first[column] + digits.size[column] * vector[column]
        for point in range(codes.shape[0]):
            keys[point, word_of[column]] += digits.digit[start + codes[point, column]] * strides[column]
    return keys


@kernel
def set_strides(half: Half, digits: Digits, vector: Levels, strides: Wide, word_of: Wide) -> int:
    """Choose the position of each column in the key. Return how many words keys have."""
    words = 1
    size = 1
    for column in range(half.begin, half.end):
        radix = digits.radix[column, vector[column]]
        if size > WORD // radix:
            words += 1
            size = 1
        strides[column] = size
        word_of[column] = words - 1
        size *= radix
    return words


@kernel
def number_keys(keys: Wide, number: Ints) -> int:
    """Number equal keys, in the order of their first appearance. Return how many there are."""
    bits = bits_for(keys.shape[0])
    mask = (1 << bits) - 1
    slots = np.full(1 << bits, -1, np.int32)
    leader = np.empty(keys.shape[0], np.int64)
    numbers = 0
    for at in range(keys.shape[0]):
        slot = scatter(keys[at], bits)
        while slots[slot] >= 0 and not same_key(keys[at], keys[leader[slots[slot]]]):
            slot = (slot + 1) & mask
        if slots[slot] < 0:
            slots[slot] = numbers
            leader[numbers] = at
            numbers += 1
        number[at] = slots[slot]
    return numbers


@kernel
def bits_for(keys: int) -> int:
    """Return how many bits the numbers of slots have for so many keys, so that at most half of the slots are taken."""
    bits = 4
    while 1 << bits < 2 * keys:
        bits += 1
    return bits


@kernel
def scatter(key: Wide, bits: int) -> int:
    """Return a slot for a key."""
    mixed = 0
    for word in key:
        mixed = (((mixed ^ word ^ (word >> 31)) & HALF) * SPREADER) & HALF
    return int(mixed >> (31 - bits))


@kernel
def same_key(key: Wide, other: Wide) -> bool:
    """Whether two keys are equal in every word."""
    same = True
    for word in range(key.shape[0]):
        same &= key[word] == other[word]
    return same


@kernel
def number_pairs(left: Ints, right: Ints, rights: int, points: Wide, slots: Ints, leader: Wide, class_of: Wide) -> int:
    """Number the pairs of left and right numbers that these points have. Return how many classes there are."""
    bits = bits_for(points.shape[0])
    mask = (1 << bits) - 1
    slots[: 1 << bits] = -1
    classes = 0
    for at in range(points.shape[0]):
        key = left[points[at]] * np.int64(rights) + right[points[at]]
        slot = ((((key ^ (key >> 31)) & HALF) * SPREADER) & HALF) >> (31 - bits)
        while slots[slot] >= 0 and leader[slots[slot]] != key:
            slot = (slot + 1) & mask
        if slots[slot] < 0:
            slots[slot] = classes
            leader[classes] = key
            classes += 1
        class_of[at] = slots[slot]
    return classes
