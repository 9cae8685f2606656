"""The rows that one class of SWEEP sheds until it is (τ,l)-diverse (Tian & Zhang 2011, § 4.4 and § 4.6).

Rows go one by one. A row may go if, in every attribute that fails, it counts for more of the dominant base value than
an average row does; the one that counts for most of them goes first. If there is none, nothing helps, and all go.
"""

from __future__ import annotations

from ..runtime.jit import kernel
from ..space import Wide
from .bound import TOLERANCE
from .leap import PERIOD, Turns, leap, watch
from .nodes import share_in
from .one_class import Class, Kinds, count_failures


@kernel
def shed_until_it_holds(present: Wide, rows: int, kinds: Kinds, at_hand: Class, turns: Turns) -> int:
    """Lower the counts of a class, whose kinds are `present`, ascending. Return how many rows are left, maybe none."""
    turns.state[:] = 0
    while rows > 0:
        failing = count_failures(present, rows, kinds, at_hand)
        if failing == 0:
            return rows
        if too_few_occur(at_hand.occurring, kinds.limits.shape[0]):  # and there will never be more
            break
        kind = kind_to_shed(present, rows, kinds, at_hand)
        if kind < 0:
            break
        turn_ends = watch(turns, kind, rows, kinds, at_hand)
        if turns.state[PERIOD] > 0 and failing > 1 and others_may_go(present, kind, rows, kinds, at_hand):
            turns.bound[0] = 0.0
        at_hand.rows_of[kind] -= 1
        rows -= 1
        if turn_ends:
            rows -= leap(turns, at_hand.rows_of)
    for kind in present:
        at_hand.rows_of[kind] = 0
    return 0


@kernel
def too_few_occur(occurring: Wide, short_of_l: int) -> bool:
    """Whether some attribute has fewer than l values."""
    too_few = False
    for values in occurring:
        too_few = too_few or values <= short_of_l
    return too_few


@kernel
def kind_to_shed(present: Wide, rows: int, kinds: Kinds, at_hand: Class) -> int:
    """Return the kind of row that counts for most of the dominant values, the last of equal ones; −1 if none may go."""
    best = -1
    most = 0.0
    for kind in present[::-1]:
        if at_hand.rows_of[kind] > 0:
            share = share_of_dominant(kind, rows, kinds, at_hand)
            if share > most + TOLERANCE:
                best, most = kind, share
    return best


@kernel
def share_of_dominant(kind: int, rows: int, kinds: Kinds, at_hand: Class) -> float:
    """Return the share of a row in the dominant values of attributes that fail, added up; 0 if it may not go."""
    total = 0.0
    for attribute in range(kinds.node.shape[1]):
        value = at_hand.dominant[attribute]
        if value < 0:
            continue
        share = share_in(kinds.nodes, kinds.node[kind, attribute], value)
        if share * rows <= at_hand.mass[value] + TOLERANCE * rows:
            return 0.0
        total += share
    return total


@kernel
def others_may_go(present: Wide, chosen: int, rows: int, kinds: Kinds, at_hand: Class) -> bool:
    """Whether a kind that may not go now might later, instead of the one that was chosen.

    With one attribute that is impossible: what may not go now counts for less.
    """
    total = potential_share(chosen, kinds, at_hand)
    for kind in present:
        if (
            at_hand.rows_of[kind] > 0
            and potential_share(kind, kinds, at_hand) > total - TOLERANCE
            and share_of_dominant(kind, rows, kinds, at_hand) == 0.0
        ):
            return True
    return False


@kernel
def potential_share(kind: int, kinds: Kinds, at_hand: Class) -> float:
    """Return the share of a row in the dominant values of attributes that fail; 0 if it has none in one of them."""
    total = 0.0
    for attribute in range(kinds.node.shape[1]):
        value = at_hand.dominant[attribute]
        if value >= 0:
            share = share_in(kinds.nodes, kinds.node[kind, attribute], value)
            if share == 0.0:
                return 0.0
            total += share
    return total
