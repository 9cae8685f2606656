"""Anatomy: groups of l rows with distinct sensitive values, drawn at random from the l most frequent ones left.

Each sensitive value has a bucket of its rows; each round draws a row from each of the l highest, until fewer than l
buckets are left. If no value is in more than n/l rows, each row left over has a value of its own, which some group
lacks:

Let G rounds leave r rows, and a bucket end with e. If it was passed over, consider the last time: l others were as
high. It was drawn from in all the rounds since, they in no more, so they end with e − 1 rows or more; as fewer than l
buckets are left, e = 1. If it never was passed over, it began with G + e rows, and l·(G + e) <= n = l·G + r gives
r >= l·e. For the highest bucket left that cannot be, as r <= (l − 1)·e. So the highest has one row, and with it all
have; then r < l, and r >= l·e holds for none: each was passed over, by a group that lacks its value.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from .along_curve.order import leading_columns, sort_along_curve
from .along_curve.swaps import list_members
from .heap import pop, push
from .runtime.interrupt import raise_if_interrupted
from .runtime.jit import kernel
from .space import Floats, Ints, Microdata, Wide


def l_groups(data: Microdata, l: int, *, seed: int = 0) -> Ints:
    """Return each row's group: l to 2l − 1 rows with distinct sensitive values, at random by seed."""
    order = sort_along_curve(leading_columns(data.codes), data)
    draw = generator(data, order, seed)
    shuffled = draw.permutation(order)
    raise_if_interrupted()
    group_of = np.empty(order.size, np.int32)
    group_of[shuffled] = deal_at_random(data.sensitive[shuffled], l, draw.random(l))
    return group_of


def generator(data: Microdata, order: Wide, seed: int) -> Generator:
    """Return a source of random numbers that nobody can have without the seed and the whole table.

    Rows leave with their exact quasi-identifiers, and the seed may be known, or be guessed. If the draw depended on
    the seed alone, whoever repeats it could rule out sensitive values row by row.
    """
    digest = hashlib.sha256()
    for column in (*data.codes, data.sensitive, *data.apart, *data.ties):
        digest.update(column[order].tobytes())
        raise_if_interrupted()
    return np.random.default_rng([seed, int.from_bytes(digest.digest(), "big")])


def deal_at_random(value_at: Ints, l: int, chance: Floats) -> Ints:
    """Return the group of each row. Assumes rows in random order, and no value in more than 1/l of them.

    `chance`, numbers below 1, is which group each row left over goes to. Time n log(values).
    """
    rows, values = value_at.size, int(value_at.max()) + 1
    start, member, _ = list_members(value_at, values)
    left = np.diff(start)
    heap = np.sort((rows - left) * values + np.arange(values))  # the highest first, then by value
    group_at = np.full(rows, -1, np.int32)
    groups, size = draw_groups(heap, left, start, member, np.empty(l, np.int64), group_at)
    spread_rest(np.sort(heap[:size] % values), start, member, np.ones(groups, np.bool_), chance, group_at)
    return group_at


@kernel
def draw_groups(
    heap: Wide, left: Wide, start: Wide, member: Ints, drawn: Wide, group_at: Ints
) -> tuple[int, int]:  # fmt: skip
    """Deal while there are as many values as items in drawn; return the number of groups, and of values left over."""
    size = values = heap.shape[0]
    groups = 0
    while size >= drawn.shape[0]:
        for i in range(drawn.shape[0]):
            drawn[i] = heap[0]
            size = pop(heap, size)
        for i in range(drawn.shape[0]):
            value = drawn[i] % values
            left[value] -= 1
            group_at[member[start[value] + left[value]]] = groups
            if left[value] > 0:
                size = push(heap, size, drawn[i] + values)
        groups += 1
    return groups, size


@kernel
def spread_rest(
    rest: Wide, start: Wide, member: Ints, lacks: NDArray[np.bool_], chance: Floats, group_at: Ints
) -> None:  # fmt: skip
    """Put the one row left of each of these values into a group that lacks the value. Assumes that lacks is true."""
    for i in range(rest.shape[0]):
        first, end = start[rest[i]], start[rest[i] + 1]
        for slot in range(first + 1, end):
            lacks[group_at[member[slot]]] = False
        skip = int(chance[i] * (lacks.shape[0] - (end - first - 1)))
        group = 0
        while skip > 0 or not lacks[group]:
            skip -= lacks[group]
            group += 1
        group_at[member[first]] = group
        for slot in range(first + 1, end):
            lacks[group_at[member[slot]]] = True
