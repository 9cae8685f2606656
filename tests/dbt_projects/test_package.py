"""The tests of the dbt package: the statements of verification_sql, in the dialect of every engine."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
from postgres import Postgres
from sqlglot import exp

import sqlanon
from sqlanon.dbt_package import generate
from sqlanon.verify.portable import DIALECTS

pytest.importorskip("jinja2", reason="it comes with dbt, which is not installed")

from .jinja import Refused, package

BOUNDS = {"k": (None, 3), "l": ("the disease", 2), "t": ("the disease", 0.4)}
QI = ('a "ge', "zip")
TABLE = """
    CREATE TEMP TABLE release ("a ""ge" INTEGER, zip TEXT, "the disease" TEXT, record INTEGER);
    INSERT INTO release VALUES
        (30, '1*', 'flu', 1), (30, '1*', 'flu', 2), (30, '1*', 'cold', 3), (30, '1*', 'flu', 4),
        (40, '2*', 'flu', 5), (40, '2*', 'angina', 6), (NULL, '2*', 'cold', 7), (NULL, '2*', NULL, 8),
        (NULL, NULL, 'cold', NULL), (50, '*', 'cold', NULL), (50, '*', 'cold', NULL);
"""

each_dialect = pytest.mark.parametrize("dialect", DIALECTS)
each_bound = pytest.mark.parametrize("bound", BOUNDS)


@pytest.fixture(scope="module")
def release() -> Iterator[duckdb.DuckDBPyConnection]:
    """A table in a DuckDB that has sqlanon, so that we know what the tests have to find."""
    with sqlanon.connect() as con:
        con.execute("SET threads = 1")
        con.execute(TABLE)
        yield con


def test_the_shipped_statements_are_those_that_the_generator_writes() -> None:
    assert generate.FILE.read_text(encoding="utf-8") == generate.file_text()


def test_the_package_says_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_module("sqlanon.dbt_package", run_name="__main__")
    assert (Path(capsys.readouterr().out.strip()) / "dbt_project.yml").is_file()


@each_dialect
@each_bound
def test_every_step_is_the_one_of_verification_sql(dialect: str, bound: str) -> None:
    sa, value = BOUNDS[bound]
    expected = steps(
        sqlanon.verification_sql("violations", dialect=dialect, table="release", qi=QI, sa=sa, **{bound: value}),
        dialect,
    )
    written = steps(package(dialect).statement(bound, QI, sa, value, None), dialect)
    written[f"broken_{bound}"] = written.pop("broken")
    assert {"given", "members", "sizes"} < written.keys()
    assert written == {name: expected[name] for name in written}


def steps(statement: str, dialect: str) -> dict[str, exp.Expr]:
    """The steps of a statement by name, without what an engine says of NULLs in an order: none of ours has any."""
    tree = sqlglot.parse_one(statement, dialect=dialect)
    for key in tree.find_all(exp.Ordered):
        key.set("nulls_first", None)
    for literal in tree.find_all(exp.Literal):
        literal.set("this", literal.name.removesuffix("e0"))
    return {cte.alias: cte.this for cte in tree.ctes}


@each_bound
@pytest.mark.parametrize("sample_limit", [None, 1, 100])
def test_a_test_counts_the_classes_that_violations_lists(
    release: duckdb.DuckDBPyConnection, postgres: Postgres, bound: str, sample_limit: int | None
) -> None:
    sa, value = BOUNDS[bound]
    broken = violations(release, bound)
    assert len(broken) > 1
    plain = release.execute(package().statement(bound, QI, sa, value, sample_limit))
    columns = [column[0] for column in plain.description]
    rows = plain.fetchall()
    assert {row[-1] for row in rows} == {len(broken)}
    if sample_limit is None:
        assert columns == ["broken", "class_size", "classes", "violating_classes"]
        sizes = [size for *_, size in broken]
        assert sorted(rows) == sorted((bound, size, sizes.count(size), len(broken)) for size in set(sizes))
    else:
        assert columns == [*QI, "broken", "by_how_much", "class_size", "violating_classes"]
        assert len(rows) == min(sample_limit, len(broken))
        assert {(*row[:2], row[4]) for row in rows} <= set(broken)
    statement = package("postgres").statement(bound, QI, sa, value, sample_limit)
    answer = postgres.query(TABLE + statement)
    assert answer.columns == columns
    assert len(answer.rows) == len(rows)
    assert {row[-1] for row in answer.rows} == {str(len(broken))}


def violations(con: duckdb.DuckDBPyConnection, bound: str) -> list[tuple[Any, ...]]:
    """The classes that break a bound, each with its size, as the SQL function lists them."""
    sa, value = BOUNDS[bound]
    statement = (
        f"""SELECT "a ""ge", zip, size FROM violations('release', ['a "ge', 'zip'], sa := ?, {bound} := {value})"""
    )
    return con.execute(statement, [sa]).fetchall()


@each_dialect
def test_what_a_test_answers_is_one_statement_of_its_dialect(dialect: str) -> None:
    render = package(dialect).render
    statements = [
        package(dialect).statement(bound, QI, BOUNDS[bound][0], 1, limit) for bound in BOUNDS for limit in (None, 5)
    ]
    statements.append(render("identifying_columns", "release", ["name"], ["it's", "zip"]))
    for statement in statements:
        (tree,) = sqlglot.parse(statement, dialect=dialect)
        assert isinstance(tree, exp.Query)


def test_columns_that_are_listed_or_have_no_value_twice_are_identifiers(
    release: duckdb.DuckDBPyConnection, postgres: Postgres
) -> None:
    answer = [("zip", "is an identifier"), ("record", "no value occurs twice")]
    assert release.execute(identifying("duckdb")).fetchall() == answer
    assert postgres.query(TABLE + identifying("postgres")).rows == answer
    one_row = "WITH release AS (SELECT * FROM temp.release WHERE record = 1), " + identifying("duckdb").removeprefix(
        "WITH"
    )
    assert release.execute(one_row).fetchall() == answer[:1]


def identifying(dialect: str) -> str:
    return package(dialect).render("identifying_columns", "release", ["zip"], ["the disease", "record"])


@pytest.mark.parametrize(
    ("check", "arguments", "refused"),
    [
        ("check_number", ("k", "5", 1, None, True), "[SA102] k must be a whole number."),
        ("check_number", ("k", 2.5, 1, None, True), "[SA102] k must be a whole number."),
        ("check_number", ("k", True, 1, None, True), "[SA102] k must be a whole number."),
        ("check_number", ("k", 0, 1, None, True), "[SA102] k = 0 is out of range. It starts at 1."),
        ("check_number", ("l", None, 1), "[SA102] l must be a number."),
        ("check_number", ("t", 1.5, 0, 1), "[SA102] t = 1.5 is out of range. It goes from 0 to 1."),
        ("check_number", ("t", float("nan"), 0, 1), "[SA102] t = nan is out of range. It goes from 0 to 1."),
        ("check_names", ("identifiers", "email"), "[SA102] identifiers must be a list of column names."),
        ("check_names", ("identifiers", ["email", 3]), "[SA102] identifiers must be a list of column names."),
        ("check_names", ("identifiers", None), "[SA102] identifiers must be a list of column names."),
        ("checked_columns", ("m", []), "[SA102] quasi_identifiers must name a column."),
        ("checked_columns", ("m", ["age", "AGE"]), "[SA101] quasi_identifiers name a column twice."),
        ("checked_columns", ("m", ["age"], None), "[SA102] sensitive_column must be the name of a column."),
        ("checked_columns", ("m", ["age"], ["a", "b"]), "[SA102] sensitive_column must be the name of a column."),
        ("checked_columns", ("m", ["a"], "A"), "[SA101] quasi_identifiers and sensitive_column name a column twice."),
        ("violating_classes", ("k", ["age"], 0), "[SA102] sample_limit = 0 is out of range. It starts at 1."),
    ],
)
def test_wrong_arguments_are_refused(check: str, arguments: tuple[Any, ...], refused: str) -> None:
    with pytest.raises(Refused) as raised:
        package().render(check, *arguments)
    assert str(raised.value) == refused
