"""A canonical order of the rows along a curve: the same whatever order they arrive in.

numpy sorts: in a kernel, a sort would take longer to compile than the rest of an algorithm.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..runtime.interrupt import raise_if_interrupted
from ..space import Ints, Microdata, Wide, Words

Flags = NDArray[np.bool_]


def sort_along_curve(keys: Words, data: Microdata) -> Wide:
    """Return the rows in order of their keys; ties by codes, sensitive value, then the other columns.

    Rows that still tie are the same in every column, so no order of theirs can be told from another.
    """
    order = np.argsort(keys[0])
    tied = np.ones(order.size, np.bool_)
    tied[:1] = False
    mark_ties(order, keys[0], tied)
    raise_if_interrupted()
    for column in (*keys[1:], *data.codes, data.sensitive, *data.apart, *data.ties):
        if not tied.any():
            break
        order_within_ties(order, column, tied)
        raise_if_interrupted()
    return order


def leading_columns(codes: Ints) -> Words:
    """Return keys to sort by where no curve is needed: as many columns as one word holds; shape (1, rows)."""
    keys = np.zeros((1, codes.shape[1]), np.uint64)
    room = 64
    for column in codes:
        bits = int(column.max()).bit_length()
        if bits > room:
            break
        room -= bits
        keys = (keys << np.uint64(bits)) | column.astype(np.uint64)
    return keys


def mark_ties(order: Wide, key: NDArray[Any], tied: Flags) -> None:
    """Keep as tied only positions whose row equals the row before it on key, too. Assumes that the first is not."""
    key_at = key[order]
    tied[1:] &= key_at[1:] == key_at[:-1]


def order_within_ties(order: Wide, key: NDArray[Any], tied: Flags) -> None:
    """Sort each run of tied rows by key, in place and stably, then keep as tied only those equal on it."""
    key_at = key[order]
    if not (tied[1:] & (key_at[1:] < key_at[:-1])).any():
        tied[1:] &= key_at[1:] == key_at[:-1]
        return
    in_a_run = tied.copy()
    in_a_run[:-1] |= tied[1:]
    positions = np.flatnonzero(in_a_run)
    run_at: Wide = np.cumsum(~tied, dtype=np.int64)
    order[positions] = order[positions][sorted_by_run(run_at[positions], key_at[positions])]
    mark_ties(order, key, tied)


def sorted_by_run(run: Wide, key: NDArray[Any]) -> Wide:
    """Return a stable order by run, then by key. Assumes that runs are in order, which makes it a quick one."""
    if key.dtype == np.uint64:  # a word of a curve's key
        return np.lexsort((key, run))
    lowest = int(key.min())
    return np.argsort(run * (int(key.max()) - lowest + 1) + (key - lowest), kind="stable")
