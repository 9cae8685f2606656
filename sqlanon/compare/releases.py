"""The two releases that are compared: their classes, and the columns by our own names.

old_rows, new_rows        the columns that were named: qi_1 …, value, and entity if there is one
old_classes, new_classes  the classes, numbered from 0, with their rows
taxonomy_*                the taxonomies: see taxonomies/taxonomy
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp

from sqlanon.statement.source import wanted_columns
from sqlanon.statement.template import Once, Step, column, query
from sqlanon.taxonomies.taxonomy import checked_paths, taxonomy_step

from .request import Comparison

VALUE, ENTITY = "value", "entity"
"""Our names of the sensitive attribute and of the person."""
RELEASES = ("old", "new")


@dataclass(frozen=True)
class ComparedColumns:
    """The columns that are compared; the quasi-identifiers are numbered from 1."""

    request: Comparison

    @cached_property
    def qi(self) -> dict[str, int]:
        """Our names of the quasi-identifiers."""
        return {f"qi_{column_number}": column_number for column_number, _ in enumerate(self.request.qi, 1)}

    @cached_property
    def trees(self) -> list[str]:
        """Those of the columns that have a taxonomy."""
        tables = dict(self.request.taxonomy)
        return [key for key in (*self.qi, VALUE) if self.columns[key] in tables]

    @cached_property
    def qi_trees(self) -> dict[str, int]:
        """Those of the quasi-identifiers that have a taxonomy."""
        return {key: column_number for key, column_number in self.qi.items() if key in self.trees}

    @property
    def columns(self) -> dict[str, str]:
        """The user's names of all columns."""
        named = {**dict(zip(self.qi, self.request.qi, strict=True)), VALUE: self.request.sa}
        return named if self.request.entity is None else {**named, ENTITY: self.request.entity}

    def table(self, key: str) -> str:
        """The taxonomy of a column."""
        return dict(self.request.taxonomy)[self.columns[key]]


def release_steps(compared: ComparedColumns) -> dict[str, Step]:
    """The steps from the tables to classes."""
    request = compared.request
    tables = {"old": request.old, "new": request.new}
    steps: dict[str, Step] = {}
    for release, table in tables.items():
        steps[f"{release}_rows"] = wanted_columns(table, request.function, compared.columns, argument=release)
        steps[f"{release}_classes"] = Once(classes(release, compared))
    return steps | {
        taxonomy_step(key): Once(checked_paths(compared.table(key), compared.columns[key])) for key in compared.trees
    }


def classes(release: str, compared: ComparedColumns) -> exp.Select:
    """Rows with the same published quasi-identifiers."""
    keys = [column(key) for key in compared.qi]
    grouped = exp.select(*keys, "count(*) AS size").from_(f"{release}_rows").group_by(*(key.copy() for key in keys))
    return query("SELECT *, row_number() OVER () - 1 AS class FROM :grouped", grouped=grouped.subquery("grouped"))


def in_class(release: str, compared: ComparedColumns) -> exp.Select:
    """The rows of a release with the number of their class."""
    same = exp.and_(
        *(exp.NullSafeEQ(this=column(key, "published"), expression=column(key, "classes")) for key in compared.qi)
    )
    return (
        exp.select("published.*", "classes.class")
        .from_(exp.alias_(exp.to_table(f"{release}_rows"), "published", table=True))
        .join(exp.alias_(exp.to_table(f"{release}_classes"), "classes", table=True), on=same)
    )
