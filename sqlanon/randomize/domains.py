"""The domains of randomized columns: what decoys are drawn from. The steps domain_*.

A row for each distinct value of the source: `value`, `n` (the rows that have it), `code`: the place in the domain of
what is published for it, NULL last. Values of one bin share a code, and its label.
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.statement.template import Columns, column, query
from sqlanon.taxonomies.bins import bin_paths, equal_width
from sqlanon.taxonomies.bins import occurring_values as bins_of_values
from sqlanon.taxonomies.reader import taxonomy_rows


def domain(columns: Columns, key: str) -> exp.Select:
    """The values that a column can have: those that occur, or those of the owner's table; or bins of them."""
    bins = columns.columns[key].bins
    if bins is not None:
        return binned_domain(key, bins)
    return owners_domain(columns, key) if key in columns.taxonomy else counted_domain(key)


def published_values(columns: Columns, key: str) -> exp.Expr:
    """The values of a domain as lists show them, by code: value, n, code."""
    if columns.columns[key].bins is None:
        return exp.to_table(f"domain_{key}")
    labelled = query(
        "SELECT code, any_value(label) AS value, CAST(sum(n) AS BIGINT) AS n FROM :domain GROUP BY code",
        domain=f"domain_{key}",
    )
    return labelled.subquery("labelled")


def counted_domain(key: str) -> exp.Select:
    """The distinct values of a column with their counts and codes."""
    return query(
        """
        SELECT value, n, CAST(row_number() OVER (ORDER BY value ASC NULLS LAST) - 1 AS INTEGER) AS code
        FROM :occurring
        """,
        occurring=occurring_values(key).subquery("once"),
    )


def occurring_values(key: str) -> exp.Select:
    """The distinct values of a column with their counts."""
    return query(
        "SELECT _sqlanon_spelling(:column, :column) AS value, count(*) AS n FROM source GROUP BY :column",
        column=column(key),
    )


def owners_domain(columns: Columns, key: str) -> exp.Select:
    """The values in the first column of the owner's table, and NULL if it occurs.

    `problem`: why a value does not belong there: it is of another type, or it occurs and is missing in the table.
    """
    labels = query(
        """
        SELECT DISTINCT TRY(cast_to_type(label, witness)) AS value, TRY(cast_to_type(label, witness)) IS NULL AS foreign
        FROM (SELECT list_extract(labels, 1) AS label FROM :rows) AS first
        CROSS JOIN (
            SELECT _sqlanon_text_if_untyped(item, item) AS witness FROM (SELECT any_value(:column) AS item FROM source)
        ) AS typed
        WHERE NOT label IS NULL
        """,
        rows=taxonomy_rows(columns.taxonomy[key], columns.names[key]).subquery("rows"),
        column=column(key),
    )
    return query(
        """
        SELECT
            value, n, CAST(row_number() OVER (ORDER BY value ASC NULLS LAST) - 1 AS INTEGER) AS code,
            CASE WHEN foreign THEN 'foreign' WHEN foreign IS NULL AND NOT value IS NULL THEN 'missing' END AS problem
        FROM (
            SELECT coalesce(once.value, owned.value) AS value, coalesce(n, 0) AS n, foreign
            FROM :occurring FULL JOIN :owned ON once.value = owned.value
        ) AS matched
        """,
        occurring=occurring_values(key).subquery("once"),
        owned=labels.subquery("owned"),
    )


def binned_domain(key: str, bins: int) -> exp.Select:
    """The distinct values of a column with their counts, and the label and the code of their bin. NULL has its own.

    Bins are those of numeric_taxonomy, in order.
    """
    return query(
        """
        SELECT value, n, label, CAST(dense_rank() OVER (ORDER BY low ASC NULLS LAST) - 1 AS INTEGER) AS code
        FROM (
            SELECT
                once.value, n, list_extract(path, 2) AS label,
                min(once.value) OVER (PARTITION BY list_extract(path, 2)) AS low
            FROM :occurring LEFT JOIN :paths ON once.value = paths.value
        ) AS labelled
        """,
        occurring=occurring_values(key).subquery("once"),
        paths=bin_paths(bins_of_values(key), equal_width(bins)).subquery("paths"),
    )
