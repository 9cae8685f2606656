"""Frequency sets: the classes at one level per column, and how often each has each item; merged, never recounted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.jit import kernel
from ..space import Flag, Floats, Ints, Space, Wide


class Labels(NamedTuple):
    """The numbers under which codes are published: that of column c at level j is number first[c] + j * size[c] + code.

    `lowest`: the lowest code that is published alike, which stands for the label. `loss`: the NCP of the label. `mark`:
    a random number for it; classes are hashed by those of their labels. Level 0 is the code itself.
    """

    first: Wide
    size: Wide
    lowest: Ints
    loss: Floats
    mark: Wide


class Classes(NamedTuple):
    """A frequency set. `codes` has a line per class; class g has item[start[g]:start[g + 1]], so many rows each.

    An item is what the rows of a class are told apart by: a sensitive value, a person, or a pair of both.
    """

    codes: Ints
    start: Wide
    item: Ints
    rows: Ints


def read_labels(space: Space) -> Labels:
    """Read the trees of a space. NULL has no label below the root, and loses nothing there."""
    sizes = np.diff(space.first)
    draw = np.random.default_rng(0)
    lowest, loss, mark = [], [], []
    for c, size in enumerate(sizes):
        itself = np.arange(size)
        starts = space.trees[c] + size * np.arange(space.levels[c])
        nodes = [itself, *(space.ancestor[start : start + size] for start in starts)]
        losses = [np.zeros(size), *(space.share[start : start + size] for start in starts)]
        marks = draw.integers(0, 2**62, size)
        for node, share in zip(nodes, losses, strict=True):
            _, representative, number = np.unique(node, return_index=True, return_inverse=True)
            lowest.append(representative[number])  # -1 is the node of one code, NULL
            loss.append(np.where(node < 0, 0.0, share))
            mark.append(marks[lowest[-1]])
    lengths = sizes * (space.levels + 1)
    return Labels(
        np.cumsum(lengths) - lengths,
        sizes,
        np.concatenate(lowest).astype(np.int32),
        np.concatenate(loss),
        np.concatenate(mark),
    )


def rows_as_classes(codes: Ints, item: Ints) -> Classes:
    """Every row as a class: what the first frequency set is merged from. `codes` has a line per column."""
    rows = item.size
    return Classes(np.array(codes.T, order="C"), np.arange(rows + 1), item.copy(), np.ones(rows, np.int32))


@kernel
def merge_classes(classes: Classes, levels: Wide, labels: Labels, items: int, class_of: Ints, stop: Flag) -> Classes:
    """Return the frequency set at these levels, no lower than those of `classes`, and fill class_of: what became what.

    Time is that of looking at each class and each item once.
    """
    codes = match_classes(classes.codes, levels, labels, class_of, stop)
    if stop[0]:
        return classes
    count = codes.shape[0]
    first = np.zeros(count + 1, np.int64)
    for g in class_of:
        first[g + 1] += 1
    first = np.cumsum(first)
    members = np.empty(class_of.shape[0], np.int32)
    free = first.copy()
    for g in range(class_of.shape[0]):
        members[free[class_of[g]]] = g
        free[class_of[g]] += 1
    start = np.zeros(count + 1, np.int64)
    item = np.empty(classes.item.shape[0], np.int32)
    rows = np.empty(classes.item.shape[0], np.int32)
    position_of = np.full(items, -1, np.int64)  # of an item in the class at hand, unless it lies before that
    end = 0
    for g in range(count):
        for member in members[first[g] : first[g + 1]]:
            for i in range(classes.start[member], classes.start[member + 1]):
                if position_of[classes.item[i]] < start[g]:
                    position_of[classes.item[i]] = end
                    item[end] = classes.item[i]
                    rows[end] = 0
                    end += 1
                rows[position_of[classes.item[i]]] += classes.rows[i]
        start[g + 1] = end
    return Classes(codes, start, item[:end].copy(), rows[:end].copy())


@kernel
def match_classes(codes: Ints, levels: Wide, labels: Labels, class_of: Ints, stop: Flag) -> Ints:
    """Return the codes of the classes that these become, and fill class_of, by hashing."""
    n, columns = codes.shape
    slot_count = 16
    while slot_count < 2 * n:
        slot_count *= 2
    slots = np.full(slot_count, -1, np.int32)
    matched = np.empty((n, columns), np.int32)
    offset = labels.first + levels * labels.size
    count = 0
    for g in range(n):
        if stop[0]:
            break
        mixed = 0
        for c in range(columns):
            code = labels.lowest[offset[c] + codes[g, c]]
            matched[count, c] = code
            mixed ^= labels.mark[offset[c] + codes[g, c]]
        slot = mixed & (slot_count - 1)
        while slots[slot] >= 0 and not equal_lines(matched, slots[slot], count):
            slot = (slot + 1) & (slot_count - 1)
        if slots[slot] < 0:
            slots[slot] = count
            count += 1
        class_of[g] = slots[slot]
    return matched[:count].copy()


@kernel
def equal_lines(codes: Ints, one: int, other: int) -> bool:
    """Whether two lines have the same codes."""
    c = 0
    while c < codes.shape[1] and codes[one, c] == codes[other, c]:
        c += 1
    return bool(c == codes.shape[1])
