"""Truths of Arrow as flags, and sums by number."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..kernels.space import Floats, Wide

Flags = NDArray[np.bool_]

FEW = 16
"""Up to so many possible numbers for each that there is, marking them is faster than sorting."""


def flags(truths: pa.BooleanArray) -> Flags:
    """Unknown is false."""
    found: Flags = (truths.fill_null(False) if truths.null_count else truths).to_numpy(zero_copy_only=False)
    return found


def distinct(numbers: Wide, bound: int) -> tuple[Wide, Wide]:
    """The distinct numbers in order, and the place of each among them. Assumes 0 <= numbers < bound."""
    if bound > FEW * (numbers.size + 1_000):
        values, which = np.unique(numbers, return_inverse=True)
        return values, which
    occurs = np.zeros(bound, np.bool_)
    occurs[numbers] = True
    values = np.flatnonzero(occurs)
    place = np.empty(bound, np.int64)
    place[values] = np.arange(values.size)
    return values, place[numbers]


def totals(which: Wide, amounts: Floats, size: int) -> Floats:
    """The sum of the amounts of each number, 0 … size - 1."""
    return np.bincount(which, amounts, minlength=size).astype(np.float64, copy=False)
