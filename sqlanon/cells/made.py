"""Cells of columns whose taxonomy is made in the call: nothing in them comes from a row that is left out."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from sqlanon.statement.template import expression, field, query

from .cell import Cell
from .extents import Leaves, RecodedValue
from .labels import LabelLeaves, LabelText
from .leaf_lists import LeafLists

RANGE = r"\[[^,]+, [^,]+\]"
"""A label that numeric_taxonomy gives to a bin of several values."""


class PublishedRanges(Cell):
    """Labels that are ranges end at values of published rows."""

    @property
    def domain_step(self) -> str:
        return f"published_{self.key}"

    def steps(self) -> dict[str, exp.Select]:
        return {self.domain_step: self.published_paths(), **super().steps()}

    def published_paths(self) -> exp.Select:
        """The domain of the column, with ranges over the values of published rows in the paths of these."""
        return query(
            """
            SELECT domain.code, domain.value, labelled.path
            FROM :domain AS domain
            LEFT JOIN (
                SELECT code, list(:written ORDER BY level ASC) AS path
                FROM (
                    SELECT
                        code, level, label,
                        min(value) OVER (PARTITION BY level, label) AS low,
                        max(value) OVER (PARTITION BY level, label) AS high
                    FROM (
                        SELECT code, value, unnest(path) AS label, unnest(range(1, len(path) + 1)) AS level
                        FROM :domain
                        WHERE code IN (SELECT :code FROM assigned WHERE grp >= 0)
                    ) AS steps
                ) AS spanned
                GROUP BY code
            ) AS labelled ON labelled.code = domain.code
            """,
            domain=f"domain_{self.key}",
            written=expression(
                """
                CASE
                    WHEN level > 1 AND regexp_full_match(label, :range) THEN _sqlanon_range_text('range', low, high)
                    ELSE label
                END
                """,
                range=exp.Literal.string(RANGE),
            ),
            code=field("codes", self.key),
        )


class PublishedLeaves(LeafLists):
    """Lists have the values of published rows only."""

    def labelled_leaves(self) -> exp.Select:
        published = query(
            """
            SELECT CAST(value AS VARCHAR) FROM :domain
            WHERE NOT value IS NULL AND code IN (SELECT :code FROM assigned WHERE grp >= 0)
            """,
            domain=f"domain_{self.key}",
            code=field("codes", self.key),
        )
        return super().labelled_leaves().where(expression("path[1] IN (:published)", published=published.subquery()))


@dataclass(frozen=True)
class MadeTaxonomyValue(PublishedRanges, RecodedValue):
    """The label at which both ends of a group meet."""


@dataclass(frozen=True)
class MadeTaxonomyText(PublishedRanges, LabelText):
    """The label at the level that the algorithm chose."""


@dataclass(frozen=True)
class MadeTaxonomyLeaves(PublishedLeaves, Leaves):
    """The leaves below the label at which both ends of a group meet."""


@dataclass(frozen=True)
class MadeTaxonomyLabelLeaves(PublishedLeaves, LabelLeaves):
    """The leaves below the label at the level that the algorithm chose."""
