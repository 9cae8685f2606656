"""All boxes that a group could publish, and the numbers u that keep every one of them.

A box is a label for each tree, and an interval for each column of numbers. A branch of the walk ends where no box below
can be broken: what it loses already is as much as the mean of its best rows. The intervals of the last column are swept
with one list of best rows, not walked one by one.

u is only ever lowered. So a box that was kept once stays kept.
"""

from __future__ import annotations

from ..runtime.jit import kernel
from ..space import Flag, Floats, Space
from .items import Items
from .pool import Pool, add_cut
from .top import LISTED, Top, clear, counted_rows, insert, is_full, mean_of_top
from .walk import Walk, gap_loss, list_bins, list_runs, sort_members

TOLERANCE = 1e-7
"""By how much the mean of the best rows of a box may be above its loss; it is taken off in the end."""


@kernel
def keep_boxes(space: Space, items: Items, walk: Walk, top: Top, u: Floats, pool: Pool, most: int, stop: Flag) -> int:
    """Lower u until every box keeps it; put what was broken in the pool. Return how many items were looked at.

    If it is more than `most`, the walk has ended early, and nobody knows whether boxes are kept.
    """
    depth = 0
    work = int(walk.member.shape[1])
    last = walk.columns.shape[0] - 1
    for item in range(work):
        walk.member[0, item] = item
    walk.left[0] = work
    walk.lost[0] = 0.0
    if last > 0:
        list_runs(space, items, walk, 0)
    else:
        sweep(space, items, walk, top, u, pool)
    while depth >= 0 and last > 0 and work <= most and not stop[0]:
        run = walk.next_run[depth]
        if run == walk.runs[depth]:
            depth -= 1
            continue
        walk.next_run[depth] += 1
        lost = walk.lost[depth] + walk.cost[depth, run]
        work += walk.stop[depth, run] - walk.start[depth, run]
        if not may_break(items, walk, top, u, depth, run, lost):
            continue
        below = depth + 1
        walk.left[below] = walk.stop[depth, run] - walk.start[depth, run]
        for i in range(walk.left[below]):
            walk.member[below, i] = walk.member[depth, walk.start[depth, run] + i]
        walk.lost[below] = lost
        if below == last:
            work += sweep(space, items, walk, top, u, pool)
        else:
            list_runs(space, items, walk, below)
            depth = below
    return int(work)


@kernel
def may_break(items: Items, walk: Walk, top: Top, u: Floats, depth: int, run: int, lost: float) -> bool:
    """Whether the best rows of a run have a mean above what it has lost already."""
    highest = 0.0
    for i in range(walk.start[depth, run], walk.stop[depth, run]):
        highest = max(highest, u[walk.member[depth, i]])
    if highest <= lost:
        return False
    clear(top)
    for i in range(walk.start[depth, run], walk.stop[depth, run]):
        item = walk.member[depth, i]
        insert(top, items, item, u[item])
    return is_full(top) and mean_of_top(top) > lost + TOLERANCE


@kernel
def sweep(space: Space, items: Items, walk: Walk, top: Top, u: Floats, pool: Pool) -> int:
    """Keep the intervals of the last column, for what is left of the others. Return how many items were looked at.

    An interval whose best rows do without those of its first code is no worse than the one that starts behind it. But
    lowering u may bring them back, so the sweep is repeated until nothing is lowered.
    """
    depth = walk.columns.shape[0] - 1
    column = walk.columns[depth]
    lost = walk.lost[depth]
    if column < 0:
        walk.bin_start[0] = 0
        walk.bin_start[1] = walk.left[depth]
        keep_interval(items, walk, top, u, pool, 0, 0, lost)
        return int(walk.left[depth])
    clear(top)
    for i in range(walk.left[depth]):
        insert(top, items, walk.member[depth, i], u[walk.member[depth, i]])
    if not is_full(top):
        return 0
    ceiling = mean_of_top(top)
    sort_members(items, walk, depth, column)
    bins = list_bins(items, walk, depth, column, walk.bins[0])
    work = 0
    first = 0
    broken = False
    while first < bins or broken:
        if first == bins:
            first = 0
            broken = False
        clear(top)
        end_code = items.codes[walk.member[depth, walk.bin_start[first + 1] - 1], column]
        for last in range(first, bins):
            width = gap_loss(space, items, walk, depth, column, first, last)
            if ceiling <= lost + width + TOLERANCE:
                break
            for i in range(walk.bin_start[last], walk.bin_start[last + 1]):
                insert(top, items, walk.member[depth, i], u[walk.member[depth, i]])
            work += walk.bin_start[last + 1] - walk.bin_start[last]
            if not is_full(top):
                continue
            if not lists_any_up_to(items, top, column, end_code):
                break
            if mean_of_top(top) > lost + width + TOLERANCE:
                keep_interval(items, walk, top, u, pool, first, last, lost + width)
                broken = True
        first += 1
    return int(work)


@kernel
def lists_any_up_to(items: Items, top: Top, column: int, code: int) -> bool:
    """Whether the list has an item whose code of a column is not above this one."""
    at = 0
    while at < top.state[LISTED] and items.codes[top.item[at], column] > code:
        at += 1
    return bool(at < top.state[LISTED])


@kernel
def keep_interval(
    items: Items, walk: Walk, top: Top, u: Floats, pool: Pool, first: int, last: int, loss: float
) -> None:
    """Lower u until the best rows of an interval have a mean of at most its loss."""
    member = walk.member[walk.columns.shape[0] - 1]
    while True:
        clear(top)
        for i in range(walk.bin_start[first], walk.bin_start[last + 1]):
            insert(top, items, member[i], u[member[i]])
        if not is_full(top):
            return
        excess = mean_of_top(top) - loss
        if excess <= TOLERANCE:
            return
        add_cut(pool, items, top, loss)
        norm = 0.0
        for at in range(top.state[LISTED]):
            rows = counted_rows(top, at)
            norm += rows * rows / items.weight[top.item[at]]
        for at in range(top.state[LISTED]):
            item = top.item[at]
            u[item] -= excess * top.size * counted_rows(top, at) / items.weight[item] / norm
