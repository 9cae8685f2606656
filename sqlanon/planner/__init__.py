"""From a checked request to the one statement that answers it. Pure: it never sees the data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from sqlanon.arguments import type_name
from sqlanon.errors import Guard, InvalidParameter
from sqlanon.request import (
    EVALUATES,
    SEARCHES,
    VERIFIES,
    Release,
    Search,
    read_estimation,
    read_evaluation,
    read_request,
    read_search,
    read_verification,
)

if TYPE_CHECKING:
    from sqlglot import exp


MEASURES = {
    "k_anonymity": ("risk", "smallest_class AS k"),
    "alpha_k_anonymity": ("privacy", "alpha, k"),
    "l_diversity": ("privacy", "distinct_l AS l"),
    "entropy_l_diversity": ("privacy", "entropy_l AS l"),
    "recursive_c_l_diversity": ("recursive_c", "c"),
    "basic_beta_likeness": ("privacy", "basic_beta AS beta"),
    "enhanced_beta_likeness": ("privacy", "enhanced_beta AS beta"),
    "t_closeness": ("privacy", "coalesce(t_ordered, t) AS t"),
    "delta_disclosure": ("privacy", "delta_disclosure AS delta"),
    "assert_private": ("violations", "_sqlanon_none_broken(list(broken)) AS private"),
}
"""Functions that select from what another finds."""

DATASETS = ("adult", "adult_taxonomy", "census_taxonomy")


def plan(function: str, arguments: Mapping[str, object]) -> str:
    """What DuckDB calls at bind time, possibly more than once for one statement."""
    with Guard(f"planning {function}"):
        if function == "sqlanon_explain":
            return explain(**read_struct(arguments))
        return _written(*_asked(function, read_struct(arguments)))


def explain(function: object, arguments: object) -> str:
    """The statement of a release function. Its seed is a secret, so NULL stands in its place."""
    if not isinstance(function, str):
        raise InvalidParameter(f"function must be text, not {type_name(function)}.")
    kind, *request = _asked(function, read_struct(arguments))
    return _written(kind, *map(without_seed, request))


def read_struct(arguments: object) -> Mapping[str, object]:
    """The arguments of a call, by name."""
    if not isinstance(arguments, Mapping):
        raise InvalidParameter(
            f"arguments must be a struct or map, not {type_name(arguments)}.",
            "Write {'tbl': 'patients', 'qi': ['age']}.",
        )
    return arguments


def without_seed(part: Hashable) -> Hashable:
    """The same request, with NULL for the seed of each release."""
    if isinstance(part, Release):
        return replace(part, seed=None)
    if isinstance(part, Search):
        return replace(part, settings=tuple(replace(setting, seed=None) for setting in part.settings))
    return part


def _asked(function: str, arguments: Mapping[str, object]) -> tuple[str, *tuple[Hashable, ...]]:
    """The kind of statement, and what it is made from."""
    if function in VERIFIES:
        return "verification", read_verification(function, arguments), isinstance(arguments.get("sa"), list)
    if function in MEASURES:
        measured, selected = MEASURES[function]
        return "measure", read_verification(measured, arguments), isinstance(arguments.get("sa"), list), selected
    if function in EVALUATES:
        return "evaluation", read_evaluation(function, arguments)
    if function in SEARCHES:
        return "search", read_search(function, arguments)
    if function == "estimate":
        return "estimation", read_estimation(arguments)
    if function in DATASETS:
        return "dataset", function, tuple(arguments.values())
    if function == "tp_phases":
        return "outcome", read_request("ldiverse", {**arguments, "algo": "tp"})
    return "release", read_request(function, arguments)


@lru_cache(maxsize=1024)
def _written(kind: str, *request: Hashable) -> str:
    from .writer import write_statement

    return write_statement(_builder(kind)(*request))


def _builder(kind: str) -> Callable[..., exp.Query]:
    """What builds statements of a kind. Imported when needed: they bring sqlglot, and none needs the others."""
    if kind == "verification":
        from .verify import verification_of_each

        return verification_of_each
    if kind == "measure":
        from .verify import selected_measures

        return selected_measures
    if kind == "evaluation":
        from .evaluate import evaluation_statement

        return evaluation_statement
    if kind == "search":
        from .searches import search_statement

        return search_statement
    if kind == "estimation":
        from .estimate.statement import estimation_statement

        return estimation_statement
    if kind == "dataset":
        from .datasets import dataset_statement

        return dataset_statement
    from .release import outcome_statement, release_statement

    return outcome_statement if kind == "outcome" else release_statement
