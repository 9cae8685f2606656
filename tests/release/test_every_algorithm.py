"""Promises of every algorithm of the registry, through SQL, on data that is not kind."""

from __future__ import annotations

import duckdb
import pytest
from connections import UNKIND, TestConnection

from sqlanon.release.algorithms import Algorithm

from .calls import each_algorithm, release_by

QI = "['age', 'score', 'seen', 'city', 'member']"
TABLE = f"""
    SELECT
        {UNKIND},
        i % 3 = 0 AS member,
        CASE WHEN i % 9 = 8 THEN NULL ELSE 'd' || i % 9 END AS disease,
        i % 2 AS half,
        hash(i) AS shuffled
    FROM range({{rows}}) AS numbers(i)
"""


@pytest.fixture(scope="module", autouse=True)
def tables(con: TestConnection) -> None:
    for rows in (2_049, 2_050):
        con.execute(f"CREATE TABLE unkind_{rows} AS {TABLE.format(rows=rows)}")


def call(algorithm: Algorithm, table: str | None = None, qi: str = QI, more: str = "seed := 3") -> str:
    """A release of the table by the algorithm; pairs need two values, equally frequent."""
    table = table or ("unkind_2050" if algorithm.pairs else "unkind_2049")
    return release_by(algorithm, table, qi, 5, ("half", 2) if algorithm.pairs else ("disease", 4), more)


def rows(con: TestConnection, sql: str) -> list[tuple[object, ...]]:
    return con.execute(sql).fetchall()


@each_algorithm
@pytest.mark.parametrize("format", ["text", "typed"])
@pytest.mark.parametrize("recode", ["generalize", "suppress"])
def test_every_group_keeps_the_promise_and_no_row_is_lost(
    con: TestConnection, algorithm: Algorithm, recode: str, format: str
) -> None:
    how = f"seed := 3, recode := '{recode}', format := '{format}'"
    con.execute(f"CREATE OR REPLACE TABLE release AS FROM {call(algorithm, more=how)}")
    [(found, groups, last)] = rows(con, "SELECT count(*), count(DISTINCT group_id), max(group_id) FROM release")
    assert (found, groups) == (2_050 if algorithm.pairs else 2_049, last)
    if algorithm.function == "kanonymous":
        assert rows(con, "SELECT min(n) >= 5 FROM (SELECT count(*) AS n FROM release GROUP BY group_id)") == [(True,)]
    else:
        sa, l = ("half", 2) if algorithm.pairs else ("disease", 4)
        for classes in ("['group_id']", QI):
            holds = f"SELECT frequency_l >= {l} FROM privacy('release', {classes}, '{sa}')"
            if algorithm.model == "recursive diversity":
                holds = f"SELECT c < 3 FROM recursive_c('release', {classes}, '{sa}', {l})"
            assert rows(con, holds) == [(True,)]


@pytest.mark.oldest
@each_algorithm
def test_the_release_depends_neither_on_threads_nor_on_the_order_of_rows(
    con: TestConnection, algorithm: Algorithm
) -> None:
    table = "unkind_2050" if algorithm.pairs else "unkind_2049"
    found = []
    for threads, source in ((1, table), (4, table), (2, f"(SELECT * FROM {table} ORDER BY shuffled)")):
        con.execute(f"SET threads = {threads}")
        found.append(rows(con, f"SELECT COLUMNS(*)::VARCHAR FROM {call(algorithm, source)}"))
    con.execute("SET threads = 1")
    assert found[0] == found[1] == found[2]


@each_algorithm
@pytest.mark.parametrize(
    ("table", "qi"),
    [
        ("(SELECT 1 AS age, i % 8 AS disease, i % 2 AS half FROM range(40) AS r(i))", "['age']"),
        ("(SELECT NULL::INTEGER AS age, i % 8 AS disease, i % 2 AS half FROM range(40) AS r(i))", "['age']"),
        ("(SELECT i AS age, i % 4 AS disease, i % 2 AS half FROM range(8) AS r(i))", "['age']"),
        ("(SELECT CAST(i AS HUGEINT) << 90 AS age, i % 8 AS disease, i % 2 AS half FROM range(40) AS r(i))", "['age']"),
        ("(SELECT i AS \"a\"\"ge\", -i AS \"select\", i % 8 AS disease, i % 2 AS half FROM range(40) AS r(i))",
         "['a\"ge', 'select']"),
    ],
    ids=["all alike", "all missing", "just enough", "huge numbers", "hostile names"],
)  # fmt: skip
def test_extreme_tables_are_published(con: TestConnection, algorithm: Algorithm, table: str, qi: str) -> None:
    [(found,)] = rows(con, f"SELECT count(*) FROM {call(algorithm, table, qi)}")
    assert found == (8 if "range(8)" in table else 40)


@each_algorithm
@pytest.mark.parametrize("count", [0, 1, 3])
def test_too_few_rows_are_sa202(con: TestConnection, algorithm: Algorithm, count: int) -> None:
    count = min(count, 1) if algorithm.pairs else count
    table = f"(SELECT i AS age, i AS disease, i AS half FROM range({count}) AS r(i))"
    with pytest.raises(duckdb.Error, match=r"\[SA202\]"):
        rows(con, f"FROM {call(algorithm, table, '[$$age$$]')}")


@pytest.mark.oldest
@each_algorithm
def test_a_taxonomy_is_followed(con: TestConnection, algorithm: Algorithm) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE towns AS "
        "SELECT 't' || i % 9 AS town, i % 6 AS disease, i % 2 AS half FROM range(90) AS r(i)"
    )
    con.execute("""
        CREATE OR REPLACE TABLE town_levels AS
        SELECT 't' || i AS town, 'area ' || i // 3 AS area, 'all' AS whole FROM range(12) AS r(i)
    """)
    how = "recode := 'generalize', taxonomy := {'town': 'town_levels'}"
    labels = {
        label for (label,) in rows(con, f"SELECT DISTINCT town FROM {call(algorithm, 'towns', '[$$town$$]', how)}")
    }
    known = {label for row in rows(con, "FROM town_levels") for label in row}
    assert labels <= known


@each_algorithm
def test_what_is_kept_decides_between_equal_rows_and_stays_with_its_row(
    con: TestConnection, algorithm: Algorithm
) -> None:
    table = "unkind_2050" if algorithm.pairs else "unkind_2049"
    how = "recode := 'suppress', keep := ['shuffled']"
    sa = "half" if algorithm.pairs else "disease"
    columns = f"shuffled, {sa}" if algorithm.function == "ldiverse" else "shuffled"
    lost = f"SELECT {columns} FROM {table} EXCEPT ALL SELECT {columns} FROM {call(algorithm, more=how)}"
    assert rows(con, f"SELECT count(*) FROM ({lost})") == [(0,)]
