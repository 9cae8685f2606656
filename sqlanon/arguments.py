"""Checks of single arguments: each returns the argument in one form, or raises SA101 or SA102."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal

from .errors import InvalidParameter, WrongColumn

LARGEST = 2**31 - 1
LARGEST_SECRET = 2**63 - 1


def text(argument: str, given: object) -> str:
    if not isinstance(given, str):
        raise InvalidParameter(f"{argument} must be text, not {type_name(given)}.")
    if not given.strip():
        raise InvalidParameter(f"{argument} is empty.")
    return given


def whole(argument: str, given: object, smallest: int) -> int:
    """A whole number; 3.0 is one, TRUE is not."""
    if isinstance(given, bool) or not isinstance(given, int | float | Decimal) or not _is_whole(given):
        raise InvalidParameter(f"{argument} must be a whole number, not {type_name(given)}.")
    whole = int(given)
    if not smallest <= whole <= LARGEST:
        raise InvalidParameter(f"{argument} = {whole} is out of range.", f"It goes from {smallest} to {LARGEST}.")
    return whole


def secret_number(argument: str, given: object) -> int | None:
    """A whole number that no message shows, or None. It may be too large for anybody to try them all."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float | Decimal) or not _is_whole(given):
        raise InvalidParameter(f"{argument} must be a whole number, not {type_name(given)}.")
    if not 0 <= given <= LARGEST_SECRET:
        raise InvalidParameter(f"{argument} is out of range.", f"It goes from 0 to {LARGEST_SECRET}.")
    return int(given)


def number(argument: str, given: object) -> float | Decimal | None:
    """A number, or None where none was given."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float | Decimal):
        raise InvalidParameter(f"{argument} must be a number, not {type_name(given)}.")
    if not math.isfinite(given):
        raise InvalidParameter(f"{argument} must be a number, not NaN or infinity.")
    return given


def _is_whole(number: int | float | Decimal) -> bool:
    return math.isfinite(number) and number == math.floor(number)


def flag(argument: str, given: object) -> bool:
    if not isinstance(given, bool):
        raise InvalidParameter(f"{argument} must be true or false, not {type_name(given)}.")
    return given


def choice(argument: str, given: object, choices: tuple[str, ...]) -> str:
    if not isinstance(given, str) or given not in choices:
        raise InvalidParameter.unknown(argument, given, choices)
    return given


def column_list(argument: str, given: object, *, at_least_one: bool) -> tuple[str, ...]:
    if given is None and not at_least_one:
        return ()
    if not isinstance(given, list | tuple):
        raise InvalidParameter(
            f"{argument} must be a list of column names, not {type_name(given)}.",
            f"Write {argument} := ['a', 'b'].",
        )
    if at_least_one and not given:
        raise InvalidParameter(f"{argument} is empty.", "Name at least one column.")
    for name in given:
        if not isinstance(name, str) or not name:
            what = "empty" if name == "" else type_name(name)
            raise InvalidParameter(f"{argument} must be a list of column names; one of them is {what}.")
    return tuple(given)


def refuse_many(what: str, count: int, most: int) -> None:
    """The time to plan a statement grows with the square of its columns, and some versions of DuckDB give up."""
    if count > most:
        raise InvalidParameter(
            f"{what} {count:,} columns; up to {most:,} are possible here.",
            "Choose the columns by which somebody could be recognised, and those that analysts need.",
        )


def one_column(given: object) -> str:
    """One column name, bare or as a list of one."""
    if isinstance(given, list | tuple):
        if len(given) != 1:
            raise InvalidParameter(
                f"sa names {len(given)} columns.",
                "Here it is one sensitive attribute; ldiverse with algo 'bsgi' protects several.",
            )
        given = given[0]
    if not isinstance(given, str) or not given:
        raise InvalidParameter(f"sa must be a column name, not {type_name(given)}.")
    return given


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


def taxonomies(given: object, columns: tuple[str, ...], role: str = "qi") -> tuple[tuple[str, str], ...]:
    """Pairs of a column of that role, as spelled there, and its taxonomy table."""
    if given is None:
        return ()
    if not isinstance(given, Mapping):
        raise InvalidParameter(
            f"taxonomy must be a struct or map from column to table, not {type_name(given)}.",
            "Write taxonomy := {'city': 'city_levels'}.",
        )
    spelled = {fold(column): column for column in columns}
    pairs: dict[str, str] = {}
    for column, table in given.items():
        known = spelled.get(fold(str(column)))
        if known is None:
            raise WrongColumn(f"taxonomy names column {str(column)!r}, which is not in {role}.")
        if known in pairs:
            raise WrongColumn(f"taxonomy names column {known!r} twice.")
        if table is not None:
            pairs[known] = text(f"the taxonomy of column {known!r}", table)
    return tuple(pairs.items())


def type_name(given: object) -> str:
    return (
        "NULL"
        if given is None
        else {"str": "text", "dict": "a struct", "list": "a list"}.get(
            type(given).__name__, f"a {type(given).__name__}"
        )
    )
