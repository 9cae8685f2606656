"""The parameters that decoys are drawn with, checked, and checks of the decoys."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sqlanon.errors import BrokenPromise

from ..arrow.arguments import CODES, ROWS, field_of, malformed_call
from ..kernels.space import Floats, Ints, Wide, Words


class Drawing(NamedTuple):
    """The key, and the size, eta and p of each column."""

    key: Words
    sizes: Wide
    etas: Wide
    chances: Floats

    @property
    def stops(self) -> Wide:
        """Where the items of each column end in a line of all."""
        return np.cumsum(self.etas)

    @property
    def starts(self) -> Wide:
        """Where they start."""
        return self.stops - self.etas


def read_drawing(parameters: pa.ChunkedArray) -> Drawing:
    """The parameters, which are the same in every row; there is at least one."""
    first = parameters.slice(0, 1).combine_chunks()
    if not pa.types.is_struct(first.type) or first.null_count:
        raise malformed_call("parameters", "not a struct")
    sizes, etas = (read_list(name, field_of("parameters", first, name)).astype(np.int64) for name in ("sizes", "etas"))
    chances = read_list("p", field_of("parameters", first, "p")).astype(np.float64)
    key = read_key(pa.chunked_array([field_of("parameters", first, "key")]))
    if not sizes.shape == etas.shape == chances.shape or not sizes.size:
        raise malformed_call("parameters", "not as many of each")
    if not ((etas >= 1) & (etas <= sizes) & (sizes < CODES) & (chances > 0) & (chances <= 1)).all():
        raise malformed_call("parameters", "they do not fit each other")
    return Drawing(key, sizes, etas, chances)


def read_key(keys: pa.ChunkedArray) -> Words:
    """The key, which is the same in every row."""
    key: Words = read_list("key", keys.slice(0, 1).combine_chunks()).astype(np.int64).view(np.uint64)
    if key.shape != (2,):
        raise malformed_call("key", "not of two words")
    return key


def read_list(name: str, lists: pa.Array) -> Floats:
    """The numbers of the only list."""
    if not pa.types.is_list(lists.type) or lists.null_count:
        raise malformed_call(name, "not a list")
    numbers = lists.flatten()
    if not (pa.types.is_integer(numbers.type) or pa.types.is_floating(numbers.type)) or numbers.null_count:
        raise malformed_call(name, "not numbers")
    listed: Floats = numbers.to_numpy()
    return listed


def read_row_numbers(rows: pa.ChunkedArray) -> Wide:
    """The numbers of rows."""
    numbers: Wide = read_whole("rows", rows.combine_chunks(), ROWS - 1).astype(np.int64)
    return numbers


def read_codes(codes: pa.ChunkedArray, sizes: Wide) -> Ints:
    """The codes of rows, shape (rows, columns)."""
    lists = codes.combine_chunks()
    if not pa.types.is_list(lists.type) or lists.null_count:
        raise malformed_call("codes", "not lists")
    flat = read_whole("codes", lists.flatten(), CODES - 1).astype(np.int32, copy=False)
    if (np.diff(lists.offsets.to_numpy()) != sizes.size).any():
        raise malformed_call("codes", "not one for each column")
    by_row: Ints = flat.reshape(len(lists), sizes.size)
    if (by_row >= sizes).any():
        raise malformed_call("codes", "one is outside its domain")
    return by_row


def read_whole(argument: str, numbers: pa.Array, largest: int) -> Wide:
    """Whole numbers from 0 to the largest."""
    if not pa.types.is_integer(numbers.type) or numbers.null_count:
        raise malformed_call(argument, "not whole numbers")
    ends = pc.min_max(numbers).as_py()
    if len(numbers) and not 0 <= ends["min"] <= ends["max"] <= largest:
        raise malformed_call(argument, f"one is not among 0 … {largest}")
    whole: Wide = numbers.to_numpy()
    return whole


def refuse_broken_lists(drawing: Drawing, codes: Ints, lines: Ints) -> None:
    """Raise SA901 unless each list is one of eta different values of its domain, ascending, and, where p is 1, with the
    value of its row. Whatever drew them, rows with other lists do not leave.
    """
    starts, stops = drawing.starts, drawing.stops
    if lines.shape != (len(codes), stops[-1]):
        raise BrokenPromise("there are other lists than rows and columns")
    within = np.ones(lines.shape[1] - 1, bool)
    within[stops[:-1] - 1] = False
    ascending = np.ones(lines.shape[1], bool)
    ascending[1:][within] = (np.diff(lines, axis=1)[:, within] > 0).all(axis=0)
    inside = np.asarray(((lines[:, starts] >= 1) & (lines[:, stops - 1] <= drawing.sizes)).all(axis=0))
    holds = np.logical_or.reduceat(lines == np.repeat(codes + 1, drawing.etas, axis=1), starts, axis=1).all(axis=0)
    for column in np.flatnonzero(~np.logical_and.reduceat(ascending, starts)):
        items = np.sort(lines[:, starts[column] : stops[column]], axis=1)
        if (np.diff(items, axis=1) == 0).any() or (items < 1).any() or (items > drawing.sizes[column]).any():
            inside[column] = False
        else:
            raise BrokenPromise(f"the order of a list of protected column {column + 1} tells something")
    for column in np.flatnonzero(~inside):
        raise BrokenPromise(f"a list of protected column {column + 1} is not one of eta different values of its domain")
    for column in np.flatnonzero(~holds & (drawing.chances == 1)):
        raise BrokenPromise(f"a list of protected column {column + 1} does not hold its value")
