"""Dissolving a group: each of its rows goes to the best of some groups near it."""

from __future__ import annotations

import numpy as np

from ..runtime.jit import frugal_kernel, kernel
from .budding import bud, sort_members
from .groups import USED, Groups, Rows, admits, close_group, measure, put, take, widen
from .neighbours import Neighbours, neighbour

TRIES = 12
"""Rows near each row whose groups may have it."""


@frugal_kernel
def dissolve(rows: Rows, groups: Groups, neighbours: Neighbours, group: int, draw: int, allowed: float) -> bool:
    """Dissolve a group if that adds no more than allowed to rows times NCP; say if it did. Large groups are split."""
    members = groups.member[group, : groups.size[group]]  # the list stays there: no row can come to it meanwhile
    added = -members.shape[0] * groups.loss[group]
    groups.size[group] = 0
    moved = 0
    for row in members:
        there, change = best_near(rows, groups, neighbours, row, group, draw)
        added += change
        if there < 0:
            break
        put(groups, row, there)
        measure(rows, groups, there)
        moved += 1
    if moved < members.shape[0] or added > allowed:
        for row in members[:moved]:
            there = groups.group_of[row]
            take(groups, row)
            measure(rows, groups, there)
        for row in members:
            put(groups, row, group)
        measure(rows, groups, group)
        return False
    for row in members:
        if groups.size[groups.group_of[row]] >= 2 * rows.threshold:
            split(rows, groups, groups.group_of[row])
    close_group(groups, group)
    return True


@frugal_kernel
def best_near(
    rows: Rows, groups: Groups, neighbours: Neighbours, row: int, leaving: int, draw: int
) -> tuple[int, float]:
    """Return the group near a row, not the one it leaves, that loses least by it, and how much; −1 if none will do."""
    chosen, lowest = -1, np.inf
    for i in range(TRIES):
        there = groups.group_of[neighbour(neighbours, row, draw + i, draw)]
        size = groups.size[there]
        if there == leaving or size >= 3 * rows.threshold - 1:
            continue
        change = (size + 1) * widen(rows, groups, there, row) - size * groups.loss[there]
        if change < lowest and admits(rows, groups, there, row, -1):
            chosen, lowest = there, change
    return chosen, lowest


@kernel
def split_large(rows: Rows, groups: Groups) -> None:
    """Split groups until none has twice as many rows as it must have."""
    for group in range(groups.numbers[USED]):
        while groups.size[group] >= 2 * rows.threshold:
            split(rows, groups, group)


@frugal_kernel
def split(rows: Rows, groups: Groups, group: int) -> None:
    """Split a group in two: a row far from the others and those nearest to it bud. That never loses more."""
    count = sort_members(rows, groups, group, groups.member[group, groups.size[group] - 1])
    bud(rows, groups, groups.trial.member[count - 1], group)
    measure(rows, groups, group)
