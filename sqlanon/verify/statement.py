"""Statements that verify: the relations of sql/verify/, each a SELECT in a file of its own, put together.

A statement is the relation asked for and, as CTEs before it, all those it names, down to `given`: the rows to judge,
with columns qi_1 …, value (the sensitive attribute) and person (the entity). In the files,

    qi                  stands for all quasi-identifiers            same(a.qi, b.qi)   for: equal in each, NULL too
    own_rows()          for the count of rows without wildcard matches
    exact(x)            for a real number of up to 20 digits before the point, to be summed up in any order
    whole_number(x)     for the same of a real number without a fraction, which may have 38
    bound('l')          for the bound that the user gave, or NULL   real(x)            for CAST(x AS DOUBLE)
    ordered()           for whether the sensitive attribute has an order of its own
    star(x)             for whether a value is the text `*`
    next_step(…)        for what to try with a table, in the words of errors
    signature(n, share) for what tells base values apart that differ in their shares
    enough_base_values(n)  for whether there are l base values, or no rows (n = 0); here, SA102 if not
    wild, could_be      for NULL and '*' taken as wildcards, and for what stands for '*' in a typed release
    published(x)        for the value as the table has it
    spelled(x)          for a number that may stand in a list; elsewhere, in a text

so that the same text serves DuckDB and, through sqlglot, other engines. For these, `given` has numbers for classes and
for sensitive values (given_ranked.sql), so that every join is one of numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from functools import reduce
from typing import cast

from sqlglot import exp

from sqlanon.bounds import BOUNDS
from sqlanon.errors import InvalidParameter
from sqlanon.sql import relation_names, relation_text
from sqlanon.statement.source import argument_of, is_wild, wanted_columns
from sqlanon.statement.template import (
    Once,
    Step,
    expression,
    identifier,
    number_literal,
    parsed,
    query,
    query_of,
    text,
    with_steps,
)

from .base_values import share_steps
from .next_step import next_step
from .request import OF_BASE_VALUES, WITHOUT_SA, Measure, Verification, Verifications

MATERIALIZED = (
    "given", "keys", "cells", "sizes", "classes", "shares", "wide", "kinds", "kind_cells", "narrow_cells", "runs",
)  # fmt: skip
"""Relations that several others read."""

OF_ENTITIES = ("sizes", "cells", "risk_sizes", "eligibility")
"""Relations that count people, with a file of their own for when these are entities."""

BY_VALUE = ("eligibility", "buckets")
"""Functions of sensitive values alone: no class to number, and values as they are."""

IN_ANY_ORDER = {"exact": "DECIMAL(38, 18)", "whole_number": "INT128"}
"""Types in which sums of reals are the same in whatever order threads add them."""

COUNT = "<count>"
"""Where a number goes that only the running statement knows, in the text of an error."""


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


def portable_statement(request: Verification, ordered: bool, dialect: str) -> exp.Select:
    """The statement for another engine."""
    return with_orders(statement_of_one(request, here=False, ordered=ordered), request, dialect)


def with_orders(statement: exp.Select, request: Verification, dialect: str) -> exp.Select:
    """Some engines want an order where rows are numbered, one knows no NULLS LAST there."""
    for window in statement.find_all(exp.Window):
        if isinstance(window.this, exp.RowNumber) and not window.args.get("order"):
            window.set("order", exp.Order(expressions=[exp.Ordered(this=exp.column(qi_names(request)[0]))]))
    for key in statement.find_all(exp.Ordered):
        key.set("nulls_first", dialect == "bigquery" and not key.args.get("desc"))
    return statement


def statement_of_one(request: Verification, *, here: bool = True, ordered: bool | None = None) -> exp.Select:
    """The statement of a verification.

    `here`: for DuckDB with sqlanon loaded; otherwise for any engine, and `ordered` says whether the sensitive
    attribute is a number or a date.
    """
    rows: dict[str, Step] = {"given": given_rows(request, here) if here else portable_rows(request)}
    name = request.function
    if name == "privacy" and request.taxonomy is not None:
        name = "privacy_by_taxonomy"
    if here and judges_base_values(request):
        rows |= share_steps(request)
    statement = relation(name, request, rows, here, ordered)
    if request.function in ("equivalence_classes", "violations", "induced_frequencies"):
        return with_users_names(statement, request)
    return statement


def judges_base_values(request: Verification) -> bool:
    """Whether it matters what published values stand for."""
    return request.function in OF_BASE_VALUES or request.taxonomy is not None or bound_of(request, "tau") is not None


def bound_of(request: Verification, name: str) -> float | Decimal | None:
    """A bound that the user gave."""
    return dict(request.bounds).get(name)


def relation(
    name: str,
    request: Verification,
    rows: Mapping[str, Step],
    here: bool = True,
    ordered: bool | None = None,
) -> exp.Select:
    """A relation of sql/verify/ and, as steps before it, all those that it names; `rows` are the first of these."""
    relations = needed_relations(name, request, rows, here)
    final = expand(relations.pop(name), request, here, ordered)
    steps = {**rows, **{step: expand(tree, request, here, ordered) for step, tree in relations.items()}}
    return with_steps(
        final, {step: once(tree) if here and step in MATERIALIZED else tree for step, tree in steps.items()}
    )


def once(step: Step) -> Once:
    """A step that runs once."""
    return step if isinstance(step, Once) else Once(query_of(step))


def needed_relations(
    name: str, request: Verification, known: Collection[str], here: bool = True
) -> dict[str, exp.Select]:
    """A relation and all those it names but for those that are known, each after the ones it needs."""
    relations: dict[str, exp.Select] = {}

    def visit(name: str) -> None:
        tree = relation_tree(name, request, here)
        for table in tree.find_all(exp.Table):
            if table.name in relation_names() and table.name not in (*relations, *known):
                visit(table.name)
        relations[name] = tree

    visit(name)
    return relations


def relation_tree(name: str, request: Verification, here: bool = True) -> exp.Select:
    """A relation, to be expanded: a file of sql/verify/, or the judgement of the bounds that the user gave."""
    text = judgement(request) if name == "violations" else relation_text(relation_file(name, request, here))
    return cast(exp.Select, parsed(text)).copy()


def judgement(request: Verification) -> str:
    """The relation `violations`: the classes that break a bound, and which, and by how much. No row: the table passes.

    What breaks a bound is defined in broken_k, broken_l, … .
    """
    judged = [bound.name for bound in BOUNDS if is_judged(bound.name, request)]
    names = ", ".join(f"CASE WHEN NOT broken_{name}.class IS NULL THEN '{name}' END" for name in judged)
    amounts = ", ".join(f"spelled(broken_{name}.by_how_much)" for name in judged)
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


def relation_file(name: str, request: Verification, here: bool = True) -> str:
    """The file of a relation.

    Some have another one with wildcards, with entities, without a sensitive attribute, or for other engines.
    """
    if name in ("keys", "members"):
        wildcard = "_wildcard" if name == "members" and request.nulls == "wildcard" else ""
        return f"{name}{wildcard}{'' if here else '_ranked'}"
    if name in OF_ENTITIES and request.entity is not None:
        return f"{name}_entity"
    return f"{name}_without_sa" if name in WITHOUT_SA and request.sa is None else name


def is_judged(bound: str, request: Verification) -> bool:
    """Whether a bound was given; l is none of its own where it says from which rank on tau allows everything."""
    if bound == "l" and bound_of(request, "tau") is not None:
        return False
    return bound_of(request, bound) is not None


def given_rows(request: Verification, here: bool) -> exp.Select:
    """The rows to judge. Functions of the sensitive attribute alone have one class: the table."""
    columns = {f"qi_{i}": name for i, name in enumerate(request.qi, 1)}
    columns |= {"value": request.sa} if request.sa is not None else {}
    columns |= {"person": request.entity} if request.entity is not None else {}
    given = wanted_columns(request.tbl, request.function, columns, here, argument_of(request.tbl))
    if not request.qi:
        given = given.select("0 AS qi_1")
    if request.sa is None:
        given = given.select("0 AS value")
    if request.nulls == "exclude" and request.qi:
        names = (
            [exp.column(identifier(name)) for name in request.qi]
            if not here
            else [exp.column(q, "wanted") for q in qi_names(request)]
        )
        given = given.where(exp.not_(exp.or_(*(is_wild(name, here) for name in names))))
    return given


def portable_rows(request: Verification) -> exp.Select:
    """The rows to judge on another engine: with numbers for their classes and sensitive values, if it has classes."""
    rows = given_rows(request, here=False)
    if request.function in BY_VALUE:
        return rows
    ranked = expand(relation_tree("given_ranked", request), request, here=False, ordered=None)
    return ranked.from_(rows.subquery("unranked"), copy=False)


def qi_names(request: Verification) -> list[str]:
    """Our names of the quasi-identifiers."""
    return [f"qi_{i}" for i in range(1, max(1, len(request.qi)) + 1)]


def expand(tree: exp.Select, request: Verification, here: bool, ordered: bool | None) -> exp.Select:
    """Write out what the names of the files stand for, the innermost first."""
    for holder in tree.find_all(exp.Select, exp.Group, exp.Order):
        kept = [item for item in holder.expressions if request.entity is not None or item.alias_or_name != "person"]
        holder.set("expressions", [item for written in kept for item in qi_written_out(written, request)])
    for call in reversed(list(tree.find_all(exp.Anonymous))):
        call.replace(meaning(call, request, here, ordered))
    return tree


def qi_written_out(item: exp.Expr, request: Verification) -> list[exp.Expr]:
    """The quasi-identifiers where `qi` stands, also in an order; anything else as it is."""
    if isinstance(item, exp.Ordered) and _is_qi(item.this):
        return [exp.Ordered(this=column, nulls_first=False) for column in qi_columns(item.this, request)]
    return [*qi_columns(item, request)] if _is_qi(item) else [item]


def meaning(call: exp.Anonymous, request: Verification, here: bool, ordered: bool | None) -> exp.Expr:
    """What one of our names stands for; a function of the engine stands for itself."""
    name, arguments = call.name.lower(), call.expressions
    if name == "same":
        return same_values(arguments, request) if here else same_numbers(arguments)
    if name == "published":
        return arguments[0] if here else exp.column("published", table=arguments[0].args.get("table"))
    if name == "could_be":
        either = (
            exp.or_(exp.EQ(this=a, expression=b), is_wild(a, here), is_wild(b, here))
            for a, b in qi_pairs(arguments, request)
        )
        return exp.and_(*either)
    if name == "wild":
        return exp.paren(exp.or_(*(is_wild(column, here) for column in qi_columns(arguments[0], request))))
    if name == "own_rows":
        return expression("sum(own)" if request.nulls == "wildcard" else "count(*)")
    if name == "bound":
        bound = bound_of(request, arguments[0].name)
        return exp.null() if bound is None else number_literal(bound)
    if name == "real":
        return exp.cast(arguments[0], "DOUBLE")
    if name in IN_ANY_ORDER:
        return exp.cast(arguments[0], IN_ANY_ORDER[name]) if here else arguments[0]
    if name == "infinity":
        return expression("CAST('inf' AS DOUBLE)")
    if name == "ordered":
        return expression("_sqlanon_kind(typeof(value)) = 'range'") if here else exp.convert(bool(ordered))
    if name == "star":
        return is_star(arguments[0]) if here else number_of_star(arguments[0])
    if name == "next_step":
        return next_step(*arguments, of_people=request.entity is not None)
    if name == "enough_base_values":
        return enough_base_values(request, arguments[0]) if here else exp.true()
    if name == "signature":
        return signature(arguments) if here else exp.Min(this=arguments[1])  # where `*` is the only wide one
    if name == "spelled":
        return arguments[0] if here else spelled(arguments[0])
    if name == "without_nulls":
        return listed(arguments) if here else joined(arguments)
    return call


def same_values(columns: list[exp.Expr], request: Verification) -> exp.Expr:
    """Whether columns are equal, NULL too."""
    return exp.and_(*(exp.NullSafeEQ(this=a, expression=b) for a, b in qi_pairs(columns, request)), copy=False)


def same_numbers(columns: list[exp.Expr]) -> exp.Expr:
    """The same where classes and sensitive values have numbers."""
    one, other = (exp.column("class", table=item.args.get("table")) if _is_qi(item) else item for item in columns)
    return exp.EQ(this=one, expression=other)


def is_star(value: exp.Expr) -> exp.Expr:
    """Whether a value is the text `*`."""
    return expression("coalesce(CAST(:value AS VARCHAR) = '*', FALSE)", value=value)


def number_of_star(value: exp.Expr) -> exp.Expr:
    """The same for the number of a value."""
    return expression(
        "(:number IN (SELECT value FROM given WHERE :star))", number=value, star=is_star(exp.column("published"))
    )


def enough_base_values(request: Verification, rows: exp.Expr) -> exp.Expr:
    """TRUE, or SA102 if a table with rows has fewer base values than l."""
    out_of_range = InvalidParameter(
        f"l = {bound_of(request, 'l')} is out of range.", f"It ends at the number of base values, {COUNT}."
    )
    before, after = str(out_of_range).split(COUNT)
    return expression(
        """
        CASE
            WHEN :rows > 0 AND (SELECT count(*) FROM base_values) < :l
                THEN error(:before || (SELECT count(*) FROM base_values) || :after)
            ELSE TRUE
        END
        """,
        rows=rows,
        l=number_literal(bound_of(request, "l") or 0),
        before=text(before),
        after=text(after),
    )


def signature(arguments: list[exp.Expr]) -> exp.Expr:
    """The shares that a base value has in published values, in the order of their numbers."""
    number, share = arguments
    return expression("list({'number': :number, 'share': :share} ORDER BY :number ASC)", number=number, share=share)


def listed(items: list[exp.Expr]) -> exp.Expr:
    """The items that are there, as a list."""
    return expression("list_filter(:items, lambda item: NOT item IS NULL)", items=exp.Array(expressions=items))


def joined(items: list[exp.Expr]) -> exp.Expr:
    """The items that are there, as one text: engines have no list in common."""
    each = (expression("coalesce(', ' || CAST(:item AS VARCHAR), '')", item=item) for item in items)
    together = reduce(lambda one, other: exp.DPipe(this=one, expression=other, safe=True), each)
    return exp.Substring(this=together, start=exp.Literal.number(3))


def spelled(number: exp.Expr) -> exp.Expr:
    """A number that is not negative as text, with nine digits after the point: engines differ in how they write it."""
    return expression(
        """
        CASE
            WHEN :number < CAST('inf' AS DOUBLE) THEN
                CAST(CAST(floor(:number + 0.5e-9) AS BIGINT) AS VARCHAR) || '.' || substring(CAST(
                    1000000000 + CAST(floor((:number + 0.5e-9 - floor(:number + 0.5e-9)) * 1e9) AS BIGINT)
                AS VARCHAR), 2)
            WHEN NOT :number IS NULL THEN 'inf'
        END
        """,
        number=number,
    )


def qi_columns(stands: exp.Expr, request: Verification) -> list[exp.Column]:
    """The quasi-identifiers that `qi` or `keys.qi` stands for; another column for itself."""
    names = qi_names(request) if stands.name == "qi" else [stands.name]
    return [exp.column(name, table=stands.args.get("table")) for name in names]


def qi_pairs(arguments: list[exp.Expr], request: Verification) -> list[tuple[exp.Column, exp.Column]]:
    """The columns to compare, two by two."""
    one, other = arguments
    return list(zip(qi_columns(one, request), qi_columns(other, request), strict=True))


def _is_qi(node: exp.Expr) -> bool:
    return isinstance(node, exp.Column) and node.name == "qi"


def with_users_names(tree: exp.Select, request: Verification) -> exp.Select:
    """Give the quasi-identifiers of the result the names that the user knows."""
    names = dict(zip(qi_names(request), request.qi, strict=True))
    selected = [
        exp.alias_(item, identifier(names[item.name])) if isinstance(item, exp.Column) and item.name in names else item
        for item in tree.expressions
    ]
    tree.set("expressions", selected)
    return tree
