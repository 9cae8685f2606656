"""The loss of a release, by column and in all. docs/functions.md defines ncp, gcp, dm, stars and information."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlanon.errors import ReleaseMismatch
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.template import Columns, column, expression, number_literal, query, text

from .request import Evaluation


def attribute_loss(request: Evaluation, columns: Columns) -> exp.Select:
    """One row per quasi-identifier, with its weight if there are any."""
    weights = weight_of_columns(request, columns)
    losses = query(
        """
        SELECT attribute,
            (lost + source_rows - release_rows) / nullif(source_rows, 0) AS ncp,
            stars,
            information_kept / nullif(source_rows, 0) AS information
        FROM :attributes CROSS JOIN :counted
        ORDER BY column_number ASC
        """,
        attributes=attributes(columns, weights).subquery("attributes"),
        counted=count_rows(columns).subquery("counted"),
    )
    return losses.select("weight", copy=False) if request.weights else losses


def info_loss(request: Evaluation, columns: Columns) -> exp.Select:
    """One row for the release. A suppressed row has lost every column and tells nothing."""
    weights = weight_of_columns(request, columns)
    return query(
        """
        SELECT
            source_rows,
            release_rows,
            source_rows - release_rows AS suppressed_rows,
            class_count AS classes,
            CASE WHEN class_count > 0 THEN CAST(release_rows AS DOUBLE) / class_count END AS avg_class_size,
            CAST(squares + (source_rows - release_rows) * CAST(source_rows AS HUGEINT) AS BIGINT) AS dm,
            (lost + :qi_weight * (source_rows - release_rows)) / nullif(:qi_weight * source_rows, 0) AS gcp,
            stars,
            starred_rows,
            information_kept / nullif(:whole_weight * source_rows, 0) AS information
        FROM :counted
        CROSS JOIN (
            SELECT
                list_aggregate(
                    list(weight * lost ORDER BY column_number ASC) FILTER (WHERE column_number <= :width), 'sum'
                ) AS lost,
                CAST(sum(stars) FILTER (WHERE column_number <= :width) AS BIGINT) AS stars,
                list_aggregate(list(weight * information_kept ORDER BY column_number ASC), 'sum') AS information_kept
            FROM :attributes
        ) AS total
        """,
        width=exp.Literal.number(len(columns.qi)),
        qi_weight=number_literal(sum(weights[: len(columns.qi)])),
        whole_weight=number_literal(sum(weights)),
        counted=count_rows(columns).subquery("counted"),
        attributes=attributes(columns, weights).subquery("attributes"),
    )


def weight_of_columns(request: Evaluation, columns: Columns) -> list[float]:
    """How important each column is, the sensitive one last."""
    weights = dict(request.weights)
    return [weights.get(name, 1) for name in columns.names.values()]


def attributes(columns: Columns, weights: Sequence[float]) -> exp.Query:
    """Per column, the sensitive one last, summed over the rows: ncp, stars, and 1 / the values that a cell covers.

    As decimals, sums are the same in whatever order threads add them.
    """
    return query(
        """
        SELECT
            sizes.column_number,
            :names[sizes.column_number] AS attribute,
            CAST(:weights[sizes.column_number] AS DOUBLE) AS weight,
            CAST(coalesce(sum(CAST(n * ncp AS DECIMAL(38, 18))), 0) AS DOUBLE) AS lost,
            CAST(coalesce(sum(n) FILTER (WHERE star), 0) AS BIGINT) AS stars,
            CAST(coalesce(sum(CAST(n / CAST(covered AS DOUBLE) AS DECIMAL(38, 18))), 0) AS DOUBLE) AS information_kept
        FROM sizes
        LEFT JOIN cells ON cells.column_number = sizes.column_number
        GROUP BY sizes.column_number
        """,
        names=exp.array(*(text(name) for name in columns.names.values())),
        weights=exp.array(*map(number_literal, weights)),
    )


def count_rows(columns: Columns) -> exp.Select:
    """One row: rows, classes, the squares of their sizes, rows with a star. SA301 for more rows than there were."""
    starred = (
        expression(
            """
            (_sqlanon_is_star(:cell) OR coalesce(
                _sqlanon_listed(:cell) > 1 AND _sqlanon_listed(:cell) >= list_extract(wholes, :column_number), FALSE
            ))
            """,
            cell=column(key, "classes"),
            column_number=exp.Literal.number(column_number),
        )
        for column_number, key in enumerate(columns.qi, 1)
    )
    too_many = ReleaseMismatch("rel has more rows than src.", "Is it the source of this release?")
    return query(
        """
        SELECT *
        FROM (SELECT count(*) AS source_rows FROM source) AS sources
        CROSS JOIN (
            SELECT
                CAST(coalesce(sum(n), 0) AS BIGINT) AS release_rows,
                count(*) AS class_count,
                coalesce(sum(CAST(n AS HUGEINT) * n), 0) AS squares,
                CAST(coalesce(sum(n) FILTER (WHERE :starred), 0) AS BIGINT) AS starred_rows
            FROM classes
            CROSS JOIN (SELECT list(whole ORDER BY column_number ASC) AS wholes FROM sizes) AS domains
        ) AS published
        WHERE CASE WHEN release_rows > source_rows THEN :too_many ELSE TRUE END
        """,
        starred=exp.or_(*starred),
        too_many=DUCKDB.raise_error(too_many),
    )
