"""The best pairs, for l = 2 and two sensitive values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels import matching
from sqlanon.udfs.kernels.hilbert import hilbert
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from sqlanon.udfs.kernels.space import Wide
from twins import matching as twin
from twins import naive

from .tables import code_count, contents, members, microdata, quickly, rearrange, space_of, tables

RECODES = st.sampled_from(["generalize", "suppress", "none"])


@st.composite
def tables_of_two_values(draw: st.DrawFn, pairs: int) -> naive.Table:
    """A table with as many rows of one sensitive value as of the other."""
    drawn = draw(tables(rows=(2, 2 * pairs), l=2))
    table = rearrange(drawn, range(len(drawn.codes) // 2 * 2))
    halves = [row % 2 for row in range(len(table.codes))]
    return replace(table, sensitive=tuple(draw(st.permutations(halves))))


def line(ours: list[int], theirs: list[int], cells: int = 11) -> naive.Table:
    """Rows on a line, at these codes."""
    rows = len(ours) + len(theirs)
    column = naive.Measured(tuple(np.linspace(0.0, 1.0, cells).tolist()))
    sensitive = (0,) * len(ours) + (1,) * len(theirs)
    return naive.Table((column,), tuple((code,) for code in (*ours, *theirs)), sensitive, ((0,),) * rows)


def pairs_of(table: naive.Table, recode: str = "generalize") -> list[list[int]]:
    """The kernel's groups, which have to be pairs of different values, all rows in one."""
    groups = members(matching.l_groups(microdata(table), 2, recode=recode))
    assert sorted(row for group in groups for row in group) == list(range(len(table.codes)))
    assert all(sorted(table.sensitive[row] for row in group) == [0, 1] for group in groups)
    return groups


@quickly
@given(tables_of_two_values(pairs=5), RECODES)
def test_no_matching_loses_less(table: naive.Table, recode: str) -> None:
    found = twin.LOSS[recode](table, pairs_of(table, recode))
    assert found == pytest.approx(twin.least_loss_of_pairs(table, recode), abs=1e-9)


@quickly
@given(tables_of_two_values(pairs=3), RECODES)
def test_no_partition_into_groups_of_any_size_loses_less(table: naive.Table, recode: str) -> None:
    found = twin.LOSS[recode](table, pairs_of(table, recode))
    assert found == pytest.approx(twin.least_loss_of_groups(table, recode), abs=1e-9)


@quickly
@given(tables_of_two_values(pairs=8), RECODES, st.data())
def test_pairs_do_not_depend_on_the_order_of_arrival(table: naive.Table, recode: str, data: st.DataObject) -> None:
    other = rearrange(table, data.draw(st.permutations(range(len(table.codes)))))
    assert contents(table, pairs_of(table, recode)) == contents(other, pairs_of(other, recode))


@quickly
@given(tables_of_two_values(pairs=6), st.booleans())
def test_the_cost_of_a_pair_is_its_loss_to_nine_digits(table: naive.Table, stars: bool) -> None:
    ours = [codes for codes, value in zip(table.codes, table.sensitive, strict=True) if value == 0]
    theirs = [codes for codes, value in zip(table.codes, table.sensitive, strict=True) if value == 1]
    space = space_of(table.columns)
    found = matching.pair_costs(np.array(ours, np.int32), np.array(theirs, np.int32).T.copy(), space, stars, STOP)
    scale = 1 if stars else matching.LARGEST // len(table.columns)
    for i, one in enumerate(ours):
        for j, other in enumerate(theirs):
            differing = sum(a != b for a, b in zip(one, other, strict=True))
            pairs = zip(table.columns, one, other, strict=True)
            expected = differing if stars else sum(naive.ncp(column, (a, b)) for column, a, b in pairs)
            assert found[i, j] / scale == pytest.approx(expected, abs=1e-9 * len(table.columns))


@quickly
@given(tables_of_two_values(pairs=2), RECODES, st.data())
def test_the_cost_of_a_pair_is_a_metric(table: naive.Table, recode: str, data: st.DataObject) -> None:
    """Which is why rows that are equal can be paired first."""
    row = st.tuples(*(st.integers(0, code_count(column) - 1) for column in table.columns))
    three = replace(table, codes=tuple(data.draw(st.lists(row, min_size=3, max_size=3))))
    there, on, direct = (twin.LOSS[recode](three, [pair]) for pair in ((0, 1), (1, 2), (0, 2)))
    assert direct <= there + on + 1e-12


def certify(cost: matching.Costs) -> Wide:
    """Match, and prove it the best: by duality, what every line pays at least and all prices are below every cost."""
    size = len(cost)
    column_of, price = matching.match(cost, np.arange(size), STOP)
    assert sorted(column_of.tolist()) == list(range(size))
    pays = (cost - price).min(axis=1)
    total = cost[np.arange(size), column_of].sum(dtype=np.int64)
    assert total == pays.sum() + price.sum()
    return column_of


