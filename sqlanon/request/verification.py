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
from sqlanon.functions import complete_arguments
from sqlanon.models import BOUNDS

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
    weights: str | None = None


@dataclass(frozen=True)
class Verifications:
    """One request per sensitive attribute. Where `sa` was a list, answers are `named` after theirs."""

    each: tuple[Verification, ...]
    named: bool


@dataclass(frozen=True)
class Measure:
    """What a function selects from the answer of another."""

    selected: str
    verifications: Verifications


WITHOUT_SA = ("equivalence_classes", "privacy", "violations")
"""The functions that can do without a sensitive attribute: k needs none."""

OF_BASE_VALUES = ("induced_frequencies", "tau_privacy", "excessive_protection")
"""The functions that judge base values, which published sensitive values stand for."""

REQUIRED = {
    "recursive_c": ("l",),
    "eligible_c": ("l",),
    "risk": ("threshold",),
    "tau_privacy": ("l",),
    "excessive_protection": ("tau", "l"),
}
"""The numbers that a function cannot do without."""

MEASURES = {
    "k_anonymity": ("risk", "smallest_class AS k"),
    "alpha_k_anonymity": ("privacy", "alpha, k"),
    "l_diversity": ("privacy", "distinct_l AS l"),
    "entropy_l_diversity": ("privacy", "entropy_l AS l"),
    "recursive_c_l_diversity": ("recursive_c", "c"),
    "basic_beta_likeness": ("privacy", "basic_beta AS beta"),
    "enhanced_beta_likeness": ("privacy", "enhanced_beta AS beta"),
    "t_closeness": ("privacy", "coalesce(t_ordered, t) AS t"),
    "delta_disclosure": ("privacy", "delta_disclosure AS delta"),
    "assert_private": ("violations", "_sqlanon_none_broken(list(broken)) AS private"),
}
"""Which function each selects from, and what."""


def read_measure(function: str, arguments: Mapping[str, object]) -> Measure:
    """Check the arguments of a function that selects from the answer of another."""
    measured, selected = MEASURES[function]
    return Measure(selected, read_verification(measured, complete_arguments(function, arguments)))


def read_verification(function: str, arguments: Mapping[str, object]) -> Verifications:
    """Check the arguments of a function that verifies."""
    arguments = complete_arguments(function, arguments)
    qi = column_list("qi", arguments["qi"], at_least_one=True) if "qi" in arguments else ()
    entity = None if arguments.get("entity") is None else text("entity", arguments["entity"])
    bounds = {name: number(name, arguments[name]) for name in RANGES if name in arguments}
    check_bounds(function, bounds)
    names = sensitive_columns(function, arguments["sa"], bounds) if "sa" in arguments else ()
    refuse_repeats({"qi": qi, "sa": names}, reserved=())
    nulls = choice("nulls", arguments.get("nulls", "value"), NULLS)
    refuse_many("qi names", len(qi), MOST_WILD if nulls == "wildcard" else MOST_QI)
    refuse_many("sa names", len(names), MOST_SENSITIVE)
    refuse_many("qi names, once for each of sa,", len(qi) * len(names), MOST_QI)
    tables = dict(taxonomies(arguments.get("taxonomy"), names, "sa"))
    weights = believed_weights(arguments.get("weights"), names)
    refuse_without_tau(function, bounds, {"taxonomy": tables, "weights": weights})
    each = tuple(
        Verification(
            function=function,
            tbl=text("tbl", arguments["tbl"]),
            qi=qi,
            sa=sa,
            entity=entity,
            nulls=nulls,
            bounds=tuple((name, bound) for name, bound in bounds.items() if bound is not None),
            taxonomy=tables.get(sa) if sa is not None else None,
            weights=weights.get(sa) if sa is not None else None,
        )
        for sa in names or (None,)
    )
    return Verifications(each, named=isinstance(arguments.get("sa"), list))


def sensitive_columns(function: str, sa: object, bounds: Mapping[str, float | Decimal | None]) -> tuple[str, ...]:
    """One sensitive attribute or several; none where the function can do without, and the bounds can."""
    if sa is None and function in WITHOUT_SA:
        for bound in BOUNDS:
            if bound.sensitive and bounds.get(bound.name) is not None:
                raise InvalidParameter(
                    f"{bound.name} needs sa.", "Name the sensitive attribute, or leave out all bounds but k."
                )
        return ()
    return column_list("sa", sa, at_least_one=True) if isinstance(sa, list) else (one_column(sa),)


def believed_weights(value: object, names: tuple[str, ...]) -> dict[str, str]:
    """The weights of base values by sensitive attribute: a table, or, of several attributes, a struct of tables."""
    if isinstance(value, str) and len(names) == 1:
        return {names[0]: text("weights", value)}
    return dict(taxonomies(value, names, "sa", "weights"))


def refuse_without_tau(
    function: str, bounds: Mapping[str, float | Decimal | None], tables: Mapping[str, Mapping[str, str]]
) -> None:
    """Bounds other than tau are about published values as they stand."""
    if function != "violations" or bounds.get("tau") is not None:
        return
    for argument, by_column in tables.items():
        if by_column:
            raise InvalidParameter(
                f"{argument} is given without tau.", "Only (tau,l)-diversity asks what a published value stands for."
            )


RANGES: dict[str, tuple[int, int | None]] = {
    **{bound.name: (bound.low, bound.high) for bound in BOUNDS},
    "threshold": (0, 1),
}


def check_bounds(function: str, bounds: Mapping[str, float | Decimal | None]) -> None:
    """Refuse bounds that are missing, out of range, or mean nothing alone."""
    for name in REQUIRED.get(function, ()):
        if bounds[name] is None:
            raise InvalidParameter(f"{name} must be a number, not NULL.")
    for name, bound in bounds.items():
        low, high = RANGES[name]
        if bound is not None and (bound < low or (high is not None and bound > high)):
            goes = f"It starts at {low}." if high is None else f"It goes from {low} to {high}."
            raise InvalidParameter(f"{name} = {bound} is out of range.", goes)
    if bounds.get("c") is not None and bounds.get("l") is None:
        raise InvalidParameter("c is given without l.", "Recursive (c,l)-diversity needs both.")
    check_tau(bounds)
    counts_values = function in ("recursive_c", "eligible_c") or bounds.get("c") is not None
    if bounds.get("k") is not None:
        whole("k", bounds["k"], 1)
    if counts_values:
        whole("l", bounds["l"], 1)
    if function == "tau_privacy":
        whole("l", bounds["l"], 2)
    if function == "violations" and all(bound is None for bound in bounds.values()):
        raise InvalidParameter(
            "violations needs a bound.", f"Give at least one of {', '.join(bound.name for bound in BOUNDS)}."
        )


def check_tau(bounds: Mapping[str, float | Decimal | None]) -> None:
    """Refuse a tau without l, and one outside of 1/l to below 1. One that is 1/l but for rounding is inside."""
    tau, l = bounds.get("tau"), bounds.get("l")
    if tau is None:
        return
    if l is None:
        raise InvalidParameter("tau is given without l.", "(tau,l)-diversity needs both.")
    whole("l", l, 2)
    if not (float(tau) * float(l) >= 1 - 1e-9 and tau < 1):
        raise InvalidParameter(f"tau = {tau} is out of range.", f"With l = {l}, it goes from 1/{l} to below 1.")
