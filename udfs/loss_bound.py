"""_sqlanon_loss_bound: a GCP that no release of a table is below. The whole table comes in as one row, in codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from sqlanon.arguments import secret_number, whole
from sqlanon.errors import Guard
from sqlanon.phases import phase

from .grouping.microdata import each_call, read_microdata
from .grouping.partition import read_model
from .kernels.loss_bound.bound import MOST_EFFORT, Bound, bound_loss
from .kernels.runtime.signals import INTERRUPT_WATCHER

KIND = pa.struct([("bound", pa.float64()), ("method", pa.string()), ("rows", pa.int64())])


def call(settings: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: a setting, one list of rows (codes by column) and what they mean in, the bound out."""
    with Guard("bounding the loss"), INTERRUPT_WATCHER:
        answers = [loss_bound(*arguments) for arguments in each_call(settings, rows, columns)]
    return pa.array(answers, KIND)


def loss_bound(rows: pa.StructArray | None, columns: Mapping[str, Any], setting: dict[str, Any]) -> dict[str, Any]:
    """Return the bound for the k or l of the setting, in words how it came about, and the rows of the table."""
    model, parameters = read_model(setting)
    data = read_microdata(rows, columns, model, parameters, wildcards=False)
    effort = whole("effort", setting.get("effort"), 1, MOST_EFFORT)
    seed = secret_number("seed", setting.get("seed")) or 0
    with phase("bounding the loss", data.sensitive.size):
        bound = bound_loss(data, int(parameters[model.parameter]), model.sensitive, effort, seed)
    return {"bound": bound.gcp, "method": describe_method(bound), "rows": data.sensitive.size}


def describe_method(bound: Bound) -> str:
    """The method in words; a bound that may be wrong says how often."""
    if bound.drawn:
        return f"nearest rows of {bound.drawn:,} drawn rows, right in 95 % of draws"
    return "boxes" if bound.by_boxes else "nearest rows"
