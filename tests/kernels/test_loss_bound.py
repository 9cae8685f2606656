"""The bound on the loss of any grouping: below the best of all groupings, which is looked for on tiny tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import grouping
from sqlanon.udfs.kernels.loss_bound import bound, dual, items, sample
from sqlanon.udfs.kernels.loss_bound.bound import bound_loss
from sqlanon.udfs.kernels.loss_bound.boxes import TOLERANCE, keep_boxes
from sqlanon.udfs.kernels.loss_bound.pool import empty_pool
from sqlanon.udfs.kernels.loss_bound.top import empty_top
from sqlanon.udfs.kernels.loss_bound.walk import room_for_walk
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from sqlanon.udfs.kernels.space import Floats
from twins import loss_bound as twin
from twins import naive

from .tables import microdata, quickly, tables

EFFORTS = (1, 2, 4)


@st.composite
def bounded_tables(draw: st.DrawFn) -> tuple[naive.Table, int, bool]:
    """A table of up to 8 rows, the k or l that is asked of it, and whether it is l."""
    if draw(st.booleans()):
        table = draw(tables(rows=(1, 8)))
        return table, draw(st.integers(1, len(table.codes))), False
    l = draw(st.integers(2, 4))
    return draw(tables(rows=(l, 8), l=l)), l, True


def exact_ncp(table: naive.Table, column: int, codes: set[int]) -> Fraction:
    """The NCP of some codes of a column, in fractions: of the positions, or of leaves."""
    described = table.columns[column]
    if len(codes) == 1:
        return Fraction(0)
    if isinstance(described, naive.Measured):
        positions = [Fraction(described.position[code]) for code in codes]
        return min(Fraction(1), max(positions) - min(positions))
    below = naive.leaves_below_common_ancestor(described, [described.paths[code] for code in codes])
    return Fraction(below, len(described.leaves))


def keeps(size: int, by_value: bool) -> Callable[[Sequence[int]], bool]:
    return partial(grouping.keeps_l if by_value else grouping.keeps_k, size)


@pytest.mark.parametrize("bins", [1, 2, 12])
@settings(quickly)
@given(drawn=bounded_tables())
def test_no_grouping_loses_less_than_the_bound(bins: int, drawn: tuple[naive.Table, int, bool]) -> None:
    """With few bins, boxes of numbers are coarser than those of any group."""
    table, size, by_value = drawn
    best = grouping.smallest_gcp(table.codes, table.sensitive, partial(exact_ncp, table), keeps(size, by_value))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(dual, "BINS", bins)
        patched.setattr(dual, "SWEPT_BINS", bins)
        bounds = [bound_loss(microdata(table), size, by_value, effort, seed=0).gcp for effort in EFFORTS]
    assert bounds == sorted(bounds)
    assert Fraction(bounds[-1]) <= best


@pytest.mark.parametrize("bins", [1, 2, 12])
@settings(quickly)
@given(drawn=bounded_tables(), data=st.data())
def test_a_walk_lowers_u_until_no_rows_have_more_than_they_would_lose(
    bins: int, drawn: tuple[naive.Table, int, bool], data: st.DataObject
) -> None:
    table, size, by_value = drawn
    count = items.list_items(microdata(table), by_value).weight.size
    numbers = st.floats(0, 3, allow_subnormal=False)
    u = data.draw(st.lists(numbers, min_size=count, max_size=count))
    assert_kept(table, size, by_value, np.array(u), bins)


def assert_kept(table: naive.Table, size: int, by_value: bool, u: Floats, bins: int) -> None:
    """Walk once, and try all rows that a group of the smallest size could have."""
    coded = microdata(table)
    listed = items.list_items(coded, by_value)
    before = u.copy()
    walk = room_for_walk(coded.space, listed, dual.column_order(coded.space), np.array([bins, bins]))
    keep_boxes(coded.space, listed, walk, empty_top(size, by_value), u, empty_pool(100, 100), 10**9, STOP)
    assert (u <= before).all()
    u_of = {(*codes, value): each for codes, value, each in zip(listed.codes.tolist(), listed.value, u, strict=True)}
    rows = [(*codes, value if by_value else 0) for codes, value in zip(table.codes, table.sensitive, strict=True)]
    for some in combinations(range(len(rows)), size):
        if not by_value or len({table.sensitive[row] for row in some}) == size:
            assert np.mean([u_of[rows[row]] for row in some]) <= twin.box_loss(table, some) + 2 * TOLERANCE


def test_a_row_that_others_were_above_is_looked_at_again_once_they_are_lowered() -> None:
    """The second and the third row have the same number, and less in common otherwise than the numbers have."""
    leaves = tuple((leaf, (leaf in "abc" and "below") or "above", "*") for leaf in "abcdef")
    columns = (naive.Tree(leaves[:3], leaves), naive.Measured((0.0, 0.2, 1.0)))
    table = naive.Table(columns, ((0, 0), (1, 1), (2, 1), (0, 2)), (0,) * 4, ((0,),) * 4)
    listed = items.list_items(microdata(table), by_value=False)
    u_of = {(0, 0): 1.2, (1, 1): 3.0, (2, 1): 3.0, (0, 2): 0.0}
    assert_kept(table, 2, False, np.array([u_of[a, b] for a, b in listed.codes.tolist()]), bins=12)


def test_an_interval_of_bins_counts_as_the_gap_between_them() -> None:
    table = naive.Table((naive.Measured((0.0, 0.7, 0.8, 1.0)),), ((0,), (1,), (2,), (3,)), (0,) * 4, ((0,),) * 4)
    assert_kept(table, 3, False, np.full(4, 3.0), bins=2)


def triples() -> naive.Table:
    """Numbers in threes: a row's nearest row is nearer than the group of three that each has to be in."""
    position = tuple(number / 8 for number in range(9))
    codes = tuple((3 * (row // 3) + row % 3,) for row in range(9))
    return naive.Table((naive.Measured(position),), codes, (0, 1, 2) * 3, ((0,),) * 9)


@pytest.mark.parametrize("by_value", [False, True])
def test_boxes_bring_the_bound_up_to_the_best_grouping(by_value: bool) -> None:
    table = triples()
    by_rows, by_boxes = (bound_loss(microdata(table), 3, by_value, effort, seed=0) for effort in (1, 10))
    best = grouping.smallest_gcp(table.codes, table.sensitive, partial(exact_ncp, table), keeps(3, by_value))
    assert (by_rows.by_boxes, by_boxes.by_boxes) == (False, True)
    assert by_rows.gcp < by_boxes.gcp <= best
    assert by_boxes.gcp == pytest.approx(float(best), rel=1e-4)


def test_a_walk_that_does_not_come_to_its_end_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    data = microdata(triples())
    monkeypatch.setattr(dual, "LOOKS", 0)
    assert bound_loss(data, 3, False, effort=10, seed=0) == bound_loss(data, 3, False, effort=1, seed=0)


def test_a_full_pool_takes_no_more_and_the_bound_still_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    data = microdata(triples())
    whole = bound_loss(data, 3, False, effort=4, seed=0).gcp
    monkeypatch.setattr(dual, "CUTS", 1)
    assert 0 < bound_loss(data, 3, False, effort=4, seed=0).gcp <= whole


@quickly
@given(bounded_tables())
def test_each_row_has_the_smallest_box_that_the_twin_says(drawn: tuple[naive.Table, int, bool]) -> None:
    table, size, by_value = drawn
    data = microdata(table)
    listed = items.list_items(data, by_value)
    losses = bound.smallest_losses(data, listed, np.arange(listed.weight.size), size, by_value)
    smallest = twin.smallest_by_values if by_value else twin.smallest_by_rows
    expected = sorted(smallest(table, row, size) for row in range(len(table.codes)))
    assert sorted(np.repeat(losses, listed.weight).tolist()) == pytest.approx(expected, abs=1e-12)


@quickly
@given(tables(rows=(1, 12)), st.booleans())
def test_items_are_the_distinct_rows_with_their_number(table: naive.Table, by_value: bool) -> None:
    listed = items.list_items(microdata(table), by_value)
    values = listed.value if by_value else np.zeros(listed.weight.size, np.int32)
    rows = [(*codes, value) for codes, value in zip(listed.codes.tolist(), values.tolist(), strict=True)]
    assert len(set(rows)) == len(rows)
    repeated = [row for row, count in zip(rows, listed.weight.tolist(), strict=True) for _ in range(count)]
    pairs = zip(table.codes, table.sensitive, strict=True)
    assert sorted(repeated) == sorted((*codes, value if by_value else 0) for codes, value in pairs)


def large_table(rows: int) -> naive.Table:
    """Numbers that lie apart, some more than others: several blocks of items."""
    numbers = np.random.default_rng(5).random((2, rows)) ** 3
    columns = tuple(naive.Measured(tuple((np.sort(line) - line.min()) / np.ptp(line))) for line in numbers)
    codes = zip(*(np.argsort(np.argsort(line)).tolist() for line in numbers), strict=True)
    return naive.Table(columns, tuple(codes), tuple(row % 5 for row in range(rows)), ((0,),) * rows)


@pytest.mark.parametrize("by_value", [False, True])
def test_blocks_that_are_passed_over_hold_nothing_nearer(by_value: bool) -> None:
    table = large_table(4 * items.BLOCK + 3)
    data = microdata(table)
    listed = items.list_items(data, by_value)
    losses = bound.smallest_losses(data, listed, np.arange(listed.weight.size), 3, by_value)
    smallest = twin.smallest_by_values if by_value else twin.smallest_by_rows
    expected = [smallest(table, row, 3) for row in range(len(table.codes))]
    assert sorted(losses.tolist()) == pytest.approx(sorted(expected), abs=1e-12)


@pytest.mark.parametrize("by_value", [False, True])
def test_a_large_table_is_bounded_by_a_sample_that_the_seed_draws(
    by_value: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = microdata(large_table(150))
    whole = bound_loss(data, 3, by_value, effort=1, seed=0)
    monkeypatch.setattr(bound, "PAIRS", 150 * 60)
    drawn = [bound_loss(data, 3, by_value, effort=1, seed=seed) for seed in (0, 0, 1)]
    assert [each.drawn for each in (whole, *drawn)] == [0, 60, 60, 60]
    assert drawn[0] == drawn[1] != drawn[2]
    assert all(0 < each.gcp < whole.gcp for each in drawn)


def test_the_limit_of_a_sample_is_above_the_mean_in_5_percent_of_draws_at_most() -> None:
    chances = np.random.default_rng(7)
    for numbers in (chances.random(4000) ** 8, (chances.random(4000) < 0.03).astype(float), np.full(4000, 0.25)):
        limits = [sample.limit_of_mean(chances.choice(numbers, 150)) for _ in range(400)]
        assert sum(limit > numbers.mean() for limit in limits) <= 40  # 20 are to be expected at most
        assert np.mean(limits) > numbers.mean() / 4


def test_nothing_but_zeros_has_the_limit_zero() -> None:
    assert sample.limit_of_mean(np.zeros(20)) == 0.0


def test_rows_are_drawn_by_their_number() -> None:
    drawn = sample.draw_rows(np.array([1, 0, 8, 1]), 5000, seed=3)
    assert np.bincount(drawn, minlength=4) / 5000 == pytest.approx([0.1, 0.0, 0.8, 0.1], abs=0.03)
