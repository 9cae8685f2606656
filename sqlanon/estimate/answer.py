"""The last steps of estimate: from `contributions` (see statement) to the columns of GROUP BY, estimate, lower, upper.

answers     one row per group, value_* and position_* of each column of GROUP BY; what is not finite is not known
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlanon.queries.query import Query
from sqlanon.statement.template import column as our_column
from sqlanon.statement.template import expression, identifier, query

from .reader import ABOVE_ALL, BELOW_ALL, Reader
from .refusals import MOST_GROUPS, too_many_groups


def answer(query: Query, reader: Reader) -> exp.Select:
    """The columns of GROUP BY in their order, estimate, lower, upper."""
    named = [exp.alias_(our_column(f"value_{i}"), identifier(group.title)) for i, group in enumerate(query.groups)]
    bounds = [
        exp.alias_(our_column(name) if query.aggregate == "count" and name != "estimate" else finite(name), name)
        for name in ("estimate", "lower", "upper")
    ]
    select = exp.select(*named, *bounds).from_("answers")
    if not named:
        return select
    many = expression(f"(SELECT count(*) FROM answers) > {MOST_GROUPS}")
    order = [
        exp.Ordered(this=our_column(f"{part}_{i}", "answers"), nulls_first=False, desc=False)
        for i in range(len(named))
        for part in ("position", "value")
    ]
    return select.where(reader.guard([(many, too_many_groups())], "value_0"), copy=False).order_by(*order, copy=False)


def finite(name: str) -> exp.Expr:
    return expression(f"CASE WHEN {BELOW_ALL} < {name} AND {name} < {ABOVE_ALL} THEN {name} END")


def answers(aggregate: str, keys: Sequence[str]) -> exp.Select:
    """One row per group that is possible; without GROUP BY there is one, possible or not."""
    if aggregate == "count":
        select = query(
            """
            SELECT
                CASE WHEN count(p) = count(*) THEN CAST(coalesce(sum(p), 0) AS DOUBLE) END AS estimate,
                CAST(coalesce(sum(CASE WHEN sure THEN n ELSE 0 END), 0) AS BIGINT) AS lower,
                CAST(coalesce(sum(n), 0) AS BIGINT) AS upper
            FROM contributions
            """
        )
    elif aggregate == "sum":
        select = query(
            """
            SELECT
                CASE WHEN count(m) = count(*) THEN CAST(sum(m) AS DOUBLE) END AS estimate,
                CAST(sum(CASE WHEN sure THEN low ELSE low_or_none END) AS DOUBLE) AS lower,
                CAST(sum(CASE WHEN sure THEN high ELSE high_or_none END) AS DOUBLE) AS upper
            FROM contributions
            """
        )
    else:
        select = average(keys)
    select.set("expressions", [*map(our_column, keys), *select.expressions])
    return select.group_by(*keys) if keys else select


def average(keys: Sequence[str]) -> exp.Select:
    """The ratio of two estimates, and the lowest and the highest mean that rows can have.

    The lowest mean takes the certain rows at their lowest, and of the others those that pull it down, the lowest first.
    """
    part = f"PARTITION BY {', '.join(keys)}" if keys else ""
    return query(
        f"""
        SELECT
            CASE WHEN count(p) = count(*) AND count(m) = count(*)
                THEN CAST(sum(m) / nullif(CAST(sum(p) AS DOUBLE), 0) AS DOUBLE) END AS estimate,
            CASE WHEN {BELOW_ALL} < min(low) AND max(low) < {ABOVE_ALL}
                THEN min((sure_low + more_low) / nullif(sure_n + low_n, 0)) END AS lower,
            CASE WHEN {BELOW_ALL} < min(high) AND max(high) < {ABOVE_ALL}
                THEN max((sure_high + more_high) / nullif(sure_n + high_n, 0)) END AS upper
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
            FROM contributions
        ) AS running
        """
    )
