"""_sqlanon_best_l: the largest l that a loss budget allows. The whole table comes in as one row, in codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sqlanon.algorithms import find
from sqlanon.errors import BrokenPromise, NotEligible, SqlanonError

from .compiling import warm_up
from .groups import load_kernel, refuse_lost
from .intake import read_microdata
from .kernels.space import Ints, Microdata
from .kernels.swaps import total_loss

Flags = NDArray[np.bool_]

NAME = "_sqlanon_best_l"
RETURNS = "STRUCT(l INTEGER, gcp DOUBLE, max_l BIGINT, tried INTEGER)"
KIND = pa.struct([("l", pa.int32()), ("gcp", pa.float64()), ("max_l", pa.int64()), ("tried", pa.int32())])

EVERY = 32
"""Up to this max_l every l is tried, from the largest down. The loss nearly always rises with l, but not strictly."""
ROUNDING = 1e-9
"""The sum of many losses may differ in its last digits from one order of rows to another; the answer may not."""


def call(request: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """What DuckDB calls: what is asked, one list of rows (codes by column) and what they mean in, the answer out."""
    try:
        found = [
            best_l(table.values, described, asked.as_py())
            for asked, table, described in zip(request, rows, columns, strict=True)
        ]
    except SqlanonError:
        raise
    except Exception as error:  # its text may hold data values, its type does not
        raise BrokenPromise(f"{type(error).__name__} while grouping rows") from error
    return pa.array(found, KIND)


def best_l(rows: pa.StructArray | None, columns: Mapping[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Return the largest l whose groups lose at most max_gcp, its gcp, the largest l there is, and the number tried."""
    try:
        data = read_microdata(rows, columns, "l", 2)
    except NotEligible:  # not even for 2
        return {"l": None, "gcp": None, "max_l": 1, "tried": 0}
    max_l = data.sensitive.size // int(np.bincount(data.sensitive).max())
    algorithm = find("ldiverse", request["algo"])
    partition = load_kernel(algorithm.kernel)
    warm_up(partition)
    takes = {name: request[name] for name in algorithm.takes if name in request}
    wild = wild_cells(rows, len(data.codes))
    tried: dict[int, float] = {}

    def within_budget(l: int) -> bool:
        group_of = partition(data, l, **takes)
        refuse_lost(group_of, data, algorithm.apart)
        tried[l] = gcp(data, group_of, wild)
        return bool(tried[l] <= request["max_gcp"] + ROUNDING)

    largest = largest_within(within_budget, max_l)
    return {"l": largest, "gcp": tried.get(largest or 0), "max_l": max_l, "tried": len(tried)}


def largest_within(holds: Callable[[int], bool], most: int) -> int | None:
    """The largest l of 2 … most for which it holds; beyond EVERY, one that bisecting finds, which need not be it."""
    if most <= EVERY:
        return next((l for l in range(most, 1, -1) if holds(l)), None)
    best, low, high = None, 2, most
    while low <= high:
        middle = (low + high) // 2
        if holds(middle):
            best, low = middle, middle + 1
        else:
            high = middle - 1
    return best


def gcp(data: Microdata, group_of: Ints, wild: dict[int, Flags]) -> float:
    """The mean NCP of all cells that the groups would publish; a row without a group has lost every column."""
    placed = group_of >= 0
    used = np.bincount(group_of[placed]) > 0
    groups = (np.cumsum(used) - 1).astype(np.int32)[group_of[placed]]
    codes = data.codes[:, placed]
    for column, cells in wild.items():
        codes[column] = without_wild(codes[column], cells[placed], groups)
    width, rows = data.codes.shape
    lost = total_loss(np.ascontiguousarray(codes.T), data.space, groups, int(used.sum()))
    return float((lost + width * np.count_nonzero(~placed)) / (width * rows))


def wild_cells(rows: pa.StructArray, width: int) -> dict[int, Flags]:
    """By quasi-identifier, the rows whose value is a wildcard, which have no code; columns without any are left out."""
    columns = {i: rows.field(f"qi_{i + 1}") for i in range(width)}
    return {i: column.is_null().to_numpy(zero_copy_only=False) for i, column in columns.items() if column.null_count}


def without_wild(codes: Ints, wild: Flags, groups: Ints) -> Ints:
    """Give wildcards a code that their group has anyway: a group publishes the extent of what it knows."""
    least = np.full(int(groups.max()) + 1, np.iinfo(np.int32).max, np.int32)
    np.minimum.at(least, groups[~wild], codes[~wild])
    least[least == np.iinfo(np.int32).max] = 0  # nothing is known: any one code loses nothing
    return np.where(wild, least[groups], codes).astype(np.int32)
