"""The walk through all boxes, column by column: the labels or intervals of the column at hand, and what each keeps.

Items that are left are sorted by the column; each label, and each interval, keeps a run of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.jit import kernel
from ..space import Floats, Space, Wide
from .items import Items

DIGIT = 8
"""Bits by which codes are sorted at a time."""

FEW = 24
"""Items that are sorted one by one."""


class Walk(NamedTuple):
    """The room that a walk needs. `columns`: the order of the columns; the last is swept, or -1 for none.

    By depth: `member`, the items that are left; `left`, how many; `start`, `stop`, `cost`: the runs of them that each
    label or interval keeps, and what it loses; `runs`, how many; `next_run`; `lost`, by the columns before.
    `bin_start`: where the bins of a column of numbers start. `bins`: the most of them, of a column that is swept, and
    of others.
    """

    columns: Wide
    member: Wide
    left: Wide
    start: Wide
    stop: Wide
    cost: Floats
    runs: Wide
    next_run: Wide
    lost: Floats
    spare: Wide
    bin_start: Wide
    bins: Wide


def room_for_walk(space: Space, items: Items, columns: Wide, bins: Wide) -> Walk:
    """Make room for walks over these items. The last of the columns is swept; -1 stands for none."""
    count, depth = items.weight.size, columns.size
    codes = int(np.diff(space.first).max(initial=1))
    most = max(2 * codes, int(bins[1] * (bins[1] + 1)) // 2)  # a label is listed if it joins two of the level below
    return Walk(
        columns=columns,
        member=np.empty((depth, count), np.int64),
        left=np.zeros(depth, np.int64),
        start=np.empty((depth, most), np.int64),
        stop=np.empty((depth, most), np.int64),
        cost=np.empty((depth, most)),
        runs=np.zeros(depth, np.int64),
        next_run=np.zeros(depth, np.int64),
        lost=np.zeros(depth),
        spare=np.empty(count, np.int64),
        bin_start=np.empty(max(int(bins.max()), 1) + 1, np.int64),
        bins=bins,
    )


@kernel
def list_runs(space: Space, items: Items, walk: Walk, depth: int) -> None:
    """Sort the items at a depth by its column, and list the run of each label or interval."""
    column = walk.columns[depth]
    sort_members(items, walk, depth, column)
    walk.runs[depth] = 0
    walk.next_run[depth] = 0
    if space.levels[column] == 0:
        list_intervals(space, items, walk, depth, column)
    else:
        list_labels(space, items, walk, depth, column)


@kernel
def add_run(walk: Walk, depth: int, start: int, stop: int, cost: float) -> None:
    """List a run of the items at a depth, and what its label or interval loses."""
    run = walk.runs[depth]
    walk.start[depth, run] = start
    walk.stop[depth, run] = stop
    walk.cost[depth, run] = cost
    walk.runs[depth] = run + 1


@kernel
def list_labels(space: Space, items: Items, walk: Walk, depth: int, column: int) -> None:
    """List the runs below each label, from the leaves up; one with the same items as a label below it says nothing."""
    member = walk.member[depth]
    count = walk.left[depth]
    size = space.first[column + 1] - space.first[column]
    for level in range(space.levels[column] + 1):
        start = 0
        for i in range(1, count + 1):
            code = items.codes[member[start], column]
            if i < count:
                other = items.codes[member[i], column]
                if code == other or (
                    node_above(space, column, level, code) == node_above(space, column, level, other)
                    and node_above(space, column, level, code) >= 0
                ):
                    continue
            end_code = items.codes[member[i - 1], column]
            if level == 0:
                add_run(walk, depth, start, i, 0.0)
            elif code != end_code and (
                node_above(space, column, level - 1, code) != node_above(space, column, level - 1, end_code)
            ):
                add_run(walk, depth, start, i, space.share[space.trees[column] + (level - 1) * size + code])
            start = i


@kernel
def node_above(space: Space, column: int, level: int, code: int) -> int:
    """Return the number of the node above a code at a level; 0 is the code itself. NULL has -1 below the root."""
    if level == 0:
        return code
    size = space.first[column + 1] - space.first[column]
    return int(space.ancestor[space.trees[column] + (level - 1) * size + code])


@kernel
def list_intervals(space: Space, items: Items, walk: Walk, depth: int, column: int) -> None:
    """List the runs of all intervals of bins; of those that lose everything, the widest stands for all."""
    bins = list_bins(items, walk, depth, column, walk.bins[1])
    for first in range(bins):
        for last in range(first, bins):
            cost = gap_loss(space, items, walk, depth, column, first, last)
            if cost < 1.0 or (first == 0 and last == bins - 1):
                add_run(walk, depth, walk.bin_start[first], walk.bin_start[last + 1], cost)


@kernel
def list_bins(items: Items, walk: Walk, depth: int, column: int, most: int) -> int:
    """List where bins of the sorted items start: one for each code, or, of many codes, so many bins. Return how many.

    The start after the last bin is there, too.
    """
    member = walk.member[depth]
    count = walk.left[depth]
    codes = 1
    for i in range(1, count):
        if items.codes[member[i], column] != items.codes[member[i - 1], column]:
            codes += 1
    walk.bin_start[0] = 0
    bins = 0
    for i in range(1, count):
        if items.codes[member[i], column] != items.codes[member[i - 1], column] and (
            codes <= most or i * most >= (bins + 1) * count
        ):
            bins += 1
            walk.bin_start[bins] = i
    walk.bin_start[bins + 1] = count
    return bins + 1


@kernel
def gap_loss(space: Space, items: Items, walk: Walk, depth: int, column: int, first: int, last: int) -> float:
    """Return what an interval from some code of one bin to some code of another loses at the very least."""
    if first == last:
        return 0.0
    member = walk.member[depth]
    low = items.codes[member[walk.bin_start[first + 1] - 1], column]
    high = items.codes[member[walk.bin_start[last]], column]
    offset = space.first[column]
    return min(1.0, float(space.position[offset + high] - space.position[offset + low]))


@kernel
def sort_members(items: Items, walk: Walk, depth: int, column: int) -> None:
    """Sort the items at a depth by their codes."""
    count = walk.left[depth]
    member = walk.member[depth]
    if count <= FEW:
        for i in range(1, count):
            item = member[i]
            at = i
            while at > 0 and items.codes[member[at - 1], column] > items.codes[item, column]:
                member[at] = member[at - 1]
                at -= 1
            member[at] = item
        return
    most = 0
    for i in range(count):
        most = max(most, items.codes[member[i], column])
    end = np.empty(2**DIGIT + 1, np.int64)
    shift = 0
    while most >> shift > 0:
        end[:] = 0
        for i in range(count):
            end[((items.codes[member[i], column] >> shift) & (2**DIGIT - 1)) + 1] += 1
        for digit in range(2**DIGIT):
            end[digit + 1] += end[digit]
        for i in range(count):
            digit = (items.codes[member[i], column] >> shift) & (2**DIGIT - 1)
            walk.spare[end[digit]] = member[i]
            end[digit] += 1
        for i in range(count):
            member[i] = walk.spare[i]
        shift += DIGIT
