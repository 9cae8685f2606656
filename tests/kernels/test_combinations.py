"""Combinations of columns by stripped partitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs.kernels.measure.combinations import count_combinations
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from thorough import examples
from twins import combinations as twin

Table = list[tuple[int, ...]]


def encode(rows: Table, width: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """A line per column, codes without gaps."""
    lines = np.array(rows, np.int64).reshape(len(rows), width).T
    return np.array([np.unique(line, return_inverse=True)[1] for line in lines], np.int32).reshape(width, len(rows))


@settings(max_examples=examples(60))
@given(
    width=st.integers(1, 5),
    max_size=st.integers(1, 6),
    rows=st.lists(st.tuples(*[st.integers(0, 3)] * 4, st.integers(0, 40)), max_size=30),
)
def test_combinations_are_counted_as_by_the_twin(width: int, max_size: int, rows: Table) -> None:
    rows = [row[-width:] for row in rows]
    lines = [[row[number] for row in rows] for number in range(width)]
    counted = [(columns, tuple(counts)) for columns, counts in count_combinations(encode(rows, width), max_size)]
    assert len(dict(counted)) == len(counted)
    assert dict(counted) == twin.count(lines, max_size)


def test_a_column_that_tells_all_rows_apart_leaves_nothing_to_count() -> None:
    codes = np.array([np.arange(2049), np.arange(2049) % 7, np.arange(2049) % 2], np.int32)
    counted = dict(count_combinations(codes, 3))
    assert all(counts == (2049, 2049, 0) for columns, counts in counted.items() if 0 in columns)
    assert counted[1, 2] == (14, 0, sum(n * (n - 1) // 2 for n in [147] * 5 + [146] * 9))


def test_a_signal_stops_the_count() -> None:
    STOP[0] = 1
    try:
        with pytest.raises(KeyboardInterrupt):
            list(count_combinations(np.zeros((2, 10), np.int32), 2))
    finally:
        STOP[0] = 0
