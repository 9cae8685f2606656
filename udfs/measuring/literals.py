"""Values from their text, as keys that sort and compare as DuckDB does for a column's type.

>>> read = key_reader("DATE")
>>> read("2024-02-29", False) < read("2024-03-01", False)
True
>>> key_reader("INTEGER")("3.7", False)
Traceback (most recent call last):
ValueError: ...
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

import numpy as np

Key = Any
"""Keys of one column compare with each other."""
Reader = Callable[[str, bool], Key]
"""From a value's text, and whether it was a bare number, to its key; ValueError where the type has no such value."""

WHOLE = re.compile(r"U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|BIGNUM")
DECIMAL = re.compile(r"DECIMAL\(\d+,\s*(\d+)\)")
CALENDAR = re.compile(r"(\d+)-(\d\d?)-(\d\d?)( \(BC\))?")
CLOCK = re.compile(r"(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?")
OFFSET = re.compile(r"([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?")
SECOND = 1_000_000_000
DAYS_IN_400_YEARS = 146_097


def key_reader(type_name: str) -> Reader:
    """How values of a type are read."""
    if WHOLE.fullmatch(type_name):
        return lambda text, bare: exact_number(text, bare, 0)
    if match := DECIMAL.fullmatch(type_name):
        scale = int(match[1])
        return lambda text, bare: exact_number(text, bare, scale)
    for pattern, reader in READERS.items():
        if re.fullmatch(pattern, type_name):
            return reader
    return refused


def exact_number(text: str, bare: bool, scale: int) -> Decimal:
    """A whole number or a decimal. In quotes, it would be rounded to the column's type: then no finer than that."""
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        raise ValueError("no number") from None
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or (not bare and -exponent > scale):
        raise ValueError("no number of this type")
    return number


def double(text: str, bare: bool) -> tuple[bool, float]:
    """NaN is equal to itself and above all others."""
    number = float(text)
    return (math.isnan(number), 0.0 if math.isnan(number) else number)


def single(text: str, bare: bool) -> tuple[bool, float]:
    """A literal becomes a FLOAT before it is compared, unless its exponent made it a DOUBLE."""
    if bare and "e" in text.lower():
        raise ValueError("a DOUBLE among FLOATs")
    with np.errstate(over="ignore"):
        return double(str(float(np.float32(text))), bare)


def day(text: str, bare: bool) -> float:
    """Nanoseconds from an epoch to the start of a day; ±infinity is a date."""
    if endless(text):
        return float(text)
    return days(CALENDAR.fullmatch(quoted(text, bare))) * 86_400 * SECOND


def moment(text: str, bare: bool) -> float:
    """Nanoseconds from an epoch to a timestamp."""
    if endless(text):
        return float(text)
    match = CALENDAR.match(quoted(text, bare))
    rest = text[match.end() :].lstrip(" T") if match else ""
    return days(match) * 86_400 * SECOND + (clock(rest, bare) if rest else 0)


def instant(text: str, bare: bool) -> float:
    """A timestamp with its offset from UTC. Without one it would depend on the session."""
    if endless(text):
        return float(text)
    match = re.search(r"(?<=:\d\d)(\.\d+)?(Z|[+-][\d:]+)$", quoted(text, bare))
    if not match:
        raise ValueError("no offset")
    there = moment(text[: match.start(2)], bare)
    if match[2] == "Z":
        return there
    sign, *parts = matched(OFFSET.fullmatch(match[2]))
    hours, minutes, seconds = (int(part or 0) for part in parts)
    return there - (-1 if sign == "-" else 1) * (hours * 3600 + minutes * 60 + seconds) * SECOND


def clock(text: str, bare: bool) -> int:
    """Nanoseconds from midnight."""
    hours, minutes, seconds, fraction = matched(CLOCK.fullmatch(quoted(text, bare)))
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds or 0)
    return whole * SECOND + int((fraction or "").ljust(9, "0"))


def days(match: re.Match[str] | None) -> int:
    """Days from an epoch to a date of any year: the calendar repeats every 400 years."""
    years, month, day_of_month, before_christ = matched(match)
    year = 1 - int(years) if before_christ else int(years)
    cycles, within = divmod(year, 400)
    return date(2000 + within, int(month), int(day_of_month)).toordinal() + (cycles - 5) * DAYS_IN_400_YEARS


def truth(text: str, bare: bool) -> bool:
    """True or false, spelled out."""
    spelled = quoted(text, bare).lower()
    if spelled not in ("true", "false"):
        raise ValueError("neither true nor false")
    return spelled == "true"


def uuid(text: str, bare: bool) -> str:
    return str(UUID(quoted(text, bare)))


def quoted(text: str, bare: bool) -> str:
    """Text, and not a number: DuckDB would turn the column's values into numbers."""
    if bare:
        raise ValueError("a number among texts")
    return text


def refused(text: str, bare: bool) -> Key:
    raise ValueError("not compared here")


def matched(match: re.Match[str] | None) -> tuple[str, ...]:
    if match is None:
        raise ValueError("written in another way")
    return match.groups()


def endless(text: str) -> bool:
    return text.lstrip("-") == "infinity"


READERS: dict[str, Reader] = {
    "DOUBLE": double,
    "FLOAT": single,
    "DATE": day,
    "TIMESTAMP(_S|_MS|_NS)?": moment,
    "TIMESTAMP WITH TIME ZONE": instant,
    "TIME(_NS)?": clock,
    "BOOLEAN": truth,
    "UUID": uuid,
    "VARCHAR": quoted,
}
