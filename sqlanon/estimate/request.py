"""The arguments of estimate, which has a release and a query, and no source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.arguments import fold, taxonomies
from sqlanon.errors import InvalidParameter
from sqlanon.functions import read_arguments


@dataclass(frozen=True)
class Estimation:
    """The checked arguments of estimate. `taxonomy` pairs folded column names with tables.

    `params` are the parameters of a randomized release; any other has none. `label_free` are folded names of columns
    whose taxonomy is NULL: they show values of the source and no labels. `suppressed` rows were left out of rel.
    """

    rel: str
    query: str
    taxonomy: tuple[tuple[str, str], ...]
    params: str | None = None
    label_free: frozenset[str] = frozenset()
    suppressed: int = 0


def read_estimation(function: str, arguments: Mapping[str, object]) -> Estimation:
    """Check the arguments of estimate. A taxonomy of a column that the query does not name is not read."""
    checked = read_arguments(function, arguments)
    taxonomy = checked["taxonomy"]
    named = tuple({fold(str(name)): str(name) for name in taxonomy}.values()) if isinstance(taxonomy, Mapping) else ()
    missing = [name for name, table in taxonomy.items() if table is None] if isinstance(taxonomy, Mapping) else []
    params = checked["params"]
    if params is not None and taxonomy is not None:
        raise InvalidParameter("params and taxonomy exclude each other.", "A randomized release has no labels.")
    return Estimation(
        rel=checked["rel"],
        query=checked["query"],
        taxonomy=tuple((fold(column), table) for column, table in taxonomies(taxonomy, named)),
        params=params,
        label_free=frozenset(fold(str(name)) for name in missing),
        suppressed=checked["suppressed"],
    )
