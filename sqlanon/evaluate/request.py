"""The arguments of the functions that compare a release with its source."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.arguments import (
    MOST_QI,
    column_weights,
    one_column,
    refuse_many,
    refuse_repeats,
    taxonomies,
    whole,
)
from sqlanon.errors import InvalidParameter
from sqlanon.functions import read_arguments

from .workload import Workload, read_workload

MOST_GROUP_BYS, MOST_DIMENSIONS = 1_000, 60
"""The most that cube_kl answers at once: more would take long to plan and much memory, and nobody would read it."""


@dataclass(frozen=True)
class Evaluation:
    """The checked arguments of a function that evaluates. `taxonomy` pairs columns with tables, `weights` with
    numbers.
    """

    function: str
    src: str
    rel: str
    qi: tuple[str, ...]
    sa: str | None
    taxonomy: tuple[tuple[str, str], ...]
    level: int | None = None
    value: str | None = None
    workload: Workload | None = None
    weights: tuple[tuple[str, float], ...] = ()


def read_evaluation(function: str, arguments: Mapping[str, object]) -> Evaluation:
    """Check the arguments of a function that evaluates."""
    checked = read_arguments(function, arguments)
    qi = checked["qi"]
    optional = function not in ("kl_divergence", "cube_kl", "count_query_error")
    sa = None if optional and checked.get("sa") is None else one_column(checked.get("sa"))
    refuse_repeats({"qi": qi, "sa": () if sa is None else (sa,)}, reserved=())
    refuse_many("qi names", len(qi), MOST_QI)
    level = None
    if function == "cube_kl":  # without a value, the sensitive attribute is one more to group by
        level = cube_level(checked.get("level"), len(qi) + (checked.get("value") is None))
    workload = read_workload(checked, len(qi) + 1) if function == "count_query_error" else None
    return Evaluation(
        function=function,
        src=checked["src"],
        rel=checked["rel"],
        qi=qi,
        sa=sa,
        taxonomy=taxonomies(checked.get("taxonomy"), qi if sa is None else (*qi, sa)),
        level=level,
        value=value_text(checked.get("value")),
        workload=workload,
        weights=column_weights(checked.get("weights"), qi if sa is None else (*qi, sa)),
    )


def cube_level(value: object, dimensions: int) -> int | None:
    """How many attributes each group-by has; NULL stands for every number of them."""
    if value is None:
        levels = range(1, dimensions + 1)
    else:
        level = whole("level", value, smallest=1)
        if level > dimensions:
            raise InvalidParameter(f"level = {level} is out of range.", f"It ends at {dimensions}.")
        levels = range(level, level + 1)
    if dimensions > MOST_DIMENSIONS or sum(math.comb(dimensions, level) for level in levels) > MOST_GROUP_BYS:
        raise InvalidParameter(
            f"level: there are too many group-bys of {dimensions} attributes.",
            f"Up to {MOST_GROUP_BYS:,} are answered at once, of up to {MOST_DIMENSIONS} attributes.",
        )
    return None if value is None else levels[0]


def value_text(value: object) -> str | None:
    """A sensitive value as DuckDB writes it; what is not text has been a value of another type."""
    if isinstance(value, bool):
        return str(value).lower()
    return None if value is None else str(value)
