"""BSGI where rows of a group must differ in more than the sensitive attribute: several of these, and people."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.bsgi import boxes as bsgi_boxes
from sqlanon.udfs.kernels.bsgi import bsgi
from sqlanon.udfs.kernels.bsgi.incorporate import incorporate
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from sqlanon.udfs.kernels.space import Ints
from twins import bsgi as twin
from twins import naive

from .tables import microdata, quickly, rearrange, space_of, tables

LINE = naive.Measured(tuple(np.linspace(0.0, 1.0, 30).tolist()))


@st.composite
def restricted_tables(draw: st.DrawFn) -> tuple[naive.Table, int]:
    """An eligible table with one or two apart columns of few values or many."""
    l = draw(st.integers(2, 3))
    table = draw(tables(rows=(l, 16), l=l))
    rows = len(table.codes)
    values = draw(st.lists(st.sampled_from([1, 2, 4, 100]), min_size=1, max_size=2))
    apart = draw(st.lists(st.tuples(*(st.integers(0, most) for most in values)), min_size=rows, max_size=rows))
    return naive.Table(table.columns, table.codes, table.sensitive, table.ties, tuple(apart)), l


def groups_and_left_out(group_of: Ints) -> tuple[list[list[int]], list[int]]:
    groups = [np.flatnonzero(group_of == group).tolist() for group in range(int(group_of.max(initial=-1)) + 1)]
    return groups, np.flatnonzero(group_of < 0).tolist()


def by_columns(table: naive.Table) -> list[list[int]]:
    """The values of each column in which rows of a group must differ."""
    return [list(table.sensitive), *(list(column) for column in zip(*table.apart, strict=True))]


def random_table(rows: int, values: int, seed: int, apart: Ints) -> naive.Table:
    """Two columns of numbers; `apart` has a line per row."""
    draw = np.random.default_rng(seed)
    codes = tuple(map(tuple, draw.integers(0, 30, (rows, 2)).tolist()))
    sensitive = draw.permutation(np.arange(rows) % values).tolist()
    return naive.Table((LINE, LINE), codes, tuple(sensitive), ((0,),) * rows, tuple(map(tuple, apart.tolist())))


@quickly
@given(restricted_tables(), st.booleans())
def test_rows_of_a_group_differ_in_every_column(case: tuple[naive.Table, int], exact: bool) -> None:
    table, l = case
    groups, left_out = groups_and_left_out(bsgi.l_groups(microdata(table), l, exact=exact))
    assert sorted([*left_out, *(row for group in groups for row in group)]) == list(range(len(table.codes)))
    assert all(len(group) >= l for group in groups)
    for values in by_columns(table):
        assert twin.distinct_in(values, groups)


@quickly
@given(restricted_tables(), st.booleans())
def test_a_row_is_left_out_only_if_no_group_will_have_it(case: tuple[naive.Table, int], exact: bool) -> None:
    table, l = case
    groups, left_out = groups_and_left_out(bsgi.l_groups(microdata(table), l, exact=exact))
    for row in left_out:
        for group in groups:
            assert any(values[row] in [values[member] for member in group] for values in by_columns(table))


@quickly
@given(restricted_tables(), st.booleans(), st.data())
def test_groups_do_not_depend_on_the_order_of_arrival(
    case: tuple[naive.Table, int], exact: bool, data: st.DataObject
) -> None:
    table, l = case
    order = data.draw(st.permutations(range(len(table.codes))))

    def found(either: naive.Table) -> list[list[tuple[object, ...]]]:
        groups, left_out = groups_and_left_out(bsgi.l_groups(microdata(either), l, exact=exact))
        rows = list(zip(either.codes, either.sensitive, either.ties, either.apart, strict=True))
        return [*sorted(sorted(rows[row] for row in group) for group in groups), sorted(rows[row] for row in left_out)]

    assert found(table) == found(rearrange(table, order))


@pytest.mark.parametrize("l", [2, 3, 5])
@pytest.mark.parametrize("people", [bsgi_boxes.MARKS, 400])
def test_people_with_a_few_rows_each_all_get_a_group(l: int, people: int) -> None:
    draw = np.random.default_rng(l)
    who = np.repeat(np.arange(300), draw.integers(1, 5, 300))[:300, None] % people
    table = random_table(300, values=7, seed=l, apart=who.astype(np.int32))
    group_of = bsgi.l_groups(microdata(table), l)
    assert (group_of >= 0).all()
    assert twin.distinct_in(by_columns(table)[1], groups_and_left_out(group_of)[0])


@pytest.mark.parametrize("shares", [(1 / 3, 1 / 3, 0.2, 0.1), (1 / 3, 0.2, 0.2, 0.2), (1 / 3, 1 / 3, 1 / 3)])
def test_two_sensitive_attributes_without_slack_leave_hardly_a_row_out(shares: tuple[float, ...]) -> None:
    rows = 300
    second = np.repeat(np.arange(len(shares)), [round(share * rows) for share in shares])
    second = np.random.default_rng(3).permutation(np.append(second, np.full(rows - second.size, len(shares))))
    table = random_table(rows, values=12, seed=5, apart=second[:, None].astype(np.int32))
    for exact in (False, True):
        group_of = bsgi.l_groups(microdata(table), 3, exact=exact)
        assert np.count_nonzero(group_of < 0) <= 3


def test_the_most_frequent_value_of_a_second_attribute_is_seen_to() -> None:
    """Half of the rows have it, far from the others: each has to be in a group with one of these."""
    codes = tuple((row % 10,) if row < 20 else (29 - row % 10,) for row in range(40))
    sensitive = tuple(row % 4 for row in range(40))
    table = naive.Table((LINE,), codes, sensitive, ((0,),) * 40, tuple((max(0, row - 19),) for row in range(40)))
    groups, left_out = groups_and_left_out(bsgi.l_groups(microdata(table), 2))
    assert (len(groups), left_out) == (20, [])


def test_when_all_rows_are_of_one_person_no_group_is_made() -> None:
    table = random_table(12, values=4, seed=0, apart=np.zeros((12, 1), np.int32))
    assert bsgi.l_groups(microdata(table), 2).tolist() == [-1] * 12


def test_a_row_takes_the_place_of_one_that_another_group_will_have() -> None:
    # Row 4 has value 2, as row 0 of group 0 has, and the person 3, as row 3 of group 1 has. Row 0 can go to group 1.
    apart = np.array([[2, 0], [1, 1], [0, 2], [1, 3], [2, 3]], np.int32)
    group_at = np.array([0, 0, 1, 1, -1], np.int32)
    codes = np.arange(5, dtype=np.int32)[:, None].copy()
    incorporate(codes, apart, space_of([LINE]), 2, True, group_at, STOP)
    assert group_at.tolist() == [1, 0, 1, 1, 0]


def test_a_row_joins_the_group_that_loses_least_by_it() -> None:
    codes = np.array([0, 2, 10, 12, 11], np.int32)[:, None].copy()
    apart = np.array([0, 1, 0, 1, 2], np.int32)[:, None].copy()
    for everywhere in (True, False):
        group_at = np.array([0, 0, 1, 1, -1], np.int32)
        incorporate(codes, apart, space_of([LINE]), 2, everywhere, group_at, STOP)
        assert group_at.tolist() == [0, 0, 1, 1, 1]
