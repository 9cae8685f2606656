"""l-diversity along an order: groups of rows with distinct sensitive values, taken from the frontier.

Each sensitive value has a bucket of its rows in curve order; the frontier is the first row left in each.
A group takes the l lowest rows of the frontier. It may close when what remains is still eligible (no
value in more than 1/l of it); until then it takes the next row. If that leads nowhere, it starts again
with the values that are most frequent in what remains, and fills up with the lowest rows.

The paper falls back on the l most frequent values, wherever their rows are. Only those at the very top
have to shrink for the rest to stay eligible, so we can take these and keep the others near: near the largest
possible l that is the difference between a loss of 0.57 and 0.47. Either always leads on: let t be the height of the
tallest buckets, T their number and r the rows that remain, with l·t <= r. Taking c = max(l, T) rows, one of each
tallest bucket among them, leaves buckets of at most t − 1, and l·(t − 1) <= r − c: for c = l at once, and for
c = T > l because r >= T·t.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..heap import pop, push
from ..hilbert.curve import key_distance
from ..runtime.jit import kernel
from ..space import Flag, Ints, Wide, Words
from .swaps import chain_alike

LOWEST, TALLEST = 0, 1
"""The two heaps: frontier rows by position, and by height of their bucket (tallest first), then position."""


class Frontier(NamedTuple):
    """The rest of the buckets. A row is known by its position in the order; −1 is no row.

    `group`: the rows of the group at hand. `last_group`: by value, the last group that has taken a row of it.
    """

    value_at: Ints
    next_in_bucket: Ints
    head: Wide
    height: Wide
    buckets_of_height: Wide
    heaps: Wide
    heap_size: Wide
    group: Wide
    last_group: Wide


def deal_from_frontier(
    order: Wide, keys: Words, sensitive: Ints, values: int, l: int, near: bool, group_of: Ints, stop: Flag
) -> tuple[int, int]:
    """Fill group_of; return the number of groups, −1 if some group could not be closed, and how often it fell back.

    `near` falls back on the tallest buckets only, otherwise on the l tallest as in the paper.
    Assumes 0 <= sensitive < values, that every value occurs, and none in more than 1/l of the rows.
    Time n log(values): every row enters each heap at most once, plus l rows looked at per group.
    """
    return deal(open_frontier(sensitive[order], values), order, keys, l, near, group_of, stop)


def open_frontier(value_at: Ints, values: int) -> Frontier:
    """Chain the rows of each sensitive value in order and put the first of each on the frontier."""
    rows = value_at.size
    next_in_bucket, head = np.empty(rows, np.int32), np.full(values, -1, np.int64)
    chain_alike(value_at, next_in_bucket, head)
    height = np.bincount(value_at, minlength=values)
    heaps = np.empty((2, rows), np.int64)
    heaps[LOWEST, :values] = np.sort(head)
    return Frontier(
        value_at, next_in_bucket, head, height, np.bincount(height),
        heaps, np.array([values, 0]), np.empty(values, np.int64), np.full(values, -1, np.int64),
    )  # fmt: skip


@kernel
def deal(
    frontier: Frontier, order: Wide, keys: Words, l: int, near: bool, group_of: Ints, stop: Flag
) -> tuple[int, int]:  # fmt: skip
    """Deal all rows of the frontier, which is used up."""
    values = frontier.head.shape[0]
    remaining = order.shape[0]
    tallest = frontier.buckets_of_height.shape[0] - 1
    group = frontier.group
    by_height_too = False
    groups = 0
    fell_back = 0
    while remaining > 0:
        if stop[0]:
            return -1, fell_back
        # The tallest buckets are forced only once slack is short of l, and it never grows again.
        slack = remaining - l * tallest
        if slack < l and not by_height_too:
            by_height_too = True
            for value in range(values):
                if frontier.height[value] > 0:
                    offer(frontier, TALLEST, frontier.head[value])
        most = min(values, l + slack)
        count, closed = fill_group(frontier, groups, l, most, remaining, tallest, 0)
        if not closed:
            for i in range(count):
                offer(frontier, LOWEST, group[i])
            fell_back += 1
            count = take_tallest(frontier, groups, tallest, 0 if near else l)
            count, closed = fill_group(frontier, groups, l, most, remaining, tallest, count)
            if not closed:
                return -1, fell_back

        lowest = group[0]
        for i in range(count):
            lowest = min(lowest, group[i])
            frontier.last_group[frontier.value_at[group[i]]] = groups
            group_of[order[group[i]]] = groups
            advance(frontier, group[i], by_height_too)
        remaining -= count
        tallest = lower_to_occupied(frontier.buckets_of_height, tallest)

        extra = worth_adding(frontier, order, keys, lowest, l)
        if extra >= 0:
            value = frontier.value_at[extra]
            only_tallest = frontier.height[value] == tallest and frontier.buckets_of_height[tallest] == 1
            if frontier.last_group[value] != groups and eligible(remaining - 1, tallest - only_tallest, l):
                group_of[order[extra]] = groups
                advance(frontier, extra, by_height_too)
                remaining -= 1
                tallest = lower_to_occupied(frontier.buckets_of_height, tallest)
        groups += 1
    return groups, fell_back


@kernel
def eligible(rows: int, most_frequent: int, l: int) -> bool:
    """Whether rows, of which most_frequent share a value, can be made l-diverse."""
    return most_frequent * l <= rows


@kernel
def fill_group(
    frontier: Frontier, number: int, l: int, most: int, remaining: int, tallest: int, taken: int
) -> tuple[int, bool]:  # fmt: skip
    """Fill up a group that has taken some of the tallest buckets, or none, with the lowest frontier rows.

    Return how many it has, and whether it may close. More than `most` = l + slack rows never leave an
    eligible rest, so there is no use in trying.
    """
    count = taken
    tallest_taken = 0
    for i in range(taken):
        tallest_taken += frontier.height[frontier.value_at[frontier.group[i]]] == tallest
    while True:
        left_tallest = tallest - (tallest_taken == frontier.buckets_of_height[tallest])
        if count >= l and eligible(remaining - count, left_tallest, l):
            return count, True
        if frontier.heap_size[LOWEST] == 0 or count >= most:
            return count, False
        position = frontier.heaps[LOWEST, 0]
        frontier.heap_size[LOWEST] = pop(frontier.heaps[LOWEST], frontier.heap_size[LOWEST])
        value = frontier.value_at[position]
        if frontier.head[value] == position and frontier.last_group[value] != number:
            frontier.group[count] = position
            count += 1
            tallest_taken += frontier.height[value] == tallest


@kernel
def take_tallest(
    frontier: Frontier, number: int, tallest: int, fewest: int
) -> int:  # fmt: skip
    """Start a group with the frontier rows of the tallest buckets: all of the greatest height, `fewest` at least."""
    n = frontier.value_at.shape[0]
    count = 0
    while frontier.heap_size[TALLEST] > 0:
        position = frontier.heaps[TALLEST, 0] % n
        value = frontier.value_at[position]
        if frontier.head[value] == position:
            if frontier.height[value] < tallest and count >= fewest:
                break
            frontier.last_group[value] = number
            frontier.group[count] = position
            count += 1
        frontier.heap_size[TALLEST] = pop(frontier.heaps[TALLEST], frontier.heap_size[TALLEST])
    return count


@kernel
def worth_adding(frontier: Frontier, order: Wide, keys: Words, lowest: int, l: int) -> int:
    """Return the lowest frontier row if it is nearer to a group's lowest row than to its own group to be.

    The group it would otherwise start reaches at least to the l-th lowest row of the frontier.
    """
    count = 0
    while frontier.heap_size[LOWEST] > 0 and count < l:
        position = frontier.heaps[LOWEST, 0]
        frontier.heap_size[LOWEST] = pop(frontier.heaps[LOWEST], frontier.heap_size[LOWEST])
        if frontier.head[frontier.value_at[position]] == position:
            frontier.group[count] = position
            count += 1
    for i in range(count):
        offer(frontier, LOWEST, frontier.group[i])
    if count < l:
        return -1
    first, last = frontier.group[0], frontier.group[l - 1]
    to_group = key_distance(keys, order[min(lowest, first)], order[max(lowest, first)])
    to_own = key_distance(keys, order[first], order[last])
    return first if to_group < to_own else -1


@kernel
def offer(frontier: Frontier, heap: int, position: int) -> None:
    """Put the frontier row at position on a heap."""
    n = frontier.value_at.shape[0]
    shortfall = n - frontier.height[frontier.value_at[position]] if heap == TALLEST else 0
    frontier.heap_size[heap] = push(frontier.heaps[heap], frontier.heap_size[heap], shortfall * n + position)


@kernel
def advance(frontier: Frontier, position: int, by_height_too: bool) -> None:
    """Take the row at position off the frontier and bring its bucket's next one onto it."""
    value = frontier.value_at[position]
    frontier.buckets_of_height[frontier.height[value]] -= 1
    frontier.height[value] -= 1
    frontier.buckets_of_height[frontier.height[value]] += 1
    frontier.head[value] = frontier.next_in_bucket[position]
    if frontier.height[value] > 0:
        offer(frontier, LOWEST, frontier.head[value])
        if by_height_too:
            offer(frontier, TALLEST, frontier.head[value])


@kernel
def lower_to_occupied(buckets_of_height: Wide, tallest: int) -> int:
    """Return the height of the tallest bucket left, which is at most `tallest`."""
    while tallest > 0 and buckets_of_height[tallest] == 0:
        tallest -= 1
    return tallest
