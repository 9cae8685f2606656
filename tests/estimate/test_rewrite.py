"""rewrite: what PostgreSQL, or DuckDB without sqlanon, answers is what the SQL function estimate answers."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
import sqlglot
from connections import TestConnection
from postgres import Postgres
from sqlglot import exp

import sqlanon
from sqlanon.errors import BadTable, InvalidParameter
from sqlanon.statement.engine import OTHER_ENGINES as DIALECTS

QUERIES = [
    "SELECT count(*) FROM src",
    "SELECT count(*) FROM src WHERE age BETWEEN 30 AND 45 AND sick = 'flu'",
    "SELECT count(*) FROM src WHERE age > 33 OR NOT (born < DATE '2024-02-10') OR sick IS NULL",
    "SELECT sum(1) FROM src WHERE born <= '2024-02-10' AND city <> 'Bonn'",
    "SELECT count(city) FROM src WHERE price >= 1.5",
    "SELECT count(*) FROM src WHERE price = 1.5 OR price IS NULL",
    "SELECT sick, count(*) FROM src GROUP BY sick",
    "SELECT age, count(*) FROM src WHERE city IN ('Ayr', 'Cork') GROUP BY age",
    "SELECT born AS day, city, count(*) FROM src WHERE age <> 40 GROUP BY born, city",
    "SELECT sum(cost) FROM src WHERE age > 33",
    "SELECT avg(cost) FROM src WHERE age > 33 AND cost <> 2",
    "SELECT city, avg(cost) FROM src WHERE sick = 'flu' GROUP BY city",
    "SELECT city, sum(cost) FROM src WHERE sick = 'flu' OR age < 35 GROUP BY city",
    "SELECT avg(age) FROM src WHERE age < 40",
    "SELECT count(*) FROM src WHERE FALSE",
]
COLUMNS = {
    "age": "VARCHAR",
    "born": "VARCHAR",
    "city": "VARCHAR",
    "price": "VARCHAR",
    "sick": "VARCHAR",
    "cost": "INTEGER",
}


def script(name: str, lists: bool, size: int = 60) -> str:
    """A release in text format; with lists, the sensitive attribute is published as Anatomy does."""
    draw = random.Random(4)

    def span(low: int, high: int, write: str) -> str:
        ends = sorted((draw.randint(low, high), draw.randint(low, high)))
        return write.format(ends[0]) if ends[0] == ends[1] else f"[{write.format(ends[0])}, {write.format(ends[1])}]"

    def literal(value: Any) -> str:
        return "NULL" if value is None else str(value) if isinstance(value, int) else f"'{value}'"

    rows = []
    for _ in range(size):
        sick: Any = draw.choice(["flu", "cold", "hot ''spot", None])
        if lists:
            sick = "{" + ", ".join(draw.choice(["flu", "cold", "NULL"]) for _ in range(3)) + "}"
        row = (
            draw.choice([span(30, 45, "{}"), span(30, 45, "{}"), "*", None]),
            draw.choice([span(10, 20, "2024-02-{}"), span(10, 20, "2024-02-{}"), "*"]),
            draw.choice(["Ayr", "Bonn", "Cork", "*", None]),
            draw.choice([span(1, 3, "{}.5"), "*"]),
            sick,
            draw.choice([-3, 0, 2, 5, None]),
        )
        rows.append(f"({', '.join(map(literal, row))})")
    columns = ", ".join(f"{column} {kind}" for column, kind in COLUMNS.items())
    return f"CREATE TABLE {name} ({columns}); INSERT INTO {name} VALUES {', '.join(rows)};"


SCRIPTS = script("ranges", False) + script("lists", True) + script("nothing", False).split(";")[0] + ";"
each_query = pytest.mark.parametrize("query", QUERIES)
each_release = pytest.mark.parametrize("release", ["ranges", "lists", "nothing"])


@pytest.fixture(scope="module", autouse=True)
def scripts(con: TestConnection) -> None:
    con.execute(SCRIPTS)


@pytest.fixture(scope="module")
def plain() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(SCRIPTS)
        yield connection


@pytest.fixture(scope="module")
def loaded(postgres: Postgres) -> Postgres:
    postgres.execute(SCRIPTS)
    return postgres


def expected(con: duckdb.DuckDBPyConnection, release: str, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    escaped = query.replace("'", "''")
    found = con.execute(f"FROM estimate('{release}', '{escaped}')")
    return [column[0] for column in found.description], found.fetchall()


def assert_same(ours: list[tuple[Any, ...]], theirs: list[tuple[Any, ...]]) -> None:
    def key(row: tuple[Any, ...]) -> list[tuple[bool, str]]:
        return [(cell is None, str(cell)) for cell in row[:-3]]

    assert len(ours) == len(theirs)
    for one, other in zip(sorted(ours, key=key), sorted(theirs, key=key), strict=True):
        assert [*map(str, one[:-3])] == [*map(str, other[:-3])]
        for mine, yours in zip(one[-3:], other[-3:], strict=True):
            if mine is None or yours is None:
                assert mine is yours
            else:
                assert math.isclose(float(mine), float(yours), rel_tol=1e-9, abs_tol=1e-9)


@each_release
@each_query
def test_duckdb_without_sqlanon_answers_as_estimate_does(
    query: str, release: str, con: duckdb.DuckDBPyConnection, plain: duckdb.DuckDBPyConnection
) -> None:
    names, rows = expected(con, release, query)
    found = plain.execute(sqlanon.rewrite(query, release=release, dialect="duckdb"))
    assert [column[0] for column in found.description] == names
    assert_same(rows, found.fetchall())


@each_release
@each_query
def test_postgres_answers_as_estimate_does(
    query: str, release: str, con: duckdb.DuckDBPyConnection, loaded: Postgres
) -> None:
    names, rows = expected(con, release, query)
    found = loaded.query(sqlanon.rewrite(query, release=release, dialect="postgres"))
    assert found.columns == names
    assert_same(rows, list(found.rows))


@pytest.mark.parametrize("dialect", DIALECTS)
@each_query
def test_a_statement_needs_no_function_of_ours_and_can_be_parsed(query: str, dialect: str) -> None:
    statement = sqlanon.rewrite(query, release="rel", dialect=dialect)
    assert "_sqlanon" not in statement.lower()
    (tree,) = sqlglot.parse(statement, dialect=dialect)
    assert isinstance(tree, exp.Select)
    steps = {step.alias for step in tree.find_all(exp.CTE)}
    assert {table.name for table in tree.find_all(exp.Table)} <= steps | {"rel"}


def test_a_select_and_hostile_names_are_quoted() -> None:
    statement = sqlanon.rewrite(
        'SELECT count(*) FROM src WHERE "a""b" = \'x\'', release='(SELECT * FROM "r; DROP TABLE r")', dialect="postgres"
    )
    assert '"a""b"' in statement
    assert 'FROM "r; DROP TABLE r"' in statement


def test_numbers_compared_with_text_fail_with_our_code(loaded: Postgres, plain: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT count(*) FROM src WHERE age = 'x'"
    with pytest.raises(AssertionError, match="SA102"):
        loaded.query(sqlanon.rewrite(query, release="ranges", dialect="postgres"))
    with pytest.raises(duckdb.Error, match="SA102"):
        plain.execute(sqlanon.rewrite(query, release="ranges", dialect="duckdb"))


@pytest.mark.parametrize(
    "condition",
    [
        "at > DATE '2024-01-01'",
        "at > TIMESTAMP '2024-01-01 12:00:00'",
        "at = '2024-01-01 12:00:00'",
        "at <> '10:00:00'",
    ],
)
@pytest.mark.parametrize("cell", ["[2024-01-01 10:00:00, 2024-01-01 12:00:00]", "[10:00:00, 10:20:00]"])
def test_moments_are_refused_and_not_cut_to_days(
    loaded: Postgres, plain: duckdb.DuckDBPyConnection, cell: str, condition: str
) -> None:
    query = f"SELECT count(*) FROM src WHERE {condition}"
    release = f"(SELECT '{cell}' AS at)"
    with pytest.raises(AssertionError, match="SA102"):
        loaded.query(sqlanon.rewrite(query, release=release, dialect="postgres"))
    with pytest.raises(duckdb.Error, match="SA102"):
        plain.execute(sqlanon.rewrite(query, release=release, dialect="duckdb"))


@pytest.mark.parametrize(
    ("query", "release", "dialect", "error", "said"),
    [
        ("SELECT count(*) FROM src", "rel", "oracle", InvalidParameter, "postgres"),
        ("SELECT count(*) FROM src WHERE city < 'M'", "rel", "postgres", InvalidParameter, "city"),
        (
            "SELECT count(*) FROM src WHERE at < '2024-06-01 05:00:00+02'",
            "rel",
            "postgres",
            InvalidParameter,
            "'at'.*times",
        ),
        ("SELECT median(age) FROM src", "rel", "spark", InvalidParameter, "median"),
        ("SELECT count(*) FROM src", "rel; DROP TABLE rel", "duckdb", BadTable, "rel"),
    ],
)
def test_what_cannot_be_rewritten_is_refused(query: str, release: str, dialect: str, error: type, said: str) -> None:
    with pytest.raises(error, match=said):
        sqlanon.rewrite(query, release=release, dialect=dialect)
