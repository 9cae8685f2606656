"""Rows are not people: groups of rows, joined until there are enough people in each, and their values differ enough.

Whoever reads a release sees classes: groups that publish the same. Two groups may hold, and the class of both may not:
a person with two values counts for both, and a person in both groups is one. So groups of one class are joined, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .along_curve.order import sort_along_curve
from .along_curve.swaps import list_members
from .hilbert.curve import hilbert_keys
from .published import number_classes
from .requirement.requirement import Requirement, count_excess, is_about_values
from .runtime.interrupt import STOP, raise_if_interrupted
from .runtime.jit import kernel
from .space import Flag, Ints, Microdata, Wide

PATIENCE = 8
"""Rounds in which neighbours are joined no further than they have to be. From then on, there are at most half as many
groups after each.
"""


class People(NamedTuple):
    """By row: who it is about; and, a line for each sensitive attribute, the value, and the number of the pair of both.

    Attributes have no numbers in common.
    """

    person: Ints
    value: Ints
    pair: Wide


class Seen(NamedTuple):
    """The last run in which each person, each pair and each value was seen, and how many people hold each value there.

    `values`: those of this run. `counts`: its people, the holders of its most frequent value, and how many values and
    units it has.
    """

    person: Ints
    pair: Ints
    value: Ints
    holders: Ints
    values: Ints
    counts: Wide


def join_for_people(
    data: Microdata, person: Ints, group_of: Ints, requirement: Requirement, recode: str
) -> Ints | None:
    """Return each row's group: neighbours joined until every group, and every class, is what is required of people.

    A person with several values holds each of them. Neighbours are next to each other along the Hilbert curve, by the
    row in their middle. Rows without a group, -1, stay behind, unless there is no way without them. None if not even
    all rows together are such a group. With exact quasi-identifiers (recode 'none'), a class is a group.
    """
    position = np.empty(group_of.size, np.int64)
    position[sort_along_curve(hilbert_keys(data.codes, data.space), data)] = np.arange(group_of.size)
    people = read_people(data, person)
    # k people are k people in a union, too
    writing = data.writing if is_about_values(requirement) and recode != "none" else None
    joined = join_units(group_of, position, people, requirement)
    rounds = 0
    while joined is not None and writing is not None:
        class_of = number_classes(data, writing, joined, recode)
        if class_of.max() == joined.max():
            return joined
        rounds += 1
        joined = join_units(class_of, position, people, requirement, 1 if rounds <= PATIENCE else 2)
    if joined is None and (group_of != 0).any():
        return join_units(np.zeros_like(group_of), position, people, requirement)
    return joined


def read_people(data: Microdata, person: Ints) -> People:
    """Number the values of all sensitive attributes, and who has them. The last apart column is the person's."""
    values: list[Wide] = []
    pairs: list[Wide] = []
    for codes in [data.sensitive, *data.apart[:-1]]:
        value = codes.astype(np.int64) + (int(values[-1].max()) + 1 if values else 0)
        pair = np.unique(person.astype(np.int64) * (int(value.max()) + 1) + value, return_inverse=True)[1]
        values.append(value)
        pairs.append(pair + (int(pairs[-1].max()) + 1 if pairs else 0))
    return People(person, np.array(values, np.int32), np.array(pairs, np.int64))


def join_units(
    group_of: Ints, position: Wide, people: People, requirement: Requirement, fewest: int = 1
) -> Ints | None:
    """Return each row's run, from 0: groups joined until each run holds; None if not even all of them do."""
    grouped = np.flatnonzero(group_of >= 0)
    if not grouped.size:
        return None
    _, number_of = np.unique(group_of[grouped], return_inverse=True)
    rows = grouped[np.lexsort((position[grouped], number_of))]
    start, _, _ = list_members(number_of.astype(np.int32), int(number_of.max()) + 1)
    order = np.argsort(position[rows[(start[:-1] + start[1:]) // 2]])
    joined = np.empty(order.size, np.int32)
    holds_all = join_neighbours(start, rows, order, people, requirement, fewest, joined, STOP)
    raise_if_interrupted()
    if not holds_all:
        return None
    _, run_of = np.unique(joined, return_inverse=True)
    groups: Ints = np.full(group_of.size, -1, np.int32)
    groups[grouped] = run_of[number_of]
    return groups


@kernel
def join_neighbours(
    start: Wide,
    rows: Wide,
    order: Wide,
    people: People,
    requirement: Requirement,
    fewest: int,
    joined: Ints,
    stop: Flag,
) -> bool:
    """Fill joined, by unit, with the number of the run of neighbours that it becomes part of; say whether all hold.

    A run ends as soon as it holds and has `fewest` units. If the last one never does, it takes in the runs before it
    until it does. The rows of unit u are rows[start[u]:start[u + 1]].
    """
    seen = Seen(
        np.full(people.person.max() + 1, -1, np.int32),
        np.full(people.pair.max() + 1, -1, np.int32),
        np.full(people.value.max() + 1, -1, np.int32),
        np.zeros(people.value.max() + 1, np.int32),
        np.zeros(people.value.max() + 1, np.int32),
        np.zeros(4, np.int64),
    )
    run = 0
    first = 0
    for at in range(order.size):
        if stop[0]:
            return False
        add_unit(rows[start[order[at]] : start[order[at] + 1]], people, run, seen)
        joined[order[at]] = run
        if seen.counts[3] >= fewest and holds(seen, requirement):
            run += 1
            first = at + 1
            seen.counts[:] = 0
    while 0 < first < order.size and not holds(seen, requirement):
        before = joined[order[first - 1]]
        while first > 0 and joined[order[first - 1]] == before:
            first -= 1
            add_unit(rows[start[order[first]] : start[order[first] + 1]], people, run, seen)
            joined[order[first]] = run
    return first == order.size or holds(seen, requirement)


@kernel
def add_unit(rows: Wide, people: People, run: int, seen: Seen) -> None:
    """Count the people of a unit, and who holds which value, in the run that it becomes part of."""
    seen.counts[3] += 1
    for row in rows:
        person = people.person[row]
        if seen.person[person] != run:
            seen.person[person] = run
            seen.counts[0] += 1
        for attribute in range(people.value.shape[0]):
            pair, value = people.pair[attribute, row], people.value[attribute, row]
            if seen.pair[pair] == run:
                continue
            seen.pair[pair] = run
            if seen.value[value] != run:
                seen.value[value] = run
                seen.holders[value] = 0
                seen.values[seen.counts[2]] = value
                seen.counts[2] += 1
            seen.holders[value] += 1
            seen.counts[1] = max(seen.counts[1], seen.holders[value])


@kernel
def holds(seen: Seen, requirement: Requirement) -> bool:
    """Whether a run has enough people, and no value that too many of them hold."""
    people, top = seen.counts[0], seen.counts[1]
    if people < requirement.size or people / top < requirement.frequency:
        return False
    if requirement.c == np.inf:
        return True
    holders = np.empty(seen.counts[2], np.int64)
    for i in range(holders.size):
        holders[i] = seen.holders[seen.values[i]]
    return bool(count_excess(people, holders, requirement) == 0)
