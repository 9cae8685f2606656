"""l = 2 with two sensitive values: the partition of least loss, by minimum-cost perfect matching.

A group of two values is 2-diverse only if it has as many rows of the one as of the other, and then it falls into pairs
of one row each, none of which loses more than the group did: the best pairs are the best of all partitions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .along_curve.order import sort_along_curve
from .hilbert.curve import hilbert_keys
from .loss import extent_loss
from .runtime.interrupt import STOP, raise_if_interrupted
from .runtime.jit import kernel
from .space import Flag, Ints, Microdata, Space, Wide

Costs = NDArray[np.int32]
"""A line for each row of the one sensitive value, a column for each row of the other."""

LARGEST = 2**31 - 1
"""No cost is above this."""

FAR = 2**60
"""Further than any path: a price falls by at most one largest cost for each line that enters."""

BLOCK = 256
"""Columns that are looked through together for the nearest one."""


def l_groups(data: Microdata, l: int, *, recode: str = "generalize") -> Ints:
    """Return each row's group, a pair: the pairs with the fewest stars to suppress, else with the least loss (GCP).

    Assumes l = 2 and two sensitive values with as many rows each.
    """
    order = sort_along_curve(hilbert_keys(data.codes, data.space), data)
    along_curve = np.ascontiguousarray(data.codes.T[order])
    value_at = data.sensitive[order]
    partner = pair_equal(along_curve, value_at)
    ours = np.flatnonzero((partner < 0) & (value_at == 0))
    theirs = np.flatnonzero((partner < 0) & (value_at == 1))
    if ours.size:
        cost = pair_costs(along_curve[ours], along_curve[theirs].T.copy(), data.space, recode == "suppress", STOP)
        raise_if_interrupted()
        entering = np.random.default_rng(0).permutation(ours.size)  # paths are shorter than in curve order
        matched, _ = match(cost, entering, STOP)
        raise_if_interrupted()
        partner[ours] = theirs[matched]
        partner[theirs[matched]] = ours
    first = np.minimum(partner, np.arange(order.size))
    group_of = np.empty(order.size, np.int32)
    group_of[order] = np.unique(first, return_inverse=True)[1]
    return group_of


@kernel
def pair_equal(codes: Ints, value_at: Ints) -> Wide:
    """Pair rows that differ in nothing but their sensitive value; return each row's partner, −1 for none yet.

    Some best matching has all these pairs. Say a and b are equal, but a is with y and b with x: then a with b costs
    nothing, and x with y no more than x with b and a with y together, for the cost is a metric: in each column it is
    a distance of numbers (cut off at 1), the share of leaves below a common ancestor, or whether values differ.
    Assumes that equal rows are next to each other, those with sensitive value 0 first.
    """
    rows = codes.shape[0]
    partner = np.full(rows, -1, np.int64)
    start = 0
    while start < rows:
        zeros, stop = 0, start
        while stop < rows and np.array_equal(codes[stop], codes[start]):
            zeros += value_at[stop] == 0
            stop += 1
        middle = start + zeros
        for i in range(min(zeros, stop - middle)):
            partner[start + i], partner[middle + i] = middle + i, start + i
        start = stop
    return partner


@kernel
def pair_costs(ours: Ints, theirs: Ints, space: Space, stars: bool, stop: Flag) -> Costs:
    """Return the cost of every pair: how many columns differ, or the NCP, scaled to fill 31 bits.

    Rounding to whole numbers makes all that follows exact, for less than 1e-9 of GCP. What a row's code loses with each
    other code of its column is worked out once, and again only when the next row has another code. `theirs` has a
    line for each column.
    """
    pairs, columns = ours.shape
    scale = 1.0 if stars else float(LARGEST // columns)
    loss = np.empty(space.first[columns], np.float64)
    total = np.empty(pairs, np.float64)
    cost = np.empty((pairs, pairs), np.int32)
    for i in range(pairs):
        if stop[0]:
            break
        total[:] = 0.0
        for c in range(columns):
            first, size, code = space.first[c], space.first[c + 1] - space.first[c], ours[i, c]
            if i == 0 or code != ours[i - 1, c]:
                for other in range(size):
                    if stars:
                        loss[first + other] = 0.0 if other == code else 1.0
                    else:
                        loss[first + other] = extent_loss(space, c, min(code, other), max(code, other))
            for j in range(pairs):
                total[j] += loss[first + theirs[c, j]]
        for j in range(pairs):
            cost[i, j] = np.int32(scale * total[j] + 0.5)
    return cost


class Paths(NamedTuple):
    """For each column: the price asked, the distance of the shortest path known, and the line that it comes from.

    Columns that have been visited are out of the way: nobody can afford them, and they are far. `block_minimum` is the
    shortest distance in each block of columns.
    """

    asking_price: Wide
    distance: Wide
    reached_from: Wide
    block_minimum: Wide


@kernel
def match(cost: Costs, entering: Wide, stop: Flag) -> tuple[Wide, Wide]:
    """Return the column that each line is matched with, at the least sum of costs, and the prices of the columns.

    The prices prove it: each line has the column where its cost less the price is smallest. Lines enter one by one, in
    the order given, and each takes the shortest path to a free column: from a line to a column, for what this costs
    it beyond what it pays now, and on to the line that has that column and has to move.
    """
    size = cost.shape[0]
    price = np.full(size, LARGEST, np.int64)
    for line in range(size):
        for column in range(size):
            price[column] = min(price[column], np.int64(cost[line, column]))
    line_of = np.full(size, -1, np.int64)
    column_of = np.full(size, -1, np.int64)
    blocks = np.empty(-(-size // BLOCK), np.int64)
    paths = Paths(price.copy(), np.empty(size, np.int64), np.empty(size, np.int64), blocks)
    visited = np.empty(size, np.int64)
    distance_of = np.empty(size, np.int64)
    for start in entering:
        if stop[0]:
            break
        paths.distance[:] = FAR
        shortest = reach(paths, cost[start], start, 0)
        seen = 0
        while True:
            done = seen
            end, seen = nearest(paths, shortest, line_of, visited, seen)
            if end >= 0:
                break
            distance_of[done:seen] = shortest
            here = shortest
            for i in range(done, seen):
                line = line_of[visited[i]]
                paid = cost[line, visited[i]] - price[visited[i]] - here
                shortest = reach(paths, cost[line], line, paid)
        for i in range(seen):
            price[visited[i]] += distance_of[i] - shortest
            paths.asking_price[visited[i]] = price[visited[i]]
        while end >= 0:
            line = paths.reached_from[end]
            line_of[end] = line
            column_of[line], end = end, column_of[line]
    return column_of, price


@kernel
def reach(paths: Paths, costs: Costs, line: int, paid: int) -> int:
    """Extend the shortest paths from a line to all columns; return the distance of the nearest one.

    All the time goes here: no branches, so that it is done in vectors.
    """
    shortest = FAR
    for block in range(paths.block_minimum.shape[0]):
        here = FAR
        start, stop = block * BLOCK, min(costs.shape[0], (block + 1) * BLOCK)
        cost, asking_price = costs[start:stop], paths.asking_price[start:stop]
        distance, reached_from = paths.distance[start:stop], paths.reached_from[start:stop]
        for i in range(stop - start):
            through = cost[i] - asking_price[i] - paid
            known = distance[i]
            nearer = through < known
            now = through if nearer else known
            distance[i] = now
            reached_from[i] = line if nearer else reached_from[i]
            here = min(here, now)
        paths.block_minimum[block] = here
        shortest = min(shortest, here)
    return shortest


@kernel
def nearest(paths: Paths, shortest: int, line_of: Wide, visited: Wide, seen: int) -> tuple[int, int]:
    """Return a free column at the shortest distance, or −1 if all there are taken: then visit them all.

    Returns how many columns have been visited too; `seen` of them are in `visited` already.
    """
    start = seen
    for block in range(paths.block_minimum.shape[0]):
        if paths.block_minimum[block] == shortest:
            for column in range(block * BLOCK, min(line_of.shape[0], (block + 1) * BLOCK)):
                if paths.distance[column] == shortest:
                    if line_of[column] < 0:
                        return column, start
                    visited[seen] = column
                    seen += 1
    for i in range(start, seen):
        paths.distance[visited[i]] = FAR
        paths.asking_price[visited[i]] = -2 * FAR
    return -1, seen
