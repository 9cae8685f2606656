"""TopDown: halve the table around two rows far apart, and the halves again, until no half has 2k rows.

For other requirements than k rows, until neither half would keep them.

The paper leaves room, and we fill it so:
* Far apart: a row (any, by seed), the farthest row from it, the farthest from that one, and so on for a few rounds.
  The distance of two rows is the NCP of the pair.
* The other rows come in an order drawn by seed. Each joins the side whose rows times NCP it makes grow least; if both
  grow the same, as they do once both have the whole extent, the side whose first row is nearer; then the smaller side.
  Counting the rows matters: a side's NCP alone loses two to three times as much on Adult, more than the Hilbert curve.
* A side that ends up with fewer than k rows borrows from the other, one at a time, the row that widens it least. Only
  groups of at least 2k rows are split, so the other keeps k: all groups have k … 2k − 1 rows, none needs repair later.
* Where values matter, k is the fewest rows that a class can have. If a half does not hold, the group is split around
  other rows, a few times, and then cut as Mondrian does; if no cut holds, it stays whole.

Time n log n if the sides are about as large, n² at worst.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..along_curve.order import sort_along_curve
from ..hilbert.curve import hilbert_keys
from ..loss import extent_loss
from ..requirement.holds import rows_hold
from ..requirement.requirement import Requirement, Tally, Values, fewest_rows, make_tally, read_values
from ..runtime.interrupt import STOP, raise_if_interrupted
from ..runtime.jit import kernel
from ..space import Flag, Ints, Microdata, Space, Wide
from .mondrian import cut_widest, measure_part

ROUNDS = 3
"""How often the farthest row is looked for on the way to two rows far apart."""

ATTEMPTS = 4
"""How often a group is split until both halves hold."""

SAME = 1e-9
"""Losses that differ by less are the same: which one rounding favours must not decide."""


def k_groups(data: Microdata, k: int, *, seed: int = 0) -> Ints:
    """Return each row's group, of k … 2k − 1 rows."""
    return groups(data, Requirement(size=k), seed=seed)


def groups(data: Microdata, requirement: Requirement, *, seed: int = 0) -> Ints:
    """Return each row's group, which keeps the requirement. Assumes that all rows together do."""
    order = sort_along_curve(hilbert_keys(data.codes, data.space), data)
    arrival = order[np.random.default_rng(seed).permutation(order.size)]
    group_at = np.empty(order.size, np.int32)
    values = read_values(data, requirement)
    values = values._replace(number=np.ascontiguousarray(values.number[:, arrival]))
    codes = np.ascontiguousarray(data.codes.T[arrival])
    fewest = fewest_rows(requirement)
    halve(codes, data.space, values, requirement, fewest, make_tally(values), group_at, STOP)
    raise_if_interrupted()
    group_of = np.empty(order.size, np.int32)
    group_of[arrival] = group_at
    return group_of


@kernel
def halve(
    codes: Ints, space: Space, values: Values, requirement: Requirement, fewest: int, tally: Tally,
    group_at: Ints, stop: Flag,
) -> int:  # fmt: skip
    """Fill group_at; return the number of groups. codes has one line per row, in order of arrival.

    The rows of a group to be split are a stretch of `rows`, always in order of arrival.
    """
    n, columns = codes.shape
    rows = np.arange(n)
    side_of = np.empty(n, np.int8)
    moved = np.empty(n, np.int64)
    rows_of = np.zeros(n + 1, np.int64)
    low = np.empty((2, columns), np.int32)
    high = np.empty((2, columns), np.int32)
    # the smaller half is split first, so that few wait
    waiting = np.empty((64, 2), np.int64)
    waiting[0, 0], waiting[0, 1] = 0, n
    height = 1
    groups = 0
    while height > 0 and not stop[0]:
        height -= 1
        start, end = waiting[height, 0], waiting[height, 1]
        group = rows[start:end]
        size = 0
        if end - start >= 2 * fewest:
            size = split(
                codes, space, group, values, requirement, fewest, side_of, moved, low, high, rows_of, tally, stop
            )
        if size == 0:
            for row in group:
                group_at[row] = groups
            groups += 1
            continue
        middle = start + size
        left, right = (height, height + 1) if middle - start >= end - middle else (height + 1, height)
        waiting[left, 0], waiting[left, 1] = start, middle
        waiting[right, 0], waiting[right, 1] = middle, end
        height += 2
    return groups


