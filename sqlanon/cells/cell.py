"""A published cell, and its kinds that need nothing but the values of rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqlanon.statement.template import column, expression, field, query

Join = tuple[exp.Expr, exp.Expr, str | None]
"""A table, the condition, and the kind of the join."""


@dataclass(frozen=True)
class Cell(ABC):
    """The cells of a column."""

    key: str

    @property
    def domain_step(self) -> str:
        """The step that has the values of the column by code, and their paths."""
        return f"domain_{self.key}"

    def of_member(self) -> exp.Expr | None:
        """The part of its cell that is a row's own, so that it is one of the `members`; they are sorted by it."""
        return None

    def member_joins(self) -> Sequence[Join]:
        """The steps that are joined to the rows for that."""
        return ()

    def steps(self) -> dict[str, exp.Select]:
        """Steps that it needs before `spans`."""
        return {}

    def aggregates(self) -> dict[str, exp.Expr]:
        """The aggregates that it takes of all rows of a group."""
        return {}

    def joins(self) -> Sequence[Join]:
        """The steps that `groups` joins to `spans`."""
        return ()

    def of_group(self) -> exp.Expr | None:
        """The cell of the group; groups are numbered by it."""
        return None

    def dictionary(self) -> exp.Select | None:
        """One list: what codes, or positions, stand for."""
        return None

    @abstractmethod
    def in_row(self) -> exp.Expr:
        """The columns of a row in `opened`."""

    def written(self) -> exp.Expr:
        """The cell as it leaves."""
        return column(self.key, "opened")


class OwnValue(Cell):
    """The row's own value, in its own type."""

    def of_member(self) -> exp.Expr:
        return field("codes", self.key)

    def dictionary(self) -> exp.Select:
        return values_by_code(self.key)

    def in_row(self) -> exp.Expr:
        return expression(":listed[:code + 1]", listed=column(self.key, "dictionary"), code=field("member", self.key))


@dataclass(frozen=True)
class ExactValue(OwnValue):
    """The row's own value of a quasi-identifier, in the format of the release."""

    template: str

    def written(self) -> exp.Expr:
        return expression(self.template, value=column(self.key, "opened"))


@dataclass(frozen=True)
class ListOfValues(Cell):
    """All values of the group, sorted, in place of the row's own."""

    template: str

    def aggregates(self) -> dict[str, exp.Expr]:
        return {self.key: expression("_sqlanon_sorted(list(:code))", code=field("codes", self.key))}

    def of_group(self) -> exp.Expr:
        return column(self.key, "spans")

    def dictionary(self) -> exp.Select:
        return values_by_code(self.key)

    def in_row(self) -> exp.Expr:
        return expression(
            "list_transform(:codes, lambda code: :listed[code + 1])",
            codes=column(self.key, "numbered"),
            listed=column(self.key, "dictionary"),
        )

    def written(self) -> exp.Expr:
        return expression(self.template, value=column(self.key, "opened"))


def values_by_code(key: str) -> exp.Select:
    """One list: the values of a column."""
    return query("SELECT list(value ORDER BY code ASC) FROM :domain", domain=f"domain_{key}")
