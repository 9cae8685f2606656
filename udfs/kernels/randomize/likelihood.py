"""One step towards the cross tabulation under which whole lists are most likely.

A line of `items` has the lists of one row, or of several that have the same, one list after the other: `lengths` says
how long each is, `sizes` how many codes there are. Lines are sorted, and `shared` says how many lists at the start of a
line are those of the line before. The probability of a line is the sum of the cells that its lists hold.

Lines that begin with the same lists share sums: the cells are added up over the items of the first list, these sums
over the items of the second, and so on, for as many lists as `depth` says. What is left is summed line by line.
"""

from __future__ import annotations

import numpy as np

from ..runtime.jit import kernel
from ..space import Flag, Floats, Ints, Wide
from .bayes import NEARLY_NOTHING


@kernel
def take_step(
    items: Ints,
    lengths: Wide,
    sizes: Wide,
    shared: Wide,
    depth: int,
    weights: Floats,
    judged: Floats,
    cells: Floats,
    shares: Floats,
    stop: Flag,
) -> tuple[float, float]:
    """Fill `shares` with the total of weight over probability, for each cell over the lines that hold it.

    A cell times its share is how many rows it has after one step of EM. Returns the log-likelihood of the lines with
    their weights, and that with the weights they are judged by.
    """
    lists = lengths.size
    starts, strides, offsets = np.zeros(lists, np.int64), np.ones(lists, np.int64), np.zeros(lists + 1, np.int64)
    for j in range(lists - 2, -1, -1):
        strides[j] = strides[j + 1] * sizes[j + 1]
    offsets[1] = cells.size
    for j in range(1, lists):
        starts[j] = starts[j - 1] + lengths[j - 1]
        offsets[j + 1] = offsets[j] + strides[j - 1]
    sums, parts = np.empty(offsets[depth + 1]), np.zeros(offsets[depth + 1])
    sums[: cells.size] = cells
    bases = np.empty(np.prod(lengths[depth : lists - 1]), np.int64)
    last = starts[lists - 1]
    likelihood, judgement = 0.0, 0.0
    for line in range(items.shape[0]):
        if stop[0]:
            return likelihood, judgement
        same = min(shared[line], depth)
        if line > 0:
            for j in range(depth - 1, same - 1, -1):
                hand_back(items[line - 1, starts[j] :], lengths[j], strides[j], offsets[j], offsets[j + 1], parts)
        for j in range(same, depth):
            add_up(items[line, starts[j] :], lengths[j], strides[j], offsets[j], offsets[j + 1], sums)
        bases[0] = offsets[depth]
        combinations = fill_bases(items[line], starts, lengths, strides, depth, bases)
        total = 0.0
        for b in range(combinations):
            for i in range(last, items.shape[1]):
                total += sums[bases[b] + items[line, i]]
        total = max(total, NEARLY_NOTHING)
        surprise = np.log(total)
        likelihood += weights[line] * surprise
        judgement += judged[line] * surprise
        if weights[line] > 0:
            share = weights[line] / total
            for b in range(combinations):
                for i in range(last, items.shape[1]):
                    parts[bases[b] + items[line, i]] += share
    for j in range(depth - 1, -1, -1):
        hand_back(items[-1, starts[j] :], lengths[j], strides[j], offsets[j], offsets[j + 1], parts)
    shares[:] = parts[: cells.size]
    return likelihood, judgement


@kernel
def add_up(items: Ints, length: int, stride: int, above: int, below: int, sums: Floats) -> None:
    """Replace the sums below by those above, added up over the first items, so many as the list is long."""
    target = sums[below : below + stride]
    target[:] = 0.0
    for i in range(length):
        low = above + items[i] * stride
        source = sums[low : low + stride]
        for cell in range(stride):
            target[cell] += source[cell]


@kernel
def hand_back(items: Ints, length: int, stride: int, above: int, below: int, parts: Floats) -> None:
    """Add the parts below to those above of each item, and begin again with none below."""
    source = parts[below : below + stride]
    for i in range(length):
        low = above + items[i] * stride
        target = parts[low : low + stride]
        for cell in range(stride):
            target[cell] += source[cell]
    source[:] = 0.0


@kernel
def fill_bases(items: Ints, starts: Wide, lengths: Wide, strides: Wide, depth: int, bases: Wide) -> int:
    """Fill in where the items of the last list count from, for each combination of items of the lists before it.

    Lists up to `depth` are summed already; `bases` begins with where their sums are. Returns how many there are.
    """
    combinations = 1
    for j in range(depth, lengths.size - 1):
        for b in range(combinations - 1, -1, -1):  # from the end: none is written over before it was read
            base = bases[b]
            for i in range(lengths[j]):
                bases[b * lengths[j] + i] = base + items[starts[j] + i] * strides[j]
        combinations *= lengths[j]
    return combinations
