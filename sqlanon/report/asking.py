"""The SQL functions, called: every number of a report is one of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb

from ..certificate.certifying import run_all
from ..functions import complete_arguments

Record = dict[str, Any]
ANSWER = "_sqlanon_answer"
"""The name by which a query reads what a function answers. Names that begin so are ours."""


def ask(
    con: duckdb.DuckDBPyConnection, function: str, arguments: Mapping[str, object], query: str = f"FROM {ANSWER}"
) -> list[Record]:
    """The answer of a SQL function, or of a query over it."""
    from ..statement.planning import statement  # here, because it brings sqlglot when it builds

    named = {name: value for name, value in arguments.items() if value is not None}
    built = statement(function, complete_arguments(function, named))
    return run_all(con, f"WITH {ANSWER} AS ({built}) {query}")
