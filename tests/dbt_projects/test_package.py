"""The tests of the dbt package: the statements of verification_sql, in the dialect of every engine."""

from __future__ import annotations

import re
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
from sqlanon.bounds import BY_NAME
from sqlanon.dbt_package import generate
from sqlanon.statement.engine import OTHER_ENGINES as DIALECTS

pytest.importorskip("jinja2", reason="it comes with dbt, which is not installed")

from .jinja import Refused, package

BOUNDS: dict[str, dict[str, float]] = {
    "k": {"k": 3},
    "l": {"l": 2},
    "distinct_l": {"distinct_l": 3},
    "entropy_l": {"entropy_l": 2.5},
    "t": {"t": 0.4},
    "c": {"l": 2, "c": 1.5},
    "tau": {"l": 2, "tau": 0.5},
    "beta": {"beta": 0.5},
    "delta": {"delta": 0.5},
}
"""Every bound, with numbers that some classes of the table break; where it needs another one, that comes first."""
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
    shipped = {name: (generate.MACROS / name).read_text(encoding="utf-8") for name in generate.file_texts()}
    assert shipped == generate.file_texts()


def test_the_package_says_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_module("sqlanon.dbt_package", run_name="__main__")
    assert (Path(capsys.readouterr().out.strip()) / "dbt_project.yml").is_file()


@each_dialect
@each_bound
def test_every_step_is_the_one_of_verification_sql(dialect: str, bound: str) -> None:
    expected = steps(
        sqlanon.verification_sql(
            "violations", dialect=dialect, table="release", qi=QI, sa=sensitive_column(bound), **BOUNDS[bound]
        ),
        dialect,
    )
    written = steps(statement(bound, None, dialect), dialect)
    written[f"broken_{bound}"] = written.pop("broken")
    assert {"records", "members", "sizes"} < written.keys()
    assert written == {name: expected[name] for name in written}


def steps(statement: str, dialect: str) -> dict[str, str]:
    """The steps of a statement by name, without what an engine says of NULLs: those of ours order and compare none."""
    tree = sqlglot.parse_one(statement, dialect=dialect)
    for key in tree.find_all(exp.Ordered):
        key.set("nulls_first", None)
    for literal in tree.find_all(exp.Literal):
        literal.set("this", literal.name.removesuffix("e0"))
    return {cte.alias: cte.this.sql(dialect).replace("_IGNORE_NULLS", "") for cte in tree.ctes}


@each_bound
@pytest.mark.parametrize("sample_limit", [None, 1, 100])
def test_a_test_counts_the_classes_that_violations_lists(
    release: duckdb.DuckDBPyConnection, postgres: Postgres, bound: str, sample_limit: int | None
) -> None:
    broken = violations(release, bound)
    assert len(broken) > 1
    plain = release.execute(statement(bound, sample_limit))
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
    answer = postgres.query(TABLE + statement(bound, sample_limit, "postgres"))
    assert answer.columns == columns
    assert len(answer.rows) == len(rows)
    assert {row[-1] for row in answer.rows} == {str(len(broken))}


def violations(con: duckdb.DuckDBPyConnection, bound: str) -> list[tuple[Any, ...]]:
    """The classes that break a bound, each with its size, as the SQL function lists them."""
    numbers = ", ".join(f"{name} := {number}" for name, number in BOUNDS[bound].items())
    statement = f"""SELECT "a ""ge", zip, size FROM violations('release', ['a "ge', 'zip'], sa := ?, {numbers})"""
    return con.execute(statement, [sensitive_column(bound)]).fetchall()


def statement(bound: str, sample_limit: int | None, dialect: str = "duckdb") -> str:
    """The statement of a bound's test on an engine."""
    return package(dialect).statement(bound, QI, sensitive_column(bound), BOUNDS[bound].values(), sample_limit)


def sensitive_column(bound: str) -> str | None:
    return "the disease" if BY_NAME[bound].is_sensitive else None


def test_every_bound_has_a_test() -> None:
    assert list(BOUNDS) == list(BY_NAME)
    tests = re.findall(r"{% test (\w+)\(", generate.file_texts()["bound_tests.sql"])
    assert tests == [bound.adjective for bound in BY_NAME.values()]


@each_dialect
def test_what_a_test_answers_is_one_statement_of_its_dialect(dialect: str) -> None:
    render = package(dialect).render
    statements = [statement(bound, limit, dialect) for bound in BOUNDS for limit in (None, 5)]
    statements.append(render("identifying_columns", "release", ["name"], ["it's", "zip"]))
    for written in statements:
        (tree,) = sqlglot.parse(written, dialect=dialect)
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
