"""How DuckDB would compare a column with a query's constants: that depends on types, and text does not tell its own.

FLOAT        with a DECIMAL or a whole number as FLOAT, with a DOUBLE (1e-1) as DOUBLE
DECIMAL      with a DECIMAL or a whole number exactly, with a DOUBLE as DOUBLE
DATE         with text as DATE, even if the text has a time of day
TIMESTAMPTZ  with all that has no offset in the time zone of the session: DuckDB reads the constants there

A text release may have come from any of these. What does not have the same answer for all of them is refused. Refusals
are conditions on all rows of placed_* together: aggregates.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from sqlglot import exp

from sqlanon.statement.template import expression, text

from .columns import QueryColumn
from .reader import Refusal, double
from .refusals import no_single, too_fine, unclear_moment, unclear_type
from .regions import Regions

ZONED = "TIMESTAMPTZ"
TIME = r"\d\d:\d\d:\d\d(\.\d*[1-9])?"
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
NUMBER = r"-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?|-?inf|nan"
INTERVAL = r"-?\d+ (day|month|year)s?( .*)?|-?\d+:\d\d:\d\d(\.\d+)?"
TRUTHS = {"true", "false", "t", "f", "yes", "no", "y", "n", "on", "off", "1", "0"}


def single(regions: Regions, at: int) -> float:
    """Where a constant lies among FLOATs: a DOUBLE stays where it is."""
    exact = float(regions.points[at])
    return exact if "DOUBLE" in regions.types[at] else round_to_float(exact)


def round_to_float(number: float) -> float:
    """A number as FLOAT has it."""
    try:
        (as_float,) = struct.unpack("f", struct.pack("f", number))
    except OverflowError:
        return number
    return float(as_float)


def instant(regions: Regions, at: int) -> exp.Expr:
    """A constant in days since 1970, as DuckDB reads it in the session's time zone; NULL if it does not."""
    written: exp.Expr = text(regions.texts[at])
    type_name = min(regions.types[at])
    if type_name:
        written = exp.TryCast(this=written, to=exp.DataType.build(type_name, dialect="duckdb"))
    return expression("epoch_us(TRY_CAST(:written AS TIMESTAMPTZ)) / 86400000000", written=written)


def refusals_of_numbers(column: QueryColumn) -> list[Refusal]:
    """Constants that FLOATs, or numbers with more digits, might be compared with in another way."""
    regions = column.regions
    exact = [float(point) for point in regions.points]
    singles = [single(regions, at) for at in range(len(exact))]
    refusals: list[Refusal] = []
    mixed = any(
        len(types) > 1 and position != round_to_float(position)
        for position, types in zip(exact, regions.types, strict=True)
    )
    if mixed or any(low >= high for low, high in pairwise(singles)):
        refusals.append((expression("max(scale) = 'single'"), no_single(column)))
    if apart := [*sides(regions)]:
        wrong = expression(
            """
            min(whole) = 0 AND max(scale) = 'exact' AND NOT bool_or(measured)
            AND bool_and(_sqlanon_prints_single(low) AND _sqlanon_prints_single(high)) AND bool_or(:apart)
            """,
            apart=exp.or_(*apart),
        )
        refusals.append((wrong, unclear_type(column)))
    fine = [
        expression("low = :position OR high = :position", position=double(position))
        for position, constant in zip(exact, regions.texts, strict=True)
        if Decimal(constant.replace("_", "")) != Decimal(repr(position))
    ]
    if fine:
        wrong = expression("min(whole) = 0 AND max(scale) = 'exact' AND bool_or(:fine)", fine=exp.or_(*fine))
        refusals.append((wrong, too_fine(column)))
    return refusals


def sides(regions: Regions) -> Iterator[exp.Expr]:
    """Whether an end lies on one side of a constant as it stands, and on another as a FLOAT."""
    for point, types in zip(regions.points, regions.types, strict=True):
        exact = float(point)
        if not is_printed_single(exact):
            for there in {exact if type_name == "DOUBLE" else round_to_float(exact) for type_name in types}:
                for end in ("low", "high"):
                    yield expression(
                        f"(_sqlanon_single({end}) < :there) <> ({end} < :exact)"
                        f" OR (_sqlanon_single({end}) > :there) <> ({end} > :exact)",
                        there=double(there),
                        exact=double(exact),
                    )


def is_printed_single(number: float) -> bool:
    """Whether a FLOAT is this number, and is printed as it: then no other text is read as the same FLOAT."""
    for digits in range(1, 10):
        shortest = float(f"{number:.{digits}g}")
        if round_to_float(shortest) == round_to_float(number):
            return shortest == number == round_to_float(number)
    return False


