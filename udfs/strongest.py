"""_sqlanon_strongest: the largest k or l that a loss budget allows. The whole table comes in as one row, in codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sqlanon.arguments import number
from sqlanon.errors import Guard

from .grouping.microdata import each_call, read_searched, with_role
from .grouping.partition import extent_grouper, read_model
from .kernels.runtime.signals import INTERRUPT_WATCHER
from .kernels.space import Ints
from .measuring.cells import gcp, read_cells, read_domain

Flags = NDArray[np.bool_]

KIND = pa.struct([("strongest", pa.int32()), ("gcp", pa.float64()), ("largest", pa.int64()), ("tried", pa.int32())])

EVERY = 32
"""Up to this many, every k or l is tried, from the largest down. The loss nearly always rises with it, not strictly."""
ROUNDING = 1e-9
"""The sum of many losses may differ in its last digits from one order of rows to another; the answer may not."""


def call(settings: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: a setting, one list of rows (codes by column) and what they mean in, the answer out."""
    with Guard("grouping rows"), INTERRUPT_WATCHER:
        answers = [strongest(*arguments) for arguments in each_call(settings, rows, columns)]
    return pa.array(answers, KIND)


def strongest(rows: pa.StructArray | None, columns: Mapping[str, Any], setting: dict[str, Any]) -> dict[str, Any]:
    """Return the largest k or l whose groups lose at most max_gcp, its gcp, the largest there is, and how many ran."""
    model, _ = read_model(setting)
    data, most = read_searched(rows, columns, model)
    if rows is None or data is None:
        return {"strongest": None, "gcp": None, "largest": most, "tried": 0}
    group = extent_grouper(setting, data)
    budget = float(number("max_gcp", setting.get("max_gcp")) or 0) + ROUNDING
    domains = [read_domain(columns[name]) for name in with_role(columns, "qi")]
    wild = wild_cells(rows, len(domains))
    tried: dict[int, float] = {}

    def within_budget(value: int) -> bool:
        group_of = group({model.parameter: value})
        known = without_wild(data.codes, wild, group_of)
        tried[value] = gcp(read_cells(domains, known, data.space, group_of))
        return bool(tried[value] <= budget)

    largest = SEARCH[model.parameter](within_budget, most)
    return {"strongest": largest, "gcp": tried.get(largest or 0), "largest": most, "tried": len(tried)}


def largest_within(holds: Callable[[int], bool], most: int) -> int | None:
    """The largest of 2 … most for which it holds; beyond EVERY, one that bisecting meets, which need not be it."""
    if most <= EVERY:
        return next((one for one in range(most, 1, -1) if holds(one)), None)
    return bisect(holds, 2, most)


def largest_by_doubling(holds: Callable[[int], bool], most: int) -> int | None:
    """The same, with few steps where the answer is far below `most`: k may be as large as the table."""
    if most <= EVERY:
        return largest_within(holds, most)
    best, following = None, 2
    while following <= most and holds(following):
        best, following = following, 2 * following
    return bisect(holds, (best or 1) + 1, min(most, following - 1)) or best


def bisect(holds: Callable[[int], bool], low: int, high: int) -> int | None:
    """A number of low … high for which it holds and not for the next; None if bisecting meets none."""
    best = None
    while low <= high:
        middle = (low + high) // 2
        if holds(middle):
            best, low = middle, middle + 1
        else:
            high = middle - 1
    return best


SEARCH = {"k": largest_by_doubling, "l": largest_within}


def wild_cells(rows: pa.StructArray, width: int) -> dict[int, Flags]:
    """By quasi-identifier, the rows whose value is a wildcard, which have no code; columns without any are left out."""
    columns = {i: rows.field(f"qi_{i + 1}") for i in range(width)}
    return {i: column.is_null().to_numpy(zero_copy_only=False) for i, column in columns.items() if column.null_count}


def without_wild(codes: Ints, wild: dict[int, Flags], group_of: Ints) -> Ints:
    """Give wildcards a code that their group has anyway: a group publishes the extent of what it knows."""
    known = codes.copy() if wild else codes
    for column, cells in wild.items():
        lowest = np.full(int(group_of.max()) + 1, np.iinfo(np.int32).max, np.int32)
        np.minimum.at(lowest, group_of[~cells], codes[column, ~cells])
        lowest[lowest == np.iinfo(np.int32).max] = 0  # nothing is known: any one code loses nothing
        known[column, cells] = lowest[group_of[cells]]
    return known
