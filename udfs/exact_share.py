"""_sqlanon_exact_share: how much of a column's range lies between two of its numbers, whatever the digits they have.

A DOUBLE has 15 of them: two HUGEINTs or DECIMALs may differ and be one DOUBLE. DuckDB's BIGNUM would do, but some
versions subtract it wrongly, and show values when it cannot be converted.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache

import pyarrow as pa

from sqlanon.errors import Guard

from .arrow.arguments import malformed_call


def call(low: pa.ChunkedArray, high: pa.ChunkedArray, smallest: pa.ChunkedArray, largest: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: both ends of a range, and of the column, as text; the share out."""
    with Guard("measuring ranges"):
        for name, ends in zip(("low", "high", "smallest", "largest"), (low, high, smallest, largest), strict=True):
            if not pa.types.is_string(ends.type) and not pa.types.is_null(ends.type):
                raise malformed_call(name, "not text")
        texts = (ends.to_pylist() for ends in (low, high, smallest, largest))
        shares = [exact_share(*ends) for ends in zip(*texts, strict=True)]
    return pa.array(shares, pa.float64())


def exact_share(*ends: str | None) -> float | None:
    """(high - low) / (largest - smallest), rounded once; None where one of them is no number, or the column has one."""
    low, high, smallest, largest = map(read_number, ends)
    if low is None or high is None or smallest is None or largest is None or smallest == largest:
        return None
    return float((high - low) / (largest - smallest))


@lru_cache(maxsize=4096)
def read_number(text: str | None) -> Fraction | None:
    """The number that a text says."""
    try:  # int() would refuse more than 4,300 digits
        return None if text is None else Fraction(Decimal(text))
    except (InvalidOperation, ValueError, OverflowError):  # no number; NaN; infinity
        return None
