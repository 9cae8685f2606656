"""Rows that were left out of a release: bounds allow for as many as the caller says."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from connections import TestConnection

import sqlanon

REL = "(SELECT * FROM (VALUES ('[1, 5]', 'a', '1'), ('7', 'b', '2'), ('*', 'a', '3')) AS t(x, s, f))"


def ask(con: TestConnection, query: str, suppressed: int) -> list[tuple[Any, ...]]:
    escaped = [text.replace("'", "''") for text in (REL, query)]
    return con.execute(f"FROM estimate('{escaped[0]}', '{escaped[1]}', suppressed := {suppressed})").fetchall()


CASES = {
    "SELECT count(*) FROM t": [(3, 3, 5)],
    "SELECT count(*) FROM t WHERE s = 'a'": [(2, 2, 4)],
    "SELECT count(*) FROM t WHERE s = 'nowhere'": [(0, 0, 5)],
    "SELECT count(*) FROM t WHERE FALSE": [(0, 0, 0)],
    "SELECT s, count(*) FROM t GROUP BY s": [("a", 2, 2, 4), ("b", 1, 1, 3)],
    "SELECT sum(f) FROM t WHERE f > 1 AND f <= 3": [(5, 5, 11)],
    "SELECT sum(f) FROM t": [(6, None, None)],
    "SELECT sum(f) FROM t WHERE f >= -4 AND f <= 3": [(6, -2, 12)],
    "SELECT s, avg(f) FROM t WHERE f BETWEEN 0 AND 3 GROUP BY s": [("a", 2, 1, 2.5), ("b", 2, 2 / 3, 8 / 3)],
    "SELECT avg(f) FROM t": [(2, None, None)],
}


@pytest.mark.parametrize("query", CASES)
def test_bounds_allow_for_rows_that_were_left_out(con: TestConnection, query: str) -> None:
    assert ask(con, query, 2) == [pytest.approx(row) for row in CASES[query]]
    with duckdb.connect() as plain:
        statement = sqlanon.rewrite(query, release=REL, suppressed=2)
        assert plain.execute(statement).fetchall() == [pytest.approx(row) for row in CASES[query]]


def test_the_truth_lies_between_the_bounds_of_a_release_with_rows_left_out(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE src AS SELECT i % 7 AS x, if(i = 3, 'rare', 'b') AS s FROM range(40) AS r(i)")
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT CAST(x AS VARCHAR) AS x, s FROM src WHERE s = 'b' AND x < 6")
    (left,) = con.execute("SELECT (SELECT count(*) FROM src) - (SELECT count(*) FROM rel)").fetchone() or ()
    for condition in ("s = 'rare'", "s <> 'b'", "x = 6", "x > 2 AND s = 'b'"):
        (actual,) = con.execute(f"SELECT count(*) FROM src WHERE {condition}").fetchone() or ()
        query = f"SELECT count(*) FROM src WHERE {condition}"
        found = con.execute(f"FROM estimate('rel', $q${query}$q$, suppressed := {left})").fetchone() or ()
        assert found[1] <= actual <= found[2], condition


@pytest.mark.parametrize("suppressed", ["-1", "1.5", "'two'", "NULL", "TRUE"])
def test_a_number_of_rows_is_a_whole_number(con: TestConnection, suppressed: str) -> None:
    with pytest.raises(duckdb.Error, match=r"\[SA102\] suppressed"):
        con.execute(f"FROM estimate('(SELECT 1 AS x)', 'SELECT count(*) FROM t', suppressed := {suppressed})")


def test_a_randomized_release_allows_for_them_too(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE staff AS SELECT i % 4 AS age FROM range(40) AS r(i)")
    con.execute("CREATE OR REPLACE TABLE lists AS FROM randomize('staff', {'age': 2}, seed := 7)")
    con.execute("CREATE OR REPLACE TABLE list_params AS FROM randomize_params('staff', {'age': 2})")
    for query in ("SELECT count(*) FROM t", "SELECT count(*) FROM t WHERE age < 2"):
        call = f"FROM estimate('lists', '{query}', params := 'list_params', suppressed := "
        ((expected, lower, upper),) = con.execute(f"{call}0)").fetchall()
        assert con.execute(f"{call}3)").fetchall() == [(expected, lower, upper + 3)]
