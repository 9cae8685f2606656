"""A synthetic census of 68 short columns, drawn block by block: FROM wide_census(1000000) in SQL.

Sei et al. (2017) try their method on the US census of 1990: 68 attributes with 2 to 18 values, and 2,458,285 rows.
This table is made up. It has as many columns, their smallest and largest domain, skewed and dependent.

Columns come in chains of four. The first of a chain follows a hidden kind of person, each other one the column before.
So neighbours go together closely, and columns of different chains a little.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sqlanon.errors import Guard

from .synthetic.blocks import Block, listed_blocks, refuse_wrong_size, stream, whole_table

# fmt: off
SIZES = (
    8, 12, 5, 3,   2, 10, 6, 4,    18, 7, 3, 2,   5, 14, 3, 2,   6, 9, 5, 3,   13, 2, 4, 7,
    3, 5, 12, 2,   16, 3, 5, 6,    2, 8, 3, 5,    10, 4, 2, 7,   3, 6, 14, 2,  5, 3, 9, 4,
    2, 11, 5, 3,   7, 2, 12, 3,    4, 6, 3, 2,    10, 5, 8, 3,   6, 2, 7, 4,
)
"""How many values each column has."""
# fmt: on
CHAIN = 4
KINDS = 12
NAMES = tuple(f"c{number:02}" for number in range(1, len(SIZES) + 1))


# A draw is a number of 16 bits, of which 12 are looked up: values are as likely as 1/4096 can tell.
STEPS = 4096
WORDS_PER_ROW = 18
DRAWS_PER_ROW = 4 * WORDS_PER_ROW
KIND_DRAW = len(SIZES)

Small = npt.NDArray[np.uint8]
Draws = npt.NDArray[np.uint16]


def lookup_table(values: int, conditions: int, column: int) -> Small:
    """For each condition, STEPS numbers of which each value has its share."""
    value, condition = np.arange(values), np.arange(conditions)[:, np.newaxis]
    skew = 0.4 + column * 7 % 11 / 5  # 0.4 … 2.4: some columns are nearly level, in others one value dominates
    apart = 1 + column % 3
    typical = (condition * (apart if apart % values else 1) + column) % values
    weights = (1 + value) ** -skew * np.exp(-np.abs(value - typical) * (0.4 + column * 3 % 5 / 5))
    # Every value occurs under every condition.
    share = 0.97 * weights / weights.sum(axis=1, keepdims=True) + 0.03 / values
    bounds = np.rint(STEPS * np.cumsum(share, axis=1)).astype(np.int64)
    table = [np.searchsorted(row, np.arange(STEPS), side="right") for row in bounds]
    return np.minimum(table, values - 1).astype(np.uint8)


@cache
def lookup_tables() -> tuple[Small, tuple[Small, ...]]:
    """The table of the hidden kind, and those of all columns."""
    kinds = lookup_table(KINDS, 1, 0)
    conditions = [KINDS if column % CHAIN == 0 else SIZES[column - 1] for column in range(len(SIZES))]
    return kinds, tuple(
        lookup_table(values, m, column) for column, (values, m) in enumerate(zip(SIZES, conditions, strict=True))
    )


def draws(block: int, rows: int, seed: int) -> Draws:
    """Draw the random numbers of one block, row by row, so that a shorter block is a prefix."""
    refuse_wrong_size("wide_census", rows, seed)
    words = stream(block, seed).random_raw(rows * WORDS_PER_ROW)
    return words.astype("<u8").view("<u2").reshape(rows, DRAWS_PER_ROW) % STEPS


def people(numbers: Draws) -> pa.StructArray:
    """Turn rows of random numbers into rows of the census. Assumes DRAWS_PER_ROW columns."""
    u = np.ascontiguousarray(numbers.T)
    kinds, tables = lookup_tables()
    kind = kinds[0, u[KIND_DRAW]]
    columns: list[Small] = []
    for column, table in enumerate(tables):
        condition = kind if column % CHAIN == 0 else columns[-1]
        columns.append(table.ravel()[condition * np.int32(STEPS) + u[column]])
    return pa.StructArray.from_arrays([pa.array(column) for column in columns], names=list(NAMES))


def wide_census_blocks(blocks: Iterable[Block]) -> pa.StructArray:
    """Draw the rows of several blocks, one after the other."""
    return people(np.concatenate([np.empty((0, DRAWS_PER_ROW), np.uint16), *(draws(*block) for block in blocks)]))


def wide_census_table(rows: int, seed: int) -> pa.Table:
    """Draw a whole census, as the macro does."""
    return whole_table("wide_census", rows, seed, wide_census_blocks)


def call(block: pa.ChunkedArray, rows: pa.ChunkedArray, seed: pa.ChunkedArray) -> pa.Array:
    """Draw one list of rows per input row, at most a block of them."""
    with Guard("drawing people"):
        return listed_blocks("wide_census", block, rows, seed, wide_census_blocks)
