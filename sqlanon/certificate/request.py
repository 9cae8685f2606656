"""The arguments of certify.

>>> request = read_certification("certify", {"rel": "r", "qi": ["age"], "sa": "disease", "l": 3})
>>> request.bounds, request.promised
((('l', 3),), ('l',))
>>> call = {"function": "ldiverse", "arguments": {"l": 3, "algo": "anatomy", "seed": 7}}
>>> request = read_certification("certify", {"rel": "r", "qi": ["age"], "sa": "disease", **call})
>>> request.promised, request.arguments
(('tau',), '{"algo": "anatomy", "l": 3}')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from sqlanon.arguments import column_list, one_column, taxonomies
from sqlanon.bounds import BOUNDS
from sqlanon.errors import InvalidParameter
from sqlanon.functions import read_arguments
from sqlanon.verify.request import Verification, Verifications, read_verification

from .release_call import NO_CALL, read_call

MEASURES = (
    *("k", "distinct_l", "frequency_l", "entropy_l", "unique_distinct_l", "t", "t_ordered", "t_hierarchical"),
    *("alpha", "basic_beta", "enhanced_beta", "delta_disclosure"),
)
"""The measures of privacy, with t_hierarchical, which needs a taxonomy."""

RISKS = {"prosecutor": "prosecutor", "marketer": "marketer", "alone": "unique_people"}
"""The measures of risk, by the names of a certificate: the highest and the average risk, and how many are alone in
their class.
"""

Bounds = Mapping[str, float | Decimal]


@dataclass(frozen=True)
class Judgement:
    """The requests of the functions that certify selects from: all count rows, or all count people."""

    privacy: Verifications
    violations: Verifications | None
    recursive_c: Verifications | None
    tau_privacy: Verifications | None
    risk: Verification


@dataclass(frozen=True)
class Certification:
    """The checked arguments of certify.

    `bounds` are numbers by name, of which those in `promised` have to hold by themselves: the l of recursive (c,l) only
    says what c means. `unchecked` says which promises of the release function cannot be counted again. `arguments` is
    JSON. `people` is there if an entity is: they are counted in the release, or, where that lacks the entity, in
    `people_rel`, which has the same rows and that column.
    """

    rel: str
    qi: tuple[str, ...]
    sa: tuple[str, ...]
    entity: str | None
    nulls: str
    bounds: tuple[tuple[str, float | Decimal], ...]
    promised: tuple[str, ...]
    unchecked: tuple[str, ...]
    taxonomy: tuple[tuple[str, str], ...]
    function: str | None
    arguments: str
    rows: Judgement
    people: Judgement | None
    src: str | None
    people_rel: str | None = None


def read_certification(
    function: str, arguments: Mapping[str, object], promised: tuple[str, ...] | None = None
) -> Certification:
    """Check the arguments of certify. A certificate that is checked says itself what was `promised`."""
    checked = read_arguments(function, arguments)
    qi = checked["qi"]
    sa = sensitive_columns(checked["sa"])
    call = NO_CALL
    if checked["function"] is not None:
        entity = checked["entity"]
        stated_trees = dict(taxonomies(checked["taxonomy"], (*qi, *sa), "qi or sa"))
        call = read_call(checked["function"], checked["arguments"], qi, sa, entity, stated_trees)
        refuse_other_nulls(checked["nulls"], call.nulls)
    elif checked["arguments"] is not None:
        raise InvalidParameter("arguments is given without function.", "Say which function published the release.")
    stated = {bound.name: checked[bound.name] for bound in BOUNDS}
    explicit = {name: value for name, value in stated.items() if value is not None}
    refuse_contradictions(explicit, call.bounds)
    bounds = {**call.bounds, **explicit}
    if promised is None:
        promised = promised_bounds(explicit, call.promised)
    trees = taxonomies(checked["taxonomy"] or dict(call.taxonomy), (*qi, *sa), "qi or sa")
    nulls = checked["nulls"] or call.nulls
    shared = {"tbl": checked["rel"], "qi": list(qi), "sa": list(sa) or None, "nulls": nulls}
    of_sensitive = {column: table for column, table in trees if column in sa}
    rows = read_judgement(shared, of_sensitive, bounds)
    people = None
    if checked["entity"] is not None:
        people = read_judgement({**shared, "entity": checked["entity"]}, of_sensitive, bounds)
    return Certification(
        rel=checked["rel"],
        qi=qi,
        sa=sa,
        entity=None if people is None else people.risk.entity,
        nulls=rows.risk.nulls,
        bounds=tuple((bound.name, bounds[bound.name]) for bound in BOUNDS if bound.name in bounds),
        promised=promised,
        unchecked=call.unchecked,
        taxonomy=trees,
        function=call.function,
        arguments=call.recorded,
        rows=rows,
        people=people,
        src=checked["src"],
    )


def read_judgement(shared: Mapping[str, object], trees: Mapping[str, str], bounds: Bounds) -> Judgement:
    """The measures to take, of rows or, with an entity, of people. (tau,l)-diversity is about rows."""
    base_values = {**shared, "taxonomy": trees}
    with_tau = {"taxonomy": trees} if "tau" in bounds else {}
    counts_people = "entity" in shared
    return Judgement(
        privacy=read_verification("privacy", base_values),
        violations=read_verification("violations", {**shared, **bounds, **with_tau}) if bounds else None,
        recursive_c=read_verification("recursive_c", {**shared, "l": bounds["l"]}) if "c" in bounds else None,
        tau_privacy=read_tau(base_values, bounds) if "tau" in bounds and not counts_people else None,
        risk=read_risk(shared),
    )


def sensitive_columns(sa: object) -> tuple[str, ...]:
    """The sensitive attributes: none, one, or a list of them."""
    if sa is None:
        return ()
    return column_list("sa", sa, at_least_one=True) if isinstance(sa, list | tuple) else (one_column(sa),)


def refuse_contradictions(explicit: Bounds, of_call: Bounds) -> None:
    """A bound cannot be another than the one that the release function was called with."""
    for name, value in explicit.items():
        if name in of_call and float(of_call[name]) != float(value):
            raise InvalidParameter(
                f"{name} = {value} is not what arguments say: {of_call[name]}.", f"Leave {name} out, or the function."
            )


def refuse_other_nulls(nulls: object, of_call: str) -> None:
    """Refuse another meaning of missing quasi-identifiers than the release function had."""
    if nulls is not None and nulls != of_call:
        raise InvalidParameter("nulls is not what arguments say.", "Leave it out, or the function.")


def promised_bounds(explicit: Bounds, of_call: tuple[str, ...]) -> tuple[str, ...]:
    """The bounds that have to hold, in order; where tau is one, l is none of its own."""
    names = {*explicit, *of_call}
    return tuple(bound.name for bound in BOUNDS if bound.name in names and not (bound.name == "l" and "tau" in names))


def read_tau(shared: Mapping[str, object], bounds: Bounds) -> Verifications:
    """The smallest tau for the l of the bounds; people are not counted there."""
    if "l" not in bounds:
        raise InvalidParameter("tau is given without l.", "(tau,l)-diversity needs both.")
    known = {name: value for name, value in shared.items() if name != "entity"}
    return read_verification("tau_privacy", {**known, "l": bounds["l"]})


def read_risk(shared: Mapping[str, object]) -> Verification:
    """The risk of people in the release, whatever is sensitive."""
    known = {name: value for name, value in shared.items() if name != "sa"}
    (risk,) = read_verification("risk", known).each
    return risk
