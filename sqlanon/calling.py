"""SQL functions and statements of ours, run from Python: the one way of certificates, reports, policies and commands.

>>> import sqlanon
>>> con = sqlanon.connect()
>>> _ = con.execute("CREATE TABLE people AS SELECT i % 3 AS disease FROM range(9) AS r(i)")
>>> call(con, "eligibility", {"tbl": "people", "sa": "disease"}).only["max_l"]
3
>>> con.close()
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb

from .connection import is_loaded, load
from .errors import from_duckdb
from .functions import complete_arguments

if TYPE_CHECKING:
    from sqlglot import exp


ANSWER = "_sqlanon_answer"
"""The name by which a query reads what a function answers. Names that begin so are ours."""


Record = dict[str, Any]


class Rows(NamedTuple):
    """The answer of a statement."""

    names: list[str]
    rows: list[tuple[Any, ...]]

    @property
    def only(self) -> Record:
        """The one row, by column."""
        (row,) = self.rows
        return dict(zip(self.names, row, strict=True))

    @property
    def records(self) -> list[Record]:
        """Every row, by column."""
        return [dict(zip(self.names, row, strict=True)) for row in self.rows]


def call(
    con: duckdb.DuckDBPyConnection, function: str, arguments: Mapping[str, object], query: str = f"FROM {ANSWER}"
) -> Rows:
    """The answer of a SQL function, or of a query over it."""
    return run(con, f"WITH {ANSWER} AS ({write_call(function, arguments)}) {query}")


def write_call(function: str, arguments: Mapping[str, object]) -> str:
    """The statement that a call of a SQL function runs; an argument that is None is left out."""
    from .statement.planning import statement  # here, because it brings sqlglot when it builds

    named = {name: value for name, value in arguments.items() if value is not None}
    return statement(function, complete_arguments(function, named))


def write(statement: str | exp.Query) -> str:
    """A statement as text, which may have been built as a tree."""
    if isinstance(statement, str):
        return statement
    from .statement.writer import write_statement

    return write_statement(statement)


def run(con: duckdb.DuckDBPyConnection, statement: str | exp.Query) -> Rows:
    """The rows that a statement answers. sqlanon is loaded if it is not; errors of ours are raised as what they are."""
    with coded_errors():
        answer = execute(con, statement)
        return Rows([column[0] for column in answer.description or ()], answer.fetchall())


def run_as_arrays(con: duckdb.DuckDBPyConnection, statement: str) -> dict[str, Any]:
    """The columns that a statement answers, as numpy has them."""
    with coded_errors():
        return execute(con, statement).fetchnumpy()


def execute(con: duckdb.DuckDBPyConnection, statement: str | exp.Query) -> duckdb.DuckDBPyConnection:
    """Run a statement, after loading sqlanon if need be; return the connection, with the answer."""
    if not is_loaded(con):
        load(con)
    return con.execute(write(statement))


@contextmanager
def temporary_table(con: duckdb.DuckDBPyConnection, statement: str | exp.Query) -> Iterator[str]:
    """A table of what a statement answers, for a while; return its name."""
    name = f"made_for_a_while_{secrets.token_hex(8)}"
    try:
        run(con, f"CREATE TEMP TABLE {name} AS {write(statement)}")
        yield name
    finally:
        con.execute(f"DROP TABLE IF EXISTS {name}")


@contextmanager
def coded_errors() -> Iterator[None]:
    """Errors of ours leave DuckDB as what they are."""
    try:
        yield
    except (duckdb.Error, MemoryError) as error:
        coded = from_duckdb(error)
        if coded is None:
            raise
        raise coded from None
