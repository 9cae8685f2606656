"""The statement of estimate: the query of an analyst, answered from the distinct published values of a release.

released    the columns that the query uses, under names of our own: c_1 …
classes     their distinct combinations, with their rows (n), but for rows that cannot count at a glance
parts_* …   what each published value covers, and which fraction of it lies in a set: see shares
stakes_*    per branch of the decision (see sets): its classes summed up, apart for those that are certain
laid        the stakes, spread over the values of GROUP BY
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from sqlanon.arguments import fold
from sqlanon.errors import InvalidParameter
from sqlanon.planner.source import read_table, taxonomy_paths, wanted_columns
from sqlanon.planner.template import column, expression, query, taxonomy_step, with_steps
from sqlanon.request import Estimation

from .answer import answer
from .cells import MOST_RUNS, Used, too_many_runs
from .elsewhere import Elsewhere, counting_steps
from .here import Here
from .odds import Odds, nodes
from .overlap import among_texts
from .parts import Engine, parts_steps
from .query import Asked, read_query
from .sets import Node, Tree, cut, decide, demanded
from .shares import shares, values

MATERIALIZED = (
    "released",
    "classes",
    "published_",
    "told_",
    "spots_",
    "size_",
    "parts_",
    "shares_",
    "values_",
    "taxonomy_",
)


@dataclass(frozen=True)
class Path:
    """One way through the columns of GROUP BY: the sets that their values lie in, and what is left to decide."""

    chosen: tuple[tuple[int, frozenset[int]], ...]
    rest: Tree


def estimation_statement(request: Estimation, *, here: bool = True, dialect: str = "duckdb") -> exp.Select:
    """Build the statement; `here` is DuckDB with sqlanon loaded, otherwise plain SQL for any engine."""
    asked = read_query(request.query, dialect)
    engine: Engine = Here() if here else Elsewhere(dialect)
    tables = dict(request.taxonomy)
    if not here and (named := [name for name in asked.names if fold(name) in tables]):
        raise InvalidParameter(
            f"taxonomy of column {named[0]!r}: another engine reads none.", "Use estimate in DuckDB."
        )
    used = [
        Used(
            own=f"c_{i + 1}",
            name=name,
            regions=cut(i, asked.condition, name, i == asked.measured),
            tree=fold(name) in tables,
            grouped=any(group.column == i for group in asked.groups),
        )
        for i, name in enumerate(asked.names)
    ]
    tree = decide(asked.condition, asked.order, [each.regions for each in used])
    paths = [path for path in group_paths(tree, {group.column for group in asked.groups}) if path.rest is not False]
    if not here:
        refuse_order(used)
    steps = {} if here else counting_steps()
    glance = at_a_glance(used, tree, engine)
    steps |= dict(release_steps(request, used, glance, here))
    steps |= {taxonomy_step(each.own): taxonomy_paths(tables[fold(each.name)], each.name) for each in used if each.tree}
    odds = Odds([each.own for each in used], asked.measured, [path.rest for path in paths])
    steps |= dict(column_steps(asked, used, paths, odds, engine, "released" if glance else "classes"))
    for i, path in enumerate(paths):
        steps[f"stakes_{i}"] = stakes(asked, used, path, odds, engine)
    steps["laid"] = laid(asked, used, paths, engine)
    return with_steps(answer(asked), steps, once=MATERIALIZED if here else ())


def refuse_order(used: list[Used]) -> None:
    """Engines disagree about the order of text."""
    for each in used:
        if each.regions.axis == "text" and each.regions.ordered:
            raise InvalidParameter(
                f"query: the order of text in column {each.name!r} is not the same on all engines.",
                "Compare it with =, <>, IN or IS NULL, or use estimate in DuckDB.",
            )


def group_paths(tree: Tree, groups: set[int]) -> Iterator[Path]:
    """The ways through the columns of GROUP BY, which are decided first."""
    if not isinstance(tree, Node) or tree.column not in groups:
        yield Path((), tree)
        return
    for branch in tree.branches:
        for path in group_paths(branch.then, groups):
            yield Path(((tree.column, branch.chosen), *path.chosen), path.rest)


def at_a_glance(used: list[Used], tree: Tree, engine: Engine) -> list[exp.Expr]:
    """What rows must fulfil to count, as far as it can be seen without taking cells apart: single values of text.

    Of one column alone, taking its few cells apart is all there is to do.
    """
    if len(used) < 2:
        return []
    seen = []
    for i, each in enumerate(used):
        regions = each.regions
        allowed = demanded(tree, i, regions.everything)
        if regions.axis == "text" and not each.tree and not allowed & {*regions.gaps, regions.null} and allowed:
            cell = column(each.own)
            seen.append(engine.may_be(cell, among_texts(regions, allowed, cell)))
    return seen


def release_steps(
    request: Estimation, used: list[Used], glance: list[exp.Expr], here: bool
) -> Iterator[tuple[str, exp.Select]]:
    """From the analyst's release to classes."""
    if not used:
        table = read_table(request.rel, "rel")
        rel = exp.alias_(table, "rel", table=True) if isinstance(table, exp.Subquery) else table
        yield "classes", exp.select("count(*) AS n").from_(rel)
        return
    released = wanted_columns(request.rel, "estimate", {each.own: each.name for each in used}, here, argument="rel")
    if not here:
        released.set("expressions", [
            exp.alias_(exp.cast(item.unalias(), "VARCHAR"), item.alias) for item in released.expressions
        ])  # fmt: skip
    yield "released", released
    owns = [each.own for each in used]
    yield "classes", exp.select(*owns, "count(*) AS n").from_("released").where(*glance).group_by(*owns)


