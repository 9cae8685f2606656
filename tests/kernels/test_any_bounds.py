"""Mondrian, TopDown and Incognito for any bounds, as their twins make groups that the oracle of privacy lets pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import privacy as oracle
from sqlanon.udfs.grouping.requirements import requirement_of
from sqlanon.udfs.kernels.halving import mondrian, topdown
from sqlanon.udfs.kernels.lattice import incognito
from sqlanon.udfs.kernels.requirement.requirement import fewest_rows
from thorough import examples
from twins import lattice, naive
from twins import mondrian as mondrian_twin
from twins import topdown as topdown_twin

from .full_domain import SHARES, Case, cases, classes_of, levels_of
from .tables import contents, members, microdata, naive_keys, quickly, tables

Bounds = dict[str, float]

bounds_of_any_kind = st.fixed_dictionaries(
    {},
    optional={
        "k": st.integers(1, 4),
        "l": st.sampled_from((1, 1.5, 2, 3)),
        "distinct_l": st.sampled_from((1, 2, 2.5)),
        "entropy_l": st.sampled_from((1, 1.51, 1.9, 2)),
        "c": st.sampled_from((0.5, 1, 2, 5)),
        "t": st.sampled_from((0.1, 0.25, 0.5, 0.75)),
        "beta": st.sampled_from((0.3, 1.1, 2.3)),
        "delta": st.sampled_from((0.6, 1.2, 1.9)),
    },
).filter(lambda bounds: "c" not in bounds or bounds.get("l") in (1, 2, 3))


def keeper(sensitive: Sequence[Sequence[int]], bounds: Bounds) -> Callable[[Sequence[int]], bool]:
    """Whether rows keep the bounds, as one class, for each of several sensitive attributes."""

    def keep(rows: Sequence[int]) -> bool:
        for values in sensitive:
            table = tuple(oracle.Row((), value) for value in values)
            one = oracle.Class((), tuple(table[row] for row in rows), table, by_person=False)
            broken = {name for names, _ in oracle.violations([one], **bounds).values() for name in names}  # type: ignore[arg-type]
            if broken - ({"l"} if "c" in bounds else set()):
                return False
        return True

    return keep


@quickly
@given(tables(rows=(2, 24)), bounds_of_any_kind)
def test_mondrian_cuts_as_its_twin(table: naive.Table, bounds: Bounds) -> None:
    promise = keeper([table.sensitive], bounds)
    if promise(range(len(table.codes))):
        expected = mondrian_twin.cut_apart(table, range(len(table.codes)), promise)
        assert members(mondrian.groups(microdata(table), requirement_of(bounds))) == expected


@quickly
@given(tables(rows=(2, 24)), bounds_of_any_kind, st.integers(0, 3))
def test_topdown_splits_as_its_twin(table: naive.Table, bounds: Bounds, seed: int) -> None:
    requirement, promise = requirement_of(bounds), keeper([table.sensitive], bounds)
    if promise(range(len(table.codes))):
        order = naive.canonical_order(naive_keys(table), table)
        arrival = [order[place] for place in np.random.default_rng(seed).permutation(len(order)).tolist()]
        expected = topdown_twin.groups(table, arrival, fewest_rows(requirement), promise)
        groups = members(topdown.groups(microdata(table), requirement, seed=seed))
        assert contents(table, groups) == contents(table, expected)


@settings(deadline=None, max_examples=examples(60))
@given(cases(), bounds_of_any_kind, st.sampled_from(SHARES), st.data())
def test_incognito_is_exhaustive_search_for_any_bounds_of_two_attributes(
    case: Case, bounds: Bounds, share: tuple[float, int], data: st.DataObject
) -> None:
    """Rows may be left out where no bound compares classes with the whole table."""
    rows = len(case.table.codes)
    case = replace(case, table=replace(case.table, sensitive=without_gaps(case.table.sensitive)))
    other = data.draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows))
    other = list(without_gaps(other))
    suppress, percent = (0.0, 0) if {"t", "beta", "delta"} & bounds.keys() else share
    others = keeper([case.table.sensitive, other], bounds)
    of_people = [keeper_of_people(case, values, bounds) for values in (case.table.sensitive, other)]
    promise = lattice.Promise(others=lambda kept: others(kept) and all(keep(kept) for keep in of_people))
    nodes = lattice.holding_nodes(case.table, None, promise, rows * percent // 100)
    if not nodes or not promise.others or not promise.others(range(rows)):
        return
    microdata_of_case = case.microdata()
    further = [other] if case.person is None else [other, list(case.person)]
    result = incognito.best_classes(
        microdata_of_case._replace(apart=np.array(further, np.int32)), requirement_of(bounds), suppress
    )
    assert levels_of(result) == nodes[0].levels
    assert sorted(classes_of(result)) == sorted(nodes[0].classes)


def without_gaps(values: Sequence[int]) -> tuple[int, ...]:
    """The values numbered from 0: every code occurs."""
    return tuple(np.unique(values, return_inverse=True)[1].tolist())


def keeper_of_people(case: Case, values: Sequence[int], bounds: Bounds) -> Callable[[Sequence[int]], bool]:
    """Whether the people of rows, if they are known, keep the bounds that are about people, too."""
    person = case.person
    counted = {name: bound for name, bound in bounds.items() if name in ("k", "l", "c")}

    def keep(rows: Sequence[int]) -> bool:
        if person is None or not counted:
            return True
        table = tuple(oracle.Row((), value, one) for value, one in zip(values, person, strict=True))
        one = oracle.Class((), tuple(table[row] for row in rows), table, by_person=True)
        broken = {name for names, _ in oracle.violations([one], **counted).values() for name in names}  # type: ignore[arg-type]
        return not broken - ({"l"} if "c" in bounds else set())

    return keep
