"""The published values of sensitive attributes as an attacker reads them: sets of base values, and how likely each is.

Two labels above the same base values that are held possible are one node here, however many levels lie between them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..runtime.jit import kernel
from ..space import Floats, SensitiveTrees, Wide

Paths = NDArray[np.int64]


class Nodes(NamedTuple):
    """All nodes of all sensitive attributes, one attribute after the other, ordered by lowest code, then by size.

    Attribute i has the values from first_value[i] and the nodes from first_node[i] up to those of the next attribute.
    Below node v are the values leaf[start[v]] … leaf[start[v + 1] − 1], ascending; a row that publishes v counts for
    each of them with its `share`. `parent` is the next larger set of values, −1 above all.
    """

    first_value: Wide
    first_node: Wide
    start: Wide
    leaf: Wide
    share: Floats
    parent: Wide


class Rungs(NamedTuple):
    """The way up from the codes of one attribute, shape (rungs, codes): the node, and the lowest level that has it.

    Where a code has no such rung, the node is −1.
    """

    node: Wide
    level: NDArray[np.uint8]


def read_nodes(trees: SensitiveTrees) -> tuple[Nodes, list[Rungs]]:
    """Number the nodes of all sensitive attributes."""
    space = trees.space
    rungs, shares, leaves, starts, parents = [], [], [], [np.zeros(1, np.int64)], []
    first_node = [0]
    for attribute in range(space.levels.size):
        held = trees.weight[space.first[attribute] : space.first[attribute + 1]]
        node, code, way = number_sets(paths_up(trees, attribute), held)
        way = Rungs(np.where(way.node >= 0, way.node + first_node[-1], -1), way.level)
        count = int(node.max()) + 1
        weight = np.bincount(node, held[code], count)
        rungs.append(way)
        shares.append(held[code] / weight[node])
        leaves.append(code + space.first[attribute])
        starts.append(starts[-1][-1] + np.cumsum(np.bincount(node, minlength=count)))
        parents.append(parents_of(way, first_node[-1], count))
        first_node.append(first_node[-1] + count)
    joined = (np.concatenate(parts) for parts in (starts, leaves, shares, parents))
    return Nodes(space.first, np.array(first_node, np.int64), *joined), rungs


def paths_up(trees: SensitiveTrees, attribute: int) -> Paths:
    """Return the label of each code at each level, shape (levels + 1, codes), as numbers that differ if they do."""
    space = trees.space
    size, levels = int(space.first[attribute + 1] - space.first[attribute]), int(space.levels[attribute])
    codes = np.arange(size)
    start = int(space.trees[attribute])
    above = space.ancestor[start : start + levels * size].reshape(levels, size)
    return np.vstack([codes, np.where(above >= 0, above + np.int64(size), codes)])


def number_sets(paths: Paths, held: Floats) -> tuple[Wide, Wide, Rungs]:
    """Number the sets of codes that labels stand for: their lowest code first, then the smaller one.

    Only codes that are `held` possible count. Return pairs of a set and a code in it, ascending, and each code's way
    up. Sets of a tree are nested or disjoint, so the lowest code and the size tell them apart.
    """
    levels, size = paths.shape
    possible = np.flatnonzero(held > 0)
    of_label = np.unique((paths[:, possible] * size + possible).ravel())
    label, code = of_label // size, of_label % size
    labels, first, number, count = np.unique(label, return_index=True, return_inverse=True, return_counts=True)
    key = code[first] * (size + 1) + count
    _, set_of = np.unique(key, return_inverse=True)
    pairs = np.unique(set_of[number] * size + code)
    at_level = np.full((levels, size), -1, np.int64)
    at_level[:, possible] = set_of[np.searchsorted(labels, paths[:, possible])]
    return pairs // size, pairs % size, ways_up(at_level)


def ways_up(at_level: Paths) -> Rungs:
    """Leave out the levels at which nothing changes."""
    changes = np.ones(at_level.shape, np.bool_)
    changes[1:] = at_level[1:] != at_level[:-1]
    level, code = np.nonzero(changes)
    rung = (np.cumsum(changes, axis=0) - 1)[level, code]
    node = np.full(at_level.shape, -1, np.int64)
    node[rung, code] = at_level[level, code]
    lowest = np.zeros(at_level.shape, np.uint8)
    lowest[rung, code] = level
    return Rungs(node, lowest)


def parents_of(way: Rungs, first: int, count: int) -> Wide:
    """Return the parent of each of an attribute's nodes."""
    parent = np.full(count, -1, np.int64)
    below = way.node[:-1] >= 0
    parent[way.node[:-1][below] - first] = way.node[1:][below]
    return parent


@kernel
def share_in(nodes: Nodes, node: int, value: int) -> float:
    """Return for how much of a value a row counts that publishes this node."""
    low, high = nodes.start[node], nodes.start[node + 1] - 1
    if value < nodes.leaf[low] or value > nodes.leaf[high]:
        return 0.0
    high = min(high, low + value - nodes.leaf[low])  # it is there, if no code below it is missing
    while low < high and nodes.leaf[high] != value:
        middle = (low + high) // 2
        if nodes.leaf[middle] < value:
            low = middle + 1
        else:
            high = middle
    return float(nodes.share[high]) if nodes.leaf[high] == value else 0.0
