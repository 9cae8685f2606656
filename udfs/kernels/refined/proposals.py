"""What may become of a row and a group near it: the row moves there, changes places, or they bud a new group.

Of all that is possible, the best is done if it costs no more than is allowed; that is drawn before, so what cannot be
as cheap need not be looked at. A group that costs nothing without a row, and the one that is widened least, bound what
an exchange costs: losses of boxes are submodular, a row's leaving saves a larger group no more than a smaller one.
"""

from __future__ import annotations

import numpy as np

from ..runtime.jit import inner_kernel
from .budding import bud, budded_loss
from .groups import (
    SAME,
    Groups,
    Rows,
    admits,
    consider_coming,
    consider_leaving,
    measure,
    put,
    replace,
    stand_in,
    take,
)

NOTHING, MOVE, BUD = -1, -2, -3
"""What was best; 0 and above, the slot of the row to change places with."""


@inner_kernel
def try_row(rows: Rows, groups: Groups, row: int, there: int, allowed: float) -> bool:
    """Do the best with a row and another group, if that adds no more than allowed to rows times NCP; say if it did."""
    best, _ = choose(rows, groups, row, there, allowed)
    if best == NOTHING:
        return False
    here = groups.group_of[row]
    if best == BUD:
        bud(rows, groups, row, there)
    elif best == MOVE:
        take(groups, row)
        put(groups, row, there)
    else:
        exchange(groups, row, groups.member[there, best])
    measure(rows, groups, here)
    measure(rows, groups, there)
    return True


@inner_kernel
def choose(rows: Rows, groups: Groups, row: int, there: int, allowed: float) -> tuple[int, float]:
    """Return what is best, and what it adds; NOTHING if all adds more than allowed."""
    here = groups.group_of[row]
    size, size_there = groups.size[here], groups.size[there]
    before, before_there = size * groups.loss[here], size_there * groups.loss[there]
    saved = size * groups.without[row] - before
    leaves, full = size > rows.threshold, size_there >= 2 * rows.threshold - 1
    bound = saved + size_there * (groups.least[there] - groups.loss[there])
    if leaves:
        bound = -np.inf if full else min(bound, saved - groups.without[row] + groups.loss[there])
    if bound > allowed:
        return NOTHING, allowed
    joined = consider_coming(rows, groups, there, row)
    best, added = NOTHING, allowed + SAME
    if leaves and admits(rows, groups, there, row, -1):
        change = saved - groups.without[row] - before_there
        if not full:
            change += (size_there + 1) * joined
            if change <= added - SAME:
                best, added = MOVE, change
        elif change <= added - SAME:
            change += budded_loss(rows, groups, there, row)
            if change <= added - SAME:
                best, added = BUD, change
    return choose_exchange(rows, groups, row, there, joined, best, added)


@inner_kernel
def choose_exchange(
    rows: Rows, groups: Groups, row: int, there: int, joined: float, best: int, added: float
) -> tuple[int, float]:
    """Return the same where an exchange may be better yet. joined: the NCP of the other group if the row only came."""
    here = groups.group_of[row]
    size, size_there = groups.size[here], groups.size[there]
    saved = size * (groups.without[row] - groups.loss[here])
    wider = joined - 2 * groups.loss[there]
    if saved + size_there * (groups.least[there] + wider) > added:
        return best, added
    consider_leaving(rows, groups, here, row)
    for slot in range(size_there):
        other = groups.member[there, slot]
        change = saved + size_there * (groups.without[other] + wider)
        if change > added - SAME:
            continue
        if not admits(rows, groups, there, row, other) or not admits(rows, groups, here, other, row):
            continue
        change += size * (stand_in(rows, groups, other) - groups.without[row])
        if change > added - SAME:
            continue
        if groups.without[other] < groups.loss[there]:  # else the bound is what it is
            bound = groups.without[other] + wider
            change += size_there * (replace(rows, groups, there, other, row) - groups.loss[there] - bound)
        if change <= added - SAME:
            best, added = slot, change
    return best, added


@inner_kernel
def exchange(groups: Groups, row: int, other: int) -> None:
    """Let two rows change places; both groups are then to be measured."""
    here, there = groups.group_of[row], groups.group_of[other]
    slot, slot_there = groups.slot[row], groups.slot[other]
    groups.member[here, slot], groups.member[there, slot_there] = other, row
    groups.group_of[row], groups.group_of[other] = there, here
    groups.slot[row], groups.slot[other] = slot_there, slot
