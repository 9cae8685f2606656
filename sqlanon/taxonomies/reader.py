"""The taxonomies that users may pass: all that may be a table, or the path of a file in ARX's layout.

ARX's files have no header, the leaf first, and a semicolon (or a comma or a tab) between labels. DuckDB's own reader of
CSV files would guess at that, and might take the first leaf for a header. So files are read as text and taken apart by
sql/taxonomies.sql.
"""

from __future__ import annotations

import re

from sqlglot import exp

from sqlanon.errors import WrongColumn
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.source import read_table
from sqlanon.statement.template import identifier, query, text
from sqlanon.statement.user_query import calls, is_query

TEXT_FILE = re.compile(r"'([^']+)'|([^'\";()\n]+)", re.IGNORECASE)
TEXT_ENDINGS = (".csv", ".tsv")
OTHER_FILE = re.compile(r"[^'\";()\s]+\.(parquet|json|jsonl|ndjson)(\.(gz|zst))?", re.IGNORECASE)
"""A path that reads like the name of a table in a schema."""


def taxonomy_paths(table: str, name: str) -> exp.Select:
    """Each row of the taxonomy of a column as one list: the leaf, then ever more general labels.

    A leaf that reaches the root sooner than others is repeated below: so all paths are of one length.
    """
    return query(
        """
        SELECT DISTINCT _sqlanon_padded(path, depth) AS path
        FROM (
            SELECT path, max(len(path)) OVER () AS depth
            FROM (SELECT _sqlanon_reaching_root(labels) AS path FROM :rows) AS uneven
        ) AS measured
        """,
        rows=taxonomy_rows(table, name).subquery("rows"),
    )


MAKERS = ("numeric_taxonomy", "prefix_taxonomy", "date_taxonomy", "edge_taxonomy")
BUILT_IN = ("adult_taxonomy", "census_taxonomy")
"""Functions whose taxonomies are the same whatever the data."""


def is_made(table: str, name: str) -> bool:
    """Whether the taxonomy of a column is made in the call, by a query or a function: leaves and labels may be data.

    >>> [is_made(table, "zip") for table in ("zip_levels", "zip.csv", "adult_taxonomy('sex')")]
    [False, False, False]
    >>> is_made("prefix_taxonomy('patients', 'zip')", "zip")
    True
    """
    if text_file(table) is not None or OTHER_FILE.fullmatch(table):
        return False
    if not isinstance(read_table(table, of_column(name)), exp.Subquery):
        return False
    return is_made_of_column(table) or not any(calls(as_query(table), function) for function in BUILT_IN)


def is_made_of_column(table: str) -> bool:
    """Whether the leaves of a taxonomy are the values of a column, by one of our functions."""
    return any(calls(as_query(table), function) for function in MAKERS)


def has_made_ranges(table: str) -> bool:
    """Whether labels are ranges of the values of a column."""
    return calls(as_query(table), "numeric_taxonomy")


def as_query(table: str) -> str:
    """A query, or a table function as one."""
    return table if is_query(table) else f"FROM {table}"


def of_column(name: str) -> str:
    """How messages call a taxonomy."""
    return f"the taxonomy of column {name!r}"


def taxonomy_rows(table: str, name: str) -> exp.Select:
    """Each row as it stands there, as the list `labels`."""
    path = text_file(table)
    if path is not None:
        return file_rows(path, name)
    return query(
        "SELECT [*COLUMNS(*)] AS labels FROM (SELECT CAST(COLUMNS(*) AS VARCHAR) FROM :taxonomy) AS texts",
        taxonomy=exp.Table(this=identifier(table))
        if OTHER_FILE.fullmatch(table)
        else read_table(table, of_column(name)),
    )


def text_file(table: str) -> str | None:
    """The path of a text file, bare or in quotes; None for anything else.

    >>> text_file("zip.csv"), text_file("'my files/zip.csv'")
    ('zip.csv', 'my files/zip.csv')
    >>> text_file("zip_levels"), text_file("(FROM 'zip.csv')"), text_file("FROM zip.csv"), text_file('"zip"."csv"')
    (None, None, None, None)
    """
    matched = TEXT_FILE.fullmatch(table.strip())
    path = matched and (matched[1] or matched[2])
    return path if path and path.lower().endswith(TEXT_ENDINGS) and not is_query(table) else None


def file_rows(path: str, name: str) -> exp.Select:
    """The rows of a text file, all of one length. Of a file that is not there DuckDB reads nothing: SA101.

    The separator is the one that most lines have outside quotes. A first row that ends in another label than all
    others, which agree, is a header. If there is just one other, it could as well be a second root, unless the root is
    a star.
    """
    absent = WrongColumn(
        f"the taxonomy of column {name!r} is not there: there is no file {path!r}.",
        "A path is relative to where DuckDB runs; a table called like this goes in double quotes.",
    )
    return query(
        """
        WITH lines AS MATERIALIZED (
            SELECT unnest(lines) AS line, unnest(range(1, len(lines) + 1)) AS number
            FROM (
                SELECT CASE
                    WHEN count(*) = 0 THEN :absent
                    ELSE _sqlanon_lines(string_agg(content, chr(10) ORDER BY filename ASC NULLS LAST))
                END AS lines
                FROM read_text(:path)
            ) AS file
        ),
        separators AS (
            SELECT CASE
                WHEN semicolons >= tabs AND semicolons >= commas THEN ';' WHEN tabs >= commas THEN chr(9) ELSE ','
            END AS separator
            FROM (
                SELECT
                    count(*) FILTER (WHERE contains(unquoted, ';')) AS semicolons,
                    count(*) FILTER (WHERE contains(unquoted, chr(9))) AS tabs,
                    count(*) FILTER (WHERE contains(unquoted, ',')) AS commas
                FROM (SELECT regexp_replace(line, '"[^"]*"', '', 'g') AS unquoted FROM lines) AS without_quotes
            ) AS counted
        ),
        labelled AS MATERIALIZED (
            SELECT number, fields, fields[_sqlanon_last_label(fields)] AS root
            FROM (SELECT number, _sqlanon_fields(line, separator) AS fields FROM lines CROSS JOIN separators) AS split
        ),
        roots AS (
            SELECT
                max(len(fields)) AS width, count(*) AS rows,
                any_value(root) FILTER (WHERE number = 1) AS first,
                min(coalesce(root, '')) FILTER (WHERE number > 1) AS low,
                max(coalesce(root, '')) FILTER (WHERE number > 1) AS high
            FROM labelled
        )
        SELECT list_resize(fields, width) AS labels
        FROM labelled CROSS JOIN roots
        WHERE NOT (number = 1 AND coalesce(first <> low AND low = high AND (rows > 2 OR low = '*'), FALSE))
        """,
        absent=DUCKDB.raise_error(absent),
        path=text(path),
    )
