"""l-diversity from the frontier."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.along_curve.frontier import deal_from_frontier
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from twins import naive

from .tables import eligible_values, members, quickly, words_of

Ordered = tuple[list[int], list[int]]
"""Keys in order, and the sensitive value at each."""


def deal(keys: list[int], sensitive: list[int], l: int, words: int = 1, near: bool = True) -> list[list[int]]:
    """The kernel's groups of positions, in the order they were made; rows are numbered backwards, to use `order`."""
    rows = len(keys)
    order = np.arange(rows)[::-1].copy()
    group_of = np.full(rows, -1, np.int32)
    by_row = np.array(sensitive[::-1], np.int32)
    made, _ = deal_from_frontier(
        order, words_of(keys[::-1], words), by_row, max(sensitive) + 1, l, near, group_of, STOP
    )
    groups = members(group_of[::-1])
    assert made == len(groups)
    return groups


def assert_as_promised(keys: list[int], sensitive: list[int], l: int, words: int = 1) -> list[list[int]]:
    on_paper = [sorted(group) for group in naive.frontier_groups(keys, sensitive, l, naive.most_frequent_first)]
    assert deal(keys, sensitive, l, words, near=False) == on_paper
    groups = deal(keys, sensitive, l, words)
    assert sorted(row for group in groups for row in group) == list(range(len(keys)))
    for group in groups:
        values = [sensitive[row] for row in group]
        assert naive.is_diverse(values, l)
        assert len(set(values)) == len(values), "a sensitive value is twice in a group"
    assert groups == [sorted(group) for group in naive.frontier_groups(keys, sensitive, l, naive.tallest_then_lowest)]
    return groups


@st.composite
def ordered_rows(draw: st.DrawFn, l: int, rows: int = 18) -> Ordered:
    """An eligible table; keys far apart and close, and many the same."""
    sensitive = draw(eligible_values(l, (l, rows)))
    arrangement = draw(st.sampled_from(["any", "one value after the other", "backwards"]))
    if arrangement != "any":
        sensitive.sort(reverse=arrangement == "backwards")
    steps = st.one_of(st.integers(0, 3), st.integers(0, 100))
    gaps = draw(st.lists(steps, min_size=len(sensitive), max_size=len(sensitive)))
    return np.cumsum(gaps).tolist(), sensitive


@quickly
@given(st.integers(2, 5).flatmap(lambda l: st.tuples(ordered_rows(l), st.just(l))))
def test_every_eligible_table_is_dealt_as_the_twin_deals_it(case: tuple[Ordered, int]) -> None:
    (keys, sensitive), l = case
    assert_as_promised(keys, sensitive, l)


@quickly
@given(st.integers(2, 4).flatmap(lambda l: st.tuples(ordered_rows(l, 12), st.just(l))))
def test_distances_are_those_of_whole_keys(case: tuple[Ordered, int]) -> None:
    (keys, sensitive), l = case
    assert_as_promised([key << 62 for key in keys], sensitive, l, words=2)


@quickly
@given(st.integers(2, 4).flatmap(lambda l: st.tuples(ordered_rows(l), st.just(l))))
def test_the_largest_possible_l_succeeds(case: tuple[Ordered, int]) -> None:
    (keys, sensitive), _ = case
    assert_as_promised(keys, sensitive, naive.largest_l(sensitive))


def random_table(rows: int, values: int, l: int, skew: float, seed: int) -> Ordered | None:
    """A larger table whose values come in clusters along the curve; None if it is not eligible."""
    draw = np.random.default_rng(seed)
    weights = np.arange(1, values + 1) ** -skew
    counts = draw.multinomial(rows, weights / weights.sum())
    found = np.repeat(np.arange(values), counts)
    clustered = found[np.argsort(found * draw.integers(0, 3) + draw.normal(0, 2, rows), kind="stable")]
    _, sensitive = np.unique(clustered, return_inverse=True)
    keys = np.cumsum(np.floor(draw.exponential(2, rows) ** 3)).astype(int).tolist()
    return (keys, sensitive.tolist()) if naive.is_diverse(sensitive.tolist(), l) else None


@pytest.mark.parametrize("l", [2, 3, 4, 6])
def test_larger_tables_are_dealt_as_the_twin_deals_them(l: int) -> None:
    dealt = 0
    for seed in range(24):
        table = random_table(rows=60 + seed, values=2 * l + seed % 5, l=l, skew=0.25 * (seed % 4), seed=seed)
        if table is not None:
            assert_as_promised(*table, l)
            assert_as_promised(*table, naive.largest_l(table[1]))
            dealt += 1
    assert dealt >= 6


def test_look_ahead_takes_a_near_row_as_in_figure_9() -> None:
    keys = [1, 2, 3, 4, 20, 21, 22]
    sensitive = [0, 2, 3, 1, 0, 2, 3]
    assert assert_as_promised(keys, sensitive, 3) == [[0, 1, 2, 3], [4, 5, 6]]


