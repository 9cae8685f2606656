"""One class of SWEEP: how many rows of each kind are in it, and how frequent base values are in it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.jit import kernel
from ..space import Floats, Wide
from .bound import TOLERANCE, find_most_frequent, within_limits
from .nodes import Nodes


class Kinds(NamedTuple):
    """The sensitive values that rows may publish: `node`, shape (kinds, attributes), sorted. And its limits.

    Rows of one kind publish the same, so that they only need to be counted.
    """

    node: Wide
    nodes: Nodes
    limits: Floats


class Class(NamedTuple):
    """The class at hand: the rows of each kind that are left, and what that makes of each attribute.

    The values that occur of attribute i are values[first_value[i]:][:occurring[i]]; top[i, :topmost[i]] are the most
    frequent of them. `dominant` is −1 where an attribute holds. Values that do not occur have no mass.
    """

    rows_of: Wide
    mass: Floats
    values: Wide
    occurring: Wide
    top: Wide
    topmost: Wide
    dominant: Wide


def new_class(kinds: Kinds) -> Class:
    """Make room for one class."""
    attributes, values = kinds.node.shape[1], int(kinds.nodes.first_value[-1])
    return Class(
        np.zeros(kinds.node.shape[0], np.int64),
        np.zeros(values, np.float64),
        np.zeros(values, np.int64),
        np.zeros(attributes, np.int64),
        np.zeros((attributes, kinds.limits.size), np.int64),
        np.zeros(attributes, np.int64),
        np.zeros(attributes, np.int64),
    )


@kernel
def count_failures(present: Wide, rows: int, kinds: Kinds, at_hand: Class) -> int:
    """Count the rows of each value of each attribute. Return how many attributes fail; their dominant values are set.

    `present` are the kinds that the class had at first, ascending.
    """
    failing = 0
    for attribute in range(kinds.node.shape[1]):
        values = set_masses(present, attribute, kinds, at_hand)
        at_hand.topmost[attribute] = find_most_frequent(at_hand.mass, values, at_hand.top[attribute])
        top = at_hand.top[attribute, : at_hand.topmost[attribute]]
        at_hand.dominant[attribute] = -1
        if not within_limits(at_hand.mass, top, rows, kinds.limits):
            failing += 1
            at_hand.dominant[attribute] = first_dominant(at_hand.mass, values, at_hand.mass[top[0]] - TOLERANCE * rows)
    return failing


@kernel
def set_masses(present: Wide, attribute: int, kinds: Kinds, at_hand: Class) -> Wide:
    """Set the masses of an attribute's values, and return those that occur."""
    nodes = kinds.nodes
    room = at_hand.values[nodes.first_value[attribute] : nodes.first_value[attribute + 1]]
    at_hand.mass[room[: at_hand.occurring[attribute]]] = 0.0
    occurring = 0
    for kind in present:
        if at_hand.rows_of[kind] == 0:
            continue
        node = kinds.node[kind, attribute]
        for at in range(nodes.start[node], nodes.start[node + 1]):
            value = nodes.leaf[at]
            if at_hand.mass[value] == 0.0:
                room[occurring] = value
                occurring += 1
            at_hand.mass[value] += at_hand.rows_of[kind] * nodes.share[at]
    at_hand.occurring[attribute] = occurring
    return room[:occurring]


@kernel
def first_dominant(mass: Floats, values: Wide, most: float) -> int:
    """Return the first code of those that have the most mass."""
    dominant = -1
    for value in values:
        if mass[value] >= most and (dominant < 0 or value < dominant):
            dominant = value
    return dominant
