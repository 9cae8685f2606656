"""The search for the row of a bucket that widens a group least: box by box, the most promising first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..loss import extent_loss
from ..runtime.jit import kernel
from ..space import Ints, Wide
from .boxes import LEAF, Boxes, leftmost_leaf, mark_of

PATIENCE = 256
"""Nodes of a bucket that are opened in search of a row, unless the search is exact."""
DEPTH = 64
"""Nodes that can wait to be opened: one a level, and no tree has as many levels."""


class Extent(NamedTuple):
    """The span of a group: the lowest and the highest code in each column."""

    low: Ints
    high: Ints


@kernel
def nearest(boxes: Boxes, bucket: int, extent: Extent, group: Wide, count: int, allowed: Wide, exact: bool) -> int:
    """Return the unused row of a bucket that widens the extent least; −1 if none will do.

    A row will do if it has none of the apart values of the `count` rows of the group, and in each apart column one
    whose mark is allowed. If `exact`, none is better, and it is the first of equally good ones; otherwise the search
    has PATIENCE only, once some row is found.
    The loss is taken in this function, for rows and boxes alike, as a call would cost more than it.
    """
    codes, left, marks, member, space = boxes.codes, boxes.left, boxes.marks, boxes.member, boxes.space
    leaves, base, start = boxes.leaves[bucket], boxes.base[bucket], boxes.start[bucket]
    columns, restrictions = codes.shape[1], allowed.shape[0]
    waiting = np.empty(DEPTH, np.int64)
    bound = np.empty(DEPTH, np.float64)
    waiting[0], bound[0] = 1, 0.0
    size = 1
    best, lowest_loss = -1, np.inf
    opened = 0
    while size > 0 and (exact or opened < PATIENCE or best < 0):
        size -= 1
        node = waiting[size]
        if bound[size] > lowest_loss:
            continue
        if bound[size] == lowest_loss and not (exact and start + leftmost_leaf(node, leaves) * LEAF < best):
            continue
        before = size
        opened += 1
        is_leaf = node >= leaves
        if is_leaf:
            first = start + leftmost_leaf(node, leaves) * LEAF
            stop = first + left[base + node]
            low, high = codes, codes
        else:
            first = base + 2 * node
            stop = first + 2
            low, high = boxes.low, boxes.high
        for i in range(first, stop):
            at = member[i] if is_leaf else i
            loss = 0.0 if is_leaf or left[i] > 0 else np.inf
            for c in range(columns):
                if loss > lowest_loss:
                    break
                loss += extent_loss(space, c, min(extent.low[c], high[at, c]), max(extent.high[c], low[at, c]))
            if loss > lowest_loss or loss == np.inf:
                continue
            if is_leaf:
                if (loss < lowest_loss or at < best) and (
                    restrictions == 0 or will_do(boxes, at, group, count, allowed)
                ):
                    best, lowest_loss = at, loss
                continue
            for c in range(restrictions):
                if marks[i, c] & allowed[c] == 0:
                    loss = np.inf
            if loss < np.inf:
                waiting[size], bound[size] = i - base, loss
                size += 1
        if size < before + 2:
            continue
        # the last to wait is the first to be opened: the better one, of equal ones that nearer on the curve
        beyond = boxes.position[start + leftmost_leaf(2 * node + 1, leaves) * LEAF] > boxes.position[group[0]]
        if bound[before] < bound[before + 1] or (bound[before] == bound[before + 1] and beyond):
            waiting[before], waiting[before + 1] = waiting[before + 1], waiting[before]
            bound[before], bound[before + 1] = bound[before + 1], bound[before]
    return best


@kernel
def will_do(boxes: Boxes, row: int, group: Wide, count: int, allowed: Wide) -> bool:
    """Whether a row has an allowed mark, and a value of its own, in every apart column."""
    for c in range(allowed.shape[0]):
        if mark_of(boxes.apart, boxes.marked, row, c) & allowed[c] == 0:
            return False
        for i in range(count):
            if boxes.apart[group[i], c] == boxes.apart[row, c]:
                return False
    return True
