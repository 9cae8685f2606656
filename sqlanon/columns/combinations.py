"""The statement behind quasi_identifiers.

table      the columns that were named, or all
described  one row per column: its number, name and type
packed     one row: all rows, as text
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.statement.source import read_table_for, wanted_columns
from sqlanon.statement.template import Once, Step, identifier, query, with_steps

from .request import Combinations
from .unknown import describe_columns, texts


def combinations_statement(request: Combinations) -> exp.Select:
    """Build the statement: the whole table goes through one function."""
    combined = query(
        """
        SELECT _sqlanon_quasi_identifiers(packed.rows, known.columns, :max_size, :named) AS combinations
        FROM packed
        CROSS JOIN (
            SELECT list({'name': name, 'type_name': type_name, 'kind': kind} ORDER BY column_number ASC) AS columns
            FROM described
        ) AS known
        """,
        max_size=exp.Literal.number(request.max_size),
        named=exp.true() if request.columns is not None else exp.false(),
    )
    answer = query(
        """
        SELECT
            struct_extract(combination, 'columns') AS columns,
            struct_extract(combination, 'distinction') AS distinction,
            struct_extract(combination, 'separation') AS separation,
            struct_extract(combination, 'unique_rows') AS unique_rows,
            struct_extract(combination, 'unique_share') AS unique_share
        FROM (
            SELECT unnest(range(len(combinations))) AS number, unnest(combinations) AS combination FROM :combined
        ) AS opened
        ORDER BY number ASC
        """,
        combined=combined.subquery("combined"),
    )
    table = chosen_columns(request)
    steps: dict[str, Step] = {"described": Once(describe_columns(table)), "packed": pack_rows(table)}
    return with_steps(answer, steps)


def chosen_columns(request: Combinations) -> exp.Expr:
    """The table that is looked at, whose columns keep their names."""
    if request.columns is None:
        return read_table_for(request.function, request.tbl, "tbl")
    keys = {f"column_{number}": name for number, name in enumerate(request.columns, 1)}
    wanted = wanted_columns(request.tbl, request.function, keys)
    renamed = exp.select(*(exp.alias_(exp.column(key), identifier(name)) for key, name in keys.items()))
    return renamed.from_(wanted.subquery("named"), copy=False).subquery()


def pack_rows(table: exp.Expr) -> exp.Select:
    """One row: a struct of texts for each row. NULL if there are none."""
    return query("SELECT list(row(*COLUMNS(*))) AS rows FROM :texts", texts=texts(table).subquery("texts"))
