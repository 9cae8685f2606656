"""Cross tabulations from randomized lists, by iterative Bayes (Sei et al. 2017, section V-D).

A cell is a combination of values; cells are numbered with the last attribute running fastest. Its `observed` count is
that of the records whose lists hold all its values. A record with the values of one cell holds those of another with a
probability that is a product over the attributes: `same` where the values are equal, else `other`. So the sum over all
cells is taken attribute by attribute, and no matrix of cells by cells is ever made.
"""

from __future__ import annotations

import numpy as np

from .jit import kernel
from .space import Flag, Floats, Ints, Wide

TOLERANCE = 1e-8
"""The share of all rows that a step may still move, all cells together, when the counts are called final."""


@kernel
def count_members(items: Ints, etas: Wide, strides: Wide, weights: Wide, observed: Floats, stop: Flag) -> None:
    """Add the weight of each line to all cells that its lists hold: codes, one list after the other."""
    place = np.zeros(etas.size, np.int64)
    for line in range(items.shape[0]):
        if stop[0]:
            return
        place[:] = 0
        going = True
        while going:
            cell, start = 0, 0
            for j in range(etas.size):
                cell += strides[j] * items[line, start + place[j]]
                start += etas[j]
            observed[cell] += weights[line]
            j = etas.size - 1
            while j >= 0 and place[j] == etas[j] - 1:
                place[j] = 0
                j -= 1
            going = j >= 0
            if going:
                place[j] += 1


@kernel
def spread(counts: Floats, sizes: Wide, same: Floats, other: Floats) -> None:
    """Replace counts of cells by the counts that are to be observed for them."""
    stride = 1
    for j in range(sizes.size - 1, -1, -1):
        block = stride * sizes[j]
        apart = same[j] - other[j]
        total = np.empty(stride)
        for start in range(0, counts.size, block):
            if stride == 1:
                share = other[j] * counts[start : start + block].sum()
                for cell in range(start, start + block):
                    counts[cell] = apart * counts[cell] + share
                continue
            total[:] = 0.0
            for line in range(start, start + block, stride):
                for i in range(stride):
                    total[i] += counts[line + i]
            for line in range(start, start + block, stride):
                for i in range(stride):
                    counts[line + i] = apart * counts[line + i] + other[j] * total[i]
        stride = block


@kernel
def step(
    counts: Floats, observed: Floats, sizes: Wide, same: Floats, other: Floats, members: float
) -> tuple[Floats, float]:
    """One step of equation 26 from these counts, and how likely they made what was observed. The total stays."""
    ratio = counts.copy()
    spread(ratio, sizes, same, other)
    likelihood = 0.0
    for cell in range(ratio.size):
        if observed[cell] > 0:
            likelihood += observed[cell] * np.log(ratio[cell])
            ratio[cell] = observed[cell] / ratio[cell]
        else:
            ratio[cell] = 0.0
    spread(ratio, sizes, same, other)
    for cell in range(ratio.size):
        ratio[cell] *= counts[cell] / members
    return ratio, likelihood


@kernel
def leap(start: Floats, first: Floats, second: Floats) -> Floats:
    """Where two steps point to (SQUAREM, Varadhan and Roland 2008); what would fall below 0 is not moved as far."""
    change, turn = 0.0, 0.0
    for cell in range(start.size):
        change += (first[cell] - start[cell]) ** 2
        turn += (second[cell] - 2 * first[cell] + start[cell]) ** 2
    length = max(1.0, np.sqrt(change / turn)) if turn > 0 else 1.0
    ahead = np.empty(start.size)
    for cell in range(start.size):
        moved, bend = first[cell] - start[cell], second[cell] - 2 * first[cell] + start[cell]
        ahead[cell] = start[cell] + 2 * length * moved + length * length * bend
        if ahead[cell] <= 0:
            ahead[cell] = second[cell] / 2
    ahead *= second.sum() / ahead.sum()
    return ahead


@kernel
def reconstruct(observed: Floats, sizes: Wide, same: Floats, other: Floats, members: float, stop: Flag) -> Floats:
    """The counts that one more step leaves as they are; `members` is how many cells one record is observed in.

    Starts at what was observed, as the paper does. Two steps, then a leap, unless it would lead away.
    """
    rows = observed.sum() / members
    counts = observed / members
    while rows > 0 and not stop[0]:
        first, _ = step(counts, observed, sizes, same, other, members)
        if np.abs(first - counts).sum() <= TOLERANCE * rows:
            return first
        second, after = step(first, observed, sizes, same, other, members)
        ahead = leap(counts, first, second)
        counts, reached = step(ahead, observed, sizes, same, other, members)
        if not reached >= after:
            counts = second
    return counts
