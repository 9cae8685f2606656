"""Cells that follow from the lowest and the highest value of a group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqlanon.statement.template import column, expression, field, query

from .cell import Cell, Join
from .leaf_lists import LeafLists


@dataclass(frozen=True)
class Extent(Cell):
    """Something that follows from the lowest and the highest value of the group."""

    wildcards: bool
    """Whether NULL has no code: then the extent of a group of nothing else is NULL."""

    def aggregates(self) -> dict[str, exp.Expr]:
        code = field("codes", self.key)
        return {f"low_{self.key}": exp.func("min", code), f"high_{self.key}": exp.func("max", code)}

    def joins(self) -> Sequence[Join]:
        equal = exp.NullSafeEQ if self.wildcards else exp.EQ
        return [
            (
                exp.alias_(exp.to_table(self.domain_step), end, table=True),
                equal(this=column("code", end), expression=column(end, "spans")),
                None,
            )
            for end in self.aggregates()
        ]

    def ends(self) -> dict[str, exp.Expr]:
        """Both ends, and their paths."""
        return {
            f"{end}{suffix}": column(name, f"{end}_{self.key}")
            for end in ("low", "high")
            for suffix, name in (("", "value"), ("_path", "path"))
        }

    def in_row(self) -> exp.Expr:
        return column(self.key, "numbered")


@dataclass(frozen=True)
class RecodedValue(Extent):
    """A macro, called on both ends, or on their paths in a taxonomy."""

    template: str

    def of_group(self) -> exp.Expr:
        return expression(self.template, **self.ends())


@dataclass(frozen=True)
class Leaves(LeafLists, Extent):
    """The leaves below the label at which both ends of a group meet."""

    def joins(self) -> Sequence[Join]:
        node = f"node_{self.key}"
        meets = expression(
            ":level = _sqlanon_level(:low_path, :high_path) AND :label = _sqlanon_label_text(:low_path, :high_path)",
            level=column("level", node),
            label=column("label", node),
            **self.ends(),
        )
        return [*super().joins(), (exp.alias_(exp.to_table(f"nodes_{self.key}"), node, table=True), meets, "left")]

    def of_group(self) -> exp.Expr:
        return column("position", f"node_{self.key}")

    def labelled_rows(self) -> exp.Select:
        return query(
            """
            SELECT
                _sqlanon_level(low.path, high.path) AS level, _sqlanon_label_text(low.path, high.path) AS label, size
            FROM (
                SELECT min(:code) AS low_code, max(:code) AS high_code, count(*) AS size
                FROM assigned
                WHERE grp >= 0
                GROUP BY grp
            ) AS extents
            JOIN :domain AS low ON low.code = low_code
            JOIN :domain AS high ON high.code = high_code
            """,
            code=field("codes", self.key),
            domain=f"domain_{self.key}",
        )
