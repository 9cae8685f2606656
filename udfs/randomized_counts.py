"""_sqlanon_randomized_counts: the rows of a source that satisfy a condition, estimated from its randomized release."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.errors import Guard, InvalidParameter

from .arrow.arguments import listed_rows, listed_structs, malformed_call, struct_of
from .kernels.runtime.signals import INTERRUPT_WATCHER
from .randomizing.conditions import satisfied_cells
from .randomizing.intervals import Estimates, estimate_groups
from .randomizing.published import Attribute, Lists, chosen_attributes, read_attributes, read_released

GROUP = pa.struct(
    [("keys", pa.list_(pa.string())), ("estimate", pa.float64()), ("lower", pa.int64()), ("upper", pa.int64())]
)
MOST_GROUPS = 1_000_000


def call(settings: pa.ChunkedArray, parameters: pa.ChunkedArray, lists: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: the query, the parameters and the distinct lists in; a count for each group out."""
    with Guard("estimating"), INTERRUPT_WATCHER:
        answers = [
            group_counts(struct_of("setting", setting), listed_structs("params", rows), listed_rows("lists", released))
            for setting, rows, released in zip(settings, parameters, lists, strict=True)
        ]
        ends = np.cumsum([0, *map(len, answers)]).astype(np.int32)
        return pa.ListArray.from_arrays(pa.array(ends), pa.concat_arrays(answers))


def group_counts(
    setting: Mapping[str, Any], parameters: Sequence[Mapping[str, Any]], released: pa.StructArray | None
) -> pa.StructArray:
    """Count the rows of each group. `setting`: attributes, how many of them are keys, condition and comparisons."""
    names, keys = setting.get("attributes"), setting.get("keys")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise malformed_call("setting", "attributes is no list of names")
    if not isinstance(keys, int) or not 0 <= keys <= len(names):
        raise malformed_call("setting", "keys is no number of attributes")
    attributes = chosen_attributes(read_attributes(parameters), names)
    groups = math.prod(attribute.size for attribute in attributes[:keys])
    if groups > MOST_GROUPS:
        raise InvalidParameter(
            f"query: GROUP BY has {groups:,} groups; up to {MOST_GROUPS:,} are possible.", "Group by fewer columns."
        )
    sizes = [attribute.size for attribute in attributes]
    counted = satisfied_cells(setting.get("condition"), setting.get("comparisons"), sizes)
    lists = Lists(attributes, *read_released(attributes, released))
    return shown_groups(attributes[:keys], estimate_groups(lists, keys, counted))


def shown_groups(keys: Sequence[Attribute], estimates: Estimates) -> pa.StructArray:
    """The groups in which a row may be, with the values of their keys as text; without keys, the one there is."""
    shown = np.flatnonzero(estimates.upper > 0) if keys else np.arange(1)
    codes = np.unravel_index(shown, [attribute.size for attribute in keys]) if keys else ()
    texts = [attribute.domain.take(pa.array(code)) for attribute, code in zip(keys, codes, strict=True)]
    lines = np.arange(len(shown) + 1, dtype=np.int32) * len(keys)
    # one column after the other, taken line by line
    order = np.arange(len(keys) * len(shown)).reshape(len(keys), len(shown)).T.reshape(-1)
    items = pa.concat_arrays(texts).take(pa.array(order)) if keys else pa.array([], pa.string())
    parts = [pa.ListArray.from_arrays(pa.array(lines), items), *(pa.array(each[shown]) for each in estimates)]
    return pa.StructArray.from_arrays(parts, fields=list(GROUP))
