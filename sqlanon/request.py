"""What a user asked for, checked: the arguments of each release function as a frozen value.

>>> request = read_request("ldiverse", {"tbl": "patients", "qi": ["age", "zip"], "sa": "disease", "l": 3})
>>> request.algo, request.recode, request.format
('hilbert', 'generalize', 'text')
>>> read_request("ldiverse", {"tbl": "patients", "qi": ["age", "AGE"], "sa": "disease", "l": 3})
Traceback (most recent call last):
sqlanon.errors.WrongColumn: [SA101] column 'AGE' is given twice in qi. Column names differ by more than case.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from . import algorithms
from .errors import InvalidParameter, WrongColumn

RECODES = ("generalize", "suppress", "none")
FORMATS = ("text", "typed")
PARAMETER = {"kanonymous": "k", "ldiverse": "l"}
SMALLEST = {"k": 1, "l": 2}
LARGEST = 2**31 - 1
DEFAULTS: dict[str, object] = {
    "algo": "hilbert", "taxonomy": None, "recode": None, "format": "text", "keep": [], "seed": 0, "options": None,
}  # fmt: skip


@dataclass(frozen=True)
class Release:
    """The checked arguments of kanonymous and ldiverse. `least` is k or l; `sa` is None for kanonymous."""

    function: str
    tbl: str
    qi: tuple[str, ...]
    sa: str | None
    least: int
    algo: str
    taxonomy: tuple[tuple[str, str], ...]
    recode: str
    format: str
    keep: tuple[str, ...]
    seed: int

    @property
    def parameter(self) -> str:
        """The letter of the privacy parameter."""
        return PARAMETER[self.function]


def read_request(function: str, arguments: Mapping[str, object]) -> Release:
    """Check the arguments of a release function and fill in what was left out."""
    if function not in PARAMETER:
        raise InvalidParameter.unknown("function", function, PARAMETER)
    parameter = PARAMETER[function]
    expected = {"tbl", "qi", parameter, *DEFAULTS} | ({"sa"} if function == "ldiverse" else set())
    for name in arguments:
        if name not in expected:
            raise InvalidParameter.unknown("argument", name, sorted(expected))
    given = {**DEFAULTS, **arguments}

    algorithm = algorithms.find(function, given["algo"])
    qi = _columns("qi", given.get("qi"), at_least_one=True)
    keep = _columns("keep", given["keep"], at_least_one=False)
    sa = _sensitive(given.get("sa")) if function == "ldiverse" else None
    _refuse_repeats({"qi": qi, "sa": (sa,) if sa is not None else (), "keep": keep})
    recode = algorithm.recode if given["recode"] is None else _choice("recode", given["recode"], RECODES)
    if recode == "none" and sa is None:
        raise InvalidParameter(
            "recode: 'none' publishes exact quasi-identifiers, which for kanonymous is the microdata itself.",
            "Choose 'generalize' or 'suppress'.",
        )
    _refuse_options(given["options"], algorithm)
    return Release(
        function=function,
        tbl=_text("tbl", given.get("tbl")),
        qi=qi,
        sa=sa,
        least=_whole(parameter, given.get(parameter), SMALLEST[parameter]),
        algo=algorithm.name,
        taxonomy=_taxonomies(given["taxonomy"], qi),
        recode=recode,
        format=_choice("format", given["format"], FORMATS),
        keep=keep,
        seed=_whole("seed", given["seed"], 0),
    )


def _text(argument: str, given: object) -> str:
    if not isinstance(given, str) or not given.strip():
        raise InvalidParameter(f"{argument} must be text, not {_type_name(given)}.")
    return given


def _whole(argument: str, given: object, smallest: int) -> int:
    """A whole number; 3.0 is one, TRUE is not."""
    if isinstance(given, bool) or not isinstance(given, int | float | Decimal) or not _is_whole(given):
        raise InvalidParameter(f"{argument} must be a whole number, not {_type_name(given)}.")
    whole = int(given)
    if not smallest <= whole <= LARGEST:
        raise InvalidParameter(f"{argument} = {whole} is out of range.", f"It starts at {smallest}.")
    return whole


def _is_whole(number: int | float | Decimal) -> bool:
    return math.isfinite(number) and number == math.floor(number)


def _choice(argument: str, given: object, choices: tuple[str, ...]) -> str:
    if not isinstance(given, str) or given not in choices:
        raise InvalidParameter.unknown(argument, given, choices)
    return given


def _columns(argument: str, given: object, *, at_least_one: bool) -> tuple[str, ...]:
    if given is None and not at_least_one:
        return ()
    if not isinstance(given, list | tuple):
        raise InvalidParameter(
            f"{argument} must be a list of column names, not {_type_name(given)}.",
            f"Write {argument} := ['a', 'b'].",
        )
    if at_least_one and not given:
        raise InvalidParameter(f"{argument} is empty.", "Name at least one column.")
    for name in given:
        if not isinstance(name, str) or not name:
            raise InvalidParameter(f"{argument} must be a list of column names; one of them is {_type_name(name)}.")
    return tuple(given)


def _sensitive(given: object) -> str:
    """One column name, bare or as a list of one."""
    if isinstance(given, list | tuple):
        if len(given) != 1:
            raise InvalidParameter(
                f"sa names {len(given)} columns.", "This algorithm protects one sensitive attribute."
            )
        given = given[0]
    if not isinstance(given, str) or not given:
        raise InvalidParameter(f"sa must be a column name, not {_type_name(given)}.")
    return given


def _refuse_repeats(roles: Mapping[str, tuple[str, ...]]) -> None:
    """No column twice, in one role or in two, and none that would be taken for our group_id."""
    seen: dict[str, str] = {}
    for role, columns in roles.items():
        for column in columns:
            folded = _fold(column)
            if folded == "group_id":
                raise WrongColumn(
                    f"{role}: a column cannot be called 'group_id'.", "The release adds its own; rename it."
                )
            if folded in seen:
                where = f"twice in {role}" if seen[folded] == role else f"in both {seen[folded]} and {role}"
                raise WrongColumn(f"column {column!r} is given {where}.", "Column names differ by more than case.")
            seen[folded] = role


def _fold(name: str) -> str:
    """As DuckDB tells names apart: without regard to the case of ASCII letters."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in name)


