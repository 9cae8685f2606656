"""The data of TP: QI-groups as stacks, one per sensitive value, from which rows go to the residue.

A stack is the rows that share all quasi-identifiers and the sensitive value; a group's tallest stacks are its
pillars. The stacks of a group are ranked by height. To lower one, it trades places with the last of its height:
so a row's way to the residue takes constant time, and the pillars are always the first of the rank.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..along_curve.order import leading_columns, mark_ties, sort_along_curve
from ..runtime.jit import kernel
from ..space import Ints, Microdata, Wide

ROWS, TOP = 0, 1
"""The items of Stacks.whole: the rows of the residue, and of its most frequent value."""


class Stacks(NamedTuple):
    """Group g has the stacks first_stack[g] … first_stack[g + 1], stack s the positions first[s] … first[s + 1].

    Of these, the first height[s] are left. at_least[first[first_stack[g]] + h − 1] of the group's stacks are of
    height h or more; ranked lists stacks group by group, tallest first, and rank is where each one is in it.
    """

    first: Wide
    value: Ints
    group: Ints
    height: Ints
    first_stack: Wide
    ranked: Ints
    rank: Ints
    at_least: Ints
    size: Ints
    top: Ints
    residue: Wide
    whole: Wide


def stack_up(data: Microdata) -> tuple[Wide, Stacks]:
    """Return the rows in canonical order, equal quasi-identifiers side by side, and their stacks."""
    order = sort_along_curve(leading_columns(data.codes), data)
    same_group = np.ones(order.size, np.bool_)
    same_group[0] = False
    for column in data.codes:
        mark_ties(order, column, same_group)
    same_stack = same_group.copy()
    mark_ties(order, data.sensitive, same_stack)

    starts = np.flatnonzero(~same_stack)
    first_stack = np.flatnonzero(~same_group[starts])
    first = np.append(starts, order.size)
    first_stack = np.append(first_stack, starts.size)
    sizes = np.diff(first[first_stack]).astype(np.int32)
    group = np.repeat(np.arange(sizes.size, dtype=np.int32), np.diff(first_stack))
    ranked = np.arange(starts.size, dtype=np.int32)
    stacks = Stacks(
        first, data.sensitive[order[starts]], group, np.zeros(starts.size, np.int32), first_stack,
        ranked, ranked.copy(), np.zeros(order.size, np.int32), sizes, np.zeros(sizes.size, np.int32),
        np.zeros(int(data.sensitive.max()) + 1, np.int64), np.zeros(2, np.int64),
    )  # fmt: skip
    raise_stacks(stacks)
    return order, stacks


@kernel
def raise_stacks(stacks: Stacks) -> None:
    """Bring every stack from nothing to its height, and to its rank."""
    for stack in range(stacks.height.shape[0]):
        group = stacks.group[stack]
        for height in range(1, stacks.first[stack + 1] - stacks.first[stack] + 1):
            slot = slot_of(stacks, group, height)
            change_rank(stacks, stack, stacks.first_stack[group] + stacks.at_least[slot])
            stacks.at_least[slot] += 1
            stacks.height[stack] = height
        stacks.top[group] = max(stacks.top[group], stacks.height[stack])


@kernel
def slot_of(stacks: Stacks, group: int, height: int) -> int:
    """Return where at_least has the number of the group's stacks of that height or more."""
    return int(stacks.first[stacks.first_stack[group]] + height - 1)


@kernel
def change_rank(stacks: Stacks, stack: int, rank: int) -> None:
    """Let the stack trade places with the one at that rank."""
    old, other = stacks.rank[stack], stacks.ranked[rank]
    stacks.ranked[old], stacks.rank[other] = other, old
    stacks.ranked[rank], stacks.rank[stack] = stack, rank


@kernel
def move_to_residue(stacks: Stacks, stack: int) -> None:
    """Move the last row left of a stack to the residue."""
    group, value, height = stacks.group[stack], stacks.value[stack], stacks.height[stack]
    slot = slot_of(stacks, group, height)
    stacks.at_least[slot] -= 1
    change_rank(stacks, stack, stacks.first_stack[group] + stacks.at_least[slot])
    stacks.height[stack] = height - 1
    stacks.size[group] -= 1
    if height == stacks.top[group] and stacks.at_least[slot] == 0:
        stacks.top[group] = height - 1
    stacks.residue[value] += 1
    stacks.whole[ROWS] += 1
    stacks.whole[TOP] = max(stacks.whole[TOP], stacks.residue[value])


@kernel
def pillar_count(stacks: Stacks, group: int) -> int:
    """How many stacks of a group are its tallest. Assumes that it has a row left."""
    return int(stacks.at_least[slot_of(stacks, group, stacks.top[group])])


@kernel
def shave_pillars(stacks: Stacks, group: int) -> None:
    """Move a row of each of a group's pillars to the residue."""
    start = stacks.first_stack[group]
    for rank in range(start + pillar_count(stacks, group) - 1, start - 1, -1):
        move_to_residue(stacks, stacks.ranked[rank])


@kernel
def is_fat(stacks: Stacks, group: int, l: int) -> bool:
    """Whether a group stays eligible whichever of its rows goes."""
    return bool(stacks.size[group] > l * stacks.top[group])


@kernel
def shared_pillar(stacks: Stacks, group: int) -> int:
    """Return a value that is a pillar of the group and of the residue, −1 if there is none.

    Assumes that the group has a row left. A group with such a value that is not fat is dead: nothing of it can go
    without either making it too uniform or raising the residue's pillars.
    """
    start = stacks.first_stack[group]
    for rank in range(start, start + pillar_count(stacks, group)):
        value = stacks.value[stacks.ranked[rank]]
        if is_residue_pillar(stacks, value):
            return int(value)
    return -1


@kernel
def is_residue_pillar(stacks: Stacks, value: int) -> bool:
    """Whether no value is more frequent in the residue."""
    return bool(stacks.residue[value] == stacks.whole[TOP])


@kernel
def residue_is_eligible(stacks: Stacks, l: int) -> bool:
    """Whether no value is in more than 1/l of the residue."""
    return bool(stacks.whole[TOP] * l <= stacks.whole[ROWS])
