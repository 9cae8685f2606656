"""The queries that an analyst may ask of a source they do not have: one aggregate of one table, WHERE and GROUP BY.

What cannot be estimated is SA102, which names it.

>>> query = read_query("SELECT count(*) FROM patients WHERE age > 30 GROUP BY city")
>>> query.aggregate, query.names, query.groups
('count', ('city', 'age'), (GroupKey(column=0, title='city'),))
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sqlanon.arguments import fold
from sqlanon.errors import InvalidParameter, SqlanonError

from .conditions import Comparison, Condition, ConditionReader, all_of, what
from .conditions import refusal as refused_in

CLAUSES = {
    "with_": "WITH", "distinct": "DISTINCT", "having": "HAVING", "limit": "LIMIT", "offset": "OFFSET",
    "order": "ORDER BY", "joins": "JOIN", "laterals": "LATERAL", "windows": "WINDOW", "qualify": "QUALIFY",
    "sample": "USING SAMPLE", "fetch": "FETCH", "into": "INTO", "locks": "FOR UPDATE", "pivots": "PIVOT",
}  # fmt: skip
KNOWN = {"expressions", "from_", "where", "group", "kind", "hint"}


@dataclass(frozen=True)
class GroupKey:
    """A column of GROUP BY, and what it is called in the result."""

    column: int
    title: str


@dataclass(frozen=True)
class Query:
    """A query, read. Columns go by their number in `names`."""

    names: tuple[str, ...]
    groups: tuple[GroupKey, ...]
    aggregate: str
    """count, sum or avg"""
    measured: int | None
    """The column of sum and avg."""
    condition: Condition

    @property
    def order(self) -> list[int]:
        """The columns in the order in which to decide: those of GROUP BY first, that of sum and avg last."""
        first = [group.column for group in self.groups]
        last = [] if self.measured is None else [self.measured]
        return [*first, *(i for i in range(len(self.names)) if i not in first + last), *last]


def refusal(construct: str) -> SqlanonError:
    return refused_in("query", construct)


class QueryReader(ConditionReader):
    """Reads the conditions of a query, whose columns may be prefixed with the name of its table."""

    def __init__(self, tables: set[str]) -> None:
        super().__init__("query")
        self.tables = tables

    def column(self, node: exp.Column) -> int:
        """The number of a column of the one table."""
        if node.table and fold(node.table) not in self.tables:
            raise InvalidParameter(f"query: there is no table {node.table!r} in its FROM.", "Name its one table.")
        return super().column(node)


def read_query(query: str, dialect: str = "duckdb") -> Query:
    """Read a query, or refuse it."""
    select = parse(query, dialect)
    for name, part in select.args.items():
        if part and name not in KNOWN:
            raise refusal(CLAUSES.get(name, name.strip("_").upper()))
    if any(node is not select for node in select.find_all(exp.Query)):
        raise refusal("a subquery")
    reader = QueryReader(table_names(select))
    titles, aggregate = read_select_list(select, reader)
    groups = read_groups(select, titles, reader)
    where = select.args.get("where")
    condition: Condition = reader.condition(where.this) if where else True
    kind, column = read_aggregate(aggregate, reader)
    if column is not None:
        condition = all_of([condition, ("not", Comparison(column, "null"))])
    measured = column if kind != "count" else None
    if measured is not None and any(group.column == measured for group in groups):
        raise InvalidParameter(
            f"query: column {reader.names[measured]!r} is both in GROUP BY and in {kind}().",
            "Count the rows of each value instead.",
        )
    return Query(tuple(reader.names), groups, kind, measured, condition)


def parse(query: str, dialect: str) -> exp.Select:
    """One SELECT, or SA102."""
    try:
        statements = sqlglot.parse(query, dialect=dialect)
    except (SqlglotError, RecursionError) as error:
        raise InvalidParameter("query cannot be parsed.", "Give one SELECT.") from error
    statement = statements[0] if len(statements) == 1 else None
    if isinstance(statement, exp.SetOperation):
        raise refusal(type(statement).__name__.upper())
    if not isinstance(statement, exp.Select):
        raise InvalidParameter("query is not one SELECT.", "Write SELECT count(*) FROM the source WHERE …")
    return statement


def table_names(select: exp.Select) -> set[str]:
    """The names by which the query may call its one table."""
    clause = select.args.get("from_")
    table = clause.this if clause else None
    if isinstance(table, exp.Subquery):
        raise refusal("a subquery")
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        raise InvalidParameter("query does not name its table.", "Write FROM and the name of the source.")
    extra = [name for name, part in table.args.items() if part and name not in ("this", "db", "catalog", "alias")]
    if extra:
        raise refusal(CLAUSES.get(extra[0], extra[0].upper()))
    if table.alias_column_names:
        raise refusal("a table alias with column names")
    return {fold(table.name), fold(table.alias)} - {""}


def read_select_list(select: exp.Select, reader: QueryReader) -> tuple[list[tuple[int, str]], exp.Expr]:
    """The columns of the SELECT list with their titles, and its one aggregate."""
    titles: list[tuple[int, str]] = []
    aggregates: list[exp.Expr] = []
    for item in select.expressions:
        inner = item.unalias()
        if isinstance(inner, exp.Column) and not isinstance(inner.this, exp.Star):
            titles.append((reader.column(inner), item.alias_or_name))
        elif isinstance(inner, exp.AggFunc | exp.Window | exp.Filter | exp.Star | exp.Anonymous):
            aggregates.append(inner)
        else:
            raise refusal(f"{what(inner)} in the SELECT list")
    if len(aggregates) != 1:
        raise InvalidParameter(
            f"query selects {len(aggregates)} aggregates.", "Select one: count(*), sum(column) or avg(column)."
        )
    return titles, aggregates[0]


def read_groups(select: exp.Select, titles: list[tuple[int, str]], reader: QueryReader) -> tuple[GroupKey, ...]:
    """The columns of GROUP BY, by name, by position or by title. A column selected without being grouped is refused."""
    clause = select.args.get("group")
    columns: list[int] = []
    if clause is not None:
        for name in ("grouping_sets", "cube", "rollup", "totals"):
            if clause.args.get(name):
                raise refusal(name.replace("_", " ").upper())
        columns = [column for column, _ in titles] if clause.args.get("all") else []
        columns += [group_column(key, select, titles, reader) for key in clause.expressions]
    columns = list(dict.fromkeys(columns))
    for column, _ in titles:
        if column not in columns:
            raise InvalidParameter(
                f"query selects column {reader.names[column]!r}, which is not in GROUP BY.", "Group by it."
            )
    called = dict(reversed(titles))
    keys = [GroupKey(column, called.get(column, reader.names[column])) for column in columns]
    reserved = {"estimate", "lower", "upper"}
    for group in keys:
        if fold(group.title) in reserved:
            raise InvalidParameter(
                f"query: a column of the result cannot be called {group.title!r}.", "Give it an alias."
            )
        reserved.add(fold(group.title))
    return tuple(keys)


def group_column(key: exp.Expr, select: exp.Select, titles: list[tuple[int, str]], reader: QueryReader) -> int:
    """The column that one key of GROUP BY means."""
    if isinstance(key, exp.Literal) and key.is_int:
        position = int(key.name)
        if not 1 <= position <= len(select.expressions):
            raise InvalidParameter(f"query: GROUP BY {position} is no position in the SELECT list.")
        key = select.expressions[position - 1].unalias()
    if not isinstance(key, exp.Column):
        raise refusal(f"{what(key)} in GROUP BY")
    if not key.table and (titled := [column for column, title in titles if fold(title) == fold(key.name)]):
        return titled[0]
    return reader.column(key)


def read_aggregate(node: exp.Expr, reader: QueryReader) -> tuple[str, int | None]:
    """count, sum or avg, and the column that must not be NULL. count(*), count(1) and sum(1) are the same."""
    argument = node.this if isinstance(node, exp.Count | exp.Sum | exp.Avg) else None
    if argument is None or (isinstance(node, exp.Count) and node.expressions):
        raise refusal(what(node))
    if isinstance(argument, exp.Distinct):
        raise refusal("DISTINCT")
    kind = type(node).__name__.lower()
    if isinstance(argument, exp.Column) and not isinstance(argument.this, exp.Star):
        return kind, reader.column(argument)
    counts_rows = isinstance(argument, exp.Star) or (isinstance(argument, exp.Literal) and not argument.is_string)
    if kind == "count" and counts_rows:
        return "count", None
    if kind == "sum" and isinstance(argument, exp.Literal) and argument.name == "1":
        return "count", None
    raise refusal(f"{kind}() of {what(argument)}")
