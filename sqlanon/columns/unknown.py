"""Which columns a table has, and their values: the planner cannot know, DuckDB does when it binds the statement."""

from __future__ import annotations

from sqlglot import exp

from sqlanon.statement.template import query


def describe_columns(table: exp.Expr) -> exp.Select:
    """One row per column of a table, also of an empty one: its number from 1, its name, its type, what that allows.

    The long alias is one that no column has: DuckDB would take a struct of that name for the table.
    """
    named = query(
        """
        SELECT [alias(COLUMNS(_sqlanon_described.*)), typeof(COLUMNS(_sqlanon_described.*))]
        FROM (SELECT 1 AS single) AS single
        LEFT JOIN :columns ON TRUE
        """,
        columns=query("SELECT * FROM :tbl AS tbl LIMIT 0", tbl=table).subquery("_sqlanon_described"),
    )
    return query(
        """
        SELECT
            column_number, list_extract(named, 1) AS name, list_extract(named, 2) AS type_name,
            _sqlanon_kind(list_extract(named, 2)) AS kind
        FROM (
            SELECT unnest(range(1, len(columns) + 1)) AS column_number, unnest(columns) AS named
            FROM (SELECT [*COLUMNS(*)] AS columns FROM :named) AS listed
        ) AS opened
        """,
        named=named.subquery("named"),
    )


def texts(table: exp.Expr) -> exp.Select:
    """All columns of a table as text, by which values are told apart: equal values have the same."""
    return query(
        """
        SELECT
            _sqlanon_distinct_text(typeof(COLUMNS(*)), CAST(_sqlanon_plain(COLUMNS(*), COLUMNS(*)) AS VARCHAR))
        FROM :tbl AS tbl
        """,
        tbl=table,
    )
