"""Checks of single arguments: each returns the argument in one form, or raises SA101 or SA102."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal

from .errors import InvalidParameter, WrongColumn

LARGEST = 2**31 - 1
LARGEST_NUMBER = 2**63 - 1

MOST_QI, MOST_COLUMNS = 100, 200
"""Quasi-identifiers, and columns in all, of one release: some ten seconds to plan, and half the depth DuckDB allows."""
MOST_BINS = 1_000
"""Of a column of numbers whose taxonomy is made in the call."""


def text(argument: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidParameter(f"{argument} must be text, not {type_name(value)}.")
    if not value.strip():
        raise InvalidParameter(f"{argument} is empty.")
    return value


def whole(argument: str, value: object, smallest: int, largest: int = LARGEST) -> int:
    """A whole number; 3.0 is one, TRUE is not."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not _is_whole(value):
        raise InvalidParameter(f"{argument} must be a whole number, not {type_name(value)}.")
    whole = int(value)
    if not smallest <= whole <= largest:
        raise InvalidParameter(f"{argument} = {whole} is out of range.", f"It goes from {smallest} to {largest}.")
    return whole


def secret_number(argument: str, value: object) -> int | None:
    """A whole number that no message shows, or None. It may be too large for anybody to try them all."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not _is_whole(value):
        raise InvalidParameter(f"{argument} must be a whole number, not {type_name(value)}.")
    if not 0 <= value <= LARGEST_NUMBER:
        raise InvalidParameter(f"{argument} is out of range.", f"It goes from 0 to {LARGEST_NUMBER}.")
    return int(value)


def number(argument: str, value: object) -> float | Decimal | None:
    """A number, or None where there is none."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise InvalidParameter(f"{argument} must be a number, not {type_name(value)}.")
    if not math.isfinite(value):
        raise InvalidParameter(f"{argument} must be a number, not NaN or infinity.")
    return value


def share(argument: str, value: object) -> float:
    """A number from 0 to 1."""
    part = number(argument, value)
    if part is None:
        raise InvalidParameter(f"{argument} must be a number, not NULL.")
    if not 0 <= part <= 1:
        raise InvalidParameter(f"{argument} = {part} is out of range.", "It goes from 0 to 1.")
    return float(part)


def _is_whole(number: int | float | Decimal) -> bool:
    return math.isfinite(number) and number == math.floor(number)


