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

from .arrow.arguments import field_of, listed_rows, listed_structs
from .grouping.interrupts import HEEDING
from .kernels.space import Ints, Wide
from .randomizing.parameters import belief_change
from .randomizing.published import Attribute, by_bayes, read_attributes, read_lists, read_weights, tabulate

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


def call(parameters: pa.ChunkedArray, released: pa.ChunkedArray) -> pa.Array:
    """What DuckDB calls: the parameters and the distinct lists of all columns in; measures by attribute out."""
    with Guard("measuring privacy"), HEEDING:
        answers = [
            privacy(read_attributes(listed_structs("params", listed)), listed_rows("lists", lists))
            for listed, lists in zip(parameters, released, strict=True)
        ]
    return pa.array(answers, KIND)


def privacy(attributes: Mapping[str, Attribute], lists: pa.StructArray | None) -> list[dict[str, Any]]:
    """Measure each attribute. `lists` has the name of a column, items as text, and n; without it there are no rows."""
    if lists is None:
        return [described(attribute) for attribute in attributes.values()]
    names = field_of("lists", lists, "name").to_pylist()
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(fold(str(name)), []).append(place)
    answers = []
    for folded, attribute in attributes.items():
        if folded not in places:
            raise ReleaseMismatch(f"there is no column {attribute.name!r} in rel.", "Are these the parameters of it?")
        taken = lists.take(pa.array(places[folded]))
        lines = read_lists(attribute, field_of("lists", taken, "items"))
        weights = read_weights(field_of("lists", taken, "n"))
        answers.append({**described(attribute), "l": attribute.eta, "t": worst_change(attribute, lines, weights)})
    return answers


def described(attribute: Attribute) -> dict[str, Any]:
    """What the parameters say of an attribute."""
    size, eta, p = attribute.size, attribute.eta, attribute.p
    return {"attribute": attribute.name, "domain_size": size, "eta": eta, "p": p}


def worst_change(attribute: Attribute, lines: Ints, weights: Wide) -> float | None:
    """How far the worst of the lists moves what is believed of its row; None without rows."""
    if not weights.sum():
        return None
    prior = by_bayes(tabulate([attribute], [lines], weights)) / weights.sum()
    masses = np.minimum(prior[lines].sum(axis=1), 1.0)
    return max(belief_change(float(mass), attribute.size, attribute.eta, attribute.p) for mass in np.unique(masses))
