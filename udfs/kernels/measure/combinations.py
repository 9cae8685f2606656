"""Combinations of columns: how many rows each tells from all others.

By stripped partitions, as in TANE (Huhtala and others, The Computer Journal 42(2), 1999): rows are put in classes that
share the values of some columns, and classes of one row are left out. One more column splits every class. A row that is
alone stays alone whatever is added, so nobody looks at it again; and no combination is counted from the whole table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..runtime.interrupt import STOP, raise_if_interrupted
from ..runtime.jit import kernel
from ..space import Flag, Ints


class Counts(NamedTuple):
    """Of the rows by some columns: distinct combinations of values, rows that are alone, pairs of rows alike."""

    distinct: int
    unique: int
    alike: int


class Rows(NamedTuple):
    """Rows that are not alone, class by class: class g is start[g] … start[g + 1]. `codes` has a line per column."""

    start: Ints
    codes: Ints


def count_combinations(codes: Ints, max_size: int) -> Iterator[tuple[tuple[int, ...], Counts]]:
    """Count all combinations of 1 … max_size columns: which columns, ascending, and what they tell apart.

    `codes` has a line per column; codes of a column run from 0 without gaps. Columns with many values come first: they
    leave the fewest rows to those that are added.
    """
    columns, size = codes.shape
    values = [int(line.max()) + 1 if size else 0 for line in codes]
    order = sorted(range(columns), key=lambda column: -values[column])
    start = np.array([0, size] if size > 1 else [0], np.int32)
    for chosen, (classes, inside, alike) in add_columns(
        Rows(start, codes[order]), [values[c] for c in order], max_size
    ):
        unique = size - inside
        yield tuple(sorted(order[position] for position in chosen)), Counts(unique + classes, unique, alike)


def add_columns(
    rows: Rows, values: Sequence[int], max_size: int, first: int = 0
) -> Iterator[tuple[tuple[int, ...], tuple[int, int, int]]]:
    """Add each column from `first` on, and others after it: the columns added, and the classes, rows and pairs left.

    rows.codes has the lines from `first` on.
    """
    for i, line in enumerate(rows.codes):
        column = first + i
        all_alone = rows.start.size == 1  # and they stay so
        left = (0, 0, 0) if all_alone else count_classes(rows.start, line, values[column], STOP)
        raise_if_interrupted()
        yield (column,), left
        if max_size > 1 and column + 1 < len(values):
            kept, start = split_classes(rows.start, line, values[column], STOP)
            raise_if_interrupted()
            below = Rows(start, np.take(rows.codes[i + 1 :], kept, axis=1))
            for added, counted in add_columns(below, values, max_size - 1, column + 1):
                yield (column, *added), counted


@kernel
def count_classes(start: Ints, codes: Ints, values: int, stop: Flag) -> tuple[int, int, int]:
    """Split classes by a column whose codes are below `values`: classes of two rows and more, rows in them, pairs."""
    count = np.zeros(values, np.int32)
    classes, inside, alike = 0, 0, 0
    for g in range(start.shape[0] - 1):
        if stop[0]:
            break
        for i in range(start[g], start[g + 1]):
            alike += count[codes[i]]
            count[codes[i]] += 1
        for i in range(start[g], start[g + 1]):
            if count[codes[i]] > 1:
                classes += 1
                inside += count[codes[i]]
            count[codes[i]] = 0
    return classes, inside, alike


@kernel
def split_classes(start: Ints, codes: Ints, values: int, stop: Flag) -> tuple[Ints, Ints]:
    """The same, with what comes of it: the rows that are kept, by their positions, and where each new class starts."""
    count = np.zeros(values, np.int32)
    free = np.empty(values, np.int32)
    kept = np.empty(codes.shape[0], np.int32)
    ends = np.zeros(codes.shape[0] // 2 + 1, np.int32)
    classes = 0
    for g in range(start.shape[0] - 1):
        if stop[0]:
            break
        for i in range(start[g], start[g + 1]):
            count[codes[i]] += 1
        for i in range(start[g], start[g + 1]):
            code = codes[i]
            if count[code] > 1:  # the first row of a new class makes room for all
                free[code] = ends[classes]
                ends[classes + 1] = ends[classes] + count[code]
                classes += 1
                count[code] = -1
            if count[code] == -1:
                kept[free[code]] = i
                free[code] += 1
        for i in range(start[g], start[g + 1]):
            count[codes[i]] = 0
    return kept[: ends[classes]].copy(), ends[: classes + 1].copy()
