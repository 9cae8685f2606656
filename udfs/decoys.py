"""_sqlanon_decoys: the lists that hide the values of rows. Called for some rows at a time, in any thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.errors import Guard

from .arrow.arguments import CODES, ROWS, malformed, struct_of, whole_numbers
from .grouping.interrupts import HEEDING
from .kernels.decoys import draw_lists
from .kernels.space import Floats, Ints, Wide, Words

NAME = "_sqlanon_decoys"
RETURNS = "STRUCT(place UBIGINT, lists INTEGER[][])"


def call(parameters: pa.ChunkedArray, rows: pa.ChunkedArray, codes: pa.ChunkedArray) -> pa.Array:
    """What DuckDB calls: the same parameters again and again, row numbers and lists of codes in; lists of items out."""
    with Guard("drawing decoys"), HEEDING:
        if not len(rows):
            return pa.array([], pa.struct([("place", pa.uint64()), ("lists", pa.list_(pa.list_(pa.int32())))]))
        key, sizes, etas, chances = read_parameters(struct_of("parameters", parameters[0]))
        numbers = read_numbers("rows", rows.combine_chunks(), ROWS)
        drawn, order = decoys(key, sizes, etas, chances, numbers, read_codes(codes.combine_chunks(), sizes))
    return as_released(drawn, order, etas)


def decoys(key: Words, sizes: Wide, etas: Wide, chances: Floats, rows: Wide, codes: Ints) -> tuple[Ints, Words]:
    """Return the items of all lists, a line for each row, and what to sort the rows by."""
    drawn = np.empty((rows.size, int(etas.sum())), np.int32)
    order = np.empty(rows.size, np.uint64)
    with np.errstate(over="ignore"):  # without the JIT
        draw_lists(key, rows, codes, sizes, etas, chances, drawn, order)
    return drawn, order


def read_parameters(parameters: Mapping[str, Any]) -> tuple[Words, Wide, Wide, Floats]:
    """The key, and the size, eta and p of each column."""
    listed = [parameters.get(name) for name in ("key", "sizes", "etas", "p")]
    if not all(isinstance(each, list) and each for each in listed):
        raise malformed("parameters", "not lists")
    try:
        key = np.array(listed[0], np.int64).view(np.uint64)
        sizes, etas = (np.array(each, np.int64) for each in listed[1:3])
        chances = np.array(listed[3], np.float64)
    except (TypeError, ValueError, OverflowError):
        raise malformed("parameters", "not lists of numbers") from None
    fit = key.shape == (2,) and sizes.ndim == 1 and sizes.shape == etas.shape == chances.shape
    if not fit or not ((etas >= 1) & (etas <= sizes) & (sizes < CODES) & (chances > 0) & (chances <= 1)).all():
        raise malformed("parameters", "they do not fit each other")
    return key, sizes, etas, chances


def read_numbers(argument: str, numbers: pa.Array, size: int) -> Wide:
    """Whole numbers among 0 … size − 1."""
    checked = whole_numbers(argument, pa.StructArray.from_arrays([numbers], ["number"]), "number", size)
    if checked.null_count:
        raise malformed(argument, "one is NULL")
    whole: Wide = checked.to_numpy(zero_copy_only=False).astype(np.int64)
    return whole


def read_codes(codes: pa.Array, sizes: Wide) -> Ints:
    """The codes of rows, shape (columns, rows)."""
    if not pa.types.is_list(codes.type) or codes.null_count:
        raise malformed("codes", "not lists")
    flat = read_numbers("codes", codes.flatten(), CODES)
    if (np.diff(codes.offsets.to_numpy()) != sizes.size).any():
        raise malformed("codes", "not one for each column")
    by_row = flat.reshape(len(codes), sizes.size)
    if (by_row >= sizes).any():
        raise malformed("codes", "one is outside its domain")
    return np.ascontiguousarray(by_row.T, np.int32)


def as_released(drawn: Ints, order: Words, etas: Wide) -> pa.StructArray:
    """What DuckDB gets back: for each row, a list of lists."""
    rows = order.size
    ends = np.concatenate([[0], np.cumsum(np.tile(etas, rows))]).astype(np.int32)
    items = pa.ListArray.from_arrays(ends, pa.array(drawn.ravel(), pa.int32()))
    lists = pa.ListArray.from_arrays(np.arange(rows + 1, dtype=np.int32) * etas.size, items)
    return pa.StructArray.from_arrays([pa.array(order, pa.uint64()), lists], ["place", "lists"])
