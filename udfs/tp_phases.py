"""_sqlanon_tp_phases: what TP comes to on a table, without publishing it. The table comes in as one row, in codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from sqlanon.errors import Guard
from sqlanon.phases import phase

from .grouping.compiling import warm_up
from .grouping.microdata import each_call, read_microdata
from .grouping.partition import read_model
from .kernels.runtime.signals import INTERRUPT_WATCHER
from .kernels.tp import tp

FIELDS = ("phase", "groups", "residue_rows", "residue_top_count", "least_residue_rows")
KIND = pa.struct([(name, pa.int32() if name == "phase" else pa.int64()) for name in FIELDS])


def call(settings: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: a setting, one list of rows (codes by column) and what they mean in, the outcome out."""
    with Guard("grouping rows"), INTERRUPT_WATCHER:
        outcomes = [outcome(*arguments) for arguments in each_call(settings, rows, columns)]
    return pa.array(outcomes, KIND)


def outcome(rows: pa.StructArray | None, columns: Mapping[str, Any], setting: Mapping[str, Any]) -> dict[str, int]:
    """Run TP; return the phase it stopped in, its groups, its residue, and what its bound says of the smallest."""
    model, parameters = read_model(setting)
    data = read_microdata(rows, columns, model, parameters)
    warm_up(tp.l_groups, "tp")
    with phase("grouping (tp)", data.sensitive.size):
        result = tp.outcome(data, *parameters.values())
    counted = (result.phase, result.groups, result.residue, result.residue_top, result.smallest_residue)
    return dict(zip(FIELDS, counted, strict=True))
