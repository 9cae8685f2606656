"""How DuckDB would compare a column with a query's constants: that depends on types, and text does not tell its own.

FLOAT        with a DECIMAL or a whole number as FLOAT, with a DOUBLE (1e-1) as DOUBLE
DECIMAL      with a DECIMAL or a whole number exactly, with a DOUBLE as DOUBLE
DATE         with text as DATE, even if the text has a time of day
TIMESTAMPTZ  with all that has no offset in the time zone of the session: DuckDB reads the constants there

A text release may have come from any of these. What does not have the same answer for all of them is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sqlanon.refusals import no_single, too_fine, unclear_moment, unclear_type

from ..kernels.space import Floats
from .arrays import flags
from .axes import MICROSECONDS, days, numbers
from .cells import TEXT
from .parts import Parts
from .question import Column

FLOAT = re.compile(r"FLOAT(\[\])?|STRUCT\(.* FLOAT, .* FLOAT\)")
DOUBLE = re.compile(r"DOUBLE(\[\])?|STRUCT\(.* DOUBLE, .* DOUBLE\)")
ZONED = "TIMESTAMPTZ"

Sides = NDArray[np.int8]


def compared_as(column: Column, parts: Parts, type_name: str, instants: Sequence[int | None]) -> tuple[Column, Parts]:
    """A column and its parts, moved to where DuckDB compares them; refused where that cannot be known."""
    if parts.axis == "text":
        refuse_unclear_texts(column, parts.label)
        return column, parts
    if not column.constants:
        return column, parts
    if parts.axis == "time":
        return column.moved(moments(column, parts, instants)), parts
    if FLOAT.fullmatch(type_name):
        return column.moved(singles(column)), parts.moved(single)
    if type_name in (TEXT, f"{TEXT}[]") and not parts.stepped:
        refuse_unclear_numbers(column, parts)
    if not DOUBLE.fullmatch(type_name):
        refuse_fine_constants(column, parts)
    return column, parts


def moments(column: Column, parts: Parts, instants: Sequence[int | None]) -> Sequence[float]:
    """Where the constants lie among dates, moments, or moments with an offset."""
    if parts.zoned:
        places = [each / MICROSECONDS for each in instants if each is not None]
        if len(places) < len(column.constants) or not (np.diff(places) > 0).all():
            raise unclear_moment(column)
        return places
    places = [constant.place for constant in column.constants]
    if any(ZONED in constant.forms for constant in column.constants):
        raise unclear_moment(column)
    if parts.stepped and any("" in constant.forms and constant.place % 1 for constant in column.constants):
        raise unclear_moment(column)
    return places


def singles(column: Column) -> Sequence[float]:
    """Where the constants lie among FLOATs: DOUBLEs stay where they are."""
    exact = np.array([constant.place for constant in column.constants])
    double, decimal = (
        np.array([form in constant.forms for constant in column.constants]) for form in ("DOUBLE", "DECIMAL")
    )
    places = np.where(double, exact, single(exact))
    if (double & decimal & (exact != single(exact))).any() or not (np.diff(places) > 0).all():
        raise no_single(column)
    found: list[float] = places.tolist()
    return found


def single(places: Floats) -> Floats:
    """Numbers as FLOATs have them."""
    return places.astype(np.float32).astype(np.float64)


def side(places: Floats, there: float) -> Sides:
    """-1, 0, 1: below, at, above."""
    return (places > there).astype(np.int8) - (places < there)


def refuse_unclear_numbers(column: Column, parts: Parts) -> None:
    """Refuse text that may be of FLOATs, if these were compared in another way."""
    ends = np.unique(np.concatenate([parts.low[~parts.null], parts.high[~parts.null]]))
    finite = ends[np.isfinite(ends)]
    for place, _, forms in column.constants:
        rounded = single(np.array([place]))[0]
        for there in (place if form == "DOUBLE" else rounded for form in forms):
            apart = (side(single(ends), there) != side(ends, place)).any()
            if apart and (finite.astype(np.float32).astype(str).astype(np.float64) == finite).all():
                raise unclear_type(column)


def refuse_fine_constants(column: Column, parts: Parts) -> None:
    """Refuse a constant with more digits than a DOUBLE, where it would be taken for a number that is there."""
    for place, text, _ in column.constants:
        fine = Decimal(text.replace("_", "")) != Decimal(repr(place))
        if fine and not parts.stepped and ((parts.low == place) | (parts.high == place)).any():
            raise too_fine(column)


class Kind(NamedTuple):
    """A type that a text may have had: how it prints, what text it reads, and how constants may be written."""

    prints: Callable[[pa.StringArray], bool]
    reads: Callable[[str], bool]
    agrees: Callable[[Column, pa.StringArray], bool]


def refuse_unclear_texts(column: Column, labels: pa.StringArray) -> None:
    """Refuse what is compared as text, if everything shown may be of another type that compares in another way."""
    shown = labels.drop_null()
    for kind in KINDS:
        if not column.constants or not len(shown) or not all(kind.reads(text) for _, text, _ in column.constants):
            continue
        if kind.prints(shown) and not kind.agrees(column, shown):
            raise unclear_type(column)


def matches(pattern: str) -> Callable[[pa.StringArray], bool]:
    return lambda texts: bool(flags(pc.match_substring_regex(texts, f"^({pattern})$")).all())


def canonical(pattern: str) -> Callable[[Column, pa.StringArray], bool]:
    """Whether constants are written as the type prints them, where text has the same order."""
    return lambda column, _: all(re.fullmatch(pattern, text) for _, text, _ in column.constants)


def never(_: Column, shown: pa.StringArray) -> bool:
    return False


def has_digit(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def reads_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text.lower() in ("true", "false")
    return True


def numbers_agree(column: Column, shown: pa.StringArray) -> bool:
    """Whether numbers in quotes lie among the texts as they lie among the numbers, without being rounded."""
    at = numbers(shown).at
    decimals = max(map(decimals_of, shown.to_pylist()))
    for _, text, _ in column.constants:
        if text.lower() in ("true", "false") or "e" in text.lower() or decimals_of(text) > decimals:
            return False
        as_text = flags(pc.greater(shown, text)).astype(np.int8) - flags(pc.less(shown, text))
        as_number = side(at, float(text))
        if not column.ordered:
            as_text, as_number = abs(as_text), abs(as_number)
        if (as_text != as_number).any():
            return False
    return True


def decimals_of(text: str) -> int:
    return len(text.partition(".")[2])


TRUTHS = {"true", "false", "t", "f", "yes", "no", "y", "n", "on", "off", "1", "0"}
TIME = r"\d\d:\d\d:\d\d(\.\d*[1-9])?"
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
KINDS = (
    Kind(matches(r"-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?|-?inf|nan"), reads_number, numbers_agree),
    Kind(matches("true|false"), lambda text: text.lower() in TRUTHS, canonical("true|false")),
    Kind(matches(UUID), lambda text: len(text) >= 32 and has_digit(text), canonical(UUID)),
    Kind(
        matches(r"-?\d+ (day|month|year)s?( .*)?|-?\d+:\d\d:\d\d(\.\d+)?"),
        has_digit,
        lambda column, shown: matches(TIME)(shown) and canonical(TIME)(column, shown),
    ),
    Kind(lambda texts: bool(days(texts).known.all()), has_digit, never),
)
"""Numbers, BOOLEAN, UUID, TIME and INTERVAL, dates and moments."""
