"""From a checked request to the one statement that answers it. Pure: it never sees the data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from sqlanon.arguments import type_name
from sqlanon.errors import Guard, InvalidParameter
from sqlanon.request import (
    EVALUATES,
    SEARCHES,
    VERIFIES,
    read_estimation,
    read_evaluation,
    read_request,
    read_search,
    read_verification,
)

if TYPE_CHECKING:
    from sqlglot import exp


def plan(function: str, arguments: Mapping[str, object]) -> str:
    """What DuckDB calls at bind time, possibly more than once for one statement."""
    with Guard(f"planning {function}"):
        if not isinstance(arguments, Mapping):
            raise InvalidParameter(
                f"arguments must be a struct, not {type_name(arguments)}.", "Write {'tbl': 'patients', 'qi': ['age']}."
            )
        return _written(*_asked(function, arguments))


def _asked(function: str, arguments: Mapping[str, object]) -> tuple[str, *tuple[Hashable, ...]]:
    """The kind of statement, and what it is made from."""
    if function in VERIFIES:
        return "verification", read_verification(function, arguments), isinstance(arguments.get("sa"), list)
    if function in EVALUATES:
        return "evaluation", read_evaluation(function, arguments)
    if function in SEARCHES:
        return "search", read_search(function, arguments)
    if function == "estimate":
        return "estimation", read_estimation(arguments)
    if function == "tp_phases":
        return "outcome", read_request("ldiverse", {**arguments, "algo": "tp"})
    return "release", read_request(function, arguments)


@lru_cache(maxsize=1024)
def _written(kind: str, *request: Hashable) -> str:
    from .template import write_statement

    return write_statement(_builder(kind)(*request))


def _builder(kind: str) -> Callable[..., exp.Query]:
    """What builds statements of a kind. Imported when needed: they bring sqlglot, and none needs the others."""
    if kind == "verification":
        from .verify import verification_of_each

        return verification_of_each
    if kind == "evaluation":
        from .evaluate import evaluation_statement

        return evaluation_statement
    if kind == "search":
        from .searches import search_statement

        return search_statement
    if kind == "estimation":
        from .estimate.statement import estimation_statement

        return estimation_statement
    from .release import outcome_statement, release_statement

    return outcome_statement if kind == "outcome" else release_statement
