"""SQL that benchmarks share: literals, taxonomies, the columns of the census, the loss of a release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import duckdb

import sqlanon

CENSUS_QI = ["age", "gender", "education", "marital", "race", "workclass", "country"]


def connect_to_people(path: str, rows: int) -> duckdb.DuckDBPyConnection:
    """A database file with so many rows of the census in its table people."""
    con = sqlanon.connect(path)
    con.execute(f"CREATE TABLE people AS FROM census({rows})")
    return con


def literal(text: str) -> str:
    """A text as SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(column: str) -> str:
    """A column as SQL."""
    return '"' + column.replace('"', '""') + '"'


def struct(values: Mapping[str, object]) -> str:
    """A value for each column as an argument; NULL for none."""
    pairs = (f"{literal(c)}: {literal(value) if isinstance(value, str) else value}" for c, value in values.items())
    return f"{{{', '.join(pairs)}}}" if values else "NULL"


def builtin_taxonomies(data: str, columns: Iterable[str]) -> str:
    """The built-in taxonomies of columns, as an argument."""
    return struct({column: f"{data}_taxonomy('{column}')" for column in columns})


def read_loss(
    con: duckdb.DuckDBPyConnection,
    columns: str,
    source: str,
    release: str,
    qi: Sequence[str],
    sa: str | None = None,
    taxonomy: str = "NULL",
) -> tuple[float, ...]:
    """These columns of info_loss, for a release in a table."""
    sensitive = "NULL" if sa is None else literal(sa)
    arguments = f"'{source}', '{release}', {list(qi)}, sa := {sensitive}, taxonomy := {taxonomy}"
    [row] = con.execute(f"SELECT {columns} FROM info_loss({arguments})").fetchall()
    return tuple(row)
