"""Refinement: exchange rows of the same sensitive value between groups while the loss falls.

Two rows that share their sensitive value can trade places without any group's sensitive values changing,
so whatever diversity a partition promises, it still does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .jit import kernel
from .loss import extent_loss
from .space import Flag, Floats, Ints, Space, Wide


class Groups(NamedTuple):
    """Who is in each group, and its extent and loss by column."""

    start: Wide
    member: Ints
    slot: Ints
    low: Ints
    high: Ints
    loss: Floats


@kernel
def swap_alike(codes: Ints, space: Space, value_at: Ints, group_at: Ints, count: int, window: int, stop: Flag) -> int:
    """Try each row against the next `window` rows of its sensitive value; return the number of exchanges.

    Rows are known by their place in curve order: codes has a line, value_at and group_at an item per place.
    group_at, numbers 0 … count − 1, is changed in place; groups keep their sizes and their sensitive values.
    """
    n, columns = codes.shape
    next_alike = chain_alike(value_at)
    groups = measure_groups(codes, space, group_at, count)
    low = np.empty((2, columns), np.int32)
    high = np.empty((2, columns), np.int32)
    loss = np.empty((2, columns), np.float64)
    exchanges = 0
    for row in range(n):
        if stop[0]:
            break
        other = row
        for _ in range(window):
            other = next_alike[other]
            if other < 0:
                break
            here, there = group_at[row], group_at[other]
            if here == there:
                continue
            change = replace(codes, space, groups, here, row, other, low[0], high[0], loss[0])
            change += replace(codes, space, groups, there, other, row, low[1], high[1], loss[1])
            if change < -1e-9:
                for side, group in enumerate((here, there)):
                    groups.low[group] = low[side]
                    groups.high[group] = high[side]
                    groups.loss[group] = loss[side]
                group_at[row], group_at[other] = there, here
                ours, theirs = groups.slot[row], groups.slot[other]
                groups.member[ours], groups.member[theirs] = other, row
                groups.slot[row], groups.slot[other] = theirs, ours
                exchanges += 1
    return exchanges


@kernel
def total_loss(codes: Ints, space: Space, group_at: Ints, count: int) -> float:
    """Return the sum over groups of rows times NCP."""
    groups = measure_groups(codes, space, group_at, count)
    loss = 0.0
    for group in range(count):
        loss += (groups.start[group + 1] - groups.start[group]) * groups.loss[group].sum()
    return float(loss)


@kernel
def replace(
    codes: Ints, space: Space, groups: Groups, group: int, out: int, into: int, low: Ints, high: Ints, loss: Floats
) -> float:
    """Return by how much rows times NCP of a group rises when row `into` takes the place of row `out`.

    Fills low, high and loss with what the group would have. Its members are looked at again only in columns
    where `out` is at an end that it may be alone at.
    """
    change = 0.0
    for c in range(codes.shape[1]):
        lowest, highest = groups.low[group, c], groups.high[group, c]
        low[c], high[c], loss[c] = lowest, highest, groups.loss[group, c]
        gone, come = codes[out, c], codes[into, c]
        if gone == come or (lowest < gone < highest and lowest <= come <= highest):
            continue
        if lowest < highest and gone in (lowest, highest):
            lowest = highest = come
            for i in range(groups.start[group], groups.start[group + 1]):
                row = groups.member[i]
                if row != out:
                    lowest = min(lowest, codes[row, c])
                    highest = max(highest, codes[row, c])
        elif groups.start[group + 1] - groups.start[group] == 1:
            lowest = highest = come
        else:
            lowest, highest = min(lowest, come), max(highest, come)
        low[c], high[c] = lowest, highest
        loss[c] = extent_loss(space, c, lowest, highest)
        change += loss[c] - groups.loss[group, c]
    return float(change * (groups.start[group + 1] - groups.start[group]))


@kernel
def measure_groups(codes: Ints, space: Space, group_at: Ints, count: int) -> Groups:
    """List the members of each group and take its extent and loss by column."""
    columns = codes.shape[1]
    start, member, slot = list_members(group_at, count)
    low = np.empty((count, columns), np.int32)
    high = np.empty((count, columns), np.int32)
    loss = np.empty((count, columns), np.float64)
    for group in range(count):
        low[group] = codes[member[start[group]]]
        high[group] = low[group]
        for i in range(start[group] + 1, start[group + 1]):
            for c in range(columns):
                low[group, c] = min(low[group, c], codes[member[i], c])
                high[group, c] = max(high[group, c], codes[member[i], c])
        for c in range(columns):
            loss[group, c] = extent_loss(space, c, low[group, c], high[group, c])
    return Groups(start, member, slot, low, high, loss)


@kernel
def chain_alike(value_at: Ints) -> Ints:
    """Return, for each place, the next one with the same value; −1 after the last."""
    last = np.full(value_at.max() + 1, -1, np.int32)
    following = np.empty(value_at.shape[0], np.int32)
    for place in range(value_at.shape[0] - 1, -1, -1):
        following[place] = last[value_at[place]]
        last[value_at[place]] = place
    return following


@kernel
def list_members(group_at: Ints, groups: int) -> tuple[Wide, Ints, Ints]:
    """Return where each group's members start, the members group by group, and each one's slot there."""
    n = group_at.shape[0]
    start = np.zeros(groups + 1, np.int64)
    for place in range(n):
        start[group_at[place] + 1] += 1
    for group in range(groups):
        start[group + 1] += start[group]
    free = start[:-1].copy()
    member = np.empty(n, np.int32)
    slot = np.empty(n, np.int32)
    for place in range(n):
        slot[place] = free[group_at[place]]
        member[slot[place]] = place
        free[group_at[place]] += 1
    return start, member, slot
