"""Published values on their axes: each cell as weighted values and ranges.

told_*, stars_*   the cells taken apart: see cells
axis_*            one row: where the query's constants do not say it, whether the values are numbers, times or text
spots_*           told_*, each value or range placed on its axis
size_*            one row: whether values go in whole steps, how far they reach, whether NULL is shown (gap)
parts_*           every cell, stars too, as weighted values and ranges; the weights of a cell add up to 1
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.planner.estimate.columns import QueryColumn
from sqlanon.planner.template import column, expression, query, text
from sqlanon.refusals import endless, no_moments, no_steps, no_text, too_large

from .cells import days, fail, is_moment, is_number, is_time, number, told

MEASURED = ("number", "time")
DAYS = "CASE WHEN length(low_text) = 10 AND length(high_text) = 10 THEN 1 ELSE 0 END"
NUMBERS = """
    CASE
        WHEN low_text LIKE '%.%' OR low_text LIKE '%e%' OR low_text LIKE '%E%' OR low_text LIKE '%n%' THEN 0
        WHEN high_text LIKE '%.%' OR high_text LIKE '%e%' OR high_text LIKE '%E%' OR high_text LIKE '%n%' THEN 0
        ELSE 1
    END
"""
WHOLE = {"number": NUMBERS, "time": DAYS, "text": "1", None: f"CASE WHEN axis = 'time' THEN {DAYS} ELSE {NUMBERS} END"}
"""Whether both ends are whole: 1.0, 1e20, nan and inf are not, nor is a moment of a day."""


def parts_steps(used: QueryColumn, every_row: str, dialect: str) -> dict[str, exp.Select]:
    """The steps from every row of the release to the parts of one column's cells."""
    own = used.alias
    steps = {f"published_{own}": exp.select(f"{own} AS cell").distinct().from_(every_row), **told(used, dialect)}
    if axis_of(used) is None:
        steps[f"axis_{own}"] = axis(used)
    steps[f"spots_{own}"] = spots(used)
    steps[f"size_{own}"] = size(used)
    steps[f"parts_{own}"] = parts(used)
    return steps


def axis_of(used: QueryColumn) -> str | None:
    """number, time or text, where it can be told without a look at the release."""
    return None if used.regions.axis in ("open", "iso") else used.regions.axis


def axis(used: QueryColumn) -> exp.Select:
    """One row. Ranges of numbers or dates are no labels; text that looks like a date is one if everything does."""
    needed = "ranged" if used.regions.axis == "open" else "TRUE"
    kinds = {"number": is_number, "time": is_time}
    if used.regions.axis == "iso":
        del kinds["number"]
    cases = exp.Case()
    for kind, is_kind in kinds.items():
        cases = cases.when(
            expression(
                f"""
                max(CASE WHEN {needed} THEN 1 ELSE 0 END) = 1
                AND min(CASE WHEN :low AND :high THEN 1 ELSE 0 END) = 1
                """,
                low=is_kind(column("low_text")),
                high=is_kind(column("high_text")),
            ),
            text(kind),
        )
    chosen = exp.alias_(cases.else_(text("text")), "axis")
    return exp.select(chosen).from_(f"told_{used.alias}").where("NOT label IS NULL")


def spots(used: QueryColumn) -> exp.Select:
    """Values and ranges on their axis. A range has no label."""
    known = axis_of(used)
    told = exp.to_table(f"told_{used.alias}")
    point = "CASE WHEN low_text = high_text THEN low_text END"
    label = {
        "text": "label",
        None: f"CASE WHEN axis = 'text' AND NOT (ranged AND low_text = high_text) THEN label ELSE {point} END",
    }.get(known, point)
    placed_cells = query(
        f"""
        SELECT
            cell, CAST(1 AS DOUBLE) / pieces AS weight,
            :low AS low, :high AS high, {label} AS label, {WHOLE[known]} AS whole
        FROM :told
        """,
        told=told,
        low=placed(used, column("low_text")),
        high=placed(used, column("high_text")),
    )
    if known is None:
        placed_cells = placed_cells.select("axis").join(f"axis_{used.alias}", join_type="cross", copy=False)
    if known == "time":
        moment = expression(":low OR :high", low=is_moment(column("low_text")), high=is_moment(column("high_text")))
        return placed_cells.where(
            expression("CASE WHEN :moment THEN :fail IS NULL ELSE TRUE END", moment=moment, fail=fail(no_moments(used)))
        )
    if known in MEASURED or (used.regions.axis == "open" and not used.grouped):
        return placed_cells
    wrong, error = "ranged AND NOT cell IS NULL", no_text(used)
    if known is None:
        wrong += " AND axis = 'text'"
    if used.regions.axis == "open":
        wrong, error = f"{wrong} AND low_text <> high_text", no_steps(used)
    return placed_cells.where(expression(f"CASE WHEN {wrong} THEN :fail IS NULL ELSE TRUE END", fail=fail(error)))