@pytest.mark.parametrize("kind", ["any", "ties", "near", "as large as can be"])
def test_prices_prove_that_a_large_matching_is_the_best(kind: str) -> None:
    size = matching.BLOCK + 44  # more than one block of columns
    draw = np.random.default_rng(1)
    cost = draw.integers(0, 8 if kind == "ties" else matching.LARGEST, (size, size), np.int32)
    if kind == "near":
        ours, theirs = draw.integers(0, 2**29, (2, 3, size), np.int32)
        cost = np.abs(ours[:, :, None] - theirs[:, None, :]).sum(axis=0, dtype=np.int32)
    elif kind == "as large as can be":
        cost = matching.LARGEST - cost // 4
    certify(cost)


@pytest.mark.parametrize("stars", [False, True])
def test_prices_prove_that_the_pairs_of_200_are_the_best(stars: bool) -> None:
    draw = np.random.default_rng(2)
    columns = (naive.Measured(tuple(np.linspace(0.0, 1.0, 30).tolist())),) * 4
    ours, theirs = draw.integers(0, 30, (2, 200, 4), np.int32)
    column_of = certify(matching.pair_costs(ours, theirs.T.copy(), space_of(columns), stars, STOP))
    proved = [(i, 200 + int(j)) for i, j in enumerate(column_of)]
    codes = tuple(map(tuple, np.concatenate([ours, theirs]).tolist()))
    table = naive.Table(columns, codes, (0,) * 200 + (1,) * 200, ((0,),) * 400)
    recode = "suppress" if stars else "generalize"
    loss = twin.LOSS[recode]
    found = loss(table, pairs_of(table, recode))
    assert found == pytest.approx(loss(table, proved), abs=1e-9)
    assert found < loss(table, members(hilbert.l_groups(microdata(table), 2)))


@pytest.mark.parametrize("size", [1, 2, 3, matching.BLOCK - 1, matching.BLOCK, matching.BLOCK + 1])
def test_lines_that_all_cost_the_same_are_matched_at_once(size: int) -> None:
    certify(np.full((size, size), 7, np.int32))


def test_one_pair() -> None:
    assert pairs_of(line([0], [10])) == [[0, 1]]


def test_rows_that_are_all_equal_lose_nothing() -> None:
    table = line([3] * 20, [3] * 20)
    assert naive.gcp(table, pairs_of(table)) == twin.stars(table, pairs_of(table, "suppress")) == 0


def test_a_pair_gives_up_its_nearest_for_the_good_of_all() -> None:
    columns = line([0], [0]).columns * 2
    table = naive.Table(columns, ((5, 0), (3, 1), (4, 0), (10, 0)), (0, 0, 1, 1), ((0,),) * 4)
    assert sorted(pairs_of(table)) == [[0, 3], [1, 2]]  # 5 is nearer to 4 than 3 is, but nearer to 10 too


def test_equal_rows_are_paired_however_many_there_are_of_each() -> None:
    table = line([0] * 5 + [1] * 2 + [5] * 3, [0] * 2 + [1] * 4 + [6] * 4)
    found = pairs_of(table)
    assert sum(table.codes[a] == table.codes[b] for a, b in found) == 4
    assert naive.gcp(table, found) == pytest.approx((2 * 0.1 + 3 * 0.1 + 1 * 0.6) / 10)


def test_stars_and_ranges_want_different_pairs() -> None:
    columns = (naive.Measured(tuple(np.linspace(0.0, 1.0, 11).tolist())),) * 2
    codes = ((0, 0), (10, 1), (1, 1), (10, 0))
    table = naive.Table(columns, codes, (0, 0, 1, 1), ((0,),) * 4)
    assert sorted(pairs_of(table)) == [[0, 2], [1, 3]]
    assert twin.stars(table, pairs_of(table)) == 6
    assert sorted(pairs_of(table, "suppress")) == [[0, 3], [1, 2]]
    assert twin.stars(table, pairs_of(table, "suppress")) == 4


def test_many_columns() -> None:
    draw = np.random.default_rng(3)
    columns = (naive.Measured((0.0, 0.5, 1.0)),) * 20
    codes = tuple(map(tuple, draw.integers(0, 3, (10, 20)).tolist()))
    table = naive.Table(columns, codes, (0, 1) * 5, ((0,),) * 10)
    for recode in ("generalize", "suppress"):
        found = twin.LOSS[recode](table, pairs_of(table, recode))
        assert found == pytest.approx(twin.least_loss_of_pairs(table, recode), abs=1e-9)
