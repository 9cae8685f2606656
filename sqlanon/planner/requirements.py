"""stronger_requirements: the weakest simple and recursive requirements that imply (tau,l)-diversity."""

from __future__ import annotations

from sqlglot import exp

from sqlanon.request.requirements import Requirement

from .template import query


def requirements_statement(request: Requirement) -> exp.Select:
    """One row for simple l-diversity, then one per l of recursive (c,l)-diversity, which start where c reaches 1.

    Tian and Zhang 2011, Corollaries 21 and 24.
    """
    first = request.m + 1 - (request.m - 1) // (request.l - 1)
    return query(
        """
        SELECT c, l
        FROM (
            SELECT CAST(NULL AS DOUBLE) AS c, CAST(:l AS BIGINT) AS l
            UNION ALL
            SELECT CAST(:m - 1 AS DOUBLE) / ((:l - 1) * (:m - larger + 1)), larger
            FROM (SELECT unnest(range(:first, :m + 1)) AS larger) AS every
        ) AS requirements
        ORDER BY c IS NULL DESC, l ASC
        """,
        l=exp.Literal.number(request.l),
        m=exp.Literal.number(request.m),
        first=exp.Literal.number(first),
    )
