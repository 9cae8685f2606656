"""From Arrow to arrays: what the codes of a column mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.arrow import codec
from sqlanon.udfs.kernels.loss import extent_loss
from sqlanon.udfs.kernels.space import BITS
from twins import naive

from sqlanon.errors import UnsupportedType

from .tables import axis_of, code_count, columns, quickly, tree_columns

PATHS = pa.list_(pa.string())
RIGHT = 2**BITS - 1
integer_types = st.sampled_from([pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint32(), pa.uint64()])


def axis(values: Sequence[object], kind: pa.DataType) -> codec.Axis:
    """The axis of a column of numbers: values in code order."""
    return codec.measured_axis(codec.measures(pa.array(values, kind)))


def integers_of(kind: pa.DataType) -> st.SearchStrategy[int]:
    signed = pa.types.is_signed_integer(kind)
    low, high = (-(2 ** (kind.bit_width - 1)), 2 ** (kind.bit_width - 1) - 1) if signed else (0, 2**kind.bit_width - 1)
    return st.one_of(
        st.integers(low, high), st.integers(low, min(low + 9, high)), st.integers(max(high - 9, low), high)
    )


def assert_as_the_twin(found: codec.Axis, values: Sequence[int | float | Fraction | None]) -> None:
    expected = naive.positions(values)
    assert found.position.tolist() == pytest.approx([float(position) for position in expected], rel=1e-14, abs=1e-14)
    assert found.branch.shape == (0, len(values))
    assert_in_order(found)


def assert_in_order(found: codec.Axis) -> None:
    coordinate = found.coordinate.tolist()
    assert coordinate == sorted(coordinate)
    assert 0 <= coordinate[0] <= coordinate[-1] <= RIGHT


# Numbers


@quickly
@given(
    integer_types.flatmap(lambda kind: st.tuples(st.just(kind), st.sets(integers_of(kind), max_size=6))), st.booleans()
)
def test_integers_lie_where_the_twin_puts_them(case: tuple[pa.DataType, set[int]], null: bool) -> None:
    kind, numbers = case
    values = [*sorted(numbers), *([None] if null or not numbers else [])]
    assert_as_the_twin(axis(values, kind), values)


@quickly
@given(
    st.sets(st.floats(allow_nan=False, allow_infinity=False), max_size=6),
    st.tuples(*[st.booleans()] * 4),
)
def test_floats_lie_where_the_twin_puts_them(numbers: set[float], also: tuple[bool, ...]) -> None:
    below, above, nan, null = also
    beyond = [value for value, wanted in ((math.inf, above), (math.nan, nan), (None, null)) if wanted]
    values = [*([-math.inf] if below else []), *sorted(numbers), *beyond]
    if values:
        assert_as_the_twin(axis(values, pa.float64()), values)


@quickly
@given(st.sets(st.integers(-(10**38) + 1, 10**38 - 1), min_size=1, max_size=6), st.integers(0, 38), st.booleans())
def test_decimals_lie_where_the_twin_puts_them(numbers: set[int], scale: int, null: bool) -> None:
    ordered = sorted(numbers)
    exact = [Decimal((number < 0, tuple(map(int, str(abs(number)))), -scale)) for number in ordered]
    found = axis([*exact, *([None] if null else [])], pa.decimal128(38, scale))
    assert_as_the_twin(found, [*(Fraction(number, 10**scale) for number in ordered), *([None] if null else [])])


@quickly
@given(
    st.sets(st.one_of(st.integers(), st.integers(10**400, 10**400 + 9), st.integers(-(10**400), 0)), max_size=6),
    st.booleans(),
)
def test_whole_numbers_of_any_size_lie_where_the_twin_puts_them(numbers: set[int], null: bool) -> None:
    ordered = [*sorted(numbers), *([None] if null or not numbers else [])]
    texts = [None if number is None else str(number) for number in ordered]
    smaller = [None if number is None else Fraction(number, 10**120) for number in ordered]  # the twin asks isfinite
    assert_as_the_twin(axis(texts, pa.string()), smaller)


def test_a_number_may_have_more_digits_than_python_reads_at_once() -> None:
    texts = ["9" * 9000 + last for last in "0139"]
    assert axis(texts, pa.string()).position.tolist() == pytest.approx([0.0, 1 / 9, 3 / 9, 1.0])


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (2**60, pa.int64()),
        (-(2**60), pa.int64()),
        (-(2**63), pa.int64()),
        (2**63 - 5, pa.int64()),
        (2**64 - 5, pa.uint64()),
    ],
)
def test_integers_beyond_two_to_the_53_keep_their_distances(start: int, kind: pa.DataType) -> None:
    found = codec.measures(pa.array([start, start + 1, start + 2, start + 4, None], kind))
    assert found[:4].tolist() == [0.0, 1.0, 2.0, 4.0]
    assert np.isnan(found[4])


def test_integers_as_far_apart_as_they_can_be() -> None:
    assert axis([-(2**63), -1, 2**63 - 1], pa.int64()).position.tolist() == pytest.approx([0.0, 0.5, 1.0])
    assert axis([-128, 0, 127], pa.int8()).position.tolist() == [0.0, 128 / 255, 1.0]
    assert axis([0, 2**64 - 1], pa.uint64()).position.tolist() == [0.0, 1.0]


def test_decimals_with_many_digits_keep_their_distances() -> None:
    values = [Decimal(f"123456789012345678901234567.{digit}") for digit in (1, 2, 4, 5)]
    assert axis(values, pa.decimal128(38, 1)).position.tolist() == pytest.approx([0.0, 0.25, 0.75, 1.0])


def test_floats_of_opposite_sign_do_not_overflow() -> None:
    assert axis([-1.7e308, 0.0, 1.7e308], pa.float64()).position.tolist() == [0.0, 0.5, 1.0]


def test_floats_that_are_as_close_as_floats_can_be() -> None:
    assert axis([0.0, 5e-324], pa.float64()).position.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("kind", [pa.int32(), pa.float64(), pa.decimal128(12, 2), pa.date32()])
def test_a_column_of_one_value_has_one_coordinate(kind: pa.DataType) -> None:
    found = codec.measured_axis(codec.measures(pa.array([7], pa.int32()).cast(kind)))
    assert found.position.tolist() == [0.0]
    assert found.coordinate.tolist() == [0]


@pytest.mark.parametrize("kind", [pa.int32(), pa.float64(), pa.decimal128(12, 2), pa.date32(), pa.timestamp("us")])
def test_a_column_of_nulls_has_one_coordinate(kind: pa.DataType) -> None:
    assert len(axis([None], kind).position) == 1
    assert len(axis([None], kind).coordinate) == 1


# Dates and times


def test_dates_lie_by_their_days() -> None:
    days = [date(2020, 1, 1), date(2020, 1, 2), date(2020, 1, 5)]
    assert axis(days, pa.date32()).position.tolist() == [0.0, 0.25, 1.0]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC"])
def test_timestamps_lie_by_their_time(unit: str, zone: str | None) -> None:
    moments = [datetime(2020, 1, 1, hour) for hour in (0, 6, 8)]
    values = pa.array(moments, pa.timestamp(unit)).cast(pa.timestamp(unit, zone))
    assert codec.measured_axis(codec.measures(values)).position.tolist() == [0.0, 0.75, 1.0]


def test_times_of_day_lie_by_their_time() -> None:
    assert axis([time(0), time(6), time(8)], pa.time64("us")).position.tolist() == [0.0, 0.75, 1.0]


@pytest.mark.parametrize(
    ("kind", "bound"),
    [(pa.date32(), 2**31 - 1), (pa.timestamp("us"), 2**63 - 1), (pa.timestamp("s", "UTC"), 2**63 - 1)],
)
def test_infinite_dates_lie_a_range_away(kind: pa.DataType, bound: int) -> None:
    ticks = pa.array([-bound, 10, 20, bound, None], pa.int32() if kind.bit_width == 32 else pa.int64())
    found = codec.measured_axis(codec.measures(ticks.cast(kind)))
    assert_as_the_twin(found, [-math.inf, 10, 20, math.inf, None])


def test_the_last_integer_is_not_infinity_nor_the_last_time_of_day() -> None:
    assert codec.measures(pa.array([0, 2**63 - 1], pa.int64())).tolist() == [0.0, 2.0**63]
    assert np.isfinite(codec.measures(pa.array([0, 86_399_999_999], pa.time64("us")))).all()


# What is not a number


def test_what_is_not_a_number_is_a_range_apart_from_everything() -> None:
    found = axis([-math.inf, 1.0, 3.0, math.inf, math.nan, None], pa.float64())
    assert (np.diff(found.position[[0, 1]]) >= 1).all()
    assert (np.diff(found.position[2:]) >= 1).all()
    assert len(set(found.coordinate.tolist())) == 6
    assert_in_order(found)


@pytest.mark.parametrize("value", [-math.inf, math.inf, math.nan, None])
def test_anything_with_what_is_not_a_number_loses_everything(value: float | None) -> None:
    values = [value, 1.0, 3.0] if value == -math.inf else [1.0, 3.0, value]
    space = codec.join_axes([axis(values, pa.float64())])
    assert [extent_loss(space, 0, *pair) for pair in ((0, 1), (1, 2), (0, 2))] == [1.0] * 3


# Categories


@pytest.mark.parametrize("size", [1, 2, 3, 9])
def test_categories_without_a_taxonomy_lose_everything_together(size: int) -> None:
    found = codec.flat_axis(size)
    space = codec.join_axes([found])
    assert all(extent_loss(space, 0, a, b) == (a != b) for a in range(size) for b in range(a, size))
    assert_in_order(found)


@quickly
@given(tree_columns())
def test_a_tree_loses_the_share_of_leaves_below_the_common_ancestor(tree: naive.Tree) -> None:
    space = codec.join_axes([axis_of(tree)])
    for low, below in enumerate(tree.paths):
        for high, above in enumerate(tree.paths[low + 1 :], low + 1):
            share = naive.leaves_below_common_ancestor(tree, [below, above]) / len(tree.leaves)
            assert extent_loss(space, 0, low, high) == share


@quickly
@given(tree_columns())
def test_codes_of_a_tree_are_spread_over_the_whole_curve(tree: naive.Tree) -> None:
    found = axis_of(tree)
    assert_in_order(found)
    assert found.coordinate[0] == 0
    assert found.coordinate[-1] == (RIGHT if len(tree.paths) > 1 else 0)


def test_null_is_the_last_of_a_tree_and_hangs_from_its_root() -> None:
    leaves = [["a", "A", "*"], ["b", "A", "*"], ["c", "C", "*"]]
    found = codec.tree_axis(pa.array([leaves[0], leaves[1], None], PATHS), pa.array(leaves, PATHS))
    assert found.share[:, 0].tolist() == [2 / 3, 1.0]
    assert found.share[:, 2].tolist() == [0.0, 1.0]
    assert found.branch[0, 2] not in found.branch[0, :2]
    assert found.branch[1].tolist() == [found.branch[1, 0]] * 3


def test_one_label_may_be_on_two_levels() -> None:
    leaves = [["a", "a", "*"], ["b", "a", "*"], ["c", "*", "*"]]
    found = codec.tree_axis(pa.array(leaves, PATHS), pa.array(leaves, PATHS))
    assert found.share.tolist() == [[2 / 3, 2 / 3, 1.0], [1.0, 1.0, 1.0]]
    assert found.leaves.tolist() == [[2, 2, 3], [3, 3, 3]]
    assert found.branch[0, 2] == found.branch[1, 2]


def test_a_node_above_one_leaf_loses_nothing() -> None:
    leaves = [["a", "A", "*"], ["b", "A", "*"], ["c", "C", "*"]]
    found = codec.tree_axis(pa.array(leaves, PATHS), pa.array(leaves, PATHS))
    assert found.share.tolist() == [[2 / 3, 2 / 3, 0.0], [1.0, 1.0, 1.0]]


def test_leaves_are_counted_below_every_node() -> None:
    nodes, leaves = codec.read_tree([["a", "A", "*"], ["b", "A", "*"], ["c", "C", "*"]])
    assert {node: leaves[number] for node, number in nodes.items()} == {(1, "A"): 2, (2, "*"): 3, (1, "C"): 1}


# The whole


@quickly
@given(st.lists(columns, min_size=1, max_size=4))
def test_axes_are_laid_out_one_after_the_other(described: list[naive.Column]) -> None:
    axes = [axis_of(column) for column in described]
    space = codec.join_axes(axes)
    for c, one in enumerate(axes):
        own = slice(space.first[c], space.first[c + 1])
        levels, size = one.branch.shape
        branches = slice(space.trees[c], space.trees[c] + levels * size)
        assert size == code_count(described[c])
        assert space.levels[c] == levels
        assert space.coordinate[own].tolist() == one.coordinate.tolist()
        assert space.position[own].tolist() == one.position.tolist()
        assert space.ancestor[branches].tolist() == one.branch.ravel().tolist()
        assert space.share[branches].tolist() == one.share.ravel().tolist()
        assert space.leaves[branches].tolist() == one.leaves.ravel().tolist()


def describe(**fields: object) -> pa.StructScalar:
    return pa.scalar({"column": "c", "type": "INTEGER", **fields})


def test_a_description_becomes_the_axis_of_its_kind() -> None:
    numbers = codec.read_axis(describe(kind="range", domain=[1, 2, 5]))
    assert numbers.position.tolist() == [0.0, 0.25, 1.0]
    categories = codec.read_axis(describe(kind="category", domain=["a", "b", "c"]))
    assert categories.position.tolist() == [0.0, 1.0, 2.0]
    leaves = [["a", "*"], ["b", "*"]]
    for kind in ("range", "category"):
        tree = codec.read_axis(describe(kind=kind, domain=leaves, taxonomy=leaves))
        assert tree.share.tolist() == [[1.0, 1.0]]


def test_a_refused_type_is_named_with_its_column() -> None:
    columns = [describe(kind="range"), describe(kind="refused")]
    with pytest.raises(UnsupportedType, match="column 'c' has type INTEGER"):
        codec.refuse_types(columns)
    codec.refuse_types(columns[:1])


def test_row_codes_are_one_line_per_name_and_none_for_no_name() -> None:
    rows = pa.array([{"a": 1, "b": 10}, {"a": 2, "b": 20}, {"a": 3, "b": 30}])
    assert codec.row_codes(rows, {"b": 31, "a": 4}).tolist() == [[10, 20, 30], [1, 2, 3]]
    assert codec.row_codes(rows[1:], {"a": 4}).tolist() == [[2, 3]]
    assert codec.row_codes(rows, {}).shape == (0, 3)
