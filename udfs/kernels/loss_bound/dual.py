"""The bound by boxes: a number u for each row, such that no group can have a larger sum of u than it loses.

Let the mean of the k largest u in every box be at most what a row of the box loses; by sensitive value, the mean of the
l largest of the values' best. Then the u of all rows sum up to no more than any grouping loses. Among such u, this
looks for those with a large sum: it steps up, settles on all boxes that are known to stand in the way, walks all boxes,
lowers u where one is broken, and remembers it. After each walk u keeps all boxes, so that it is a bound whenever one
stops. This is the dual of a linear programme over boxes, by a proximal method with cutting planes.
"""

from __future__ import annotations

import numpy as np

from ..runtime.interrupt import STOP, raise_if_interrupted
from ..space import Floats, Space, Wide
from .boxes import TOLERANCE, keep_boxes
from .items import Items
from .pool import drop_idle, empty_pool, lower_by_prices, settle_prices
from .top import empty_top
from .walk import room_for_walk

ROUNDS = 3
"""Walks, for each unit of effort."""

LOOKS = 10_000_000
"""Items that walks look at, for each unit of effort squared: about a second."""

CUTS, MEMBERS = 2**19, 2**23
"""The most cuts that are remembered, and rows in them: about a hundred megabytes."""

STRIDE, SHORTEST_STRIDE = 8.0, 0.05
"""How far a step goes, in means of what it starts with, and at least."""

SETTLINGS, IDLE = 300, 5
"""How often the cuts are gone through in each round; after how many rounds without need one is forgotten."""

SWEPT_BINS, BINS = 128, 12
"""Bins of the column of numbers with most values, and of any other."""

LONG_LIST = 50
"""A list of best rows from which on a look takes longer."""


def raise_losses(space: Space, items: Items, losses: Floats, size: int, by_value: bool, effort: int) -> float:
    """Return a sum of u over all rows that no grouping loses less than; 0 if no walk came to its end.

    `losses`: of the smallest boxes of the items, which keep all boxes.
    """
    columns = items.codes.shape[1]
    walk = room_for_walk(space, items, column_order(space), np.array([SWEPT_BINS, BINS]))
    top = empty_top(size, by_value)
    pool = empty_pool(CUTS, MEMBERS)
    stride = max(STRIDE * float(losses @ items.weight) / float(items.weight.sum()), SHORTEST_STRIDE)
    looks = LOOKS * effort**2 // (1 + size // LONG_LIST)
    centre, best = losses, 0.0
    for _ in range(ROUNDS * effort):
        centre = centre + stride
        lower_by_prices(pool, items, centre)
        settle_prices(pool, items, centre, SETTLINGS, STOP)
        u = centre.copy()
        looks -= keep_boxes(space, items, walk, top, u, pool, looks, STOP)
        raise_if_interrupted()
        if looks < 0:
            break
        # a row that is left out loses every column, and no more
        best = max(best, float(np.minimum(u - TOLERANCE, columns) @ items.weight))
        drop_idle(pool, IDLE)
    return best


def column_order(space: Space) -> Wide:
    """Return the columns, those with few values first, and the one to sweep last: -1 if there are no numbers."""
    order = [int(column) for column in np.argsort(np.diff(space.first), kind="stable")]
    numbers = [column for column in order if space.levels[column] == 0]
    swept = numbers[-1] if numbers else -1
    return np.array([*(column for column in order if column != swept), swept], np.int64)