def flag(argument: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise InvalidParameter(f"{argument} must be true or false, not {type_name(value)}.")
    return value


def choice(argument: str, value: object, choices: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise InvalidParameter.unknown(argument, value, choices)
    return value


def column_list(argument: str, value: object, *, at_least_one: bool) -> tuple[str, ...]:
    if value is None and not at_least_one:
        return ()
    if not isinstance(value, list | tuple):
        raise InvalidParameter(
            f"{argument} must be a list of column names, not {type_name(value)}.",
            f"Write {argument} := ['a', 'b'].",
        )
    if at_least_one and not value:
        raise InvalidParameter(f"{argument} is empty.", "Name at least one column.")
    for name in value:
        if not isinstance(name, str) or not name:
            what = "empty" if name == "" else type_name(name)
            raise InvalidParameter(f"{argument} must be a list of column names; one of them is {what}.")
    return tuple(value)


def refuse_many(what: str, count: int, most: int) -> None:
    """The time to plan a statement grows with the square of its columns, and some versions of DuckDB give up."""
    if count > most:
        raise InvalidParameter(
            f"{what} {count:,} columns; up to {most:,} are possible here.",
            "Choose the columns by which somebody could be recognised, and those that analysts need.",
        )


def one_column(value: object) -> str:
    """One column name, bare or as a list of one."""
    if isinstance(value, list | tuple):
        if len(value) != 1:
            raise InvalidParameter(
                f"sa names {len(value)} columns.",
                "Here it is one sensitive attribute; ldiverse with algo 'bsgi' or 'refined' protects several.",
            )
        value = value[0]
    if not isinstance(value, str) or not value:
        raise InvalidParameter(f"sa must be a column name, not {type_name(value)}.")
    return value


def refuse_repeats(roles: Mapping[str, tuple[str, ...]], reserved: tuple[str, ...] = ("group_id",)) -> None:
    """No column twice, in one role or in two, and none that would be taken for our group_id."""
    seen: dict[str, str] = {}
    for role, columns in roles.items():
        for column in columns:
            folded = fold(column)
            if folded in reserved:
                raise WrongColumn(
                    f"{role}: a column cannot be called 'group_id'.", "The release adds its own; rename it."
                )
            if folded in seen:
                where = f"twice in {role}" if seen[folded] == role else f"in both {seen[folded]} and {role}"
                raise WrongColumn(f"column {column!r} is given {where}.", "Column names differ by more than case.")
            seen[folded] = role


def fold(name: str) -> str:
    """As DuckDB tells names apart: without regard to the case of ASCII letters."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in name)


def taxonomies(
    value: object, columns: tuple[str, ...], role: str = "qi", argument: str = "taxonomy"
) -> tuple[tuple[str, str], ...]:
    """Pairs of a column of that role, as spelled there, and its table: a taxonomy, or another by column."""
    example = "'city_levels'" if argument == "taxonomy" else f"'city_{argument}'"
    tables = by_column(argument, value, columns, role, f"from column to table, not {type_name(value)}", example)
    return tuple(
        (column, text(f"the {argument} of column {column!r}", table))
        for column, table in tables.items()
        if table is not None
    )


def column_weights(value: object, columns: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    """Pairs of a column, as spelled there, and how important it is. Others weigh 1; not all may weigh 0."""
    by_name = by_column("weights", value, columns, "qi or sa", f"from column to number, not {type_name(value)}", "2")
    weights: dict[str, float] = {}
    for column, weight in by_name.items():
        what = f"the weight of column {column!r}"
        importance = number(what, weight)
        if importance is None or importance < 0:
            raise InvalidParameter(f"{what} must be a number from 0 up.")
        weights[column] = float(importance)
    if columns and not any(weights.get(column, 1) for column in columns):
        raise InvalidParameter("weights: all columns weigh 0.", "Give one of them a weight above 0.")
    return tuple(weights.items())


def loss_weights(value: object, columns: tuple[str, ...]) -> tuple[float, ...]:
    """How much the loss in each column counts, from a struct or map; 1 where nothing is said."""
    weights = by_column("options.weights", value, columns, "qi", f"from column to number, not {type_name(value)}", "2")
    return positive_numbers("options.weights", [weights.get(column, 1) for column in columns])


def positive_numbers(argument: str, value: object) -> tuple[float, ...]:
    """Numbers above 0, in a list."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InvalidParameter(f"{argument} must be a list of numbers, not {type_name(value)}.")
    numbers = [number(argument, each) for each in value]
    if not all(each is not None and each > 0 for each in numbers):
        raise InvalidParameter(f"{argument}: a weight is not above 0.", "A column that matters less has one below 1.")
    return tuple(float(each) for each in numbers if each is not None)


def by_column(
    argument: str, value: object, columns: tuple[str, ...], role: str, expected: str, example: str
) -> dict[str, object]:
    """The fields of a struct or map, by the names of columns as they are spelled in their role."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidParameter(
            f"{argument} must be a struct or map {expected}.", f"Write {argument} := {{'city': {example}}}."
        )
    spelled = {fold(column): column for column in columns}
    pairs: dict[str, object] = {}
    for column, each in value.items():
        known = spelled.get(fold(str(column)))
        if known is None:
            raise WrongColumn(f"{argument} names column {str(column)!r}, which is not in {role}.")
        if known in pairs:
            raise WrongColumn(f"{argument} names column {known!r} twice.")
        pairs[known] = each
    return pairs


def type_name(value: object) -> str:
    return (
        "NULL"
        if value is None
        else {"str": "text", "dict": "a struct", "list": "a list"}.get(
            type(value).__name__, f"a {type(value).__name__}"
        )
    )
