"""TP+: the residue divided so that few cells are suppressed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.hilbert import hilbert
from sqlanon.udfs.kernels.loss import extent_loss
from sqlanon.udfs.kernels.tp import plus as tp_plus
from sqlanon.udfs.kernels.tp import tp
from twins import naive
from twins import tp as twin

from .tables import contents, members, microdata, naive_keys, quickly, rearrange, space_of, tables
from .test_tp import random_groups, table_of

two_to_four = st.integers(2, 4)
cases = two_to_four.flatmap(lambda l: st.tuples(tables(rows=(l, 14), l=l), st.just(l)))


def random_table(seed: int, rows: int = 120) -> naive.Table:
    """Numbers, many of them rare, so that most rows are residue."""
    draw = np.random.default_rng(seed)
    line = naive.Measured(tuple(code / 8 for code in range(9)))
    codes = np.minimum(draw.geometric(0.35, (rows, 4)) - 1, 8)
    _, sensitive = np.unique((codes[:, 0] + draw.integers(0, 8, rows)) % 8, return_inverse=True)
    ties = tuple((row % 3,) for row in range(rows))
    return naive.Table((line,) * 4, tuple(map(tuple, codes.tolist())), tuple(sensitive.tolist()), ties)


def split(table: naive.Table, l: int) -> tuple[list[list[int]], list[int]]:
    """The groups of TP but for the residue, and the residue."""
    group_of, in_residue = tp.split_off_residue(microdata(table), l)
    groups = members(group_of)
    return (groups[:-1], groups[-1]) if in_residue.any() else (groups, [])


def only(table: naive.Table, rows: Sequence[int]) -> naive.Table:
    """Some rows as a table of their own."""
    return rearrange(table, rows)


def assert_as_promised(table: naive.Table, l: int) -> tuple[int, int]:
    groups, residue = split(table, l)
    found = members(tp_plus.l_groups(microdata(table), l))
    assert sorted(row for group in found for row in group) == list(range(len(table.codes)))
    assert all(naive.is_diverse([table.sensitive[row] for row in group], l) for group in found)
    assert found[: len(groups)] == groups, "what TP leaves without stars stays so"
    assert sorted(row for group in found[len(groups) :] for row in group) == residue
    stars, all_of_it = twin.stars(table, found), twin.stars(table, [residue])
    assert stars <= all_of_it
    return stars, all_of_it


@quickly
@given(cases)
def test_there_are_never_more_stars_than_with_tp(case: tuple[naive.Table, int]) -> None:
    assert_as_promised(*case)


@quickly
@given(cases)
def test_there_are_never_more_stars_than_along_the_curve_on_paper(case: tuple[naive.Table, int]) -> None:
    table, l = case
    found = twin.stars(table, members(tp_plus.l_groups(microdata(table), l)))
    _, residue = split(table, l)
    keys = [naive_keys(table)[row] for row in residue]
    for fall_back in (naive.tallest_then_lowest, naive.most_frequent_first):
        on_paper = naive.l_groups(keys, only(table, residue), l, fall_back) if residue else []
        assert found <= twin.stars(only(table, residue), on_paper)


def test_on_average_there_are_far_fewer_stars() -> None:
    stars, with_tp, along_the_curve = 0, 0, 0
    for seed in range(5):
        table = random_table(seed)
        for l in (2, 3, 4):
            found, whole = assert_as_promised(table, l)
            stars, with_tp = stars + found, with_tp + whole
            along_the_curve += twin.stars(table, members(hilbert.l_groups(microdata(table), l)))
    assert 0 < stars < 0.96 * along_the_curve
    assert stars < 0.7 * with_tp


def stars_in_all() -> int:
    tried = [(random_table(seed), l) for seed in range(4) for l in (2, 3)]
    return sum(twin.stars(table, members(tp_plus.l_groups(microdata(table), l))) for table, l in tried)


def test_there_are_fewer_stars_than_if_extents_were_kept_small(monkeypatch: pytest.MonkeyPatch) -> None:
    found = stars_in_all()
    monkeypatch.setattr(tp_plus, "all_or_nothing", lambda space: space)
    assert found < 0.98 * stars_in_all()


def test_each_turn_saves_stars(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for turns in (0, 1, 4):
        monkeypatch.setattr(tp_plus, "TURNS", turns)
        found.append(stars_in_all())
    assert found[0] > found[1] > found[2]


@pytest.mark.parametrize("l", [3, 4])
def test_a_residue_of_phase_three_is_divided_too(l: int) -> None:
    draw = random.Random(l)
    phases = set()
    for _ in range(200):
        table = table_of(random_groups(draw, l))
        phases.add(tp.outcome(microdata(table), l).phase)
        assert_as_promised(table, l)
    assert phases == {1, 2, 3}


@quickly
@given(cases, st.data())
def test_groups_do_not_depend_on_the_order_of_arrival(case: tuple[naive.Table, int], data: st.DataObject) -> None:
    table, l = case
    other = rearrange(table, data.draw(st.permutations(range(len(table.codes)))))
    one, two = (members(tp_plus.l_groups(microdata(either), l)) for either in (table, other))
    assert contents(table, one) == contents(other, two)


@pytest.mark.parametrize("seed", range(4))
def test_equal_rows_in_different_groups_do_not_depend_on_the_order_of_arrival(seed: int) -> None:
    table = random_table(seed, rows=400)
    fewer = tuple(tuple(min(code, 3) for code in row) for row in table.codes)
    table = replace(table, codes=fewer, ties=((0,),) * 400)
    other = rearrange(table, np.random.default_rng(seed).permutation(len(table.codes)).tolist())
    one, two = (members(tp_plus.l_groups(microdata(either), 4)) for either in (table, other))
    assert contents(table, one) == contents(other, two)


@quickly
@given(tables())
def test_any_two_values_lose_everything_when_stars_are_counted(table: naive.Table) -> None:
    starred = tp_plus.all_or_nothing(space_of(table.columns))
    for c, size in enumerate(np.diff(starred.first).tolist()):
        for low in range(size):
            assert [extent_loss(starred, c, low, high) for high in range(low, size)] == [0.0] + [1.0] * (size - low - 1)


def test_a_residue_that_lacks_some_sensitive_values_is_divided() -> None:
    codes = [(0,)] * 4 + [(row,) for row in range(1, 7)]
    sensitive = (0, 1, 0, 1, 2, 4, 2, 4, 3, 3)
    table = naive.Table((naive.Measured(tuple(map(float, range(7)))),), tuple(codes), sensitive, ((0,),) * 10)
    assert split(table, 2) == ([[0, 1, 2, 3]], [4, 5, 6, 7, 8, 9])
    assert_as_promised(table, 2)
    assert tp_plus.l_groups(microdata(table), 2).max() == 3


@pytest.mark.parametrize("l", [2, 3, 5])
def test_without_a_residue_nothing_is_left_to_divide(l: int) -> None:
    table = naive.Table((naive.Measured((0.0,)),), ((0,),) * l, tuple(range(l)), ((0,),) * l)
    assert tp_plus.l_groups(microdata(table), l).tolist() == [0] * l
