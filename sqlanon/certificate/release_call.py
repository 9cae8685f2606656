"""The call of a release function, as a certificate records it: what it promised, and of that, what a release shows.

>>> call = read_call("kanonymous", {"k": 5, "tbl": "patients", "seed": 1}, ("age",), ())
>>> call.bounds, call.recorded
({'k': 5}, '{"k": 5}')
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from sqlanon.arguments import fold, number, type_name
from sqlanon.bounds import BOUNDS
from sqlanon.errors import InvalidParameter
from sqlanon.functions import signature
from sqlanon.release import models
from sqlanon.release.request import Release, read_release

UNRECORDED = frozenset({"tbl", "src", "qi", "sa", "seed", "taxonomy", "weights"})
"""Arguments that a certificate has elsewhere (qi, sa, a hash of the taxonomy), must not have (a seed), or does not
need: the names of tables, which may be queries with data in them.
"""

MOST_DEEP = 8
"""The depth of structs and lists among the arguments."""


@dataclass(frozen=True)
class Call:
    """`bounds` and `promised` as in a Certification; `recorded` is JSON."""

    function: str | None
    recorded: str
    bounds: Mapping[str, float]
    promised: tuple[str, ...]
    unchecked: tuple[str, ...]
    taxonomy: tuple[tuple[str, str], ...]
    nulls: str
    entity: str | None


NO_CALL = Call(None, "{}", {}, (), (), (), "value", None)

WITHOUT_PEOPLE = "it was promised for people, too, and the column that tells them apart is not there"
"""The reason why a promise was not counted for people."""

BY_WEIGHTS = "it was promised by weights, which are not there"
"""The reason why a promise cannot be counted again: weights are tables, which no certificate records."""


def read_call(
    function: object,
    arguments: object,
    qi: tuple[str, ...],
    sa: tuple[str, ...],
    counted: str | None = None,
    taxonomy: Mapping[str, str] | None = None,
) -> Call:
    """Check the arguments of a release function as it does itself.

    `counted` is the column of the release that tells people apart, if people are counted there. `taxonomy` is that of
    the release, where the arguments have none.
    """
    # a release without groups has bounds of its own, which are about its lists: see randomization_privacy
    names = dict.fromkeys(model.function for model in models.MODELS if model.bounds is BOUNDS)
    if not isinstance(function, str) or function not in names:
        raise InvalidParameter.unknown("function", function, names)
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, Mapping):
        raise InvalidParameter(
            f"arguments must be a struct or map, not {type_name(arguments)}.", "Write arguments := {'k': 5}."
        )
    columns: dict[str, object] = {"qi": list(qi)}
    if "sa" in signature(function):
        columns["sa"] = sa[0] if len(sa) == 1 else list(sa)
    refuse_other_columns(arguments, columns)
    generalized = (*qi, *sa) if "tau" in signature(function) else qi
    trees = {column: table for column, table in (taxonomy or {}).items() if column in generalized}
    trees_of_call = arguments.get("taxonomy") or trees or None
    release = read_release(function, {**arguments, "tbl": "release", **columns, "taxonomy": trees_of_call})
    refuse_other_people(release.entity, counted)
    bounds, promised, unchecked = promise(release, counted is not None)
    return Call(
        function=function,
        recorded=json_text(record_value(arguments)),
        bounds=bounds,
        promised=promised,
        unchecked=unchecked,
        taxonomy=release.taxonomy,
        nulls=release.nulls,
        entity=release.entity,
    )


def refuse_other_people(entity: str | None, counted: str | None) -> None:
    """The people who are counted in the release are those whom its function counted, if it did."""
    if entity is not None and counted is not None and fold(entity) != fold(counted):
        raise InvalidParameter("arguments.entity is not entity.", "Leave entity out, or repeat it.")


def refuse_other_columns(arguments: Mapping[str, object], columns: Mapping[str, object]) -> None:
    """The columns of the call are those that are certified."""
    for name, expected in columns.items():
        stated = arguments.get(name, expected)
        if stated not in (expected, [expected]):
            raise InvalidParameter(f"arguments.{name} is not {name}.", "Leave it out of arguments, or repeat it.")


def promise(release: Release, people: bool) -> tuple[dict[str, float], tuple[str, ...], tuple[str, ...]]:
    """The bounds that a release function promised, those that have to hold, and what cannot be counted again.

    `people`: the release has the column that tells them apart, and they are counted.

    Where a group publishes the list of its sensitive values, each is in 1/l of it at most if and only if the list is
    (1/l,l)-diverse.
    """
    parameters = dict(release.parameters)
    *others, bound = release.model.promise  # k beside tau holds whatever sensitive values stand for
    if release.model.any_bounds:
        unchecked = [f"{name}: {WITHOUT_PEOPLE}" for name in counted_for_people(release)] if not people else []
        return parameters, release.model.promise, tuple(unchecked)
    alone = {name: parameters[name] for name in others}
    unchecked = []
    if release.entity is not None and people and release.recode == "none":
        unchecked.append(f"{bound}: it was promised for people, too, who cannot be counted in lists of values")
    elif release.entity is not None and not people:
        unchecked.append(f"{bound}: {WITHOUT_PEOPLE}")
    if release.weights:
        unchecked.append(f"{bound}: {BY_WEIGHTS}")
        return alone, tuple(others), tuple(unchecked)
    if release.recode == "none":
        if bound != "l":
            unchecked.append(f"{bound}: sensitive values are published as lists")
            return {}, (), tuple(unchecked)
        return {"tau": 1 / parameters["l"], "l": parameters["l"]}, ("tau",), tuple(unchecked)
    if (
        bound == "tau"
        and release.bins
        and release.format == "text"
        and not set(release.sa) <= set(dict(release.taxonomy))
    ):
        unchecked.append("tau: bins of numbers have labels that a release in text does not explain")
        return parameters, tuple(others), tuple(unchecked)
    return parameters, (*others, bound), tuple(unchecked)


def counted_for_people(release: Release) -> list[str]:
    """The bounds that were promised for people, too."""
    return [bound.name for bound in release.model.promised if bound.counts_people and release.entity is not None]


def record_value(value: object, name: str = "arguments", deep: int = 0) -> object:
    """The arguments as JSON has them, but for those that are not recorded."""
    if deep > MOST_DEEP:
        raise InvalidParameter(f"{name} goes too deep.")
    if isinstance(value, Mapping):
        kept = {key: each for key, each in value.items() if each is not None and key not in UNRECORDED}
        if not all(isinstance(key, str) for key in kept):
            raise InvalidParameter(f"{name} must have names, which are text.")
        return {key: record_value(each, f"{name}.{key}", deep + 1) for key, each in kept.items()}
    if isinstance(value, list | tuple):
        return [record_value(each, name, deep + 1) for each in value]
    if value is None or isinstance(value, bool | str):
        return value
    real = number(name, value)
    return plain_number(real) if real is not None else None


def plain_number(value: float | Decimal) -> float:
    """A number as JSON has it: whole where it is whole."""
    return int(value) if value == int(value) else float(value)


def json_text(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
