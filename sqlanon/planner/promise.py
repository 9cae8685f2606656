"""What a release function recounts before a row leaves: the bounds of its model, in the groups to be published."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqlanon.errors import BrokenPromise
from sqlanon.request.release import Release
from sqlanon.request.verification import Verification

from .published import level_number
from .sensitive_trees import generalized, nodes, published_nodes, shares
from .template import Columns, Once, Step, expression, field, query, text
from .verify import relation


def promise(request: Release, columns: Columns) -> exp.Select:
    """One row: TRUE, or SA901 unless every row of the source is there and every group holds."""
    kept = exp.Case().when(
        expression("(SELECT count(*) FROM source) <> (SELECT count(grp) FROM assigned)"),
        broken_promise("rows were lost or added on the way"),
    )
    for words, broken in broken_groups(request, columns):
        kept = kept.when(exp.GT(this=broken.subquery(), expression=exp.Literal.number(0)), broken_promise(words))
    return exp.select(exp.alias_(kept.else_(exp.true()), "kept"))


def node_steps(columns: Columns) -> dict[str, Step]:
    """What generalized sensitive values stand for."""
    return {f"nodes_of_{key}": Once(nodes(key, level_number(columns, key))) for key in generalized(columns)}


def broken_promise(words: str) -> exp.Expr:
    """The error of a broken promise."""
    return expression("error(:message)", message=text(str(BrokenPromise(words))))


def broken_groups(request: Release, columns: Columns) -> Iterator[tuple[str, exp.Select]]:
    """What may be wrong, and in how many groups it is: each bound, by rows and, if people are known, by people.

    Where people are kept apart, rows are people as long as nobody is in a group twice.
    """
    apart = request.entity is not None and request.algorithm.apart
    for bound in request.model.promised:
        for attribute in columns.sensitive if bound.sensitive else (None,):
            which = f" of {columns.names[attribute]!r}" if attribute and len(columns.sensitive) > 1 else ""
            for noun in ("rows",) if request.entity is None or apart else ("rows", "people"):
                words = bound.broken.format(**dict(request.parameters), noun=noun, which=which)
                broken = group_relation(f"broken_{bound.name}", request, columns, attribute, noun == "people")
                yield words, query("SELECT count(*) FROM :broken", broken=broken.subquery("broken"))
    if apart:
        sizes = group_relation("sizes", request, columns, None, by_entity=True)
        twice = query("SELECT count(*) FROM :sizes WHERE size < n", sizes=sizes.subquery("sizes"))
        yield "a person is in a group twice", twice


def group_relation(name: str, request: Release, columns: Columns, attribute: str | None, by_entity: bool) -> exp.Select:
    """A relation of sql/verify/ whose classes are the groups, whose rows or people are counted."""
    counted = Verification(
        function="violations",
        tbl="",
        qi=(),
        sa=attribute,
        entity="entity" if by_entity else None,
        nulls="value",
        bounds=request.parameters,
        taxonomy=None,
    )
    rows: dict[str, exp.Select]
    if attribute in generalized(columns):
        members = published_nodes(attribute, level_number(columns, attribute))
        rows = {"members": members, "shares": shares(attribute)}
    else:
        fields: dict[str, exp.Expr] = {"class": exp.column("grp")}
        fields |= {} if attribute is None else {"value": field("codes", attribute)}
        fields |= {"person": field("codes", "entity")} if by_entity else {}
        members = exp.select(*(exp.alias_(value, name) for name, value in fields.items())).from_("assigned")
        rows = {"members": members}
    members.where("grp >= 0", copy=False)
    return relation(name, counted, rows)
