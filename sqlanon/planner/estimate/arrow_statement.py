"""The statement of estimate: the release grouped by the columns that a query uses, and one question about the classes.

classes     the distinct combinations of published values, with their rows (n); without rows that cannot count at a
            glance, if there are such columns, and then also
shown       per column, what all rows show if one of the classes tells nothing: a star is spread over it
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from sqlanon.arguments import fold, refuse_many
from sqlanon.planner.source import checked_columns, read_table, taxonomy_paths
from sqlanon.planner.template import column, expression, field, identifier, query, struct, text
from sqlanon.queries.query import Query, read_query
from sqlanon.request.estimation import Estimation

from .columns import QueryColumn, decision, query_columns, required_texts
from .question import write_question
from .regions import Regions

MOST_COLUMNS = 50
"""Columns of one query: each is decided after the other, one level deeper."""

FEW = 8
"""Texts that are compared one by one."""


def estimation_statement(request: Estimation) -> exp.Select:
    """Build the statement."""
    asked = read_query(request.query)
    tables = dict(request.taxonomy)
    trees = [fold(name) in tables for name in asked.names]
    used = query_columns(asked, trees)
    refuse_many("query uses", len(used), MOST_COLUMNS)
    tree, paths = decision(asked, used)
    paths_of = [
        (each.alias, listed_paths(tables[fold(each.name)], each.name))
        for each, has_tree in zip(used, trees, strict=True)
        if has_tree
    ]
    moments = [(each.alias, instants(each.regions)) for each in used if each.regions.axis in ("iso", "time")]
    answers = expression(
        "_sqlanon_estimate(:question, found.classes, found.shown, :taxonomies, :instants)",
        question=text(write_question(asked, used, paths, trees)),
        taxonomies=struct(paths_of) if paths_of else exp.null(),
        instants=struct(moments) if moments else exp.null(),
    )
    answers = exp.func("unnest", answers) if asked.groups else expression(":answers[1]", answers=answers)
    types = [exp.column(used[group.column].alias, table="found") for group in asked.groups]
    found = answered(request, used, required_texts(used, tree), [exp.alias_(answers, "answer"), *types])
    return selected(asked, used).from_(found.subquery("answers"), copy=False)


def selected(asked: Query, used: Sequence[QueryColumn]) -> exp.Select:
    """The columns of GROUP BY, in a type as close to the source's as the release shows, estimate, lower, upper."""
    groups = [
        exp.alias_(
            expression(
                f"_sqlanon_like(:witness, struct_extract(answer, 'keys')[{i + 1}])",
                witness=column(used[group.column].alias),
            ),
            identifier(group.title),
        )
        for i, group in enumerate(asked.groups)
    ]
    bounds = [field("answer", "lower"), field("answer", "upper")]
    if asked.aggregate == "count":
        bounds = [exp.cast(bound, "BIGINT") for bound in bounds]
    named = zip([field("answer", "estimate"), *bounds], ("estimate", "lower", "upper"), strict=True)
    return exp.select(*groups, *(exp.alias_(value, name) for value, name in named))


def answered(
    request: Estimation, used: Sequence[QueryColumn], glance: Mapping[str, Sequence[str]], answers: Sequence[exp.Expr]
) -> exp.Select:
    """Select answers from `found`, one row: the classes as a list, what else is shown, a value of each of GROUP BY."""
    if not used:
        return exp.select(*answers).from_(
            query(
                "SELECT list({'n': n}) AS classes, NULL AS shown FROM :counted AS counted",
                counted=query("SELECT count(*) AS n FROM :rel", rel=read_table(request.rel, "rel")).subquery(),
            ).subquery("found")
        )
    columns = {each.alias: each.name for each in used}
    cells = [(own, expression("_sqlanon_handed(:cell, :cell)", cell=column(own))) for own in columns]
    lists = exp.select(
        exp.alias_(exp.func("list", struct([*cells, ("n", column("n"))])), "classes"),
        *(exp.alias_(exp.func("any_value", column(each.alias)), each.alias) for each in used if each.grouped),
    ).from_("classes")
    lists = lists.with_("classes", classes(request, columns, glance), materialized=bool(glance) or None, copy=False)
    shown = struct((own, shown_values(request, own, name)) for own, name in columns.items()) if glance else exp.null()
    return exp.select(*answers).from_(
        lists.select(exp.alias_(shown, "shown"), copy=False).subquery("found"), copy=False
    )


def classes(request: Estimation, columns: Mapping[str, str], glance: Mapping[str, Sequence[str]]) -> exp.Select:
    """The distinct combinations of published values, of the rows that may count."""
    rows = checked_columns(request.rel, "estimate", columns, "rel").subquery("released")
    found = exp.select(*columns, "count(*) AS n").from_(rows, copy=False).group_by(*columns)
    for own, texts in glance.items():
        may_be = expression("_sqlanon_may_be(:cell, :plain)", cell=column(own), plain=one_of(column(own), texts))
        found = found.where(may_be, copy=False)
    return found


def one_of(cell: exp.Expr, texts: Sequence[str]) -> exp.Expr:
    """Whether a cell is one of some texts; a few are compared while DuckDB scans, which it does not do for IN."""
    if len(texts) > FEW:
        return exp.In(this=cell, expressions=[*map(text, texts)])
    return exp.or_(*(exp.EQ(this=cell.copy(), expression=text(each)) for each in texts))


def shown_values(request: Estimation, own: str, name: str) -> exp.Expr:
    """The distinct values of a column in the whole release, if the classes have a star there: else nothing is read."""
    return query(
        """
        SELECT list(DISTINCT _sqlanon_handed(cell, cell)) FROM :every
        WHERE EXISTS(SELECT 1 FROM classes WHERE _sqlanon_starred(:own))
        """,
        every=checked_columns(request.rel, "estimate", {"cell": name}, "rel").subquery("every"),
        own=column(own, "classes"),
    ).subquery()


def instants(regions: Regions) -> exp.Expr:
    """The constants of a column as instants, if it is one of those: as DuckDB reads them in the session's time zone."""
    return exp.array(
        *(
            expression(
                "epoch_us(TRY_CAST(:moment AS TIMESTAMPTZ))",
                moment=read_as(constant, min(forms)),
            )
            for constant, forms in zip(regions.texts, regions.types, strict=True)
        )
    )


def read_as(constant: str, form: str) -> exp.Expr:
    """A constant as its type; NULL if this version of DuckDB does not read it."""
    if not form:
        return text(constant)
    return exp.TryCast(this=text(constant), to=exp.DataType.build(form, dialect="duckdb"))


def listed_paths(table: str, name: str) -> exp.Expr:
    """The paths of a column's taxonomy as one list."""
    return query("SELECT list(path) FROM :paths", paths=taxonomy_paths(table, name).subquery("paths")).subquery()
