"""_sqlanon_groups: which rows share a group. The whole table comes in as one row, in codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from sqlanon.errors import Guard

from .arrow.codec import as_lists
from .grouping.identifiers import warn_of_identifiers
from .grouping.interrupts import HEEDING
from .grouping.microdata import each_call, read_microdata
from .grouping.partition import algorithm_of, grouper, read_model
from .kernels.space import Ints

NAME = "_sqlanon_groups"
RETURNS = "INTEGER[]"


def call(settings: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """What DuckDB calls: one list of rows (codes by column) in, the list of their group numbers out."""
    with Guard("grouping rows"), HEEDING:
        partitions = [groups(*arguments) for arguments in each_call(settings, rows, columns)]
    return as_lists(partitions, pa.int32())


def groups(rows: pa.StructArray | None, columns: Mapping[str, Any], setting: dict[str, Any]) -> Ints:
    """Check that the promise can be kept, then run the algorithm; return each row's group number, -1 for none."""
    model, parameters = read_model(setting)
    data = read_microdata(rows, columns, model, parameters, apart=algorithm_of(setting).apart)
    warn_of_identifiers(rows, columns, setting["recode"])
    return grouper(setting, data)(parameters)
