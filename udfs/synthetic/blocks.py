"""Made-up tables are drawn in blocks of rows: what their functions share.

Each block has its own random stream, seeded by (seed, block), so a block can be drawn without
the ones before it and a longer table starts with the rows of a shorter one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa

from sqlanon.errors import InvalidParameter

from ..arrow.arguments import ROWS, whole_numbers

# DuckDB hands over up to 2,048 blocks per call and wants all their rows back at once: a quarter million.
# Larger blocks would cost memory, smaller ones time to seed. The macros have the same number.
BLOCK_ROWS = 128
BLOCKS_PER_CALL = 2048

Block = tuple[int, int, int]
"""Its number, how many of its rows are drawn, and the seed of the table."""
Drawing = Callable[[Iterable[Block]], pa.StructArray]
"""Draws the rows of several blocks, one after the other."""


def refuse_wrong_size(function: str, rows: int, seed: int) -> None:
    """Refuse what no made-up table has."""
    if rows < 0 or seed < 0:
        raise InvalidParameter(
            f"rows and seed of {function} start at 0; given: rows = {rows}, seed = {seed}.",
            f"Write, for example, {function}(1000, seed := 7).",
        )


def stream(block: int, seed: int) -> np.random.PCG64:
    """The random numbers of one block."""
    return np.random.PCG64(np.random.SeedSequence([seed, block]))


def whole_table(function: str, rows: int, seed: int, draw: Drawing) -> pa.Table:
    """Draw a whole table, as the macro does."""
    refuse_wrong_size(function, rows, seed)  # a negative number of rows would pass as a last block
    sizes = [BLOCK_ROWS] * (rows // BLOCK_ROWS) + [rows % BLOCK_ROWS]
    blocks = [(block, size, seed) for block, size in enumerate(sizes)]
    batches = [
        pa.RecordBatch.from_struct_array(draw(blocks[start : start + BLOCKS_PER_CALL]))
        for start in range(0, len(blocks), BLOCKS_PER_CALL)
    ]
    return pa.Table.from_batches(batches)


def listed_blocks(
    function: str, block: pa.ChunkedArray, rows: pa.ChunkedArray, seed: pa.ChunkedArray, draw: Drawing
) -> pa.ListArray:
    """Draw one list of rows per input row, at most a block of them."""
    numbers = pa.StructArray.from_arrays(
        [column.combine_chunks() for column in (block, rows, seed)], ["block", "rows", "seed"]
    )
    blocks, sizes, seeds = (
        whole_numbers(function, numbers, name, size).to_pylist()
        for name, size in (("block", ROWS), ("rows", BLOCK_ROWS + 1), ("seed", ROWS))
    )
    drawn = draw(zip(blocks, sizes, seeds, strict=True))
    return pa.ListArray.from_arrays(np.cumsum([0, *sizes], dtype=np.int32), drawn)
