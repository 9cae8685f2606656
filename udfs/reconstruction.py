"""_sqlanon_reconstruction: the cross tabulation of a source, estimated from lists of a randomized release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.arguments import choice
from sqlanon.errors import Guard

from .arrow.arguments import field_of, listed_rows, listed_structs, malformed, struct_of
from .grouping.interrupts import HEEDING
from .kernels.space import Floats
from .randomizing.published import (
    METHODS,
    Attribute,
    chosen_attributes,
    read_attributes,
    read_lists,
    read_weights,
    tabulate,
)

NAME = "_sqlanon_reconstruction"
RETURNS = "STRUCT(domains VARCHAR[][], counts DOUBLE[])"
KIND = pa.struct([("domains", pa.list_(pa.list_(pa.string()))), ("counts", pa.list_(pa.float64()))])


def call(settings: pa.ChunkedArray, parameters: pa.ChunkedArray, lists: pa.ChunkedArray) -> pa.Array:
    """What DuckDB calls: what is asked, the parameters and the distinct lists in; domains and counts of cells out."""
    with Guard("reconstructing"), HEEDING:
        answers = []
        for setting, rows, released in zip(settings, parameters, lists, strict=True):
            attributes, method = read_setting(struct_of("setting", setting), listed_structs("params", rows))
            counts = reconstruction(attributes, method, listed_rows("lists", released))
            domains = [attribute.domain.to_pylist() for attribute in attributes]
            answers.append({"domains": domains, "counts": counts})
    return pa.array(answers, KIND)


def read_setting(setting: Mapping[str, Any], parameters: Sequence[Mapping[str, Any]]) -> tuple[list[Attribute], str]:
    """The attributes to tabulate, and the method."""
    names = setting.get("attributes")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise malformed("setting", "attributes is no list of names")
    method = choice("method", setting.get("method"), tuple(METHODS))
    return chosen_attributes(read_attributes(parameters), names), method


def reconstruction(attributes: Sequence[Attribute], method: str, released: pa.StructArray | None) -> Floats:
    """Return the counts of cells, the last attribute running fastest. `released` has a_1 …, lists as text, and n."""
    if released is None:
        return np.zeros(int(np.prod([attribute.size for attribute in attributes])))
    weights = read_weights(field_of("lists", released, "n"))
    lists = [
        read_lists(attribute, field_of("lists", released, f"a_{number}"))
        for number, attribute in enumerate(attributes, 1)
    ]
    return METHODS[method](tabulate(attributes, lists, weights))
