"""How densely boxes cover points, without visiting every pair of them.

The points are halved at the median of a column, and the halves again, into a tree of runs (a k-d tree): node i has the
halves 2 i and 2 i + 1. A box that contains all that lies below a node is added there once; it goes further down only
where it contains a part. In the end what was added on the way from the root to a point is the point's density.
"""

from __future__ import annotations

import numpy as np

from ..runtime.interrupt import STOP, raise_if_interrupted
from ..runtime.jit import kernel
from ..space import Flag, Floats, Ints, Wide

SMALL = 16
"""Points that are tested one by one: a run of so many is not halved."""


def densities(points: Ints, low: Ints, high: Ints, weight: Floats) -> Floats:
    """Return, for each point, the sum of the weights of the boxes that contain it.

    A line of points is a point, a line of low and high the closed box from one to the other; both are C-contiguous, and
    there is at least one column.
    """
    n, columns = points.shape
    density = np.zeros(n)
    if n == 0 or weight.size == 0:
        return density
    levels = max(0, int(np.ceil(np.log2(n / SMALL))))
    nodes = 2 ** (levels + 1)
    order = np.arange(n)
    first, last = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    lowest, highest = np.empty((nodes, columns), np.int32), np.empty((nodes, columns), np.int32)
    # in a column where boxes are narrow a cut spares more of them the other half
    usual_width = (high.astype(np.float64) - low + 1.0).mean(axis=0)
    halve_points(points, usual_width, order, first, last, lowest, highest)
    added = np.zeros(nodes)
    add_boxes(points[order], first, last, lowest, highest, low, high, weight, added, density, STOP)
    raise_if_interrupted()
    gather_densities(order, first, last, added, density)
    return density


@kernel
def halve_points(
    points: Ints, usual_width: Floats, order: Wide, first: Wide, last: Wide, lowest: Ints, highest: Ints
) -> None:
    """Fill, per node, the run first … last − 1 of order that it owns and the box least … most around its points.

    Assumes at least one point per node; order holds every point once, and is rearranged.
    """
    nodes, columns = lowest.shape
    first[1], last[1] = 0, order.size
    for node in range(1, nodes):
        run = order[first[node] : last[node]]
        for c in range(columns):
            lowest[node, c] = highest[node, c] = points[run[0], c]
        for row in run:
            for c in range(columns):
                lowest[node, c] = min(lowest[node, c], points[row, c])
                highest[node, c] = max(highest[node, c], points[row, c])
        if 2 * node >= nodes:
            continue
        widest, width = 0, -1.0
        for c in range(columns):
            relative = (highest[node, c] - lowest[node, c]) / usual_width[c]
            if relative > width:
                widest, width = c, relative
        codes = np.empty(run.size, np.int32)
        for i in range(run.size):
            codes[i] = points[run[i], widest]
        run[:] = run[np.argsort(codes)]
        middle = (first[node] + last[node]) // 2
        first[2 * node], last[2 * node] = first[node], middle
        first[2 * node + 1], last[2 * node + 1] = middle, last[node]


@kernel
def add_boxes(
    points: Ints,
    first: Wide,
    last: Wide,
    lowest: Ints,
    highest: Ints,
    low: Ints,
    high: Ints,
    weight: Floats,
    added: Floats,
    density: Floats,
    stop: Flag,
) -> None:
    """Add each box's weight to nodes whose points it all contains, and to single points; points is in order of runs."""
    nodes, columns = lowest.shape
    waiting = np.empty(64, np.int64)
    for box in range(weight.size):
        if stop[0]:
            return
        waiting[0] = 1
        count = 1
        while count > 0:
            count -= 1
            node = waiting[count]
            outside, within = False, True
            for c in range(columns):
                if high[box, c] < lowest[node, c] or low[box, c] > highest[node, c]:
                    outside = True
                    break
                if low[box, c] > lowest[node, c] or high[box, c] < highest[node, c]:
                    within = False
            if outside:
                continue
            if within:
                added[node] += weight[box]
            elif 2 * node < nodes:
                waiting[count], waiting[count + 1] = 2 * node, 2 * node + 1
                count += 2
            else:
                for position in range(first[node], last[node]):
                    inside = True
                    for c in range(columns):
                        if points[position, c] < low[box, c] or points[position, c] > high[box, c]:
                            inside = False
                            break
                    if inside:
                        density[position] += weight[box]


@kernel
def gather_densities(order: Wide, first: Wide, last: Wide, added: Floats, density: Floats) -> None:
    """Turn density, by position and of single points only, into the density of each point, nodes included."""
    nodes = added.size
    for node in range(2, nodes):
        added[node] += added[node // 2]
    by_position = density.copy()
    for node in range(nodes // 2, nodes):
        for position in range(first[node], last[node]):
            density[order[position]] = by_position[position] + added[node]
