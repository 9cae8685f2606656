"""BSGI against the paper: what it promises, and the same groups as its plain twin."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.bsgi import bsgi
from twins import bsgi as twin
from twins import naive

from .tables import contents, members, microdata, naive_keys, quickly, rearrange, space_of, tables

Case = tuple[naive.Table, int]
cases = st.integers(2, 4).flatmap(lambda l: st.tuples(tables(rows=(l, 14), l=l), st.just(l)))


def lots(table: naive.Table, order: list[int], seed: int) -> list[int]:
    """The rows in the order in which the kernel draws them: lots are numbered bucket after bucket, along the curve."""
    numbered = sorted(order, key=lambda row: table.sensitive[row])
    return [numbered[lot] for lot in np.random.default_rng(seed).permutation(len(order))]


def by_twin(table: naive.Table, l: int, seed: int) -> list[list[int]]:
    order = naive.canonical_order(naive_keys(table), table)
    return twin.l_groups(table, order, lots(table, order, seed), l)


def dealt(sizes: list[int], l: int) -> tuple[list[list[int]], list[int]]:
    """Groups and residue before anything is incorporated, as sensitive values; rows are alike but for these."""
    sensitive = np.repeat(np.arange(len(sizes)), sizes).astype(np.int32)
    codes = np.zeros((sensitive.size, 1), np.int32)
    space = space_of([naive.Measured((0.0,))])
    group_at, groups = bsgi.deal(codes, sensitive[:, None].copy(), space, l, 0, False)
    found = [sensitive[group_at == group].tolist() for group in range(groups)]
    return found, sensitive[group_at < 0].tolist()


def random_table(rows: int, columns: int, values: int, seed: int) -> naive.Table:
    """Numbers and a few categories, some rows alike."""
    draw = np.random.default_rng(seed)
    line = naive.Measured(tuple(np.linspace(0.0, 1.0, 20).tolist()))
    flat = naive.Measured((0.0, 1.0, 2.0))
    codes = np.column_stack([draw.integers(0, 20 if c % 2 == 0 else 3, rows) for c in range(columns)])
    sensitive = draw.permutation(np.arange(rows) % values)
    described = tuple(line if c % 2 == 0 else flat for c in range(columns))
    return naive.Table(described, tuple(map(tuple, codes.tolist())), tuple(sensitive.tolist()), ((0,),) * rows)


@quickly
@given(cases, st.integers(0, 3))
def test_exact_groups_are_those_of_the_twin(case: Case, seed: int) -> None:
    table, l = case
    found = members(bsgi.l_groups(microdata(table), l, seed=seed, exact=True))
    assert contents(table, found) == contents(table, by_twin(table, l, seed))


@pytest.mark.parametrize("l", [2, 3, 5])
@pytest.mark.parametrize("rows", [97, 181])
def test_exact_groups_of_larger_tables_are_those_of_the_twin(rows: int, l: int) -> None:
    table = random_table(rows, columns=1 + rows % 3, values=6, seed=rows)
    found = members(bsgi.l_groups(microdata(table), l, exact=True))
    assert contents(table, found) == contents(table, by_twin(table, l, 0))


@quickly
@given(cases, st.booleans())
def test_groups_have_l_rows_and_more_and_no_value_twice(case: Case, exact: bool) -> None:
    table, l = case
    groups = members(bsgi.l_groups(microdata(table), l, exact=exact))
    assert sorted(row for group in groups for row in group) == list(range(len(table.codes)))
    assert len(groups) == len(table.codes) // l
    assert min(len(group) for group in groups) >= l
    assert twin.distinct_in(table.sensitive, groups)


@quickly
@given(st.integers(2, 4).flatmap(lambda l: st.tuples(tables(rows=(l, 16), l=l), st.just(l))))
def test_groups_are_unique_distinct_diverse_when_l_divides_the_rows(case: Case) -> None:
    table, l = case
    if len(table.codes) % l == 0:
        groups = members(bsgi.l_groups(microdata(table), l))
        assert all(len(group) == l == len({table.sensitive[row] for row in group}) for group in groups)


@quickly
@given(st.lists(st.integers(1, 6), min_size=1, max_size=7), st.integers(2, 5))
def test_no_row_is_left_over_just_when_l_divides_the_rows_and_no_bucket_is_too_large(sizes: list[int], l: int) -> None:
    groups, residue = dealt(sizes, l)
    assert (not residue) == (sum(sizes) % l == 0 and max(sizes) * l <= sum(sizes))
    assert all(len(group) == l == len(set(group)) for group in groups)


@quickly
@given(st.lists(st.integers(1, 6), min_size=1, max_size=7), st.integers(2, 5))
def test_an_eligible_table_leaves_less_than_l_rows_of_different_value(sizes: list[int], l: int) -> None:
    groups, residue = dealt(sizes, l)
    assert len(set(residue)) < l
    if max(sizes) * l <= sum(sizes):
        assert len(residue) == len(set(residue)) < l
        assert len(groups) == sum(sizes) // l


@pytest.mark.parametrize("l", [2, 3, 4])
def test_no_other_choice_of_buckets_makes_more_groups(l: int) -> None:
    for buckets in (3, 4):
        for sizes in combinations_with_replacement(range(1, 5), buckets):
            assert len(dealt(list(sizes), l)[0]) == twin.most_groups(sizes, l), sizes


def test_the_largest_buckets_give_first_and_of_equal_ones_the_lower_value() -> None:
    groups, residue = dealt([1, 3, 3, 4], 2)
    assert (groups, residue) == ([[1, 3], [2, 3], [1, 2], [0, 3], [1, 2]], [3])


def test_the_example_of_the_paper_has_three_groups_and_one_incorporated_row() -> None:
    gender, postcode, age = naive.Measured((0.0, 1.0)), naive.Measured((0.0, 0.5, 1.0)), naive.Measured(
        tuple((years - 20) / 30 for years in (20, 25, 30, 40, 50))
    )  # fmt: skip
    codes = ((0, 0, 4), (1, 0, 4), (1, 1, 2), (0, 0, 3), (0, 2, 0), (0, 2, 1), (1, 1, 1))
    table = naive.Table((gender, postcode, age), codes, (0, 2, 1, 0, 1, 2, 2), ((0,),) * 7)
    assert twin.select(table, range(7), range(7), 2)[0][0] == [1, 0], "Bob and Alice, as in Table 2"
    for seed in range(5):
        groups = members(bsgi.l_groups(microdata(table), 2, seed=seed))
        assert sorted(len(group) for group in groups) == [2, 2, 3]
        assert twin.distinct_in(table.sensitive, groups)


def test_the_row_to_start_from_is_drawn_evenly() -> None:
    """Value 0 starts; the row of value 1 is far from all, so it goes with whichever was drawn."""
    line = naive.Measured((0.0, 0.01, 0.02, 0.03, 1.0))
    table = naive.Table((line,), ((0,), (1,), (2,), (3,), (4,)), (0, 0, 0, 0, 1), ((0,),) * 5)
    data = microdata(table)
    codes, sensitive = data.codes.T.copy(), data.sensitive[:, None].copy()
    dealt = (bsgi.deal(codes, sensitive, data.space, 2, seed, True)[0] for seed in range(400))
    drawn = Counter(int(np.flatnonzero(group_at == 0)[0]) for group_at in dealt)
    assert set(drawn) == {0, 1, 2, 3}
    assert min(drawn.values()) > 60


@quickly
@given(cases, st.integers(0, 3), st.booleans(), st.data())
def test_groups_do_not_depend_on_the_order_of_arrival(case: Case, seed: int, exact: bool, data: st.DataObject) -> None:
    table, l = case
    other = rearrange(table, data.draw(st.permutations(range(len(table.codes)))))
    one, two = (members(bsgi.l_groups(microdata(either), l, seed=seed, exact=exact)) for either in (table, other))
    assert contents(table, one) == contents(other, two)


@pytest.mark.parametrize("l", [2, 4, 5])
def test_groups_lose_less_than_exact_ones_by_and_large(l: int) -> None:
    table = random_table(300, columns=4, values=5, seed=l)
    found, exact = (members(bsgi.l_groups(microdata(table), l, exact=either)) for either in (False, True))
    assert naive.gcp(table, found) < 0.99 * naive.gcp(table, exact)


@pytest.mark.parametrize("l", [2, 3, 4])
@pytest.mark.parametrize("rows", [12, 13, 25])
def test_degenerate_tables_are_grouped(rows: int, l: int) -> None:
    alike = naive.Table(
        (naive.Measured((0.0,)),), ((0,),) * rows, tuple(row % 4 for row in range(rows)), ((0,),) * rows
    )
    line = naive.Measured(tuple(np.linspace(0.0, 1.0, rows).tolist()))
    wide = naive.Table(
        (line,) * 20, tuple((row,) * 20 for row in range(rows)), tuple(row % 4 for row in range(rows)), ((0,),) * rows
    )
    every_value = naive.Table((line,), tuple((row,) for row in range(rows)), tuple(range(rows)), ((0,),) * rows)
    for table in (alike, wide, every_value):
        if rows >= l * max(Counter(table.sensitive).values()):
            groups = members(bsgi.l_groups(microdata(table), l))
            assert len(groups) == rows // l
            assert twin.distinct_in(table.sensitive, groups)


def test_as_many_values_as_l_make_one_group_of_each() -> None:
    table = random_table(60, columns=2, values=6, seed=1)
    groups = members(bsgi.l_groups(microdata(table), 6))
    assert [sorted(table.sensitive[row] for row in group) for group in groups] == [list(range(6))] * 10
