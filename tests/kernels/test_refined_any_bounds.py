"""Refined for any bounds: whatever is changed, every group keeps every bound, as the oracle of privacy judges it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs.grouping.requirements import requirement_of
from sqlanon.udfs.kernels.halving import mondrian, topdown
from sqlanon.udfs.kernels.refined import any_bounds, blocks, refined
from sqlanon.udfs.kernels.refined.annealing import draw_proposals
from sqlanon.udfs.kernels.refined.bounded import propose_bounded
from sqlanon.udfs.kernels.refined.groups import Groups, Rows, gather
from sqlanon.udfs.kernels.refined.holding import Bounds, make_room
from sqlanon.udfs.kernels.refined.losses import tabulate_losses
from sqlanon.udfs.kernels.refined.neighbours import find_neighbours
from sqlanon.udfs.kernels.refined.splitting import split_all, split_bounded
from sqlanon.udfs.kernels.requirement.requirement import Requirement, fewest_rows, read_values
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from sqlanon.udfs.kernels.space import Ints
from thorough import examples
from twins import naive
from twins import refined as twin

from .tables import contents, members, microdata, rearrange, tables
from .test_any_bounds import bounds_of_any_kind, keeper
from .test_refined import listed, random_table

some = settings(deadline=None, max_examples=examples(40))

MIXED = Requirement(size=2, entropy=2.5)


def judged(table: naive.Table, requirement: Requirement) -> tuple[Rows, Bounds]:
    """The table, whose rows come sorted, as the engine has it."""
    data = microdata(table)
    values, fewest = read_values(data, requirement), fewest_rows(requirement)
    codes, nothing = np.ascontiguousarray(data.codes.T), np.empty((len(table.codes), 0), np.int32)
    rows = Rows(codes, nothing, fewest, False, tabulate_losses(data.space, None, "generalize"))
    return rows, Bounds(requirement, fewest, values, np.arange(len(table.codes)), make_room(values))


def in_order(table: naive.Table) -> naive.Table:
    """The table with its rows sorted by their codes."""
    return rearrange(table, sorted(range(len(table.codes)), key=lambda row: table.codes[row]))


def room_for(rows: Rows, group_of: Ints) -> Groups:
    """The groups, with room for as many as there can be, of any size."""
    return gather(rows, group_of, group_of.size // rows.threshold + 1, group_of.size + 1)


@some
@given(tables(rows=(2, 16)), bounds_of_any_kind, st.data())
def test_whatever_is_eligible_is_grouped_and_every_group_keeps_every_bound(
    table: naive.Table, bounds: dict[str, float], data: st.DataObject
) -> None:
    rows = len(table.codes)
    other = data.draw(st.sampled_from([[], [list(np.unique(np.arange(rows) * 7 % 3, return_inverse=True)[1])]]))
    keep = keeper([table.sensitive, *other], bounds)
    if not keep(range(rows)):
        return
    several = microdata(table)._replace(apart=np.array(other, np.int32).reshape(len(other), rows))
    groups = members(any_bounds.groups(several, requirement_of(bounds), seed=1, effort=1))
    assert sorted(row for group in groups for row in group) == list(range(rows))
    assert all(keep(group) for group in groups)


@some
@given(tables(rows=(4, 16)), bounds_of_any_kind.filter(lambda bounds: bounds.keys() - {"k"}), st.integers(0, 1000))
def test_every_pass_keeps_the_bounds_and_knows_what_groups_lose(
    table: naive.Table, bounds: dict[str, float], seed: int
) -> None:
    table, requirement, keep = in_order(table), requirement_of(bounds), keeper([table.sensitive], bounds)
    keep = keeper([table.sensitive], bounds)
    if not keep(range(len(table.codes))) or requirement == Requirement(size=requirement.size):
        return
    rows, judge = judged(table, requirement)
    start = mondrian.groups(microdata(table), requirement)
    groups, neighbours, draw = room_for(rows, start), find_neighbours(rows.codes), np.random.default_rng(seed)
    for temperature in (2.0, 0.3, 0.0):
        before = twin.total_loss(table, listed(groups))
        propose_bounded(
            rows, groups, neighbours, judge, draw_proposals(draw, len(table.codes), 40), temperature, 1.0, STOP
        )
        assert sorted(row for group in listed(groups) for row in group) == list(range(len(table.codes)))
        assert all(keep(group) for group in listed(groups))
        after = twin.total_loss(table, listed(groups))
        assert (groups.size * groups.loss)[groups.size > 0].sum() == pytest.approx(after)
        assert temperature > 0 or after <= before + 1e-6, "without temperature, loss never rises"
        assert not judge.room.tally.count_of.any() and not judge.room.seen.any()


@some
@given(tables(rows=(4, 20)), bounds_of_any_kind.filter(lambda bounds: bounds.keys() - {"k"}), st.data())
def test_a_split_keeps_the_bounds_and_loses_no_more(
    table: naive.Table, bounds: dict[str, float], data: st.DataObject
) -> None:
    requirement, keep = requirement_of(bounds), keeper([table.sensitive], bounds)
    if not keep(range(len(table.codes))) or requirement == Requirement(size=requirement.size):
        return
    rows, judge = judged(table, requirement)
    groups = room_for(rows, np.zeros(len(table.codes), np.int32))
    before = twin.total_loss(table, listed(groups))
    splits = split_bounded(rows, groups, judge, 0, data.draw(st.integers(0, len(table.codes) - 1)))
    assert len(listed(groups)) == 1 + splits
    assert all(keep(group) for group in listed(groups))
    assert twin.total_loss(table, listed(groups)) <= before + 1e-9


def test_a_split_halves_each_value_and_what_is_near_goes_together() -> None:
    line = naive.Measured(tuple(np.linspace(0.0, 1.0, 12).tolist()))
    table = naive.Table((line,), tuple((i,) for i in range(12)), (0, 0, 0, 0, 1, 1, 2, 2, 2, 1, 1, 3), ((0,),) * 12)
    rows, judge = judged(table, Requirement(t=0.3))
    groups = room_for(rows, np.zeros(12, np.int32))
    assert split_bounded(rows, groups, judge, 0, 0)
    assert sorted(sorted(group) for group in listed(groups)) == [[0, 1, 4, 5, 6, 7], [2, 3, 8, 9, 10, 11]]


@some
@given(tables(rows=(4, 14), l=2), st.data())
def test_groups_do_not_depend_on_the_order_of_arrival(table: naive.Table, data: st.DataObject) -> None:
    other = rearrange(table, data.draw(st.permutations(range(len(table.codes)))))
    found = [
        contents(each, members(any_bounds.groups(microdata(each), Requirement(size=3, frequency=2.0), effort=1)))
        for each in (table, other)
    ]
    assert found[0] == found[1]


def test_the_seed_decides_and_the_same_one_decides_the_same() -> None:
    data = microdata(random_table(60, 3, 20, 9, seed=1))
    assert (any_bounds.groups(data, MIXED, seed=5, effort=2) == any_bounds.groups(data, MIXED, seed=5, effort=2)).all()
    drawn = {str(members(any_bounds.groups(data, MIXED, seed=seed, effort=1))) for seed in range(4)}
    assert len(drawn) > 1


@pytest.mark.parametrize("requirement", [MIXED, Requirement(size=4, frequency=2.0), Requirement(size=2, t=0.4)])
def test_annealing_loses_less_than_the_groups_that_it_starts_from(requirement: Requirement) -> None:
    table = random_table(60, 2, 30, 4, seed=2)
    data = microdata(table)
    annealed, halved = (
        twin.total_loss(table, members(each.groups(data, requirement))) for each in (any_bounds, topdown)
    )
    assert annealed < 0.9 * halved


def test_size_and_frequency_alone_are_those_of_k_and_l() -> None:
    data = microdata(random_table(40, 2, 30, 5, seed=3))
    person = np.arange(40, dtype=np.int32) // 2
    of_people = data._replace(person=person, apart=person[None])
    for each, requirement in ((data, Requirement(size=3)), (of_people, Requirement(size=3))):
        found = any_bounds.groups(each, requirement, seed=1, effort=1)
        assert (found == refined.k_groups(each, 3, seed=1, effort=1)).all()
    for requirement in (Requirement(frequency=3.0), Requirement(size=2, frequency=3.0, distinct=3, entropy=2.5)):
        found = any_bounds.groups(of_people, requirement, seed=1, effort=1)
        assert (found == refined.l_groups(data, 3, seed=1, effort=1)).all()
    larger = members(any_bounds.groups(data, Requirement(size=6, frequency=3.0), effort=1))
    assert min(map(len, larger)) >= 6


def test_blocks_and_groups_that_are_too_large_keep_the_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 16)
    monkeypatch.setattr(any_bounds, "ROOM", 1)
    table = random_table(90, 2, 30, 6, seed=8)
    groups = members(any_bounds.groups(microdata(table), MIXED, effort=1))
    keep = keeper([table.sensitive], {"k": 2, "entropy_l": 2.5})
    assert len(groups) > 1 and all(keep(group) for group in groups)


def test_weights_and_stars_are_what_is_lowered() -> None:
    data = microdata(random_table(60, 3, 8, 6, seed=6))
    spreads = []
    for weights in ((50.0, 1.0, 1.0), None):
        groups = members(any_bounds.groups(data, MIXED, weights=weights, effort=2))
        spreads.append(sum(len(group) * int(np.ptp(data.codes[0, group])) for group in groups))
    assert spreads[0] < spreads[1]
    stars = []
    for recode in ("suppress", "generalize"):
        groups = members(any_bounds.groups(data, MIXED, recode=recode, effort=2))
        stars.append(sum(len(group) * int((np.ptp(data.codes[:, group], axis=1) > 0).sum()) for group in groups))
    assert stars[0] < stars[1]


def test_a_stopped_pass_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = in_order(random_table(30, 2, 30, 5, seed=9))
    rows, judge = judged(table, MIXED)
    groups = room_for(rows, np.zeros(30, np.int32))
    stop = np.ones(1, np.uint8)
    split_all(rows, groups, judge, stop)
    draws = draw_proposals(np.random.default_rng(0), 30, 100)
    propose_bounded(rows, groups, find_neighbours(rows.codes), judge, draws, 5.0, 1.0, stop)
    assert listed(groups) == [list(range(30))]
    monkeypatch.setattr(any_bounds, "STOP", stop)
    monkeypatch.setattr(any_bounds, "raise_if_interrupted", lambda: pytest.fail("looked"))
    with pytest.raises(pytest.fail.Exception, match="looked"):
        any_bounds.groups(microdata(table), MIXED)
