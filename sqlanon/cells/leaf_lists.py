"""Cells that list the leaves of a taxonomy."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from sqlglot import exp

from sqlanon.errors import InvalidParameter
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.template import column, expression, query
from sqlanon.taxonomies.taxonomy import taxonomy_step

from .cell import Cell

LARGEST_LISTS = 100_000_000
"""Leaves that the lists of one typed column may hold together: they take some GB until they are written."""


@dataclass(frozen=True)
class LeafLists(Cell):
    """The sorted list of the leaves below a label; up to `opened`, known by its position among all lists."""

    name: str

    def steps(self) -> dict[str, exp.Select]:
        return {f"listed_{self.key}": self.listed_leaves(), f"nodes_{self.key}": self.nodes(), **super().steps()}

    def dictionary(self) -> exp.Select:
        return query(
            """
            SELECT list(leaves ORDER BY position ASC)
            FROM (SELECT position, any_value(leaves) AS leaves FROM :nodes GROUP BY position) AS positions
            """,
            nodes=f"nodes_{self.key}",
        )

    def in_row(self) -> exp.Expr:
        return self.read_from(column(self.key, "numbered"))

    def read_from(self, position: exp.Expr) -> exp.Expr:
        """The list that has this position."""
        return expression(":lists[:position + 1]", lists=column(self.key, "dictionary"), position=position)

    @abstractmethod
    def labelled_rows(self) -> exp.Select:
        """The labels that rows publish: level, label, and how many rows do."""

    def listed_leaves(self) -> exp.Select:
        """One row: TRUE if all lists that would be published fit in memory. Counted before there is any list."""
        too_long = InvalidParameter(
            f"format 'typed' would list too many leaves of the taxonomy of column {self.name!r}.",
            "Use format 'text', or a taxonomy with fewer leaves.",
        )
        return query(
            """
            SELECT CASE WHEN sum(size * leaf_count) > :most THEN :too_long ELSE TRUE END AS fit
            FROM :labelled_rows
            JOIN (SELECT level, label, count(*) AS leaf_count FROM :labels GROUP BY level, label) AS nodes
                ON nodes.level = labelled.level AND nodes.label = labelled.label
            """,
            most=exp.Literal.number(LARGEST_LISTS),
            too_long=DUCKDB.raise_error(too_long),
            labelled_rows=self.labelled_rows().subquery("labelled"),
            labels=self.labelled_leaves().subquery("leaves"),
        )

    def nodes(self) -> exp.Select:
        """Every node of the taxonomy and `*`, with the list that it publishes, and its position among all lists.

        Level 1 is the leaf itself, and `*` has level 0.
        """
        return query(
            """
            SELECT level, label, leaves, CAST(dense_rank() OVER (ORDER BY leaves ASC) - 1 AS INTEGER) AS position
            FROM (
                SELECT level, label, list(leaf ORDER BY leaf ASC) AS leaves
                FROM :labels CROSS JOIN :listed
                WHERE fit
                GROUP BY level, label
                UNION ALL SELECT 0, '*', ['*']
            ) AS nodes
            """,
            labels=self.labelled_leaves().subquery("labelled"),
            listed=f"listed_{self.key}",
        )

    def labelled_leaves(self) -> exp.Select:
        """Every leaf beside each label above it, and itself, but for `*`, which is published as such."""
        return query(
            """
            SELECT path[1] AS leaf, level, path[level] AS label
            FROM (SELECT path, unnest(range(1, len(path) + 1)) AS level FROM :taxonomy) AS steps
            WHERE path[level] <> '*'
            """,
            taxonomy=taxonomy_step(self.key),
        )
