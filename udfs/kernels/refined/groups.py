"""Groups that rows come to and leave, each with what is needed to tell at once what one row more or less would cost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.jit import frugal_kernel, inner_kernel, kernel
from ..space import Floats, Ints, Wide
from .losses import Losses, column_loss

LOW, HIGH, NEXT_LOW, NEXT_HIGH = 0, 1, 2, 3
"""The lowest and highest code of a group in a column, and those of the row beside it: the same if two rows have it."""
MARKS = 62
"""Values have a mark each, a bit; more values than that share them."""
SAME = 1e-9
"""Losses that differ by less are the same: which one rounding favours must not decide."""
USED, FREE = 0, 1
"""Of `numbers`: the groups in use, and the numbers that were in use before and are not now."""


SHRUNK, WIDENED = 0, 1
"""The lines of a trial: the group that a row is considered to leave, and the one that it is considered to come to."""


class Trial(NamedTuple):
    """Room to try things in: the boxes that two groups would have, and their losses by column; members of a group, and
    how far they are from a row.
    """

    low: Ints
    high: Ints
    loss: Floats
    member: Ints
    distance: Floats


class Rows(NamedTuple):
    """The table: codes has a line per row; so has `apart`, columns in which the rows of a group must differ.

    `threshold`: how many rows a group has at least: k or l. `shared`: whether values share marks.
    """

    codes: Ints
    apart: Ints
    threshold: int
    shared: bool
    losses: Losses


class Groups(NamedTuple):
    """By group: its rows, `size` of them, in the order they came; its box, by column; its NCP; the marks of its values.

    `least`: the smallest NCP that it could have without one of its rows. By row: its group, its slot there, and the NCP
    of the group without it.
    """

    member: Ints
    size: Wide
    box: Ints
    loss: Floats
    marks: Wide
    least: Floats
    group_of: Ints
    slot: Ints
    without: Floats
    free: Wide
    numbers: Wide
    trial: Trial


def share_marks(apart: Ints) -> bool:
    """Whether some column in which rows must differ has more values than there are marks."""
    return bool(apart.max(initial=0) >= MARKS)


def gather_groups(rows: Rows, group_of: Ints) -> Groups:
    """Return the groups of rows, numbered from 0 without gaps."""
    most = max(rows.codes.shape[0] // rows.threshold, int(group_of.max()) + 1) + 1  # one is being dissolved
    room = max(3 * rows.threshold, int(np.bincount(group_of).max()) + 1)
    return gather(rows, group_of, most, room)


@kernel
def gather(rows: Rows, group_of: Ints, most: int, room: int) -> Groups:
    """Return up to `most` groups, of up to `room` rows."""
    n, columns = rows.codes.shape
    groups = Groups(
        np.empty((most, room), np.int32), np.zeros(most, np.int64), np.empty((most, columns, 4), rows.codes.dtype),
        np.zeros(most), np.zeros((most, rows.apart.shape[1]), np.int64), np.zeros(most),
        np.full(n, -1, np.int32), np.zeros(n, np.int32), np.zeros(n), np.empty(most, np.int64), np.zeros(2, np.int64),
        Trial(
            np.empty((2, columns), np.int32), np.empty((2, columns), np.int32), np.empty((2, columns)),
            np.empty(room, np.int32), np.empty(room),
        ),
    )  # fmt: skip
    for row in range(n):
        put(groups, row, group_of[row])
        groups.numbers[USED] = max(groups.numbers[USED], group_of[row] + 1)
    for group in range(groups.numbers[USED]):
        measure(rows, groups, group)
    return groups


@inner_kernel
def put(groups: Groups, row: int, group: int) -> None:
    """Make a row the last member of a group, which is then to be measured."""
    groups.member[group, groups.size[group]] = row
    groups.group_of[row] = group
    groups.slot[row] = groups.size[group]
    groups.size[group] += 1


@inner_kernel
def take(groups: Groups, row: int) -> None:
    """Take a row out of its group, which is then to be measured; the last member gets its slot."""
    group = groups.group_of[row]
    groups.size[group] -= 1
    last = groups.member[group, groups.size[group]]
    groups.member[group, groups.slot[row]] = last
    groups.slot[last] = groups.slot[row]


@frugal_kernel
def open_group(groups: Groups) -> int:
    """Return the number of a new group, without rows."""
    if groups.numbers[FREE] > 0:
        groups.numbers[FREE] -= 1
        return int(groups.free[groups.numbers[FREE]])
    groups.numbers[USED] += 1
    return int(groups.numbers[USED]) - 1


@frugal_kernel
def close_group(groups: Groups, group: int) -> None:
    """Give up the number of a group without rows."""
    groups.loss[group] = 0.0
    groups.free[groups.numbers[FREE]] = group
    groups.numbers[FREE] += 1


@inner_kernel
def mark(value: int) -> int:
    """Return the bit of a value."""
    return 1 << int(value % MARKS)


@frugal_kernel
def measure(rows: Rows, groups: Groups, group: int) -> None:
    """Fill in the box of a group, its NCP, its marks, and its NCP without each of its rows."""
    members = groups.member[group, : groups.size[group]]
    loss = 0.0
    for row in members:
        groups.without[row] = 0.0
    for c in range(rows.codes.shape[1]):
        lowest = highest = members[0]
        low = high = int(rows.codes[lowest, c])
        next_low, next_high = int(rows.losses.size[c]), -1
        for row in members[1:]:
            code = int(rows.codes[row, c])
            # no branches: which row is lower is as good as random
            lowest = row if code < low else lowest
            highest = row if code > high else highest
            next_low, low = min(next_low, max(low, code)), min(low, code)
            next_high, high = max(next_high, min(high, code)), max(high, code)
        box = groups.box[group, c]
        box[LOW], box[HIGH], box[NEXT_LOW], box[NEXT_HIGH] = low, high, next_low, next_high
        whole = column_loss(rows.losses, c, low, high)
        loss += whole
        if members.shape[0] > 1 and low < next_low:
            groups.without[lowest] += column_loss(rows.losses, c, next_low, high) - whole
        if members.shape[0] > 1 and next_high < high:
            groups.without[highest] += column_loss(rows.losses, c, low, next_high) - whole
    groups.loss[group] = loss
    groups.least[group] = loss
    for row in members:
        groups.without[row] += loss
        groups.least[group] = min(groups.least[group], groups.without[row])
    for a in range(rows.apart.shape[1]):
        marks = 0
        for row in members:
            marks |= mark(rows.apart[row, a])
        groups.marks[group, a] = marks


@frugal_kernel
def widen(rows: Rows, groups: Groups, group: int, row: int) -> float:
    """Return the NCP of a group with one more row."""
    loss = 0.0
    for c in range(rows.codes.shape[1]):
        code = rows.codes[row, c]
        loss += column_loss(rows.losses, c, min(groups.box[group, c, LOW], code), max(groups.box[group, c, HIGH], code))
    return loss


@inner_kernel
def consider_leaving(rows: Rows, groups: Groups, group: int, row: int) -> None:
    """Note the box of a group, of two rows or more, without one of them."""
    trial = groups.trial
    for c in range(rows.codes.shape[1]):
        code = rows.codes[row, c]
        low, high = groups.box[group, c, LOW], groups.box[group, c, HIGH]
        if code == low:
            low = groups.box[group, c, NEXT_LOW]
        if code == high:
            high = groups.box[group, c, NEXT_HIGH]
        trial.low[SHRUNK, c], trial.high[SHRUNK, c] = low, high
        trial.loss[SHRUNK, c] = column_loss(rows.losses, c, low, high)


@inner_kernel
def consider_coming(rows: Rows, groups: Groups, group: int, row: int) -> float:
    """Note the box of a group with one more row; return its NCP."""
    trial = groups.trial
    loss = 0.0
    for c in range(rows.codes.shape[1]):
        code = rows.codes[row, c]
        low, high = min(groups.box[group, c, LOW], code), max(groups.box[group, c, HIGH], code)
        trial.low[WIDENED, c], trial.high[WIDENED, c] = low, high
        trial.loss[WIDENED, c] = column_loss(rows.losses, c, low, high)
        loss += trial.loss[WIDENED, c]
    return loss


@inner_kernel
def stand_in(rows: Rows, groups: Groups, row: int) -> float:
    """Return the NCP of the group that another row is considered to leave, with a row in its stead."""
    trial = groups.trial
    loss = 0.0
    for c in range(rows.codes.shape[1]):
        code = rows.codes[row, c]
        loss += column_loss(rows.losses, c, min(trial.low[SHRUNK, c], code), max(trial.high[SHRUNK, c], code))
    return loss


@inner_kernel
def replace(rows: Rows, groups: Groups, group: int, gone: int, come: int) -> float:
    """Return the NCP of a group, of two rows or more, with a row in the stead of one of them."""
    loss = 0.0
    for c in range(rows.codes.shape[1]):
        code = rows.codes[gone, c]
        low, high = groups.box[group, c, LOW], groups.box[group, c, HIGH]
        low = groups.box[group, c, NEXT_LOW] if code == low else low
        high = groups.box[group, c, NEXT_HIGH] if code == high else high
        code = rows.codes[come, c]
        loss += column_loss(rows.losses, c, min(low, code), max(high, code))
    return loss


@inner_kernel
def admits(rows: Rows, groups: Groups, group: int, row: int, leaving: int) -> bool:
    """Whether a group without a member (−1: with all) has none of the values of a row, which has to stay apart."""
    for a in range(rows.apart.shape[1]):
        value = rows.apart[row, a]
        if groups.marks[group, a] & mark(value) == 0:
            continue
        if leaving >= 0 and rows.apart[leaving, a] == value:
            continue  # values of a group are different, so no other member has it
        if not rows.shared:
            return False
        for i in range(groups.size[group]):
            if groups.member[group, i] != leaving and rows.apart[groups.member[group, i], a] == value:
                return False
    return True
