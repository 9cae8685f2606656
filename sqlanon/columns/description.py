"""The statement behind columns.

described  one row per column: its number, name and type
counted    the distinct values of each column, as text, with the rows that have them
shapes     per column and shape of values (an e-mail address, a number …): the rows whose values have it
measured   one row per column: rows, distinct values, the shape that most rows have
named      what columns hold by their names, where the values allow it: see known_names
seen       what the values look like
judged     the rule that suggests a role
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.statement.source import read_table_for
from sqlanon.statement.template import Once, Step, query, with_steps

from .known_names import name_steps
from .request import Description
from .unknown import describe_columns, texts


def columns_statement(request: Description) -> exp.Select:
    """Build the statement. Values are grouped once for all columns; patterns look at each distinct value."""
    answer = query(
        """
        SELECT
            name AS "column", _sqlanon_type_outline(type_name) AS type, distinct_values, unique_share, looks_like,
            _sqlanon_role(rule, meaning) AS role,
            _sqlanon_reason(
                rule, meaning, looks_like, share, distinct_values, unique_share, most_rows, numbered
            ) AS reason,
            _sqlanon_role(rule, meaning) = 'identifier' AND known_values < known
                AND _sqlanon_counts_people(rule, meaning, looks_like, shape, share)
                AND NOT coalesce(
                    looks_like IN ('name', 'phone') AND bool_or(looks_like = 'person id' AND unique_share = 1) OVER (),
                    FALSE
                ) AS entity
        FROM judged
        ORDER BY column_number ASC
        """
    )
    table = read_table_for(request.function, request.tbl, "tbl")
    steps: dict[str, Step] = {
        "described": Once(describe_columns(table)),
        "counted": count_values(table),
        "shapes": shapes(),
        "measured": Once(measure_columns()),
        **name_steps(),
        "seen": seen(),
        "judged": apply_rules(),
    }
    return with_steps(answer, steps)


def count_values(table: exp.Expr) -> exp.Select:
    """How many rows have each value."""
    return query(
        """
        SELECT column_number, value, count(*) AS n
        FROM (
            SELECT unnest(range(1, len(texts) + 1)) AS column_number, unnest(texts) AS value
            FROM (SELECT [*COLUMNS(*)] AS texts FROM :texts) AS listed
        ) AS cells
        GROUP BY column_number, value
        """,
        texts=texts(table).subquery("texts"),
    )


def shapes() -> exp.Select:
    """The shape of the values of each column. A value that is missing has no shape."""
    return query(
        """
        SELECT
            column_number, shape, sum(n) AS n, count(*) AS distinct_values,
            count(*) FILTER (WHERE n = 1) AS unique_rows,
            max(n) AS most_rows, sum(n) FILTER (WHERE NOT number IS NULL) AS numeric,
            sum(n) FILTER (WHERE number = floor(number)) AS whole,
            min(number) FILTER (WHERE isfinite(number)) AS low, max(number) FILTER (WHERE isfinite(number)) AS high,
            min(year) AS first_year, max(year) AS last_year
        FROM (
            SELECT
                column_number, n, shape, TRY_CAST(value AS DOUBLE) AS number,
                CASE WHEN shape = 'date' THEN TRY_CAST(regexp_extract(value, '\\d{4}') AS INTEGER) END AS year
            FROM (
                SELECT
                    counted.column_number, counted.n, counted.value,
                    CASE
                        WHEN counted.value IS NULL OR described.kind = 'refused' THEN NULL
                        ELSE coalesce(_sqlanon_typed_shape(described.type_name), _sqlanon_shape(counted.value))
                    END AS shape
                FROM counted JOIN described ON described.column_number = counted.column_number
            ) AS shaped
        ) AS valued
        GROUP BY column_number, shape
        """
    )


def measure_columns() -> exp.Select:
    """One row per column, of an empty table, too."""
    return query(
        """
        SELECT
            described.column_number, any_value(described.name) AS name, any_value(described.type_name) AS type_name,
            any_value(described.kind) AS kind,
            coalesce(sum(n), 0) AS rows,
            coalesce(sum(n) FILTER (WHERE NOT shape IS NULL), 0) AS known,
            CAST(coalesce(sum(distinct_values), 0) AS BIGINT) AS distinct_values,
            coalesce(sum(distinct_values) FILTER (WHERE NOT shape IS NULL), 0) AS known_values,
            max(most_rows) FILTER (WHERE NOT shape IS NULL) AS most_rows,
            sum(unique_rows) / sum(n) AS unique_share,
            arg_max(shape, {'n': n, 'shape': shape}) FILTER (WHERE NOT shape IS NULL) AS shape,
            max(n) FILTER (WHERE NOT shape IS NULL) AS shaped,
            coalesce(sum(numeric), 0) AS numeric, coalesce(sum(whole), 0) AS whole, min(low) AS low, max(high) AS high,
            max(last_year) - min(first_year) AS years
        FROM described LEFT JOIN shapes ON shapes.column_number = described.column_number
        GROUP BY described.column_number
        """
    )


def seen() -> exp.Select:
    """The shape of every column; `numbered` columns have the same name but for its number."""
    return query(
        """
        SELECT
            *, count(*) FILTER (WHERE looks_like = 'number' AND regexp_matches(name, '[0-9]$')) OVER (
                PARTITION BY regexp_replace(name, '[0-9]+$', '')
            ) AS numbered
        FROM (
            SELECT
                measured.*, named.meaning, shaped / known AS share, known_values / known AS known_share,
                CASE WHEN known > 0 THEN _sqlanon_looks_like(
                    named.meaning, shape, shaped / known, numeric / known, known_values / known, low, high, years
                ) END AS looks_like
            FROM measured LEFT JOIN named ON named.column_number = measured.column_number
        ) AS looked_at
        """
    )


def apply_rules() -> exp.Select:
    """The rule that holds for every column."""
    return query(
        """
        SELECT *, _sqlanon_role_rule(
            kind <> 'refused', rows, known, known_values, known_share, unique_share, looks_like, shape, share, meaning,
            looks_like = 'number' AND whole = numeric, low, high, numbered
        ) AS rule
        FROM seen
        """
    )
