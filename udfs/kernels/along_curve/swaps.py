"""Refinement: exchange rows of the same sensitive value between groups while the loss falls.

Two rows that share their sensitive value can trade places without any group's sensitive values changing,
so whatever diversity a partition promises, it still does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..loss import extent_loss
from ..runtime.jit import kernel
from ..space import Flag, Floats, Ints, Space, Wide


class Groups(NamedTuple):
    """Who is in each group, and its extent and loss by column."""

    start: Wide
    member: Ints
    slot: Ints
    low: Ints
    high: Ints
    loss: Floats


class Trial(NamedTuple):
    """The extent and loss that two groups would have after an exchange: a line for each of them."""

    low: Ints
    high: Ints
    loss: Floats


def swap_alike(codes: Ints, space: Space, value_at: Ints, group_at: Ints, count: int, window: int, stop: Flag) -> int:
    """Try each row against the next `window` rows of its sensitive value; return the number of exchanges.

    Rows are known by their position in curve order: codes has a line, value_at and group_at an item per position.
    group_at, numbers 0 … count − 1, is changed in place; groups keep their sizes and their sensitive values.
    """
    next_alike = np.empty(value_at.size, np.int32)
    chain_alike(value_at, next_alike, np.full(int(value_at.max()) + 1, -1, np.int64))
    groups = measure_groups(codes, space, group_at, count)
    shape = (2, codes.shape[1])
    trial = Trial(np.empty(shape, np.int32), np.empty(shape, np.int32), np.empty(shape))
    return exchange_alike(codes, space, next_alike, group_at, groups, trial, window, stop)


def total_loss(codes: Ints, space: Space, group_at: Ints, count: int) -> float:
    """Return the sum over groups of rows times NCP."""
    groups = measure_groups(codes, space, group_at, count)
    by_group = groups.loss.cumsum(axis=1)[:, -1]  # a sum would round differently for many columns than for few
    return float((np.diff(groups.start) * by_group).cumsum()[-1])


def measure_groups(codes: Ints, space: Space, group_at: Ints, count: int) -> Groups:
    """List the members of each group and take its extent and loss by column."""
    shape = (count, codes.shape[1])
    extents = np.empty(shape, np.int32), np.empty(shape, np.int32), np.empty(shape)
    groups = Groups(*list_members(group_at, count), *extents)
    take_extents(codes, space, groups)
    return groups


def list_members(group_at: Ints, groups: int) -> tuple[Wide, Ints, Ints]:
    """Return where each group's members start, the members group by group, and each one's slot there."""
    start = np.zeros(groups + 1, np.int64)
    np.cumsum(np.bincount(group_at, minlength=groups), out=start[1:])
    member, slot = np.empty(group_at.size, np.int32), np.empty(group_at.size, np.int32)
    fill_slots(group_at, start[:-1].copy(), member, slot)
    return start, member, slot


@kernel
def exchange_alike(
    codes: Ints, space: Space, next_alike: Ints, group_at: Ints, groups: Groups, trial: Trial, window: int, stop: Flag
) -> int:
    """Do what swap_alike says; groups are kept up to date."""
    exchanges = 0
    for row in range(codes.shape[0]):
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
            change = replace(codes, space, groups, here, row, other, trial, 0)
            change += replace(codes, space, groups, there, other, row, trial, 1)
            if change < -1e-9:
                keep(groups, here, trial, 0)
                keep(groups, there, trial, 1)
                group_at[row], group_at[other] = there, here
                ours, theirs = groups.slot[row], groups.slot[other]
                groups.member[ours], groups.member[theirs] = other, row
                groups.slot[row], groups.slot[other] = theirs, ours
                exchanges += 1
    return exchanges


@kernel
def replace(
    codes: Ints, space: Space, groups: Groups, group: int, out: int, into: int, trial: Trial, line: int
) -> float:  # fmt: skip
    """Return by how much rows times NCP of a group rises when row `into` takes the place of row `out`.

    Fills a line of the trial with what the group would have. Its members are looked at again only in columns
    where `out` is at an end that it may be alone at.
    """
    change = 0.0
    for c in range(codes.shape[1]):
        lowest, highest = groups.low[group, c], groups.high[group, c]
        trial.low[line, c], trial.high[line, c], trial.loss[line, c] = lowest, highest, groups.loss[group, c]
        gone, come = codes[out, c], codes[into, c]
        if gone == come or (lowest < gone < highest and lowest <= come <= highest):
            continue
        if lowest < highest and not lowest < gone < highest:
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
        loss = extent_loss(space, c, lowest, highest)
        trial.low[line, c], trial.high[line, c], trial.loss[line, c] = lowest, highest, loss
        change += loss - groups.loss[group, c]
    return float(change * (groups.start[group + 1] - groups.start[group]))


@kernel
def keep(groups: Groups, group: int, trial: Trial, line: int) -> None:
    """Make what was tried a group's extent."""
    for c in range(groups.low.shape[1]):
        groups.low[group, c] = trial.low[line, c]
        groups.high[group, c] = trial.high[line, c]
        groups.loss[group, c] = trial.loss[line, c]


@kernel
def take_extents(codes: Ints, space: Space, groups: Groups) -> None:
    """Fill in each group's extent and loss by column. Assumes that no group is empty."""
    for group in range(groups.low.shape[0]):
        for c in range(codes.shape[1]):
            lowest = highest = codes[groups.member[groups.start[group]], c]
            for i in range(groups.start[group] + 1, groups.start[group + 1]):
                lowest = min(lowest, codes[groups.member[i], c])
                highest = max(highest, codes[groups.member[i], c])
            groups.low[group, c], groups.high[group, c] = lowest, highest
            groups.loss[group, c] = extent_loss(space, c, lowest, highest)


@kernel
def chain_alike(value_at: Ints, following: Ints, first: Wide) -> None:
    """Fill in the next position with the same value for each position, −1 after the last, and the first by value.

    Assumes that first is −1 everywhere.
    """
    for position in range(value_at.shape[0] - 1, -1, -1):
        following[position] = first[value_at[position]]
        first[value_at[position]] = position


@kernel
def fill_slots(group_at: Ints, free: Wide, member: Ints, slot: Ints) -> None:
    """Put each position into the next free slot of its group."""
    for position in range(group_at.shape[0]):
        slot[position] = free[group_at[position]]
        member[slot[position]] = position
        free[group_at[position]] += 1
