"""_sqlanon_randomization_privacy: what the lists of a randomized release protect, from the release and its parameters.

What was known before is taken to be the distribution of the attribute, as it is reconstructed from the release.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.arguments import fold, whole
from sqlanon.errors import Guard, ReleaseMismatch

from .arrow.arguments import ROWS, field_of, listed_structs, malformed
from .grouping.interrupts import HEEDING
from .randomizing.parameters import belief_change
from .randomizing.published import Attribute, by_bayes, no_release, read_attributes, read_lists, read_weights, tabulate

NAME = "_sqlanon_randomization_privacy"
RETURNS = "STRUCT(attribute VARCHAR, domain_size INTEGER, eta INTEGER, p DOUBLE, l INTEGER, t DOUBLE)[]"
KIND = pa.list_(
    pa.struct(
        [
            ("attribute", pa.string()),
            ("domain_size", pa.int32()),
            ("eta", pa.int32()),
            ("p", pa.float64()),
            ("l", pa.int32()),
            ("t", pa.float64()),
        ]
    )
)


def call(parameters: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """What DuckDB calls: the parameters, the number of rows and the distinct lists by column in; measures out."""
    with Guard("measuring privacy"), HEEDING:
        answers = []
        for listed, count, released in zip(parameters, rows, columns, strict=True):
            if not isinstance(released, pa.StructScalar) or not released.is_valid:
                raise malformed("columns", "not a struct")
            by_name = {fold(name): lists for name, lists in released.items()}
            total = whole("rows", count.as_py(), 0, ROWS - 1)
            attributes = read_attributes(listed_structs("params", listed))
            answers.append([measures(attribute, by_name, total) for attribute in attributes.values()])
    return pa.array(answers, KIND)


def measures(attribute: Attribute, columns: Mapping[str, pa.Scalar], rows: int) -> dict[str, Any]:
    """The measures of one attribute; l and t are NULL without rows."""
    if fold(attribute.name) not in columns:
        raise ReleaseMismatch(f"there is no column {attribute.name!r} in rel.", "Are these the parameters of it?")
    size, eta, p = attribute.size, attribute.eta, attribute.p
    measured: dict[str, Any] = {"attribute": attribute.name, "domain_size": size, "eta": eta, "p": p}
    if not rows:
        return measured
    lists = columns[fold(attribute.name)]
    if not lists.is_valid:
        raise no_release(attribute)
    if not isinstance(lists, pa.ListScalar) or not pa.types.is_struct(lists.type.value_type):
        raise malformed("columns", "not lists of structs")
    weights = read_weights(field_of("columns", lists.values, "value"))
    lines = read_lists(attribute, field_of("columns", lists.values, "key"))
    if weights.sum() != rows:
        raise no_release(attribute)
    prior = by_bayes(tabulate([attribute], [lines], weights)) / rows
    masses = np.minimum(prior[lines].sum(axis=1), 1.0)
    worst = max(belief_change(float(mass), size, eta, p) for mass in np.unique(masses))
    return {**measured, "l": eta, "t": worst}
