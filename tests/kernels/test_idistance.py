"""iDistance: the mapping, against its twin, and partitions along it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.idistance import idistance
from sqlanon.udfs.kernels.idistance.nearest import nearest_centre, with_neighbours
from sqlanon.udfs.kernels.space import BITS
from twins import idistance as twin
from twins import naive

from .tables import axis_of, contents, grid, members, microdata, naive_keys, quickly, rearrange, tables

Point = tuple[int, ...]


@contextmanager
def few_centres(centres: int = 4, rows_each: tuple[int, int] = (2, 3), share: int = 2) -> Iterator[None]:
    """Constants for which a small table is sampled and has several centres."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(idistance, "CENTRES", centres)
        patch.setattr(idistance, "ROWS_PER_CENTRE", rows_each)
        patch.setattr(idistance, "SHARE", share)
        yield


def points_of(table: naive.Table) -> list[Point]:
    """Each row on the grid."""
    axes = [axis_of(column).coordinate.tolist() for column in table.columns]
    return [tuple(axis[code] for axis, code in zip(axes, row, strict=True)) for row in table.codes]


def twin_keys(table: naive.Table, seed: int = 0) -> list[int]:
    points = points_of(table)
    order = naive.canonical_order(naive_keys(table), table)
    sample = [points[order[position]] for position in idistance.sample_positions(len(order), seed).tolist()]
    wanted = min(idistance.CENTRES, -(-len(sample) // idistance.ROWS_PER_CENTRE[0]))
    return twin.keys(points, twin.find_centres(sample, wanted, idistance.ROUNDS, BITS))


def random_table(rows: int, columns: int, values: int, seed: int) -> naive.Table:
    draw = np.random.default_rng(seed)
    line = naive.Measured(tuple(np.linspace(0.0, 1.0, values).tolist()))
    codes = [tuple(row) for row in draw.integers(0, values, (rows, columns)).tolist()]
    sensitive = tuple(row % 5 for row in range(rows))
    return naive.Table((line,) * columns, tuple(codes), sensitive, ((0,),) * rows)


@st.composite
def clouds(draw: st.DrawFn) -> tuple[list[Point], list[Point]]:
    """Centres and points on a grid so coarse that many are the same, or as far from one centre as from another."""
    width = draw(st.integers(1, 4))
    step = draw(st.sampled_from([1, 7, 1023]))
    point = st.tuples(*(st.integers(0, 4).map(lambda number: number * step) for _ in range(width)))
    return draw(st.lists(point, min_size=1, max_size=12)), draw(st.lists(point, min_size=1, max_size=8))


@quickly
@given(clouds())
def test_the_nearest_centre_is_found_from_any_guess(cloud: tuple[list[Point], list[Point]]) -> None:
    centres, points = cloud
    known = with_neighbours(np.array(centres, np.int32))
    for point in points:
        expected = twin.nearest(point, centres)
        for guess in range(len(centres)):
            found = nearest_centre(known, np.array(point, np.int64), guess)
            assert found == (expected, twin.square(point, centres[expected]))


def test_the_nearest_of_many_centres_is_found() -> None:
    draw = np.random.default_rng(3)
    centres = draw.integers(0, 4096, (60, 7))
    known = with_neighbours(centres.astype(np.int32))
    for point in draw.integers(0, 4096, (50, 7)):
        expected = int(((centres - point) ** 2).sum(axis=1).argmin())
        assert nearest_centre(known, point, int(point[0]) % 60)[0] == expected


@quickly
@given(clouds())
def test_centres_are_those_of_the_twin(cloud: tuple[list[Point], list[Point]]) -> None:
    sample = sorted(cloud[0] + cloud[1], key=lambda point: naive.hilbert_key(point, BITS))
    for each in (1, 2, 4):
        with few_centres(centres=6, rows_each=(each, 100)):
            found = idistance.find_centres(np.array(sample, np.int32), grid(len(sample[0])))
        wanted = min(6, -(-len(sample) // each))
        expected = twin.find_centres(sample, wanted, idistance.ROUNDS, BITS)
        assert [tuple(centre) for centre in found.tolist()] == expected


@quickly
@given(tables(rows=(1, 30)), st.integers(0, 3))
def test_keys_are_those_of_the_twin(table: naive.Table, seed: int) -> None:
    with few_centres():
        assert idistance.idistance_keys(microdata(table), seed).tolist() == [twin_keys(table, seed)]
    assert idistance.idistance_keys(microdata(table), seed).tolist() == [twin_keys(table, seed)]


@pytest.mark.parametrize("columns", [1, 3, 7, 20])
def test_keys_of_larger_tables_are_those_of_the_twin(columns: int) -> None:
    table = random_table(rows=150, columns=columns, values=40, seed=columns)
    with few_centres(centres=16, rows_each=(4, 100)):
        assert idistance.idistance_keys(microdata(table), 1).tolist() == [twin_keys(table, 1)]


def test_rows_of_a_centre_follow_each_other_by_distance() -> None:
    centres = [(0, 0), (100, 0)]
    points = [(100, 7), (3, 4), (0, 0), (90, 0), (0, 1)]
    steps = [key // 65536 for key in twin.keys(points, centres)]
    assert steps == [5 + 100 + 7, 5, 0, 5 + 100 + 10, 1]


def test_a_tenth_of_the_rows_is_sampled_within_bounds() -> None:
    for rows, size in ((1, 1), (2000, 2000), (2048, 2048), (20_000, 2048), (100_000, 10_000), (1_000_000, 51_200)):
        positions = idistance.sample_positions(rows, seed=5)
        assert positions.size == size
        assert (np.diff(positions) > 0).all()
        assert 0 <= positions[0] <= positions[-1] < rows


def test_the_seed_draws_the_sample() -> None:
    table = microdata(random_table(rows=60, columns=3, values=20, seed=2))
    with few_centres(rows_each=(2, 100), share=3):
        one, same, other = (idistance.idistance_keys(table, seed).tolist() for seed in (1, 1, 2))
    assert one == same != other


@quickly
@given(tables(rows=(2, 12)), st.integers(1, 4))
def test_k_groups_lose_as_little_as_the_best_cut_of_the_twins_order(table: naive.Table, k: int) -> None:
    if len(table.codes) < k:
        return
    with few_centres():
        groups = members(idistance.k_groups(microdata(table), k))
        expected = naive.gcp(table, naive.k_groups(twin_keys(table), table, k))
    assert all(k <= len(group) <= 2 * k - 1 for group in groups)
    assert naive.gcp(table, groups) == pytest.approx(expected, abs=1e-9)


@quickly
@given(tables(rows=(2, 12)), st.integers(2, 4))
def test_fast_k_groups_have_the_least_extent_of_keys(table: naive.Table, k: int) -> None:
    if len(table.codes) < k:
        return
    with few_centres():
        groups = members(idistance.k_groups_fast(microdata(table), k))
        keys = twin_keys(table)
    assert all(k <= len(group) <= 2 * k - 1 for group in groups)
    found = sum(len(group) * (max(keys[row] for row in group) - min(keys[row] for row in group)) for group in groups)
    along = sorted(keys)
    assert found == naive.best_cut(naive.key_extent_cost(along), len(along), k)[0]


@quickly
@given(st.integers(2, 4).flatmap(lambda l: st.tuples(tables(rows=(l, 14), l=l), st.just(l))))
def test_every_group_is_l_diverse_and_loses_no_more_than_on_paper(case: tuple[naive.Table, int]) -> None:
    table, l = case
    with few_centres():
        groups = members(idistance.l_groups(microdata(table), l))
        keys = twin_keys(table)
    assert sorted(row for group in groups for row in group) == list(range(len(table.codes)))
    assert all(naive.is_diverse([table.sensitive[row] for row in group], l) for group in groups)
    for fall_back in (naive.tallest_then_lowest, naive.most_frequent_first):
        assert naive.gcp(table, groups) <= naive.gcp(table, naive.l_groups(keys, table, l, fall_back)) + 1e-9


@quickly
@given(st.integers(2, 4).flatmap(lambda l: st.tuples(tables(rows=(l, 14), l=l), st.just(l))), st.data())
def test_groups_do_not_depend_on_the_order_of_arrival(case: tuple[naive.Table, int], data: st.DataObject) -> None:
    table, least = case
    other = rearrange(table, data.draw(st.permutations(range(len(table.codes)))))
    with few_centres():
        for partition in (idistance.k_groups, idistance.k_groups_fast, idistance.l_groups):
            one, two = (members(partition(microdata(either), least)) for either in (table, other))
            assert contents(table, one) == contents(other, two)


@pytest.mark.parametrize("rows", [5, 6, 11, 40])
@pytest.mark.parametrize(("columns", "values"), [(1, 1), (1, 40), (3, 2), (20, 40)])
def test_degenerate_tables_are_grouped_too(rows: int, columns: int, values: int) -> None:
    table = microdata(random_table(rows, columns, values, seed=rows))
    for partition in (idistance.k_groups, idistance.k_groups_fast):
        sizes = np.bincount(partition(table, 5))
        assert 5 <= sizes.min() <= sizes.max() <= 9
    if rows % 5 == 0:  # l = number of values = the largest eligible
        groups = members(idistance.l_groups(table, 5))
        assert all(sorted(table.sensitive[group].tolist()) == [0, 1, 2, 3, 4] for group in groups)
