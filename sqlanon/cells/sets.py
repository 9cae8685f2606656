"""Cells of releases without groups: a row publishes what the algorithm says of it, and values of its own."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from sqlanon.statement.template import column, expression, field

from .cell import Cell


@dataclass(frozen=True)
class ValueSet(Cell):
    """A set of values that the algorithm chose, as a sorted list; `number` is its position among the sets of a row.

    Sets are positions in the domain of the column, from 1; `domain` selects it as one list.
    """

    number: int
    domain: exp.Select

    def of_member(self) -> exp.Expr:
        return exp.func("list_extract", column("sets", "assigned"), exp.Literal.number(self.number))

    def dictionary(self) -> exp.Select:
        return self.domain

    def in_row(self) -> exp.Expr:
        return expression(
            "list_select(:listed, :positions)",
            listed=column(self.key, "dictionary"),
            positions=field("member", self.key),
        )


class PlainValue(Cell):
    """The row's own value, as it stands."""

    def of_member(self) -> exp.Expr:
        return column(self.key, "assigned")

    def in_row(self) -> exp.Expr:
        return field("member", self.key)
