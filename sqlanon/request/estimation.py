"""The arguments of estimate, which has a release and a query, and no source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.arguments import fold, taxonomies, text
from sqlanon.errors import InvalidParameter
from sqlanon.functions import complete_arguments


@dataclass(frozen=True)
class Estimation:
    """The checked arguments of estimate. `taxonomy` pairs folded column names with tables.

    `params` are the parameters of a randomized release; any other has none.
    """

    rel: str
    query: str
    taxonomy: tuple[tuple[str, str], ...]
    params: str | None = None


def read_estimation(function: str, arguments: Mapping[str, object]) -> Estimation:
    """Check the arguments of estimate. A taxonomy of a column that the query does not name is not read."""
    arguments = complete_arguments(function, arguments)
    taxonomy = arguments["taxonomy"]
    named = tuple({fold(str(name)): str(name) for name in taxonomy}.values()) if isinstance(taxonomy, Mapping) else ()
    params = None if arguments["params"] is None else text("params", arguments["params"])
    if params is not None and taxonomy is not None:
        raise InvalidParameter("params and taxonomy exclude each other.", "A randomized release has no labels.")
    return Estimation(
        rel=text("rel", arguments["rel"]),
        query=text("query", arguments["query"]),
        taxonomy=tuple((fold(column), table) for column, table in taxonomies(taxonomy, named)),
        params=params,
    )
