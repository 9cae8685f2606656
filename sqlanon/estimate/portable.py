"""The same estimate on other engines: one plain statement, which needs neither sqlanon nor DuckDB.

>>> statement = rewrite("SELECT count(*) FROM patients WHERE age > 30", release="patients_release", dialect="postgres")
>>> statement.startswith("WITH digits AS (")
True
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlanon.errors import InvalidParameter

from .request import read_estimation


def rewrite(
    query: str,
    *,
    release: str,
    dialect: str = "duckdb",
    suppressed: int = 0,
    taxonomy: Mapping[str, None] | None = None,
) -> str:
    """Return one statement that answers a query on the source from its release, a table in text format.

    The query is written in the same dialect. The result has the columns of GROUP BY (as text), estimate, lower and
    upper, as the SQL function estimate has. Lists hold at most 1,000 values; text can be compared with =, <>, IN and
    IS NULL only, for engines disagree about its order. Labels cannot be read: `taxonomy` may say which columns show
    values of the source as they stand, {"city": None}. lower and upper allow for `suppressed` rows left out.
    """
    arguments = {"rel": release, "query": query, "suppressed": suppressed, "taxonomy": taxonomy}
    request = read_estimation("estimate", arguments)
    if request.taxonomy:
        raise InvalidParameter("taxonomy: rewrite reads no taxonomies.", "Use estimate in DuckDB, or give None.")

    # here, because they bring sqlglot: importing sqlanon stays light
    from sqlanon.statement.engine import other_engine

    from .statement import rewritten_statement

    engine = other_engine(dialect)
    return engine.write(rewritten_statement(request, engine))
