"""_sqlanon_groups: which rows share a group. The whole table comes in as one row, in codes."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.algorithms import find
from sqlanon.errors import BrokenPromise, NotEligible, SqlanonError, TooFewRows

from . import codec
from .compiling import Partition, warm_up
from .kernels.space import Ints, Microdata

NAME = "_sqlanon_groups"
RETURNS = "INTEGER[]"


def call(request: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """What DuckDB calls: one list of rows (codes by column) in, the list of their group numbers out."""
    try:
        partitions = [
            pa.array(groups(table.values, described, asked.as_py()))
            for asked, table, described in zip(request, rows, columns, strict=True)
        ]
    except SqlanonError:
        raise
    except Exception as error:  # its text may hold data values, its type does not
        raise BrokenPromise(f"{type(error).__name__} while grouping rows") from error
    offsets = np.cumsum([0, *(len(groups) for groups in partitions)], dtype=np.int32)
    return pa.ListArray.from_arrays(offsets, pa.concat_arrays(partitions))


def groups(rows: pa.StructArray | None, columns: Mapping[str, Any], request: dict[str, Any]) -> Ints:
    """Check that the request can be met, then run its algorithm; return each row's group number.

    `columns` describes each quasi-identifier (qi_1 …) and, for l-diversity, the sensitive attribute (sa).
    """
    qi = [name for name in columns if name.startswith("qi_")]
    codec.refuse_types(columns.values())
    found = 0 if rows is None else len(rows)
    parameter, least = request["parameter"], request["least"]
    if rows is None or found < least:
        raise TooFewRows(found, parameter, least)
    codes = codec.row_codes(rows, qi)
    sensitive = np.zeros(found, np.int32)  # k-anonymity: all alike
    if "sa" in columns:
        sensitive = codec.row_codes(rows, ["sa"])[0]
        top = int(np.bincount(sensitive).max())
        if top * least > found:
            raise NotEligible(top, found, least)
    rest = [field.name for field in rows.type if field.name.startswith("keep_")]
    space = codec.join_axes([codec.read_axis(columns[name]) for name in qi])
    data = Microdata(codes, sensitive, codec.row_codes(rows, rest), space)
    partition = partition_by(request["function"], request["algo"])
    warm_up(partition)
    group_of = partition(data, least)
    placed = int(np.count_nonzero(group_of >= 0))
    if group_of.size != found or placed != found:
        raise BrokenPromise(f"the algorithm gave {placed} of {found} rows a group")
    return group_of


def partition_by(function: str, algo: str) -> Partition:
    """Import the kernel that the registry names."""
    module, _, name = find(function, algo).kernel.partition(":")
    kernel: Partition = getattr(importlib.import_module(f"sqlanon.udfs.kernels.{module}"), name)
    return kernel
