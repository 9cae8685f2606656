"""A connection for the tests of a module, and tables for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb
import pytest

import sqlanon

Row = tuple[Any, ...]
UNKIND = """
    CASE WHEN i % 11 = 0 THEN NULL ELSE i * 37 % 83 END AS age,
    CASE WHEN i % 13 = 0 THEN 'nan'::DOUBLE WHEN i % 17 = 0 THEN 'inf'::DOUBLE ELSE i % 7 / 3 END AS score,
    CASE WHEN i % 5 > 0 THEN DATE '2024-01-01' + CAST(i * 7 % 400 AS INTEGER) END AS seen,
    CASE WHEN i % 19 = 0 THEN NULL WHEN i % 23 = 0 THEN '*' ELSE 'c' || i % 6 END AS city
"""
"""Columns of range() AS numbers(i) with all that quasi-identifiers may be."""


class TestConnection:
    """A connection that tests share: hypothesis keeps their arguments to the end, and must not keep DuckDB's own."""

    __test__ = False  # it is no test, whatever its name begins with

    def __init__(self) -> None:
        self.connection = sqlanon.connect()
        # tables of tests are small, and a second thread costs more than it does; what depends on threads sets them
        self.connection.execute("SET threads = 1")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def rows(self, sql: str) -> list[Row]:
        """The answer of a statement."""
        found: list[Row] = self.connection.execute(sql).fetchall()
        return found

    def refusal(self, sql: str) -> str:
        """The error of ours that a statement raises."""
        with pytest.raises(duckdb.Error) as raised:
            self.rows(sql)
        coded = sqlanon.errors.from_duckdb(raised.value)
        assert coded is not None, str(raised.value)
        return str(coded)


@contextmanager
def open_connection() -> Iterator[TestConnection]:
    """A connection that is closed and forgotten in the end."""
    connection = TestConnection()
    yield connection
    connection.connection.close()
    del connection.connection


def store(con: TestConnection, name: str, types: Mapping[str, str], rows: Sequence[Row]) -> None:
    """Make a table of the rows, {column: type}."""
    columns = ", ".join(f"{quote(column)} {kind}" for column, kind in types.items())
    con.execute(f"CREATE OR REPLACE TABLE {quote(name)} ({columns})")
    if rows:
        placeholders = ", ".join([f"({', '.join('?' * len(types))})"] * len(rows))
        con.execute(f"INSERT INTO {quote(name)} VALUES {placeholders}", [cell for row in rows for cell in row])


def quote(name: str) -> str:
    """A name as an identifier."""
    return '"' + name.replace('"', '""') + '"'
