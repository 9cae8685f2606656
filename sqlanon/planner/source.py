"""What users may pass as a table: a reference or one SELECT. Everything else is SA103.

The text is parsed and written anew with every identifier quoted; nothing of it is pasted.

>>> read_table("main.patients").sql("duckdb")
'"main"."patients"'
>>> read_table("(SELECT age FROM patients WHERE age > 17)").sql("duckdb")
'(SELECT "age" FROM "patients" WHERE "age" > 17)'
>>> read_table("patients; DROP TABLE patients")
Traceback (most recent call last):
sqlanon.errors.BadTable: [SA103] tbl is not a table reference or a single SELECT. Give a table, view or CTE …
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sqlanon.errors import BadTable, ReleaseMismatch, WrongColumn

from .template import expression, identifier, query, text

PATH = re.compile(r"[^'\";()\s]*[/\\][^'\";()\s]*\.(parquet|csv|tsv|json|jsonl|ndjson)(\.(gz|zst))?")
"""What is taken for a path without quotes of its own."""

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


def read_table(reference: str, argument: str = "tbl") -> exp.Expr:
    """Parse a table reference, one SELECT (made a subquery), or a file's path, with every identifier quoted."""
    tree = _parse_reference(reference) or _parse_select(reference) or _parse_path(reference)
    if tree is None or any(not isinstance(node, exp.Query) for node in tree.find_all(*WRITES)):
        raise BadTable(argument)
    for comment in tree.walk():
        comment.comments = None
    for name in tree.find_all(exp.Identifier):
        name.set("quoted", True)
    return tree


def wanted_columns(
    tbl: str,
    function: str,
    columns: Mapping[str, str],
    here: bool = True,
    argument: str = "tbl",
    once: exp.Select | None = None,
) -> exp.Select:
    """Select columns of a user's table, {our name: the user's name of it}. One that is not there is an error of ours.

    For another engine (not `here`), a plain SELECT. `once` is that of found_or_absent.
    """
    if not here:  # some engines want a name for every subquery
        table = read_own_table(tbl, function, argument)
        return select_columns(columns).from_(
            exp.alias_(table, "tbl", table=True) if isinstance(table, exp.Subquery) else table, copy=False
        )
    found = [exp.column(own, table="found") for own in columns]
    return found_or_absent(columns_within(tbl, function, columns, argument), found, columns, argument, once)


def read_own_table(tbl: str, function: str, argument: str) -> exp.Expr:
    """A user's table, in which the function that reads it does not occur itself."""
    table = read_table(tbl, argument)
    if any(call.name.lower() == function for call in table.find_all(exp.Anonymous)):
        raise BadTable(argument, f"{function} cannot be used inside itself, so take two statements")
    return table


def select_columns(columns: Mapping[str, str]) -> exp.Select:
    """SELECT columns under our names, from nothing yet."""
    return exp.select(*(exp.alias_(exp.column(identifier(name)), own) for own, name in columns.items()))


def columns_within(tbl: str, function: str, columns: Mapping[str, str], argument: str) -> exp.Select:
    """Columns of a user's table, to be read inside found_or_absent, however deep.

    The inner SELECT * hides what is no column of tbl but could be named like one: rowid, and tbl's own name.
    """
    hidden = "tbl"
    while hidden in {name.lower() for name in columns.values()}:
        hidden = f"_{hidden}"
    everything = exp.select("*").from_(read_own_table(tbl, function, argument), copy=False)
    return select_columns(columns).from_(everything.subquery(hidden), copy=False)


def found_or_absent(
    inner: exp.Select,
    results: Sequence[exp.Expr],
    columns: Mapping[str, str],
    argument: str,
    once: exp.Select | None = None,
) -> exp.Select:
    """The results of a SELECT that reads columns_within, which are expressions over `found`.

    The planner cannot know which columns tbl has. A name that it does not have is found one scope out, in
    _sqlanon_absent, and raises SA101 or SA301. `once` gives a count, `counted`, before a name is said to be absent.
    """
    lateral = exp.Lateral(this=inner.subquery(copy=False), alias=exp.TableAlias(this=exp.to_identifier("found")))
    absent = exp.select(
        *(exp.alias_(_raise_absent(name, argument, once is not None), identifier(name)) for name in columns.values())
    )
    if once is not None:
        absent = absent.from_(once.subquery("_sqlanon_once"), copy=False)
    return exp.select(*results).from_(absent.subquery("_sqlanon_absent")).join(lateral, join_type="cross", copy=False)


def plain_value(own: str) -> exp.Expr:
    """The value of one of the wanted columns, written in one way only."""
    return expression("_sqlanon_plain(:value, :value)", value=exp.column(own, table="found"))


def taxonomy_paths(table: str, name: str) -> exp.Select:
    """Each row of the taxonomy table of a column as one list: the leaf, then ever more general labels."""
    return query(
        "SELECT DISTINCT [*COLUMNS(*)] AS path FROM (SELECT CAST(COLUMNS(*) AS VARCHAR) FROM :taxonomy) AS labels",
        taxonomy=read_table(table, f"the taxonomy of column {name!r}"),
    )


def is_wild(column: exp.Expr) -> exp.Expr:
    """NULL, or the star that a release publishes.

    Some DuckDB versions compare a TIMESTAMPTZ with '*' as timestamps, and get NULL.
    """
    return expression("(:column IS NULL OR coalesce(CAST(:column AS VARCHAR) = '*', FALSE))", column=column)


def _raise_absent(name: str, argument: str, once: bool) -> exp.Expr:
    absent = ReleaseMismatch if argument == "rel" else WrongColumn
    error = absent(f"there is no column {name!r} in {argument}.", "Check the spelling.")
    raised = expression("error(:message)", message=text(str(error)))
    if once:
        raised = expression("CASE WHEN _sqlanon_once.counted >= 0 THEN :raised END", raised=raised)
    return exp.cast(raised, "VARCHAR")


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


def _parse_path(reference: str) -> exp.Expr | None:
    """A file with folders before its name: DuckDB reads what a quoted name says."""
    return exp.Table(this=identifier(reference)) if PATH.fullmatch(reference) else None


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
