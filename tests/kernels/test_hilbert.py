"""Whole partitions along the Hilbert curve."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.along_curve import runs
from sqlanon.udfs.kernels.hilbert import hilbert
from twins import naive

from .tables import contents, measured_columns, members, microdata, naive_keys, quickly, rearrange, tables


def one_column(codes: list[int], positions: tuple[float, ...]) -> naive.Table:
    rows = len(codes)
    return naive.Table((naive.Measured(positions),), tuple((code,) for code in codes), (0,) * rows, ((0,),) * rows)


def random_table(rows: int, columns: int, values: int, seed: int) -> naive.Table:
    """A table of numbers, whose sensitive value goes with the first of them."""
    draw = np.random.default_rng(seed)
    line = naive.Measured(tuple(np.linspace(0.0, 1.0, 50).tolist()))
    codes = draw.integers(0, 50, (rows, columns))
    noisy = (codes[:, 0] // 10 + draw.integers(0, values, rows)) % values
    _, sensitive = np.unique(noisy, return_inverse=True)
    return naive.Table((line,) * columns, tuple(map(tuple, codes.tolist())), tuple(sensitive.tolist()), ((0,),) * rows)


@quickly
@given(tables(rows=(2, 12)), st.integers(2, 4))
def test_k_groups_lose_as_little_as_the_twin(table: naive.Table, k: int) -> None:
    if len(table.codes) < k:
        return
    groups = members(hilbert.k_groups(microdata(table), k))
    assert all(k <= len(group) <= 2 * k - 1 for group in groups)
    expected = naive.gcp(table, naive.k_groups(naive_keys(table), table, k))
    assert naive.gcp(table, groups) == pytest.approx(expected, abs=1e-9)


@quickly
@given(tables(rows=(2, 12)), st.integers(2, 4))
def test_fast_k_groups_have_as_little_extent_on_the_curve_as_the_twin(table: naive.Table, k: int) -> None:
    if len(table.codes) < k:
        return
    groups = members(hilbert.k_groups_fast(microdata(table), k))
    assert all(k <= len(group) <= 2 * k - 1 for group in groups)
    keys = naive_keys(table)
    found = sum(len(group) * (max(keys[row] for row in group) - min(keys[row] for row in group)) for group in groups)
    along = sorted(keys)
    assert found == naive.best_cut(naive.key_extent_cost(along), len(along), k)[0]


@quickly
@given(measured_columns(size=12), st.data(), st.integers(1, 4))
def test_for_one_column_no_cut_of_the_sorted_rows_loses_less(
    column: naive.Measured, data: st.DataObject, k: int
) -> None:
    code = st.integers(0, len(column.position) - 1)
    table = one_column(data.draw(st.lists(code, min_size=k, max_size=12)), column.position)
    sorted_rows = sorted(range(len(table.codes)), key=lambda row: table.codes[row])
    least = min(
        naive.gcp(table, [[sorted_rows[i] for i in run] for run in cut]) for cut in naive.every_cut(len(table.codes), k)
    )
    assert naive.gcp(table, members(hilbert.k_groups(microdata(table), k))) == pytest.approx(least, abs=1e-12)


@quickly
@given(measured_columns(nulls=False), st.data(), st.integers(1, 4))
def test_for_one_column_and_two_groups_no_partition_at_all_loses_less(
    column: naive.Measured, data: st.DataObject, k: int
) -> None:
    code = st.integers(0, len(column.position) - 1)
    table = one_column(data.draw(st.lists(code, min_size=2 * k, max_size=2 * k)), column.position)
    least = min(naive.gcp(table, groups) for groups in naive.every_partition(range(2 * k), k))
    assert naive.gcp(table, members(hilbert.k_groups(microdata(table), k))) == pytest.approx(least, abs=1e-12)


def test_even_for_one_column_groups_that_are_not_runs_may_lose_less() -> None:
    """Section 3 of the paper says they cannot; but if the two ends share a group, the rows between lose nothing."""
    table = one_column([0, 1, 1, 1, 2], (0.0, 0.5, 1.0))
    found = naive.gcp(table, members(hilbert.k_groups(microdata(table), 2)))
    anyhow = min(naive.gcp(table, groups) for groups in naive.every_partition(range(5), 2))
    assert (found, anyhow) == (0.5, 0.4)


@pytest.mark.parametrize("partition", [hilbert.k_groups, hilbert.k_groups_fast])
@pytest.mark.parametrize("rows", [7, 8, 15, 40, 41, 100])
@pytest.mark.parametrize("bound", [2, 3, 5])
def test_every_group_has_k_rows_when_rows_move_in_blocks(
    partition: object, rows: int, bound: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "EXACT_WORK", bound)
    table = random_table(rows, columns=3, values=2, seed=rows)
    for k in (2, 5, 7):
        assert callable(partition)
        groups = members(partition(microdata(table), k))
        assert sorted(row for group in groups for row in group) == list(range(rows))
        assert min(len(group) for group in groups) >= k
        assert max(len(group) for group in groups) < 4 * k + 2 * runs.block_size(k, 3)


@pytest.mark.parametrize(
    ("bound", "rows"), [(runs.EXACT_WORK, 4097), (256, 257), (256, 513), (256, 514), (256, 600), (256, 5000)]
)
def test_every_group_has_k_rows_for_a_k_beyond_exact_work(
    monkeypatch: pytest.MonkeyPatch, bound: int, rows: int
) -> None:
    monkeypatch.setattr(runs, "EXACT_WORK", bound)
    k = bound + 1
    table = random_table(rows, columns=1, values=2, seed=1)
    assert np.bincount(hilbert.k_groups_fast(microdata(table), k)).min() >= k


@quickly
@given(st.integers(2, 4).flatmap(lambda l: st.tuples(tables(rows=(l, 14), l=l), st.just(l))))
def test_every_group_is_l_diverse(case: tuple[naive.Table, int]) -> None:
    table, l = case
    groups = members(hilbert.l_groups(microdata(table), l))
    assert sorted(row for group in groups for row in group) == list(range(len(table.codes)))
    assert all(naive.is_diverse([table.sensitive[row] for row in group], l) for group in groups)


@quickly
@given(st.integers(2, 4).flatmap(lambda l: st.tuples(tables(rows=(l, 14), l=l), st.just(l))))
def test_l_groups_never_lose_more_than_on_paper(case: tuple[naive.Table, int]) -> None:
    table, l = case
    found = naive.gcp(table, members(hilbert.l_groups(microdata(table), l)))
    for fall_back in (naive.tallest_then_lowest, naive.most_frequent_first):
        unrefined = naive.l_groups(naive_keys(table), table, l, fall_back)
        assert found <= naive.gcp(table, unrefined) + 1e-9


def test_on_average_l_groups_lose_clearly_less_than_on_paper() -> None:
    found, on_paper = 0.0, 0.0
    for seed in range(30):
        table = random_table(20 + seed, columns=1 + seed % 3, values=3 + seed % 6, seed=seed)
        for l in range(2, naive.largest_l(table.sensitive) + 1):
            found += naive.gcp(table, members(hilbert.l_groups(microdata(table), l)))
            paper = naive.l_groups(naive_keys(table), table, l, naive.most_frequent_first)
            on_paper += naive.gcp(table, paper)
            assert naive.gcp(table, members(hilbert.l_groups(microdata(table), l))) <= naive.gcp(table, paper) + 1e-9
    assert 0 < found < 0.95 * on_paper


@quickly
@given(st.integers(2, 4).flatmap(lambda l: st.tuples(tables(rows=(l, 12), l=l), st.just(l))), st.data())
def test_groups_do_not_depend_on_the_order_of_arrival(case: tuple[naive.Table, int], data: st.DataObject) -> None:
    table, least = case
    other = rearrange(table, data.draw(st.permutations(range(len(table.codes)))))
    for partition in (hilbert.k_groups, hilbert.k_groups_fast, hilbert.l_groups):
        one, two = (members(partition(microdata(either), least)) for either in (table, other))
        assert contents(table, one) == contents(other, two)
