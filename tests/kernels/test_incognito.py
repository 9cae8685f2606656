"""Incognito: the best of all full-domain generalizations, as exhaustive search finds it."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.lattice import incognito, lattice
from sqlanon.udfs.kernels.lattice import search as lattice_search
from sqlanon.udfs.kernels.space import Generalization
from twins import lattice as twin
from twins import naive

from .full_domain import SHARES, Case, cases, classes_of, levels_of
from .tables import quickly

shares = st.sampled_from(SHARES)

CITIES = (("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "y", "*"))
CITY = naive.Tree(CITIES, CITIES)
PADDED = tuple((name, name, *above) for name, *above in CITIES)
PADDED_CITY = naive.Tree(PADDED, PADDED)


def best(case: Case, suppress: float) -> Generalization:
    """The answer of the function for the promise of a case."""
    data, promise = case.microdata(), case.promise
    if promise.c is not None:
        return incognito.recursive_groups(data, promise.ranks, float(promise.c), suppress)
    if promise.l > 1:
        return incognito.l_groups(data, promise.l, suppress)
    return incognito.k_groups(data, promise.k, suppress)


def one_column(codes: list[int], sensitive: list[int], promise: twin.Promise, person: list[int] | None = None) -> Case:
    """Rows of the column CITY."""
    table = naive.Table((CITY,), tuple((code,) for code in codes), tuple(sensitive), ((0,),) * len(codes))
    return Case(table, None if person is None else tuple(person), promise)


@quickly
@given(cases(), shares)
def test_the_result_is_that_of_exhaustive_search(case: Case, share: tuple[float, int]) -> None:
    suppress, percent = share
    nodes = twin.holding_nodes(case.table, case.person, case.promise, len(case.table.codes) * percent // 100)
    result = best(case, suppress)
    assert levels_of(result) == nodes[0].levels
    assert sorted(classes_of(result)) == sorted(nodes[0].classes)


@quickly
@given(cases(), shares)
def test_all_nodes_that_hold_are_listed_the_best_first(case: Case, share: tuple[float, int]) -> None:
    suppress, percent = share
    nodes = twin.holding_nodes(case.table, case.person, case.promise, len(case.table.codes) * percent // 100)
    listed = lattice.holding_nodes(case.microdata(), case.requirement(), suppress)
    assert list(map(tuple, listed.levels.tolist())) == [node.levels for node in nodes]
    assert listed.gcp.tolist() == pytest.approx([float(node.gcp) for node in nodes], abs=1e-9)
    assert listed.suppressed.tolist() == [len(node.suppressed) for node in nodes]
    assert (listed.levels.dtype, listed.gcp.dtype, listed.suppressed.dtype) == (np.uint8, np.float64, np.int64)


@quickly
@given(cases(), shares, st.data())
def test_classes_and_their_numbers_do_not_depend_on_the_order_of_arrival(
    case: Case, share: tuple[float, int], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(case.table.codes))))
    one, two = best(case, share[0]), best(case.rearrange(order), share[0])
    assert levels_of(one) == levels_of(two)
    assert one.group_of[order].tolist() == two.group_of.tolist()


@quickly
@given(cases(), shares)
def test_every_class_keeps_the_promise_and_few_rows_are_left_out(case: Case, share: tuple[float, int]) -> None:
    result = best(case, share[0])
    assert all(twin.holds(case.table, case.person, case.promise, rows) for rows in classes_of(result))
    assert 100 * int((result.group_of < 0).sum()) <= len(case.table.codes) * share[1]


@given(st.lists(st.integers(0, 20), min_size=1, max_size=40))
def test_nodes_are_counted_without_overflow(heights: list[int]) -> None:
    space = one_column([0], [0], twin.Promise()).microdata().space._replace(levels=np.array(heights, np.int64))
    assert lattice.count_nodes(space) == math.prod(height + 1 for height in heights)


def test_neighbours_are_joined_where_that_is_enough() -> None:
    case = one_column([0, 1, 2, 3], [0, 1, 0, 1], twin.Promise(k=2))
    result = best(case, 0.0)
    assert levels_of(result) == (1,)
    assert classes_of(result) == [(0, 1), (2, 3)]


def test_a_row_on_its_own_is_left_out_if_that_is_allowed() -> None:
    case = one_column([0] * 5 + [1] * 4 + [2], [0] * 10, twin.Promise(k=2))
    assert levels_of(best(case, 0.0)) == (2,)
    result = best(case, 0.1)
    assert levels_of(result) == (0,)
    assert result.group_of.tolist() == [0] * 5 + [1] * 4 + [-1]


def test_of_levels_that_lose_the_same_the_lower_is_published() -> None:
    table = naive.Table((PADDED_CITY,), ((0,), (1,), (2,), (3,)), (0, 1, 0, 1), ((0,),) * 4)
    assert levels_of(best(Case(table, None, twin.Promise(k=1)), 0.0)) == (0,)
    assert levels_of(best(Case(table, None, twin.Promise(k=2)), 0.0)) == (2,)


def test_null_stays_itself_below_the_root() -> None:
    tree = naive.Tree((*CITIES, None), CITIES)
    codes = ((0,), (1,), (4,), (4,))
    table = naive.Table((tree,), codes, (0, 1, 0, 1), ((0,),) * 4)
    result = best(Case(table, None, twin.Promise(k=2)), 0.0)
    assert levels_of(result) == (1,)
    assert classes_of(result) == [(0, 1), (2, 3)]


def test_people_are_counted_not_only_their_rows() -> None:
    rows = [0, 0, 1, 1, 2, 2, 3, 3]
    case = one_column(rows, [0] * 8, twin.Promise(k=2))
    assert levels_of(best(case, 0.0)) == (0,)
    assert levels_of(best(Case(case.table, tuple(rows), case.promise), 0.0)) == (1,)


@pytest.mark.parametrize(("last", "suppress"), [([2, 2], 0.0), ([2, 3], 0.34)])
def test_classes_that_hold_need_not_hold_together_if_people_are_counted(last: list[int], suppress: float) -> None:
    """Two people in either city, with each other's disease: in the region both have both. So level 1 fails, not 0."""
    case = one_column([0, 0, 1, 1, *last], [0, 1, 1, 0, 2, 3], twin.Promise(l=2), [0, 1, 0, 1, 2, 3])
    nodes = twin.holding_nodes(case.table, case.person, case.promise, round(6 * suppress))
    assert [node.levels for node in nodes] == [(0,), (2,)]
    assert levels_of(best(case, suppress)) == (0,)
    assert lattice.holding_nodes(case.microdata(), case.requirement(), suppress).levels.tolist() == [[0], [2]]


