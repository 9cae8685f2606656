"""The Hilbert curve: its keys, and distances along it."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.hilbert.curve import hilbert_keys, key_distance, key_gaps
from sqlanon.udfs.kernels.space import BITS
from twins import naive

from .tables import grid, quickly, whole_keys, words_of

coordinates = st.integers(0, 2**BITS - 1)
keys_of_any_width = st.integers(0, 2**240 - 1)


def keys_of(points: list[tuple[int, ...]]) -> list[int]:
    dimensions = len(points[0])
    codes = np.array(points, np.int32).T
    return whole_keys(hilbert_keys(np.ascontiguousarray(codes), grid(dimensions)), dimensions)


@quickly
@given(st.integers(1, 22).flatmap(lambda d: st.lists(st.tuples(*[coordinates] * d), min_size=1, max_size=4)))
def test_keys_are_those_of_the_twin(points: list[tuple[int, ...]]) -> None:
    assert keys_of(points) == [naive.hilbert_key(point, BITS) for point in points]


@pytest.mark.parametrize(("dimensions", "bits"), [(1, 8), (2, 1), (2, 5), (3, 3), (4, 2), (5, 1)])
@pytest.mark.parametrize("depth", ["finest", "coarsest"])
def test_the_curve_visits_every_cell_of_a_grid_and_then_a_neighbour(dimensions: int, bits: int, depth: str) -> None:
    cells = list(product(range(2**bits), repeat=dimensions))
    unseen = BITS - bits if depth == "coarsest" else 0
    keys = keys_of([tuple(x << unseen for x in cell) for cell in cells])
    at = {key >> dimensions * unseen: cell for key, cell in zip(keys, cells, strict=True)}
    assert sorted(at) == list(range(len(cells)))
    for before, after in pairwise(at[key] for key in sorted(at)):
        assert sum(abs(a - b) for a, b in zip(before, after, strict=True)) == 1


@pytest.mark.parametrize(("dimensions", "bits"), [(2, 4), (3, 3), (4, 2)])
def test_the_twin_visits_every_cell_of_a_grid_and_then_a_neighbour(dimensions: int, bits: int) -> None:
    cells = list(product(range(2**bits), repeat=dimensions))
    at = {naive.hilbert_key(cell, bits): cell for cell in cells}
    assert sorted(at) == list(range(len(cells)))
    for before, after in pairwise(at[key] for key in sorted(at)):
        assert sum(abs(a - b) for a, b in zip(before, after, strict=True)) == 1


@quickly
@given(st.integers(2, 6).flatmap(lambda d: st.tuples(*[coordinates] * d)), st.integers(1, BITS - 1))
def test_a_cube_of_cells_is_one_stretch_of_the_curve(point: tuple[int, ...], bits: int) -> None:
    corners = [tuple(x >> bits << bits for x in point), point, tuple(x | (2**bits - 1) for x in point)]
    assert len({key >> len(point) * bits for key in keys_of(corners)}) == 1


def test_on_one_dimension_the_key_is_the_coordinate() -> None:
    assert keys_of([(x,) for x in range(0, 2**BITS, 37)]) == list(range(0, 2**BITS, 37))


def test_keys_of_twenty_dimensions_are_kept_whole() -> None:
    edge = (2**BITS - 1,) * 20
    points = [(0,) * 20, (0,) * 19 + (1,), (1,) + (0,) * 19, edge, (*edge[:-1], 2**BITS - 2)]
    keys = keys_of(points)
    assert hilbert_keys(np.array(points, np.int32).T.copy(), grid(20)).shape == (4, 5)
    assert keys == [naive.hilbert_key(point, BITS) for point in points]
    assert len(set(keys)) == 5
    assert keys[0] == 0
    assert max(keys[1], keys[2]) < 2**20  # a step in the finest cube is in the last word only


@quickly
@given(keys_of_any_width, keys_of_any_width)
def test_a_distance_is_the_difference_of_the_whole_keys(one: int, other: int) -> None:
    low, high = sorted((one, other))
    found = key_distance(words_of([low, high], 4), 0, 1)
    assert found == pytest.approx(float(high - low), rel=1e-15)


@quickly
@given(keys_of_any_width, st.integers(0, 2**53))
def test_a_short_distance_is_exact_however_wide_the_keys(low: int, step: int) -> None:
    assert key_distance(words_of([low, low + step], 4), 0, 1) == step


@pytest.mark.parametrize("low", [2**64 - 1, 2**128 - 1, 2**192 - 1, 2**192 + 2**64 - 1])
def test_a_distance_borrows_from_the_words_above(low: int) -> None:
    assert key_distance(words_of([low, low + 1], 4), 0, 1) == 1.0


@quickly
@given(st.lists(st.integers(0, 2**50), min_size=1, max_size=8), st.sampled_from([0, 14, 100]))
def test_gaps_are_those_of_the_twin(keys: list[int], shift: int) -> None:
    wide = [key << shift for key in keys]
    order = np.argsort(np.array(keys), kind="stable")
    assert key_gaps(words_of(wide, 3), order).tolist() == naive.key_gaps(sorted(wide))
