"""TopDown: halving around two rows far apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.halving import topdown
from twins import naive
from twins import topdown as twin

from .tables import contents, members, microdata, naive_keys, quickly, rearrange, tables


def groups_of(table: naive.Table, k: int, seed: int = 0) -> list[list[int]]:
    """The kernel's groups, once they are as promised."""
    groups = members(topdown.k_groups(microdata(table), k, seed=seed))
    assert sorted(row for group in groups for row in group) == list(range(len(table.codes)))
    assert all(k <= len(group) < 2 * k for group in groups)
    return groups


def twin_groups(table: naive.Table, k: int, seed: int) -> list[list[int]]:
    order = naive.canonical_order(naive_keys(table), table)
    drawn = np.random.default_rng(seed).permutation(len(order)).tolist()
    return twin.k_groups(table, [order[position] for position in drawn], k)


def numbers(codes: list[tuple[int, ...]], values: int) -> naive.Table:
    """A table of numbers, evenly spaced."""
    line = naive.Measured(tuple(value / max(1, values - 1) for value in range(values)))
    return naive.Table((line,) * len(codes[0]), tuple(codes), (0,) * len(codes), ((0,),) * len(codes))


def random_numbers(rows: int, columns: int, values: int, seed: int) -> naive.Table:
    draw = np.random.default_rng(seed)
    return numbers([tuple(row) for row in draw.integers(0, values, (rows, columns)).tolist()], values)


@quickly
@given(tables(rows=(4, 16)), st.integers(1, 4), st.integers(0, 3))
def test_groups_are_those_of_the_twin(table: naive.Table, k: int, seed: int) -> None:
    assert contents(table, groups_of(table, k, seed)) == contents(table, twin_groups(table, k, seed))


@pytest.mark.parametrize("k", [2, 3, 7])
def test_larger_tables_are_grouped_as_by_the_twin(k: int) -> None:
    for seed in range(5):
        table = random_numbers(rows=40 + seed, columns=1 + seed, values=12, seed=seed)
        assert contents(table, groups_of(table, k, seed)) == contents(table, twin_groups(table, k, seed))


@quickly
@given(tables(rows=(4, 14)), st.integers(1, 4), st.data())
def test_groups_do_not_depend_on_the_order_of_arrival(table: naive.Table, k: int, data: st.DataObject) -> None:
    other = rearrange(table, data.draw(st.permutations(range(len(table.codes)))))
    assert contents(table, groups_of(table, k)) == contents(other, groups_of(other, k))


def test_the_seed_decides_the_order_in_which_rows_join() -> None:
    table = random_numbers(rows=60, columns=3, values=20, seed=1)
    assert groups_of(table, 3, seed=1) == groups_of(table, 3, seed=1)
    assert any(contents(table, groups_of(table, 3, seed=1)) != contents(table, groups_of(table, 3, s)) for s in (2, 3))


@pytest.mark.parametrize("seed", range(5))
def test_two_clusters_far_apart_are_never_mixed(seed: int) -> None:
    table = numbers([(value, value) for value in (0, 1, 2, 3, 4, 95, 96, 97, 98, 99)], 100)
    groups = groups_of(table, 3, seed)
    assert sorted(map(sorted, groups)) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]


@pytest.mark.parametrize("seed", range(5))
def test_a_lone_row_borrows_its_nearest_neighbours(seed: int) -> None:
    table = numbers([(value,) for value in (0, 1, 2, 3, 4, 5, 99)], 100)
    assert sorted(map(sorted, groups_of(table, 3, seed))) == [[0, 1, 2, 3], [4, 5, 6]]


def test_rows_that_are_all_alike_are_halved_evenly() -> None:
    sizes = sorted(len(group) for group in groups_of(numbers([(0, 0)] * 80, 1), 5))
    assert sizes == [5] * 16


@pytest.mark.parametrize("rows", [5, 6, 9, 10, 11, 19, 20])
@pytest.mark.parametrize("columns", [1, 20])
def test_a_few_rows_more_or_less_than_a_group(rows: int, columns: int) -> None:
    groups_of(random_numbers(rows, columns, values=rows, seed=rows), 5)


def test_outliers_that_split_off_one_by_one_still_end_in_whole_groups() -> None:
    positions = tuple(2.0 ** (row - 99) for row in range(100))
    codes = tuple((row,) for row in range(100))
    table = naive.Table((naive.Measured(positions),), codes, (0,) * 100, ((0,),) * 100)
    for k in (1, 2, 5, 30, 100):
        groups_of(table, k)


def test_groups_lose_less_than_random_ones_of_their_sizes() -> None:
    table = random_numbers(rows=200, columns=2, values=30, seed=4)
    groups = groups_of(table, 5)
    rows = iter(np.random.default_rng(0).permutation(200).tolist())
    at_random = [[next(rows) for _ in group] for group in groups]
    assert naive.gcp(table, groups) < 0.4 * naive.gcp(table, at_random)
