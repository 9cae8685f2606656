"""Arrow arrays as those of numpy, and sums by number."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sqlanon.udfs.kernels.space import Floats, Wide

Flags = NDArray[np.bool_]


def wide(numbers: pa.Array) -> Wide:
    """Whole numbers, none of them NULL."""
    found: Wide = numbers.to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def flags(truths: pa.BooleanArray) -> Flags:
    """Unknown is false."""
    found: Flags = (truths.fill_null(False) if truths.null_count else truths).to_numpy(zero_copy_only=False)
    return found


def totals(which: Wide, amounts: Floats, size: int) -> Floats:
    """The sum of the amounts of each number, 0 … size - 1."""
    return np.bincount(which, amounts, minlength=size).astype(np.float64, copy=False)
