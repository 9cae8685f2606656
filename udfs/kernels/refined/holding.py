"""Groups that keep a requirement: whether they still do after a change is decided by a look at all of their rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..requirement.holds import rows_hold
from ..requirement.requirement import Requirement, Tally, Values, make_tally
from ..runtime.jit import frugal_kernel
from ..space import Wide
from .groups import Groups

NOBODY = -1
"""In the stead of a row: none leaves, or none comes."""


class Room(NamedTuple):
    """Room to list rows and to count values in; `seen` is 0, before and after, as the tally is."""

    listed: Wide
    tally: Tally
    seen: Wide


class Bounds(NamedTuple):
    """The requirement of groups. Row i of the groups is row number[i] of the values. `fewest`: rows that any has."""

    requirement: Requirement
    fewest: int
    values: Values
    number: Wide
    room: Room


def make_room(values: Values) -> Room:
    """Return room for the rows and the values of a table."""
    return Room(np.empty(values.number.shape[1], np.int64), make_tally(values), np.zeros(values.whole.size, np.int64))


@frugal_kernel
def holds(groups: Groups, bounds: Bounds, group: int, gone: int, come: int) -> bool:
    """Whether a group without one row and with another one keeps the requirement; either may be nobody."""
    count = 0
    for member in groups.member[group, : groups.size[group]]:
        if member != gone:
            bounds.room.listed[count] = bounds.number[member]
            count += 1
    if come != NOBODY:
        bounds.room.listed[count] = bounds.number[come]
        count += 1
    return rows_hold(bounds.values, bounds.room.listed[:count], bounds.requirement, bounds.room.tally)


@frugal_kernel
def may_exchange(groups: Groups, bounds: Bounds, row: int, other: int) -> bool:
    """Whether two rows may change places: with the same values, they always may."""
    same = True
    for a in range(bounds.values.number.shape[0]):
        same = same and bounds.values.number[a, bounds.number[row]] == bounds.values.number[a, bounds.number[other]]
    return same or (
        holds(groups, bounds, groups.group_of[row], row, other)
        and holds(groups, bounds, groups.group_of[other], other, row)
    )


@frugal_kernel
def has_room(groups: Groups, group: int) -> bool:
    """Whether one more row can come to a group."""
    return bool(groups.size[group] < groups.member.shape[1])
