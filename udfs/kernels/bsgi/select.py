"""Max-l: groups of l rows from the l largest buckets, as long as there are l buckets.

Where rows must differ in more columns than the sensitive one, a bucket that has no row for a group is passed over, and
a value that is about to be too frequent for what remains is seen to: the last rows of the group have to have it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..heap import pop, push
from ..runtime.jit import kernel
from ..space import Flag, Ints, Wide
from .boxes import ANY, Boxes, mark_of, use
from .search import Extent, nearest

OPEN, NONE = -1, -2
"""A bucket in hand that has not given a row yet, and one that has none to give."""
HEAP, HAND = 0, 1
"""The two sizes."""


class Hand(NamedTuple):
    """The buckets that are not empty, on a heap but for those a group has asked, largest first, and the row each gave.

    A bucket is written as (rows in the table − rows left in it) · buckets + its number: the largest is the least.
    """

    heap: Wide
    bucket_key: Wide
    gave: Wide
    size: Wide


@kernel
def select(boxes: Boxes, lots: Ints, frequency: Wide, l: int, exact: bool, group_of: Ints, stop: Flag) -> int:
    """Fill group_of (−1 = in no group) with groups of l rows; return their number.

    A group starts from the row of the largest bucket that is first in `lots`, which has the rows of each bucket where
    the bucket is: in random order, that is as good as a draw. It goes on with the nearest row of the next bucket.
    If no l buckets can give it a row, the one it started from is set aside. `frequency` counts the rows that remain
    with each value of each marked column.
    """
    rows, columns = boxes.codes.shape
    hand = all_on_heap(boxes)
    next_lot = boxes.start.copy()
    used = np.zeros(rows, np.bool_)
    remaining = rows
    group = np.empty(l, np.int64)
    extent = Extent(np.empty(columns, np.int32), np.empty(columns, np.int32))
    groups = 0
    while hand.size[HEAP] >= l and not stop[0]:
        largest = ask_next(hand)
        while used[lots[next_lot[largest]]]:
            next_lot[largest] += 1
        group[0] = lots[next_lot[largest]]
        hand.gave[0] = group[0]
        for c in range(columns):
            extent.low[c] = extent.high[c] = boxes.codes[group[0], c]
        count = 1
        while count < l:
            row = next_row(boxes, hand, frequency, remaining, l, group, count, extent, exact)
            if row < 0:
                break
            group[count] = row
            count += 1
        if count < l:
            count = 1
            for i in range(1, hand.size[HAND]):
                hand.gave[i] = NONE
        groups += count == l
        remaining -= count
        for i in range(count):
            row = group[i]
            used[row] = True
            group_of[row] = groups - 1 if count == l else -1
            for c in range(frequency.shape[0]):
                if boxes.marked[c]:
                    frequency[c, boxes.apart[row, c]] -= 1
        put_back(boxes, hand)
    return groups


@kernel
def all_on_heap(boxes: Boxes) -> Hand:
    """Put every bucket on the heap."""
    rows, buckets = boxes.codes.shape[0], boxes.leaves.shape[0]
    hand = Hand(
        np.empty(buckets, np.int64), np.empty(buckets, np.int64), np.empty(buckets, np.int64), np.zeros(2, np.int64)
    )
    for bucket in range(buckets):
        height = boxes.start[bucket + 1] - boxes.start[bucket]
        hand.size[HEAP] = push(hand.heap, hand.size[HEAP], (rows - height) * buckets + bucket)
    return hand


@kernel
def ask_next(hand: Hand) -> int:
    """Take the largest bucket off the heap into the hand and return its number."""
    held = hand.size[HAND]
    hand.bucket_key[held], hand.gave[held] = hand.heap[0], OPEN
    hand.size[HEAP] = pop(hand.heap, hand.size[HEAP])
    hand.size[HAND] += 1
    return int(hand.bucket_key[held] % hand.heap.shape[0])


@kernel
def put_back(boxes: Boxes, hand: Hand) -> None:
    """Empty the hand: take from each bucket the row it gave, and put it back on the heap if there are more."""
    rows, buckets = boxes.codes.shape[0], hand.heap.shape[0]
    for i in range(hand.size[HAND]):
        if hand.gave[i] >= 0:
            use(boxes, hand.bucket_key[i] % buckets, hand.gave[i])
            hand.bucket_key[i] += buckets
        if hand.bucket_key[i] // buckets < rows:
            hand.size[HEAP] = push(hand.heap, hand.size[HEAP], hand.bucket_key[i])
    hand.size[HAND] = 0


@kernel
def next_row(
    boxes: Boxes, hand: Hand, frequency: Wide, remaining: int, l: int,
    group: Wide, count: int, extent: Extent, exact: bool,
) -> int:  # fmt: skip
    """Return the nearest row of the largest bucket that has one for the group, and widen the extent; −1 if none has.

    What must be seen to is given up only when no bucket at all has it.
    """
    allowed = np.empty(frequency.shape[0], np.int64)
    insisting = allow(boxes.apart, boxes.marked, frequency, remaining, l, group, count, True, allowed)
    i = 0
    while True:
        if i == hand.size[HAND]:
            if hand.size[HEAP] > 0:
                ask_next(hand)
            elif insisting:
                insisting = allow(boxes.apart, boxes.marked, frequency, remaining, l, group, count, False, allowed)
                i = 0
            else:
                return -1
        if hand.gave[i] == OPEN:
            row = nearest(boxes, hand.bucket_key[i] % hand.heap.shape[0], extent, group, count, allowed, exact)
            if row >= 0:
                hand.gave[i] = row
                for c in range(extent.low.shape[0]):
                    extent.low[c] = min(extent.low[c], boxes.codes[row, c])
                    extent.high[c] = max(extent.high[c], boxes.codes[row, c])
                return row
            if not insisting:
                hand.gave[i] = NONE
        i += 1


@kernel
def allow(
    apart: Ints, marked: Wide, frequency: Wide, remaining: int, l: int,
    group: Wide, count: int, insist: bool, allowed: Wide,
) -> bool:  # fmt: skip
    """Fill in the marks that the next row of a group may have, none that the group has; return whether one is a must.

    A value is needed if without it the group would leave more than 1/l of the remaining rows with it. If a column
    needs as many as there are rows to come, these have to have them.
    """
    insisting = False
    for c in range(allowed.shape[0]):
        allowed[c] = ANY
        if not marked[c]:
            continue
        for i in range(count):
            allowed[c] &= ~mark_of(apart, marked, group[i], c)
        needed, values = 0, 0
        for value in range(frequency.shape[1]):
            if frequency[c, value] * l > remaining - l and allowed[c] & (1 << value):
                needed |= 1 << value
                values += 1
        if insist and values >= l - count:
            allowed[c] = needed
            insisting = True
    return insisting
