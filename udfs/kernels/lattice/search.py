"""The knowledge of the nodes of a lattice, and how to know more by counting few of them.

After Incognito (LeFevre, DeWitt, Ramakrishnan: Full-Domain k-Anonymity, SIGMOD 2005) and the search along paths of
Flash (Kohlmayer et al.: Flash, PASSAT 2012). Rows that cannot be kept at a node cannot be kept below it either, at more
specific ones: a node with too many such rows excludes all below. A projection on fewer columns is the node with all
others at the root; so the subsets of Incognito are nodes like any other, and the cheapest to count.

For k the rows that cannot be kept are those of classes that fail. For diversity a class that fails may be the union of
one that holds and a few rows that could be left out: then just those few count (count_excess).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..space import Floats, Wide
from .table import FrequencyTable

SAME = 1e-12
"""Losses that differ by less are the same: which one rounding favours must not decide."""

BLOCK = 1024
"""So many nodes are looked through at once for one that is undecided."""

UNKNOWN, POSSIBLE, JUDGED, EXCLUDED = range(4)
"""The states of a node. POSSIBLE: one below it is not excluded, so this one is not either."""


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

    def by_loss(self, state: int) -> Iterator[int]:
        """Yield the nodes whose state is lower than this when their turn comes, those that lose least first."""
        order = np.argsort(self.gcp, kind="stable")
        for start in range(0, order.size, BLOCK):
            block = order[start : start + BLOCK]
            while (block := block[self.state[block] < state]).size:
                yield int(block[0])

    def decide(self, node: int) -> None:
        """Judge or exclude a node: find, on a path of unknown nodes above it, where those that are possible begin.

        The highest that is not excludes all below it, which are many more than those on the path.
        """
        path = self.path_above(node) if self.state[node] == UNKNOWN else [node]
        low, high = 0, len(path) - 1
        while low <= high:
            middle = (low + high) // 2
            if self.judge(path[middle]):
                high = middle - 1
            else:
                low = middle + 1

    def path_above(self, node: int) -> list[int]:
        """Return a path of unknown nodes: one column a level up at each step, where that adds the least loss."""
        path = [node]
        while True:
            steps = []
            for size, stride in zip(self.shape, self.strides, strict=True):
                above = path[-1] + stride
                if path[-1] // stride % size < size - 1 and self.state[above] == UNKNOWN:
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


def allowed_rows(rows: int, suppress: float) -> int:
    """Return how many rows may be left out: a share of 0.29 of 100 rows is 29, whatever 0.29 · 100 is in binary.

    Never all of them: nothing would be published, and that may lose no more than a release does.
    """
    return min(math.floor(suppress * rows + 1e-9), max(rows - 1, 0))
