"""The lattice of full-domain generalizations: a node is a level for each column. Which hold, and which loses least?"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..requirement.requirement import Requirement
from ..space import Floats, Microdata, Space, Wide
from .search import JUDGED, POSSIBLE, SAME, Lattice
from .table import FrequencyTable

MOST_NODES = 2**20
"""Lattices up to this many nodes can be searched: in seconds without, in minutes with rows that may be left out."""


class HoldingNodes(NamedTuple):
    """Nodes that hold, the one with the least loss first: levels, shape (nodes, columns), GCP, and rows left out."""

    levels: NDArray[np.uint8]
    gcp: Floats
    suppressed: Wide


def count_nodes(space: Space) -> int:
    """Return the number of nodes, exactly, however many there are."""
    return math.prod(int(height) + 1 for height in space.levels)


def best_levels(table: FrequencyTable, suppress: float) -> Wide:
    """Return the levels of the node that loses least of those that hold; ties by total level, then by column.

    Rows left out only add to the loss of a node, so nodes that lose more than the best without that need no look.
    The top if none holds.
    """
    lattice = Lattice(table, suppress)
    for node in lattice.by_loss(JUDGED):
        if lattice.gcp[node] > lattice.best_gcp + SAME:
            break
        lattice.decide(node)
    return lattice.levels_of(lattice.best)


def holding_nodes(data: Microdata, requirement: Requirement, suppress: float = 0.0) -> HoldingNodes:
    """Return all nodes that hold, by GCP, then total level, then levels."""
    lattice = Lattice(FrequencyTable(data, requirement), suppress)
    for node in lattice.by_loss(POSSIBLE):
        lattice.decide(node)
    possible = np.flatnonzero(lattice.state == POSSIBLE)
    if lattice.allowed == 0 and lattice.table.holds_together:
        lattice.suppressed[possible] = 0
    else:
        for node in possible.tolist():  # by levels: most frequency sets are then merged from the one before
            lattice.judge(node)
    nodes = np.flatnonzero(lattice.suppressed >= 0)
    levels = np.stack(np.unravel_index(nodes, lattice.shape), axis=1)
    by_gcp = np.argsort(lattice.gcp[nodes])
    rank = np.empty(nodes.size, np.int64)
    rank[by_gcp] = np.cumsum(np.diff(lattice.gcp[nodes[by_gcp]], prepend=0.0) > SAME)
    order = np.lexsort((nodes, levels.sum(axis=1), rank))
    return HoldingNodes(
        levels[order].astype(np.uint8), lattice.gcp[nodes[order]], lattice.suppressed[nodes[order]].astype(np.int64)
    )