def refusals_of_times(column: QueryColumn, known: bool) -> list[Refusal]:
    """Moments that cannot be put in order with those of the release."""
    regions = column.regions
    instants = [instant(regions, at) for at in range(len(regions.points))]
    ordered = [exp.LT(this=low, expression=high) for low, high in pairwise(instants)]
    readable = exp.and_(*(exp.not_(exp.Is(this=each, expression=exp.null())) for each in instants), *ordered)
    wrong = [
        expression("coalesce(max(scale), 'exact') = 'zoned' AND NOT coalesce(:readable, FALSE)", readable=readable)
    ]
    if any(ZONED in types for types in regions.types):
        wrong.append(expression("coalesce(max(scale), 'exact') <> 'zoned'"))
    pairs = zip(regions.points, regions.types, strict=True)
    if any("" in types and isinstance(position, Decimal) and position % 1 for position, types in pairs):
        wrong.append(expression("min(CASE WHEN NOT low IS NULL THEN whole END) = 1"))
    condition: exp.Expr = exp.or_(*wrong)
    if not known:
        condition = expression("max(axis) = 'time' AND :wrong", wrong=exp.paren(condition))
    return [(condition, unclear_moment(column))]


@dataclass(frozen=True)
class Kind:
    """A type that a text may have had: how it prints, what text it reads, and where it compares as text does."""

    prints: str
    reads: Callable[[str], bool]
    agrees: Callable[[Regions], exp.Expr]


def refusals_of_texts(column: QueryColumn, known: bool) -> list[Refusal]:
    """Refusals of columns compared as text that may be of another type, which compares in another way."""
    wrong = [
        expression(
            f"bool_and({kind.prints}) AND NOT :agrees",
            agrees=exp.paren(kind.agrees(column.regions)),
        )
        for kind in KINDS
        if all(map(kind.reads, column.regions.texts))
    ]
    if not wrong:
        return []
    condition: exp.Expr = exp.or_(*wrong)
    if not known:
        condition = expression("max(axis) = 'text' AND :wrong", wrong=exp.paren(condition))
    return [(condition, unclear_type(column))]


def matches(pattern: str) -> str:
    """Whether a label, if there is one, is written so."""
    return expression("regexp_full_match(label, :pattern, 's')", pattern=text(pattern)).sql("duckdb")


def canonical(pattern: str) -> Callable[[Regions], exp.Expr]:
    """Whether constants are written as the type prints them, where text has the same order."""
    return lambda regions: exp.convert(all(re.fullmatch(pattern, each) for each in regions.texts))


def has_digit(written: str) -> bool:
    return any(letter.isdigit() for letter in written)


def reads_number(written: str) -> bool:
    try:
        float(written)
    except ValueError:
        return written.lower() in ("true", "false")
    return True


def decimals_of(written: str) -> int:
    return len(written.partition(".")[2])


def numbers_agree(regions: Regions) -> exp.Expr:
    """Whether numbers in quotes lie among the texts as they lie among the numbers, without being rounded."""
    numbers = dict(zip(regions.texts, map(as_number, regions.texts), strict=True))
    if None in numbers.values() or any("e" in each.lower() for each in regions.texts):
        return exp.false()
    decimals = max(map(decimals_of, regions.texts))
    return expression(
        f"coalesce(max(length(regexp_extract(label, '[.](.*)', 1))), 0) >= {decimals} AND NOT bool_or(:differ)",
        differ=exp.or_(*differences(regions, {each: number for each, number in numbers.items() if number is not None})),
    )


def as_number(written: str) -> float | None:
    """A number; None for what is neither above nor below others."""
    if written.lower() in ("true", "false"):
        return None
    number = float(written)
    return None if number != number else number


def differences(regions: Regions, numbers: dict[str, float]) -> Iterator[exp.Expr]:
    """Where a label lies on one side of a constant as text, and on another as a number."""
    at = "_sqlanon_number('exact', label)"
    if not regions.ordered:
        if len({*numbers.values()}) < len(numbers):
            yield exp.true()
        yield expression(
            ":among_numbers AND NOT :among_texts",
            among_numbers=exp.In(this=expression(at), expressions=[*map(double, numbers.values())]),
            among_texts=exp.In(this=expression("label"), expressions=[*map(text, numbers)]),
        )
        return
    for written, number in numbers.items():
        yield expression(
            f"(label < :written) <> ({at} < :number) OR (label > :written) <> ({at} > :number)",
            written=text(written),
            number=double(number),
        )


KINDS: Sequence[Kind] = (
    Kind(matches(NUMBER), reads_number, numbers_agree),
    Kind(matches("true|false"), lambda each: each.lower() in TRUTHS, canonical("true|false")),
    Kind(matches(UUID), lambda each: len(each) >= 32 and has_digit(each), canonical(UUID)),
    Kind(
        matches(INTERVAL),
        has_digit,
        lambda regions: exp.and_(expression(f"bool_and({matches(TIME)})"), canonical(TIME)(regions)),
    ),
    Kind(
        "CASE WHEN NOT label IS NULL THEN NOT _sqlanon_days(label) IS NULL END", has_digit, lambda regions: exp.false()
    ),
)
"""Numbers, BOOLEAN, UUID, TIME and INTERVAL, dates and moments."""
