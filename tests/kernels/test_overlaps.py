"""The kernel that compares classes of two releases, against its twin."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.measure.overlaps import Cells, Classes, compare_classes
from twins import overlaps as twin

POINTS = 7
cells = st.frozensets(st.integers(0, POINTS - 1))
values = st.frozensets(st.integers(0, 5))


def releases(columns: int) -> st.SearchStrategy[list[twin.Class]]:
    line = st.lists(cells, min_size=columns, max_size=columns)
    return st.lists(st.builds(twin.Class, line, values), min_size=1, max_size=9)


def read(release: list[twin.Class], numbers: dict[twin.Cell, int]) -> Classes:
    lines = [[numbers.setdefault(cell, len(numbers)) for cell in each.cells] for each in release]
    start = np.cumsum([0, *(len(each.values) for each in release)])
    codes = [code for each in release for code in sorted(each.values)]
    return Classes(np.array(lines, np.int32), start.astype(np.int64), np.array(codes, np.int32))


def spans(numbers: dict[twin.Cell, int]) -> Cells:
    start, low, high = [0], [], []
    for cell in numbers:
        low += [point for point in sorted(cell) if point - 1 not in cell]
        high += [point for point in sorted(cell) if point + 1 not in cell]
        start.append(len(low))
    return Cells(np.array(start, np.int64), np.array(low, np.int32), np.array(high, np.int32))


@given(both=st.integers(1, 3).flatmap(lambda c: st.tuples(releases(c), releases(c))), l=st.integers(0, 5))
def test_pairs_are_those_of_the_twin(both: tuple[list[twin.Class], list[twin.Class]], l: int) -> None:
    old, new = both
    numbers: dict[twin.Cell, int] = {}
    ours, theirs = read(old, numbers), read(new, numbers)
    expected = twin.narrowed_pairs(old, new, l)
    listed = np.empty((len(expected), 2), np.int64)
    found = compare_classes(ours, theirs, spans(numbers), l, listed)
    assert {(a, b) for a, b in listed.tolist()} == set(expected)
    assert found.pairs.sum() == len(expected)
    assert all(found.pairs[n] == list(expected.values()).count(n) for n in set(expected.values()))
    for b, other in enumerate(new):
        assert found.fewest[b] == min((n for (_, number), n in expected.items() if number == b), default=0)
        assert found.certain[b] == twin.certain(old, other, l)
