"""The bounds of its model that a release function recounts before a row leaves, in groups and in published classes."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqlanon.errors import BrokenPromise
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.template import Columns, Once, Step, column, expression, field, query
from sqlanon.verify.request import Verification
from sqlanon.verify.statement import relation
from sqlanon.verify.words import WordsInDuckDB

from .cells import level_number
from .request import Release
from .sensitive_trees import generalized_columns, nodes, published_nodes, shares


def promise(request: Release, columns: Columns) -> exp.Select:
    """One row: TRUE, or SA901 unless every row of the source is there, and every group and class holds."""
    kept = exp.Case().when(
        expression("(SELECT count(*) FROM source) <> (SELECT count(grp) FROM assigned)"),
        broken_promise("rows were lost or added on the way"),
    )
    for words, broken in broken_groups(request, columns):
        kept = kept.when(exp.GT(this=broken.subquery(), expression=exp.Literal.number(0)), broken_promise(words))
    return exp.select(exp.alias_(kept.else_(exp.true()), "kept"))


def node_steps(columns: Columns) -> dict[str, Step]:
    """The steps to the base values of generalized sensitive values."""
    return {f"nodes_of_{key}": Once(nodes(key, level_number(columns, key))) for key in generalized_columns(columns)}


def broken_promise(words: str) -> exp.Expr:
    """The error of a broken promise."""
    return DUCKDB.raise_error(BrokenPromise(words))


def broken_groups(request: Release, columns: Columns) -> Iterator[tuple[str, exp.Select]]:
    """Each way to break the promise, with a query of how many groups or classes do.

    Each bound is counted by rows and, if people are known, by people.

    A class of one group is that group. A class of several is counted by itself: a bound that holds in groups need not
    hold in their union, if somebody is in both of them.
    """
    for noun in ("rows",) if request.entity is None else ("rows", "people"):
        for unit in ("group", "class"):
            for bound in request.model.promised:
                for attribute in columns.sensitive if bound.is_sensitive else (None,):
                    which = f" of {columns.names[attribute]!r}" if attribute and len(columns.sensitive) > 1 else ""
                    words = bound.broken.format(**dict(request.parameters), noun=noun, which=which, unit=unit)
                    members = members_of(request, columns, attribute, unit, noun)
                    broken = counted_relation(f"broken_{bound.name}", request, columns, attribute, noun, members)
                    yield words, query("SELECT count(*) FROM :broken", broken=broken.subquery("broken"))


def members_of(request: Release, columns: Columns, attribute: str | None, unit: str, noun: str) -> exp.Select:
    """The rows of the groups, or of the classes of several groups, as the relations of sql/verify/ want them."""
    if attribute in generalized_columns(columns):
        members = published_nodes(attribute, level_number(columns, attribute))
    else:
        value = exp.Literal.number(0) if attribute is None else field("codes", attribute)
        fields: dict[str, exp.Expr] = {"class": column("grp", "assigned"), "value": value}
        fields |= {"person": field("codes", "entity")} if noun == "people" else {}
        members = exp.select(*(exp.alias_(value, name) for name, value in fields.items())).from_("assigned")
    if unit == "class":
        members.expressions[0].replace(exp.alias_(column("class", "classes"), "class"))
        members.join("classes", on="classes.grp = assigned.grp", copy=False)
    return members.where("assigned.grp >= 0", copy=False)


def counted_relation(
    name: str, request: Release, columns: Columns, attribute: str | None, noun: str, members: exp.Select
) -> exp.Select:
    """A relation of sql/verify/ over these members, whose rows or people are counted."""
    counted = Verification(
        function="violations",
        tbl="",
        qi=(),
        sa=attribute,
        entity="entity" if noun == "people" else None,
        nulls="value",
        bounds=request.parameters,
        taxonomy=None,
    )
    rows: dict[str, exp.Select] = {"members": members}
    if attribute in generalized_columns(columns):
        rows["shares"] = shares(attribute)
    return relation(name, WordsInDuckDB(counted), rows)
