"""verification_sql: statements that each dialect can express, and what is refused."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import sqlglot
from sqlglot import exp

import sqlanon
from sqlanon.errors import BadTable, InvalidParameter, SqlanonError
from sqlanon.verify.portable import PORTABLE

from .engines import (
    HOSTILE,
    Question,
    each_dialect,
    each_function,
    questions,
)

COMMON_FUNCTIONS = {
    "ABS", "AND", "CASE", "CAST", "COALESCE", "COUNT", "DENSE_RANK", "EXP", "FLOOR", "GREATEST", "IF", "LEAD", "LEAST",
    "LENGTH", "LN", "MAX", "MIN", "NULLIF", "OR", "ROUND", "ROW_NUMBER", "SUBSTRING", "SUM", "TRY_CAST",
}  # fmt: skip
"""The names of functions that all engines understand, in sqlglot. CAST is TRY_CAST where a failure is NULL."""
RESERVED = {
    "bigquery": {
        "ALL", "ANY", "ARRAY", "AT", "BY", "CROSS", "CURRENT", "DEFAULT", "END", "EXCLUDE", "GROUPS", "INTERVAL",
        "NEW", "NO", "NULLS", "OF", "OVER", "PARTITION", "RANGE", "ROWS", "SET", "SOME", "STRUCT", "TO", "WINDOW",
    },
    "snowflake": {
        "ALL", "ANY", "BY", "CHECK", "COLUMN", "CURRENT", "FOR", "INCREMENT", "ISSUE", "MINUS", "OF", "ROW", "ROWS",
        "SAMPLE", "SET", "SOME", "START", "TABLE", "TO", "UNIQUE", "VALUES",
    },
}  # fmt: skip
"""Words that we might have taken for names, and that these engines keep for themselves."""


@cache
def fullest(function: str) -> Question:
    """A call that needs as many relations as it can, on a table with names that ask for quotes."""
    (sa,) = HOSTILE.sensitive
    question = list(questions(function, HOSTILE))[-1]
    return replace(question, sa=sa, ordered=True) if question.sa is not None else question


@cache
def fullest_tree(function: str, dialect: str) -> exp.Expr:
    return sqlglot.parse_one(fullest(function).statement(dialect), dialect=dialect)


@each_dialect
@each_function
def test_a_statement_is_one_that_its_dialect_can_express(
    function: str, dialect: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        sql = fullest(function).statement(dialect)
        (statement,) = sqlglot.parse(sql, dialect=dialect)
        assert isinstance(statement, exp.Select)
        again = statement.sql(dialect=dialect, pretty=True, unsupported_level=sqlglot.ErrorLevel.RAISE)
    assert again == sql
    assert caplog.messages == []


@each_dialect
@each_function
def test_a_statement_calls_only_functions_that_all_engines_have(function: str, dialect: str) -> None:
    tree = fullest_tree(function, dialect)
    called = {
        call.name.upper() if isinstance(call, exp.Anonymous) else call.sql_name() for call in tree.find_all(exp.Func)
    }
    assert called <= COMMON_FUNCTIONS
    assert "_sqlanon_" not in tree.sql(dialect=dialect).lower()


@each_dialect
@each_function
def test_names_that_users_gave_are_quoted(function: str, dialect: str) -> None:
    question = fullest(function)
    used = {HOSTILE.name, *question.qi, *filter(None, [question.sa, question.others.get("entity")])}
    tree = fullest_tree(function, dialect)
    names = [name for name in tree.find_all(exp.Identifier) if name.name in used]
    assert {name.name for name in names} == used
    assert all(name.quoted for name in names)
    tables = {table.name for table in tree.find_all(exp.Table)}
    assert tables - {cte.alias for cte in tree.ctes} == {HOSTILE.name}


@each_function
@pytest.mark.parametrize("dialect", sorted(RESERVED))
def test_names_of_our_own_are_no_reserved_words(function: str, dialect: str) -> None:
    tree = fullest_tree(function, dialect)
    unquoted = {name.name.upper() for name in tree.find_all(exp.Identifier) if not name.quoted}
    assert unquoted & RESERVED[dialect] == set()


@each_dialect
def test_rows_are_never_numbered_without_an_order(dialect: str) -> None:
    tree = fullest_tree("privacy", dialect)
    numbered = [window for window in tree.find_all(exp.Window) if isinstance(window.this, exp.RowNumber)]
    assert numbered
    assert all(window.args.get("order") for window in numbered)


def test_bigquery_gets_no_nulls_last_which_it_refuses_in_windows() -> None:
    for function in PORTABLE:
        assert "NULLS " not in fullest_tree(function, "bigquery").sql(dialect="bigquery")


@each_dialect
def test_a_table_may_have_a_schema_and_a_catalog(dialect: str) -> None:
    sql = sqlanon.verification_sql("buckets", dialect=dialect, table='shop.main."my sales"', sa="price")
    parts = [
        [part.name for part in table.parts]
        for table in sqlglot.parse_one(sql, dialect=dialect).find_all(exp.Table)
        if table.name == "my sales"
    ]
    assert parts == [["shop", "main", "my sales"]]


def test_an_unknown_function_is_refused_with_the_list_of_those_there_are() -> None:
    for unknown in ("privacies", "ldiverse", ""):
        with pytest.raises(InvalidParameter) as refused:
            sqlanon.verification_sql(unknown, dialect="postgres", table="t", qi=["age"], sa="d")
        assert str(refused.value) == (
            f"[SA102] function: {unknown!r} is not known. Choose one of: equivalence_classes, privacy, recursive_c, "
            "violations, risk, risk_by_size, eligibility, eligible_c, buckets, induced_frequencies, tau_privacy, "
            "excessive_protection."
        )


def test_an_unknown_dialect_is_refused_with_the_list_of_those_there_are() -> None:
    for unknown in ("postgresql", "Postgres", "mysql", ""):
        with pytest.raises(InvalidParameter) as refused:
            sqlanon.verification_sql("risk", dialect=unknown, table="t", qi=["age"])
        assert str(refused.value) == (
            f"[SA102] dialect: {unknown!r} is not known. "
            "Choose one of: duckdb, postgres, snowflake, bigquery, spark, databricks."
        )


@pytest.mark.parametrize(
    ("function", "arguments", "code"),
    [
        ("eligibility", {"qi": ["age"], "sa": "d"}, "SA102"),
        ("risk", {"qi": ["age"], "sa": "d"}, "SA102"),
        ("recursive_c", {"qi": ["age"], "sa": "d"}, "SA102"),
        ("recursive_c", {"qi": ["age"], "l": 2}, "SA102"),
        ("violations", {"qi": ["age"], "k": 2, "t": 0.5}, "SA102"),
        ("eligible_c", {"sa": "d", "l": 0}, "SA102"),
        ("privacy", {"qi": ["age"], "sa": "d", "nulls": "maybe"}, "SA102"),
        ("privacy", {"qi": ["age", "AGE"], "sa": "d"}, "SA101"),
        ("privacy", {"qi": ["age"], "sa": "d", "colour": 1}, "SA102"),
    ],
)
def test_arguments_are_checked_as_those_of_the_sql_function(
    function: str, arguments: dict[str, Any], code: str
) -> None:
    with pytest.raises(SqlanonError) as refused:
        sqlanon.verification_sql(function, dialect="postgres", table="t", **arguments)
    assert str(refused.value).startswith(f"[{code}]")


def test_a_table_that_is_another_statement_is_refused() -> None:
    for table in ("t; DROP TABLE t", "DELETE FROM t", "t WHERE 1 = 1", "(DROP TABLE t)"):
        with pytest.raises(BadTable):
            sqlanon.verification_sql("buckets", dialect="postgres", table=table, sa="d")
