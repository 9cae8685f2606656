"""The arguments of estimate, which has a release and a query, and no source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.arguments import fold, taxonomies, text
from sqlanon.functions import complete_arguments


@dataclass(frozen=True)
class Estimation:
    """The checked arguments of estimate. `taxonomy` pairs folded column names with tables."""

    rel: str
    query: str
    taxonomy: tuple[tuple[str, str], ...]


def read_estimation(function: str, arguments: Mapping[str, object]) -> Estimation:
    """Check the arguments of estimate. A taxonomy of a column that the query does not name is not read."""
    arguments = complete_arguments(function, arguments)
    taxonomy = arguments["taxonomy"]
    named = tuple({fold(str(name)): str(name) for name in taxonomy}.values()) if isinstance(taxonomy, Mapping) else ()
    return Estimation(
        rel=text("rel", arguments["rel"]),
        query=text("query", arguments["query"]),
        taxonomy=tuple((fold(column), table) for column, table in taxonomies(taxonomy, named)),
    )
