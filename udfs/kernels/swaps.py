"""Refinement: exchange rows of the same sensitive value between groups while the loss falls.

Two rows that share their sensitive value can trade places without any group's sensitive values changing,
so whatever diversity a partition promises, it still does.
"""

from __future__ import annotations

import numpy as np

from .jit import kernel
from .loss import extent_loss
from .space import Ints, Space, Wide


@kernel
def swap_alike(codes: Ints, space: Space, value_at: Ints, group_at: Ints, groups: int, window: int) -> int:
    """Try each row against the next `window` rows of its sensitive value; return the number of exchanges.

    Rows are known by their place in curve order: codes has a line, value_at and group_at an item per place.
    group_at is changed in place; groups keep their sizes and their sensitive values.
    """
    n, columns = codes.shape
    next_alike = chain_alike(value_at)
    start, member, slot = list_members(group_at, groups)
    low = np.empty((2, columns), np.int32)
    high = np.empty((2, columns), np.int32)
    cost = np.empty(groups)
    for group in range(groups):
        nobody = n
        cost[group] = cost_with(
            codes,
            space,
            member[start[group] : start[group + 1]],
            nobody,
            member[start[group]],
            low[0],
            high[0],
        )
    exchanges = 0
    for row in range(n):
        other = row
        for _ in range(window):
            other = next_alike[other]
            if other < 0:
                break
            here, there = group_at[row], group_at[other]
            if here == there or same_codes(codes, row, other):
                continue
            before = cost[here] + cost[there]
            ours = member[start[here] : start[here + 1]]
            new_here = cost_with(codes, space, ours, row, other, low[0], high[0])
            if new_here >= before:
                continue
            theirs = member[start[there] : start[there + 1]]
            new_there = cost_with(codes, space, theirs, other, row, low[1], high[1])
            if new_here + new_there < before - 1e-9:
                cost[here], cost[there] = new_here, new_there
                group_at[row], group_at[other] = there, here
                member[slot[row]], member[slot[other]] = other, row
                slot[row], slot[other] = slot[other], slot[row]
                exchanges += 1
    return exchanges


@kernel
def cost_with(codes: Ints, space: Space, members: Ints, out: int, into: int, low: Ints, high: Ints) -> float:
    """Return rows times NCP of a group in which one row takes the place of another. low and high are scratch."""
    low[:] = codes[into]
    high[:] = codes[into]
    for row in members:
        if row != out:
            for c in range(codes.shape[1]):
                code = codes[row, c]
                low[c] = min(low[c], code)
                high[c] = max(high[c], code)
    loss = 0.0
    for c in range(codes.shape[1]):
        loss += extent_loss(space, c, low[c], high[c])
    return loss * members.shape[0]


@kernel
def same_codes(codes: Ints, row: int, other: int) -> bool:
    """Whether two rows agree on every quasi-identifier."""
    return bool(np.all(codes[row] == codes[other]))


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
