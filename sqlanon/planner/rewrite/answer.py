"""The last step of estimate: from laid (see estimate) to the columns of GROUP BY, estimate, lower and upper."""

from __future__ import annotations

from sqlglot import exp

from sqlanon.planner.template import column, identifier, query
from sqlanon.queries.query import Query


def answer(asked: Query) -> exp.Select:
    """The columns of GROUP BY, estimate, lower, upper. A group that is not possible is not there."""
    keys = [f"{part}_{i}" for i in range(len(asked.groups)) for part in ("value", "place")]
    named = [exp.alias_(column(f"value_{i}"), identifier(group.title)) for i, group in enumerate(asked.groups)]
    if asked.aggregate == "count":
        found = query(
            """
            SELECT
                CASE WHEN count(p) = count(*) THEN CAST(coalesce(sum(p), 0) AS DOUBLE) END AS estimate,
                CAST(coalesce(sum(CASE WHEN sure THEN n ELSE 0 END), 0) AS BIGINT) AS lower,
                CAST(coalesce(sum(n), 0) AS BIGINT) AS upper
            FROM laid
            """
        )
    elif asked.aggregate == "sum":
        found = query(
            """
            SELECT
                CASE WHEN count(m) = count(*) THEN CAST(sum(m) AS DOUBLE) END AS estimate,
                nullif(CAST(sum(CASE WHEN sure THEN low ELSE low_none END) AS DOUBLE), CAST('-inf' AS DOUBLE)) AS lower,
                nullif(CAST(sum(CASE WHEN sure THEN high ELSE high_none END) AS DOUBLE), CAST('inf' AS DOUBLE)) AS upper
            FROM laid
            """
        )
    else:
        found = average(keys)
    found.set("expressions", [*named, *found.expressions])
    if keys:
        order = [exp.Ordered(this=column(f"{part}_{i}"), nulls_first=False, desc=False)
                 for i in range(len(asked.groups)) for part in ("place", "value")]  # fmt: skip
        found = found.group_by(*keys).order_by(*order, copy=False)
    return found


def average(keys: list[str]) -> exp.Select:
    """The ratio of two estimates, and the least and the greatest mean that rows can have.

    The least mean takes the certain rows at their lowest, and of the others those that pull it down, the lowest first.
    """
    by = ", ".join(keys)
    part = f"PARTITION BY {by}" if keys else ""
    return query(
        f"""
        SELECT
            CASE WHEN count(p) = count(*) AND count(m) = count(*)
                THEN CAST(sum(m) / nullif(CAST(sum(p) AS DOUBLE), 0) AS DOUBLE) END AS estimate,
            nullif(min((sure_low + more_low) / nullif(sure_n + low_n, 0)), CAST('-inf' AS DOUBLE)) AS lower,
            nullif(max((sure_high + more_high) / nullif(sure_n + high_n, 0)), CAST('inf' AS DOUBLE)) AS upper
        FROM (
            SELECT
                *,
                sum(CASE WHEN sure THEN n ELSE 0 END) OVER ({part}) AS sure_n,
                sum(CASE WHEN sure THEN n * low ELSE 0 END) OVER ({part}) AS sure_low,
                sum(CASE WHEN sure THEN n * high ELSE 0 END) OVER ({part}) AS sure_high,
                sum(CASE WHEN sure THEN 0 ELSE n END) OVER ({part} ORDER BY low ASC) AS low_n,
                sum(CASE WHEN sure THEN 0 ELSE n * low END) OVER ({part} ORDER BY low ASC) AS more_low,
                sum(CASE WHEN sure THEN 0 ELSE n END) OVER ({part} ORDER BY high DESC) AS high_n,
                sum(CASE WHEN sure THEN 0 ELSE n * high END) OVER ({part} ORDER BY high DESC) AS more_high
            FROM laid
        ) AS running
        """
    )
