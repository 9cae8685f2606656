"""Which part of each published value lies in a set of values: once per distinct cell, whatever the number of rows.

shares_*    per cell and set: f (the fraction of the cell), p (whether it is possible), and of an aggregated column
            also m (the mean of value x fraction), lowest and highest
values_*    of a column of GROUP BY: each cell spread over its values
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlanon.statement.template import column as our_column
from sqlanon.statement.template import expression, query

from .columns import QueryColumn
from .overlap import Overlap
from .parts import axis_of
from .reader import Reader, infinity
from .refusals import MOST_STEPS, MOST_VALUES, no_steps
from .regions import has_whole

Sets = Sequence[frozenset[int]]


def shares(column: QueryColumn, reader: Reader, sets: Sets, weighed: set[int], measured: bool) -> exp.Select:
    """One row per cell; the fraction of those sets that are weighed. A star may be anything, shown elsewhere or not."""
    overlap = Overlap(column.regions, reader)
    select = exp.select("cell").from_(f"parts_{column.alias}").group_by("cell")
    for i, chosen in enumerate(sets):
        anything = "star = 1" if has_whole(column.regions, chosen) else "star = 1 AND stepped = 0"
        if chosen - {column.regions.null}:
            anything += " OR hides = 1"
        may = expression(
            f"max(CASE WHEN {anything} OR :possible THEN 1 ELSE 0 END) = 1", possible=overlap.possible(chosen)
        )
        select = select.select(exp.alias_(may, f"p_{i}"), copy=False)
        if i not in weighed:
            continue
        share = expression("sum(weight * :fraction)", fraction=overlap.fraction(chosen))
        select = select.select(exp.alias_(share, f"f_{i}"), copy=False)
        if measured:
            lowest, highest = overlap.reach(chosen)
            low, high = open_reach(overlap, chosen)
            # nothing of an infinite value is nothing
            mean = expression("sum(CASE WHEN weight = 0 THEN 0 ELSE weight * :mean END)", mean=overlap.mean(chosen))
            lowest, highest = (
                expression(
                    f"{extreme}(CASE WHEN star = 1 THEN :open WHEN :possible THEN :reach END)",
                    open=end, possible=overlap.possible(chosen), reach=reach,
                )
                for extreme, end, reach in (("min", low, lowest), ("max", high, highest))
            )  # fmt: skip
            named = {"m": mean, "lowest": lowest, "highest": highest}
            select = select.select(*(exp.alias_(each, f"{name}_{i}") for name, each in named.items()), copy=False)
    return select


def open_reach(overlap: Overlap, chosen: frozenset[int]) -> tuple[exp.Expr, exp.Expr]:
    """How far the values of a set reach if a cell tells nothing."""
    runs = overlap.regions.runs(chosen)
    low = runs[0][0].position if runs else None
    high = runs[-1][1].position if runs else None
    return (
        infinity(below=True) if low is None else overlap.position(low),
        infinity(below=False) if high is None else overlap.position(high),
    )


def values(column: QueryColumn, reader: Reader, sets: Sets) -> exp.Select:
    """The values of each cell, with their part of it. A cell with one value is certain to have it."""
    overlap = Overlap(column.regions, reader)
    in_sets = [exp.alias_(overlap.possible(chosen), f"in_{i}") for i, chosen in enumerate(sets)]
    spread = query(
        """
        SELECT cell, label, low, low AS high, low + stepped AS upto, stepped, axis, scale, weight,
            CASE
                WHEN star = 0 AND weight > 0
                    AND sum(CASE WHEN weight > 0 THEN 1 ELSE 0 END) OVER (PARTITION BY cell) = 1 THEN 1
                ELSE 0
            END AS single
        FROM (
            SELECT
                cell, label, low, sum(weight) AS weight,
                max(star) AS star, max(stepped) AS stepped, max(axis) AS axis, max(scale) AS scale
            FROM :each
            GROUP BY cell, label, low
        ) AS together
        """,
        each=each_value(column, reader).subquery("each_value"),
    )
    value = exp.alias_(reader.value(our_column("label")), "value")
    return exp.select("cell", value, "low AS position", "weight", "single", *in_sets).from_(spread.subquery("spread"))


def each_value(column: QueryColumn, reader: Reader) -> exp.Query:
    """One row per cell and value: points as they are, ranges step by step. A label may be what other cells show."""
    parts, size = f"parts_{column.alias}", f"size_{column.alias}"
    points: exp.Query = query(
        """
        SELECT cell, star, label, low, stepped, axis, scale, weight
        FROM :parts
        WHERE shown = 1 AND (NOT label IS NULL OR low IS NULL)
        """,
        parts=parts,
    )
    if column.may_have_labels:
        others = query(
            """
            SELECT hidden.cell, 0, shown.label, shown.low, hidden.stepped, hidden.axis, hidden.scale, 0e0
            FROM (SELECT DISTINCT cell, label, stepped, axis, scale FROM :parts WHERE hides = 1) AS hidden
            JOIN (SELECT DISTINCT label, low FROM :parts WHERE NOT label IS NULL) AS shown
                ON shown.label <> hidden.label
            """,
            parts=parts,
        )
        points = exp.union(points, others, distinct=False, copy=False)
    known = axis_of(column)
    if known == "text":
        return points
    endless = expression(
        f"""
        label IS NULL AND NOT low IS NULL AND (
            stepped = 0 OR (SELECT highest - lowest FROM :size) >= {MOST_STEPS}
            OR (SELECT sum(high - low + 1) FROM :parts WHERE label IS NULL) > {MOST_VALUES}
        )
        """,
        size=size,
        parts=parts,
    )
    ranges = query(
        """
        SELECT cell, star, low, high, stepped, axis, scale, weight / (high - low + 1) AS weight
        FROM :parts
        WHERE label IS NULL AND NOT low IS NULL AND :short
        """,
        parts=parts,
        short=reader.guard([(endless, no_steps(column))]),
    )
    written = {"number": reader.step_text(False), "time": reader.step_text(True)}.get(
        known or "",
        expression(
            "CASE WHEN axis = 'time' THEN :day ELSE :number END",
            day=reader.step_text(True),
            number=reader.step_text(False),
        ),
    )
    stepwise = query(
        "SELECT cell, star, :written AS label, CAST(step AS DOUBLE) AS low, stepped, axis, scale, weight FROM :steps",
        written=written,
        steps=reader.step_values(ranges, size).subquery("steps"),
    )
    return exp.union(points, stepwise, distinct=False, copy=False)
