"""The same verification on other engines: one plain statement, from the same definitions as the SQL functions.

>>> statement = verification_sql("eligibility", dialect="postgres", table="patients", sa="disease")
>>> statement.startswith("WITH records AS (")
True
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.errors import InvalidParameter
from sqlanon.functions import FUNCTIONS

from .request import read_verification

PORTABLE = tuple(row.name for row in FUNCTIONS if row.reader == "verify.request:read_verification")
"""The functions whose statements other engines can run."""


def verification_sql(
    function: str,
    *,
    dialect: str,
    table: str,
    qi: Sequence[str] | None = None,
    sa: str | None = None,
    ordered: bool = False,
    **others: object,
) -> str:
    """Return one statement that any engine can run on a table of its own.

    `ordered` says that the sensitive attribute is a number or a date, so that t_ordered is wanted: the statement is
    written without a look at the table. The other arguments are those of the SQL function: l, threshold, entity, nulls.
    Where the SQL function answers with lists (violations), the statement answers with text, `k, l`.
    """
    if function not in PORTABLE:
        raise InvalidParameter.unknown("function", function, PORTABLE)
    arguments: dict[str, object] = {"tbl": table, **others}
    if qi is not None:
        arguments["qi"] = list(qi)
    if sa is not None:
        arguments["sa"] = sa
    (request,) = read_verification(function, arguments).each
    for argument in ("taxonomy", "weights"):
        if getattr(request, argument) is not None:
            raise InvalidParameter(f"{argument} is for DuckDB with sqlanon loaded.", "Leave it out.")

    # here, because they bring sqlglot: importing sqlanon stays light
    from sqlanon.statement.engine import other_engine

    from .statement import portable_statement

    engine = other_engine(dialect)
    return engine.write(portable_statement(request, ordered, engine))
