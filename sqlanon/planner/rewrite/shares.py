"""Which part of each published value lies in a set of values: once per distinct cell, whatever the number of rows.

shares_*    per cell and set: f (the fraction of the cell), p (whether it is possible), and of an aggregated column
            also m (the mean of value x fraction), least and most
values_*    of a column of GROUP BY: each cell spread over its values
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.planner.estimate.columns import QueryColumn
from sqlanon.planner.estimate.regions import has_whole
from sqlanon.planner.template import expression, query
from sqlanon.refusals import MOST_STEPS, MOST_VALUES, no_steps

from .cells import fail, step_text, step_values
from .overlap import fraction, infinity, mean, number, possible, reach
from .parts import axis_of

Sets = list[frozenset[int]]


def shares(used: QueryColumn, sets: Sets, weighed: set[int], measured: bool) -> exp.Select:
    """One row per cell; the fraction of those sets that are weighed. A star may be anything, shown elsewhere or not."""
    found = exp.select("cell").from_(f"parts_{used.alias}").group_by("cell")
    for i, chosen in enumerate(sets):
        anything = "star = 1" if has_whole(used.regions, chosen) else "star = 1 AND stepped = 0"
        may = expression(
            f"max(CASE WHEN {anything} OR :possible THEN 1 ELSE 0 END) = 1", possible=possible(used.regions, chosen)
        )
        found = found.select(exp.alias_(may, f"p_{i}"), copy=False)
        if i not in weighed:
            continue
        share = expression("sum(weight * :fraction)", fraction=fraction(used.regions, chosen))
        found = found.select(exp.alias_(share, f"f_{i}"), copy=False)
        if measured:
            least, most = reach(used.regions, chosen)
            low, high = open_reach(used, chosen)
            found = found.select(
                expression("sum(weight * :mean) AS mean", mean=mean(used.regions, chosen)).this.as_(f"m_{i}"),
                expression(
                    "min(CASE WHEN star = 1 THEN :open WHEN :possible THEN :least END) AS least",
                    open=low, least=least, possible=possible(used.regions, chosen),
                ).this.as_(f"least_{i}"),
                expression(
                    "max(CASE WHEN star = 1 THEN :open WHEN :possible THEN :most END) AS most",
                    open=high, most=most, possible=possible(used.regions, chosen),
                ).this.as_(f"most_{i}"),
                copy=False,
            )  # fmt: skip
    return found


def open_reach(used: QueryColumn, chosen: frozenset[int]) -> tuple[exp.Expr, exp.Expr]:
    """How far the values of a set reach if a cell tells nothing."""
    runs = used.regions.runs(chosen)
    low = runs[0][0].place if runs else None
    high = runs[-1][1].place if runs else None
    return (
        infinity(below=True) if low is None else number(low),
        infinity(below=False) if high is None else number(high),
    )


def values(used: QueryColumn, sets: Sets) -> exp.Select:
    """The values of each cell, with their part of it. A cell with one value is certain to have it."""
    in_sets = [exp.alias_(possible(used.regions, chosen), f"in_{i}") for i, chosen in enumerate(sets)]
    spread = query(
        """
        SELECT cell, label, low, low AS high, low + stepped AS upto, stepped, axis, weight,
            CASE WHEN star = 0 AND count(*) OVER (PARTITION BY cell) = 1 THEN 1 ELSE 0 END AS single
        FROM (
            SELECT
                cell, label, low, sum(weight) AS weight,
                max(star) AS star, max(stepped) AS stepped, max(axis) AS axis
            FROM :each
            GROUP BY cell, label, low
        ) AS together
        """,
        each=each_value(used).subquery("each_value"),
    )
    return exp.select("cell", "label AS value", "low AS place", "weight", "single", *in_sets).from_(
        spread.subquery("spread")
    )


def each_value(used: QueryColumn) -> exp.Select:
    """One row per cell and value: points as they are, ranges step by step."""
    points = query(
        """
        SELECT cell, star, label, low, stepped, axis, weight
        FROM :parts
        WHERE shown = 1 AND (NOT label IS NULL OR low IS NULL)
        """,
        parts=f"parts_{used.alias}",
    )
    known = axis_of(used)
    if known == "text":
        return points
    ranges = query(
        """
        SELECT cell, star, low, high, stepped, axis, weight / (high - low + 1) AS weight
        FROM :parts
        WHERE label IS NULL AND NOT low IS NULL AND CASE
            WHEN stepped = 0 OR (SELECT max(high) - min(low) FROM :parts) >= :most THEN :fail IS NULL
            WHEN (SELECT sum(high - low + 1) FROM :parts WHERE label IS NULL) > :many THEN :fail IS NULL
            ELSE TRUE
        END
        """,
        parts=f"parts_{used.alias}",
        most=exp.Literal.number(MOST_STEPS),
        many=exp.Literal.number(MOST_VALUES),
        fail=fail(no_steps(used)),
    )
    written = {"number": step_text(False), "time": step_text(True)}.get(
        known or "",
        expression(
            "CASE WHEN axis = 'time' THEN :day ELSE :number END",
            day=step_text(True),
            number=step_text(False),
        ),
    )
    stepwise = query(
        "SELECT cell, star, :written AS label, CAST(step AS DOUBLE) AS low, stepped, axis, weight FROM :steps",
        written=written,
        steps=step_values(ranges, f"parts_{used.alias}").subquery("steps"),
    )
    return exp.union(points, stepwise, distinct=False, copy=False)  # type: ignore[return-value]
