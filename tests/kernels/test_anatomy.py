"""Anatomy: groups of distinct sensitive values, drawn at random."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.grouping.partition import SEED_BITS
from sqlanon.udfs.kernels import anatomy
from twins import anatomy as twin
from twins import naive

from .tables import contents, eligible_values, members, microdata, quickly, rearrange, tables

eligible_tables = st.integers(2, 4).flatmap(lambda l: st.tuples(tables(rows=(l, 20), l=l), st.just(l)))


def numbered_rows(sensitive: list[int]) -> naive.Table:
    """A table whose only quasi-identifier is the number of the row."""
    line = naive.Measured(tuple(np.linspace(0.0, 1.0, max(2, len(sensitive))).tolist()))
    codes = tuple((row,) for row in range(len(sensitive)))
    return naive.Table((line,), codes, tuple(sensitive), ((0,),) * len(sensitive))


def assert_distinct(sensitive: list[int], groups: list[list[int]], l: int) -> None:
    """As many groups as there can be, of l to 2l − 1 distinct values each."""
    assert sorted(row for group in groups for row in group) == list(range(len(sensitive)))
    assert len(groups) == len(sensitive) // l
    for group in groups:
        assert l <= len({sensitive[row] for row in group}) == len(group) < 2 * l


@quickly
@given(st.integers(2, 5).flatmap(lambda l: st.tuples(eligible_values(l, (l, 40)), st.just(l))), st.data())
def test_groups_are_those_of_the_twin(case: tuple[list[int], int], data: st.DataObject) -> None:
    sensitive, l = case
    share = st.floats(0, 1, exclude_max=True)
    chance = data.draw(st.lists(share, min_size=l, max_size=l))
    found = members(anatomy.deal_at_random(np.array(sensitive, np.int32), l, np.array(chance)))
    assert found == [sorted(group) for group in twin.deal_at_random(sensitive, l, chance)]


@quickly
@given(eligible_tables, st.integers(0, 2**40))
def test_every_group_has_distinct_values_and_is_l_diverse(case: tuple[naive.Table, int], seed: int) -> None:
    table, l = case
    groups = members(anatomy.l_groups(microdata(table), l, seed=seed))
    assert_distinct(list(table.sensitive), groups, l)
    assert all(naive.is_diverse([table.sensitive[row] for row in group], l) for group in groups)


def every_heights(rows: int, most: int) -> Iterator[list[int]]:
    """Every way to have that many rows in buckets of at most that height, the highest first."""
    if rows == 0:
        yield []
    for height in range(min(rows, most), 0, -1):
        for lower in every_heights(rows - height, height):
            yield [height, *lower]


@pytest.mark.parametrize("l", [2, 3, 4, 5])
def test_no_eligible_table_of_up_to_fourteen_rows_leaves_a_row_without_a_group(l: int) -> None:
    """The proof at the head of the kernel, by trying every list of bucket heights."""
    for rows in range(l, 15):
        for heights in every_heights(rows, rows // l):
            sensitive = [value for value, height in enumerate(heights) for _ in range(height)]
            for first, last in ((0.0, 0.999), (0.999, 0.0)):
                chance = np.linspace(first, last, l)
                groups = members(anatomy.deal_at_random(np.array(sensitive, np.int32), l, chance))
                assert_distinct(sensitive, groups, l)
                assert groups == [sorted(group) for group in twin.deal_at_random(sensitive, l, chance.tolist())]


@quickly
@given(eligible_tables, st.data())
def test_groups_do_not_depend_on_the_order_of_arrival(case: tuple[naive.Table, int], data: st.DataObject) -> None:
    table, l = case
    other = rearrange(table, data.draw(st.permutations(range(len(table.codes)))))
    one, two = (members(anatomy.l_groups(microdata(either), l, seed=5)) for either in (table, other))
    assert contents(table, one) == contents(other, two)


def test_a_row_meets_every_row_of_the_other_values_equally_often() -> None:
    table = microdata(numbered_rows([0] * 5 + [1] * 5))
    met = np.zeros((5, 5), np.int64)
    draws = 1000
    for seed in range(draws):
        for first, second in members(anatomy.l_groups(table, 2, seed=seed)):
            met[first, second - 5] += 1
    # 200 are expected in each of the 25 cells; the standard deviation is 12.6
    assert met.sum() == 5 * draws
    assert np.abs(met - draws / 5).max() < 60


def test_a_row_left_over_joins_every_group_that_lacks_its_value_equally_often() -> None:
    """Values 0 to 5, l = 2, of 4, 2, 2, 2, 2 and 1 rows: six groups, and one row left."""
    sensitive = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5]
    chances = (np.arange(60) + 0.5) / 60
    joined = {}
    for chance in chances:
        group_at = anatomy.deal_at_random(np.array(sensitive, np.int32), 2, np.full(2, chance))
        (larger,) = (number for number, group in enumerate(members(group_at)) if len(group) == 3)
        joined[larger] = joined.get(larger, 0) + 1
    assert len(joined) >= 2
    assert set(joined.values()) == {60 // len(joined)}


def test_which_rows_share_a_group_changes_with_the_seed_and_only_with_it() -> None:
    table = microdata(numbered_rows([row % 4 for row in range(40)]))
    one, again, other = (anatomy.l_groups(table, 3, seed=seed).tolist() for seed in (1, 1, 2))
    assert one == again != other


@pytest.mark.parametrize("column", ["codes", "sensitive", "ties"])
def test_one_other_value_anywhere_makes_another_draw(column: str) -> None:
    """Who knows the seed but not the sensitive values cannot repeat any part of the draw."""
    table = microdata(numbered_rows([row % 4 for row in range(40)]))
    changed = getattr(table, column).copy()
    changed.flat[7] += 1
    draws = [
        anatomy.generator(either, np.arange(40), 1).permutation(40).tolist()
        for either in (table, table._replace(**{column: changed}))
    ]
    assert draws[0] != draws[1]


def possible_values(table: naive.Table, l: int, seed: int, tried: Iterable[int]) -> list[set[int]]:
    """The possible values of each row to an attacker who knows everything but the seed and who has which value.

    They see the groups and the values of each. They deal these out in every way, and repeat the draw with every seed
    that they can think of: a deal is possible if the same groups come out.
    """
    groups = sorted(members(anatomy.l_groups(microdata(table), l, seed=seed)))
    possible: list[set[int]] = [set() for _ in table.codes]
    for deal in product(*(permutations([table.sensitive[row] for row in group]) for group in groups)):
        value_of = dict(zip(chain.from_iterable(groups), chain.from_iterable(deal), strict=True))
        guess = tuple(value_of[row] for row in range(len(table.codes)))
        guessed = microdata(replace(table, sensitive=guess))
        if any(sorted(members(anatomy.l_groups(guessed, l, seed=other))) == groups for other in tried):
            for row, value in enumerate(guess):
                possible[row].add(value)
    return possible


TEN_ROWS = ([0] * 5 + [1] * 5, [0, 1] * 5, [0, 0, 0, 1, 1, 1, 2, 2, 3, 3], [0, 1, 2, 3, 4, 4, 3, 2, 1, 0])


@pytest.mark.parametrize("sensitive", TEN_ROWS)
def test_who_repeats_the_draw_without_its_seed_learns_nobodys_value_for_certain(sensitive: list[int]) -> None:
    for _ in range(3):
        possible = possible_values(numbered_rows(sensitive), 2, secrets.randbits(SEED_BITS), range(250))
        assert all(len(values) > 1 for values in possible)


def test_who_repeats_the_draw_with_its_seed_learns_values() -> None:
    """So the seed is a secret: this is what a seed that everybody knows would give away."""
    possible = [possible_values(numbered_rows(sensitive), 2, seed, [seed]) for sensitive in TEN_ROWS for seed in (0, 1)]
    assert any(len(values) == 1 for rows in possible for values in rows)


@pytest.mark.parametrize(
    ("sensitive", "l"),
    [
        ([0, 1], 2),
        ([0, 1, 2], 2),
        (list(range(30)), 7),
        (list(range(30)), 30),
        ([row // 2 for row in range(30)], 15),
        ([0] * 10 + list(range(1, 11)), 2),
        ([0] * 10 + list(range(1, 12)), 2),
        ([0] * 5 + [1] * 5 + [2] * 5, 3),
        ([0, 0, 1, 1, 2, 2, 3, 3], 3),
    ],
)
def test_degenerate_tables(sensitive: list[int], l: int) -> None:
    for seed in range(5):
        assert_distinct(sensitive, members(anatomy.l_groups(microdata(numbered_rows(sensitive)), l, seed=seed)), l)


def test_rows_alike_in_every_column_are_spread_too() -> None:
    rows = 12
    table = naive.Table(
        (naive.Measured((0.0,)),), ((0,),) * rows, tuple(row % 3 for row in range(rows)), ((0,),) * rows
    )
    assert_distinct(list(table.sensitive), members(anatomy.l_groups(microdata(table), 3)), 3)
