"""The cells that records hold: combinations of an item of each of their lists.

A line of `items` has the codes of one record's lists, one list after the other; `etas` says how long each is, and
`strides` by how much the number of a cell grows with each code. The last stride is 1.
"""

from __future__ import annotations

import numpy as np

from ..runtime.jit import kernel
from ..space import Flag, Floats, Ints, Wide


@kernel
def base_cell(items: Ints, etas: Wide, strides: Wide, line: int, place: Wide) -> int:
    """The number of a cell without the last list: of each other list, the item at its place counts."""
    cell, start = 0, 0
    for j in range(etas.size - 1):
        cell += strides[j] * items[line, start + place[j]]
        start += etas[j]
    return cell


@kernel
def advance(etas: Wide, place: Wide) -> bool:
    """Go to the next combination of places in all lists but the last; FALSE after the last combination."""
    for j in range(etas.size - 2, -1, -1):
        place[j] += 1
        if place[j] < etas[j]:
            return True
        place[j] = 0
    return False


@kernel
def count_members(items: Ints, etas: Wide, strides: Wide, weights: Floats, observed: Floats, stop: Flag) -> None:
    """Add the weight of each line to all cells that its lists hold."""
    place = np.zeros(etas.size, np.int64)
    last = items.shape[1] - etas[-1]
    for line in range(items.shape[0]):
        if stop[0]:
            return
        going = True
        while going:
            base = base_cell(items, etas, strides, line, place)
            for i in range(last, items.shape[1]):
                observed[base + items[line, i]] += weights[line]
            going = advance(etas, place)


@kernel
def sum_members(items: Ints, etas: Wide, strides: Wide, values: Floats, sums: Floats, stop: Flag) -> None:
    """Fill `sums` with the total of the values of all cells that each line's lists hold."""
    place = np.zeros(etas.size, np.int64)
    last = items.shape[1] - etas[-1]
    for line in range(items.shape[0]):
        if stop[0]:
            return
        total, going = 0.0, True
        while going:
            base = base_cell(items, etas, strides, line, place)
            for i in range(last, items.shape[1]):
                total += values[base + items[line, i]]
            going = advance(etas, place)
        sums[line] = total
