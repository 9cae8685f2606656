"""How far what a release lets one believe is from its source: Kullback–Leibler divergence, in nats.

Points are the rows of the source, boxes what the release tells of them: see boxes. Inside a box, rows are believed to
lie evenly.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from sqlglot import exp

from sqlanon.statement.template import Columns, column, expression, query, struct, text

from .boxes import SA, with_box_steps
from .request import Evaluation


def kl_divergence(request: Evaluation, columns: Columns) -> exp.Select:
    """One row: the source against the release, over every column. Infinite if the release rules out a source row."""
    every = [*columns.qi, SA]
    return with_box_steps(divergences(columns, every, [tuple(every)], unseen="0.0e0"), request, columns).select(
        "kl", append=False
    )


def cube_kl(request: Evaluation, columns: Columns) -> exp.Select:
    """One row per group-by. Where the source has rows and the release has none, half a row is added to the release."""
    dimensions = columns.qi if request.value is not None else [*columns.qi, SA]
    levels = range(1, len(dimensions) + 1) if request.level is None else (request.level,)
    group_bys = [chosen for level in levels for chosen in combinations(dimensions, level)]
    return with_box_steps(divergences(columns, dimensions, group_bys, unseen="0.5e0"), request, columns)


def divergences(
    columns: Columns, dimensions: Sequence[str], group_bys: Sequence[tuple[str, ...]], unseen: str
) -> exp.Select:
    """Per group-by its attributes and the divergence; points that no box covers get the density `unseen`.

    What is added so counts as rows of the release, whose distribution adds up to 1 again. So below 0 there is nothing
    but rounding. A group-by is known by the columns that are `omitted`, the bits of a number.
    """
    questions = [
        struct(
            {
                "omitted": exp.convert(int("".join("01"[key not in chosen] for key in dimensions), 2)),
                "position": exp.convert(position),
                "attributes": exp.array(*(text(columns.names[key]) for key in chosen)),
            }.items()
        )
        for position, chosen in enumerate(group_bys)
    ]
    return query(
        """
        SELECT question.attributes, kl
        FROM (SELECT unnest(question) FROM (SELECT unnest(:questions) AS question) AS questions) AS question
        LEFT JOIN (
            SELECT omitted, CASE WHEN sum(term) < 0 THEN 0.0e0 ELSE sum(term) END AS kl
            FROM (
                SELECT omitted, CASE
                    WHEN release_rows IS NULL THEN NULL
                    WHEN believed > 0 THEN share * ln(share / (believed / (release_rows + added_rows)))
                    ELSE CAST('Infinity' AS DOUBLE)
                END AS term
                FROM (
                    SELECT
                        omitted, release_rows, struct_extract(point, 'n') / source_rows AS share,
                        CASE WHEN density > 0 THEN density ELSE :unseen END AS believed,
                        :unseen * count(*) FILTER (WHERE NOT density > 0) OVER (PARTITION BY omitted) AS added_rows
                    FROM :met CROSS JOIN totals
                ) AS shares
            ) AS terms
            GROUP BY omitted
        ) AS answers ON answers.omitted = question.omitted
        ORDER BY question.position ASC
        """,
        questions=exp.array(*questions),
        unseen=expression(unseen),
        met=densities(dimensions, group_bys).subquery("met"),
    )


def densities(dimensions: Sequence[str], group_bys: Sequence[tuple[str, ...]]) -> exp.Select:
    """Per group-by, the points as its columns tell them apart, each with the density of the boxes there."""
    covered = " * ".join(f"coalesce(high_{key} - low_{key} + 1.0e0, 1.0e0)" for key in dimensions)
    return query(
        """
        SELECT
            points.omitted,
            unnest(points.listed) AS point,
            unnest(_sqlanon_density(points.listed, boxes.listed)) AS density
        FROM :points AS points LEFT JOIN :boxes AS boxes ON boxes.omitted = points.omitted
        """,
        points=gather_measures("points", ("at",), "CAST(sum(n) AS DOUBLE) AS n", dimensions, group_bys).subquery(),
        boxes=gather_measures(
            "boxes", ("low", "high"), f"fsum(weight) / ({covered}) AS weight", dimensions, group_bys
        ).subquery(),
    )


def gather_measures(
    step: str, ends: Sequence[str], measure: str, dimensions: Sequence[str], group_bys: Sequence[tuple[str, ...]]
) -> exp.Select:
    """Per group-by one list: the rows of a step, those alike in its columns summed up, the omitted ones NULL."""
    sets = ", ".join(f"({', '.join(f'{end}_{key}' for key in chosen for end in ends)})" for chosen in group_bys)
    fields = [f"{end}_{key}" for key in dimensions for end in ends]
    # GROUPING takes 63 columns; with one group-by nothing is omitted
    omitted = f"GROUPING({', '.join(fields[:: len(ends)])})" if len(group_bys) > 1 else "0"
    summed = query(
        f"SELECT {', '.join(fields)}, {omitted} AS omitted, {measure} FROM {step} GROUP BY GROUPING SETS ({sets})"
    )
    row = struct((name, column(name)) for name in (measure.split()[-1], *fields))
    return query(
        "SELECT omitted, list(:row) AS listed FROM :summed GROUP BY omitted", row=row, summed=summed.subquery("summed")
    )
