"""A new group from a row and the members of a group that are nearest to it."""

from __future__ import annotations

from ..runtime.jit import frugal_kernel, inner_kernel
from ..space import Ints
from .groups import SAME, Groups, Rows, measure, open_group, put, take
from .losses import column_loss


@frugal_kernel
def bud(rows: Rows, groups: Groups, row: int, group: int) -> None:
    """Make a new group of a row and its nearest in a group, which may be its own; the groups it leaves change, too.

    Those are to be measured by whoever calls.
    """
    sort_members(rows, groups, group, row)
    new = open_group(groups)
    take(groups, row)
    put(groups, row, new)
    for other in groups.trial.member[: rows.threshold - 1]:
        take(groups, other)
        put(groups, other, new)
    measure(rows, groups, new)


@frugal_kernel
def budded_loss(rows: Rows, groups: Groups, group: int, row: int) -> float:
    """Return rows times NCP of what becomes of a group, and a row that comes to it, by budding."""
    count = sort_members(rows, groups, group, row)
    near, rest = groups.trial.member[: rows.threshold - 1], groups.trial.member[rows.threshold - 1 : count]
    budded = (near.shape[0] + 1) * box_loss(rows, near, row)
    return float(budded + rest.shape[0] * box_loss(rows, rest, rest[0]))


@frugal_kernel
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


@frugal_kernel
def sort_members(rows: Rows, groups: Groups, group: int, row: int) -> int:
    """List the members of a group but for the row itself, the nearest first; of equal ones by their slots.

    Return how many there are. The trial has the list until the next one. Groups are small: it is sorted by insertion.
    """
    size = groups.size[group]
    nearest, distance = groups.trial.member, groups.trial.distance
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
    return count


@inner_kernel
def pair_loss(rows: Rows, row: int, other: int) -> float:
    """Return the NCP of two rows."""
    loss = 0.0
    for c in range(rows.codes.shape[1]):
        code, code_there = rows.codes[row, c], rows.codes[other, c]
        loss += column_loss(rows.losses, c, min(code, code_there), max(code, code_there))
    return loss
