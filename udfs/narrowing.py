"""_sqlanon_narrowing: what a reader of two releases is left with, class by class.

All classes of both come in, and what their cells cover. SQL could join them by inequalities; but with several columns
DuckDB makes all pairs that overlap in one of them, and lists of values are slow to intersect by the million.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sqlanon.errors import Guard

from .arrow.arguments import CODES, ROWS, field_of, listed_rows, malformed_call, whole_numbers
from .kernels.measure.overlaps import Cells, Classes, Narrowing, compare_classes
from .kernels.runtime.signals import INTERRUPT_WATCHER
from .kernels.space import Ints, Wide

SUMMARY, PAIR = ("candidates", "pairs", "rows", "certain_rows"), ("old_class", "new_class")
KIND = pa.struct(
    [
        ("summary", pa.list_(pa.struct([(name, pa.int64()) for name in SUMMARY]))),
        ("pairs", pa.list_(pa.struct([(name, pa.int64()) for name in PAIR]))),
    ]
)


class Release(NamedTuple):
    """The classes of a release, and their rows."""

    classes: Classes
    rows: Wide


def call(
    old: pa.ChunkedArray, new: pa.ChunkedArray, spans: pa.ChunkedArray, l: pa.ChunkedArray, listed: pa.ChunkedArray
) -> pa.Array:
    """Called by DuckDB: the classes of both releases, what their cells cover, l, and whether pairs are wanted."""
    with Guard("comparing classes"), INTERRUPT_WATCHER:
        answers = [
            narrowing(
                listed_rows("old", one),
                listed_rows("new", other),
                listed_rows("spans", covered),
                read_threshold(few),
                wanted.as_py() is True,
            )
            for one, other, covered, few, wanted in zip(old, new, spans, l, listed, strict=True)
        ]
    return pa.concat_arrays(answers) if answers else pa.array([], KIND)


def read_threshold(l: pa.Scalar) -> int:
    """The number of values that is too few; 0 where there are no classes."""
    few = l.as_py()
    if few is None:
        return 0
    if isinstance(few, bool) or not isinstance(few, int) or not 0 <= few < CODES:
        raise malformed_call("l", "not a number from 0 up")
    return int(few)


def narrowing(
    old: pa.StructArray | None, new: pa.StructArray | None, spans: pa.StructArray | None, l: int, listed: bool
) -> pa.StructArray:
    """Return one row: the summary, and the narrowed pairs if they are to be listed; classes count from 0."""
    if old is None or new is None:
        return pa.array([{"summary": [], "pairs": []}], KIND)
    ours, theirs = read_release("old", old), read_release("new", new)
    if ours.classes.cells.shape[1] != theirs.classes.cells.shape[1]:
        raise malformed_call("new", "the releases have not the same number of columns")
    cells = read_cells(spans, 1 + max(int(release.classes.cells.max()) for release in (ours, theirs)))
    narrowed = compare_classes(ours.classes, theirs.classes, cells, l, np.empty((0, 2), np.int64))
    pairs = np.empty((int(narrowed.pairs.sum()) if listed else 0, 2), np.int64)
    if len(pairs):
        compare_classes(ours.classes, theirs.classes, cells, l, pairs)
    return pa.StructArray.from_arrays(
        [one_list(SUMMARY, summary_of(narrowed, theirs.rows)), one_list(PAIR, pairs)], names=["summary", "pairs"]
    )


def summary_of(narrowed: Narrowing, rows: Wide) -> Wide:
    """A line per number of candidates that narrows anything."""
    most = len(narrowed.pairs)
    at_worst, certain = (
        np.bincount(left, weights=rows, minlength=most).astype(np.int64) for left in (narrowed.fewest, narrowed.certain)
    )
    lines = np.column_stack([np.arange(most), narrowed.pairs, at_worst, certain])
    return lines[1:][(lines[1:, 1:] > 0).any(axis=1)]


def one_list(names: tuple[str, ...], lines: Wide) -> pa.ListArray:
    """One row: the lines, as a list of structs."""
    columns = [pa.array(lines[:, number]) for number, _ in enumerate(names)]
    return pa.ListArray.from_arrays([0, len(lines)], pa.StructArray.from_arrays(columns, names=list(names)))


def read_cells(spans: pa.StructArray | None, count: int) -> Cells:
    """The spans of cells. Spans that meet are one: between two points that follow each other there is none."""
    if spans is None:
        return Cells(np.zeros(count + 1, np.int64), np.empty(0, np.int32), np.empty(0, np.int32))
    cell, low, high = (numbers("spans", spans, name) for name in ("cell", "low", "high"))
    if (low > high).any():
        raise malformed_call("spans", "one ends before it begins")
    order = np.lexsort((low, cell))
    cell, low, high = cell[order], low[order], high[order]
    shift = cell * (int(high.max()) + 2)  # so that the spans of a cell end before those of the next begin
    furthest = np.maximum.accumulate(high + shift)
    begins = np.concatenate([[True], (low + shift)[1:] > furthest[:-1] + 1])
    ends = np.concatenate([begins[1:], [True]])
    start = np.searchsorted(cell[begins], np.arange(count + 1))
    return Cells(start, low[begins].astype(np.int32), (furthest - shift)[ends].astype(np.int32))


def read_release(argument: str, rows: pa.StructArray) -> Release:
    """The classes of a release."""
    width, numbers_of_cells = read_lists(argument, rows, "cells")
    if not len(rows) or width[0] == 0 or (width != width[0]).any():
        raise malformed_call(argument, "classes have not the same number of cells")
    count, codes = read_lists(argument, rows, "codes")
    start = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    size = whole_numbers(argument, rows, "size", ROWS).to_numpy(zero_copy_only=False).astype(np.int64)
    return Release(Classes(numbers_of_cells.reshape(len(rows), -1), start, codes), size)


def read_lists(argument: str, rows: pa.StructArray, name: str) -> tuple[Wide, Ints]:
    """The lengths and the items of lists of codes."""
    lists = field_of(argument, rows, name)
    if not pa.types.is_list(lists.type) or lists.null_count:
        raise malformed_call(argument, f"column {name} is not one of lists")
    items = pa.StructArray.from_arrays([lists.flatten()], names=[name])
    codes = whole_numbers(argument, items, name) if len(items) else pa.array([], pa.int32())
    lengths: Wide = pc.list_value_length(lists).to_numpy(zero_copy_only=False).astype(np.int64)
    return lengths, codes.to_numpy(zero_copy_only=False).astype(np.int32)


def numbers(argument: str, rows: pa.StructArray, name: str) -> Wide:
    """A column of whole numbers."""
    column: Wide = whole_numbers(argument, rows, name).to_numpy(zero_copy_only=False).astype(np.int64)
    return column
