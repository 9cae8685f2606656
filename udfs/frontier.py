"""_sqlanon_frontier: what one setting of kanonymous or ldiverse loses, and how long its algorithm takes.

The whole table comes in as one row, in codes. The measures are those of info_loss, kl_divergence and count_query_error
on a release that is never made: what its cells would cover is known in codes, too. Without a sensitive attribute, they
are taken over the quasi-identifiers alone.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from sqlanon.errors import Guard
from sqlanon.phases import phase

from .count_queries import Source, drawn_queries, estimate
from .grouping.microdata import each_call, read_searched
from .grouping.partition import extent_grouper, read_model
from .kernels.measure.density import densities
from .kernels.runtime.signals import INTERRUPT_WATCHER
from .kernels.space import Ints, Wide
from .measuring.cells import Cells, Domain, gcp, read_cells, read_domain
from .measuring.published import Published
from .measuring.workload import Attribute

MEASURES = ("gcp", "avg_class_size", "kl", "median_error", "seconds")
KIND = pa.struct([("algo", pa.string()), ("parameter", pa.int32()), *((name, pa.float64()) for name in MEASURES)])

QUERIES, SELECTIVITY, DIMS = 200, 0.05, 3
"""The random count queries that each release has to answer; fewer dimensions where there are fewer columns."""

ONE_VALUE = Domain(
    Attribute("", "", measured=False, tree=False, labels=[""], occurring=np.zeros(1, np.int64)), np.zeros(1, np.int64)
)
"""A stand-in for the sensitive attribute where there is none: one value that all rows have tells nothing."""


class Classes(NamedTuple):
    """The classes of a release: the positions low … high that each covers, shape (columns, classes).

    Of the rows of class owner[i], rows[i] have the sensitive value at the position sensitive[i]; owners ascend.
    """

    low: Ints
    high: Ints
    owner: Wide
    sensitive: Wide
    rows: Wide


def call(settings: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: a setting, one list of rows (codes by column) and what they mean in, its measures out."""
    with Guard("measuring a setting"), INTERRUPT_WATCHER:
        measured = [measures(*arguments) for arguments in each_call(settings, rows, columns)]
    return pa.array(measured, KIND)


def measures(rows: pa.StructArray | None, columns: Mapping[str, Any], setting: Mapping[str, Any]) -> dict[str, Any]:
    """Group the rows as the setting says, and measure; no measures if the table is not eligible."""
    model, parameters = read_model(setting)
    tried = {"algo": setting["algo"], "parameter": parameters[model.parameter]}
    data, most = read_searched(rows, columns, model, wildcards=False)
    if data is None or parameters[model.parameter] > most:
        return tried
    group = extent_grouper(setting, data)
    began = time.perf_counter()
    group_of = group(parameters)
    seconds = time.perf_counter() - began
    described = [read_domain(column) for column in columns.values()]
    *domains, sensitive = described if model.sensitive else [*described, ONE_VALUE]
    with phase(f"measuring ({setting['algo']})", data.sensitive.size):
        cells = read_cells(domains, data.codes, data.space, group_of)
        classes = read_classes(cells, sensitive.position_of[data.sensitive])
        source = distinct_source([*domains, sensitive], np.vstack([data.codes, data.sensitive]))
        return {
            **tried,
            "gcp": gcp(cells),
            "avg_class_size": cells.rows.sum() / classes.low.shape[1],
            "kl": divergence(source, classes),
            "median_error": median_error(source, classes, described, setting.get("seed") or 0, model.sensitive),
            "seconds": seconds,
        }


def read_classes(cells: Cells, sensitive_positions: Wide) -> Classes:
    """Groups that publish the same are one class; `sensitive_positions` are those of the rows' sensitive values."""
    extents, class_of, _ = distinct(np.concatenate([cells.low, cells.high]))
    low, high = np.split(extents.astype(np.int32), 2)
    held, _, rows = distinct(np.array([class_of[cells.group_of], sensitive_positions]))
    return Classes(low, high, held[0], held[1], rows)


def distinct_source(domains: Sequence[Domain], codes: Ints) -> Source:
    """The distinct rows of the table, each value by its position."""
    positions = np.array([domain.position_of[line] for domain, line in zip(domains, codes, strict=True)])
    points, _, weights = distinct(positions)
    first = np.cumsum([0, *(domain.size for domain in domains)])
    return Source(np.ascontiguousarray(points, np.int32), weights, first)


def distinct(lines: Wide) -> tuple[Wide, Wide, Wide]:
    """The distinct rows of a table, shape (columns, rows), in order; which of them each row is; how many are alike."""
    key, most = np.zeros(lines.shape[1], np.int64), 1
    for line in lines:
        size = int(line.max()) + 1
        if most * size > np.iinfo(np.int64).max:  # make room: number what there is so far
            known, key = np.unique(key, return_inverse=True)
            most = known.size
        key, most = key * size + line, most * size
    _, first, which, counts = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return lines[:, first], which, counts


def divergence(source: Source, classes: Classes) -> float:
    """Of what the release lets one believe from the source, in nats; infinite if it rules out a row of the source.

    That takes a taxonomy with a label on two levels. Below 0 there is nothing but rounding.
    """
    low, high = (
        np.ascontiguousarray(np.vstack([ends[:, classes.owner], classes.sensitive]).T, np.int32)
        for ends in (classes.low, classes.high)
    )
    covered = (classes.high - classes.low + 1.0).prod(axis=0)
    points = np.ascontiguousarray(source.codes.T)
    believed = densities(points, low, high, classes.rows / covered[classes.owner])
    if not believed.all():
        return math.inf
    share = source.weights / source.weights.sum()
    return max(0.0, float(np.sum(share * np.log(source.weights / believed))))


def median_error(
    source: Source, classes: Classes, domains: Sequence[Domain], seed: int, sensitive: bool
) -> float | None:
    """The median relative error of random count queries; None if none was drawn that some row satisfies."""
    columns, count = classes.low.shape
    values = np.arange(source.first[-1] - source.first[-2], dtype=np.int32)  # of the sensitive attribute: a cell each
    cell = np.arange(columns * count + values.size, dtype=np.int32)
    release = Published(
        first=np.append(np.arange(columns + 1) * count, cell.size),
        cell=cell,
        low=np.append(classes.low, values),
        high=np.append(classes.high, values),
        weight=np.ones(cell.size),
        cell_of=cell[: columns * count].reshape(columns, count),
        held_from=np.searchsorted(classes.owner, np.arange(count + 1)).astype(np.int64),
        held_cell=(columns * count + classes.sensitive).astype(np.int32),
        held_rows=classes.rows,
    )
    workload_arguments = {
        "dims": [min(DIMS, len(domains))],
        "queries": QUERIES,
        "selectivity": SELECTIVITY,
        "seed": seed,
    }
    workload = drawn_queries([domain.attribute for domain in domains], workload_arguments, source, sensitive)
    errors = [abs(actual - estimate(release, query, source.first)) / actual for _, actual, query in workload]
    return float(np.median(errors)) if errors else None
