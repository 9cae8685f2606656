"""Annealing of groups that keep a requirement: moves, exchanges and dissolutions after which all of them still do.

Groups may have any size up to the room there is for their rows. Whether they hold is looked at last, once a change is
known to cost little enough.
"""

from __future__ import annotations

import numpy as np

from ..runtime.jit import frugal_kernel, inner_kernel
from ..space import Flag
from .annealing import DISSOLVING, Draws
from .dissolving import TRIES
from .groups import (
    SAME,
    Groups,
    Rows,
    close_group,
    consider_coming,
    consider_leaving,
    measure,
    put,
    replace,
    stand_in,
    take,
    widen,
)
from .holding import NOBODY, Bounds, has_room, holds, may_exchange
from .neighbours import Neighbours, neighbour
from .proposals import MOVE, NOTHING, exchange
from .splitting import split_bounded

MOST_REFUSED = 4
"""Exchanges of a row that may fail to keep the requirement before no other is tried."""


@frugal_kernel
def propose_bounded(
    rows: Rows,
    groups: Groups,
    neighbours: Neighbours,
    bounds: Bounds,
    draws: Draws,
    temperature: float,
    cooling: float,
    stop: Flag,
) -> float:
    """Make proposals, and return the temperature after the last."""
    for i in range(draws.row.shape[0]):
        if stop[0]:
            break
        temperature *= cooling
        row = draws.row[i]
        here = groups.group_of[row]
        if groups.loss[here] == 0.0:
            continue
        which, copy = draws.neighbour[i] & 0xFFFFF, draws.neighbour[i] >> 20
        other = neighbour(neighbours, row, which, copy)
        if groups.group_of[other] == here:  # a step further
            other = neighbour(neighbours, other, copy, which)
        there = groups.group_of[other]
        allowed = temperature * draws.allowance[i]
        if draws.lottery[i] * groups.size[here] < DISSOLVING:
            dissolve_bounded(rows, groups, neighbours, bounds, here, which, allowed)
        elif (
            there != here
            and may_pay(groups, bounds, row, there, allowed)
            and try_bounded(rows, groups, bounds, row, there, allowed)
        ):
            split_bounded(rows, groups, bounds, there, row)
    return temperature


@inner_kernel
def may_pay(groups: Groups, bounds: Bounds, row: int, there: int, allowed: float) -> bool:
    """Whether a move to another group, or an exchange with a row there, may add no more than allowed."""
    here = groups.group_of[row]
    saved = groups.size[here] * (groups.without[row] - groups.loss[here])
    bound = groups.size[there] * (groups.least[there] - groups.loss[there])
    if groups.size[here] > bounds.fewest:
        bound = min(bound, groups.loss[there] - groups.without[row])
    return bool(saved + bound <= allowed)


@frugal_kernel
def try_bounded(rows: Rows, groups: Groups, bounds: Bounds, row: int, there: int, allowed: float) -> bool:
    """Let a row move to another group, or change places with one there, if that adds no more than allowed to rows
    times NCP and both groups hold; say if it did. Of several ways, the best.
    """
    here = groups.group_of[row]
    best = choose_bounded(rows, groups, bounds, row, there, allowed)
    if best == NOTHING:
        return False
    if best == MOVE:
        take(groups, row)
        put(groups, row, there)
    else:
        exchange(groups, row, groups.member[there, best])
    measure(rows, groups, here)
    measure(rows, groups, there)
    return True


@frugal_kernel
def choose_bounded(rows: Rows, groups: Groups, bounds: Bounds, row: int, there: int, allowed: float) -> int:
    """Return what is best; NOTHING if all adds more than allowed."""
    here = groups.group_of[row]
    size, size_there = groups.size[here], groups.size[there]
    saved = size * (groups.without[row] - groups.loss[here])
    leaves = size > bounds.fewest and has_room(groups, there)
    joined = consider_coming(rows, groups, there, row)
    best, added = NOTHING, allowed + SAME
    if leaves:
        change = saved - groups.without[row] + (size_there + 1) * joined - size_there * groups.loss[there]
        if (
            change <= added - SAME
            and holds(groups, bounds, here, row, NOBODY)
            and holds(groups, bounds, there, NOBODY, row)
        ):
            best, added = MOVE, change
    wider = joined - 2 * groups.loss[there]
    if saved + size_there * (groups.least[there] + wider) > added:
        return best
    consider_leaving(rows, groups, here, row)
    refused = 0
    for slot in range(size_there):
        other = groups.member[there, slot]
        change = saved + size_there * (groups.without[other] + wider)
        if change > added - SAME:
            continue
        change += size * (stand_in(rows, groups, other) - groups.without[row])
        if groups.without[other] < groups.loss[there]:  # else the bound is what it is
            bound = groups.without[other] + wider
            change += size_there * (replace(rows, groups, there, other, row) - groups.loss[there] - bound)
        if change > added - SAME:
            continue
        if may_exchange(groups, bounds, row, other):
            best, added = slot, change
        else:
            refused += 1
            if refused == MOST_REFUSED:
                break
    return best


@frugal_kernel
def dissolve_bounded(
    rows: Rows, groups: Groups, neighbours: Neighbours, bounds: Bounds, group: int, draw: int, allowed: float
) -> bool:
    """Dissolve a group, if its rows find groups that hold with them and that adds no more than allowed; say if so."""
    members = groups.member[group, : groups.size[group]]  # the list stays there: no row can come to it meanwhile
    added = -members.shape[0] * groups.loss[group]
    groups.size[group] = 0
    moved = 0
    for row in members:
        there, change = best_holding(rows, groups, neighbours, bounds, row, group, draw)
        if there < 0:
            break
        added += change
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
    close_group(groups, group)
    for row in members:
        split_bounded(rows, groups, bounds, groups.group_of[row], row)
    return True


@frugal_kernel
def best_holding(
    rows: Rows, groups: Groups, neighbours: Neighbours, bounds: Bounds, row: int, leaving: int, draw: int
) -> tuple[int, float]:
    """Return the group near a row, not the one it leaves, that holds with it and loses least by it, and how much; −1 if
    there is none.
    """
    chosen, lowest = -1, np.inf
    for i in range(TRIES):
        there = groups.group_of[neighbour(neighbours, row, draw + i, draw)]
        if there == leaving or not has_room(groups, there):
            continue
        size = groups.size[there]
        change = (size + 1) * widen(rows, groups, there, row) - size * groups.loss[there]
        if change < lowest and holds(groups, bounds, there, NOBODY, row):
            chosen, lowest = there, change
    return chosen, lowest
