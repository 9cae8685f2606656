"""Source and release in one space: the source as points, the release as boxes, in codes of the source's domains.

A box is what a row covers, codes low … high in each column, the sensitive attribute too. A row that lists sensitive
values is several boxes.

sensitive    what each published value of the sensitive attribute stands for, each with its share of the row
points       the distinct rows of the source: at_…, and how many they are
boxes        the distinct boxes: low_…, high_…, and their weight, the rows that they stand for
totals       one row: the rows of both; NULL for none
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import InvalidParameter
from sqlanon.request.evaluation import Evaluation

from .cells import outside
from .domains import labels
from .sensitive import SA, published_values
from .template import Columns, Once, column, expression, query, text, with_steps


def with_box_steps(answer: exp.Select, request: Evaluation, columns: Columns) -> exp.Select:
    """Put the steps before an answer; inside a FROM, because they stand on the steps of evaluate."""
    steps: dict[str, exp.Query] = {}
    if request.value is not None:
        steps["chosen"] = chosen(request.value, columns.names[SA])
    steps["sensitive"] = sensitive(columns) if request.value is None else only_chosen(sensitive(columns))
    steps["points"] = points(columns, chosen=request.value is not None)
    steps["boxes"] = boxes(columns)
    steps["totals"] = query(
        "SELECT (SELECT sum(n) FROM points) AS source_rows, (SELECT fsum(weight) FROM boxes) AS release_rows"
    )
    answer = with_steps(answer, {name: Once(step) for name, step in steps.items()})
    return exp.select("*").from_(answer.subquery("answer", copy=False), copy=False)


def points(columns: Columns, chosen: bool) -> exp.Select:
    """The distinct rows of the source, in codes; those with the chosen sensitive value, if there is one."""
    counted = exp.select(*(source_value(columns, own) for own in columns.names), "count(*) AS n").from_("source")
    coded = exp.select(
        *(f"CAST(domain_{own}.code AS INTEGER) AS at_{own}" for own in columns.names), "counted.n"
    ).from_(counted.group_by("ALL").subquery("counted"))
    for own in columns.names:
        key = "label" if own in columns.taxonomy else "value"
        coded = coded.join(f"domain_{own}", on=expression(f"domain_{own}.{key} IS NOT DISTINCT FROM counted.{own}"))
    return coded.where(f"domain_{SA}.code = (SELECT code FROM chosen)") if chosen else coded


def source_value(columns: Columns, own: str) -> exp.Expr:
    """A value of the source as its domain has it: with a taxonomy a text, and NULL for a `*` that is no leaf."""
    if own not in columns.taxonomy:
        return column(own)
    leaf = expression(
        """
        CASE
            WHEN CAST(:column AS VARCHAR) <> '*' OR '*' IN (SELECT label FROM :domain WHERE NOT label IS NULL)
                THEN CAST(:column AS VARCHAR)
        END
        """,
        column=column(own),
        domain=f"domain_{own}",
    )
    return exp.alias_(leaf, own)


def boxes(columns: Columns) -> exp.Select:
    """What the rows of the release cover, in codes, with the rows that each box stands for."""
    counted = exp.select(*columns.names, "count(*) AS n").from_("released").group_by(*columns.names)
    ends = {
        f"{end}_{own}": f"{'sensitive' if own == SA else f'cells_{own}'}.{end}"
        for own in columns.names
        for end in ("low", "high")
    }
    found = exp.select(
        *(f"CAST({place} AS INTEGER) AS {name}" for name, place in ends.items()), "fsum(counted.n * share) AS weight"
    )
    found = found.from_(counted.subquery("counted"))
    for own in columns.names:
        cells = "sensitive" if own == SA else f"cells_{own}"
        found = found.join(cells, on=expression(f"{cells}.cell IS NOT DISTINCT FROM counted.{own}"))
    return found.group_by(*ends.values())


def sensitive(columns: Columns) -> exp.Select:
    """Per published sensitive value, the codes low … high that it stands for, or those of each value that it lists.

    What looks like a list or a star may be a value of the source. A star that is the root of a taxonomy covers NULL,
    too. `share` is the part of the row that each one gets.
    """
    is_value = "node.level = 1" if SA in columns.taxonomy else "NOT node.low IS NULL"
    return query(
        """
        SELECT cell, low, high, count(*) / CAST(any_value(listed) AS DOUBLE) AS share
        FROM (
            SELECT
                cell, listed,
                CASE
                    WHEN item = '*' AND NOT coalesce(:is_value, FALSE) THEN 0
                    WHEN NOT node.low IS NULL THEN node.low
                    WHEN (item IS NULL OR (item = 'NULL' AND braced)) AND NOT unknown.code IS NULL THEN unknown.code
                    ELSE error(:outside)
                END AS low,
                CASE
                    WHEN item = '*' AND NOT coalesce(:is_value, FALSE) THEN domain_size - 1
                    WHEN NOT node.low IS NULL THEN node.high
                    ELSE unknown.code
                END AS high
            FROM (SELECT cell, braced, len(items) AS listed, unnest(items) AS item FROM :lists) AS listing
            CROSS JOIN :size
            LEFT JOIN :nodes AS node ON node.label = listing.item
            LEFT JOIN :domain AS unknown ON unknown.label IS NULL
        ) AS placed
        GROUP BY cell, low, high
        """,
        lists=published_values(columns.names[SA]).subquery("lists"),
        size=f"size_{SA}",
        domain=f"domain_{SA}",
        nodes=labels(columns, SA),
        is_value=expression(is_value),
        outside=text(outside(columns.names[SA])),
    )


def chosen(value: str, name: str) -> exp.Select:
    """One row: the code of the sensitive value that is asked for. SA102 if a source that has rows does not have it."""
    absent = InvalidParameter(f"value: column {name!r} of src has no such value.", "Values are matched by their text.")
    return query(
        """
        SELECT CASE
            WHEN count(*) > 0 AND count(*) FILTER (WHERE label = :asked) = 0 THEN error(:absent)
            ELSE min(code) FILTER (WHERE label = :asked)
        END AS code
        FROM :domain
        """,
        asked=text(value),
        absent=text(str(absent)),
        domain=f"domain_{SA}",
    )


def only_chosen(published: exp.Select) -> exp.Select:
    """The published values that may stand for the chosen one, with the part of their rows that it gets."""
    return query(
        """
        SELECT cell, code AS low, code AS high, sum(share / (high - low + 1)) AS share
        FROM :published CROSS JOIN chosen
        WHERE code BETWEEN low AND high
        GROUP BY cell, code
        """,
        published=published.subquery("published"),
    )