def column_steps(
    asked: Asked, used: list[Used], paths: list[Path], odds: Odds, engine: Engine, every_row: str
) -> Iterator[tuple[str, exp.Select]]:
    """Per column that the answer hangs on, from the step with every row to shares_* or values_*."""
    for i, each in enumerate(used):
        if not each.grouped and i not in odds.sets:
            continue
        sets = group_sets(i, paths) if each.grouped else odds.sets[i]
        if each.regions.axis != "text" and any(len(each.regions.runs(chosen)) > MOST_RUNS for chosen in sets):
            raise too_many_runs(each)
        yield from parts_steps(each, engine, every_row).items()
        if each.grouped:
            yield f"values_{each.own}", values(each, sets, engine)
        else:
            yield f"shares_{each.own}", shares(each, sets, odds.weighed[i], i == asked.measured)


def group_sets(number: int, paths: list[Path]) -> list[frozenset[int]]:
    """The sets that paths ask of a column of GROUP BY."""
    return list(dict.fromkeys(chosen for path in paths for at, chosen in path.chosen if at == number))


def same(one: exp.Expr, other: exp.Expr, engine: Engine) -> exp.Expr:
    """Equal, NULL too; some engines join by hash only where they see an =."""
    if isinstance(engine, Here):
        return exp.NullSafeEQ(this=one, expression=other)
    return expression("coalesce('+' || :one, '-') = coalesce('+' || :other, '-')", one=one, other=other)


def stakes(asked: Asked, used: list[Used], path: Path, odds: Odds, engine: Engine) -> exp.Select:
    """Classes with the same cells in GROUP BY, summed up: rows that may take this path, or must, and what to expect.

    low and high are what a row adds to the sum if it counts, low_none and high_none if it may also count for nothing.
    For avg, rows of different low or high stay apart.
    """
    cells = [used[group.column].own for group in asked.groups]
    judged = exp.select(*cells, "n").from_("classes")
    judged = judged.select(
        exp.alias_(odds.probability(path.rest), "p"),
        exp.alias_(exp.not_(odds.possible(path.rest, wanted=False)), "certain"),
        copy=False,
    ).where(odds.possible(path.rest, wanted=True), copy=False)
    for own in dict.fromkeys(used[node.column].own for node in nodes(path.rest)):
        cell = column("cell", f"shares_{own}")
        judged = judged.join(f"shares_{own}", on=same(column(own, "classes"), cell, engine), copy=False)
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


def laid(asked: Asked, used: list[Used], paths: list[Path], engine: Engine) -> exp.Select:
    """Stakes spread over the values of GROUP BY: what is sure, and what each adds."""
    branches = [laid_path(asked, used, i, path, paths, engine) for i, path in enumerate(paths)]
    if not branches:  # nothing can ever hold
        keys = [
            f"CAST(NULL AS VARCHAR) AS value_{i}, CAST(NULL AS DOUBLE) AS place_{i}," for i in range(len(asked.groups))
        ]
        numbers = ", ".join(
            f"CAST(NULL AS DOUBLE) AS {name}" for name in ("p", "m", "low", "high", "low_none", "high_none")
        )
        return query(f"SELECT {' '.join(keys)} FALSE AS sure, 0 AS n, {numbers} WHERE 1 = 0")
    return branches[0] if len(branches) == 1 else exp.union(*branches, distinct=False, copy=False)  # type: ignore[return-value]


def laid_path(asked: Asked, used: list[Used], number: int, path: Path, paths: list[Path], engine: Engine) -> exp.Select:
    """The stakes of one path, spread over the values that take it."""
    stakes_of = f"stakes_{number}"
    spread = exp.select().from_(stakes_of)
    weights: list[exp.Expr] = []
    sure: list[exp.Expr] = [column("certain", stakes_of)]
    for i, group in enumerate(asked.groups):
        own = used[group.column].own
        listed = f"values_{own}"
        spread = spread.select(f"{listed}.value AS value_{i}", f"{listed}.place AS place_{i}", copy=False)
        spread = spread.join(listed, on=same(column(own, stakes_of), column("cell", listed), engine), copy=False)
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
