"""Which groups publish the same quasi-identifiers: whoever reads a release sees them as one class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .along_curve.swaps import list_members
from .space import Ints, Microdata, Space, Wide, Writing

STAR, MISSING, WILD = -1, -2, -3
"""Cells that are no codes: of groups that differ, that have nothing but NULL, or nothing but wildcards."""

CODES = 2**31
"""More than a column has."""


def number_classes(data: Microdata, writing: Writing, group_of: Ints, recode: str) -> Ints:
    """Return each row's class, from 0: groups that publish the same, and now and then some that only might.

    Rows without a group, -1, have no class.
    """
    grouped = np.flatnonzero(group_of >= 0)
    _, number_of = np.unique(group_of[grouped], return_inverse=True)
    groups = int(number_of.max(initial=-1)) + 1
    start, member, _ = list_members(number_of.astype(np.int32), groups)
    rows = grouped[member]
    class_of: Wide = np.zeros(groups, np.int64)
    for c, codes in enumerate(data.codes):
        wild = None if writing.wild is None else writing.wild[c, rows]
        low, high = extents(codes[rows], wild, start[:-1])
        cells = write_cells(data.space, writing, c, low, high, codes[grouped], recode)
        _, cell = np.unique((cells[:, 0] - WILD) * CODES + cells[:, 1] - WILD, return_inverse=True)
        _, class_of = np.unique(class_of * groups + cell, return_inverse=True)
    numbers: Ints = np.full(group_of.size, -1, np.int32)
    numbers[grouped] = class_of[number_of]
    return numbers


def extents(codes: Ints, wild: NDArray[np.bool_] | None, start: Wide) -> tuple[Wide, Wide]:
    """Return the lowest and the highest code of groups, whose rows are together and start there; WILD if they have
    none.
    """
    low = high = codes.astype(np.int64)
    if wild is not None:
        low, high = np.where(wild, np.iinfo(np.int64).max, low), np.where(wild, WILD, high)
    lowest, highest = np.minimum.reduceat(low, start), np.maximum.reduceat(high, start)
    return np.where(highest == WILD, WILD, lowest), highest


def write_cells(
    space: Space, writing: Writing, column: int, low: Wide, high: Wide, grouped: Ints, recode: str
) -> NDArray[np.int64]:
    """Return two numbers for what each group publishes of a column, from its extent; `grouped`: the codes of all rows
    that are published. The same numbers for the same cells; seldom also for others.
    """
    missing, star = writing.missing[column], writing.star[column]
    alone = low == high
    labels = writing.labels[column]
    cells = np.stack([low, high], axis=1)
    if recode == "generalize" and labels is not None:
        names = same_labels(space, column, labels, grouped)
        known = low >= 0
        cells[known] = names[meeting_levels(space, column, low[known], high[known]), low[known]][:, np.newaxis]
    else:
        differ = ~alone if recode == "suppress" or not writing.ranges[column] else (high == missing) & ~alone
        cells[differ | (alone & (low == star) & (star >= 0))] = STAR
    cells[alone & (low == missing) & (missing >= 0)] = MISSING
    return cells


def meeting_levels(space: Space, column: int, low: Wide, high: Wide) -> Wide:
    """Return the level at which the paths of two codes meet: 0 is the code itself. NULL meets others at the root."""
    size = space.first[column + 1] - space.first[column]
    levels = np.where(low == high, 0, space.levels[column])
    for level in range(int(space.levels[column]) - 1, 0, -1):
        at = space.trees[column] + (level - 1) * size
        one, other = space.ancestor[at + low], space.ancestor[at + high]
        levels[(one == other) & (one >= 0) & (low != high)] = level
    return levels


def same_labels(space: Space, column: int, labels: Wide, grouped: Ints) -> Wide:
    """Return a number for each label, shape (levels + 1, codes): one for those that read the same, or cover the same
    published values, as a label may be written by what it covers.
    """
    depth, size = labels.shape
    occurs = np.zeros(size, np.bool_)
    occurs[grouped] = True
    spans = np.empty((depth, size), np.int64)
    for level in range(depth):
        at = space.trees[column] + (level - 1) * size
        node = space.ancestor[at : at + size].astype(np.int64) if level else np.arange(size)
        number = np.where(node < 0, node.max(initial=0) + 1, node)
        lowest = np.full(int(number.max(initial=0)) + 1, size)
        highest = np.full(lowest.size, -1)
        np.minimum.at(lowest, number[occurs], np.flatnonzero(occurs))
        np.maximum.at(highest, number[occurs], np.flatnonzero(occurs))
        spans[level] = lowest[number] * (size + 1) + highest[number] + 1
    keys = [np.unique(key.ravel(), return_inverse=True)[1] for key in (labels, spans)]
    names = keys[0]
    while True:
        before = names
        for key in keys:
            lowest_name = np.full(int(key.max()) + 1, names.size)
            np.minimum.at(lowest_name, key, names)
            names = lowest_name[key]
        if (names == before).all():
            return names.reshape(depth, size)
