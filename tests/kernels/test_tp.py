"""TP: groups of equal quasi-identifiers, and the residue."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.along_curve.order import leading_columns
from sqlanon.udfs.kernels.tp import tp
from twins import naive
from twins import tp as twin

from .tables import contents, members, microdata, quickly, rearrange, tables

Groups = list[twin.Values]


def table_of(groups: Sequence[twin.Values]) -> naive.Table:
    """One column, a code per group; equal rows differ in a column that only breaks ties."""
    rows = [((g,), v, (i,)) for g, group in enumerate(groups) for v, count in group.items() for i in range(count)]
    random.Random(len(rows)).shuffle(rows)
    numbers = {v: i for i, v in enumerate(sorted({v for _, v, _ in rows}))}
    line = naive.Measured(tuple(g / max(1, len(groups) - 1) for g in range(len(groups))))
    return naive.Table(
        (line,),
        tuple(codes for codes, _, _ in rows),
        tuple(numbers[v] for _, v, _ in rows),
        tuple(ties for _, _, ties in rows),
    )


def count(*groups: Sequence[int]) -> Groups:
    """Groups as the paper writes them: how many rows have each value."""
    return [Counter({value: count for value, count in enumerate(group) if count}) for group in groups]


def made_eligible(groups: Groups, values: int, l: int) -> Groups:
    """The groups, and if need be one more, of what the table has least of. Assumes more values than l."""
    whole: twin.Values = sum(groups, Counter())
    more: twin.Values = Counter()
    while not twin.eligible(whole + more, l):
        more[min(range(values), key=lambda value: ((whole + more)[value], value))] += 1
    return [*groups, more] if more else groups


@st.composite
def hard_groups(draw: st.DrawFn, l: int, most: int = 3) -> Groups:
    """Some groups, and one of so few values that all of it is residue."""
    values = l + draw(st.integers(1, 2))
    group = st.lists(st.integers(0, most), min_size=values, max_size=values)
    groups = draw(st.lists(group, min_size=1, max_size=3))
    few = draw(st.permutations([draw(st.integers(1, most))] * max(1, l - 1) + [0] * (values - max(1, l - 1))))
    return made_eligible([group for group in count(*groups, few) if group], values, l)


def random_groups(draw: random.Random, l: int, most: int = 3, groups: int = 4) -> Groups:
    """As hard_groups; every tenth or so comes to phase three."""
    values = draw.randint(l + 1, l + 2)
    found = [[draw.randint(0, most) for _ in range(values)] for _ in range(draw.randint(1, groups))]
    few, height = draw.sample(range(values), draw.randint(2, l - 1)), draw.randint(1, most + 2)
    found.append([height * (value in few) for value in range(values)])
    return made_eligible([group for group in count(*found) if group], values, l)


def dead_groups(draw: random.Random, l: int, groups: int) -> Groups:
    """Groups that can give nothing, each for some pillar of the residue, and the residue, a group of l − 1 values."""
    found: list[list[int]] = []
    while len(found) < groups:
        top = draw.randint(1, 4)
        group = [draw.randint(0, top) for _ in range(l + 2)]
        group[draw.randrange(l - 1)] = top
        if sum(group) == l * top:
            found.append(group)
    return count(*found, [groups] * (l - 1))


def as_outcome(state: twin.State) -> tp.Outcome:
    residue = state.residue.total()
    groups = sum(group.total() > 0 for group in state.groups) + (residue > 0)
    return tp.Outcome(state.phase, residue, twin.height(state.residue), groups, 0)


def assert_as_the_twin(table: naive.Table, l: int) -> tp.Outcome:
    data = microdata(table)
    groups = members(tp.l_groups(data, l))
    assert contents(table, groups) == contents(table, twin.l_groups(table, l))
    assert sorted(row for group in groups for row in group) == list(range(len(table.codes)))
    assert all(naive.is_diverse([table.sensitive[row] for row in group], l) for group in groups)
    outcome = tp.outcome(data, l)
    assert outcome._replace(smallest_residue=0) == as_outcome(twin.run(list(twin.groups_of(table).values()), l))
    assert outcome.groups == len(groups)
    return outcome


two_to_four = st.integers(2, 4)


@quickly
@given(two_to_four.flatmap(lambda l: st.tuples(tables(rows=(l, 14), l=l), st.just(l))))
def test_any_table_is_split_as_the_twin_splits_it(case: tuple[naive.Table, int]) -> None:
    assert_as_the_twin(*case)


@quickly
@given(two_to_four.flatmap(lambda l: st.tuples(hard_groups(l), st.just(l))))
def test_hard_groups_are_split_as_the_twin_splits_them(case: tuple[Groups, int]) -> None:
    groups, l = case
    assert_as_the_twin(table_of(groups), l)


@pytest.mark.parametrize("l", [3, 4, 5])
def test_tables_that_need_phase_three_are_split_as_the_twin_splits_them(l: int) -> None:
    draw = random.Random(l)
    phases = Counter(assert_as_the_twin(table_of(random_groups(draw, l)), l).phase for _ in range(300))
    assert min(phases[1], phases[2], phases[3]) >= 5


@pytest.mark.parametrize("copies", [1, 2, 9])
def test_phase_three_goes_on_for_as_many_rounds_as_it_takes(copies: int) -> None:
    groups = count(*[(3, 1, 2, 3, 3), (1, 3, 2, 3, 3)] * copies, [4 * copies] * 3)
    assert assert_as_the_twin(table_of(groups), 4)[:3] == (3, 20 * copies, 5 * copies)


@pytest.mark.parametrize("l", [3, 4, 5])
def test_dead_groups_that_come_alive_again_are_thinned_out_as_by_the_twin(l: int) -> None:
    draw = random.Random(7)
    tried = [dead_groups(draw, l, groups=12) for _ in range(60)]
    phases = [assert_as_the_twin(table_of(g), l).phase for g in tried if twin.eligible(sum(g, Counter()), l)]
    assert phases == [3] * len(phases)
    assert len(phases) >= 40


def test_table_1_of_the_paper_stops_in_phase_one() -> None:
    people = [(0, 0, 0)] * 2 + [(0, 0, 1), (1, 0, 1)] + [(1, 1, 1)] * 4 + [(2, 1, 2)] * 2
    hiv, pneumonia, bronchitis, dyspepsia = range(4)
    disease = (hiv, hiv, pneumonia, bronchitis, pneumonia, bronchitis, bronchitis, pneumonia, dyspepsia, pneumonia)
    flat = naive.Measured((0.0, 1.0, 2.0))
    table = naive.Table((flat,) * 3, tuple(people), disease, ((0,),) * 10)
    assert members(tp.l_groups(microdata(table), 2)) == [[4, 5, 6, 7], [8, 9], [0, 1, 2, 3]]
    assert tp.outcome(microdata(table), 2) == (1, 4, 2, 3, 4)


def test_the_example_of_section_5_3_stops_in_phase_two() -> None:
    groups = count((3, 1, 1, 2, 3), (0, 2, 2, 4, 4), (4, 4))
    outcome = assert_as_the_twin(table_of(groups), 3)
    assert (outcome.phase, outcome.residue_top) == (2, 4)
    assert 12 <= outcome.residue <= 14


def test_the_example_of_section_5_4_stops_in_phase_three() -> None:
    groups = count((3, 1, 2, 3, 3), (1, 3, 2, 3, 3), (4, 4, 4))
    assert assert_as_the_twin(table_of(groups), 4) == (3, 20, 5, 3, 16)


def assert_within_bounds(groups: Groups, l: int) -> int:
    outcome = tp.outcome(microdata(table_of(groups)), l)
    smallest_residue = twin.smallest_residue(groups, l)
    assert outcome.smallest_residue <= smallest_residue <= outcome.residue
    assert outcome.phase < 3 or outcome.residue <= l * outcome.smallest_residue
    assert outcome.phase > 1 or outcome.residue == smallest_residue
    assert outcome.phase > 2 or outcome.residue <= smallest_residue + l - 1
    assert outcome.residue <= l * smallest_residue
    return outcome.phase


@quickly
@given(two_to_four.flatmap(lambda l: st.tuples(hard_groups(l, most=1), st.just(l))))
def test_the_residue_is_as_near_to_the_smallest_as_the_paper_proves(case: tuple[Groups, int]) -> None:
    assert_within_bounds(*case)


@pytest.mark.parametrize("l", [3, 4])
def test_after_phase_three_the_residue_is_as_near_as_the_paper_proves(l: int) -> None:
    draw = random.Random(l)
    cases = (random_groups(draw, l, most=2, groups=2) for _ in range(2000))
    hard = [groups for groups in cases if twin.run(groups, l).phase == 3]
    assert len(hard) >= 8
    assert {assert_within_bounds(groups, l) for groups in hard[:8]} == {3}


@quickly
@given(hard_groups(2))
def test_l_of_two_never_needs_phase_three(groups: Groups) -> None:
    assert tp.outcome(microdata(table_of(groups)), 2).phase < 3


@quickly
@given(two_to_four.flatmap(lambda l: st.tuples(tables(rows=(l, 12), l=l), st.just(l))), st.data())
def test_groups_do_not_depend_on_the_order_of_arrival(case: tuple[naive.Table, int], data: st.DataObject) -> None:
    table, l = case
    other = rearrange(table, data.draw(st.permutations(range(len(table.codes)))))
    one, two = (members(tp.l_groups(microdata(either), l)) for either in (table, other))
    assert contents(table, one) == contents(other, two)


@pytest.mark.parametrize("l", [2, 3, 7])
@pytest.mark.parametrize("copies", [1, 2])
def test_rows_that_are_all_alike_are_one_group_without_a_residue(l: int, copies: int) -> None:
    assert assert_as_the_twin(table_of(count([copies] * l)), l) == (1, 0, 0, 1, 0)


@pytest.mark.parametrize("l", [2, 3, 7])
def test_rows_that_all_differ_are_all_residue(l: int) -> None:
    groups: Groups = [Counter({row % (l + 1): 1}) for row in range(5 * (l + 1))]
    assert assert_as_the_twin(table_of(groups), l) == (1, 5 * (l + 1), 5, 1, 5 * (l + 1))


def test_a_group_that_is_nearly_eligible_loses_only_what_is_too_much() -> None:
    groups = count((5, 2, 1), (0, 0, 0, 2, 2))
    assert assert_as_the_twin(table_of(groups), 2)[:2] == (2, 4)


def test_columns_that_do_not_fit_in_a_word_are_told_apart() -> None:
    draw = np.random.default_rng(5)
    line = naive.Measured(tuple(np.linspace(0.0, 1.0, 300).tolist()))
    kinds = draw.integers(0, 300, (4, 20))
    kinds[1, :19] = kinds[0, :19]
    codes = tuple(tuple(kinds[row % 4].tolist()) for row in range(48))
    table = naive.Table((line,) * 20, codes, tuple(draw.permutation(48) % 6), ((0,),) * 48)
    assert leading_columns(microdata(table).codes).max() < 2**63
    assert assert_as_the_twin(table, 2).groups >= 4


@pytest.mark.parametrize("seed", range(6))
def test_larger_tables_are_split_as_the_twin_splits_them(seed: int) -> None:
    draw = np.random.default_rng(seed)
    skewed = np.sort(np.unique(draw.integers(0, 9, 300) * draw.integers(0, 9, 300) // 8, return_inverse=True)[1])
    codes = tuple(zip(draw.integers(0, 4, 300).tolist(), draw.integers(0, 3 + 5 * seed, 300).tolist(), strict=True))
    columns = (naive.Measured((0.0, 0.3, 0.6, 1.0)), naive.Measured(tuple(np.linspace(0, 1, 40).tolist())))
    table = naive.Table(columns, codes, tuple(skewed.tolist()), tuple((row % 2,) for row in range(300)))
    for l in range(2, naive.largest_l(table.sensitive) + 1):
        assert_as_the_twin(table, l)
