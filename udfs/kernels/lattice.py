"""The lattice of full-domain generalizations: a node is one level for each column. Which hold, and which loses least?

After Incognito (LeFevre, DeWitt, Ramakrishnan: Full-Domain k-Anonymity, SIGMOD 2005), and the search along paths of
Flash (Kohlmayer et al., 2012). What cannot be kept at a node cannot be kept below it either, at a more specific one: a
node that has to leave out too much rules out all below. A projection on fewer columns is the node with all others at
the root, so that the subsets of Incognito are nodes like any other, and the cheapest to count.

The loss of a node is known before anything is counted: leaving out rows only adds to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .lattice_requirement import Requirement
from .lattice_table import FrequencyTable
from .space import Floats, Microdata, Space, Wide

SAME = 1e-12
"""Losses that differ by less are the same: which one rounding favours must not decide."""

BLOCK = 1024
"""So many nodes are looked through at once for one that is undecided."""

UNKNOWN, POSSIBLE, JUDGED, EXCLUDED = range(4)
"""What is known of a node. POSSIBLE: one below it is not excluded, so this one is not either."""


class HoldingNodes(NamedTuple):
    """Nodes that hold, the one with the least loss first: levels, shape (nodes, columns), GCP, and rows left out."""

    levels: NDArray[np.uint8]
    gcp: Floats
    suppressed: Wide


def count_nodes(space: Space) -> int:
    """Return the number of nodes, exactly, however many there are."""
    return math.prod(int(height) + 1 for height in space.levels)


def allowed_rows(rows: int, suppress: float) -> int:
    """Return how many rows may be left out: a share of 0.29 of 100 rows is 29, whatever 0.29 · 100 is in binary."""
    return math.floor(suppress * rows + 1e-9)


def best_levels(table: FrequencyTable, suppress: float) -> Wide:
    """Return the levels of the node that loses least of those that hold; ties by total level, then by column.

    Rows left out only add to the loss of a node, so nodes that lose more than the best without that need no look.
    The top if none holds.
    """
    lattice = Lattice(table, suppress)
    for node in lattice.undecided():
        if lattice.gcp[node] > lattice.best_gcp + SAME:
            break
        lattice.decide(node, lattice.best_gcp + SAME)
    return lattice.levels_of(lattice.best)


def holding_nodes(data: Microdata, requirement: Requirement, suppress: float = 0.0) -> HoldingNodes:
    """Return all nodes that hold, by GCP, then total level, then levels."""
    lattice = Lattice(FrequencyTable(data, requirement), suppress)
    for node in lattice.undecided():
        lattice.decide(node, np.inf)
    nodes = np.flatnonzero(lattice.suppressed >= 0)
    levels = np.stack(np.unravel_index(nodes, lattice.shape), axis=1)
    by_gcp = np.argsort(lattice.gcp[nodes])
    rank = np.empty(nodes.size, np.int64)
    rank[by_gcp] = np.cumsum(np.diff(lattice.gcp[nodes[by_gcp]], prepend=0.0) > SAME)
    order = np.lexsort((nodes, levels.sum(axis=1), rank))
    return HoldingNodes(
        levels[order].astype(np.uint8), lattice.gcp[nodes[order]], lattice.suppressed[nodes[order]].astype(np.int64)
    )


class Lattice:
    """All nodes, numbered in the order of their levels, and what is known of each: its state and its GCP.

    `gcp` is a lower bound until a node is judged. `suppressed`: the rows left out by a node that holds, else -1.
    """

    def __init__(self, table: FrequencyTable, suppress: float) -> None:
        """Know nothing but the loss of each node if it leaves nothing out."""
        self.table = table
        self.allowed = allowed_rows(table.rows, suppress)
        self.shape = tuple(int(height) + 1 for height in table.heights)
        self.strides = np.cumprod((1, *self.shape[:0:-1]))[::-1].tolist()
        self.gcp = node_losses(table.losses())
        self.state = np.full(self.gcp.size, UNKNOWN, np.uint8)
        self.suppressed = np.full(self.gcp.size, -1, np.int32)
        self.best = self.gcp.size - 1
        self.best_gcp = np.inf

    def levels_of(self, node: int) -> Wide:
        """Return the levels of a node."""
        return np.array(np.unravel_index(node, self.shape), np.int64)

    def undecided(self) -> Iterator[int]:
        """Yield the nodes by loss, without those that are excluded or judged when their turn comes."""
        order = np.argsort(self.gcp, kind="stable")
        for start in range(0, order.size, BLOCK):
            block = order[start : start + BLOCK]
            while (block := block[self.state[block] < JUDGED]).size:
                yield int(block[0])

    def decide(self, node: int, limit: float) -> None:
        """Judge or exclude a node, and what is on a path above it, whose nodes lose no more than the limit.

        Below the node of the path at which the possible ones begin, all are excluded; above, all are possible.
        """
        path = self.path_above(node, limit) if self.state[node] == UNKNOWN else [node]
        low, high = 0, len(path) - 1
        while low <= high:
            middle = (low + high) // 2
            if self.judge(path[middle]):
                high = middle - 1
            else:
                low = middle + 1

    def path_above(self, node: int, limit: float) -> list[int]:
        """Return a path of unknown nodes: one column a level up at each step, where that adds the least loss."""
        path = [node]
        while True:
            steps = []
            for size, stride in zip(self.shape, self.strides, strict=True):
                above = path[-1] + stride
                if path[-1] // stride % size < size - 1 and self.state[above] == UNKNOWN and self.gcp[above] <= limit:
                    steps.append(above)
            if not steps:
                return path
            path.append(min(steps, key=lambda above: self.gcp[above]))

    def judge(self, node: int) -> bool:
        """Judge a node; return whether it is possible. If not, none below it is either; if so, are all above it."""
        levels = self.levels_of(node)
        verdict = self.table.judge(levels)
        state = self.state.reshape(self.shape)
        if verdict.inevitable > self.allowed:
            state[tuple(slice(level + 1) for level in levels)] = EXCLUDED
            return False
        above = state[tuple(slice(level, None) for level in levels)]
        above[above == UNKNOWN] = POSSIBLE
        self.state[node] = JUDGED
        if verdict.failing <= self.allowed:
            self.suppressed[node] = verdict.failing
            self.gcp[node] += verdict.lost / (self.table.rows * levels.size)
            self.compare(node)
        return True

    def compare(self, node: int) -> None:
        """Remember a node that holds if it is better than the best so far."""
        worse = self.gcp[node] - self.best_gcp
        if worse < -SAME or (worse <= SAME and self.rank(node) < self.rank(self.best)):
            self.best, self.best_gcp = node, float(self.gcp[node])

    def rank(self, node: int) -> tuple[int, int]:
        """Return what decides between nodes that lose the same: the total level, then the levels by column."""
        return int(self.levels_of(node).sum()), node


def node_losses(means: list[Floats]) -> Floats:
    """Return the loss of each node, from that of each column at each level."""
    losses = np.zeros(1)
    for mean in means:
        losses = (losses[:, np.newaxis] + mean / len(means)).ravel()
    return losses
