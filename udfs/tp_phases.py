"""_sqlanon_tp_phases: what TP comes to on a table, without publishing it. The table comes in as one row, in codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from sqlanon.arguments import whole
from sqlanon.errors import Guard

from .arguments import described_columns, listed_rows
from .compiling import warm_up
from .intake import read_microdata
from .interrupts import HEEDING
from .kernels import tp

NAME = "_sqlanon_tp_phases"
RETURNS = (
    "STRUCT(phase INTEGER, groups BIGINT, residue_rows BIGINT, residue_top_count BIGINT, least_residue_rows BIGINT)"
)
FIELDS = ("phase", "groups", "residue_rows", "residue_top_count", "least_residue_rows")
KIND = pa.struct([(name, pa.int32() if name == "phase" else pa.int64()) for name in FIELDS])


def call(least: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """What DuckDB calls: l, one list of rows (codes by column) and what they mean in, the outcome out."""
    with Guard("grouping rows"), HEEDING:
        found = [
            outcome(listed_rows("rows", table), described_columns(described), l.as_py())
            for l, table, described in zip(least, rows, columns, strict=True)
        ]
    return pa.array(found, KIND)


def outcome(rows: pa.StructArray | None, columns: Mapping[str, Any], l: int) -> dict[str, int]:
    """Run TP; return the phase it stopped in, its groups, its residue, and what its bound says of the smallest."""
    data = read_microdata(rows, columns, "l", whole("l", l, 2))
    warm_up(tp.l_groups, "tp")
    found = tp.outcome(data, l)
    counted = (found.phase, found.groups, found.residue, found.residue_top, found.least)
    return dict(zip(FIELDS, counted, strict=True))
