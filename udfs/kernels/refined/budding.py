"""A new group from a row and the members of a group that are nearest to it."""

from __future__ import annotations

import numpy as np

from ..runtime.jit import kernel
from ..space import Ints
from .groups import SAME, Groups, Rows, measure, open_group, put, take
from .losses import column_loss


@kernel
def bud(rows: Rows, groups: Groups, row: int, group: int) -> None:
    """Make a new group of a row and its nearest in a group, which may be its own; the groups it leaves change, too.

    Those are to be measured by whoever calls.
    """
    nearest = nearest_members(rows, groups, group, row)
    new = open_group(groups)
    take(groups, row)
    put(groups, row, new)
    for other in nearest[: rows.threshold - 1]:
        take(groups, other)
        put(groups, other, new)
    measure(rows, groups, new)


@kernel
def budded_loss(rows: Rows, groups: Groups, group: int, row: int) -> float:
    """Return rows times NCP of what becomes of a group, and a row that comes to it, by budding."""
    nearest = nearest_members(rows, groups, group, row)
    near, rest = nearest[: rows.threshold - 1], nearest[rows.threshold - 1 :]
    budded = (near.shape[0] + 1) * box_loss(rows, near, row)
    return float(budded + rest.shape[0] * box_loss(rows, rest, rest[0]))


@kernel
def box_loss(rows: Rows, members: Ints, row: int) -> float:
    """Return the NCP of some rows and one more."""
    loss = 0.0
    for c in range(rows.codes.shape[1]):
        low = high = rows.codes[row, c]
        for member in members:
            low = min(low, rows.codes[member, c])
            high = max(high, rows.codes[member, c])
        loss += column_loss(rows.losses, c, low, high)
    return loss


@kernel
def nearest_members(rows: Rows, groups: Groups, group: int, row: int) -> Ints:
    """Return the members of a group but for the row itself, the nearest first; of equal ones by their slots.

    Groups are small, so they are sorted by insertion.
    """
    size = groups.size[group]
    nearest = np.empty(size, np.int32)
    distance = np.empty(size)
    count = 0
    for slot in range(size):
        member = groups.member[group, slot]
        if member == row:
            continue
        away = pair_loss(rows, row, member)
        at = count
        while at > 0 and distance[at - 1] > away + SAME:
            nearest[at], distance[at] = nearest[at - 1], distance[at - 1]
            at -= 1
        nearest[at], distance[at] = member, away
        count += 1
    return nearest[:count]


@kernel
def pair_loss(rows: Rows, row: int, other: int) -> float:
    """Return the NCP of two rows."""
    loss = 0.0
    for c in range(rows.codes.shape[1]):
        code, code_there = rows.codes[row, c], rows.codes[other, c]
        loss += column_loss(rows.losses, c, min(code, code_there), max(code, code_there))
    return loss
