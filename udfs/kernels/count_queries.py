"""Count queries: how many rows of a table satisfy one, and how many a release of it lets expect.

A query asks some columns for some of their values: `wanted[first[c] + code]` is 1 where column c may have that code.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .jit import kernel
from .space import Floats, Ints, Wide

Flags = NDArray[np.uint8]

BLOCK = 4096
"""Rows looked at together: their numbers stay in the cache."""


@kernel
def count_rows(codes: Ints, weights: Wide, asked: Wide, wanted: Flags, first: Wide) -> int:
    """Count the rows that satisfy a query.

    codes[c, i] is what row i has in column c, weights[i] how many rows are like it, asked the columns of the query.
    """
    kept = np.empty(BLOCK, np.int64)
    total = 0
    for start in range(0, weights.size, BLOCK):
        found = min(BLOCK, weights.size - start)
        for j in range(found):
            kept[j] = start + j
        for c in asked:
            left = 0
            for j in range(found):  # written always, counted if wanted: a branch would be mispredicted half the time
                row = kept[j]
                kept[left] = row
                left += int(wanted[first[c] + codes[c, row]])
            found = left
        for j in range(found):
            total += weights[kept[j]]
    return total


@kernel
def fill_shares(low: Ints, high: Ints, asked: Wide, wanted: Flags, first: Wide, cells: Wide, share: Floats) -> None:
    """Fill, for the columns asked, the share of wanted codes among those that each cell covers.

    The cells of column c are cells[c] … cells[c + 1] - 1; each covers the codes low … high.
    """
    for c in asked:
        size = first[c + 1] - first[c]
        below = np.zeros(size + 1, np.int64)
        for code in range(size):
            below[code + 1] = below[code] + wanted[first[c] + code]
        for cell in range(cells[c], cells[c + 1]):
            share[cell] = (below[high[cell] + 1] - below[low[cell]]) / (high[cell] - low[cell] + 1)


@kernel
def estimate_rows(
    cell_of: Ints, asked: Wide, share: Floats, held_from: Wide, held_value: Wide, held_rows: Wide, told: Floats
) -> float:
    """Expected number of rows of a release that satisfy a query, were rows spread evenly over what is published.

    cell_of[c, k] is the cell that class k publishes for column c. Of its rows, held_rows[i] publish the sensitive value
    held_value[i], for i from held_from[k] up to held_from[k + 1]; told is the share of such a value that is wanted.
    """
    total = 0.0
    for k in range(held_from.size - 1):
        overlap = 1.0
        for c in asked:
            overlap *= share[cell_of[c, k]]
            if overlap == 0.0:
                break
        if overlap == 0.0:
            continue
        rows = 0.0
        for i in range(held_from[k], held_from[k + 1]):
            rows += held_rows[i] * told[held_value[i]]
        total += overlap * rows
    return total
