"""The query of an analyst, answered by SQL from the distinct published values of a release.

classes         the distinct combinations of cells in the columns that the query uses, c_1 …, with their rows (n), but
                for rows that cannot count at a glance
parts_* …       what each published value covers, and which fraction of it lies in a set: see parts and shares
matched_*       per path through the decision: the classes that may take it, summed up, apart for those that are sure to
spread_*        the same, spread over the values of one column of GROUP BY after the other
published_rows  all paths: what rows add to which group
contributions   the same, and what rows that were left out of the release may add
answers         see answer
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqlanon.arguments import refuse_many
from sqlanon.queries.query import Query, read_query
from sqlanon.statement.engine import OtherEngine
from sqlanon.statement.template import column as our_column
from sqlanon.statement.template import expression, query, text, with_steps

from .answer import answer, answers
from .columns import QueryColumn, decision, query_columns, required_texts
from .decision import Path, Tree, demanded_regions, nodes
from .duckdb_reader import DuckDBReader
from .odds import Odds
from .overlap import Overlap
from .parts import parts_steps
from .portable_reader import portable_reader
from .randomized import randomized_statement
from .reader import Reader
from .refusals import MOST_SHARES, too_many_groups
from .request import Estimation
from .shares import open_reach, shares, values

MOST_COLUMNS = 50
"""Columns of one query: each is decided after the other, one level deeper."""
EXPECTED = {"count": ("p",), "sum": ("p", "m"), "avg": ("p", "m")}
"""The sums of each aggregate, beside the rows, that are spread over values of GROUP BY: see matched."""
ADDED = {"count": (), "sum": ("low", "high", "low_or_none", "high_or_none"), "avg": ()}
"""The sums that are not spread."""
APART = {"count": (), "sum": (), "avg": ("low", "high")}
"""The columns that rows must have in common to be summed up."""


def estimation_statement(request: Estimation) -> exp.Select:
    """Build the statement for DuckDB with sqlanon loaded."""
    if request.params is not None:
        return randomized_statement(request)
    return Statement.of(request, read_query(request.query), DuckDBReader(dict(request.taxonomy))).build()


def rewritten_statement(request: Estimation, engine: OtherEngine) -> exp.Select:
    """Build the statement for another engine."""
    return Statement.of(request, read_query(request.query, engine.name), portable_reader(engine)).build()


@dataclass(frozen=True)
class Statement:
    """A statement: the query, its columns, the engine, and the paths through the decision that can hold."""

    rel: str
    query: Query
    columns: Sequence[QueryColumn]
    reader: Reader
    tree: Tree
    paths: Sequence[Path]
    required: dict[str, list[str]]
    odds: Odds
    suppressed: int
    """Rows of the source that the release does not have."""

    @classmethod
    def of(cls, request: Estimation, query: Query, reader: Reader) -> Statement:
        """Cut the columns of a query, and decide its condition."""
        columns = query_columns(query, request)
        refuse_many("query uses", len(columns), MOST_COLUMNS)
        tree, paths = decision(query, columns)
        reader.refuse(columns)
        odds = Odds(columns, query.measured, [path.rest for path in paths])
        required = required_texts(columns, tree)
        return cls(request.rel, query, columns, reader, tree, paths, required, odds, request.suppressed)

    @property
    def keys(self) -> list[QueryColumn]:
        """The columns of GROUP BY."""
        return [self.columns[group.column] for group in self.query.groups]

    def build(self) -> exp.Select:
        """Put the steps together."""
        recoded = {
            f"recoded_{column.alias}": self.reader.is_recoded(column, self.rel)
            for column in self.columns
            if column.may_have_labels
        }
        steps = {**self.reader.first_steps(), **recoded, "classes": self.classes(), **dict(self.column_steps())}
        last = []
        for i, path in enumerate(self.paths):
            steps[f"matched_{i}"] = self.match_path(path)
            last.append(f"matched_{i}")
            for at in range(len(self.keys)):
                steps[f"spread_{i}_{at}"] = self.spread(last[-1], at, path)
                last[-1] = f"spread_{i}_{at}"
        every_path = [exp.select("*").from_(step) for step in last] or [self.nothing()]
        contributions = exp.union(*every_path, distinct=False) if len(every_path) > 1 else every_path[0]
        if self.suppressed and self.paths:
            steps["published_rows"] = contributions
            contributions = exp.union(
                exp.select(*self.contribution_columns).from_("published_rows"),
                self.left_out(),
                distinct=False,
                copy=False,
            )
        steps["contributions"] = contributions
        steps["answers"] = answers(self.query.aggregate, key_names(len(self.keys)))
        return with_steps(
            answer(self.query, self.reader), {name: self.reader.engine.step(step) for name, step in steps.items()}
        )

    def classes(self) -> exp.Select:
        """The distinct combinations of published values, of the rows that may count."""
        if not self.columns:
            return exp.select("count(*) AS n").from_(self.reader.engine.table(self.rel, "rel"))
        aliases = {column.alias: column.name for column in self.columns}
        rows = self.reader.rows(self.rel, aliases).subquery("released")
        classes = exp.select(*aliases, "count(*) AS n").from_(rows, copy=False).group_by(*aliases)
        for alias, texts in self.required.items():
            may_be = self.reader.may_be(our_column(alias), texts)
            column = next(each for each in self.columns if each.alias == alias)
            if column.may_have_labels:
                may_be = exp.or_(may_be, self.has_labels(column))
            classes = classes.where(may_be, copy=False)
        return classes

    def has_labels(self, column: QueryColumn) -> exp.Expr:
        """Whether single values of text may be labels, so that no row can be passed over."""
        sought = column.sought_texts
        cell = exp.cast(our_column(column.alias), "VARCHAR")
        return query(
            """
            SELECT
                count(DISTINCT CASE WHEN :shown THEN :cell END) < :number
                OR coalesce(max(CASE WHEN :cell LIKE '_%*' THEN 1 ELSE 0 END), 0) = 1
                OR (SELECT recoded FROM :recoded)
            FROM :rows
            """,
            recoded=f"recoded_{column.alias}",
            shown=exp.In(this=cell.copy(), expressions=[*map(text, sought)]) if sought else exp.false(),
            cell=cell,
            number=exp.Literal.number(len(sought)),
            rows=self.reader.rows(self.rel, {column.alias: column.name}).subquery("every_row"),
        ).subquery()

    def column_steps(self) -> Iterator[tuple[str, exp.Query]]:
        """Per column that the answer hangs on, or that is compared, from its cells to shares_* or values_*."""
        for i, column in enumerate(self.columns):
            if not column.grouped and i not in self.odds.sets and not column.regions.points:
                continue
            sets = self.group_sets(i) if column.grouped else self.odds.sets.get(i, [])
            column.refuse_runs(sets)
            yield from parts_steps(column, self.reader, self.rel, bool(self.required)).items()
            if column.grouped:
                yield f"values_{column.alias}", values(column, self.reader, sets)
            elif sets:
                measured = i == self.query.measured
                yield f"shares_{column.alias}", shares(column, self.reader, sets, self.odds.weighed[i], measured)

    def group_sets(self, number: int) -> list[frozenset[int]]:
        """The sets that paths ask of a column of GROUP BY."""
        return list(dict.fromkeys(chosen for path in self.paths for at, chosen in path.chosen if at == number))

    def checks(self, path: Path | None) -> list[exp.Expr]:
        """Conditions that are true, once the columns that are compared, but which a path does not read, are checked."""
        read = {node.column for node in nodes(path.rest)} if path else set()
        return [
            expression("coalesce((SELECT length(axis) FROM :size), 0) < 99", size=f"size_{column.alias}")
            for i, column in enumerate(self.columns)
            if column.regions.points and i not in read and not (path and column.grouped)
        ]

    def match_path(self, path: Path) -> exp.Select:
        """Classes with the same cells in GROUP BY, summed up: rows that may take this path, or must, and what they add.

        p is the expected number of rows, m the expected sum. low and high are what the rows add to a sum if they count,
        low_or_none and high_or_none if they may also count for nothing. For avg, low and high are those of one row, and
        rows of different ones stay apart.
        """
        cells = [column.alias for column in self.keys]
        judged = exp.select(*cells, "n").from_("classes")
        judged = judged.select(
            exp.alias_(self.odds.probability(path.rest), "p"),
            exp.alias_(exp.not_(self.odds.possible(path.rest, wanted=False)), "sure"),
            copy=False,
        ).where(self.odds.possible(path.rest, wanted=True), *self.checks(path), copy=False)
        for alias in dict.fromkeys(self.columns[node.column].alias for node in nodes(path.rest)):
            cell = self.reader.engine.same(our_column(alias, "classes"), our_column("cell", f"shares_{alias}"))
            judged = judged.join(f"shares_{alias}", on=cell, copy=False)
        sums = {"p": "n * p"}
        if self.query.measured is not None:
            low, high = self.odds.reach(path.rest)
            named = {"m": self.odds.moment(path.rest), "low": low, "high": high}
            judged = judged.select(*(exp.alias_(each, name) for name, each in named.items()), copy=False)
            sums["m"] = "n * m"
        if self.query.aggregate == "sum":
            sums |= {"low": "n * low", "high": "n * high"}
            sums |= {"low_or_none": "n * least(0, low)", "high_or_none": "n * greatest(0, high)"}
        return self.sum_up(judged, cells, sums)

    def spread(self, source: str, at: int, path: Path) -> exp.Select:
        """The sums so far, spread over the values of one column of GROUP BY that take the path."""
        column, number = self.keys[at], self.query.groups[at].column
        listed = exp.select("cell", "value", "position", "weight", "single").from_(f"values_{column.alias}")
        for decided, chosen in path.chosen:
            if decided == number:
                listed = listed.where(f"in_{self.group_sets(number).index(chosen)}", copy=False)
        same = self.reader.engine.same(our_column(column.alias, "source"), our_column("cell", "listed"))
        pairs = query(
            "SELECT sum(listed.pairs) FROM :source AS source JOIN :listed AS listed ON :same",
            source=source,
            listed=exp.select("cell", "count(*) AS pairs").from_(listed.subquery("listed")).group_by("cell").subquery(),
            same=same.copy(),
        )
        few = self.reader.guard(
            [(expression(f":pairs > {MOST_SHARES}", pairs=pairs.subquery()), too_many_groups())], "n"
        )
        later = [key.alias for key in self.keys[at + 1 :]]
        expected, added = EXPECTED[self.query.aggregate], ADDED[self.query.aggregate]
        spread = exp.select(
            *(f"source.{name}" for name in [*key_names(at), *later, "n", *added, *APART[self.query.aggregate]]),
            f"listed.value AS value_{at}",
            f"listed.position AS position_{at}",
            "source.sure AND listed.single = 1 AS sure",
            *(f"source.{name} * listed.weight AS {name}" for name in expected),
        )
        spread = spread.from_(exp.select("*").from_(source).where(few).subquery("source"), copy=False)
        spread = spread.join(listed.subquery("listed"), on=same, copy=False)
        return self.sum_up(spread, [*key_names(at + 1), *later], {name: name for name in (*expected, *added)})

    def sum_up(self, rows: exp.Select, keys: Sequence[str], sums: dict[str, str]) -> exp.Select:
        """Rows with the same keys as one. What is expected is not known if it is not known of one of them."""
        keys = [*keys, "sure", *APART[self.query.aggregate]]
        totals = [
            f"CASE WHEN count({name}) = count(*) THEN sum({each}) END AS {name}"
            if name in EXPECTED[self.query.aggregate]
            else f"sum({each}) AS {name}"
            for name, each in sums.items()
        ]
        return exp.select(*keys, "sum(n) AS n", *totals).from_(rows.subquery("judged"), copy=False).group_by(*keys)

    @property
    def contribution_columns(self) -> list[str]:
        """The columns of contributions."""
        aggregate = self.query.aggregate
        numbers = (*EXPECTED[aggregate], *ADDED[aggregate], *APART[aggregate])
        return [*key_names(len(self.keys)), "sure", "n", *numbers]

    def left_out(self) -> exp.Select:
        """The most that rows left out may add to each group of the release; nothing is expected of them."""
        measured = self.query.measured
        numbers: dict[str, exp.Expr] = {name: expression("0e0") for name in EXPECTED[self.query.aggregate]}
        if measured is not None:
            regions = self.columns[measured].regions
            reach = open_reach(Overlap(regions, self.reader), demanded_regions(self.tree, measured, regions.everything))
            times = self.suppressed if self.query.aggregate == "sum" else 1
            for side, end, extreme in zip(("low", "high"), reach, ("least", "greatest"), strict=True):
                numbers[side] = expression(f"{times} * :end", end=end)
                numbers[f"{side}_or_none"] = expression(f"{times} * {extreme}(0e0, :end)", end=end)
        keys = key_names(len(self.keys))
        rows = exp.select(*keys).distinct().from_("published_rows").subquery("groups") if keys else None
        constants = {"sure": exp.false(), "n": exp.Literal.number(self.suppressed), **numbers}
        select = exp.select(
            *(constants[name].as_(name) if name in constants else name for name in self.contribution_columns)
        )
        sources = [*([rows] if rows else []), *([exp.to_table(self.size_of(measured))] if measured is not None else [])]
        for i, source in enumerate(sources):
            select = select.from_(source, copy=False) if i == 0 else select.join(source, join_type="cross", copy=False)
        return select

    def size_of(self, number: int) -> str:
        """The step that says how the values of a column are compared."""
        return f"size_{self.columns[number].alias}"

    def nothing(self) -> exp.Select:
        """No contributions, where nothing can ever hold."""
        aggregate = self.query.aggregate
        numbers = (*EXPECTED[aggregate], *ADDED[aggregate], *APART[aggregate])
        keys = [
            expression(f"(SELECT max(value) FROM values_{column.alias} WHERE 1 = 0) AS value_{i}")
            for i, column in enumerate(self.keys)
        ]
        missing = [*(f"position_{i}" for i in range(len(keys))), *numbers]
        positions = [f"CAST(NULL AS DOUBLE) AS {name}" for name in missing]
        checks = self.checks(None)
        never = exp.not_(exp.paren(exp.and_(*checks))) if checks else exp.false()
        return exp.select(*keys, *positions, "FALSE AS sure", "0 AS n").where(never)


def key_names(number: int) -> list[str]:
    """The columns of contributions that say which group."""
    return [f"{part}_{i}" for i in range(number) for part in ("value", "position")]
