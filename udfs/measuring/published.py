"""A release in arrays: classes by their cells, and cells by the codes of the source that they cover."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ..arrow.arguments import CODES, ROWS, field_of, malformed_call, whole_numbers
from ..arrow.codec import integers
from ..kernels.space import Floats, Ints, Wide


@dataclass(frozen=True)
class Published:
    """Column c, the sensitive one last, has the intervals first[c] … first[c + 1] - 1.

    Each belongs to a cell and covers the codes low … high of its column, with this weight; cells are numbered through
    all columns. Class k publishes the cell cell_of[c, k] of quasi-identifier c; of its rows, held_rows[i] publish the
    sensitive cell held_cell[i], for i from held_from[k] up to held_from[k + 1].
    """

    first: Wide
    cell: Ints
    low: Ints
    high: Ints
    weight: Floats
    cell_of: Ints
    held_from: Wide
    held_cell: Ints
    held_rows: Wide

    @property
    def cell_count(self) -> int:
        return int(self.cell.max(initial=-1)) + 1


def read_published(
    classes: pa.StructArray | None, cells: Mapping[str, pa.StructArray | None], sizes: Mapping[str, int]
) -> Published:
    """Read classes and the cells of every column, whose domains have these sizes; the sensitive one is the last.

    Cells and classes are put in an order of their own, so that sums do not depend on the one they came in.
    """
    *qi, sensitive = sizes
    read = {key: read_intervals(key, cells.get(key), size) for key, size in sizes.items()}
    counts = [int(cell.max(initial=-1)) + 1 for cell, *_ in read.values()]
    start = dict(zip(sizes, np.cumsum([0, *counts[:-1]]), strict=True))
    cell, low, high, weight = (np.concatenate(lines) for lines in zip(*read.values(), strict=True))
    lengths = [len(lines[0]) for lines in read.values()]
    cell_of = np.empty((len(qi), 0 if classes is None else len(classes)), np.int64)
    owner = value = rows = np.empty(0, np.int64)
    if classes is not None:
        for c, key in enumerate(qi):
            cell_of[c] = start[key] + integers(whole_numbers("classes", classes, key, counts[c]))
        held = field_of("classes", classes, "held")
        if not pa.types.is_list(held.type) or not pa.types.is_struct(held.type.value_type) or held.null_count:
            raise malformed_call("classes", "column held is not one of lists of structs")
        owner = np.repeat(np.arange(len(classes)), integers(held.value_lengths()))
        value = start[sensitive] + integers(whole_numbers("held", held.flatten(), "value", counts[-1]))
        rows = integers(whole_numbers("held", held.flatten(), "n", ROWS))
    order = np.lexsort(cell_of[::-1]) if qi else np.arange(cell_of.shape[1])
    owner = np.argsort(order)[owner]
    by_owner = np.lexsort((value, owner))
    return Published(
        first=np.cumsum([0, *lengths], dtype=np.int64),
        cell=(np.repeat(list(start.values()), lengths) + cell).astype(np.int32),
        low=low.astype(np.int32),
        high=high.astype(np.int32),
        weight=weight,
        cell_of=np.ascontiguousarray(cell_of[:, order], np.int32),
        held_from=np.searchsorted(owner[by_owner], np.arange(order.size + 1)).astype(np.int64),
        held_cell=value[by_owner].astype(np.int32),
        held_rows=rows[by_owner],
    )


def read_intervals(key: str, intervals: pa.StructArray | None, size: int) -> tuple[Wide, Wide, Wide, Floats]:
    """The intervals of a column's cells: whose they are, the codes low … high, and the weight."""
    if intervals is None:
        return (np.empty(0, np.int64),) * 3 + (np.empty(0),)
    cell = integers(whole_numbers("cells", intervals, "cell", CODES))
    low, high = (integers(whole_numbers("cells", intervals, end, size)) for end in ("low", "high"))
    share = field_of("cells", intervals, "share")
    if not pa.types.is_float64(share.type) or share.null_count or (low > high).any():
        raise malformed_call("cells", f"what {key} covers has no share, or ends before it begins")
    weight: Floats = share.to_numpy(zero_copy_only=False)
    return cell, low, high, weight
