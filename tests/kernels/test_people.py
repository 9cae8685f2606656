"""Groups of rows joined until they are groups of people."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.people import People, join_for_people, join_neighbours
from sqlanon.udfs.kernels.requirement.requirement import Requirement
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from twins import people as twin

from .tables import members, microdata, quickly, tables

SIZES = st.integers(0, 3)


def join(groups: list[list[int]], person: list[int], value: list[int], k: int, l: int) -> list[list[int]]:
    """The kernel on groups that are in order as they are."""
    pair = np.unique(np.array(person) * 10 + np.array(value), return_inverse=True)[1][np.newaxis]
    run_of = np.empty(len(groups), np.int32)
    join_neighbours(
        np.cumsum([0, *map(len, groups)]),
        np.array([row for group in groups for row in group], np.int64),
        np.arange(len(groups)),
        People(np.array(person, np.int32), np.array([value], np.int32), pair),
        Requirement(size=k, frequency=float(l)),
        1,
        run_of,
        STOP,
    )
    runs: dict[int, list[int]] = {}
    for group, run in zip(groups, run_of.tolist(), strict=True):
        runs.setdefault(run, []).extend(group)
    return sorted(sorted(run) for run in runs.values())


@quickly
@given(st.lists(st.tuples(SIZES, SIZES, SIZES), min_size=1, max_size=14), st.integers(1, 4), st.integers(1, 3))
def test_neighbours_are_joined_as_by_the_twin(rows: list[tuple[int, int, int]], k: int, l: int) -> None:
    person = [one for one, _, _ in rows]
    value = [one for _, one, _ in rows]
    groups = [[i for i, row in enumerate(rows) if row[2] == number] for number in range(4)]
    groups = [group for group in groups if group]
    assert join(groups, person, value, k, l) == sorted(twin.join(groups, person, value, k, l))


@quickly
@given(tables(rows=(4, 16)), st.data())
def test_every_group_has_enough_people_if_the_table_has(table: object, data: st.DataObject) -> None:
    rows = microdata(table)  # type: ignore[arg-type]
    size = rows.sensitive.size
    person = data.draw(st.lists(st.integers(0, 7), min_size=size, max_size=size))
    group_of = data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    value = rows.sensitive.tolist()
    everybody = [list(range(size))]
    for k, l in ((2, 1), (1, 2), (3, 2)):
        if twin.holds(everybody, person, value, k, l):
            people = np.array(person, np.int32)
            rows = rows._replace(apart=people[np.newaxis])
            after = join_for_people(
                rows, people, np.array(group_of, np.int32), Requirement(size=k, frequency=float(l)), "generalize"
            )
            assert after is not None
            groups = members(after)
            assert all(twin.holds([group], person, value, k, l) for group in groups)
            assert sorted(row for group in groups for row in group) == everybody[0]
            together = {number: set(after[np.array(group_of) == number].tolist()) for number in set(group_of)}
            assert all(len(groups) == 1 for groups in together.values()), "groups are joined, never split"


def test_a_person_with_two_values_holds_both() -> None:
    # together two people: one with values 0 and 1, one with value 1; value 1 is held by both
    assert join([[0, 1], [2], [3, 4]], [0, 0, 1, 2, 3], [0, 1, 1, 2, 3], 1, 2) == [[0, 1, 2, 3, 4]]


def test_the_last_group_joins_the_run_before_it() -> None:
    assert join([[0], [1], [2]], [0, 1, 1], [0, 0, 0], 2, 1) == [[0, 1, 2]]
