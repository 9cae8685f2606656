"""_sqlanon_best_l: the largest l that a loss budget allows. The whole table comes in as one row, in codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sqlanon.errors import Guard

from .cells import gcp, read_cells, read_domain
from .groups import grouper
from .intake import each_call, read_searched
from .interrupts import HEEDING
from .kernels.space import Ints

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
    with Guard("grouping rows"), HEEDING:
        found = [best_l(*given) for given in each_call(request, rows, columns)]
    return pa.array(found, KIND)


def best_l(rows: pa.StructArray | None, columns: Mapping[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Return the largest l whose groups lose at most max_gcp, its gcp, the largest l there is, and the number tried."""
    data, max_l = read_searched(rows, columns)
    if rows is None or data is None:
        return {"l": None, "gcp": None, "max_l": max_l, "tried": 0}
    group = grouper("ldiverse", request["algo"], data, request)
    domains = [read_domain(columns[name]) for name in columns if name.startswith("qi_")]
    wild = wild_cells(rows, len(domains))
    tried: dict[int, float] = {}

    def within_budget(l: int) -> bool:
        group_of = group(l)
        known = without_wild(data.codes, wild, group_of)
        tried[l] = gcp(read_cells(domains, known, data.space, group_of))
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


def wild_cells(rows: pa.StructArray, width: int) -> dict[int, Flags]:
    """By quasi-identifier, the rows whose value is a wildcard, which have no code; columns without any are left out."""
    columns = {i: rows.field(f"qi_{i + 1}") for i in range(width)}
    return {i: column.is_null().to_numpy(zero_copy_only=False) for i, column in columns.items() if column.null_count}


def without_wild(codes: Ints, wild: dict[int, Flags], group_of: Ints) -> Ints:
    """Give wildcards a code that their group has anyway: a group publishes the extent of what it knows."""
    known = codes.copy() if wild else codes
    for column, cells in wild.items():
        least = np.full(int(group_of.max()) + 1, np.iinfo(np.int32).max, np.int32)
        np.minimum.at(least, group_of[~cells], codes[column, ~cells])
        least[least == np.iinfo(np.int32).max] = 0  # nothing is known: any one code loses nothing
        known[column, cells] = least[group_of[cells]]
    return known
