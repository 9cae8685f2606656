"""Rows that a class sheds in turns, many turns at once.

Dominant values that are equally frequent take turns: a row of the one goes, then a row of the other, and again. When
the last two turns were the same, the next is watched: how often could it be repeated before any decision in it would be
another? All that decisions depend on changes by the same with each turn, so that this is a bound on a straight line
each. It is on the safe side: whatever lies beyond is decided row by row again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.jit import kernel
from ..space import Floats, Wide
from .bound import TOLERANCE
from .nodes import share_in
from .one_class import Class, Kinds

LONGEST = 64
"""Turns are no longer than that."""

STEPS, PERIOD, WATCHED = 0, 1, 2
"""The items of Turns.state: rows shed so far, the length of the turn that is watched, else 0, and its progress."""

ENDLESS = 1e18


class Turns(NamedTuple):
    """The last kinds shed, in a ring; of the turn that is watched, the change of each value's mass, and the bound."""

    shed: Wide
    state: Wide
    change: Floats
    bound: Floats


def new_turns(kinds: Kinds) -> Turns:
    """Make room for the turns of one class."""
    values = int(kinds.nodes.first_value[-1])
    return Turns(np.zeros(2 * LONGEST, np.int64), np.zeros(3, np.int64), np.zeros(values), np.zeros(1))


@kernel
def watch(turns: Turns, kind: int, rows: int, kinds: Kinds, at_hand: Class) -> bool:
    """Take note of the kind that is about to be shed; return whether a turn that is watched ends with it."""
    state = turns.state
    if state[PERIOD] > 0 and kind != shed_before(turns, state[PERIOD]):
        state[PERIOD] = 0
    elif state[PERIOD] == 0:
        state[PERIOD] = repeated_turn(turns, kind)
        if state[PERIOD] > 0:
            begin_turn(turns, kinds, at_hand)
    if state[PERIOD] > 0:
        turns.bound[0] = min(turns.bound[0], bound_on_turns(turns, kind, rows, kinds, at_hand))
        state[WATCHED] += 1
    turns.shed[state[STEPS] % turns.shed.shape[0]] = kind
    state[STEPS] += 1
    return bool(state[PERIOD] > 0 and state[WATCHED] == state[PERIOD])


@kernel
def shed_before(turns: Turns, back: int) -> int:
    """Return the kind that was shed so many steps before the next."""
    return int(turns.shed[(turns.state[STEPS] - back) % turns.shed.shape[0]])


@kernel
def repeated_turn(turns: Turns, kind: int) -> int:
    """Return the length of the turn that was taken twice and starts with this kind; 0 if there is none."""
    steps = turns.state[STEPS]
    period = 1
    while period <= LONGEST and 2 * period <= steps and shed_before(turns, period) != kind:
        period += 1
    if period > LONGEST or 2 * period > steps:
        return 0
    for back in range(1, period + 1):
        if shed_before(turns, back) != shed_before(turns, back + period):
            return 0
    return period


@kernel
def begin_turn(turns: Turns, kinds: Kinds, at_hand: Class) -> None:
    """Set the change of mass with each turn, for the values that occur."""
    nodes = kinds.nodes
    turns.state[WATCHED] = 0
    turns.bound[0] = ENDLESS
    for attribute in range(kinds.node.shape[1]):
        first = nodes.first_value[attribute]
        turns.change[at_hand.values[first : first + at_hand.occurring[attribute]]] = 0.0
        for back in range(1, turns.state[PERIOD] + 1):
            node = kinds.node[shed_before(turns, back), attribute]
            for at in range(nodes.start[node], nodes.start[node + 1]):
                turns.change[nodes.leaf[at]] -= nodes.share[at]


@kernel
def bound_on_turns(turns: Turns, kind: int, rows: int, kinds: Kinds, at_hand: Class) -> float:
    """Return how many turns later this kind is certainly shed in this place again."""
    period = turns.state[PERIOD]
    bound = ENDLESS
    for attribute in range(kinds.node.shape[1]):
        top = at_hand.top[attribute, : at_hand.topmost[attribute]]
        if at_hand.dominant[attribute] < 0:
            bound = min(bound, holds_for(at_hand.mass, top, rows, period, kinds.limits))
            continue
        first = kinds.nodes.first_value[attribute]
        values = at_hand.values[first : first + at_hand.occurring[attribute]]
        value = at_hand.dominant[attribute]
        bound = min(bound, fails_for(at_hand.mass, turns.change, top, rows, period, kinds.limits))
        bound = min(bound, dominates_for(at_hand.mass, turns.change, value, values, 2 * TOLERANCE * rows))
        share = share_in(kinds.nodes, kinds.node[kind, attribute], value) - TOLERANCE
        gain = share * rows - at_hand.mass[value]
        bound = min(bound, lasts(gain, share * period + turns.change[value]))
    return bound


@kernel
def lasts(slack: float, loss: float) -> float:
    """Return for how many turns there is slack that so much of is lost with each."""
    return slack / loss if loss > 0.0 else ENDLESS


@kernel
def holds_for(mass: Floats, top: Wide, rows: int, period: int, limits: Floats) -> float:
    """Return for how many turns an attribute certainly holds: no mass grows, but rows get fewer."""
    bound = ENDLESS
    total = 0.0
    for j in range(top.shape[0]):
        total += mass[top[j]]
        bound = min(bound, lasts(limits[j] * rows - total, limits[j] * period))
    return bound


@kernel
def fails_for(mass: Floats, change: Floats, top: Wide, rows: int, period: int, limits: Floats) -> float:
    """Return for how many turns an attribute certainly fails: some values together are too frequent."""
    bound = 0.0
    total = 0.0
    changes = 0.0
    for j in range(limits.shape[0]):
        if j < top.shape[0]:
            total += mass[top[j]]
            changes += change[top[j]]
        if total > limits[j] * rows:
            bound = max(bound, lasts(total - limits[j] * rows, -changes - limits[j] * period))
    return bound


@kernel
def dominates_for(mass: Floats, change: Floats, value: int, values: Wide, tolerance: float) -> float:
    """Return for how many turns no other value gets as frequent as this one that is not now."""
    bound = ENDLESS
    for other in values:
        catches_up = change[other] - change[value]
        if catches_up > TOLERANCE:
            bound = min(bound, (mass[value] - mass[other] - tolerance) / catches_up)
    return bound


@kernel
def leap(turns: Turns, count: Wide) -> int:
    """Repeat the turn that was watched as often as its bound and the counts allow. Return how many rows are shed."""
    period = turns.state[PERIOD]
    times = int(min(max(turns.bound[0], 0.0), ENDLESS))
    for back in range(1, period + 1):
        kind = shed_before(turns, back)
        uses = 0
        for other in range(1, period + 1):
            uses += shed_before(turns, other) == kind
        times = min(times, count[kind] // uses)
    for back in range(1, period + 1):
        count[shed_before(turns, back)] -= times
    turns.state[:] = 0
    return int(times * period)
