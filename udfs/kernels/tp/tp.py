"""TP: groups of equal quasi-identifiers as they are, but for the fewest rows that make one more group.

A group of rows that agree on every quasi-identifier loses nothing. What keeps such groups from being l-diverse
goes to the residue, which has to be l-diverse too. Phase one moves what has to go; if that makes an eligible residue
R, it is the smallest. Phase two adds at most l − 1 rows more than needed, phase three leads to at most l times
the smallest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..runtime.interrupt import STOP, raise_if_interrupted
from ..space import Ints, Microdata, Wide
from .cover import raise_residue
from .phases import fill_up_residue, make_groups_eligible
from .stacks import ROWS, TOP, Stacks, stack_up


class Outcome(NamedTuple):
    """The phase it stopped in, rows of the residue, rows of its most frequent value, and groups, the residue too.

    `least` is how many rows any residue has, at least: what phase one moves has to go, and its most frequent value
    must not be in more than 1/l of what goes.
    """

    phase: int
    residue: int
    residue_top: int
    groups: int
    smallest_residue: int


def l_groups(data: Microdata, l: int) -> Ints:
    """Return each row's group: rows with equal quasi-identifiers, and after these, if need be, the residue."""
    return split_off_residue(data, l)[0]


def outcome(data: Microdata, l: int) -> Outcome:
    """Say what l_groups comes to."""
    _, stacks, phase, smallest_residue = move_rows(data, l)
    residue, top = stacks.whole.tolist()
    return Outcome(phase, residue, top, int(np.count_nonzero(stacks.size)) + (residue > 0), smallest_residue)


def split_off_residue(data: Microdata, l: int) -> tuple[Ints, NDArray[np.bool_]]:
    """Return each row's group and whether it is in the residue.

    Of rows that agree on the sensitive value too, the last in canonical order are.
    """
    order, stacks, _, _ = move_rows(data, l)
    stack_at = np.repeat(np.arange(stacks.height.size), np.diff(stacks.first))
    moved = np.arange(order.size) >= stacks.first[stack_at] + stacks.height[stack_at]
    number = np.cumsum(stacks.size > 0, dtype=np.int32) - np.int32(1)
    group_of = np.empty(order.size, np.int32)
    in_residue = np.empty(order.size, np.bool_)
    group_of[order] = np.where(moved, number[-1] + np.int32(1), number[stacks.group[stack_at]])
    in_residue[order] = moved
    return group_of, in_residue


def move_rows(data: Microdata, l: int) -> tuple[Wide, Stacks, int, int]:
    """Move rows to the residue until it is eligible.

    Return the rows in canonical order, the stacks, the phase in which it ended, and the least rows of any residue.
    """
    order, stacks = stack_up(data)
    after_one = make_groups_eligible(stacks, l)
    smallest_residue = max(int(stacks.whole[ROWS]), l * int(stacks.whole[TOP]))
    if not fill_up_residue(stacks, l):  # asked in any case, so that it is compiled in time
        raise_residue(stacks, l, STOP)  # rare, and compiled when it is needed
        raise_if_interrupted()
        return order, stacks, 3, smallest_residue
    return order, stacks, 1 if after_one else 2, smallest_residue
