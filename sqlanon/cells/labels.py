"""Cells whose level the algorithm chose: of the group, or, for sensitive attributes, of the row."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqlanon.statement.template import column, expression, field, query

from .cell import Cell, Join
from .leaf_lists import LeafLists


@dataclass(frozen=True)
class Label(Cell):
    """The label at the level that the algorithm chose for the group: its rows have the same one.

    A missing value has no label but the root's. Where published values are missing, the root is `*` in every group, so
    that a value is published in one way only.
    """

    number: int
    """Which of the levels is that of the column."""

    def aggregates(self) -> dict[str, exp.Expr]:
        level = expression("any_value(list_extract(levels, :number))", number=exp.convert(self.number))
        return {f"code_{self.key}": exp.func("min", field("codes", self.key)), f"level_{self.key}": level}

    def steps(self) -> dict[str, exp.Select]:
        return {**super().steps(), f"labels_{self.key}": self.labels()}

    def joins(self) -> Sequence[Join]:
        labels = f"labels_{self.key}"
        same = expression(
            ":code = :code_of AND :level = :level_of",
            code=column("code", labels),
            code_of=column(f"code_{self.key}", "spans"),
            level=column("level", labels),
            level_of=column(f"level_{self.key}", "spans"),
        )
        return [(exp.to_table(labels), same, "left")]  # left: a group of wildcards alone has no code

    def of_group(self) -> exp.Expr:
        return column("label", f"labels_{self.key}")

    def in_row(self) -> exp.Expr:
        return self.read_from(column(self.key, "numbered"))

    def read_from(self, label: exp.Expr) -> exp.Expr:
        """The columns of a row in `opened`, from those of the group."""
        return label

    @abstractmethod
    def labels(self) -> exp.Select:
        """By code and level, what is published, as `label`; for the levels that were chosen."""

    def labelled_codes(self) -> exp.Select:
        """Every code at every chosen level: the text of its label, whether this is the root, and whether it is `*`."""
        return query(
            """
            SELECT *, is_root AND bool_or(value IS NULL AND is_published) OVER () AS star
            FROM (
                SELECT
                    domain.code, level, value, path[level + 1] AS label,
                    level = max(len(path) - 1) OVER () AS is_root, NOT published.code IS NULL AS is_published
                FROM :domain AS domain
                CROSS JOIN (SELECT DISTINCT list_extract(levels, :number) AS level FROM assigned) AS chosen
                LEFT JOIN (SELECT DISTINCT :code AS code FROM assigned WHERE grp >= 0) AS published
                    ON published.code = domain.code
                WHERE NOT domain.code IS NULL
            ) AS leveled
            """,
            domain=self.domain_step,
            code=field("codes", self.key),
            number=exp.convert(self.number),
        )


@dataclass(frozen=True)
class LabelText(Label):
    """The label as text."""

    def labels(self) -> exp.Select:
        return query(
            "SELECT code, level, CASE WHEN star THEN '*' ELSE label END AS label FROM :labelled",
            labelled=self.labelled_codes().subquery("labelled"),
        )


@dataclass(frozen=True)
class LabelLeaves(LeafLists, Label):
    """The list of the leaves below the label."""

    def labels(self) -> exp.Select:
        return query(
            """
            SELECT labelled.code, labelled.level, nodes.position AS label
            FROM :labelled
            JOIN :nodes AS nodes
                ON nodes.level = CASE WHEN star OR labelled.label = '*' THEN 0 ELSE labelled.level + 1 END
                AND nodes.label = CASE WHEN star THEN '*' ELSE labelled.label END
            """,
            labelled=self.labelled_codes().subquery("labelled"),
            nodes=f"nodes_{self.key}",
        )

    def labelled_rows(self) -> exp.Select:
        return query(
            """
            SELECT level + 1 AS level, label, size
            FROM (
                SELECT :code AS code, list_extract(levels, :number) AS level, count(*) AS size
                FROM assigned
                WHERE grp >= 0
                GROUP BY ALL
            ) AS counted
            JOIN :labelled USING (code, level)
            """,
            code=field("codes", self.key),
            number=exp.convert(self.number),
            labelled=self.labelled_codes().subquery("labelled"),
        )


@dataclass(frozen=True)
class MadeLabel(Label):
    """A label of a taxonomy that was made: the range of the values below it, or `*`, written as any range is.

    The ends of a range are values of rows that are published: who is left out shall leave no trace.
    """

    template: str

    def labels(self) -> exp.Select:
        return query(
            "SELECT code, level, :written AS label FROM :ends",
            written=expression(self.template, low=column("low"), high=column("high")),
            ends=query(
                """
                SELECT
                    code, level,
                    min(value) OVER (PARTITION BY level, CASE WHEN is_root THEN NULL ELSE label END) AS low,
                    CASE WHEN NOT is_root THEN max(value) OVER (PARTITION BY level, label) END AS high
                FROM :labelled
                WHERE is_published
                """,
                labelled=self.labelled_codes().subquery("labelled"),
            ).subquery("ends"),
        )


@dataclass(frozen=True)
class RowLabel(Cell):
    """The label at the level that the algorithm chose for the row: of a sensitive attribute, rows of a group differ."""

    label: Label

    def steps(self) -> dict[str, exp.Select]:
        return self.label.steps()

    def member_joins(self) -> Sequence[Join]:
        labels = f"labels_{self.key}"
        same = expression(
            ":code = :code_of AND :level = list_extract(levels, :number)",
            code=column("code", labels),
            code_of=field("codes", self.key),
            level=column("level", labels),
            number=exp.convert(self.label.number),
        )
        return [(exp.to_table(labels), same, "left")]  # left: a missing value has no list of leaves

    def of_member(self) -> exp.Expr:
        return column("label", f"labels_{self.key}")

    def dictionary(self) -> exp.Select | None:
        return self.label.dictionary()

    def in_row(self) -> exp.Expr:
        return self.label.read_from(field("member", self.key))
