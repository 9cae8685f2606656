"""Refined: annealing keeps the promise whatever it does, ends at low loss, and does the same for the same seed."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import config
from sqlanon.udfs.kernels.refined import annealing, blocks, refined
from sqlanon.udfs.kernels.refined.annealing import Draws, draw_proposals, propose
from sqlanon.udfs.kernels.refined.dissolving import split_large
from sqlanon.udfs.kernels.refined.groups import Groups, Rows, gather_groups, share_marks
from sqlanon.udfs.kernels.refined.losses import tabulate_losses
from sqlanon.udfs.kernels.refined.neighbours import find_neighbours
from sqlanon.udfs.kernels.refined.proposals import try_row
from sqlanon.udfs.kernels.refined.start import runs_in_blocks
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from sqlanon.udfs.kernels.space import Ints, Microdata
from twins import naive
from twins import refined as twin

from .tables import contents, members, microdata, quickly, rearrange, tables

LINE = naive.Measured(tuple(np.linspace(0.0, 1.0, 30).tolist()))


def rows_of(table: naive.Table, least: int, diverse: bool) -> Rows:
    """The table as the engine has it."""
    data = microdata(table)
    apart = np.ascontiguousarray(np.vstack([data.sensitive[None], data.apart]).T[:, : None if diverse else 0])
    losses = tabulate_losses(data.space, None, "generalize")
    return Rows(np.ascontiguousarray(data.codes.T), apart, least, share_marks(apart), losses)


def random_table(rows: int, columns: int, values: int, sensitive: int, seed: int) -> naive.Table:
    """Numbers, and sensitive values that are about equally frequent."""
    draw = np.random.default_rng(seed)
    codes = tuple(map(tuple, draw.integers(0, values, (rows, columns)).tolist()))
    held = tuple(draw.permutation(np.arange(rows) % sensitive).tolist())
    return naive.Table((LINE,) * columns, codes, held, ((0,),) * rows)


def check_groups(table: naive.Table, groups: list[list[int]], least: int, diverse: bool) -> None:
    """All rows are in a group of the right size; if diverse, of different values."""
    assert sorted(row for group in groups for row in group) == list(range(len(table.codes)))
    assert all(least <= len(group) < 2 * least for group in groups)
    assert not diverse or all(twin.differ(table, group) for group in groups)


def groups_of(table: naive.Table, least: int, diverse: bool, seed: int = 0, effort: int = 3) -> list[list[int]]:
    """The kernel's groups, once they are as promised."""
    partition = refined.l_groups if diverse else refined.k_groups
    groups = members(partition(microdata(table), least, seed=seed, effort=effort))
    check_groups(table, groups, least, diverse)
    return groups


def listed(groups: Groups) -> list[list[int]]:
    """The members of each group that has any, in the order of their slots."""
    return [line[:size].tolist() for line, size in zip(groups.member, groups.size.tolist(), strict=True) if size]


