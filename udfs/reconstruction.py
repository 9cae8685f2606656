"""_sqlanon_reconstruction: the cross tabulation of a source, estimated from lists of a randomized release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from sqlanon.arguments import choice
from sqlanon.errors import Guard
from sqlanon.phases import phase

from .arrow.arguments import listed_rows, listed_structs, malformed_call, struct_of
from .kernels.runtime.signals import INTERRUPT_WATCHER
from .randomizing.methods import METHODS
from .randomizing.published import Attribute, Lists, chosen_attributes, read_attributes, read_released

KIND = pa.struct(
    [
        ("domains", pa.list_(pa.list_(pa.string()))),
        ("counts", pa.list_(pa.float64())),
        ("rows", pa.int64()),
        ("steps", pa.int32()),
        ("change", pa.float64()),
        ("converged", pa.bool_()),
    ]
)


def call(settings: pa.ChunkedArray, parameters: pa.ChunkedArray, lists: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: what is asked, the parameters and the distinct lists in; counts of cells out, and steps."""
    with Guard("reconstructing"), INTERRUPT_WATCHER:
        answers = []
        for setting, rows, released in zip(settings, parameters, lists, strict=True):
            attributes, method = read_setting(struct_of("setting", setting), listed_structs("params", rows))
            lists = Lists(attributes, *read_released(attributes, listed_rows("lists", released)))
            count = int(lists.weights.sum())
            with phase(f"reconstructing ({method})", count):
                answer = METHODS[method](lists)
            domains = [attribute.domain.to_pylist() for attribute in attributes]
            took = {"rows": count, "steps": answer.steps, "change": answer.change, "converged": answer.converged}
            answers.append({"domains": domains, "counts": answer.counts, **took})
    return pa.array(answers, KIND)


def read_setting(setting: Mapping[str, Any], parameters: Sequence[Mapping[str, Any]]) -> tuple[list[Attribute], str]:
    """The attributes to tabulate, and the method."""
    names = setting.get("attributes")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise malformed_call("setting", "attributes is no list of names")
    method = choice("method", setting.get("method"), tuple(METHODS))
    return chosen_attributes(read_attributes(parameters), names), method
