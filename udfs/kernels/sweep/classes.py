"""SWEEP through the level vectors: at each, rows without a class meet in classes, and those that hold are closed.

A class sheds rows into their classes at the next level vector (Tian & Zhang 2011, Def. 30). Every row has one there, so
that what is shed simply waits for it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..heap import pop, push
from ..runtime.interrupt import STOP, raise_if_interrupted
from ..runtime.jit import kernel
from ..space import Flag, Ints, Space, Wide
from .keys import Digits, Half, bits_for, number_half, number_pairs, read_digits, split_columns
from .leap import Turns, new_turns
from .one_class import Class, Kinds, new_class
from .order import Levels
from .shed import shed_until_it_holds
from .variety import all_varied, find_varied, join_variety, kind_variety


class Blocks(NamedTuple):
    """Rows in canonical order. Those of a point have the same quasi-identifiers; a block is alike in everything.

    Point p has the blocks first_block[p] … first_block[p + 1] − 1, block b the rows first_row[b] … first_row[b + 1]
    − 1. `codes`: shape (points, columns). `kind`: what a block publishes of the sensitive attributes. `next_row`: the
    first row of a block that has no class yet.
    """

    first_block: Wide
    first_row: Wide
    codes: Ints
    kind: Wide
    next_row: Wide


class Tools(NamedTuple):
    """The input for finding classes, and for letting one shed."""

    digits: Digits
    left: Half
    right: Half
    of_kind: Wide
    as_bits: NDArray[np.bool_]
    at_hand: Class
    turns: Turns


class Grouping(NamedTuple):
    """The result: each row's group, −1 for none, the level vector of each group, and how many groups there are."""

    group_at: Ints
    vector_of: Ints
    groups: Wide


def sweep(blocks: Blocks, kinds: Kinds, space: Space, vectors: Levels, fewest: int = 1) -> Grouping:
    """Close classes of `fewest` rows or more at each of these level vectors in turn."""
    rows = int(blocks.first_row[-1])
    grouping = Grouping(np.full(rows, -1, np.int32), np.empty(rows, np.int32), np.zeros(1, np.int64))
    halves = split_columns(space, blocks.codes.shape[0])
    tools = Tools(read_digits(space), *halves, *kind_variety(kinds), new_class(kinds), new_turns(kinds))
    close_classes(blocks, kinds, tools, vectors, fewest, grouping, STOP)
    raise_if_interrupted()
    return grouping


@kernel
def close_classes(
    blocks: Blocks, kinds: Kinds, tools: Tools, vectors: Levels, fewest: int, grouping: Grouping, stop: Flag
) -> None:
    """Fill in the groups, in the order of level vectors, then of their first point."""
    points = blocks.codes.shape[0]
    l = kinds.limits.shape[0] + 1
    pending = np.arange(points)
    variety = np.zeros((points, tools.as_bits.shape[0]), np.int64)
    for point in range(points):
        set_variety(point, blocks, tools, variety)
    slots = np.empty(1 << bits_for(points), np.int32)
    leader = np.empty(points, np.int64)
    class_of = np.empty(points, np.int64)
    of_class = np.empty(variety.shape, np.int64)
    closed = True
    for number in range(vectors.shape[0]):
        if stop[0] or (closed and not all_varied(pending, variety, tools.as_bits, l)):
            return
        left = number_half(tools.left, vectors[number], blocks.codes, tools.digits)
        right = number_half(tools.right, vectors[number], blocks.codes, tools.digits)
        classes = number_pairs(
            tools.left.number[left], tools.right.number[right], tools.right.numbers[right],
            pending, slots, leader, class_of,
        )  # fmt: skip
        varied = find_varied(pending, variety, tools.as_bits, l, class_of, classes, of_class)
        members, starts = list_members(pending, class_of, varied)
        closed = False
        for a_class in range(classes):
            together = members[starts[a_class] : starts[a_class + 1]]
            if together.shape[0] > 0 and close_class(together, blocks, kinds, tools, fewest, grouping):
                closed = True
                grouping.vector_of[grouping.groups[0]] = number
                grouping.groups[0] += 1
                for point in together:
                    set_variety(point, blocks, tools, variety)
            if stop[0]:
                return
        if closed:
            pending = pending[variety[pending, 0] > 0]


@kernel
def set_variety(point: int, blocks: Blocks, tools: Tools, variety: Wide) -> None:
    """Set the sensitive values of a point's rows that have no class yet."""
    variety[point] = 0
    for block in range(blocks.first_block[point], blocks.first_block[point + 1]):
        if blocks.next_row[block] < blocks.first_row[block + 1]:
            join_variety(variety, point, tools.of_kind, blocks.kind[block], tools.as_bits)


@kernel
def list_members(pending: Wide, class_of: Wide, varied: Ints) -> tuple[Wide, Wide]:
    """Return the points of the classes that are varied enough, in order, and where each class starts among them."""
    starts = np.zeros(varied.shape[0] + 1, np.int64)
    if not varied.any():
        return starts[:0], starts
    for at in range(pending.shape[0]):
        starts[class_of[at] + 1] += varied[class_of[at]]
    for a_class in range(varied.shape[0]):
        starts[a_class + 1] += starts[a_class]
    filled = starts[:-1].copy()
    members = np.empty(starts[-1], np.int64)
    for at in range(pending.shape[0]):
        if varied[class_of[at]]:
            members[filled[class_of[at]]] = pending[at]
            filled[class_of[at]] += 1
    return members, starts


@kernel
def close_class(together: Wide, blocks: Blocks, kinds: Kinds, tools: Tools, fewest: int, grouping: Grouping) -> bool:
    """Let a class of points shed rows; put those that stay in the next group. Return whether enough do.

    Of rows of one kind, the last in canonical order go first.
    """
    count = tools.at_hand.rows_of
    present, rows = count_kinds(together, blocks, count)
    if rows >= fewest:
        rows = shed_until_it_holds(present, rows, kinds, tools.at_hand, tools.turns)
    if rows == 0 or rows < fewest:
        for kind in present:
            count[kind] = 0
        return False
    for point in together:
        for block in range(blocks.first_block[point], blocks.first_block[point + 1]):
            start = blocks.next_row[block]
            stay = min(count[blocks.kind[block]], blocks.first_row[block + 1] - start)
            grouping.group_at[start : start + stay] = grouping.groups[0]
            blocks.next_row[block] += stay
            count[blocks.kind[block]] -= stay
    return True


@kernel
def count_kinds(together: Wide, blocks: Blocks, count: Wide) -> tuple[Wide, int]:
    """Count the rows of each kind that have no class yet. Return the kinds, ascending, and the number of rows."""
    room = 0
    for point in together:
        room += blocks.first_block[point + 1] - blocks.first_block[point]
    heap = np.empty(min(room, count.shape[0]), np.int64)
    different = 0
    total = 0
    for point in together:
        for block in range(blocks.first_block[point], blocks.first_block[point + 1]):
            rows = blocks.first_row[block + 1] - blocks.next_row[block]
            if rows > 0 and count[blocks.kind[block]] == 0:
                different = push(heap, different, blocks.kind[block])
            count[blocks.kind[block]] += rows
            total += rows
    present = np.empty(different, np.int64)
    for i in range(present.shape[0]):
        present[i] = heap[0]
        different = pop(heap, different)
    return present, total
