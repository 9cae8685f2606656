"""What each column of a release publishes: a class for each kind of cell, and one place that chooses.

A cell is told by the group, from the codes that its rows have, or it is the row's own value. The macros of
sql/write_cells.sql write it. What a cell is made of goes through these steps:

    spans      one row per group: `members`, what its rows publish of their own, sorted; what cells take from all rows
    groups     the same with what the group publishes
    dictionary one row: by column, the list that turns codes, or places, into what is published
    opened     one row per member, with values for codes
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqlanon.errors import InvalidParameter
from sqlanon.request.release import Release

from .taxonomy import taxonomy_step
from .template import Columns, Role, column, expression, field, query, text

LARGEST_LISTS = 100_000_000
"""Leaves that the lists of one typed column may hold together: they take some GB until they are written."""

Join = tuple[exp.Expr, exp.Expr, str | None]
"""A table, the condition, and the kind of the join."""


@dataclass(frozen=True)
class Cell(ABC):
    """What a column publishes."""

    key: str

    def of_member(self) -> exp.Expr | None:
        """What a row publishes of its own, so that it is one of the `members`; they are sorted by it."""
        return None

    def member_joins(self) -> Sequence[Join]:
        """What is joined to the rows for that."""
        return ()

    def steps(self) -> dict[str, exp.Select]:
        """Steps that it needs before `spans`."""
        return {}

    def aggregates(self) -> dict[str, exp.Expr]:
        """What it takes from all rows of a group."""
        return {}

    def joins(self) -> Sequence[Join]:
        """What `groups` joins to `spans`."""
        return ()

    def of_group(self) -> exp.Expr | None:
        """What the group publishes; groups are numbered by it."""
        return None

    def dictionary(self) -> exp.Select | None:
        """One list: what codes, or places, stand for."""
        return None

    @abstractmethod
    def in_row(self) -> exp.Expr:
        """What a row has in `opened`."""

    def written(self) -> exp.Expr:
        """What leaves."""
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
                exp.alias_(exp.to_table(f"domain_{self.key}"), end, table=True),
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
    """What a macro makes of both ends, or of their paths in a taxonomy."""

    template: str

    def of_group(self) -> exp.Expr:
        return expression(self.template, **self.ends())


@dataclass(frozen=True)
class LeafLists(Cell):
    """The sorted list of the leaves below a label; up to `opened`, known by its place among all lists."""

    name: str

    def steps(self) -> dict[str, exp.Select]:
        return {f"listed_{self.key}": self.listed_leaves(), f"nodes_{self.key}": self.nodes(), **super().steps()}

    def dictionary(self) -> exp.Select:
        return query(
            """
            SELECT list(leaves ORDER BY place ASC)
            FROM (SELECT place, any_value(leaves) AS leaves FROM :nodes GROUP BY place) AS places
            """,
            nodes=f"nodes_{self.key}",
        )

    def in_row(self) -> exp.Expr:
        return self.read_from(column(self.key, "numbered"))

    def read_from(self, place: exp.Expr) -> exp.Expr:
        """The list that has this place."""
        return expression(":lists[:place + 1]", lists=column(self.key, "dictionary"), place=place)

    @abstractmethod
    def labelled_rows(self) -> exp.Select:
        """What rows publish: level, label, and how many rows do."""

    def listed_leaves(self) -> exp.Select:
        """One row: TRUE if all lists that would be published fit in memory. Counted before there is any list."""
        too_long = InvalidParameter(
            f"format 'typed' would list too many leaves of the taxonomy of column {self.name!r}.",
            "Use format 'text', or a taxonomy with fewer leaves.",
        )
        return query(
            """
            SELECT CASE WHEN sum(size * leaf_count) > :most THEN error(:too_long) ELSE TRUE END AS fit
            FROM :labelled_rows
            JOIN (SELECT level, label, count(*) AS leaf_count FROM :labels GROUP BY level, label) AS nodes
                ON nodes.level = labelled.level AND nodes.label = labelled.label
            """,
            most=exp.Literal.number(LARGEST_LISTS),
            too_long=text(str(too_long)),
            labelled_rows=self.labelled_rows().subquery("labelled"),
            labels=self.labelled_leaves().subquery("leaves"),
        )

    def nodes(self) -> exp.Select:
        """Every node of the taxonomy and `*`, with the list that it publishes, and the place of this among all lists.

        Level 1 is the leaf itself, and `*` has level 0.
        """
        return query(
            """
            SELECT level, label, leaves, CAST(dense_rank() OVER (ORDER BY leaves ASC) - 1 AS INTEGER) AS place
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
        return column("place", f"node_{self.key}")

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


