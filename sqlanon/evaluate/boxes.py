"""Source and release in one space: the source as points, the release as boxes, in codes of the source's domains.

A box is what a row covers, codes low … high in each column, the sensitive attribute too. A row that lists values is
several boxes, with a share of it each.

points       the distinct rows of the source: at_…, and how many they are
boxes        the distinct boxes: low_…, high_…, and their weight, the rows that they stand for
totals       one row: the rows of both; NULL for none
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqlanon.errors import InvalidParameter
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.template import Columns, Once, column, expression, query, text, with_steps

from .request import Evaluation

SA = "sa_1"
"""Our name of the sensitive attribute; those who compare releases with sources know one."""


def with_box_steps(answer: exp.Select, request: Evaluation, columns: Columns) -> exp.Select:
    """Put the steps before an answer; inside a FROM, because they stand on the steps of evaluate."""
    steps: dict[str, exp.Query] = {}
    cells = {key: f"cells_{key}" for key in columns.names}
    if request.value is not None:
        steps["chosen"] = chosen(request.value, columns.names[SA])
        steps["chosen_cells"] = chosen_cells()
        cells[SA] = "chosen_cells"
    steps["points"] = points(columns, chosen=request.value is not None)
    steps["boxes"] = boxes(columns, cells)
    steps["totals"] = query(
        "SELECT (SELECT sum(n) FROM points) AS source_rows, (SELECT fsum(weight) FROM boxes) AS release_rows"
    )
    answer = with_steps(answer, {name: Once(step) for name, step in steps.items()})
    return exp.select("*").from_(answer.subquery("answer", copy=False), copy=False)


def points(columns: Columns, chosen: bool) -> exp.Select:
    """The distinct rows of the source, in codes; those with the chosen sensitive value, if there is one."""
    counted = exp.select(*(source_value(columns, key) for key in columns.names), "count(*) AS n").from_("source")
    coded = exp.select(
        *(f"CAST(domain_{key}.code AS INTEGER) AS at_{key}" for key in columns.names), "counted.n"
    ).from_(counted.group_by("ALL").subquery("counted"))
    for key in columns.names:
        spelled = "label" if key in columns.taxonomy else "value"
        coded = coded.join(f"domain_{key}", on=expression(f"domain_{key}.{spelled} IS NOT DISTINCT FROM counted.{key}"))
    return coded.where(f"domain_{SA}.code = (SELECT code FROM chosen)") if chosen else coded


def source_value(columns: Columns, key: str) -> exp.Expr:
    """A value of the source as its domain has it: with a taxonomy a text, and NULL for a `*` that is no leaf."""
    if key not in columns.taxonomy:
        return column(key)
    leaf = expression(
        """
        CASE
            WHEN CAST(:column AS VARCHAR) <> '*' OR '*' IN (SELECT label FROM :domain WHERE NOT label IS NULL)
                THEN CAST(:column AS VARCHAR)
        END
        """,
        column=column(key),
        domain=f"domain_{key}",
    )
    return exp.alias_(leaf, key)


def boxes(columns: Columns, cells: Mapping[str, str]) -> exp.Select:
    """The boxes that rows of the release cover, in codes, with the rows that each stands for."""
    counted = exp.select(*columns.names, "count(*) AS n").from_("released").group_by(*columns.names)
    ends = {f"{end}_{key}": f"{step}.{end}" for key, step in cells.items() for end in ("low", "high")}
    weight = " * ".join(["counted.n", *(f"{step}.share" for step in cells.values())])
    covered = exp.select(
        *(f"CAST({end} AS INTEGER) AS {name}" for name, end in ends.items()), f"fsum({weight}) AS weight"
    ).from_(counted.subquery("counted"))
    for key, step in cells.items():
        covered = covered.join(step, on=expression(f"{step}.cell IS NOT DISTINCT FROM counted.{key}"))
    return covered.group_by(*ends.values())


def chosen(value: str, name: str) -> exp.Select:
    """One row: the code of the sensitive value that is wanted. SA102 if a source that has rows does not have it."""
    absent = InvalidParameter(f"value: column {name!r} of src has no such value.", "Values are matched by their text.")
    return query(
        """
        SELECT CASE
            WHEN count(*) > 0 AND count(*) FILTER (WHERE label = :value) = 0 THEN :absent
            ELSE min(code) FILTER (WHERE label = :value)
        END AS code
        FROM :domain
        """,
        value=text(value),
        absent=DUCKDB.raise_error(absent),
        domain=f"domain_{SA}",
    )


def chosen_cells() -> exp.Select:
    """The published values that may stand for the chosen one, with the part of their rows that it gets."""
    return query(
        """
        SELECT cell, code AS low, code AS high, sum(share / (high - low + 1)) AS share
        FROM :cells CROSS JOIN chosen
        WHERE code BETWEEN low AND high
        GROUP BY cell, code
        """,
        cells=f"cells_{SA}",
    )
