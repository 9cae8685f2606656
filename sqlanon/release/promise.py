"""The bounds of its model that a release function recounts before a row leaves, in groups and in published classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from sqlanon.bounds import Bound
from sqlanon.errors import BrokenPromise
from sqlanon.statement.engine import DUCKDB
from sqlanon.statement.template import Columns, Once, Step, column, expression, field, query
from sqlanon.verify.request import Verification
from sqlanon.verify.statement import count_broken, relation
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
    for recount in recounts(request, columns):
        for bound in recount.bounds:
            attribute = recount.attribute if bound.is_sensitive else None
            which = f" of {columns.names[attribute]!r}" if attribute and len(columns.sensitive) > 1 else ""
            words = bound.broken.format(**dict(request.parameters), noun=recount.noun, which=which, unit=recount.unit)
            if request.model.any_bounds:
                yield words, query(f"SELECT {bound.name} FROM {recount.step}")
                continue
            members = members_of(request, columns, attribute, recount.unit, recount.noun)
            broken = counted_relation(f"broken_{bound.name}", request, columns, attribute, recount.noun, members)
            yield words, query("SELECT count(*) FROM :broken", broken=broken.subquery("broken"))


class Recount(NamedTuple):
    """The bounds that are counted together: those of a sensitive attribute, in groups or classes, of rows or people."""

    step: str
    unit: str
    noun: str
    attribute: str | None
    bounds: tuple[Bound, ...]


def recounts(request: Release, columns: Columns) -> Iterator[Recount]:
    """All that is counted again. Bounds that are about no attribute are counted with the first one."""
    for noun in ("rows",) if request.entity is None else ("rows", "people"):
        for unit in ("group", "class"):
            for number, attribute in enumerate(columns.sensitive or [None]):
                bounds = tuple(
                    bound
                    for bound in request.model.promised
                    if (bound.is_sensitive or number == 0) and (bound.counts_people or noun == "rows")
                )
                if bounds:
                    yield Recount(f"broken_{unit}_{noun}_{number}", unit, noun, attribute, bounds)


def recount_steps(request: Release, columns: Columns) -> dict[str, Step]:
    """The steps of a model of any bounds, where one look at the groups does for all bounds of an attribute: one row,
    with the number of groups, or classes, that break each.
    """
    if not request.model.any_bounds:
        return {}
    steps: dict[str, Step] = {"merged": query("SELECT grp, class FROM classes")}  # there, `classes` are measures
    for recount in recounts(request, columns):
        rows = {
            "records": members_of(request, columns, recount.attribute, "group", "rows"),
            "members": members_of(request, columns, recount.attribute, recount.unit, recount.noun, "merged"),
        }
        words = WordsInDuckDB(recounted(request, recount.attribute, recount.noun))
        steps[recount.step] = Once(count_broken(words, rows, [bound.name for bound in recount.bounds]))
    return steps


def members_of(
    request: Release, columns: Columns, attribute: str | None, unit: str, noun: str, classes: str = "classes"
) -> exp.Select:
    """The rows of the groups, or of the classes of several groups, as the relations of sql/verify/ want them.

    `classes` is the step of the latter.
    """
    if attribute in generalized_columns(columns):
        members = published_nodes(attribute, level_number(columns, attribute))
    else:
        value = exp.Literal.number(0) if attribute is None else field("codes", attribute)
        fields: dict[str, exp.Expr] = {"class": column("grp", "assigned"), "value": value}
        fields |= {"person": field("codes", "entity")} if noun == "people" else {}
        members = exp.select(*(exp.alias_(value, name) for name, value in fields.items())).from_("assigned")
    if unit == "class":
        members.expressions[0].replace(exp.alias_(column("class", classes), "class"))
        members.join(classes, on=f"{classes}.grp = assigned.grp", copy=False)
    return members.where("assigned.grp >= 0", copy=False)


def counted_relation(
    name: str, request: Release, columns: Columns, attribute: str | None, noun: str, members: exp.Select
) -> exp.Select:
    """A relation of sql/verify/ over these members, whose rows or people are counted."""
    rows: dict[str, exp.Select] = {"members": members}
    if attribute in generalized_columns(columns):
        rows["shares"] = shares(attribute)
    return relation(name, WordsInDuckDB(recounted(request, attribute, noun)), rows)


def recounted(request: Release, attribute: str | None, noun: str) -> Verification:
    """The request to verify the rows or people of a release: that they keep the bounds of its promise."""
    return Verification(
        function="violations",
        tbl="",
        qi=(),
        sa=attribute,
        entity="entity" if noun == "people" else None,
        nulls="value",
        bounds=request.parameters,
        taxonomy=None,
    )