def placed(used: QueryColumn, value: exp.Expr) -> exp.Expr:
    """How far along its axis a text lies."""
    return {
        "number": number(value),
        "time": days(value),
        "text": exp.cast(exp.null(), "DOUBLE"),
        None: expression(
            "CASE axis WHEN 'number' THEN :number WHEN 'time' THEN :days END", number=number(value), days=days(value)
        ),
    }[axis_of(used)]


def size(used: QueryColumn) -> exp.Select:
    """One row. Ranges without an end and numbers that cannot be told apart are refused."""
    known = axis_of(used)
    found = query(
        """
        SELECT
            coalesce(min(CASE WHEN NOT low IS NULL THEN whole END), 0) AS stepped,
            min(low) AS lowest, max(high) AS highest,
            coalesce(max(CASE WHEN label IS NULL AND low IS NULL THEN 1 ELSE 0 END), 0) AS gap
        FROM :spots
        """,
        spots=f"spots_{used.alias}",
    )
    found = found.select("max(axis) AS axis" if known is None else exp.alias_(text(known), "axis"), copy=False)
    if known == "text":
        return found
    inexact = "TRUE" if used.regions.points else "low < high"  # single values alone are grouped by their text
    return found.where(
        expression(
            f"""
            CASE
                WHEN low < high AND NOT high - low <= 1e300 THEN :endless IS NULL
                WHEN whole = 1 AND {inexact} AND greatest(-low, high) >= 9007199254740992e0 THEN :too_large IS NULL
                ELSE TRUE
            END
            """,
            endless=fail(endless(used)),
            too_large=fail(too_large(used)),
        )
    )


def parts(used: QueryColumn) -> exp.Select:
    """What cells are made of. A star is spread over what the release shows; it may be NULL in any case."""
    own = used.alias
    told = query(
        """
        SELECT cell, 0 AS star, 1 AS shown, label, low, high, high + stepped AS upto, stepped, size.axis, weight
        FROM :spots CROSS JOIN :size AS size
        """,
        spots=f"spots_{own}",
        size=f"size_{own}",
    )
    stars = query(
        """
        SELECT
            cell, 1 AS star, CASE WHEN label IS NULL AND low IS NULL THEN gap ELSE 1 END AS shown,
            label, low, high, high + stepped AS upto, stepped, axis,
            CASE
                WHEN NOT label IS NULL THEN CAST(1 AS DOUBLE) / (labels + gap)
                WHEN NOT low IS NULL AND stepped = 1 THEN (high - low + 1) / (high - low + 1 + gap)
                WHEN NOT low IS NULL THEN 1
                WHEN labels > 0 THEN gap / CAST(labels + gap AS DOUBLE)
                WHEN NOT lowest IS NULL AND stepped = 1 THEN gap / (highest - lowest + 1 + gap)
                WHEN NOT lowest IS NULL THEN 0
                WHEN gap = 1 THEN 1
            END AS weight
        FROM :stars CROSS JOIN :size CROSS JOIN :domain
        """,
        stars=f"stars_{own}",
        size=f"size_{own}",
        domain=domain(used).subquery("domain"),
    )
    return exp.union(told, stars, distinct=False, copy=False)  # type: ignore[return-value]


def domain(used: QueryColumn) -> exp.Select:
    """What a star is spread over, with the number of labels in it. NULL is always there; then what the
    release shows: labels, or everything from the lowest to the highest.
    """
    own, known = used.alias, axis_of(used)
    null = query("SELECT CAST(NULL AS VARCHAR) AS label, CAST(NULL AS DOUBLE) AS low, CAST(NULL AS DOUBLE) AS high")
    labels = query(
        "SELECT DISTINCT label, low, high FROM :spots WHERE NOT label IS NULL AND low IS NULL", spots=f"spots_{own}"
    )
    whole = query(
        "SELECT CAST(NULL AS VARCHAR), lowest, highest FROM :size WHERE NOT lowest IS NULL", size=f"size_{own}"
    )
    shown = {"text": [labels], None: [labels, whole]}.get(known, [whole])
    return query(
        "SELECT label, low, high, count(label) OVER () AS labels FROM :spread",
        spread=exp.union(null, *shown, distinct=False, copy=False).subquery("spread"),
    )
