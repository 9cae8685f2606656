"""Texts placed on their axis: numbers as they are, dates and times in days since 1970. NaN lies above every number."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sqlanon.refusals import FINE_DAYS

from ..kernels.space import Floats
from ..measuring.literals import DAYS_IN_400_YEARS, SECOND, instant, moment
from .arrays import Flags, flags

DAY = 86_400
EPOCH = date(1970, 1, 1).toordinal() * DAY * SECOND
MICROSECONDS = DAY * 1_000_000
LONG = 16
"""Digits from which on a DOUBLE may not tell numbers apart."""
FRACTION = re.compile(r"\.(\d*[1-9])")
CLOCK = r"^-?\d+(:\d\d:\d\d| (day|month|year))"
"""How a time of day or an interval begins."""
OFFSET = r":\d\d(\.\d+)?[+-]\d\d(:\d\d)*( \(BC\))?$"
"""How a moment with an offset ends."""
MEAN_TIME = r":\d\d(\.\d+)?[+-]\d\d:(0[1-9]|1[0-46-9]|2\d|3[1-9]|4[0-46-9]|5\d)$"
"""Clocks are ahead by quarters of an hour; before there were time zones, by any time."""


class Placed(NamedTuple):
    """Where texts lie, and which of them lie anywhere; the others, and NULL, lie at 0."""

    at: Floats
    known: Flags


def numbers(texts: pa.StringArray) -> Placed:
    """Place numbers."""
    try:
        found = texts.cast(pa.float64())
    except pa.ArrowInvalid:
        return one_by_one(texts, float)
    at: Floats = found.fill_null(0).to_numpy(zero_copy_only=False)
    return Placed(np.where(np.isnan(at), np.inf, at), flags(texts.is_valid()))


def days(texts: pa.StringArray) -> Placed:
    """Place dates and times."""
    try:
        found = texts.cast(pa.timestamp("us")).cast(pa.int64())
    except pa.ArrowInvalid:
        return one_by_one(texts, day_of)
    return Placed(found.fill_null(0).to_numpy(zero_copy_only=False) / MICROSECONDS, flags(texts.is_valid()))


PLACES: dict[str, Callable[[pa.StringArray], Placed]] = {"number": numbers, "time": days}


def day_of(text: str) -> float:
    """A date or timestamp, with or without an offset, to the microsecond."""
    with suppress(ValueError):
        return (instant(text, False) - EPOCH) / (DAY * SECOND)
    return (moment(text, False) - EPOCH) // 1000 / MICROSECONDS


def day_text(day: int) -> str:
    """A day as DuckDB writes it. The calendar repeats every 400 years."""
    cycles, within = divmod(day, DAYS_IN_400_YEARS)
    like = date(1970, 1, 1) + timedelta(days=within)
    year = like.year + 400 * cycles
    return f"{year:04}{like:-%m-%d}" if year > 0 else f"{1 - year:04}{like:-%m-%d} (BC)"


def one_by_one(texts: pa.StringArray, place: Callable[[str], float]) -> Placed:
    """Place texts of which some cannot be placed."""
    at, known = np.zeros(len(texts)), np.zeros(len(texts), np.bool_)
    for i, text in enumerate(texts.to_pylist()):
        with suppress(ValueError):
            if text is not None:
                at[i], known[i] = place(text), True
    return Placed(np.where(np.isnan(at), np.inf, at), known)


def are_whole(axis: str, texts: pa.StringArray) -> Flags:
    """Whether texts are whole numbers or days: 1.0, 1e20, nan and inf are not, nor is a moment of a day."""
    if axis == "time":
        return flags(pc.match_substring_regex(texts, r"^(\d+-\d+-\d+( \(BC\))?|-?infinity)$"))
    return ~flags(pc.match_substring_regex(texts, "[.eEn]"))


def any_zoned(texts: pa.StringArray) -> bool:
    """Whether moments have an offset from UTC; infinity has none in any case."""
    return bool(flags(pc.match_substring_regex(texts, OFFSET)).any())


def any_cut(texts: pa.StringArray) -> bool:
    """Whether an offset may have seconds that DuckDB does not print: that of local mean time."""
    return bool(flags(pc.match_substring_regex(texts, MEAN_TIME)).any())


def are_clock(texts: pa.StringArray) -> Flags:
    """Whether texts are times of day or intervals: they have ranges, but no axis here."""
    return flags(pc.match_substring_regex(texts, CLOCK))


def any_too_fine(axis: str, texts: pa.StringArray) -> bool:
    """Whether a text has more digits than are compared: those of a DOUBLE, microseconds."""
    long = texts.filter(pc.greater_equal(pc.utf8_length(texts), LONG)).to_pylist()
    return any(map(partial(is_too_fine, axis), long))


def is_too_fine(axis: str, text: str) -> bool:
    if axis == "time":
        fraction = FRACTION.search(text)
        return fraction is not None and (len(fraction[1]) > 6 or abs(day_of(text)) > FINE_DAYS)
    try:
        exact = Decimal(text)
    except InvalidOperation:
        return False
    return exact.is_finite() and exact != Decimal(repr(float(text)))
