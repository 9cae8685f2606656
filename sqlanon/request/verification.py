"""The arguments of the functions that verify."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from sqlanon.arguments import (
    choice,
    column_list,
    number,
    one_column,
    refuse_many,
    refuse_repeats,
    taxonomies,
    text,
    whole,
)
from sqlanon.errors import InvalidParameter

from .nulls import NULLS

MOST_QI, MOST_WILD, MOST_SENSITIVE = 1_000, 200, 50
"""Quasi-identifiers, also where they may be wildcards, and sensitive attributes, which are verified one by one."""


@dataclass(frozen=True)
class Verification:
    """The checked arguments of a function that verifies. Those that it does not have are empty or None."""

    function: str
    tbl: str
    qi: tuple[str, ...]
    sa: str | None
    entity: str | None
    nulls: str
    bounds: tuple[tuple[str, float | Decimal], ...]
    taxonomy: str | None


VERIFIES: dict[str, tuple[str, ...]] = {
    "equivalence_classes": ("qi", "sa", "entity", "nulls"),
    "privacy": ("qi", "sa", "taxonomy", "entity", "nulls"),
    "recursive_c": ("qi", "sa", "l", "entity", "nulls"),
    "violations": ("qi", "sa", "k", "l", "entropy_l", "t", "c", "entity", "nulls"),
    "risk": ("qi", "threshold", "entity", "nulls"),
    "risk_by_size": ("qi", "entity", "nulls"),
    "eligibility": ("sa",),
    "eligible_c": ("sa", "l"),
    "buckets": ("sa",),
}
"""The arguments of each function that verifies, beside tbl."""
THRESHOLD = {"threshold": Decimal("0.2")}
"""What risk takes for high where nothing is said."""


def read_verification(function: str, arguments: Mapping[str, object]) -> tuple[Verification, ...]:
    """Check the arguments of a function that verifies; one request per sensitive attribute."""
    takes = VERIFIES[function]
    for name in arguments:
        if name not in ("tbl", *takes):
            raise InvalidParameter.unknown("argument", name, ("tbl", *takes))
    qi = column_list("qi", arguments.get("qi"), at_least_one=True) if "qi" in takes else ()
    entity = None if arguments.get("entity") is None else text("entity", arguments["entity"])
    bounds = {name: number(name, arguments.get(name, THRESHOLD.get(name))) for name in RANGES if name in takes}
    check_bounds(function, bounds)
    several: tuple[str | None, ...] = (None,)
    if "sa" in takes:
        given = arguments.get("sa")
        several = column_list("sa", given, at_least_one=True) if isinstance(given, list) else (one_column(given),)
        refuse_repeats({"qi": qi, "sa": tuple(name for name in several if name is not None)}, reserved=())
    names = tuple(name for name in several if name is not None)
    nulls = choice("nulls", arguments.get("nulls", "value"), NULLS)
    refuse_many("qi names", len(qi), MOST_WILD if nulls == "wildcard" else MOST_QI)
    refuse_many("sa names", len(names), MOST_SENSITIVE)
    refuse_many("qi names, once for each of sa,", len(qi) * len(names), MOST_QI)
    tables = dict(taxonomies(arguments.get("taxonomy"), names, "sa"))
    return tuple(
        Verification(
            function=function,
            tbl=text("tbl", arguments.get("tbl")),
            qi=qi,
            sa=sa,
            entity=entity,
            nulls=nulls,
            bounds=tuple((name, bound) for name, bound in bounds.items() if bound is not None),
            taxonomy=tables.get(sa) if sa is not None else None,
        )
        for sa in several
    )


RANGES: dict[str, tuple[int, int | None]] = {
    "k": (1, None), "l": (1, None), "entropy_l": (1, None), "t": (0, 1), "c": (0, None), "threshold": (0, 1),
}  # fmt: skip


def check_bounds(function: str, bounds: Mapping[str, float | Decimal | None]) -> None:
    """Refuse bounds that are missing, out of range, or mean nothing alone."""
    for name in ("l",) if function in ("recursive_c", "eligible_c") else ("threshold",) if function == "risk" else ():
        if bounds[name] is None:
            raise InvalidParameter(f"{name} must be a number, not NULL.")
    for name, bound in bounds.items():
        low, high = RANGES[name]
        if bound is not None and (bound < low or (high is not None and bound > high)):
            goes = f"It starts at {low}." if high is None else f"It goes from {low} to {high}."
            raise InvalidParameter(f"{name} = {bound} is out of range.", goes)
    if bounds.get("c") is not None and bounds.get("l") is None:
        raise InvalidParameter("c is given without l.", "Recursive (c,l)-diversity needs both.")
    counts_values = function in ("recursive_c", "eligible_c") or bounds.get("c") is not None
    if bounds.get("k") is not None:
        whole("k", bounds["k"], 1)
    if counts_values:
        whole("l", bounds["l"], 1)
    if function == "violations" and all(bound is None for bound in bounds.values()):
        raise InvalidParameter("violations needs a bound.", "Give at least one of k, l, entropy_l, t, c.")
