"""_sqlanon_decoys: the lists that hide the values of rows. Called for some rows at a time, in any thread."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from sqlanon.errors import Guard

from .kernels.randomize.decoys import draw_lists
from .kernels.runtime.signals import INTERRUPT_WATCHER
from .kernels.space import Ints, Wide
from .randomizing.drawing import Drawing, read_codes, read_drawing, read_row_numbers, refuse_broken_lists


def call(parameters: pa.ChunkedArray, rows: pa.ChunkedArray, codes: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: the same parameters again and again, row numbers and lists of codes in; lists of items out."""
    with Guard("drawing decoys"), INTERRUPT_WATCHER:
        if not len(rows):
            return pa.array([], pa.list_(pa.list_(pa.int32())))
        drawing = read_drawing(parameters)
        by_row = read_codes(codes, drawing.sizes)
        lines = decoys(drawing, read_row_numbers(rows), by_row)
        refuse_broken_lists(drawing, by_row, lines)
    return nest_lists(lines, drawing.etas)


def decoys(drawing: Drawing, rows: Wide, codes: Ints) -> Ints:
    """Return the items of all lists, a line for each row."""
    lines = np.empty((rows.size, int(drawing.etas.sum())), np.int32)
    with np.errstate(over="ignore"):  # without the JIT
        draw_lists(drawing.key, rows, codes, drawing.sizes, drawing.etas, drawing.chances, lines)
    return lines


def nest_lists(lines: Ints, etas: Wide) -> pa.ListArray:
    """The answer for DuckDB: for each row, a list of lists."""
    ends = np.concatenate([[0], np.cumsum(np.tile(etas, len(lines)))]).astype(np.int32)
    items = pa.ListArray.from_arrays(ends, pa.array(lines.ravel(), pa.int32()))
    return pa.ListArray.from_arrays(np.arange(len(lines) + 1, dtype=np.int32) * etas.size, items)
