"""The rows left in each bucket, in boxes: which of them widens a group least is found without looking at all.

A bucket's rows lie in curve order, LEAF to a leaf; above the leaves is a binary tree. Each node has a box, the least
and greatest code of its unused rows by column. To reach the nearest side of a box costs a group no more than any row in
it does, so a box that costs more than the best row found need not be opened. Boxes shrink as rows are used.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.jit import kernel
from ..space import Ints, Space, Wide

LEAF = 8
"""Rows in a leaf."""
ANY = -1
"""The marks of a column with more than MARKS values: it may hold any."""
MARKS = 62
"""Values that have a mark of their own."""


class Boxes(NamedTuple):
    """Rows are numbered bucket after bucket, in curve order in each: codes and apart have a line per row.

    Node i of a bucket is at base[bucket] + i: 1 is its root, the children of i are 2i and 2i + 1, and those from
    leaves[bucket] on are leaves. `member` lists the rows of each leaf, the unused ones first; `left` counts these.
    `marks`: per node and apart column, a bit for each value that its unused rows have; `marked`: whether a column has
    such bits. `position` is where a row is on the curve among all rows.
    """

    codes: Ints
    apart: Ints
    marked: Wide
    position: Wide
    space: Space
    start: Wide
    leaves: Wide
    base: Wide
    member: Ints
    left: Ints
    low: Ints
    high: Ints
    marks: Wide


@kernel
def plant(
    codes: Ints, apart: Ints, marked: Wide, position: Wide, space: Space, start: Wide, member: Ints
) -> Boxes:  # fmt: skip
    """Put all rows in boxes. Bucket b has the rows start[b] … start[b + 1] − 1, at least one; `member` counts up."""
    columns = codes.shape[1]
    buckets = start.shape[0] - 1
    leaves = np.empty(buckets, np.int64)
    base = np.empty(buckets, np.int64)
    nodes = 0
    for bucket in range(buckets):
        leaves[bucket] = (start[bucket + 1] - start[bucket] + LEAF - 1) // LEAF
        base[bucket] = nodes - 1
        nodes += 2 * leaves[bucket] - 1
    boxes = Boxes(
        codes, apart, marked, position, space, start, leaves, base, member, np.zeros(nodes, np.int32),
        np.empty((nodes, columns), np.int32), np.empty((nodes, columns), np.int32),
        np.empty((nodes, apart.shape[1]), np.int64),
    )  # fmt: skip
    for bucket in range(buckets):
        for leaf in range(leaves[bucket]):
            first = start[bucket] + leaf * LEAF
            node = leaf_node(leaf, leaves[bucket])
            boxes.left[base[bucket] + node] = min(LEAF, start[bucket + 1] - first)
            fit_leaf(boxes, base[bucket] + node, first)
        for node in range(leaves[bucket] - 1, 0, -1):
            boxes.left[base[bucket] + node] = (
                boxes.left[base[bucket] + 2 * node] + boxes.left[base[bucket] + 2 * node + 1]
            )
            fit_above(boxes, base[bucket], node)
    return boxes


@kernel
def leaf_node(leaf: int, leaves: int) -> int:
    """Return the node of a leaf. From left to right, the deepest leaves are the first."""
    deepest = 1
    while deepest < leaves:
        deepest *= 2
    node = leaf + deepest
    return node if node < 2 * leaves else node - leaves


@kernel
def leftmost_leaf(node: int, leaves: int) -> int:
    """Return the first leaf below a node."""
    while node < leaves:
        node *= 2
    deepest = 1
    while deepest < leaves:
        deepest *= 2
    return node - deepest if node >= deepest else node - deepest + leaves


@kernel
def mark_of(apart: Ints, marked: Wide, row: int, column: int) -> int:
    """Return the mark of a row's value in an apart column."""
    return 1 << int(apart[row, column]) if marked[column] else ANY


@kernel
def fit_leaf(boxes: Boxes, at: int, first: int) -> bool:
    """Fit the box of the leaf at `at`, whose members start at `first`; return whether it changed."""
    changed = False
    left = boxes.left[at]
    for c in range(boxes.codes.shape[1]):
        low = high = boxes.codes[boxes.member[first], c]
        for i in range(first + 1, first + left):
            low = min(low, boxes.codes[boxes.member[i], c])
            high = max(high, boxes.codes[boxes.member[i], c])
        changed = changed or low != boxes.low[at, c] or high != boxes.high[at, c]
        boxes.low[at, c], boxes.high[at, c] = low, high
    for c in range(boxes.apart.shape[1]):
        marks = 0
        for i in range(first, first + left):
            marks |= mark_of(boxes.apart, boxes.marked, boxes.member[i], c)
        changed = changed or marks != boxes.marks[at, c]
        boxes.marks[at, c] = marks
    return changed


@kernel
def fit_above(boxes: Boxes, base: int, node: int) -> bool:
    """Fit the box of a node to those of its children, of which one may be empty; return whether it changed."""
    at, one, two = base + node, base + 2 * node, base + 2 * node + 1
    if boxes.left[one] == 0:
        one = two
    elif boxes.left[two] == 0:
        two = one
    changed = False
    for c in range(boxes.codes.shape[1]):
        low = min(boxes.low[one, c], boxes.low[two, c])
        high = max(boxes.high[one, c], boxes.high[two, c])
        changed = changed or low != boxes.low[at, c] or high != boxes.high[at, c]
        boxes.low[at, c], boxes.high[at, c] = low, high
    for c in range(boxes.apart.shape[1]):
        marks = boxes.marks[one, c] | boxes.marks[two, c]
        changed = changed or marks != boxes.marks[at, c]
        boxes.marks[at, c] = marks
    return changed


@kernel
def use(boxes: Boxes, bucket: int, row: int) -> None:
    """Take a row out of its bucket's boxes. Assumes that it is unused."""
    leaves, base = boxes.leaves[bucket], boxes.base[bucket]
    leaf = (row - boxes.start[bucket]) // LEAF
    node = leaf_node(leaf, leaves)
    first = boxes.start[bucket] + leaf * LEAF
    last = first + boxes.left[base + node] - 1
    for i in range(first, last + 1):
        if boxes.member[i] == row:
            boxes.member[i], boxes.member[last] = boxes.member[last], boxes.member[i]
            break
    boxes.left[base + node] -= 1
    changed = boxes.left[base + node] == 0 or fit_leaf(boxes, base + node, first)
    while node > 1:
        node //= 2
        boxes.left[base + node] -= 1
        if changed and boxes.left[base + node] > 0:
            changed = fit_above(boxes, base, node)