def _taxonomies(given: object, qi: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Pairs of a quasi-identifier, as spelled in qi, and its taxonomy table."""
    if given is None:
        return ()
    if not isinstance(given, Mapping):
        raise InvalidParameter(
            f"taxonomy must be a struct or map from column to table, not {_type_name(given)}.",
            "Write taxonomy := {'city': 'city_levels'}.",
        )
    spelled = {_fold(column): column for column in qi}
    pairs: dict[str, str] = {}
    for column, table in given.items():
        known = spelled.get(_fold(str(column)))
        if known is None:
            raise WrongColumn(f"taxonomy names column {str(column)!r}, which is not in qi.")
        if known in pairs:
            raise WrongColumn(f"taxonomy names column {known!r} twice.")
        if table is not None:
            pairs[known] = _text(f"the taxonomy of column {known!r}", table)
    return tuple(pairs.items())


def _refuse_options(given: object, algorithm: algorithms.Algorithm) -> None:
    if given is None:
        return
    if not isinstance(given, Mapping):
        raise InvalidParameter(f"options must be a struct or map, not {_type_name(given)}.")
    for name in given:
        if name not in algorithm.options:
            raise InvalidParameter(
                f"options: {str(name)!r} is not an option of {algorithm.function} with algo {algorithm.name!r}.",
                f"It takes: {', '.join(algorithm.options) or 'none'}.",
            )


def _type_name(given: object) -> str:
    return (
        "NULL"
        if given is None
        else {"str": "text", "dict": "a struct", "list": "a list"}.get(
            type(given).__name__, f"a {type(given).__name__}"
        )
    )
