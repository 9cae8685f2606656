"""A canonical order of the rows along a curve: the same whatever order they arrive in."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .interrupt import heed
from .jit import kernel
from .space import Ints, Microdata, Wide, Words

SMALL = 24
"""Runs up to this length are sorted by insertion."""


def sort_along_curve(keys: Words, data: Microdata) -> Wide:
    """Return the rows in order of their keys; ties by codes, sensitive value, then the other columns.

    Rows that still tie are the same in every column, so no order of theirs can be told from another.
    """
    order = np.argsort(keys[0])
    tied = np.zeros(order.size, np.bool_)
    mark_ties(order, keys[0], tied, True)
    heed()
    for column in (*keys[1:], *data.codes, data.sensitive, *data.apart, *data.ties):
        if not tied.any():
            break
        order_within_ties(order, column, tied)
        heed()
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


@kernel
def mark_ties(order: Wide, key: NDArray[Any], tied: NDArray[np.bool_], first: bool) -> None:
    """Mark positions whose row equals the row before it on key too (and, unless first, on all before)."""
    for i in range(1, order.shape[0]):
        tied[i] = (first or tied[i]) and key[order[i]] == key[order[i - 1]]


@kernel
def order_within_ties(order: Wide, key: NDArray[Any], tied: NDArray[np.bool_]) -> None:
    """Sort each run of tied rows by key, then keep as tied only those equal on it."""
    rows = order.shape[0]
    start = 0
    while start < rows:
        stop = start + 1
        sorted_already = True
        while stop < rows and tied[stop]:
            sorted_already = sorted_already and key[order[stop - 1]] <= key[order[stop]]
            stop += 1
        if not sorted_already:
            if stop - start <= SMALL:
                insert_in_order(order[start:stop], key)
            else:
                run = order[start:stop].copy()
                order[start:stop] = run[np.argsort(key[run], kind="mergesort")]
        start = stop
    mark_ties(order, key, tied, False)


@kernel
def insert_in_order(run: Wide, key: NDArray[Any]) -> None:
    """Sort a short run of rows by key."""
    for i in range(1, run.shape[0]):
        row = run[i]
        j = i
        while j > 0 and key[run[j - 1]] > key[row]:
            run[j] = run[j - 1]
            j -= 1
        run[j] = row
