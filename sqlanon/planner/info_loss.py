"""What a release lost, by column and in all. docs/functions.md defines ncp, gcp, dm, stars and information."""

from __future__ import annotations

from sqlglot import exp

from sqlanon.errors import ReleaseMismatch
from sqlanon.request.evaluation import Evaluation

from .boxes import sensitive
from .cells import outside
from .sensitive import SA, secret_steps, told_secrets
from .template import Columns, Once, Step, column, expression, query, text, with_steps


def attribute_loss(_: Evaluation, columns: Columns) -> exp.Select:
    """One row per quasi-identifier."""
    return query(
        """
        SELECT attribute,
            (lost + source_rows - release_rows) / nullif(source_rows, 0) AS ncp,
            stars,
            told / nullif(source_rows, 0) AS information
        FROM :attributes CROSS JOIN :counted
        ORDER BY place ASC
        """,
        attributes=attributes(columns).subquery("attributes"),
        counted=counted(columns).subquery("counted"),
    )


def info_loss(_: Evaluation, columns: Columns) -> exp.Select:
    """One row for the release. A suppressed row has lost every column and tells nothing."""
    width = exp.Literal.number(len(columns.qi))
    told_by_sa: exp.Expr = exp.Literal.number(0)
    for own in columns.sensitive:
        told = told_by_leaves(columns) if own in columns.taxonomy else told_sensitive(columns.names[own])
        told_by_sa = told.subquery()
    return query(
        """
        SELECT
            source_rows,
            release_rows,
            source_rows - release_rows AS suppressed_rows,
            class_count AS classes,
            CASE WHEN class_count > 0 THEN CAST(release_rows AS DOUBLE) / class_count END AS avg_class_size,
            CAST(squares + (source_rows - release_rows) * CAST(source_rows AS HUGEINT) AS BIGINT) AS dm,
            (lost + :width * (source_rows - release_rows)) / (:width * nullif(source_rows, 0)) AS gcp,
            stars,
            starred_rows,
            (told + :told_by_sa) / (:all_columns * nullif(source_rows, 0)) AS information
        FROM :counted
        CROSS JOIN (
            SELECT sum(lost) AS lost, CAST(sum(stars) AS BIGINT) AS stars, sum(told) AS told FROM :attributes
        ) AS total
        """,
        width=width,
        told_by_sa=told_by_sa,
        all_columns=exp.Literal.number(len(columns.names)),
        counted=counted(columns).subquery("counted"),
        attributes=attributes(columns).subquery("attributes"),
    )


def attributes(columns: Columns) -> exp.Query:
    """Per quasi-identifier, summed over the rows: ncp, stars, and 1 / the values that each cell covers."""
    return query(
        """
        SELECT
            sizes.place,
            :names[sizes.place] AS attribute,
            coalesce(sum(n * ncp), 0) AS lost,
            CAST(coalesce(sum(n) FILTER (WHERE star), 0) AS BIGINT) AS stars,
            coalesce(sum(n / CAST(high - low + 1 AS DOUBLE)), 0) AS told
        FROM sizes
        LEFT JOIN cells ON cells.place = sizes.place
        WHERE sizes.place <= :width
        GROUP BY sizes.place
        """,
        width=exp.Literal.number(len(columns.qi)),
        names=exp.array(*(text(columns.names[own]) for own in columns.qi)),
    )


def counted(columns: Columns) -> exp.Select:
    """One row: rows, classes, the squares of their sizes, rows with a star. SA301 for more rows than there were."""
    starred = (
        expression(
            "_sqlanon_is_star(:cell, list_extract(wholes, :place))",
            cell=column(own, "classes"),
            place=exp.Literal.number(place),
        )
        for place, own in enumerate(columns.qi, 1)
    )
    too_many = ReleaseMismatch("rel has more rows than src.", "Is it the source of this release?")
    return query(
        """
        SELECT *
        FROM (SELECT count(*) AS source_rows FROM source) AS given
        CROSS JOIN (
            SELECT
                CAST(coalesce(sum(n), 0) AS BIGINT) AS release_rows,
                count(*) AS class_count,
                coalesce(sum(CAST(n AS HUGEINT) * n), 0) AS squares,
                CAST(coalesce(sum(n) FILTER (WHERE :starred), 0) AS BIGINT) AS starred_rows
            FROM classes
            CROSS JOIN (SELECT list(whole ORDER BY place ASC) AS wholes FROM sizes) AS domains
        ) AS published
        WHERE CASE WHEN release_rows > source_rows THEN error(:too_many) ELSE TRUE END
        """,
        starred=exp.or_(*starred),
        too_many=text(str(too_many)),
    )


def told_by_leaves(columns: Columns) -> exp.Select:
    """Summed over the rows, 1 / the leaves of the sensitive attribute's taxonomy that each may have."""
    return query(
        """
        SELECT coalesce(sum(n / CAST(leaf_count AS DOUBLE)), 0)
        FROM (SELECT :sa AS cell, count(*) AS n FROM released GROUP BY :sa) AS published
        JOIN (
            SELECT covered.cell, count(DISTINCT leaf.code) AS leaf_count
            FROM :covered AS covered
            JOIN :domain AS leaf ON leaf.code BETWEEN covered.low AND covered.high
            GROUP BY covered.cell
        ) AS counted ON counted.cell IS NOT DISTINCT FROM published.cell
        """,
        sa=column(SA),
        covered=sensitive(columns).subquery(),
        domain=f"domain_{SA}",
    )


def told_sensitive(name: str) -> exp.Select:
    """Summed over the rows, 1 / the sensitive values that each may have: one, those that its group lists, or any.

    SA301 for a category that the source does not have. Numbers are not looked up: 1 may have become 1.0.
    """
    steps: dict[str, Step] = {
        **secret_steps(),
        "lists": Once(told_secrets(name)),
        "size": query(
            """
            SELECT
                count(*) AS domain_size, count(*) > count(label) AS gap,
                _sqlanon_kind(typeof(any_value(value))) AS kind
            FROM secrets
            """
        ),
        "foreign_items": query(
            """
            SELECT count(*) AS foreign_count
            FROM (SELECT DISTINCT unnest(items) AS item, typed FROM lists WHERE typed OR braced) AS listed
            CROSS JOIN size
            LEFT JOIN secrets AS known ON known.label IS NOT DISTINCT FROM listed.item
            WHERE known.place IS NULL AND NOT (gap AND NOT typed AND item = 'NULL')
            """
        ),
    }
    statement = query(
        """
        SELECT coalesce(sum(n / CAST(CASE
            WHEN typed OR braced THEN len(list_distinct(list_transform(items, lambda item: {'value': item})))
            WHEN exact THEN 1
            WHEN label = '*' THEN domain_size
            WHEN kind = 'category' THEN error(:outside)
            ELSE 1
        END AS DOUBLE)), 0)
        FROM lists
        CROSS JOIN size
        CROSS JOIN foreign_items
        WHERE CASE WHEN kind = 'category' AND foreign_count > 0 THEN error(:outside) ELSE TRUE END
        """,
        outside=text(outside(name)),
    )
    return with_steps(statement, steps)
