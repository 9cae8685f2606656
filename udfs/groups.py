"""_sqlanon_groups: which rows share a group, and, if the algorithm decides that, at which level each cell is published.

The whole table comes in as one row, in codes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from sqlanon.errors import Guard
from sqlanon.phases import phase

from .arrow.codec import as_generalizations
from .grouping.identifiers import warn_of_identifiers
from .grouping.microdata import each_call, read_microdata
from .grouping.partition import algorithm_of, grouper, may_suppress, read_model
from .kernels.runtime.signals import INTERRUPT_WATCHER
from .kernels.space import Generalization, Ints


def call(settings: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: one list of rows (codes by column) in; out come their group numbers, and levels or NULL."""
    with Guard("grouping rows"), INTERRUPT_WATCHER:
        partitions = [groups(*arguments) for arguments in each_call(settings, rows, columns)]
    return as_generalizations(partitions)


def groups(rows: pa.StructArray | None, columns: Mapping[str, Any], setting: dict[str, Any]) -> Ints | Generalization:
    """Check that the promise can be kept, then run the algorithm; return each row's group number, -1 for none."""
    model, parameters = read_model(setting)
    with phase("reading codes", 0 if rows is None else len(rows)):
        strict = rows is None or not may_suppress(setting, len(rows))
        apart = algorithm_of(setting).apart and setting["recode"] == "none"  # there, a class is a group
        data = read_microdata(rows, columns, model, parameters, apart=apart, strict=strict)
        warn_of_identifiers(rows, columns, setting["recode"])
    return grouper(setting, data)(parameters)
