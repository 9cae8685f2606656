"""The same estimate on other engines: one plain statement, which needs neither sqlanon nor DuckDB.

>>> statement = rewrite("SELECT count(*) FROM patients WHERE age > 30", release="patients_release", dialect="postgres")
>>> statement.startswith("WITH digits AS (")
True
"""

from __future__ import annotations

from .errors import InvalidParameter
from .request.estimation import read_estimation
from .verification import DIALECTS


def rewrite(query: str, *, release: str, dialect: str = "duckdb") -> str:
    """Return one statement that answers a query on the source from its release, a table in text format.

    The query is written in the same dialect. The result has the columns of GROUP BY (as text), estimate, lower and
    upper, as the SQL function estimate has. Labels of taxonomies are values of their own, and lists hold at most 1,000
    values; text can be compared with =, <>, IN and IS NULL only, for engines disagree about its order.
    """
    if dialect not in DIALECTS:
        raise InvalidParameter.unknown("dialect", dialect, DIALECTS)
    request = read_estimation("estimate", {"rel": release, "query": query})

    # here, because it brings sqlglot: importing sqlanon stays light
    from .planner.estimate.statement import rewritten_statement

    return rewritten_statement(request, dialect).sql(dialect=dialect, pretty=True)
