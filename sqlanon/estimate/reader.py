"""How published values are read on an engine: all that differs between the statements for DuckDB and for others.

From

    published_*   the distinct cells of a column

its `item_steps` make

    items_*    every cell that tells something, a row per value or range in it: cell, size (how many), label (its
               text), low_text and high_text (the ends of a range, else the label twice), ranged (whether it is one of
               numbers, dates or times), measured (whether it is of a type of those), alone (whether the cell is text,
               and no list: a value, or a label)
    stars_*    the cells that tell nothing

and everything after that is the same everywhere.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from decimal import Decimal

from sqlglot import exp

from sqlanon.errors import SqlanonError
from sqlanon.statement.engine import Engine
from sqlanon.statement.template import column as our_column
from sqlanon.statement.template import expression, query

from .columns import QueryColumn
from .regions import Regions

Refusal = tuple[exp.Expr, SqlanonError]
"""A condition that must not be, and the error that it is."""
BELOW_ALL, ABOVE_ALL = "CAST('-inf' AS DOUBLE)", "CAST('inf' AS DOUBLE)"


class Reader(ABC):
    """Reads published values on one engine."""

    engine: Engine

    def refuse(self, columns: Sequence[QueryColumn]) -> None:  # noqa: B027  most engines have nothing to refuse
        """Refuse what the engine cannot compare."""

    def first_steps(self) -> dict[str, exp.Query]:
        """Steps that others read, where an engine lacks something."""
        return {}

    @abstractmethod
    def rows(self, rel: str, columns: Mapping[str, str]) -> exp.Select:
        """The rows of the release: {our name of a column: the analyst's}."""

    @abstractmethod
    def may_be(self, cell: exp.Expr, texts: Sequence[str]) -> exp.Expr:
        """Whether a cell may have one of these values; false only of a single value that is text."""

    @abstractmethod
    def published_cells(self, column: QueryColumn, rel: str, filtered: bool) -> exp.Query:
        """published_*: a star stands for what all rows show, of which classes has some only, if it is `filtered`."""

    def is_recoded(self, column: QueryColumn, rel: str) -> exp.Query:
        """One row: whether the column is known to be the same throughout every group, as what may be recoded is."""
        return query("SELECT 1 = 0 AS recoded")

    @abstractmethod
    def item_steps(self, column: QueryColumn) -> dict[str, exp.Query]:
        """Steps from published_* to items_* and stars_*."""

    def leaves(self, column: QueryColumn) -> exp.Select | None:
        """The leaves that a star stands for, if the column has a taxonomy: rows like those of items_*."""
        return None

    @abstractmethod
    def is_number(self, end: str) -> exp.Expr:
        """Whether the text of an end, `low` or `high`, is a number."""

    @abstractmethod
    def is_time(self, end: str) -> exp.Expr:
        """Whether the text of an end is a date or a moment."""

    @abstractmethod
    def is_day(self, end: str) -> exp.Expr:
        """Whether an end that is a date or a moment is a date."""

    @abstractmethod
    def number(self, column: QueryColumn, end: str) -> exp.Expr:
        """An end as a number, NaN above all others."""

    @abstractmethod
    def days(self, column: QueryColumn, end: str) -> exp.Expr:
        """An end as days since 1970."""

    def scale(self) -> exp.Expr:
        """How values are compared, as text: `exact`, or in a way that moves the constants of the query."""
        return exp.Literal.string("exact")

    def position(self, regions: Regions, position: Decimal | int) -> exp.Expr:
        """A constant of the query on its axis, over the column `scale`; or a whole number."""
        return double(position)

    def refused_items(self, column: QueryColumn, axis: str | None) -> list[Refusal]:
        """Refusals of single rows of items_*."""
        return []

    def refused_columns(self, column: QueryColumn, axis: str | None) -> list[Refusal]:
        """Refusals of all rows of placed_* together."""
        return []

    def fail(self, error: SqlanonError, row: str = "cell") -> exp.Expr:
        """A DOUBLE that cannot be had, for a row that has this column."""
        return self.engine.raise_error(error, "DOUBLE", row=our_column(row))

    def guard(self, refusals: Sequence[Refusal], row: str = "cell") -> exp.Expr:
        """A condition that is true, or an error."""
        cases = exp.Case()
        for wrong, error in refusals:
            cases = cases.when(wrong, exp.Is(this=self.fail(error, row), expression=exp.null()))
        return cases.else_(exp.true())

    @abstractmethod
    def step_values(self, ranges: exp.Select, size: str) -> exp.Select:
        """Every whole number from low to high, a row each, as `step`."""

    def step_text(self, time: bool) -> exp.Expr:
        """A `step` as the release writes it."""
        step = "CAST('1970-01-01' AS DATE) + CAST(step AS INTEGER)" if time else "CAST(step AS BIGINT)"
        return expression(f"CAST({step} AS VARCHAR)")

    def value(self, label: exp.Expr) -> exp.Expr:
        """A value of GROUP BY, beside its `cell`."""
        return label


def double(number: Decimal | int | float) -> exp.Expr:
    """A number as a DOUBLE."""
    if math.isinf(number):
        return infinity(below=number < 0)
    digits = repr(float(number))
    return exp.Literal.number(digits if "e" in digits else f"{digits}e0")


def infinity(*, below: bool) -> exp.Expr:
    return expression(BELOW_ALL if below else ABOVE_ALL)
