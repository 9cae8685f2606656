"""The query of an analyst, answered by plain SQL from the distinct published values of a release.

released    the columns that the query uses, under names of our own: c_1 …
classes     their distinct combinations, with their rows (n), but for rows that cannot count at a glance
parts_* …   what each published value covers, and which fraction of it lies in a set: see shares
stakes_*    per branch of the decision (see sets): its classes summed up, apart for those that are certain
laid        the stakes, spread over the values of GROUP BY
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from sqlanon.errors import InvalidParameter
from sqlanon.planner.estimate.columns import QueryColumn, decision, query_columns, required_texts
from sqlanon.planner.estimate.decision import Path, nodes
from sqlanon.planner.source import read_portable_table, wanted_columns
from sqlanon.planner.template import column, expression, query, text, with_steps
from sqlanon.queries.query import Query, read_query
from sqlanon.refusals import no_moments
from sqlanon.request.estimation import Estimation

from .answer import answer
from .cells import counting_steps, may_be
from .odds import Odds
from .parts import parts_steps
from .shares import shares, values


def rewritten_statement(request: Estimation, dialect: str) -> exp.Select:
    """Build the statement: plain SQL for any engine."""
    asked = read_query(request.query, dialect)
    used = query_columns(asked, [False] * len(asked.names))
    tree, paths = decision(asked, used)
    refuse_order(used)
    glance = required_texts(used, tree)
    odds = Odds([each.alias for each in used], asked.measured, [path.rest for path in paths])
    steps = counting_steps() | dict(release_steps(request, used, glance))
    steps |= dict(column_steps(asked, used, paths, odds, "released" if glance else "classes", dialect))
    for i, path in enumerate(paths):
        steps[f"stakes_{i}"] = stakes(asked, used, path, odds)
    steps["laid"] = laid(asked, used, paths)
    return with_steps(answer(asked), steps)


def refuse_order(used: list[QueryColumn]) -> None:
    """Engines disagree about the order of text, and about moments with a time zone."""
    for each in used:
        if any("TIMESTAMPTZ" in forms for forms in each.regions.types):
            raise no_moments(each)
        if each.regions.axis == "text" and each.regions.ordered:
            raise InvalidParameter(
                f"query: the order of text in column {each.name!r} is not the same on all engines.",
                "Compare it with =, <>, IN or IS NULL, or use estimate in DuckDB.",
            )


def release_steps(
    request: Estimation, used: Sequence[QueryColumn], glance: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, exp.Select]]:
    """From the analyst's release to classes."""
    if not used:
        table = read_portable_table(request.rel, "rel")
        rel = exp.alias_(table, "rel", table=True) if isinstance(table, exp.Subquery) else table
        yield "classes", exp.select("count(*) AS n").from_(rel)
        return
    released = wanted_columns(request.rel, "estimate", {each.alias: each.name for each in used}, False, argument="rel")
    released.set("expressions", [
        exp.alias_(exp.cast(item.unalias(), "VARCHAR"), item.alias) for item in released.expressions
    ])  # fmt: skip
    yield "released", released
    owns = [each.alias for each in used]
    classes = exp.select(*owns, "count(*) AS n").from_("released").group_by(*owns)
    for own, texts in glance.items():
        plain = exp.In(this=column(own), expressions=[*map(text, texts)])
        classes = classes.where(may_be(column(own), plain), copy=False)
    yield "classes", classes


def column_steps(
    asked: Query, used: list[QueryColumn], paths: list[Path], odds: Odds, every_row: str, dialect: str
) -> Iterator[tuple[str, exp.Select]]:
    """Per column that the answer hangs on, from the step with every row to shares_* or values_*."""
    for i, each in enumerate(used):
        if not each.grouped and i not in odds.sets:
            continue
        sets = group_sets(i, paths) if each.grouped else odds.sets[i]
        each.refuse_runs(sets)
        yield from parts_steps(each, every_row, dialect).items()
        if each.grouped:
            yield f"values_{each.alias}", values(each, sets)
        else:
            yield f"shares_{each.alias}", shares(each, sets, odds.weighed[i], i == asked.measured)


def group_sets(number: int, paths: list[Path]) -> list[frozenset[int]]:
    """The sets that paths ask of a column of GROUP BY."""
    return list(dict.fromkeys(chosen for path in paths for at, chosen in path.chosen if at == number))


