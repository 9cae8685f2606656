"""From a checked request to the one statement that answers it. Pure: it never sees the data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from sqlanon.errors import BrokenPromise, SqlanonError
from sqlanon.request import (
    EVALUATES,
    SEARCHES,
    VERIFIES,
    Estimation,
    Evaluation,
    Release,
    Search,
    Verification,
    read_estimation,
    read_evaluation,
    read_request,
    read_search,
    read_verification,
)


def plan(function: str, arguments: Mapping[str, object]) -> str:
    """What DuckDB calls at bind time, possibly more than once for one statement."""
    try:
        if function in VERIFIES:
            return _verification(read_verification(function, arguments), isinstance(arguments.get("sa"), list))
        if function in EVALUATES:
            return _evaluation(read_evaluation(function, arguments))
        if function in SEARCHES:
            return _search(read_search(function, arguments))
        if function == "estimate":
            return _estimation(read_estimation(arguments))
        if function == "tp_phases":
            return _outcome(read_request("ldiverse", {**arguments, "algo": "tp"}))
        return _statement(read_request(function, arguments))
    except SqlanonError:
        raise
    except Exception as error:
        raise BrokenPromise(f"{type(error).__name__} while planning {function}") from error


@lru_cache(maxsize=256)
def _statement(request: Release) -> str:
    # here, because they bring sqlglot: importing sqlanon stays light
    from .release import release_statement
    from .template import write_statement

    return write_statement(release_statement(request))


@lru_cache(maxsize=256)
def _outcome(request: Release) -> str:
    from .release import outcome_statement
    from .template import write_statement

    return write_statement(outcome_statement(request))


@lru_cache(maxsize=256)
def _verification(requests: tuple[Verification, ...], named: bool) -> str:
    from .template import write_statement
    from .verify import verification_of_each

    return write_statement(verification_of_each(requests, named))


@lru_cache(maxsize=256)
def _evaluation(request: Evaluation) -> str:
    from .evaluate import evaluation_statement
    from .template import write_statement

    return write_statement(evaluation_statement(request))


@lru_cache(maxsize=256)
def _search(search: Search) -> str:
    from .searches import search_statement
    from .template import write_statement

    return write_statement(search_statement(search))


@lru_cache(maxsize=256)
def _estimation(request: Estimation) -> str:
    from .estimate.statement import estimation_statement
    from .template import write_statement

    return write_statement(estimation_statement(request))
