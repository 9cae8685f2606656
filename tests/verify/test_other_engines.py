"""verification_sql: what PostgreSQL, or DuckDB without sqlanon, answers is what the SQL function answers."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from postgres import Postgres

import sqlanon
from sqlanon.verify.portable import PORTABLE
from sqlanon.verify.request import OF_BASE_VALUES

from .engines import (
    NUMBERS,
    ONE_VALUE,
    PATIENTS,
    TABLES,
    Data,
    Question,
    Rows,
    Table,
    each_function,
    each_table,
    questions,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def with_sqlanon() -> Iterator[duckdb.DuckDBPyConnection]:
    with sqlanon.connect() as con:
        con.execute("SET threads = 1")
        for data in TABLES:
            con.execute(data.script())
        yield con


@pytest.fixture(scope="module")
def plain_duckdb() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        con.execute("SET threads = 1")
        for data in TABLES:
            con.execute(data.script())
        yield con


@pytest.fixture(scope="module")
def loaded_postgres(postgres: Postgres) -> Postgres:
    postgres.execute("\n".join(data.script() for data in TABLES))
    return postgres


@pytest.fixture(scope="module")
def expected(with_sqlanon: duckdb.DuckDBPyConnection) -> Callable[[Question], Table]:
    """The answers of the SQL function, each computed once."""
    known: dict[str, Table] = {}

    def ask(question: Question) -> Table:
        sql = question.macro()
        if sql not in known:
            known[sql] = answer(with_sqlanon, sql)
        return known[sql]

    return ask


def answer(con: duckdb.DuckDBPyConnection, sql: str) -> Table:
    found = con.execute(sql)
    return Table([column[0] for column in found.description], found.fetchall())


def assert_same(question: Question, ours: Table, theirs: Table) -> None:
    """Compare two answers cell by cell. Only classes come in no order."""
    assert theirs.columns == ours.columns, question
    assert len(theirs.rows) == len(ours.rows), question
    for one, other in zip(in_one_order(question, ours.rows), in_one_order(question, theirs.rows), strict=True):
        for name, our_cell, their_cell in zip(ours.columns, one, other, strict=True):
            assert agrees(our_cell, their_cell), f"{question}: {name} is {our_cell!r}, elsewhere {their_cell!r}"


def in_one_order(question: Question, rows: Rows) -> Rows:
    if question.function not in ("equivalence_classes", "violations"):
        return rows
    return sorted(rows, key=lambda row: [(cell is None, str(cell)) for cell in row[: len(question.qi)]])


def agrees(ours: Any, theirs: Any) -> bool:
    """Whether a cell that DuckDB answered is the cell of another engine, which may be text."""
    if ours is None or theirs is None:
        return ours is theirs
    if isinstance(ours, list):  # elsewhere a text
        return str(theirs) == ", ".join(item if isinstance(item, str) else spelling(item) for item in ours)
    if isinstance(ours, str | datetime.date):
        return str(ours) == str(theirs)
    if isinstance(ours, int | Decimal):
        return Decimal(ours) == Decimal(theirs)
    return math.isclose(ours, float(theirs), rel_tol=1e-12, abs_tol=0.0)


def spelling(number: float) -> str:
    """A number of `by_how_much`, which every engine spells alike."""
    return "inf" if math.isinf(number) else f"{number:.9f}"


@each_table
@each_function
def test_postgres_answers_as_the_sql_function_does(
    function: str, data: Data, loaded_postgres: Postgres, expected: Callable[[Question], Table]
) -> None:
    for question in questions(function, data):
        found = loaded_postgres.query(question.statement("postgres"))
        assert_same(question, expected(question), Table(found.columns, list(found.rows)))


@each_table
@each_function
def test_duckdb_without_sqlanon_answers_as_the_sql_function_does(
    function: str, data: Data, plain_duckdb: duckdb.DuckDBPyConnection, expected: Callable[[Question], Table]
) -> None:
    for question in questions(function, data):
        assert_same(question, expected(question), answer(plain_duckdb, question.statement("duckdb")))


def test_postgres_measures_a_query_as_it_measures_a_table(
    loaded_postgres: Postgres, expected: Callable[[Question], Table]
) -> None:
    adults = "(SELECT age, disease FROM patients WHERE age > 30)"
    question = Question("privacy", adults, ("age",), "disease")
    found = loaded_postgres.query(question.statement("postgres"))
    assert_same(question, expected(question), Table(found.columns, list(found.rows)))


def test_without_an_order_there_is_no_ordered_distance_on_postgres(loaded_postgres: Postgres) -> None:
    unordered = Question("privacy", "patients", ("age",), "stay")
    (row,) = (found := loaded_postgres.query(unordered.statement("postgres"))).rows
    assert row[found.columns.index("t_ordered")] is None
    assert row[found.columns.index("t")] is not None


@pytest.mark.parametrize("function", ["recursive_c", "eligible_c"])
def test_postgres_answers_null_where_no_c_will_do(function: str, loaded_postgres: Postgres) -> None:
    question = next(question for question in questions(function, ONE_VALUE) if question.others["l"] == 2)
    found = loaded_postgres.query(question.statement("postgres"))
    assert [row[found.columns.index("c")] for row in found.rows] == [None]


def test_the_threshold_of_risk_has_the_default_of_the_sql_function(
    plain_duckdb: duckdb.DuckDBPyConnection, expected: Callable[[Question], Table]
) -> None:
    question = Question("risk", "patients", PATIENTS.qi)
    assert_same(question, expected(question), answer(plain_duckdb, question.statement("duckdb")))


def test_postgres_measures_many_rows_and_classes_in_seconds(postgres: Postgres) -> None:
    """A join that cannot be hashed compares 100,000 rows with 5,000 classes: minutes."""
    postgres.execute(
        """
        CREATE TABLE visits AS
        SELECT nullif(i % 5000, 7) AS age, nullif(i % 9, 3) AS disease, i % 7919 AS cost, i % 70000 AS person
        FROM generate_series(1, 100000) AS numbers(i)
        """
    )
    bounds = {"k": 3, "l": 2, "entropy_l": 1.5, "t": 0.3, "c": 2}
    for function in PORTABLE:
        qi = () if function in ("eligibility", "buckets", "eligible_c") else ("age",)
        sa = None if function in ("risk", "risk_by_size") else "disease" if function in OF_BASE_VALUES else "cost"
        numbers = (
            bounds if function == "violations" else {**(NUMBERS | {"eligible_c": [{"l": 2}]}).get(function, [{}])[0]}
        )
        people = {"nulls": "wildcard", "entity": "person"}  # few classes have a wildcard: the planner must expect so
        for way in ({}, people) if function in ("equivalence_classes", "violations") else ({},):
            question = Question(function, "visits", qi, sa, sa == "cost", {**numbers, **way})
            postgres.execute(f"SET statement_timeout = '30s';\n{question.statement('postgres')}")


@pytest.mark.parametrize("name", ["records", "classes", "spread"])
def test_a_table_may_have_the_name_of_a_step_of_ours(
    name: str, plain_duckdb: duckdb.DuckDBPyConnection, loaded_postgres: Postgres, expected: Callable[[Question], Table]
) -> None:
    create = f"CREATE TABLE {name} AS SELECT * FROM patients"
    plain_duckdb.execute(create)
    loaded_postgres.execute(f"{create};")
    patients = Question("privacy", "patients", PATIENTS.qi, "disease")
    question = replace(patients, table=name)
    assert_same(question, expected(patients), answer(plain_duckdb, question.statement("duckdb")))
    found = loaded_postgres.query(question.statement("postgres"))
    assert_same(question, expected(patients), Table(found.columns, list(found.rows)))