def same(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    """Equal, NULL too; some engines join by hash only where they see an =."""
    return expression("coalesce('+' || :one, '-') = coalesce('+' || :other, '-')", one=one, other=other)


def stakes(asked: Query, used: list[QueryColumn], path: Path, odds: Odds) -> exp.Select:
    """Classes with the same cells in GROUP BY, summed up: rows that may take this path, or must, and what to expect.

    low and high are what a row adds to the sum if it counts, low_none and high_none if it may also count for nothing.
    For avg, rows of different low or high stay apart.
    """
    cells = [used[group.column].alias for group in asked.groups]
    judged = exp.select(*cells, "n").from_("classes")
    judged = judged.select(
        exp.alias_(odds.probability(path.rest), "p"),
        exp.alias_(exp.not_(odds.possible(path.rest, wanted=False)), "certain"),
        copy=False,
    ).where(odds.possible(path.rest, wanted=True), copy=False)
    for own in dict.fromkeys(used[node.column].alias for node in nodes(path.rest)):
        cell = column("cell", f"shares_{own}")
        judged = judged.join(f"shares_{own}", on=same(column(own, "classes"), cell), copy=False)
    summed = {
        "n": "sum(n)",
        "p": "CASE WHEN count(p) = count(*) THEN sum(n * p) END",
    }
    keys = [*cells, "certain"]
    if asked.measured is not None:
        least, most = odds.reach(path.rest)
        judged = judged.select(
            exp.alias_(odds.moment(path.rest), "m"), exp.alias_(least, "low"), exp.alias_(most, "high"), copy=False
        )
        summed["m"] = "CASE WHEN count(m) = count(*) THEN sum(n * m) END"
    if asked.aggregate == "sum":
        summed |= {
            "low": "sum(n * low)",
            "high": "sum(n * high)",
            "low_none": "sum(n * least(0, low))",
            "high_none": "sum(n * greatest(0, high))",
        }
    elif asked.aggregate == "avg":
        keys += ["low", "high"]
    total = exp.select(*keys, *(f"{how} AS {name}" for name, how in summed.items())).from_(judged.subquery("judged"))
    return total.group_by(*keys)


def laid(asked: Query, used: list[QueryColumn], paths: list[Path]) -> exp.Select:
    """Stakes spread over the values of GROUP BY: what is sure, and what each adds."""
    branches = [laid_path(asked, used, i, path, paths) for i, path in enumerate(paths)]
    if not branches:  # nothing can ever hold
        keys = [
            f"CAST(NULL AS VARCHAR) AS value_{i}, CAST(NULL AS DOUBLE) AS place_{i}," for i in range(len(asked.groups))
        ]
        numbers = ", ".join(
            f"CAST(NULL AS DOUBLE) AS {name}" for name in ("p", "m", "low", "high", "low_none", "high_none")
        )
        return query(f"SELECT {' '.join(keys)} FALSE AS sure, 0 AS n, {numbers} WHERE 1 = 0")
    return branches[0] if len(branches) == 1 else exp.union(*branches, distinct=False, copy=False)  # type: ignore[return-value]


def laid_path(asked: Query, used: list[QueryColumn], number: int, path: Path, paths: list[Path]) -> exp.Select:
    """The stakes of one path, spread over the values that take it."""
    stakes_of = f"stakes_{number}"
    spread = exp.select().from_(stakes_of)
    weights: list[exp.Expr] = []
    sure: list[exp.Expr] = [column("certain", stakes_of)]
    for i, group in enumerate(asked.groups):
        own = used[group.column].alias
        listed = f"values_{own}"
        spread = spread.select(f"{listed}.value AS value_{i}", f"{listed}.place AS place_{i}", copy=False)
        spread = spread.join(listed, on=same(column(own, stakes_of), column("cell", listed)), copy=False)
        weights.append(column("weight", listed))
        sure.append(exp.EQ(this=column("single", listed), expression=exp.Literal.number(1)))
        for at, chosen in path.chosen:
            if at == group.column:
                spread = spread.where(column(f"in_{group_sets(at, paths).index(chosen)}", listed), copy=False)
    spread = spread.select(exp.alias_(exp.and_(*sure), "sure"), f"{stakes_of}.n", copy=False)
    for name in ("p",) if asked.measured is None else ("p", "m"):
        part: exp.Expr = column(name, stakes_of)
        for weight in weights:
            part = exp.Mul(this=part, expression=weight)
        spread = spread.select(exp.alias_(part, name), copy=False)
    others = {"sum": ("low", "high", "low_none", "high_none"), "avg": ("low", "high")}.get(asked.aggregate, ())
    return spread.select(*(f"{stakes_of}.{name}" for name in others), copy=False)
