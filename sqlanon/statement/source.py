"""The tables that users may pass: a reference or one SELECT. Everything else is SA103.

Names are written anew with every identifier quoted; a query goes into the statement as the user wrote it.

>>> read_table("main.patients").sql("duckdb")
'"main"."patients"'
>>> read_table("patients; DROP TABLE patients")
Traceback (most recent call last):
sqlanon.errors.BadTable: [SA103] tbl is not a table reference or a single SELECT. Give a table, view or CTE …
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sqlanon.errors import BadTable

from .template import expression, identifier, text
from .user_query import calls, is_query, names_starting_with, without_semicolon
from .writer import RESERVED, UserQuery

PATH = re.compile(r"[^'\";()\s]*[/\\][^'\";()\s]*\.(parquet|csv|tsv|json|jsonl|ndjson)(\.(gz|zst))?")
"""A path that is written without quotes."""


class StepName(str):
    """A step of ours that stands for what the user passed as `rel`. No text of a user is one."""

    __slots__ = ()


def argument_of(tbl: str) -> str:
    """The name of the argument that has the table of a function that verifies."""
    return "rel" if isinstance(tbl, StepName) else "tbl"


def read_table(reference: str, argument: str = "tbl") -> exp.Expr:
    """A table by name, a file by its path, or a query or table function, which becomes a subquery."""
    tree = _parse_reference(reference)
    if PATH.fullmatch(reference) and tree is None:
        return exp.Table(this=identifier(reference))
    if not isinstance(tree, exp.Table):
        return _user_query(reference, argument)
    if not isinstance(tree.this, exp.Identifier):  # a table function
        return _user_query(f"FROM {reference}", argument)
    if tree.name.lower().startswith(RESERVED):
        raise BadTable(argument, OURS)
    return _quote_names(tree)


def read_portable_table(reference: str, argument: str = "tbl") -> exp.Expr:
    """The same for another engine, whose SQL it has to be translated to."""
    tree = _parse_reference(reference) or _parse_select(reference)
    if tree is None or any(not isinstance(node, exp.Query) for node in tree.find_all(*WRITES)):
        raise BadTable(argument)
    for node in tree.walk():
        node.comments = None
    return _quote_names(tree)


def wanted_columns(
    tbl: str, function: str, columns: Mapping[str, str], argument: str = "tbl", optional: str = ""
) -> exp.Select:
    """Select columns of a user's table, {our name: the user's name of it}. One that is not there is an error of ours.

    A text column that is `optional` is NULL if it is not there.
    """
    checked = checked_columns(tbl, function, columns, argument, optional)
    wanted = (exp.column(key, table="wanted") for key in columns)
    return exp.select(*wanted).from_(checked.subquery("wanted"), copy=False)


def read_table_for(function: str, tbl: str, argument: str) -> exp.Expr:
    """A user's table, in which the function that reads it does not occur itself; or a step."""
    if isinstance(tbl, StepName):
        return exp.to_table(tbl)
    table = read_table(tbl, argument)
    if isinstance(table, exp.Subquery) and calls(tbl, function):
        raise BadTable(argument, f"{function} cannot be used inside itself, so take two statements")
    return table


def select_columns(columns: Mapping[str, str]) -> exp.Select:
    """SELECT columns under our names, from nothing yet."""
    return exp.select(*(exp.alias_(exp.column(identifier(name)), key) for key, name in columns.items()))


def checked_columns(
    tbl: str, function: str, columns: Mapping[str, str], argument: str, optional: str = ""
) -> exp.Select:
    """Columns of a user's table, and one more, which is there to be checked first.

    The planner cannot know which columns tbl has. _sqlanon_columns is told when DuckDB binds the statement. The inner
    SELECT * hides what is no column of tbl but could be named like one: rowid, and tbl's own name.
    """
    hidden = "tbl"
    while hidden in {name.lower() for name in columns.values()}:
        hidden = f"_{hidden}"
    check = expression(
        "COLUMNS(lambda name: _sqlanon_columns(name, :wanted, :argument)) AS checked",
        wanted=exp.array(*map(text, columns.values())),
        argument=text(argument),
    )
    everything: exp.Query = exp.select("*").from_(read_table_for(function, tbl, argument), copy=False)
    if optional:
        absent = exp.select(exp.alias_(exp.cast(exp.null(), "VARCHAR"), identifier(optional))).where(exp.false())
        everything = exp.Union(this=everything, expression=absent, distinct=False, by_name=True)
    chosen = (exp.alias_(exp.column(identifier(name)), key) for key, name in columns.items())
    return exp.select(check, *chosen).from_(everything.subquery(hidden), copy=False)


def plain_value(key: str) -> exp.Expr:
    """The value of one of the wanted columns, written in one way only."""
    return expression("_sqlanon_plain(:value, :value)", value=exp.column(key, table="wanted"))


OURS = f"names that start with {RESERVED} are sqlanon's own"


def _user_query(written: str, argument: str) -> exp.Subquery:
    """A query in parentheses, as it was written but for a semicolon at its end."""
    query = without_semicolon(written)
    if not is_query(query):
        raise BadTable(argument)
    if names_starting_with(query, RESERVED):
        raise BadTable(argument, OURS)
    return exp.Subquery(this=UserQuery(this=query))


def _quote_names(tree: exp.Expr) -> exp.Expr:
    for name in tree.find_all(exp.Identifier):
        name.set("quoted", True)
    return tree


WRITES = (
    exp.DML,
    exp.DDL,
    exp.Command,
    exp.Copy,
    exp.Drop,
    exp.Alter,
    exp.Set,
    exp.Pragma,
    exp.Attach,
    exp.Into,
)


def _parse_reference(reference: str) -> exp.Expr | None:
    """A table by name, a file, a table function, or a SELECT in parentheses; nothing around it."""
    statement = _single_statement(f"SELECT * FROM {reference}")
    if not isinstance(statement, exp.Select) or {name for name, part in statement.args.items() if part} != {
        "expressions",
        "from_",
    }:
        return None
    table = statement.args["from_"].this
    if isinstance(table, exp.Table):
        only = {name for name, part in table.args.items() if part} <= {"this", "db", "catalog"}
        return table if only else None
    if isinstance(table, exp.Subquery) and _is_query(table):
        only = {name for name, part in table.args.items() if part} <= {"this"}
        return table if only else None
    return None


def _parse_select(reference: str) -> exp.Expr | None:
    """A SELECT without its parentheses."""
    statement = _single_statement(reference)
    if isinstance(statement, exp.Select | exp.SetOperation) and _is_query(statement):
        return statement.subquery(copy=False)
    return None


def _is_query(node: exp.Expr) -> bool:
    """Whether this is a SELECT, or SELECTs joined by UNION and the like; sqlglot takes bare names for sides too."""
    if isinstance(node, exp.SetOperation):
        return _is_query(node.this) and _is_query(node.expression)
    return _is_query(node.this) if isinstance(node, exp.Subquery) else isinstance(node, exp.Select)


def _single_statement(sql: str) -> exp.Expr | None:
    try:
        statements = sqlglot.parse(sql, dialect="duckdb")
    except (SqlglotError, RecursionError):
        return None
    return statements[0] if len(statements) == 1 else None
