"""Pieces of SQL as sqlglot trees: a template is parsed once, and its :names are filled with trees.

>>> query("SELECT max(:column) AS top FROM t", column=identifier('a"b')).sql("duckdb")
'SELECT MAX("a""b") AS top FROM t'
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cached_property, lru_cache, reduce
from typing import cast

import sqlglot
from sqlglot import exp

OPERATORS = (exp.Binary, exp.Unary, exp.Between, exp.In)
"""One inside another needs parentheses."""


@dataclass(frozen=True)
class Once:
    """A step that runs once, however many others read it: it is slow, or random, or read by several."""

    query: exp.Query


@dataclass(frozen=True)
class Inline:
    """A step that runs for each of those that read it: it is quick, and always gives the same."""

    query: exp.Query


Step = exp.Query | Once | Inline
"""A named part of a statement, a CTE."""


class Role(StrEnum):
    """The role of a column."""

    QI = "qi"
    SENSITIVE = "sa"
    KEPT = "keep"
    UNPUBLISHED = "unpublished"


@dataclass(frozen=True)
class Column:
    """A column of the user's table, by the user's name of it, and the user's taxonomy table if it has one.

    `bins`: if it has none, one is made, with so many bins for numbers.
    """

    name: str
    role: Role
    taxonomy: str | None = None
    bins: int | None = None


@dataclass(frozen=True)
class Columns:
    """The columns of a release under our own names, in order: qi_1 …, sa_1 …, keep_1 …, and the unpublished ones.

    Unpublished columns are those that the algorithm must see and nobody else.
    """

    columns: Mapping[str, Column]

    @classmethod
    def of(
        cls,
        qi: Iterable[str],
        sa: Iterable[str],
        keep: Iterable[str] = (),
        taxonomy: Iterable[tuple[str, str]] = (),
        made: Mapping[Role, int] = types.MappingProxyType({}),
        unpublished: Iterable[tuple[str, str]] = (),
    ) -> Columns:
        """Give every column a name of our own, so that no user's name can meet one of ours.

        `made`: the bins of columns of a role that have no taxonomy, if one is made for them.
        """
        tables = dict(taxonomy)
        published = {
            f"{role}_{i}": Column(name, role, tables.get(name), None if name in tables else made.get(role))
            for role, names in ((Role.QI, qi), (Role.SENSITIVE, sa), (Role.KEPT, keep))
            for i, name in enumerate(names, 1)
        }
        hidden = {key: Column(name, Role.UNPUBLISHED) for key, name in unpublished}
        return cls({**published, **hidden})

    @cached_property
    def coded(self) -> dict[str, str]:
        """The user's names of all columns."""
        return {key: column.name for key, column in self.columns.items()}

    @cached_property
    def names(self) -> dict[str, str]:
        """The user's names of those that are published."""
        return {key: column.name for key, column in self.columns.items() if column.role is not Role.UNPUBLISHED}

    @cached_property
    def taxonomy(self) -> dict[str, str]:
        """The user's taxonomy tables of those that have one."""
        return {key: column.taxonomy for key, column in self.columns.items() if column.taxonomy is not None}

    @cached_property
    def trees(self) -> list[str]:
        """Those with a taxonomy, the user's or one that is made."""
        return [key for key, column in self.columns.items() if column.taxonomy is not None or column.bins is not None]

    @cached_property
    def qi(self) -> list[str]:
        return self._of(Role.QI)

    @cached_property
    def sensitive(self) -> list[str]:
        return self._of(Role.SENSITIVE)

    @cached_property
    def kept(self) -> list[str]:
        return self._of(Role.KEPT)

    def _of(self, role: Role) -> list[str]:
        return [key for key, column in self.columns.items() if column.role is role]


def query(template: str, **parts: exp.Expr | str) -> exp.Select:
    """A SELECT from a template."""
    return cast(exp.Select, expression(template, **parts))


def expression(template: str, **parts: exp.Expr | str) -> exp.Expr:
    """Any expression from a template. Where FROM :name stands, a part is a table: a step of ours by name, or a tree."""
    tree = parse_template(template).copy()
    for placeholder in list(tree.find_all(exp.Placeholder)):
        part = parts[placeholder.name]
        if isinstance(placeholder.parent, exp.Table):
            table = placeholder.parent
            table_or_step = exp.to_table(part) if isinstance(part, str) else _unattached(part)
            named = exp.alias_(table_or_step, table.alias, table=True, copy=False) if table.alias else table_or_step
            table.replace(named)
        elif isinstance(part, exp.Expr):
            between_others = isinstance(placeholder.parent, OPERATORS) and not isinstance(placeholder.parent, exp.Paren)
            alone = isinstance(part, exp.Dot) or not isinstance(part, OPERATORS)
            placeholder.replace(_unattached(part) if alone or not between_others else exp.Paren(this=_unattached(part)))
    return tree


def _unattached(part: exp.Expr) -> exp.Expr:
    """A tree that stands nowhere yet is taken as it is: a copy of all that is in it would be made at every level."""
    return part if part.parent is None else part.copy()


@lru_cache(maxsize=512)
def parse_template(template: str) -> exp.Expr:
    """The tree of a text of ours, without what every copy would copy: comments, and where in the text it stood."""
    tree = sqlglot.parse_one(template, dialect="duckdb")
    for node in tree.walk():
        node.comments = node._meta = None
    return tree


def with_steps(statement: exp.Select, steps: Mapping[str, Step]) -> exp.Select:
    """Put steps before the statement that reads them."""
    for name, step in steps.items():
        once = {Once: True, Inline: False}.get(type(step))
        statement = statement.with_(name, query_of(step), materialized=once, copy=False)
    return statement


def union(queries: Iterable[exp.Query]) -> exp.Query:
    """The rows of all of them."""
    return reduce(lambda one, other: exp.union(one, other, distinct=False, copy=False), queries)


def query_of(step: Step) -> exp.Query:
    """The query of a step."""
    return step.query if isinstance(step, Once | Inline) else step


def identifier(name: str) -> exp.Identifier:
    """A name from outside, always quoted."""
    return exp.to_identifier(name, quoted=True)


def column(name: str, table: str | None = None) -> exp.Column:
    """One of our own columns."""
    return exp.column(name, table=table)


def field(struct: str, name: str) -> exp.Expr:
    """A field of one of our own columns that is a struct. In SQL, a dot could also mean a column of a table."""
    return exp.StructExtract(this=exp.column(struct), expression=text(name))


def text(value: str) -> exp.Literal:
    """A text literal."""
    return exp.Literal.string(value)


def number_literal(number: float | Decimal) -> exp.Expr:
    """A whole number as such; any other with an exponent, which makes it a DOUBLE: some casts from DECIMAL are off."""
    if number == int(number):
        return exp.Literal.number(str(int(number)))
    digits = repr(float(number))
    return exp.Literal.number(digits if "e" in digits else f"{digits}e0")


def struct(fields: Iterable[tuple[str, exp.Expr]]) -> exp.Struct:
    """A struct literal, {'name': value, …}."""
    return exp.Struct(
        expressions=[exp.PropertyEQ(this=exp.Literal.string(name), expression=value) for name, value in fields]
    )
