"""The arguments of the functions that verify."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from sqlanon.arguments import (
    column_list,
    one_column,
    refuse_many,
    refuse_repeats,
    taxonomies,
    text,
    whole,
)
from sqlanon.bounds import BOUNDS, BY_NAME, NAMES
from sqlanon.bounds.tau import refuse_tau
from sqlanon.errors import InvalidParameter
from sqlanon.functions import read_arguments

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

    def bound(self, name: str) -> float | Decimal | None:
        """A bound that the user gave."""
        return dict(self.bounds).get(name)


@dataclass(frozen=True)
class Verifications:
    """One request per sensitive attribute. Where `sa` was a list, answers are `named` after theirs."""

    each: tuple[Verification, ...]
    named: bool


@dataclass(frozen=True)
class Measure:
    """The columns that a function selects from the answer of another."""

    selected: str
    verifications: Verifications


WITHOUT_SA = ("equivalence_classes", "privacy", "violations")
"""The functions that can do without a sensitive attribute: k needs none."""

OF_BASE_VALUES = ("induced_frequencies", "tau_privacy", "excessive_protection")
"""The functions that judge base values, which published sensitive values stand for."""

RANKED = {"recursive_c": "c", "eligible_c": "c", "tau_privacy": "tau"}
"""The functions whose l is a rank, and the bound that they measure."""

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
    return Measure(selected, read_verification(measured, read_arguments(function, arguments)))


def read_verification(function: str, arguments: Mapping[str, object]) -> Verifications:
    """Check the arguments of a function that verifies."""
    checked = read_arguments(function, arguments)
    qi = checked.get("qi", ())
    entity = checked.get("entity")
    bounds = {name: checked[name] for name in (*NAMES, "threshold") if name in checked}
    check_bounds(function, bounds)
    names = sensitive_columns(function, checked["sa"], bounds) if "sa" in checked else ()
    refuse_repeats({"qi": qi, "sa": names}, reserved=())
    nulls = checked.get("nulls", "value")
    refuse_many("qi names", len(qi), MOST_WILD if nulls == "wildcard" else MOST_QI)
    refuse_many("sa names", len(names), MOST_SENSITIVE)
    refuse_many("qi names, once for each of sa,", len(qi) * len(names), MOST_QI)
    tables = dict(taxonomies(checked.get("taxonomy"), names, "sa"))
    weights = believed_weights(checked.get("weights"), names)
    refuse_without_tau(function, bounds, {"taxonomy": tables, "weights": weights})
    each = tuple(
        Verification(
            function=function,
            tbl=checked["tbl"],
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
    return Verifications(each, named=isinstance(checked.get("sa"), list))


def sensitive_columns(function: str, sa: object, bounds: Mapping[str, float | Decimal | None]) -> tuple[str, ...]:
    """One sensitive attribute or several; none where the function can do without, and the bounds can."""
    if sa is None and function in WITHOUT_SA:
        for bound in BOUNDS:
            if bound.is_sensitive and bounds.get(bound.name) is not None:
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


def check_bounds(function: str, bounds: Mapping[str, float | Decimal | None]) -> None:
    """Refuse bounds that mean nothing alone, and none at all."""
    for bound in BOUNDS:
        if bounds.get(bound.name) is None or not bound.needs:
            continue
        if bounds.get(bound.needs) is None:
            raise InvalidParameter(
                f"{bound.name} is given without {bound.needs}.", f"({bound.name},{bound.needs})-diversity needs both."
            )
        whole(bound.needs, bounds[bound.needs], bound.needs_from)
    check_tau(bounds)
    if function in RANKED:
        whole("l", bounds["l"], BY_NAME[RANKED[function]].needs_from)
    if function == "violations" and all(bound is None for bound in bounds.values()):
        raise InvalidParameter("violations needs a bound.", f"Give at least one of {', '.join(NAMES)}.")


def check_tau(bounds: Mapping[str, float | Decimal | None]) -> None:
    """Refuse a tau outside of 1/l to below 1. One that is 1/l but for rounding is inside."""
    tau, l = bounds.get("tau"), bounds.get("l")
    if tau is not None and l is not None:
        refuse_tau({"tau": tau, "l": l})
