"""Diversity over expanded classes, against the twin that expands them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs.randomizing import classes
from sqlanon.udfs.randomizing.published import Attribute
from thorough import examples
from twins import randomize as twin

shapes = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)).map(sorted), min_size=1, max_size=3)


def describe(shape: list[list[int]]) -> list[Attribute]:
    return [
        Attribute(f"a{number}", pa.array([str(code) for code in range(size)]), eta, 1.0)
        for number, (eta, size) in enumerate(shape)
    ]


@settings(max_examples=examples(40))
@given(shapes, st.data())
def test_classes_are_as_diverse_as_the_twin_says(shape: list[list[int]], data: st.DataObject) -> None:
    row = st.tuples(*(st.permutations(range(size)).map(lambda p, eta=eta: sorted(p[:eta])) for eta, size in shape))  # type: ignore[misc]
    rows = data.draw(st.lists(st.tuples(row, st.integers(1, 3)), min_size=1, max_size=8))
    lists = [np.array([one[number] for one, _ in rows], np.int32) for number in range(len(shape))]
    measured = classes.diversities(describe(shape), lists, np.array([n for _, n in rows]))
    expanded = [one for one, n in rows for _ in range(n)]
    for number, (diversity, (eta, _)) in enumerate(zip(measured, shape, strict=True)):
        assert diversity == pytest.approx(twin.class_diversity(expanded, number))
        assert min(diversity) >= eta


@pytest.mark.parametrize("limit", ["MOST_CELLS", "MOST_MEMBERS"])
def test_where_there_is_too_much_to_count_the_lists_alone_are_measured(
    monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    attributes, lists = describe([[2, 4], [3, 4]]), [np.array([[0, 1]] * 9), np.array([[0, 1, 2]] * 9)]
    weights = np.full(9, 7)
    counted = classes.diversities(attributes, lists, weights)
    monkeypatch.setattr(classes, limit, 15)
    assert classes.diversities(attributes, lists, weights) == [(2.0, 2.0, 2), (3.0, 3.0, 3)]
    assert [diversity.k for diversity in counted] == [126, 189]


def test_a_class_of_one_row_is_as_diverse_as_its_list() -> None:
    lists = [np.array([[0, 1], [0, 2]]), np.array([[0, 1], [2, 3]])]
    measured = classes.diversities(describe([[2, 4], [2, 4]]), lists, np.array([1, 1]))
    assert measured[0] == pytest.approx((2, 2, 2))
