"""The best cut of ordered rows into runs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.along_curve import runs
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from sqlanon.udfs.kernels.space import Wide
from twins import naive

from .tables import quickly, space_of, tables

sizes = st.lists(st.integers(1, 3), min_size=1, max_size=9)


def cut_table(table: naive.Table, starts: Wide, least: int) -> list[range]:
    """Cut rows, which are in order as they are, into runs of at least `least` blocks."""
    previous = np.zeros(starts.size, np.int64)
    along_curve = np.array(table.codes, np.int32)
    runs.cut_by_extent(along_curve, space_of(table.columns), starts, least, previous, STOP)
    return follow(starts, previous)


def cut_keys(keys: list[int], starts: Wide, least: int) -> list[range]:
    previous = np.zeros(starts.size, np.int64)
    runs.cut_by_key(np.array(naive.key_gaps(keys), np.float64), starts, least, previous, STOP)
    return follow(starts, previous)


def follow(starts: Wide, previous: Wide) -> list[range]:
    """The runs that label_runs makes, from the first; rows are numbered backwards, to see `order` used."""
    rows = int(starts[-1])
    order = np.arange(rows)[::-1].copy()
    group_of = np.full(rows, -1, np.int32)
    groups = runs.label_runs(order, starts, previous, group_of)
    along = group_of[::-1].tolist()
    assert set(along) == set(range(groups))
    bounds = [0, *(i for i in range(1, rows) if along[i] != along[i - 1]), rows]
    assert len(bounds) == groups + 1, "a group is not a run"
    return [range(start, stop) for start, stop in pairwise(bounds)]


def total(table: naive.Table, groups: list[range]) -> float:
    return sum(naive.group_loss(table, group) for group in groups)


def in_blocks(cost: naive.Cost, starts: Wide) -> naive.Cost:
    return lambda start, stop: cost(int(starts[start]), int(starts[stop]))


@quickly
@given(tables(rows=(1, 10)), st.integers(1, 4))
def test_no_cut_loses_less(table: naive.Table, k: int) -> None:
    rows = len(table.codes)
    if rows < k:
        return
    found = cut_table(table, runs.block_starts(rows, 1), k)
    assert all(k <= len(group) <= 2 * k - 1 for group in found)

    def cost(start: int, stop: int) -> float:
        return naive.group_loss(table, range(start, stop))

    assert total(table, found) == pytest.approx(naive.best_cut(cost, rows, k)[0], abs=1e-9)
    assert total(table, found) == pytest.approx(naive.least_cost(cost, rows, k), abs=1e-9)


@quickly
@given(tables(rows=(18, 18)), sizes, st.integers(1, 3))
def test_no_cut_between_blocks_loses_less(table: naive.Table, blocks: list[int], least: int) -> None:
    starts = np.concatenate([[0], np.cumsum(blocks)]).astype(np.int64)
    starts[-1] = 18 if starts[-1] < 18 else starts[-1]  # the last block takes the rest
    table = naive.Table(table.columns, (table.codes * 2)[: starts[-1]], (), ())
    if len(blocks) < least:
        return
    found = cut_table(table, starts, least)
    assert {group.start for group in found} <= set(starts.tolist())
    cost = in_blocks(lambda start, stop: naive.group_loss(table, range(start, stop)), starts)
    assert total(table, found) == pytest.approx(naive.best_cut(cost, len(blocks), least)[0], abs=1e-9)
    assert total(table, found) == pytest.approx(naive.least_cost(cost, len(blocks), least), abs=1e-9)


@quickly
@given(st.lists(st.integers(0, 60), min_size=1, max_size=10), st.integers(1, 4), st.sampled_from([0, 200]))
def test_no_cut_has_less_extent_on_the_curve(positions: list[int], k: int, shift: int) -> None:
    keys = sorted(position << shift for position in positions)
    if len(keys) < k:
        return
    found = cut_keys(keys, runs.block_starts(len(keys), 1), k)
    assert all(k <= len(group) <= 2 * k - 1 for group in found)
    cost = naive.key_extent_cost(keys)
    cheapest = naive.best_cut(cost, len(keys), k)[0]
    assert cheapest == naive.least_cost(cost, len(keys), k)
    assert sum(cost(group.start, group.stop) for group in found) == cheapest


@quickly
@given(st.lists(st.integers(0, 60), min_size=27, max_size=27), sizes, st.integers(1, 3))
def test_no_cut_between_blocks_has_less_extent(positions: list[int], blocks: list[int], least: int) -> None:
    starts = np.concatenate([[0], np.cumsum(blocks)]).astype(np.int64)
    if len(blocks) < least:
        return
    keys = sorted(positions[: starts[-1]])
    found = cut_keys(keys, starts, least)
    assert {group.start for group in found} <= set(starts.tolist())
    cost = naive.key_extent_cost(keys)
    expected = naive.best_cut(in_blocks(cost, starts), len(blocks), least)[0]
    assert sum(cost(group.start, group.stop) for group in found) == expected


@pytest.mark.parametrize("size", [1, 2, 5, 9])
@pytest.mark.parametrize("rows", [1, 4, 5, 17, 18, 45])
def test_blocks_cover_every_row_and_none_is_short_but_a_lone_one(rows: int, size: int) -> None:
    starts = runs.block_starts(rows, size).tolist()
    lengths = [stop - start for start, stop in pairwise(starts)]
    assert starts[0] == 0
    assert starts[-1] == rows
    assert all(length == size for length in lengths[:-1])
    assert lengths[-1] < 2 * size
    assert lengths[-1] >= size or len(lengths) == 1


@pytest.mark.parametrize(
    ("k", "columns", "size"), [(2, 1, 1), (4096, 1, 1), (4097, 1, 2), (512, 8, 1), (513, 8, 2), (10**6, 8, 1954)]
)
def test_work_per_row_is_bounded_and_exact_up_to_the_bound(k: int, columns: int, size: int) -> None:
    assert runs.block_size(k, columns) == size
    assert -(-k // size) * columns <= max(runs.EXACT_WORK, columns) + columns


def test_one_group_is_cut_when_there_are_not_rows_for_two() -> None:
    table = naive.Table((naive.Measured((0.0, 1.0)),), ((0,), (0,), (1,), (1,), (1,)), (), ())
    assert cut_table(table, runs.block_starts(5, 1), 3) == [range(0, 5)]
    assert cut_table(table, runs.block_starts(5, 1), 2) == [range(0, 2), range(2, 5)]