def test_nothing_is_concluded_about_people_from_a_more_specific_node() -> None:
    """As above, with one more level below the one that fails: that would not be looked at if rows were counted."""
    case = one_column([0, 0, 1, 1, 2, 2], [0, 1, 1, 0, 2, 3], twin.Promise(l=2), [0, 1, 0, 1, 2, 3])
    data = Case(replace(case.table, columns=(PADDED_CITY,)), case.person, case.promise).microdata()
    assert lattice.holding_nodes(data, case.requirement()).levels.tolist() == [[0], [1], [3]]


def test_for_diversity_a_more_general_node_may_leave_out_more() -> None:
    """One row too many of a value: alone in its city, it is left out; in the region, all would be."""
    case = one_column([0, 0, 1, 2, 3, 2, 3], [0, 1, 0, 2, 3, 3, 2], twin.Promise(l=2))
    assert [node.levels for node in twin.holding_nodes(case.table, None, case.promise, 1)] == [(0,), (2,)]
    listed = lattice.holding_nodes(case.microdata(), case.requirement(), 0.15)
    assert listed.levels.tolist() == [[0], [2]]
    assert listed.suppressed.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("rows", "suppress", "allowed"), [(100, 0.29, 29), (19, 0.05, 0), (20, 0.05, 1), (3, 1.0, 2), (1, 1.0, 0)]
)
def test_as_many_rows_may_be_left_out_as_the_share_says(rows: int, suppress: float, allowed: int) -> None:
    assert lattice_search.allowed_rows(rows, suppress) == allowed


def test_the_top_is_published_without_its_rows_if_nothing_holds() -> None:
    case = one_column([0, 1, 2], [0, 0, 1], twin.Promise(l=2))
    result = best(case, 0.0)
    assert levels_of(result) == (2,)
    assert result.group_of.tolist() == [-1, -1, -1]


def test_many_rows_of_many_columns_as_by_exhaustive_search() -> None:
    draw = np.random.default_rng(5)
    table = naive.Table(
        (CITY,) * 5,
        tuple(map(tuple, (draw.random((60, 5)) ** 2 * 4).astype(int).tolist())),
        tuple(draw.integers(0, 5, 60).tolist()),
        ((0,),) * 60,
    )
    for promise in (twin.Promise(k=3), twin.Promise(l=2), twin.Promise(ranks=2, c=Fraction(1))):
        for suppress, allowed in ((0.0, 0), (0.1, 6), (0.3, 18)):
            case = Case(table, None, promise)
            nodes = twin.holding_nodes(table, None, promise, allowed)
            assert levels_of(best(case, suppress)) == nodes[0].levels
            listed = lattice.holding_nodes(case.microdata(), case.requirement(), suppress)
            assert list(map(tuple, listed.levels.tolist())) == [node.levels for node in nodes]
