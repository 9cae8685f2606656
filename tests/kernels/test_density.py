"""The k-d tree that adds boxes up over points, against the twin that looks at every pair."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs import density
from sqlanon.udfs.kernels.measure.density import SMALL, densities
from twins import density as twin

from sqlanon.errors import InvalidParameter

from .tables import quickly

Points = list[tuple[int, ...]]
Boxes = list[tuple[tuple[int, ...], tuple[int, ...], Fraction]]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Points, Boxes]:
    """Distinct points and boxes in one to four columns of few codes, so that they meet."""
    columns = draw(st.integers(1, 4))
    corner = st.tuples(*(st.integers(0, 9) for _ in range(columns)))
    points = draw(st.lists(corner, max_size=8 * SMALL, unique=True))
    boxes = []
    for one, other in draw(st.lists(st.tuples(corner, corner), max_size=20)):
        low, high = tuple(map(min, one, other)), tuple(map(max, one, other))
        boxes.append((low, high, Fraction(draw(st.integers(1, 64)), 64)))
    return points, boxes


def lines(rows: list[tuple[int, ...]], columns: int) -> np.ndarray:
    return np.array(rows, np.int32).reshape(len(rows), columns)


def found(points: Points, boxes: Boxes) -> list[float]:
    columns = len((points or [box[0] for box in boxes] or [(0,)])[0])
    low, high = lines([box[0] for box in boxes], columns), lines([box[1] for box in boxes], columns)
    weight = np.array([float(box[2]) for box in boxes], np.float64)
    return densities(lines(points, columns), low, high, weight).tolist()


@quickly
@given(cases())
def test_the_tree_finds_what_the_twin_finds(case: tuple[Points, Boxes]) -> None:
    # weights are 64ths, which floats add without rounding
    assert found(*case) == [float(sum_of_weights) for sum_of_weights in twin.densities(*case)]


@pytest.mark.parametrize("size", [1, 2, SMALL, SMALL + 1, 2 * SMALL, 2 * SMALL + 1, 1000])
def test_every_size_of_tree_keeps_its_points_apart(size: int) -> None:
    points = [(code, 7) for code in range(size)]
    boxes = [((code, 0), (code, 9), Fraction(code + 1)) for code in range(size)]
    assert found(points, boxes) == [code + 1.0 for code in range(size)]


def test_a_box_around_everything_is_added_to_every_point_and_one_beside_to_none() -> None:
    points = [(i % 10, i // 10) for i in range(100)]
    everywhere, nowhere = ((0, 0), (9, 9), Fraction(1, 4)), ((0, 10), (9, 20), Fraction(5))
    assert found(points, [everywhere, everywhere, nowhere]) == [0.5] * 100


def test_columns_without_spread_do_no_harm() -> None:
    points = [(3, code) for code in range(50)]
    assert found(points, [((3, 10), (3, 12), Fraction(2)), ((4, 0), (9, 49), Fraction(1))]) == [
        2.0 if 10 <= code <= 12 else 0.0 for code in range(50)
    ]


def as_lists(rows: list[list[dict[str, float]] | None], fields: dict[str, pa.DataType]) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(rows, pa.list_(pa.struct(list(fields.items()))))])


POINT = {"n": pa.float64(), "at_a": pa.int64(), "at_b": pa.int64()}
BOX = {"weight": pa.float64(), "low_a": pa.int64(), "high_a": pa.int64(), "low_b": pa.int64(), "high_b": pa.int64()}


def test_the_function_answers_list_by_list_in_the_order_of_the_points() -> None:
    points = as_lists(
        [[{"n": 1, "at_a": 5, "at_b": 1}, {"n": 9, "at_a": 2, "at_b": 2}], None, [{"n": 1, "at_a": 0, "at_b": 0}]],
        POINT,
    )
    box = {"weight": 0.5, "low_a": 0, "high_a": 4, "low_b": 2, "high_b": 3}
    answer = density.call(points, as_lists([[box, box], [box], None], BOX))
    assert answer.to_pylist() == [[0.0, 1.0], [], [0.0]]


def test_boxes_without_ends_are_refused() -> None:
    points = as_lists([[{"n": 1, "at_a": 5, "at_b": 1}]], POINT)
    with pytest.raises(InvalidParameter, match=r"\[SA102\] rows: there is no column low_a\."):
        density.call(points, as_lists([[{"other": 17.0}]], {"other": pa.float64()}))