@dataclass(frozen=True)
class Label(Cell):
    """The label at the level that the algorithm chose for the group: its rows have the same one.

    A missing value has no label but the root's. Where values are missing, the root is `*` in every group, so that a
    value is published in one way only.
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
        """What a row has in `opened`, from what the group has."""
        return label

    @abstractmethod
    def labels(self) -> exp.Select:
        """By code and level, what is published, as `label`; for the levels that were chosen."""

    def labelled_codes(self) -> exp.Select:
        """Every code at every chosen level: the text of its label, whether this is the root, and whether it is `*`."""
        return query(
            """
            SELECT *, is_root AND bool_or(value IS NULL) OVER () AS star
            FROM (
                SELECT code, level, value, path[level + 1] AS label, level = max(len(path) - 1) OVER () AS is_root
                FROM :domain CROSS JOIN (SELECT DISTINCT list_extract(levels, :number) AS level FROM assigned) AS chosen
                WHERE NOT code IS NULL
            ) AS leveled
            """,
            domain=f"domain_{self.key}",
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
            SELECT labelled.code, labelled.level, nodes.place AS label
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
                WHERE code IN (SELECT :code FROM assigned WHERE grp >= 0)
                """,
                labelled=self.labelled_codes().subquery("labelled"),
                code=field("codes", self.key),
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


def values_by_code(key: str) -> exp.Select:
    """One list: the values of a column."""
    return query("SELECT list(value ORDER BY code ASC) FROM :domain", domain=f"domain_{key}")


RECODED = {
    ("text", "generalize", False): "_sqlanon_range_text(_sqlanon_kind(typeof(:low)), :low, :high)",
    ("text", "generalize", True): "_sqlanon_label_text(:low_path, :high_path)",
    ("text", "suppress", False): "_sqlanon_star_text(:low, :high)",
    ("text", "suppress", True): "_sqlanon_star_text(:low, :high)",
    ("typed", "generalize", False): "_sqlanon_typed(:low, :low, :high, FALSE)",
    ("typed", "suppress", False): "_sqlanon_typed(:low, :low, :high, TRUE)",
    ("typed", "suppress", True): "_sqlanon_values(:low, :high)",
}
"""By format, recode, and whether the column has a taxonomy."""

EXACT = {
    ("text", False): "CAST(:value AS VARCHAR)",
    ("text", True): "CAST(:value AS VARCHAR)",
    ("typed", False): "_sqlanon_typed(:value, :value, :value, FALSE)",
    ("typed", True): "_sqlanon_values(:value, :value)",
}
"""By format, and whether the column has a taxonomy."""

LISTS = {"text": "_sqlanon_list_text(:value)", "typed": "(:value)"}


def cell_of(request: Release, columns: Columns, key: str) -> Cell:
    """What a column publishes. Exact quasi-identifiers never stand beside the row's own sensitive value."""
    role, tree = columns.columns[key].role, key in columns.taxonomy
    exact = request.recode == "none"
    if role is Role.SENSITIVE and key in columns.trees:
        return RowLabel(key, labels_of(request.format, columns, key))
    if role is Role.SENSITIVE and exact:
        return ListOfValues(key, LISTS[request.format])
    if role is not Role.QI:
        return OwnValue(key)
    if exact:
        return ExactValue(key, EXACT[request.format, tree])
    if request.labelled and key not in columns.taxonomy:
        return MadeLabel(key, level_number(columns, key), RECODED[request.format, "generalize", False])
    if request.labelled:
        return labels_of(request.format, columns, key)
    wildcards = request.nulls == "wildcard"
    if (request.format, request.recode, tree) == ("typed", "generalize", True):
        return Leaves(key, wildcards, columns.names[key])
    return RecodedValue(key, wildcards, RECODED[request.format, request.recode, tree])


def labels_of(format: str, columns: Columns, key: str) -> Label:
    """The labels of a taxonomy, at the level that the algorithm chose."""
    number = level_number(columns, key)
    return LabelText(key, number) if format == "text" else LabelLeaves(key, number, columns.names[key])


def level_number(columns: Columns, key: str) -> int:
    """Which of the levels of a row is that of the column."""
    return columns.trees.index(key) + 1
