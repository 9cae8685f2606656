"""Count queries: how many rows of a table satisfy one, and how many a release of it lets expect.

A query asks some columns for some of their values: `wanted[first[c] + code]` is 1 where column c may have that code.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..runtime.jit import kernel
from ..space import Floats, Ints, Wide

Flags = NDArray[np.uint8]

BLOCK = 4096
"""Rows looked at together: their numbers stay in the cache."""


@kernel
def count_rows(codes: Ints, weights: Wide, columns: Wide, wanted: Flags, first: Wide) -> int:
    """Count the rows that satisfy a query.

    codes[c, i] is what row i has in column c, weights[i] how many rows are like it, columns those of the query.
    """
    kept = np.empty(BLOCK, np.int64)
    total = 0
    for start in range(0, weights.size, BLOCK):
        rows_left = min(BLOCK, weights.size - start)
        for j in range(rows_left):
            kept[j] = start + j
        for c in columns:
            left = 0
            for j in range(
                rows_left
            ):  # written always, counted if wanted: a branch would be mispredicted half the time
                row = kept[j]
                kept[left] = row
                left += int(wanted[first[c] + codes[c, row]])
            rows_left = left
        for j in range(rows_left):
            total += weights[kept[j]]
    return total


@kernel
def fill_shares(
    columns: Wide,
    wanted: Flags,
    first: Wide,
    intervals: Wide,
    cell: Ints,
    low: Ints,
    high: Ints,
    weight: Floats,
    share: Floats,
) -> None:
    """Add to each cell, for the columns asked, the share of wanted codes among those that it covers.

    The intervals of column c are intervals[c] … intervals[c + 1] - 1. Each belongs to a cell, covers its codes
    low … high, and has a weight: those of a cell add up to 1.
    """
    for c in columns:
        size = first[c + 1] - first[c]
        below = np.zeros(size + 1, np.int64)
        for code in range(size):
            below[code + 1] = below[code] + wanted[first[c] + code]
        for i in range(intervals[c], intervals[c + 1]):
            satisfied = (below[high[i] + 1] - below[low[i]]) / (high[i] - low[i] + 1)
            share[cell[i]] += weight[i] * satisfied


@kernel
def estimate_rows(
    cell_of: Ints, columns: Wide, share: Floats, held_from: Wide, held_cell: Ints, held_rows: Wide
) -> float:
    """Expected number of rows of a release that satisfy a query, were rows spread evenly over what is published.

    cell_of[c, k] is the cell that class k publishes for column c. Of its rows, held_rows[i] publish the sensitive cell
    held_cell[i], for i from held_from[k] up to held_from[k + 1]. share[cell] is how much of a cell is wanted.
    """
    total = 0.0
    for k in range(held_from.size - 1):
        overlap = 1.0
        for c in columns:
            overlap *= share[cell_of[c, k]]
            if overlap == 0.0:
                break
        if overlap == 0.0:
            continue
        rows = 0.0
        for i in range(held_from[k], held_from[k + 1]):
            rows += held_rows[i] * share[held_cell[i]]
        total += overlap * rows
    return total