def random_groups(table: naive.Table, least: int, diverse: bool, seed: int) -> Ints | None:
    """Groups drawn at random, of at least so many rows; None if they are not of different values."""
    order = np.random.default_rng(seed).permutation(len(table.codes))
    group_of = np.empty(order.size, np.int32)
    group_of[order] = np.minimum(np.arange(order.size) // least, max(1, order.size // least) - 1)
    groups = members(group_of)
    return None if diverse and not all(twin.differ(table, group) for group in groups) else group_of


@quickly
@given(tables(rows=(4, 12)), st.integers(2, 4), st.booleans(), st.data())
def test_a_proposal_does_what_the_twin_does(table: naive.Table, least: int, diverse: bool, data: st.DataObject) -> None:
    seeds = st.integers(0, 1000)
    start = random_groups(table, least, diverse, data.draw(seeds))
    if start is None or start.max() < 1:
        return
    rows = rows_of(table, least, diverse)
    groups = gather_groups(rows, start)
    row = data.draw(st.integers(0, len(table.codes) - 1))
    there = data.draw(st.sampled_from([group for group in range(start.max() + 1) if group != start[row]]))
    allowed = data.draw(st.sampled_from([0.0, 0.5, 3.0]))
    expected = twin.propose(table, listed(groups), row, there, least, diverse, allowed)
    try_row(rows, groups, row, there, allowed)
    assert contents(table, listed(groups)) == contents(table, expected)


@quickly
@given(tables(rows=(4, 14), l=2), st.integers(2, 3), st.booleans(), st.integers(0, 1000))
def test_every_pass_keeps_the_promise_and_knows_what_groups_lose(
    table: naive.Table, least: int, diverse: bool, seed: int
) -> None:
    start = random_groups(table, least, diverse, seed)
    if start is None:
        return
    rows, draw = rows_of(table, least, diverse), np.random.default_rng(seed)
    groups, neighbours = gather_groups(rows, start), find_neighbours(np.unique(rows.codes, axis=0))
    order = np.lexsort(rows.codes.T[::-1])
    rows = rows._replace(codes=rows.codes[order], apart=rows.apart[order])
    groups, neighbours = gather_groups(rows, start[order]), find_neighbours(rows.codes)
    split_large(rows, groups)
    sorted_table = rearrange(table, order.tolist())
    for temperature in (2.0, 0.3, 0.0):
        before = twin.total_loss(sorted_table, listed(groups))
        draws = draw_proposals(draw, len(table.codes), 40)
        propose(rows, groups, neighbours, draws, temperature, 1.0, STOP)
        check_groups(sorted_table, listed(groups), least, diverse)
        after = twin.total_loss(sorted_table, listed(groups))
        assert (groups.size * groups.loss)[groups.size > 0].sum() == pytest.approx(after)
        assert temperature > 0 or after <= before + 1e-6, "without temperature, loss never rises"


@quickly
@given(tables(rows=(2, 14), l=2), st.integers(2, 3), st.booleans())
def test_whatever_is_eligible_is_grouped(table: naive.Table, least: int, diverse: bool) -> None:
    if len(table.codes) >= least and (not diverse or naive.is_diverse(table.sensitive, least)):
        groups_of(table, least, diverse, effort=1)


@quickly
@given(tables(rows=(4, 14), l=2), st.booleans(), st.data())
def test_groups_do_not_depend_on_the_order_of_arrival(table: naive.Table, diverse: bool, data: st.DataObject) -> None:
    other = rearrange(table, data.draw(st.permutations(range(len(table.codes)))))
    assert contents(table, groups_of(table, 2, diverse, effort=1)) == contents(
        other, groups_of(other, 2, diverse, effort=1)
    )


def test_the_seed_decides_and_the_same_one_decides_the_same() -> None:
    table = random_table(60, 3, 20, 9, seed=1)
    for diverse in (False, True):
        assert groups_of(table, 3, diverse, seed=5) == groups_of(table, 3, diverse, seed=5)
        drawn = {str(contents(table, groups_of(table, 3, diverse, seed=seed, effort=1))) for seed in range(4)}
        assert len(drawn) > 1


@pytest.mark.parametrize("diverse", [False, True])
def test_the_lowest_loss_of_all_is_mostly_reached(diverse: bool) -> None:
    effort = 3 if config.DISABLE_JIT else 10  # type: ignore[attr-defined]
    gaps = []
    for seed in range(12):
        table = random_table(rows=6 + seed % 3, columns=2, values=30, sensitive=3 + seed % 3, seed=seed)
        lowest = twin.lowest_loss(table, 2, diverse)
        gaps.append(twin.total_loss(table, groups_of(table, 2, diverse, effort=effort)) / lowest - 1)
    assert min(gaps) > -1e-9
    assert sum(gap < 1e-9 for gap in gaps) >= 8
    assert statistics.mean(gaps) < 0.05


@pytest.mark.parametrize("rows", [3, 4, 5, 6, 7, 12])
def test_tables_of_a_few_rows_more_or_less_than_a_group(rows: int) -> None:
    for columns in (1, 9):
        groups_of(random_table(rows, columns, 30, rows, seed=rows), 3, False)
        groups_of(random_table(rows, columns, 30, rows, seed=rows), 3, True)


def test_with_k_1_every_row_is_a_group_of_its_own() -> None:
    for rows in (1, 5):
        table = random_table(rows, 2, 30, rows, seed=0)
        assert members(refined.k_groups(microdata(table), 1)) == [[row] for row in range(rows)]


def test_equal_rows_are_grouped_without_loss() -> None:
    codes = tuple((value,) for value in (0, 7, 29) for _ in range(7))
    table = naive.Table((LINE,), codes, tuple(range(21)), ((0,),) * 21)
    for diverse in (False, True):
        assert naive.gcp(table, groups_of(table, 3, diverse)) == 0.0
    alone = naive.Table((LINE,), ((3,),) * 11, tuple(range(11)), ((0,),) * 11)
    groups_of(alone, 3, False)


def test_the_largest_l_is_reached_where_every_row_counts() -> None:
    table = random_table(rows=40, columns=2, values=30, sensitive=5, seed=2)
    groups_of(table, 5, True)


def test_more_values_than_marks_are_kept_apart_as_well() -> None:
    table = random_table(rows=70, columns=1, values=30, sensitive=35, seed=3)
    many = naive.Table(table.columns, table.codes, tuple(62 * value for value in table.sensitive), table.ties)
    rows = rows_of(many, 2, True)
    assert rows.shared
    start = np.argsort(np.argsort(many.sensitive, kind="stable"), kind="stable").astype(np.int32) % 35
    groups = gather_groups(rows, start)
    order = np.argsort(rows.codes[:, 0], kind="stable")
    rows = rows._replace(codes=rows.codes[order], apart=rows.apart[order])
    groups = gather_groups(rows, start[order])
    propose(
        rows, groups, find_neighbours(rows.codes), draw_proposals(np.random.default_rng(0), 70, 400), 0.5, 0.99, STOP
    )
    check_groups(rearrange(many, order.tolist()), listed(groups), 2, True)


def test_rows_differ_in_every_sensitive_attribute() -> None:
    table = random_table(rows=40, columns=2, values=30, sensitive=5, seed=4)
    two = naive.Table(table.columns, table.codes, table.sensitive, table.ties, tuple((i % 7,) for i in range(40)))
    group_of = refined.l_groups(microdata(two), 3, seed=1)
    groups = [np.flatnonzero(group_of == group).tolist() for group in range(group_of.max() + 1)]
    assert all(3 <= len(group) < 6 and twin.differ(two, group) for group in groups)
    assert (group_of >= 0).sum() >= 36


def test_groups_are_of_different_people_where_that_is_possible() -> None:
    table = random_table(rows=40, columns=2, values=30, sensitive=5, seed=5)
    person = np.arange(40, dtype=np.int32) // 2
    data = microdata(table)._replace(person=person, apart=person[None])
    assert all(len({row // 2 for row in group}) == len(group) for group in members(refined.k_groups(data, 3)))
    one = data._replace(person=np.zeros(40, np.int32))
    assert min(map(len, members(refined.k_groups(one, 3)))) >= 3


def stars(data: Microdata, group_of: Ints) -> int:
    """Cells in columns in which their group differs."""
    return sum(len(group) * int((np.ptp(data.codes[:, group], axis=1) > 0).sum()) for group in members(group_of))


def test_stars_and_weights_are_what_is_lowered() -> None:
    table = random_table(rows=60, columns=3, values=4, sensitive=6, seed=6)
    data = microdata(table)
    by_loss, by_stars = (refined.l_groups(data, 3, recode=recode, seed=1) for recode in ("generalize", "suppress"))
    assert stars(data, by_stars) < stars(data, by_loss)
    heavy = refined.k_groups(data, 3, weights=(50.0, 1.0, 1.0), seed=1)
    even = refined.k_groups(data, 3, weights=None, seed=1)
    spread = [
        sum(len(group) * int(np.ptp(data.codes[0, group])) for group in members(groups)) for groups in (heavy, even)
    ]
    assert spread[0] < spread[1]


def test_columns_of_many_codes_lose_the_same_without_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table = random_table(rows=30, columns=2, values=30, sensitive=5, seed=7)
    tabulated = groups_of(table, 3, True)
    monkeypatch.setattr("sqlanon.udfs.kernels.refined.losses.MOST_CODES", 0)
    assert tabulate_losses(microdata(table).space, None, "generalize").table.size == 0
    assert groups_of(table, 3, True) == tabulated


@pytest.mark.parametrize("diverse", [False, True])
def test_a_large_table_is_grouped_in_blocks(diverse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 16)
    table = random_table(rows=90, columns=2, values=30, sensitive=6, seed=8)
    groups_of(table, 3, diverse, effort=1)
    group_of = np.array([5, 5, 0, 0, 2, 2, 2, 5] * 5, np.int32)
    found = blocks.block_of_groups(group_of)
    assert len(set(zip(found.block_of.tolist(), found.group_of.tolist(), strict=True))) == 3
    for group in (0, 2, 5):
        assert len(set(found.block_of[group_of == group].tolist())) == 1


def test_runs_keep_equal_rows_together() -> None:
    codes = np.array([[2], [0], [0], [1], [0], [0], [3], [4], [0]], np.int32)
    group_of = runs_in_blocks(codes, np.zeros(9, np.int64), 2)
    assert len(set(group_of[codes[:, 0] == 0].tolist())) == 2
    assert all(len(group) >= 2 for group in members(group_of))


def test_a_stopped_pass_changes_nothing() -> None:
    table = random_table(rows=20, columns=1, values=30, sensitive=5, seed=9)
    rows = rows_of(table, 2, False)
    start = (np.arange(20) // 2).astype(np.int32)
    groups = gather_groups(rows, start)
    order = np.lexsort(rows.codes.T)
    rows = rows._replace(codes=rows.codes[order])
    draws: Draws = draw_proposals(np.random.default_rng(0), 20, 50)
    for stop, same in ((np.ones(1, np.uint8), True), (STOP, False)):
        groups = gather_groups(rows, start)
        annealing.propose(rows, groups, find_neighbours(rows.codes), draws, 9.0, 1.0, stop)
        assert (groups.group_of == start).all() == same
