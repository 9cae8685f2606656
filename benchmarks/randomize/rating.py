"""Rating (Liu, Luo, Huang: ICDM Workshops 2011), a method to compare with, as Sei et al. describe it.

An attribute table (AT) has an ID for each value of a row, and an ID table (IDT) tells which values an ID may stand for.
The values that hide a value are those of other rows: for each attribute, rows are dealt into groups of l rows with
different values, from the l most frequent values left, so that the rare ones last. A group is an ID.

Rows are left over at the end. One whose value a group lacks joins that group, whose ID then stands for l + 1 values. A
value that is in more than 1/l of the rows is in every group: its rows share an ID that is there already. (The papers do
not say what happens then. Without that, next to no column of a census has a release.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlanon.udfs.kernels.runtime.jit import kernel

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

CHUNK = 8192
"""Rows whose share in all cells is summed up at once."""


@dataclass(frozen=True)
class Rated:
    """A column of AT, and its IDT: which values each ID may stand for."""

    id_of: Codes
    values: npt.NDArray[np.bool_]


def rate(codes: Codes, size: int, l: int, seed: int) -> Rated:
    """Hide each value among those of at least l − 1 other rows. Codes are below `size`."""
    random = np.random.default_rng(seed)
    shuffled = random.permutation(codes.size)
    rows = shuffled[np.argsort(codes[shuffled], kind="stable")]
    counts = np.bincount(codes, minlength=size)
    id_of = np.full(codes.size, -1)
    groups = deal(rows, counts, l, random.random((codes.size // l + 1, size)), id_of)
    if groups == 0:
        raise ValueError(f"a column has fewer than l = {l} different values")
    values = np.zeros((groups, size), np.bool_)
    dealt = np.flatnonzero(id_of >= 0)
    values[id_of[dealt], codes[dealt]] = True
    for value in range(size):
        left = np.flatnonzero((id_of < 0) & (codes == value))
        lacking = np.flatnonzero(~values[:, value])
        if left.size and left.size <= lacking.size:
            id_of[left] = random.choice(lacking, left.size, replace=False)
            values[id_of[left], value] = True
        elif left.size:
            id_of[left] = random.choice(np.flatnonzero(values[:, value]), left.size)
    return Rated(id_of, values)


@kernel
def deal(rows: Codes, counts: Codes, l: int, chance: Floats, id_of: Codes) -> int:
    """Number groups of l rows with different values, most frequent values first, ties by chance; how many there are.

    Assumes rows sorted by value. Rows that are left over keep what `id_of` has.
    """
    size = counts.size
    left = counts.copy()
    ends = np.cumsum(counts)
    group = 0
    while True:
        if np.count_nonzero(left) < l:
            return group
        height = left + chance[group]
        for value in range(size):
            if left[value] == 0:
                height[value] = -1.0
        for _ in range(l):
            highest = np.argmax(height)
            height[highest] = -1.0
            id_of[rows[ends[highest] - left[highest]]] = group
            left[highest] -= 1
        group += 1


def reconstruct(columns: Sequence[Rated]) -> Floats:
    """The cross tabulation: each row counts for all combinations of its values alike, as with ValueAdding and p = 1.

    Cells are summed up as a product of two matrices, rows by combinations of half of the columns each.
    """
    shares = [each.values / each.values.sum(axis=1, keepdims=True) for each in columns]
    half = len(columns) // 2
    sizes = [each.shape[1] for each in shares]
    total = np.zeros((int(np.prod(sizes[:half])), int(np.prod(sizes[half:]))))
    for start in range(0, columns[0].id_of.size, CHUNK):
        rows = [share[each.id_of[start : start + CHUNK]] for share, each in zip(shares, columns, strict=True)]
        total += combinations(rows[:half], len(rows[0])).T @ combinations(rows[half:], len(rows[0]))
    return total.ravel()


def combinations(columns: Sequence[Floats], rows: int) -> Floats:
    """By row, the product of one share from each column, the last column running fastest."""
    product = np.ones((rows, 1))
    for column in columns:
        product = (product[:, :, np.newaxis] * column[:, np.newaxis, :]).reshape(rows, -1)
    return product
