"""Constants of a query as points on the axis of their column: numbers, or days since 1970, or text."""

from __future__ import annotations

import datetime
import re
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from sqlanon.errors import InvalidParameter
from sqlanon.queries.conditions import NUMBERS, Constant, refusal

from .refusals import FINE_DAYS

ISO = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?")
OFFSET = re.compile(r"(Z|[+-]\d{2}(:?\d{2}){0,2})$")
"""At the end of a moment that has a time zone."""
STEPS = {"TIMESTAMP_S": 1_000_000, "TIMESTAMP_MS": 1_000}
"""The microseconds between two values of a type that rounds."""
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
LARGEST = Decimal("1e300")


@dataclass(frozen=True)
class Point:
    """Which axis a constant lies on (number, time, zoned, iso, text), where, its text, and its type.

    `iso` is text that looks like a date or a moment: it is one if the column holds such. It has no type of its own.
    """

    axis: str
    position: Decimal | str
    text: str
    type: str = ""


@lru_cache(maxsize=4096)
def point_of(constant: Constant) -> Point:
    """Where a constant lies."""
    if constant.type in NUMBERS:
        return number(constant)
    if constant.type in ("VARCHAR", "BOOLEAN"):
        return text(constant.text)
    if constant.type == "TIME":
        raise refusal("query", "a constant of type TIME")
    return moment(constant.text, constant.type)


def number(constant: Constant) -> Point:
    try:
        position = Decimal(constant.text.replace("_", ""))
    except InvalidOperation as error:
        raise InvalidParameter("query: a constant is no number that can be read.") from error
    if abs(position) > LARGEST:
        raise refusal("query", "a number beyond 1e300")
    return Point("number", position, constant.text, constant.type)


def text(value: str) -> Point:
    zone = OFFSET.search(value)
    with suppress(InvalidParameter):
        if ISO.fullmatch(value):
            return Point("iso", moment(value, "").position, value)
        if zone and ISO.fullmatch(value[: zone.start()].rstrip()):
            return moment(value, "TIMESTAMPTZ")
    return Point("text", value, value)


def moment(value: str, type_name: str) -> Point:
    """A date or timestamp; one with an offset, in UTC."""
    try:
        read = datetime.datetime.fromisoformat(value.strip())
    except ValueError as error:
        raise InvalidParameter("query: a constant is no date that can be read.", "Write DATE '2024-02-29'.") from error
    zoned = read.tzinfo is not None
    if zoned and type_name != "TIMESTAMPTZ":
        raise refusal("query", "a time zone in a constant without one")
    past = (read.astimezone(datetime.UTC) - EPOCH) if zoned else read - EPOCH.replace(tzinfo=None)
    if type_name == "DATE":
        return Point("time", Decimal(past.days), read.date().isoformat(), type_name)
    if past.microseconds % STEPS.get(type_name, 1):
        raise refusal("query", f"a {type_name} that is to be rounded")
    if past.microseconds and abs(past.days) > FINE_DAYS:
        raise refusal("query", "a fraction of a second so far from 1970")
    seconds = Decimal(past.seconds) + Decimal(past.microseconds) / 1_000_000
    return Point("zoned" if zoned else "time", past.days + seconds / 86_400, value, type_name)
