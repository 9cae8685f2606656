"""Refinement: exchanges of rows that have the same sensitive value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.along_curve.swaps import swap_alike
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from twins import naive

from .tables import members, quickly, space_of, tables

LINE = naive.Measured((0.0, 0.25, 0.5, 0.75, 1.0))


def exchange(table: naive.Table, group_of: list[int], window: int) -> tuple[list[int], int]:
    """The kernel on rows that are in order as they are: the group of each row, and the exchanges made."""
    group_at = np.array(group_of, np.int32)
    made = swap_alike(
        np.array(table.codes, np.int32),
        space_of(table.columns),
        np.array(table.sensitive, np.int32),
        group_at,
        max(group_of) + 1,
        window,
        STOP,
    )
    return group_at.tolist(), made


def dense(numbers: list[int]) -> list[int]:
    """Renumber groups from 0 without a gap."""
    return np.unique(numbers, return_inverse=True)[1].tolist()


@quickly
@given(tables(rows=(2, 12)), st.data(), st.integers(1, 4))
def test_exchanges_are_those_of_the_twin(table: naive.Table, data: st.DataObject, window: int) -> None:
    rows = len(table.codes)
    table = naive.Table(
        table.columns, table.codes, tuple(data.draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows))), ()
    )
    before = dense(data.draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows)))
    after, made = exchange(table, before, window)
    old, new = members(np.array(before)), members(np.array(after))
    assert [sorted(group) for group in naive.swap_alike(table, old, window)] == new
    assert (made == 0) == (before == after)
    for one, other in zip(old, new, strict=True):
        assert sorted(table.sensitive[row] for row in one) == sorted(table.sensitive[row] for row in other)
    fallen = naive.gcp(table, old) - naive.gcp(table, new)
    assert fallen > 0 if made else fallen == 0


def test_two_rows_trade_places_when_both_are_nearer_to_the_other_group() -> None:
    table = naive.Table((LINE,), ((0,), (0,), (4,), (4,)), (0, 1, 0, 1), ())
    assert exchange(table, [0, 1, 1, 0], 1) == ([1, 1, 0, 0], 1)


def test_rows_of_different_sensitive_values_never_trade_places() -> None:
    table = naive.Table((LINE,), ((0,), (0,), (4,), (4,)), (0, 1, 2, 3), ())
    assert exchange(table, [0, 1, 1, 0], 4) == ([0, 1, 1, 0], 0)


@pytest.mark.parametrize(("window", "made"), [(1, 0), (2, 1)])
def test_a_row_is_tried_against_no_more_rows_than_the_window(window: int, made: int) -> None:
    # Rows 0 and 2 are worth exchanging; row 1, of the same value, stands between them.
    table = naive.Table((LINE,), ((0,), (2,), (4,), (0,), (2,), (4,)), (0, 0, 0, 1, 1, 1), ())
    assert exchange(table, [2, 1, 0, 0, 1, 2], window)[1] == made
