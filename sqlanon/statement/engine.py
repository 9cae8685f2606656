"""The engines that statements are written for: DuckDB with sqlanon loaded, and any other, which has plain SQL alone.

>>> refused = InvalidParameter(f"column 'a' has type {blank('type')}.", "Cast it.")
>>> DUCKDB.raise_error(refused, type=exp.column("t")).sql("duckdb")
"ERROR('[SA102] column ''a'' has type ' || t || '. Cast it.')"
>>> OtherEngine("postgres").raise_error(InvalidParameter("too long.")).sql("postgres")
"CAST('[SA102] too long.' AS DOUBLE PRECISION)"
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from sqlglot import exp

from sqlanon.errors import InvalidParameter, SqlanonError

from .blanks import blank, fill_blanks
from .source import read_portable_table, read_table, select_columns, wanted_columns
from .template import Once, Step, expression, query_of
from .writer import write_statement

__all__ = ["DUCKDB", "OTHER_ENGINES", "DuckDB", "Engine", "OtherEngine", "blank", "other_engine"]

OTHER_ENGINES = ("duckdb", "postgres", "snowflake", "bigquery", "spark", "databricks")
"""Engines that plain statements are written for; DuckDB without sqlanon is one of them."""


class Engine(ABC):
    """An engine, and how it says what engines do not have in common."""

    @abstractmethod
    def table(self, reference: str, argument: str = "tbl") -> exp.Expr:
        """A table that a user passed. SA103 for anything else."""

    @abstractmethod
    def rows(self, tbl: str, function: str, columns: Mapping[str, str], argument: str = "tbl") -> exp.Select:
        """SELECT columns of a user's table, {our name: the user's name of it}."""

    @abstractmethod
    def step(self, part: Step) -> Step:
        """A step that several others read."""

    @abstractmethod
    def is_wild(self, column: exp.Expr) -> exp.Expr:
        """Whether a published value is NULL, or the star."""

    @abstractmethod
    def same(self, one: exp.Expr, other: exp.Expr) -> exp.Expr:
        """Equal, NULL too, in a way that the engine joins by hash."""

    @abstractmethod
    def raise_error(
        self, error: SqlanonError, type_name: str = "", row: exp.Expr | None = None, **blanks: exp.Expr
    ) -> exp.Expr:
        """An error of ours, as a value of a type, with its blanks filled in.

        A `row`, any column, keeps an engine from raising it before a row needs it.
        """

    @abstractmethod
    def write(self, statement: exp.Expr) -> str:
        """The statement as text."""


class DuckDB(Engine):
    """DuckDB with sqlanon loaded: our macros and Arrow functions, errors of our own, releases in either format."""

    def table(self, reference: str, argument: str = "tbl") -> exp.Expr:
        return read_table(reference, argument)

    def rows(self, tbl: str, function: str, columns: Mapping[str, str], argument: str = "tbl") -> exp.Select:
        """A column that is not there is an error of ours."""
        return wanted_columns(tbl, function, columns, argument)

    def step(self, part: Step) -> Step:
        return part if isinstance(part, Once) else Once(query_of(part))

    def is_wild(self, column: exp.Expr) -> exp.Expr:
        return expression("_sqlanon_is_wild(:column)", column=column)

    def same(self, one: exp.Expr, other: exp.Expr) -> exp.Expr:
        return exp.NullSafeEQ(this=one, expression=other)

    def raise_error(
        self, error: SqlanonError, type_name: str = "", row: exp.Expr | None = None, **blanks: exp.Expr
    ) -> exp.Expr:
        raised = expression("error(:message)", message=fill_blanks(str(error), **blanks))
        return exp.cast(raised, type_name) if type_name else raised

    def write(self, statement: exp.Expr) -> str:
        return write_statement(statement)


class OtherEngine(Engine):
    """Any engine, by the name of its dialect: SQL that all of them have in common, releases in text."""

    def __init__(self, name: str) -> None:
        self.name = name

    def table(self, reference: str, argument: str = "tbl") -> exp.Expr:
        """Some engines want a name for every subquery."""
        table = read_portable_table(reference, argument)
        return exp.alias_(table, argument, table=True) if isinstance(table, exp.Subquery) else table

    def rows(self, tbl: str, function: str, columns: Mapping[str, str], argument: str = "tbl") -> exp.Select:
        return select_columns(columns).from_(self.table(tbl, argument), copy=False)

    def step(self, part: Step) -> Step:
        """The engine decides how often it runs."""
        return part

    def is_wild(self, column: exp.Expr) -> exp.Expr:
        """Without coalesce around what is never NULL here: PostgreSQL would expect half of all classes to match."""
        return expression("(:column IS NULL OR CAST(:column AS VARCHAR) = '*')", column=column)

    def same(self, one: exp.Expr, other: exp.Expr) -> exp.Expr:
        return expression("coalesce('+' || :one, '-') = coalesce('+' || :other, '-')", one=one, other=other)

    def raise_error(
        self, error: SqlanonError, type_name: str = "", row: exp.Expr | None = None, **blanks: exp.Expr
    ) -> exp.Expr:
        """Engines have no error() in common, but all refuse to read a message as a number."""
        message = fill_blanks(str(error), **blanks)
        if row is not None:
            no_text = exp.cast(row, "VARCHAR")
            message = expression("concat(:message, substring(:no_text, 1, 0))", message=message, no_text=no_text)
        return exp.cast(message, type_name or "DOUBLE")

    def write(self, statement: exp.Expr) -> str:
        return statement.sql(dialect=self.name, pretty=True)


DUCKDB = DuckDB()


def other_engine(name: str) -> OtherEngine:
    """An engine by the name of its dialect; SA102 lists the choices."""
    if name not in OTHER_ENGINES:
        raise InvalidParameter.unknown("dialect", name, OTHER_ENGINES)
    return OtherEngine(name)
