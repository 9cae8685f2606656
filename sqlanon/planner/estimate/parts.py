"""Published values on their axes: each cell as weighted values and ranges.

told_*, stars_*   the cells taken apart: see cells
axis_*            one row: where the query's constants do not say it, whether the values are numbers, times or text
spots_*           told_*, each value or range placed on its axis
size_*            one row: whether values go in whole steps, how far they reach, whether NULL is shown (gap)
parts_*           every cell, stars too, as weighted values and ranges; the weights of a cell add up to 1
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.planner.template import column, expression, query, taxonomy_step, text

from .cells import Used, endless, no_steps, no_text, no_value_of, too_large
from .elsewhere import Elsewhere
from .here import Here

Engine = Here | Elsewhere
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


def parts_steps(used: Used, engine: Engine) -> dict[str, exp.Select]:
    """The steps from classes to the parts of one column's cells."""
    own = used.own
    steps = engine.told(used)
    if axis_of(used) is None:
        steps[f"axis_{own}"] = axis(used, engine)
    steps[f"spots_{own}"] = spots(used, engine)
    steps[f"size_{own}"] = size(used, engine)
    steps[f"parts_{own}"] = parts(used, engine)
    return steps


def axis_of(used: Used) -> str | None:
    """number, time or text, where it can be told without a look at the release."""
    if used.regions.axis == "open":
        return "text" if used.tree else None
    return None if used.regions.axis == "iso" else used.regions.axis


def axis(used: Used, engine: Engine) -> exp.Select:
    """One row. Ranges of numbers or dates are no labels; text that looks like a date is one if everything does."""
    needed = "ranged" if used.regions.axis == "open" else "TRUE"
    kinds = {"number": engine.is_number, "time": engine.is_time}
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
    return exp.select(chosen).from_(f"told_{used.own}").where("NOT label IS NULL")


def spots(used: Used, engine: Engine) -> exp.Select:
    """Values and ranges on their axis. A range has no label."""
    known = axis_of(used)
    told = exp.to_table(f"told_{used.own}")
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
        low=placed(used, engine, column("low_text")),
        high=placed(used, engine, column("high_text")),
    )
    if known is None:
        placed_cells = placed_cells.select("axis").join(f"axis_{used.own}", join_type="cross", copy=False)
    if used.tree or known in MEASURED or (used.regions.axis == "open" and not used.grouped):
        return placed_cells
    wrong, error = "ranged AND NOT cell IS NULL", no_text(used)
    if known is None:
        wrong += " AND axis = 'text'"
    if used.regions.axis == "open":
        wrong, error = f"{wrong} AND low_text <> high_text", no_steps(used)
    return placed_cells.where(
        expression(f"CASE WHEN {wrong} THEN :fail IS NULL ELSE TRUE END", fail=engine.fail(error))
    )


def placed(used: Used, engine: Engine, value: exp.Expr) -> exp.Expr:
    """How far along its axis a text lies."""
    number = engine.number(value, no_value_of(used, "number"))
    days = engine.days(value, no_value_of(used, "date"))
    return {
        "number": number,
        "time": days,
        "text": exp.cast(exp.null(), "DOUBLE"),
        None: expression("CASE axis WHEN 'number' THEN :number WHEN 'time' THEN :days END", number=number, days=days),
    }[axis_of(used)]


def size(used: Used, engine: Engine) -> exp.Select:
    """One row. Ranges without an end and numbers that cannot be told apart are refused."""
    known = axis_of(used)
    found = query(
        """
        SELECT
            coalesce(min(CASE WHEN NOT low IS NULL THEN whole END), 1) AS stepped,
            min(low) AS lowest, max(high) AS highest,
            coalesce(max(CASE WHEN label IS NULL AND low IS NULL THEN 1 ELSE 0 END), 0) AS gap
        FROM :spots
        """,
        spots=f"spots_{used.own}",
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
            endless=engine.fail(endless(used)),
            too_large=engine.fail(too_large(used)),
        )
    )


def parts(used: Used, engine: Engine) -> exp.Select:
    """What cells are made of. A star is spread over what the release shows; it may be NULL in any case."""
    own = used.own
    tables: dict[str, exp.Expr | str] = {"spots": f"spots_{own}", "size": f"size_{own}", "stars": f"stars_{own}"}
    told = query(
        """
        SELECT cell, 0 AS star, 1 AS shown, label, low, high, high + stepped AS upto, stepped, size.axis, weight
        FROM :spots CROSS JOIN :size AS size
        """,
        **tables,
    )
    by_steps = not used.tree and axis_of(used) != "text"
    by_label = used.tree or axis_of(used) not in MEASURED
    found = [told]
    if by_steps:
        found.append(query(
            """
            SELECT cell, 1 AS star, 1 AS shown, CAST(NULL AS VARCHAR) AS label, lowest AS low, highest AS high,
                highest + stepped AS upto, stepped, axis,
                CASE WHEN stepped = 1 THEN (highest - lowest + 1) / (highest - lowest + 1 + gap) ELSE 1 END AS weight
            FROM :stars CROSS JOIN :size
            WHERE NOT lowest IS NULL
            """,
            **tables,
        ))  # fmt: skip
    if by_label:
        found.append(query(
            """
            SELECT cell, 1 AS star, 1 AS shown, label, low, high, high + stepped AS upto, stepped, axis,
                CAST(1 AS DOUBLE) / (labels + gap) AS weight
            FROM :stars CROSS JOIN :domain CROSS JOIN :size
            """,
            domain=domain(used, engine).subquery("domain"),
            **tables,
        ))  # fmt: skip
    labels = query("SELECT count(*) FROM :domain", domain=domain(used, engine).subquery("domain")).subquery()
    found.append(query(
        """
        SELECT cell, 1 AS star, gap AS shown, CAST(NULL AS VARCHAR) AS label,
            CAST(NULL AS DOUBLE) AS low, CAST(NULL AS DOUBLE) AS high, CAST(NULL AS DOUBLE) AS upto, stepped, axis,
            CASE
                WHEN NOT lowest IS NULL THEN CASE WHEN stepped = 1 THEN gap / (highest - lowest + 1 + gap) ELSE 0 END
                WHEN labels > 0 THEN gap / CAST(labels + gap AS DOUBLE)
                WHEN gap = 1 THEN 1
            END AS weight
        FROM :stars CROSS JOIN :size CROSS JOIN :labels
        """,
        labels=exp.select(exp.alias_(labels if by_label else exp.Literal.number(0), "labels")).subquery("counted"),
        **tables,
    ))  # fmt: skip
    return exp.union(*found, distinct=False, copy=False)  # type: ignore[return-value]


def domain(used: Used, engine: Engine) -> exp.Select:
    """The labels over which a star is spread, and their number: the leaves of a taxonomy, or what the release shows."""
    if used.tree:
        leaves = query("SELECT DISTINCT path[1] AS label FROM :taxonomy", taxonomy=taxonomy_step(used.own))
        at = placed(used, engine, column("label"))
        return query(
            "SELECT label, :at AS low, :at AS high, count(*) OVER () AS labels FROM :leaves",
            at=at,
            leaves=leaves.subquery("leaves"),
        )
    return query(
        """
        SELECT label, low, high, count(*) OVER () AS labels
        FROM (SELECT DISTINCT label, low, high FROM :spots WHERE NOT label IS NULL AND low IS NULL) AS shown
        """,
        spots=f"spots_{used.own}",
    )
