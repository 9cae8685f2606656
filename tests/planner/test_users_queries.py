"""A query that users pass as a table selects the rows that it selects in DuckDB itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import duckdb
import pytest
from connections import TestConnection

pytestmark = pytest.mark.oldest

WRITTEN = Path(__file__).with_name("selects.txt").read_text(encoding="utf-8").splitlines()
ORDERED = [
    f"SELECT id FROM people ORDER BY {key}{way}{nulls}, id LIMIT {rows}"
    for key, way, nulls, rows in product(
        ("withdrawn", "age"), ("", " ASC", " DESC"), ("", " NULLS FIRST", " NULLS LAST"), (4, 6)
    )
]
SESSIONS: dict[str, dict[str, str]] = {
    "as DuckDB comes": {},
    "NULLs first": {"default_null_order": "nulls_first"},
    "descending": {"default_order": "desc"},
}
MAKE = """
    CREATE TABLE people AS
    SELECT
        i AS id,
        CASE WHEN i % 5 > 0 THEN 25 + i * 37 % 40 END AS age,
        CASE WHEN i % 2 = 0 THEN 'on day ' || i END AS withdrawn,
        ['Berlin', 'Bonn', 'Hamburg', '100%', 'O''Brien', 'São Paulo', '東京', NULL, 'bremen'][i % 9 + 1] AS city,
        CASE WHEN i % 3 > 0 THEN i % 3 = 1 END AS flag,
        ['a', 'b', 'c'][1:i % 4] AS tags,
        {'x': i, 'y': 10 - i} AS place,
        MAP {'k': i % 2} AS facts,
        CAST(CASE WHEN i % 2 = 0 THEN '{"use.public": "yes", "use": "no", "deep": {"list": [1, 2]}}' ELSE
            '{"use.public": "no", "use": {"public": "yes"}}' END AS JSON) AS j,
        CASE WHEN i % 2 = 0 THEN 'N' ELSE 'M' END::BLOB AS code,
        CASE WHEN i = 3 THEN 'nan' WHEN i = 4 THEN 'inf' ELSE i / 20 END::FLOAT AS ratio,
        DATE '2024-01-05' + CAST(i * 8 AS INTEGER) AS seen
    FROM range(1, 13) AS numbers(i);
    CREATE TABLE other AS SELECT i * 3 AS id, 'n' || i AS note, 20 + i * 9 AS since FROM range(1, 4) AS numbers(i);
    CREATE TABLE source AS FROM people LIMIT 3;
    CREATE TABLE classes AS FROM people LIMIT 5;
    CREATE MACRO doubled(x) AS 2 * x;
    CREATE MACRO chosen_people(n) AS TABLE FROM people WHERE id <= n;
    SET VARIABLE chosen = 5;
"""


@pytest.fixture(scope="module", autouse=True)
def tables(con: TestConnection) -> None:
    con.execute(MAKE)


@pytest.fixture(params=SESSIONS)
def session(con: TestConnection, request: pytest.FixtureRequest) -> Iterator[None]:
    """The settings of the user, for one test."""
    for setting, value in SESSIONS[request.param].items():
        con.execute(f"SET {setting} = '{value}'")
    yield
    for setting in SESSIONS[request.param]:
        con.execute(f"RESET {setting}")


def count_values(con: TestConnection, sql: str) -> dict[object, int]:
    return {str(value): n for value, n in con.execute(sql).fetchall()}


def test_a_query_selects_what_it_selects_in_duckdb(con: TestConnection, session: None) -> None:
    """Through buckets, which counts the values of a column. What this DuckDB does not know is passed over."""
    different, compared = [], 0
    for text in WRITTEN + ORDERED:
        try:
            names = [name for name, *_ in con.execute(f"DESCRIBE SELECT * FROM (\n{text}\n)").fetchall()]
            column = "id" if "id" in names else names[0]
            expected = count_values(con, f'SELECT "{column}", count(*) FROM (\n{text}\n) GROUP BY 1')
        except duckdb.Error:
            continue
        literal = text.replace("'", "''")
        try:
            selected = count_values(con, f"SELECT value, \"count\" FROM buckets('{literal}', '{column}')")
        except duckdb.Error as error:
            different.append(f"{text}\n  {error}")
            continue
        compared += 1
        if selected != expected:
            different.append(f"{text}\n  {selected}\n  {expected}")
    assert not different, "\n".join(different)
    assert compared > 280


def test_a_release_has_the_rows_that_the_query_selects(con: TestConnection) -> None:
    con.execute("SET VARIABLE rows = '(SELECT * FROM people ORDER BY withdrawn NULLS FIRST, id LIMIT 6)'")
    released = con.execute("SELECT id FROM ldiverse(getvariable('rows'), ['age'], 'id', 2, keep := ['withdrawn'])")
    assert {id for (id,) in released.fetchall()} == {1, 3, 5, 7, 9, 11}


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1) UNION ALL (SELECT 2",
        "(SELECT 1) AS t",
        "SELECT 1; DROP TABLE people",
        "SELECT 1 -- \n) ; DROP TABLE people",
        "SELECT ? AS id",
        "SELECT $id AS id",
        "EXPLAIN SELECT 1",
        "PRAGMA show_tables",
        "WITH gone AS (DELETE FROM people RETURNING *) SELECT * FROM gone",
        "SELECT id FROM _sqlanon_source",
        'SELECT id FROM "_SQLANON_source"',
        "WITH _sqlanon_coded AS (FROM people) FROM _sqlanon_coded",
        "_sqlanon_source",
        "SELECT id FROM people /* never closed",
        "SELECT 'never closed FROM people",
    ],
)
def test_what_is_no_query_of_its_own_is_refused(con: TestConnection, text: str) -> None:
    literal = text.replace("'", "''")
    with pytest.raises(duckdb.Error, match=r"\[SA103\]"):
        con.execute(f"FROM buckets('{literal}', 'id')").fetchall()
    assert con.execute("SELECT count(*) FROM people").fetchall() == [(12,)]
