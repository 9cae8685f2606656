"""The first two phases of TP: what has to go to the residue, and what may go without making it worse."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..heap import pop, push
from ..runtime.jit import kernel
from ..space import Ints, Wide
from .stacks import Stacks, is_fat, move_to_residue, residue_is_eligible, shared_pillar, shave_pillars


@kernel
def make_groups_eligible(stacks: Stacks, l: int) -> bool:
    """Phase one: shave each group's pillars until it is eligible; return whether the residue is too.

    No eligible part of a group has more rows of any value, so if the residue is eligible it is the smallest.
    """
    for group in range(stacks.size.shape[0]):
        while stacks.size[group] < l * stacks.top[group]:
            shave_pillars(stacks, group)
    return residue_is_eligible(stacks, l)


@kernel
def fill_up_residue(stacks: Stacks, l: int) -> bool:
    """Phase two: add the values that the residue has least of; return whether it has become eligible.

    A group gives a row where it can spare one, or else one of each pillar, if none of these is a pillar of the
    residue. So h(R) stays as it is, and a group that can give nothing now never can. Every row moves once and
    every stack is passed by once, so the time is n log(values).
    """
    if residue_is_eligible(stacks, l):
        return True
    values = stacks.residue.shape[0]
    following, waiting = chain_stacks(stacks.value, values)
    dead = np.zeros(stacks.size.shape[0], np.bool_)
    rarest = np.empty(values, np.int64)
    size = 0
    for value in range(values):
        size = push(rarest, size, stacks.residue[value] * values + value)
    while size > 0 and not residue_is_eligible(stacks, l):
        value = rarest[0] % values
        if rarest[0] // values < stacks.residue[value]:
            size = pop(rarest, size)
            size = push(rarest, size, stacks.residue[value] * values + value)
            continue
        stack = waiting[value]
        while stack >= 0 and not may_give(stacks, stack, l, dead):
            stack = following[stack]
        waiting[value] = stack
        if stack < 0:
            size = pop(rarest, size)
        elif is_fat(stacks, stacks.group[stack], l):
            move_to_residue(stacks, stack)
        else:
            shave_pillars(stacks, stacks.group[stack])
    return residue_is_eligible(stacks, l)


@kernel
def may_give(stacks: Stacks, stack: int, l: int, dead: NDArray[np.bool_]) -> bool:
    """Whether a stack has a row left, in a group that is alive; a group found to be dead is marked."""
    group = stacks.group[stack]
    if dead[group] or stacks.height[stack] == 0:
        return False
    dead[group] = not is_fat(stacks, group, l) and shared_pillar(stacks, group) >= 0
    return not dead[group]


@kernel
def chain_stacks(value_of: Ints, values: int) -> tuple[Wide, Wide]:
    """Return, for each stack, the next one of its value (−1: none), and the first of each value."""
    first = np.full(values, -1, np.int64)
    following = np.empty(value_of.shape[0], np.int64)
    for stack in range(value_of.shape[0] - 1, -1, -1):
        following[stack] = first[value_of[stack]]
        first[value_of[stack]] = stack
    return following, first
