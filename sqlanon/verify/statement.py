"""Statements that verify: the relations of sql/verify/, each a SELECT in a file of its own, put together.

A statement is the relation asked for and, as CTEs before it, all those it names, down to `records`: the rows to judge,
with columns qi_1 …, value (the sensitive attribute) and person (the entity). words.py says what names in the files
stand for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import cast

from sqlglot import exp

from sqlanon.bounds import BOUNDS
from sqlanon.sql import relation_names, relation_text
from sqlanon.statement.engine import OtherEngine
from sqlanon.statement.source import argument_of
from sqlanon.statement.template import Step, identifier, parse_template, query, with_steps

from .base_values import share_steps
from .request import OF_BASE_VALUES, WITHOUT_SA, Measure, Verification, Verifications
from .words import Words, WordsElsewhere, WordsInDuckDB, qi_names

MATERIALIZED = (
    "records", "keys", "cells", "sizes", "classes", "shares", "wide", "kinds", "kind_cells", "narrow_cells", "runs",
)  # fmt: skip
"""Relations that several others read."""

OF_ENTITIES = ("sizes", "cells", "risk_sizes", "eligibility")
"""Relations that count people, with a file of their own for when these are entities."""

BY_VALUE = ("eligibility", "buckets")
"""Functions of sensitive values alone: no class to number, and values as they are."""


def verification_statement(request: Verifications) -> exp.Query:
    """Build one statement for all sensitive attributes; where they are named, the name comes first."""
    statements: list[exp.Select] = []
    for one in request.each:
        statement = statement_of_one(one)
        if request.named:
            inner = statement.subquery("measured")
            statement = exp.select(exp.alias_(exp.Literal.string(one.sa or ""), "sa"), "measured.*").from_(inner)
        if one.function == "privacy" and one.taxonomy is None and any(other.taxonomy for other in request.each):
            statement = statement.select("CAST(NULL AS DOUBLE) AS t_hierarchical")
        statements.append(statement)
    return statements[0] if len(statements) == 1 else exp.union(*statements, distinct=False, copy=False)


def measure_statement(request: Measure) -> exp.Select:
    """Build the statement of some of what a verification answers."""
    measured = verification_statement(request.verifications).subquery("measured")
    return query(f"SELECT {request.selected} FROM :measured", measured=measured)


def portable_statement(request: Verification, is_ordered: bool, engine: OtherEngine) -> exp.Select:
    """The statement for another engine."""
    words = WordsElsewhere(request, engine, is_ordered)
    return with_orders(statement_in(words, {"records": numbered_rows(words)}), engine)


def with_orders(statement: exp.Select, engine: OtherEngine) -> exp.Select:
    """Some engines want an order where rows are numbered, one knows no NULLS LAST there."""
    for window in statement.find_all(exp.Window):
        if isinstance(window.this, exp.RowNumber) and not window.args.get("order"):
            window.set("order", exp.Order(expressions=[exp.Ordered(this=exp.column("qi_1"))]))
    for key in statement.find_all(exp.Ordered):
        key.set("nulls_first", engine.name == "bigquery" and not key.args.get("desc"))
    return statement


def statement_of_one(request: Verification) -> exp.Select:
    """The statement of a verification of one sensitive attribute."""
    words = WordsInDuckDB(request)
    rows: dict[str, Step] = {"records": select_records(words)}
    if judges_base_values(request):
        rows |= share_steps(request)
    return statement_in(words, rows)


def statement_in(words: Words, rows: Mapping[str, Step]) -> exp.Select:
    """The statement of a verification, on one engine."""
    request = words.request
    name = "privacy_by_taxonomy" if request.function == "privacy" and request.taxonomy else request.function
    statement = relation(name, words, rows)
    if request.function in ("equivalence_classes", "violations", "induced_frequencies"):
        return with_users_names(statement, request)
    return statement


def judges_base_values(request: Verification) -> bool:
    """Whether it matters what published values stand for."""
    return request.function in OF_BASE_VALUES or request.taxonomy is not None or request.bound("tau") is not None


def count_broken(words: Words, rows: Mapping[str, Step], bounds: Sequence[str]) -> exp.Select:
    """One row: for each of these bounds, how many classes break it. `rows` as for a relation."""
    relations = needed_relations([f"broken_{bound}" for bound in bounds], words, rows)
    counts = (query(f"SELECT count(*) FROM broken_{bound}").subquery(bound) for bound in bounds)
    steps = {**rows, **{step: words.expand(tree) for step, tree in relations.items()}}
    return with_steps(
        exp.select(*counts),
        {step: words.engine.step(tree) if step in MATERIALIZED else tree for step, tree in steps.items()},
    )


def relation(name: str, words: Words, rows: Mapping[str, Step], also: Sequence[str] = ()) -> exp.Select:
    """A relation of sql/verify/ and, as steps before it, all those that it names, and some others.

    `rows` are the first of these.
    """
    relations = needed_relations([*also, name], words, rows)
    final = words.expand(relations.pop(name))
    steps = {**rows, **{step: words.expand(tree) for step, tree in relations.items()}}
    return with_steps(
        final, {step: words.engine.step(tree) if step in MATERIALIZED else tree for step, tree in steps.items()}
    )


def needed_relations(names: Sequence[str], words: Words, known: Collection[str]) -> dict[str, exp.Select]:
    """Relations and all those they name but for those that are known, each after the ones it needs."""
    relations: dict[str, exp.Select] = {}

    def visit(name: str) -> None:
        tree = relation_tree(name, words)
        for table in tree.find_all(exp.Table):
            if table.name in relation_names() and table.name not in (*relations, *known):
                visit(table.name)
        relations[name] = tree

    for name in names:
        if name not in relations:
            visit(name)
    return relations


def relation_tree(name: str, words: Words) -> exp.Select:
    """A relation, to be expanded: a file of sql/verify/, or the judgement of the bounds that the user gave."""
    text = judgement(words.request) if name == "violations" else relation_text(relation_file(name, words))
    return cast(exp.Select, parse_template(text)).copy()


def judgement(request: Verification) -> str:
    """The relation `violations`: the classes that break a bound, and which, and by how much. No row: the table passes.

    What breaks a bound is defined in broken_k, broken_l, … .
    """
    judged = [bound.name for bound in BOUNDS if is_judged(bound.name, request)]
    names = ", ".join(f"CASE WHEN NOT broken_{name}.class IS NULL THEN '{name}' END" for name in judged)
    amounts = ", ".join(f"list_item(broken_{name}.by_how_much)" for name in judged)
    joins = " ".join(f"LEFT JOIN broken_{name} ON broken_{name}.class = measured.class" for name in judged)
    measured, counts = ("classes", "measured.distinct_values, measured.top_count")
    if request.sa is None:
        measured, counts = ("sizes", "CAST(NULL AS BIGINT) AS distinct_values, CAST(NULL AS BIGINT) AS top_count")
    return f"""
        SELECT qi, size, distinct_values, top_count, broken, by_how_much
        FROM (
            SELECT
                keys.*, measured.size, {counts},
                without_nulls({names}) AS broken,
                without_nulls({amounts}) AS by_how_much
            FROM {measured} AS measured
            JOIN keys ON keys.class = measured.class
            {joins}
        ) AS judged
        WHERE length(broken) > 0
    """


def relation_file(name: str, words: Words) -> str:
    """The file of a relation.

    Some have another one with wildcards, with entities, without a sensitive attribute, or for other engines.
    """
    request = words.request
    if name in ("keys", "members"):
        wildcard = "_wildcard" if name == "members" and request.nulls == "wildcard" else ""
        return f"{name}{wildcard}{words.suffix}"
    if name in OF_ENTITIES and request.entity is not None:
        return f"{name}_entity"
    return f"{name}_without_sa" if name in WITHOUT_SA and request.sa is None else name


def is_judged(bound: str, request: Verification) -> bool:
    """Whether a bound was given; l is none of its own where it says from which rank on tau allows everything."""
    if bound == "l" and request.bound("tau") is not None:
        return False
    return request.bound(bound) is not None


def select_records(words: Words) -> exp.Select:
    """The rows to judge. Functions of the sensitive attribute alone have one class: the table."""
    request, engine = words.request, words.engine
    columns = {f"qi_{i}": name for i, name in enumerate(request.qi, 1)}
    columns |= {"value": request.sa} if request.sa is not None else {}
    columns |= {"person": request.entity} if request.entity is not None else {}
    records = engine.rows(request.tbl, request.function, columns, argument_of(request.tbl))
    if request.nulls == "exclude" and request.qi:
        published = (column.unalias() for column in records.expressions[: len(request.qi)])
        records = records.where(exp.not_(exp.or_(*map(engine.is_wild, published))))
    if not request.qi:
        records = records.select("0 AS qi_1")
    if request.sa is None:
        records = records.select("0 AS value")
    return records


def numbered_rows(words: WordsElsewhere) -> exp.Select:
    """The same with numbers for their classes and sensitive values, if there are classes."""
    rows = select_records(words)
    if words.request.function in BY_VALUE:
        return rows
    return words.expand(relation_tree("records_ranked", words)).from_(rows.subquery("unranked"), copy=False)


def with_users_names(tree: exp.Select, request: Verification) -> exp.Select:
    """Give the quasi-identifiers of the result the names that the user knows."""
    names = dict(zip(qi_names(request), request.qi, strict=True))
    selected = [
        exp.alias_(item, identifier(names[item.name])) if isinstance(item, exp.Column) and item.name in names else item
        for item in tree.expressions
    ]
    tree.set("expressions", selected)
    return tree
