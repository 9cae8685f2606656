"""Splits of groups that keep a requirement, where both halves do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..requirement.holds import rows_hold
from ..runtime.jit import kernel
from ..space import Flag, Ints
from .budding import pair_loss
from .groups import FREE, USED, Groups, Rows, measure, open_group, put, take
from .holding import Bounds


@kernel
def split_all(rows: Rows, groups: Groups, bounds: Bounds, stop: Flag) -> None:
    """Split groups, and their halves, where that is possible around the row farthest from their first."""
    for group in range(groups.numbers[USED]):
        while groups.size[group] >= 2 * bounds.fewest and not stop[0]:
            far = sort_by_distance(rows, groups, group, groups.member[group, 0])[-1]
            if not split_bounded(rows, groups, bounds, group, far):
                break


@kernel
def split_bounded(rows: Rows, groups: Groups, bounds: Bounds, group: int, row: int) -> bool:
    """Split a group in two if both halves hold; say if they do. That never loses more.

    Each value is halved: the rows with it that are nearer to a row go together. Of values with an odd number of rows,
    those that are in the middle are halved in the same way.
    """
    size = groups.size[group]
    unused = groups.numbers[FREE] + groups.size.shape[0] - groups.numbers[USED]
    if size < 2 * bounds.fewest or size < 2 or unused == 0 or groups.loss[group] == 0.0:
        return False
    members = sort_by_distance(rows, groups, group, row)
    near = halve_values(members, bounds)
    if not (half_holds(members, near, True, bounds) and half_holds(members, near, False, bounds)):
        return False
    new = open_group(groups)
    for i in range(size):
        if near[i]:
            take(groups, members[i])
            put(groups, members[i], new)
    measure(rows, groups, group)
    measure(rows, groups, new)
    return True


@kernel
def sort_by_distance(rows: Rows, groups: Groups, group: int, row: int) -> Ints:
    """Return the members of a group, those that are nearest to a row first; of equal ones by their slots."""
    members = groups.member[group, : groups.size[group]]
    distance = np.empty(members.shape[0])
    for i in range(members.shape[0]):
        distance[i] = pair_loss(rows, row, members[i])
    return members[np.argsort(distance, kind="mergesort")]


@kernel
def halve_values(members: Ints, bounds: Bounds) -> NDArray[np.bool_]:
    """Return which of some rows, the nearest first, go together: of each value of the first attribute, half."""
    count_of, seen = bounds.room.tally.count_of, bounds.room.seen
    value_of = bounds.values.number[0]
    for row in members:
        count_of[value_of[bounds.number[row]]] += 1
    near = np.zeros(members.shape[0], np.bool_)
    middle = np.zeros(members.shape[0], np.bool_)
    for i in range(members.shape[0]):
        value = value_of[bounds.number[members[i]]]
        seen[value] += 1
        near[i] = 2 * seen[value] <= count_of[value]
        middle[i] = 2 * seen[value] == count_of[value] + 1
    left = (middle.sum() + 1) // 2
    for i in range(members.shape[0]):
        if middle[i] and left > 0:
            near[i] = True
            left -= 1
    for row in members:
        value = value_of[bounds.number[row]]
        count_of[value] = seen[value] = 0
    return near


@kernel
def half_holds(members: Ints, near: NDArray[np.bool_], wanted: bool, bounds: Bounds) -> bool:
    """Whether the rows that are near, or those that are not, hold by themselves."""
    count = 0
    for i in range(members.shape[0]):
        if near[i] == wanted:
            bounds.room.listed[count] = bounds.number[members[i]]
            count += 1
    return rows_hold(bounds.values, bounds.room.listed[:count], bounds.requirement, bounds.room.tally)
