"""Rows are not people: groups of rows, joined until there are enough people in each, and their values differ enough."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .curve import hilbert_keys
from .interrupt import STOP, heed
from .jit import kernel
from .order import sort_along_curve
from .space import Flag, Ints, Microdata, Wide
from .swaps import list_members


class People(NamedTuple):
    """By row: who it is about, the sensitive value, and the number of this pair of them."""

    person: Ints
    value: Ints
    pair: Wide


class Seen(NamedTuple):
    """The last run in which each person, each pair and each value was seen, and how many people hold each value there.

    `counts`: the people of this run, and the holders of its most frequent value.
    """

    person: Ints
    pair: Ints
    value: Ints
    holders: Ints
    counts: Wide


def join_for_people(data: Microdata, person: Ints, group_of: Ints, *, k: int = 1, l: int = 1) -> Ints:
    """Return each row's group: neighbours joined until each has k people, and no value is held by more than 1/l.

    A person with several values holds each of them. Neighbours are next to each other along the Hilbert curve, by the
    row in their middle. Assumes that all rows together would be such a group.
    """
    place = np.empty(group_of.size, np.int64)
    place[sort_along_curve(hilbert_keys(data.codes, data.space), data)] = np.arange(group_of.size)
    _, number_of = np.unique(group_of, return_inverse=True)
    rows = np.lexsort((place, number_of))
    start, _, _ = list_members(number_of.astype(np.int32), int(number_of.max()) + 1)
    order = np.argsort(place[rows[(start[:-1] + start[1:]) // 2]])
    pairs = person.astype(np.int64) * (int(data.sensitive.max()) + 1) + data.sensitive
    people = People(person, data.sensitive, np.unique(pairs, return_inverse=True)[1])
    joined = np.empty(order.size, np.int32)
    join_neighbours(start, rows, order, people, k, l, joined, STOP)
    heed()
    groups: Ints = joined[number_of]
    return groups


@kernel
def join_neighbours(
    start: Wide, rows: Wide, order: Wide, people: People, k: int, l: int, joined: Ints, stop: Flag
) -> None:
    """Fill joined, by group, with the number of the run of neighbours that it becomes part of.

    A run ends as soon as it holds. If the last one never does, it takes in the runs before it until it does. The rows
    of group g are rows[start[g]:start[g + 1]].
    """
    seen = Seen(
        np.full(people.person.max() + 1, -1, np.int32),
        np.full(people.pair.max() + 1, -1, np.int32),
        np.full(people.value.max() + 1, -1, np.int32),
        np.zeros(people.value.max() + 1, np.int32),
        np.zeros(2, np.int64),
    )
    run = 0
    first = 0
    for at in range(order.size):
        if stop[0]:
            return
        add_group(rows[start[order[at]] : start[order[at] + 1]], people, run, seen)
        joined[order[at]] = run
        if holds(seen, k, l):
            run += 1
            first = at + 1
            seen.counts[:] = 0
    while 0 < first < order.size and not holds(seen, k, l):
        before = joined[order[first - 1]]
        while first > 0 and joined[order[first - 1]] == before:
            first -= 1
            add_group(rows[start[order[first]] : start[order[first] + 1]], people, run, seen)
            joined[order[first]] = run


@kernel
def add_group(rows: Wide, people: People, run: int, seen: Seen) -> None:
    """Count the people of a group, and who holds which value, in the run that it becomes part of."""
    for row in rows:
        person, pair, value = people.person[row], people.pair[row], people.value[row]
        if seen.person[person] != run:
            seen.person[person] = run
            seen.counts[0] += 1
        if seen.pair[pair] != run:
            seen.pair[pair] = run
            seen.holders[value] = seen.holders[value] + 1 if seen.value[value] == run else 1
            seen.value[value] = run
            seen.counts[1] = max(seen.counts[1], seen.holders[value])


@kernel
def holds(seen: Seen, k: int, l: int) -> bool:
    """Whether a run has enough people, and no value that too many of them hold."""
    people, top = seen.counts
    return bool(people >= k and top * l <= people)
