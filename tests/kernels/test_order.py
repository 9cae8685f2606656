"""The canonical order of rows along the curve."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.along_curve.order import leading_columns, order_within_ties, sort_along_curve
from sqlanon.udfs.kernels.hilbert.curve import hilbert_keys
from sqlanon.udfs.kernels.space import BITS, Microdata
from twins import naive

from .tables import grid, microdata, naive_keys, quickly, rearrange, tables, words_of


def along_curve(table: naive.Table, keys: list[int], words: int = 1) -> list[tuple[object, ...]]:
    """The codes of each row, in the kernel's order."""
    order = sort_along_curve(words_of(keys, words), microdata(table)).tolist()
    assert sorted(order) == list(range(len(keys)))
    return [(keys[row], table.codes[row], table.sensitive[row], table.ties[row]) for row in order]


def naively_along_curve(table: naive.Table, keys: list[int]) -> list[tuple[object, ...]]:
    order = naive.canonical_order(keys, table)
    return [(keys[row], table.codes[row], table.sensitive[row], table.ties[row]) for row in order]


def random_table(rows: int, columns: int, values: int, seed: int) -> naive.Table:
    draw = np.random.default_rng(seed)
    line = naive.Measured(tuple(np.linspace(0.0, 1.0, values).tolist()))
    codes = draw.integers(0, values, (rows, columns)).tolist()
    ties = draw.integers(0, 2, (rows, 2)).tolist()
    sensitive = draw.integers(0, 2, rows).tolist()
    return naive.Table((line,) * columns, tuple(map(tuple, codes)), tuple(sensitive), tuple(map(tuple, ties)))


@quickly
@given(tables(rows=(1, 10)), st.data())
def test_order_is_that_of_the_twin(table: naive.Table, data: st.DataObject) -> None:
    rows = len(table.codes)
    keys = data.draw(st.lists(st.integers(0, 2**130), min_size=rows, max_size=rows))
    keys = [keys[i] for i in data.draw(st.lists(st.integers(0, rows - 1), min_size=rows, max_size=rows))]
    assert along_curve(table, keys, 3) == naively_along_curve(table, keys)


@quickly
@given(tables(rows=(1, 10)), st.data())
def test_order_does_not_depend_on_the_order_of_arrival(table: naive.Table, data: st.DataObject) -> None:
    other = rearrange(table, data.draw(st.permutations(range(len(table.codes)))))
    assert along_curve(table, naive_keys(table)) == along_curve(other, naive_keys(other))


@pytest.mark.parametrize("seed", range(3))
def test_long_runs_of_ties_are_sorted_too(seed: int) -> None:
    table = random_table(rows=300, columns=2, values=2, seed=seed)
    keys = [codes[0] << 64 for codes in table.codes]
    assert along_curve(table, keys, 2) == naively_along_curve(table, keys)


def test_rows_equal_in_all_that_matters_still_differ_by_the_other_columns() -> None:
    rows = 72
    table = naive.Table(
        (naive.Measured((0.0,)),), ((0,),) * rows, (0,) * rows, tuple((0, row * 7 % rows) for row in range(rows))
    )
    order = sort_along_curve(words_of([5] * rows, 1), microdata(table))
    assert [table.ties[row][1] for row in order] == sorted(row * 7 % rows for row in range(rows))


@pytest.mark.parametrize("word", range(4))
def test_keys_of_twenty_dimensions_are_compared_whole(word: int) -> None:
    keys = [value << 64 * word for value in (3, 1, 2**63, 0, 2)]
    table = random_table(rows=5, columns=20, values=2, seed=0)
    assert sort_along_curve(words_of(keys, 4), microdata(table)).tolist() == [3, 1, 4, 0, 2]


def test_points_of_twenty_dimensions_follow_the_whole_curve() -> None:
    points = np.random.default_rng(3).integers(0, 2, (60, 20))  # the finest cube: told apart by the last word
    points[::2] += 2**BITS - 2
    codes = np.ascontiguousarray(points.T.astype(np.int32))
    nothing = np.zeros(60, np.int32)
    data = Microdata(codes, nothing, np.empty((0, 60), np.int32), np.empty((0, 60), np.int32), grid(20))
    keys = [naive.hilbert_key(point, BITS) for point in points.tolist()]
    found = sort_along_curve(hilbert_keys(codes, data.space), data)
    assert [keys[row] for row in found] == sorted(keys)


@quickly
@given(st.lists(st.lists(st.integers(-3, 3), min_size=1, max_size=48), min_size=1, max_size=3))
def test_only_rows_that_tie_change_places(runs: list[list[int]]) -> None:
    key = np.array([value for run in runs for value in run], np.int32)
    order = np.arange(key.size)
    tied = np.array([i > 0 for run in runs for i in range(len(run))])
    order_within_ties(order, key, tied)
    assert key[order].tolist() == [value for run in runs for value in sorted(run)]
    assert tied.tolist() == [i > 0 and sorted(run)[i - 1] == sorted(run)[i] for run in runs for i in range(len(run))]


@pytest.mark.parametrize("width", [1, 4, 20])
def test_leading_columns_put_rows_in_the_order_of_these(width: int) -> None:
    """As many columns as a word holds; the rest is for the sort to break ties by."""
    draw = np.random.default_rng(width)
    line = naive.Measured(tuple(np.linspace(0.0, 1.0, 50).tolist()))
    codes = tuple(map(tuple, draw.integers(0, 50, (200, width)).tolist()))
    data = microdata(naive.Table((line,) * width, codes, tuple(range(200)), ((0,),) * 200))
    key = leading_columns(data.codes)[0].tolist()
    held = min(width, 10)  # of 6 bits each
    assert sorted(range(200), key=lambda row: key[row]) == sorted(range(200), key=lambda row: codes[row][:held])