@kernel
def split(
    codes: Ints, space: Space, group: Wide, values: Values, requirement: Requirement, fewest: int,
    side_of: NDArray[np.int8], moved: Wide, low: Ints, high: Ints, rows_of: Wide, tally: Tally, stop: Flag,
) -> int:  # fmt: skip
    """Split a group in two that keep the requirement; return the size of the first, which comes first in group now.

    0 if no attempt succeeds. Every attempt starts from another row; the last is a cut at the median of a column.
    """
    for attempt in range(ATTEMPTS):
        if stop[0]:
            break
        first, second = far_apart(codes, space, group, group[attempt * group.shape[0] // ATTEMPTS])
        size = join_sides(codes, space, group, first, second, side_of, low, high)
        if min(size, group.shape[0] - size) < fewest:
            small = 0 if size < fewest else 1
            missing = fewest - (size if small == 0 else group.shape[0] - size)
            borrow(codes, space, group, side_of, small, missing, low[small], high[small], stop)
        size = keep_sides_together(group, side_of, moved)
        if rows_hold(values, group[:size], requirement, tally) and rows_hold(values, group[size:], requirement, tally):
            return size
        group.sort()  # in order of arrival
    width = np.empty(codes.shape[1], np.float64)
    measure_part(codes, space, group, low[0], high[0], width)
    size = cut_widest(codes, group, low[0], high[0], width, values, requirement, fewest, rows_of, tally)
    group[:size].sort()
    group[size:].sort()
    return size


@kernel
def far_apart(codes: Ints, space: Space, group: Wide, start: int) -> tuple[int, int]:
    """Return two rows of the group far apart, different ones even if all rows are alike; the search starts from one."""
    one = other = start
    for _ in range(ROUNDS):
        one, other = farthest(codes, space, group, one), one
    return one, other


@kernel
def farthest(codes: Ints, space: Space, group: Wide, row: int) -> int:
    """Return the row of the group, not `row` itself, that is farthest from it; of equal ones the first."""
    chosen = -1
    most = -1.0
    for other in group:
        if other != row:
            distance = pair_loss(codes, space, row, other)
            if distance > most + SAME:
                chosen = other
                most = distance
    return chosen


@kernel
def join_sides(
    codes: Ints, space: Space, group: Wide, first: int, second: int, side_of: NDArray[np.int8], low: Ints, high: Ints
) -> int:
    """Let each row join side 0, around `first`, or 1, around `second`; fill in the sides' extents.

    Return the size of side 0.
    """
    for c in range(codes.shape[1]):
        low[0, c] = high[0, c] = codes[first, c]
        low[1, c] = high[1, c] = codes[second, c]
    side_of[first], side_of[second] = 0, 1
    sizes = np.ones(2, np.int64)
    loss = np.zeros(2)
    for row in group:
        if row in (first, second):
            continue
        wider = extended_loss(codes, space, row, low[0], high[0]), extended_loss(codes, space, row, low[1], high[1])
        growth = (sizes[0] + 1) * wider[0] - sizes[0] * loss[0]
        growth -= (sizes[1] + 1) * wider[1] - sizes[1] * loss[1]
        if abs(growth) < SAME:
            growth = pair_loss(codes, space, first, row) - pair_loss(codes, space, second, row)
        if abs(growth) < SAME:
            growth = float(sizes[0] - sizes[1])
        side = 0 if growth <= 0 else 1
        side_of[row] = side
        sizes[side] += 1
        loss[side] = wider[side]
        extend(codes, row, low[side], high[side])
    return int(sizes[0])


@kernel
def borrow(
    codes: Ints, space: Space, group: Wide, side_of: NDArray[np.int8],
    small: int, missing: int, low: Ints, high: Ints, stop: Flag,
) -> None:  # fmt: skip
    """Bring over to the small side, of this extent, the rows that widen it least, one after the other."""
    for _ in range(missing):
        if stop[0]:
            return
        chosen = -1
        lowest_loss = np.inf
        for row in group:
            if side_of[row] != small:
                loss = extended_loss(codes, space, row, low, high)
                if loss < lowest_loss - SAME:
                    chosen = row
                    lowest_loss = loss
        side_of[chosen] = small
        extend(codes, chosen, low, high)


@kernel
def keep_sides_together(group: Wide, side_of: NDArray[np.int8], moved: Wide) -> int:
    """Put the rows of side 0 before those of side 1, both in the order they were in; return the size of side 0."""
    size = 0
    others = 0
    for row in group:
        if side_of[row] == 0:
            group[size] = row
            size += 1
        else:
            moved[others] = row
            others += 1
    for i in range(others):
        group[size + i] = moved[i]
    return size


@kernel
def extended_loss(codes: Ints, space: Space, row: int, low: Ints, high: Ints) -> float:
    """Return the NCP, summed over the columns, of an extent when a row has joined it."""
    loss = 0.0
    for c in range(codes.shape[1]):
        loss += extent_loss(space, c, min(low[c], codes[row, c]), max(high[c], codes[row, c]))
    return loss


@kernel
def pair_loss(codes: Ints, space: Space, row: int, other: int) -> float:
    """Return the NCP of two rows."""
    return extended_loss(codes, space, row, codes[other], codes[other])


@kernel
def extend(codes: Ints, row: int, low: Ints, high: Ints) -> None:
    """Widen an extent to a row."""
    for c in range(codes.shape[1]):
        low[c] = min(low[c], codes[row, c])
        high[c] = max(high[c], codes[row, c])
