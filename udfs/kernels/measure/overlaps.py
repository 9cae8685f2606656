"""Classes of two releases that may hold the same person, and how many sensitive values both leave possible.

Classes are boxes: they overlap if their cells do in every column. Those of the new release are put in order along the
column that leaves the fewest pairs; each class of the old one is then held against a run of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.interrupt import STOP, raise_if_interrupted
from ..runtime.jit import kernel
from ..space import Flag, Ints, Wide


class Cells(NamedTuple):
    """The spans of cells: those of cell i are start[i] … start[i + 1] of low and high, closed, ascending and apart."""

    start: Wide
    low: Ints
    high: Ints


class Classes(NamedTuple):
    """Classes of a release: a line of cells each, and its values: codes[start[i]] … codes[start[i + 1] - 1], no two
    alike.
    """

    cells: Ints
    start: Wide
    codes: Ints


class Narrowing(NamedTuple):
    """The values that both releases leave possible.

    pairs[c] pairs of classes that overlap have c values in common, and are narrowed by that. fewest: per new class, the
    fewest of these; 0 if no pair narrows it. certain: per new class, the values that it has in common with any of the
    old classes that overlap it, if all of these pairs are narrowed, and 0 if not.
    """

    pairs: Wide
    fewest: Ints
    certain: Ints


def compare_classes(old: Classes, new: Classes, cells: Cells, l: int, listed: Wide) -> Narrowing:
    """Compare all classes that overlap: fewer than l values in common, and fewer than each has, narrow a pair.

    `listed` has a line for old and new class of each narrowed pair, as many as there is room for.
    """
    values = 1 + max((int(codes.max()) for codes in (old.codes, new.codes) if codes.size), default=-1)
    lowest, highest = hulls(cells)
    columns = sorted(range(new.cells.shape[1]), key=lambda c: overlapping_pairs(old, new, lowest, highest, c))
    order = np.argsort(lowest[new.cells[:, columns[0]]], kind="stable")
    low, high = (np.ascontiguousarray(ends[new.cells[order][:, columns]].T) for ends in (lowest, highest))
    pairs = np.zeros(values + 1, np.int64)
    fewest, spared = np.zeros(len(new.cells), np.int32), np.zeros(len(new.cells), np.uint8)
    kept = np.zeros(new.codes.size, np.uint8)
    compare_boxes(
        Classes(np.ascontiguousarray(old.cells[:, columns]), old.start, old.codes),
        Classes(np.ascontiguousarray(new.cells[:, columns]), new.start, new.codes),
        cells, lowest, highest, order, low, high, np.maximum.accumulate(high[0]), l, np.zeros(values, np.uint8),
        pairs, fewest, spared, kept, listed, STOP,
    )  # fmt: skip
    raise_if_interrupted()
    left = np.diff(np.concatenate([[0], np.cumsum(kept)])[new.start])
    few = (left < l) & (left < np.diff(new.start)) & (spared == 0)
    return Narrowing(pairs, fewest, np.where(few, left, 0).astype(np.int32))


def hulls(cells: Cells) -> tuple[Ints, Ints]:
    """The lowest and the highest point of each cell; one that covers nothing ends before it begins, and all others."""
    empty = cells.start[:-1] == cells.start[1:]
    lowest, highest = np.full(empty.size, np.iinfo(np.int32).max, np.int32), np.full(empty.size, -1, np.int32)
    lowest[~empty] = cells.low[cells.start[:-1][~empty]]
    highest[~empty] = cells.high[cells.start[1:][~empty] - 1]
    return lowest, highest


def overlapping_pairs(old: Classes, new: Classes, lowest: Ints, highest: Ints, column: int) -> int:
    """How many pairs of classes overlap in a column, or seem to, by the ends of their cells."""
    ours, theirs = old.cells[:, column], new.cells[:, column]
    begun = np.searchsorted(np.sort(lowest[theirs]), highest[ours], side="right")
    ended = np.searchsorted(np.sort(highest[theirs]), lowest[ours], side="left")
    return int(np.maximum(begun - ended, 0).sum())


@kernel
def compare_boxes(
    old: Classes, new: Classes, cells: Cells, lowest: Ints, highest: Ints, order: Wide, low: Ints, high: Ints,
    furthest: Ints, l: int, possible: Flag, pairs: Wide, fewest: Ints, spared: Flag, kept: Flag, listed: Wide,
    stop: Flag,
) -> None:  # fmt: skip
    """Fill pairs and fewest (see Narrowing), the codes of new classes that are kept by any old one, the new classes
    that are spared by one, and the pairs.

    `order`: the new classes along the first column; low and high, a line per column, are the ends of their cells in
    that order, furthest the highest so far of the first. `possible` is 0 throughout, and is so again afterwards.
    """
    columns = old.cells.shape[1]
    room = 0
    for a in range(old.cells.shape[0]):
        if stop[0]:
            break
        for i in range(old.start[a], old.start[a + 1]):
            possible[old.codes[i]] = 1
        first = np.searchsorted(furthest, lowest[old.cells[a, 0]], side="left")
        last = np.searchsorted(low[0], highest[old.cells[a, 0]], side="right")
        for position in range(first, last):
            b = order[position]
            together = True
            for c in range(columns):
                cell = old.cells[a, c]
                if low[c, position] > highest[cell] or high[c, position] < lowest[cell]:
                    together = False
                    break
            if not together or not touch_in_all(old.cells[a], new.cells[b], cells):
                continue
            common = 0
            for i in range(new.start[b], new.start[b + 1]):
                if possible[new.codes[i]]:
                    kept[i] = 1
                    common += 1
            if common == 0:
                continue
            if common >= min(l, old.start[a + 1] - old.start[a], new.start[b + 1] - new.start[b]):
                spared[b] = 1
                continue
            pairs[common] += 1
            if fewest[b] == 0 or common < fewest[b]:
                fewest[b] = common
            if room < listed.shape[0]:
                listed[room, 0], listed[room, 1] = a, b
                room += 1
        for i in range(old.start[a], old.start[a + 1]):
            possible[old.codes[i]] = 0


@kernel
def touch_in_all(ours: Ints, theirs: Ints, cells: Cells) -> bool:
    """Whether two classes whose cells seem to overlap by their ends do so: cells may have gaps."""
    for c in range(ours.size):
        i, ours_end = cells.start[ours[c]], cells.start[ours[c] + 1]
        j, theirs_end = cells.start[theirs[c]], cells.start[theirs[c] + 1]
        if ours_end - i == 1 and theirs_end - j == 1:
            continue
        touch = False
        while i < ours_end and j < theirs_end and not touch:
            if cells.high[i] < cells.low[j]:
                i += 1
            elif cells.high[j] < cells.low[i]:
                j += 1
            else:
                touch = True
        if not touch:
            return False
    return True
