"""_sqlanon_randomization_privacy: what the lists of a randomized release protect, from the release and its parameters.

What was known before is taken to be the distribution of the attribute, as it is reconstructed from the release.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.arguments import fold
from sqlanon.errors import Guard, ReleaseMismatch

from .arrow.arguments import field_of, listed_rows, listed_structs, malformed_call
from .kernels.runtime.signals import INTERRUPT_WATCHER
from .kernels.space import Ints, Wide
from .randomizing.beliefs import belief_changes
from .randomizing.classes import Diversity, at_least, diversities
from .randomizing.likelihood import maximize_likelihood
from .randomizing.published import Attribute, Lists, read_attributes, read_lists, read_weights

FIELDS: dict[str, pa.DataType] = {
    "attribute": pa.string(),
    "domain_size": pa.int32(),
    "eta": pa.int32(),
    "p": pa.float64(),
    "l": pa.int32(),
    "t": pa.float64(),
    "frequency_l": pa.float64(),
    "entropy_l": pa.float64(),
    "k": pa.int64(),
    "ground": pa.string(),
}
KIND = pa.list_(pa.struct(list(FIELDS.items())))


def call(
    parameters: pa.ChunkedArray, lists: pa.ChunkedArray, names: pa.ChunkedArray, rows: pa.ChunkedArray
) -> pa.Array:
    """Called by DuckDB: the parameters, the distinct lists of columns, and those of whole rows in; measures out."""
    with Guard("measuring privacy"), INTERRUPT_WATCHER:
        answers = []
        for listed, by_column, columns, by_row in zip(parameters, lists, names, rows, strict=True):
            attributes = read_attributes(listed_structs("params", listed))
            measured = privacy(attributes, listed_rows("lists", by_column))
            if by_column.is_valid:
                for answer, diversity in zip(measured, class_diversities(attributes, columns, by_row), strict=True):
                    answer.update(diversity._asdict())
            answers.append(measured)
    return pa.array(answers, KIND)


def privacy(attributes: Mapping[str, Attribute], lists: pa.StructArray | None) -> list[dict[str, Any]]:
    """Measure each attribute. `lists` has the name of a column, items as text, and n; without it there are no rows."""
    if lists is None:
        return [describe_attribute(attribute) for attribute in attributes.values()]
    names = field_of("lists", lists, "name").to_pylist()
    numbers: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        numbers.setdefault(fold(str(name)), []).append(number)
    answers = []
    for folded, attribute in attributes.items():
        if folded not in numbers:
            raise ReleaseMismatch(f"there is no column {attribute.name!r} in rel.", "Are these the parameters of it?")
        taken = lists.take(pa.array(numbers[folded]))
        lines = read_lists(attribute, field_of("lists", taken, "items"))
        weights = read_weights(field_of("lists", taken, "n"))
        answers.append(
            {**describe_attribute(attribute), "l": attribute.eta, "t": worst_change(attribute, lines, weights)}
        )
    return answers


def describe_attribute(attribute: Attribute) -> dict[str, Any]:
    """The parameters of an attribute."""
    said = {"domain_size": attribute.size, "eta": attribute.eta, "p": attribute.p, "ground": attribute.ground}
    return {"attribute": attribute.name, **said}


def worst_change(attribute: Attribute, lines: Ints, weights: Wide) -> float | None:
    """How far the worst of the lists moves what is believed of its row; None without rows."""
    if not weights.sum():
        return None
    prior = maximize_likelihood(Lists([attribute], [lines], weights)).counts / weights.sum()
    return float(belief_changes(lines, prior, attribute.eta, attribute.p, attribute.ground).max())


def class_diversities(attributes: Mapping[str, Attribute], names: pa.Scalar, listed: pa.Scalar) -> list[Diversity]:
    """The diversity of classes, from the distinct rows: for each of the columns that are named a list; and n."""
    rows = listed_rows("rows", listed)
    columns = names.as_py() or ()
    if not isinstance(columns, list | tuple):
        raise malformed_call("names", "not a list")
    numbers = {fold(str(name)): number for number, name in enumerate(columns)}
    if rows is None or not set(attributes) <= set(numbers):  # too many combinations
        return [at_least(attribute) for attribute in attributes.values()]
    cells = field_of("rows", rows, "lists")
    if (
        not pa.types.is_list(cells.type)
        or cells.null_count
        or (np.diff(cells.offsets.to_numpy()) != len(columns)).any()
    ):
        raise malformed_call("rows", "not a list for each column")
    starts = np.arange(len(rows)) * len(columns)
    lines = [
        read_lists(attribute, cells.flatten().take(pa.array(starts + numbers[folded])))
        for folded, attribute in attributes.items()
    ]
    return diversities([*attributes.values()], lines, read_weights(field_of("rows", rows, "n")))
