"""The third phase of TP: let the residue's pillars rise, by less than what fills it up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..runtime.jit import kernel
from ..space import Flag, Wide
from .stacks import (
    TOP,
    Stacks,
    is_fat,
    move_to_residue,
    pillar_count,
    residue_is_eligible,
    shared_pillar,
    shave_pillars,
)


@kernel
def raise_residue(stacks: Stacks, l: int, stop: Flag) -> None:
    """Phase three: round by round, shave groups that cover the residue's pillars, then thin out what that revived.

    Assumes what phase two may leave of an eligible table: the residue is not eligible, and every group has a pillar
    that is one of the residue too and no row to spare. Each round h(R) rises by less than the number of groups
    shaved, of each of which l rows go: so l·h(R) − |R| falls by l or more. A round may pass by every group left.
    """
    size, residue, whole = stacks.size, stacks.residue, stacks.whole  # out of the tuple: a pass by has to be quick
    left: Wide = np.flatnonzero(size)
    witness = np.full(size.shape[0], -1, np.int64)  # of each group, a pillar that keeps it dead
    witnessed = np.zeros(residue.shape[0], np.int64)  # how many groups a value is a witness of
    for group in left:
        witness[group] = shared_pillar(stacks, group)
        witnessed[witness[group]] += 1
    emptied = 0
    while not stop[0]:
        shaved = cover_pillars(stacks, left, witness, l)
        for group in shaved:
            shave_pillars(stacks, group)
            if residue_is_eligible(stacks, l):
                return
            witnessed[witness[group]] -= 1
            witness[group] = -1
        for group in left if lost_a_pillar(stacks, witnessed) else np.sort(shaved):
            if witness[group] >= 0:
                if residue[witness[group]] == whole[TOP]:
                    continue
                witnessed[witness[group]] -= 1
            elif size[group] == 0:
                continue
            witness[group] = thin_out(stacks, group, l)
            if residue_is_eligible(stacks, l):
                return
            if witness[group] >= 0:
                witnessed[witness[group]] += 1
            else:
                emptied += 1
        if 2 * emptied > left.shape[0]:
            left = left[size[left] > 0]
            emptied = 0


@kernel
def lost_a_pillar(stacks: Stacks, witnessed: Wide) -> bool:
    """Whether what keeps some group dead is no pillar of the residue any more."""
    return bool(np.any((witnessed > 0) & (stacks.residue < stacks.whole[TOP])))


@kernel
def cover_pillars(stacks: Stacks, left: Wide, witness: Wide, l: int) -> Wide:
    """Return few groups such that each pillar of the residue is not one of some group among them.

    Greedy: the next group is the first of those that share the fewest of the pillars which all before it share.
    """
    value, ranked, first_stack = stacks.value, stacks.ranked, stacks.first_stack
    uncovered = stacks.residue == stacks.whole[TOP]
    first, at_least, top = stacks.first, stacks.at_least, stacks.top
    picked = np.empty(l, np.int64)
    count = 0
    fewest = uncovered.sum()
    while fewest > 0:
        best = left[0]
        for group in left:
            if witness[group] < 0 or (fewest == 1 and uncovered[witness[group]]):
                continue
            shares = 0  # counted here: a call for each group would take longer than the count
            start = first_stack[group]
            for rank in range(start, start + at_least[first[start] + top[group] - 1]):
                shares += uncovered[value[ranked[rank]]]
            if shares < fewest:
                best, fewest = group, shares
                if fewest == (count == 0):  # at first, every group shares one
                    break
        keep_pillars(stacks, best, uncovered)
        picked[count] = best
        count += 1
    return picked[:count]


@kernel
def keep_pillars(stacks: Stacks, group: int, marked: NDArray[np.bool_]) -> None:
    """Leave marked only what is a pillar of the group."""
    start = stacks.first_stack[group]
    was_marked = marked.copy()
    marked[:] = False
    for rank in range(start, start + pillar_count(stacks, group)):
        value = stacks.value[stacks.ranked[rank]]
        marked[value] = was_marked[value]


@kernel
def thin_out(stacks: Stacks, group: int, l: int) -> int:
    """Move rows that are no pillars of the residue until a group is dead; return what it shares with it then.

    Stops, with −1, when the residue is eligible or the group is empty.
    """
    while stacks.size[group] > 0 and not residue_is_eligible(stacks, l):
        if is_fat(stacks, group, l):
            move_to_residue(stacks, rarest_in_residue(stacks, group))
            continue
        shared = shared_pillar(stacks, group)
        if shared >= 0:
            return shared
        shave_pillars(stacks, group)
    return -1


@kernel
def rarest_in_residue(stacks: Stacks, group: int) -> int:
    """Return the group's stack of the value that the residue has least of; the first of several.

    It is no pillar of the residue: that has fewer than l, and an eligible group at least l values.
    """
    best = -1
    for stack in range(stacks.first_stack[group], stacks.first_stack[group + 1]):
        if stacks.height[stack] > 0 and (
            best < 0 or stacks.residue[stacks.value[stack]] < stacks.residue[stacks.value[best]]
        ):
            best = stack
    return best
