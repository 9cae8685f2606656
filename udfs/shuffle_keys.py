"""_sqlanon_shuffle_keys: what to sort the rows of a randomized release by, so that their order tells nothing."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from sqlanon.errors import Guard

from .kernels.randomize.decoys import draw_shuffle_keys
from .kernels.space import Wide, Words
from .randomizing.drawing import read_key, read_row_numbers


def call(key: pa.ChunkedArray, rows: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: the same key again and again, and row numbers in; a number for each row out."""
    with Guard("shuffling rows"):
        if not len(rows):
            return pa.array([], pa.uint64())
        return pa.array(shuffle_keys(read_key(key), read_row_numbers(rows)))


def shuffle_keys(key: Words, rows: Wide) -> Words:
    """Return a number for each row that depends on the key."""
    drawn = np.empty(rows.size, np.uint64)
    with np.errstate(over="ignore"):  # without the JIT
        draw_shuffle_keys(key, rows, drawn)
    return drawn
