"""_sqlanon_full_domain_levels: all full-domain recodings that keep a promise. The table comes as one row, in codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.errors import Guard
from sqlanon.phases import phase

from .arrow.codec import as_lists
from .grouping.microdata import each_call, read_microdata
from .grouping.partition import (
    MOST_COUNTED,
    algorithm_of,
    kernel_options,
    may_suppress,
    read_model,
    refuse_large_lattice,
)
from .grouping.requirements import requirement_of
from .kernels.lattice.lattice import HoldingNodes, holding_nodes
from .kernels.runtime.signals import INTERRUPT_WATCHER


def call(settings: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: a setting, one list of rows (codes by column) and what they mean in, the nodes out."""
    with Guard("searching levels"), INTERRUPT_WATCHER:
        answers = [levels(*arguments) for arguments in each_call(settings, rows, columns)]
    sizes = np.cumsum([0, *(answer.gcp.size for answer in answers)], dtype=np.int32)
    nodes = [
        pa.StructArray.from_arrays(
            [as_lists(list(answer.levels), pa.uint8()), pa.array(answer.gcp), pa.array(answer.suppressed)],
            ["levels", "gcp", "suppressed_rows"],
        )
        for answer in answers
    ]
    return pa.ListArray.from_arrays(sizes, pa.concat_arrays(nodes))


def levels(rows: pa.StructArray | None, columns: Mapping[str, Any], setting: dict[str, Any]) -> HoldingNodes:
    """Return the nodes of the lattice that hold, the one that incognito publishes first."""
    model, parameters = read_model(setting)
    data = read_microdata(rows, columns, model, parameters, strict=rows is None or not may_suppress(setting, len(rows)))
    refuse_large_lattice(data, MOST_COUNTED)
    requirement = requirement_of(parameters)
    with phase("counting levels", data.sensitive.size):
        return holding_nodes(data, requirement, **kernel_options(algorithm_of(setting), setting))
