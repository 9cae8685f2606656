"""Generalizing sensitive values until a set of rows is (τ,l)-diverse (Tian & Zhang 2011, § 4.3).

The dominant base value decides; of the rows that cover it, one that publishes the least general node goes up to the
parent; and so on. Which of several such rows it is makes no difference to the frequencies, so that the whole walk is
one of counts. Afterwards, the rows that go up are chosen evenly among those that might.
"""

from __future__ import annotations

import numpy as np

from ..runtime.interrupt import STOP, raise_if_interrupted
from ..runtime.jit import kernel
from ..space import Flag, Floats, Wide
from .bound import TOLERANCE, find_most_frequent, within_limits
from .nodes import Nodes, share_in


def generalize_sensitive(node_of: Wide, nodes: Nodes, attribute: int, limits: Floats) -> None:
    """Change the nodes that rows publish of one attribute, until it holds in all rows together.

    Rows are in canonical order. Assumes that it holds once everything is published as the root.
    """
    count = np.bincount(node_of, minlength=nodes.parent.size).astype(np.int64)
    climbed = np.zeros(count.size, np.int64)
    count_climbers(nodes, attribute, count.copy(), node_of.size, limits, climbed, STOP)
    raise_if_interrupted()
    if climbed.any():
        climb_evenly(node_of, nodes.parent, count, climbed)


@kernel
def count_climbers(
    nodes: Nodes, attribute: int, count: Wide, rows: int, limits: Floats, climbed: Wide, stop: Flag
) -> None:
    """Fill `climbed`: how many rows go up from each node. `count`, the rows at each node, becomes what is left."""
    first, end = nodes.first_value[attribute], nodes.first_value[attribute + 1]
    values = np.arange(first, end)
    mass = np.zeros(end, np.float64)
    lowest = np.empty(end, np.int64)
    slots = np.empty(limits.shape[0], np.int64)
    while not stop[0]:
        spread_all(nodes, attribute, count, mass, lowest)
        top = slots[: find_most_frequent(mass, values, slots)]
        if within_limits(mass, top, rows, limits):
            return
        value = dominant_of(mass, lowest, values, TOLERANCE * rows)
        node = lowest[value]
        steps = min(count[node], safe_climbs(nodes, value, node, mass, lowest, values, top, rows, limits))
        climbed[node] += steps
        count[node] -= steps
        count[nodes.parent[node]] += steps


@kernel
def spread_all(nodes: Nodes, attribute: int, count: Wide, mass: Floats, lowest: Wide) -> None:
    """Fill in the mass of each value, and the least general node above it from which some row can go up, else −1."""
    first, end = nodes.first_value[attribute], nodes.first_value[attribute + 1]
    mass[first:end] = 0.0
    lowest[first:end] = -1
    for node in range(nodes.first_node[attribute], nodes.first_node[attribute + 1]):
        if count[node] == 0:
            continue
        for at in range(nodes.start[node], nodes.start[node + 1]):
            value = nodes.leaf[at]
            mass[value] += count[node] * nodes.share[at]
            if nodes.parent[node] >= 0 and (lowest[value] < 0 or breadth(nodes, node) < breadth(nodes, lowest[value])):
                lowest[value] = node


@kernel
def breadth(nodes: Nodes, node: int) -> int:
    """How many values are below a node."""
    return int(nodes.start[node + 1] - nodes.start[node])


@kernel
def dominant_of(mass: Floats, lowest: Wide, values: Wide, tolerance: float) -> int:
    """Return the first of the most frequent values that a row covers that can go up."""
    most = -1.0
    for value in values:
        if lowest[value] >= 0:
            most = max(most, mass[value])
    for value in values:
        if lowest[value] >= 0 and mass[value] >= most - tolerance:
            return int(value)
    return -1


@kernel
def safe_climbs(
    nodes: Nodes, value: int, node: int, mass: Floats, lowest: Wide, values: Wide, top: Wide, rows: int, limits: Floats
) -> int:
    """Return a number of rows that certainly go up from this node, one after the other; at least 1.

    Masses change by the same with each. They go on while another value cannot be dominant, and the sum of some values,
    which is too much now, still is.
    """
    parent = nodes.parent[node]
    change = share_in(nodes, parent, value) - share_in(nodes, node, value)
    steps = np.float64(rows)
    for other in values:
        inside = share_in(nodes, parent, other)
        if other == value or (lowest[other] < 0 and inside == 0.0):
            continue
        catches_up = inside - share_in(nodes, node, other) - change
        if catches_up > 0.0:
            steps = min(steps, (mass[value] - mass[other] - 2 * TOLERANCE * rows) / catches_up)
    total = 0.0
    drop = 0.0
    failing = 1.0
    for j in range(top.shape[0]):
        total += mass[top[j]]
        drop -= share_in(nodes, parent, top[j]) - share_in(nodes, node, top[j])
        if total > limits[j] * rows:
            failing = max(failing, (total - limits[j] * rows) / drop if drop > 0.0 else np.float64(rows))
    return max(1, int(min(steps, failing)))


@kernel
def climb_evenly(node_of: Wide, parent: Wide, count: Wide, climbed: Wide) -> None:
    """Let as many rows go up from each node as `climbed` says, every so many-th of those that come by.

    Rows next to each other are alike, so that all kinds of rows keep their share of sensitive values. `count`, the rows
    at each node, becomes the rows that ever were there.
    """
    for node in range(parent.shape[0]):
        if climbed[node]:
            count[parent[node]] += climbed[node]
    came = np.zeros(parent.shape[0], np.int64)
    for row in range(node_of.shape[0]):
        node = node_of[row]
        while climbed[node] > 0:
            before = came[node]
            came[node] += 1
            if (before + 1) * climbed[node] // count[node] == before * climbed[node] // count[node]:
                break
            node = parent[node]
        node_of[row] = node