def test_look_ahead_leaves_a_row_that_is_nearer_to_its_own_group() -> None:
    keys = [1, 2, 3, 20, 21, 22, 23]
    sensitive = [0, 2, 3, 1, 0, 2, 3]
    assert assert_as_promised(keys, sensitive, 3) == [[0, 1, 2], [3, 4, 5, 6]]


def test_look_ahead_leaves_a_row_that_is_as_near_to_its_own_group() -> None:
    assert assert_as_promised([0, 0, 2, 4, 4], [0, 1, 2, 0, 1], 2) == [[0, 1], [2, 3, 4]]


def test_look_ahead_leaves_a_row_whose_value_the_group_has() -> None:
    keys = [1, 2, 3, 50, 51, 52]
    sensitive = [0, 1, 0, 1, 0, 1]
    assert assert_as_promised(keys, sensitive, 2) == [[0, 1], [2, 3], [4, 5]]


def test_look_ahead_leaves_a_row_without_which_the_rest_is_not_eligible() -> None:
    keys = [1, 2, 3, 50]
    sensitive = [0, 1, 2, 0]
    assert assert_as_promised(keys, sensitive, 2) == [[0, 1], [2, 3]]


def test_a_group_grows_until_the_rest_is_eligible() -> None:
    # Closing at the first two rows would leave 2, 1, 2, in which one value is too frequent.
    assert assert_as_promised([0, 1, 2, 3, 4], [0, 1, 2, 1, 2], 2) == [[0, 1, 2], [3, 4]]


def test_the_most_frequent_values_are_taken_when_the_lowest_lead_nowhere() -> None:
    # Six rows have value 3 and six another: each of them has to take one of the others along.
    sensitive = [0, 1, 2, 0, 1, 2, 3, 3, 3, 3, 3, 3]
    groups = assert_as_promised(list(range(12)), sensitive, 2)
    assert all(len(group) == 2 and sensitive[group[1]] == 3 for group in groups)


def test_only_the_most_frequent_value_is_forced_where_the_paper_forces_l_of_them() -> None:
    keys, sensitive = list(range(6)), [2, 1, 1, 0, 0, 0]
    assert assert_as_promised(keys, sensitive, 2) == [[0, 3], [1, 4], [2, 5]]
    on_paper = naive.frontier_groups(keys, sensitive, 2, naive.most_frequent_first)
    assert [sorted(group) for group in on_paper] == [[1, 3], [0, 4], [2, 5]]


@pytest.mark.parametrize("l", [2, 3, 5])
@pytest.mark.parametrize("copies", [1, 2, 7])
def test_as_many_values_as_l_and_no_slack(l: int, copies: int) -> None:
    sensitive = sorted(list(range(l)) * copies)
    groups = assert_as_promised(list(range(l * copies)), sensitive, l)
    assert [len(group) for group in groups] == [l] * copies


@pytest.mark.parametrize("l", [2, 3, 4])
@pytest.mark.parametrize("rows", range(8, 17))
def test_rows_need_not_be_a_multiple_of_l(l: int, rows: int) -> None:
    sensitive = [row % 8 for row in range(rows)]
    assert_as_promised([row * row for row in range(rows)], sensitive, l)


@pytest.mark.parametrize("l", [2, 3, 4])
def test_rows_that_are_all_alike(l: int) -> None:
    assert_as_promised([7] * 15, [row % 5 for row in range(15)], l)


@pytest.mark.parametrize("l", [2, 3, 4])
@pytest.mark.parametrize("extra", [0, 1, 2])
@pytest.mark.parametrize("end", ["first", "last"])
def test_one_bucket_of_exactly_one_lth_of_the_rows(l: int, extra: int, end: str) -> None:
    huge = 9
    others = [1 + row % (l + extra) for row in range((l - 1) * huge)]
    sensitive = [0] * huge + others if end == "first" else others + [0] * huge
    groups = assert_as_promised(list(range(l * huge)), sensitive, l)
    assert len(groups) == huge


@pytest.mark.parametrize("l", [2, 3, 7, 20])
def test_as_many_values_as_rows(l: int) -> None:
    draw = np.random.default_rng(l)
    keys = np.sort(draw.integers(0, 1000, 40)).tolist()
    assert_as_promised(keys, draw.permutation(40).tolist(), l)


def test_a_table_that_is_not_eligible_is_not_dealt() -> None:
    group_of = np.full(3, -1, np.int32)
    keys = words_of([0, 1, 2], 1)
    assert deal_from_frontier(np.arange(3), keys, np.array([0, 0, 1], np.int32), 2, 2, True, group_of, STOP)[0] == -1
