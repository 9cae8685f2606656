"""estimate: what can be asked, in which words and of what, and what is refused."""

from __future__ import annotations

import datetime

import duckdb
import pytest
from connections import TestConnection

from .asking import PATIENTS, ask, one


def test_groups_come_in_the_type_that_the_release_shows_and_in_order(con: TestConnection) -> None:
    con.execute(
        """
        CREATE OR REPLACE TABLE rel AS SELECT
            {'lo': 9, 'hi': 10} AS age, 7::TINYINT AS ward, {'lo': DATE '2024-02-29', 'hi': DATE '2024-03-01'} AS born
        """
    )
    assert [row[0] for row in ask(con, "SELECT age, count(*) FROM s GROUP BY age")] == [9, 10]
    assert [row[0] for row in ask(con, "SELECT born, count(*) FROM s GROUP BY born")] == [
        datetime.date(2024, 2, 29),
        datetime.date(2024, 3, 1),
    ]
    assert ask(con, "SELECT ward, count(*) FROM s GROUP BY ward") == [(7, 1.0, 1, 1)]
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT '[9, 10]' AS age, '[0001-12-31 (BC), 0001-01-01]' AS born")
    assert [row[0] for row in ask(con, "SELECT age, count(*) FROM s GROUP BY age")] == ["9", "10"]
    assert [row[0] for row in ask(con, "SELECT born, count(*) FROM s GROUP BY born")] == [
        "0001-12-31 (BC)",
        "0001-01-01",
    ]


def test_text_of_any_kind_is_compared_as_duckdb_compares_it(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel (size ENUM('m', 's', '*'), ill VARCHAR COLLATE NOCASE)")
    con.execute("INSERT INTO rel VALUES ('s', 'Flu'), ('m', 'flu'), ('*', 'cold')")
    assert ask(con, "SELECT size, count(*) FROM s GROUP BY size") == [("m", 1.5, 1, 2), ("s", 1.5, 1, 2)]
    assert one(con, "SELECT count(*) FROM s WHERE size <> 's'") == (1.5, 1, 2)
    assert one(con, "SELECT count(*) FROM s WHERE ill = 'FLU'") == (2.0, 2, 2)


@pytest.mark.parametrize("name", ["classes", "found", "answers", "released", "every", "tbl", "answer", "c_1"])
def test_a_release_and_its_columns_may_be_called_as_our_own_steps_are(con: TestConnection, name: str) -> None:
    con.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT unnest(['a', '*']) AS {name}, 1 AS n, 'x' AS cell")
    asked = f"SELECT {name}, count(*) FROM s WHERE cell = 'x' AND {name} = 'a' AND n = 1 GROUP BY {name}"
    try:
        assert ask(con, asked, rel=name) == [("a", 2, 1, 2)]
        assert ask(con, asked.replace("cell", "missing"), rel=f"(SELECT *, cell AS missing FROM {name})") == [
            ("a", 2, 1, 2)
        ]
        with pytest.raises(duckdb.Error, match=r"\[SA301\] there is no column 'missing'"):
            ask(con, asked.replace("cell", "missing"), rel=name)
    finally:
        con.execute(f"DROP TABLE {name}")


def test_values_that_go_together_in_too_many_ways_are_refused(con: TestConnection) -> None:
    columns = ", ".join(f"'[1, 100]' AS {name}" for name in "abcd")
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT {columns}")
    assert len(ask(con, "SELECT a, b, count(*) FROM s GROUP BY a, b")) == 100**2
    with pytest.raises(duckdb.Error, match=r"\[SA102\].*too many groups.*group by fewer columns"):
        ask(con, "SELECT a, b, c, d, count(*) FROM s GROUP BY a, b, c, d")


def test_groups_add_up_to_the_whole(con: TestConnection) -> None:
    con.execute(
        """
        CREATE OR REPLACE TABLE rel AS
        FROM ldiverse('FROM census(500)', ['age', 'gender', 'education'], 'occupation', 4)
        """
    ).fetchall()
    whole = one(con, "SELECT count(*) FROM census WHERE age > 40 OR gender = 'x'")[0]
    parts = ask(
        con, "SELECT age, occupation, count(*) FROM census WHERE age > 40 OR gender = 'x' GROUP BY age, occupation"
    )
    assert sum(row[2] for row in parts) == pytest.approx(whole)


def test_a_column_of_nothing_but_stars_has_bounds_and_no_estimate(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT '*' AS age, 'x' AS job FROM range(3)")
    assert one(con, "SELECT count(*) FROM s WHERE age > 40") == (None, 0, 3)
    assert one(con, "SELECT count(*) FROM s WHERE age > 40 AND job = 'y'", taxonomy="{'job': NULL}") == (0.0, 0, 0)
    assert one(con, "SELECT avg(age) FROM s") == (None, None, None)
    assert one(con, "SELECT avg(age) FROM s WHERE age BETWEEN 3 AND 9") == (None, 3.0, 9.0)


@pytest.mark.parametrize(
    "query",
    [
        'SELECT "AGE" AS "my age", count(*) FROM patients AS p WHERE p.age < 32 GROUP BY "my age"',
        "SELECT age, sum(1) FROM patients WHERE patients.age < 32 GROUP BY 1",
        "SELECT age, count(1) FROM main.patients WHERE NOT (32 <= age) GROUP BY ALL",
        "FROM patients SELECT age, count(*) WHERE (age) < (32) GROUP BY age",
        "SELECT count(age) FROM patients WHERE age IN (30, 31, NULL) GROUP BY age",
    ],
)
def test_the_same_query_in_other_words(con: TestConnection, query: str) -> None:
    con.execute(PATIENTS)
    assert [(row[0], round(row[1], 9), *row[2:]) for row in ask(con, query)] == [
        ("30", round(1 / 3, 9), 0, 2), ("31", round(1 / 3, 9), 0, 2)]  # fmt: skip


def test_rel_may_be_a_cte_a_view_or_a_select(con: TestConnection) -> None:
    con.execute(PATIENTS)
    con.execute("CREATE OR REPLACE VIEW seen AS FROM rel")
    query = "'SELECT count(*) FROM p WHERE cost > 0'"
    for rel in ("seen", "(SELECT * FROM rel)", "SELECT age, cost FROM rel", "main.rel"):
        assert con.execute(f"FROM estimate('{rel}', {query})").fetchall() == [(3.0, 3, 3)]
    assert con.execute(f"WITH laid AS (FROM rel) FROM estimate('laid', {query})").fetchall() == [(3.0, 3, 3)]
    assert con.execute("FROM estimate('(FROM rel)', 'SELECT count(*) FROM p')").fetchall() == [(4.0, 4, 4)]


def test_quoted_and_hostile_names_are_columns(con: TestConnection) -> None:
    con.execute('CREATE OR REPLACE TABLE "my ""rel""" AS SELECT 3 AS "a; DROP TABLE x --", \'it\'\'s\' AS "say ""hi"""')
    query = (
        'SELECT "say ""hi""", count(*) FROM s WHERE "a; DROP TABLE x --" > 2 AND "say ""hi""" = \'it\'\'s\' GROUP BY 1'
    )
    assert ask(con, query, rel='"my ""rel"""') == [("it's", 1.0, 1, 1)]


def test_values_that_look_like_sql_are_values(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['x'' OR 1=1 --', 'y']) AS job")
    assert one(con, "SELECT count(*) FROM s WHERE job = 'x'' OR 1=1 --'") == (1.0, 1, 1)


@pytest.mark.parametrize("wide", [50_000, 1_001])
def test_groups_of_wide_ranges_are_refused_by_their_number(con: TestConnection, wide: int) -> None:
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT '[1, {wide}]' AS x, '[1, 1000]' AS y")
    with pytest.raises(duckdb.Error, match=r"\[SA102\] query: GROUP BY spreads the rows of rel over too many groups"):
        ask(con, "SELECT x, y, count(*) FROM s GROUP BY x, y")
    assert len(ask(con, "SELECT x, count(*) FROM s WHERE y < 90 GROUP BY x")) == wide
    assert len(ask(con, "SELECT x, y, count(*) FROM s WHERE x <= 80 AND y <= 80 GROUP BY x, y")) == 80 * 80


@pytest.mark.parametrize("word", ["AND", "OR"])
def test_a_query_may_use_fifty_columns(con: TestConnection, word: str) -> None:
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT {', '.join(f'{i} AS c{i}' for i in range(50))}")
    query = f"SELECT count(*) FROM s WHERE {f' {word} '.join(f'c{i} = {i}' for i in range(50))}"
    statement = con.execute("SELECT sqlanon_explain('estimate', {'rel': 'rel', 'query': $query})", {"query": query})
    assert "shares_c_50" in str(statement.fetchone())
    with pytest.raises(duckdb.Error, match=r"\[SA102\] query uses 51 columns"):
        ask(con, f"{query} {word} c50 = 50")


REFUSED = {
    "JOIN": "SELECT count(*) FROM a JOIN b USING (x)",
    "subquery": "SELECT count(*) FROM a WHERE x IN (SELECT 1)",
    "WITH": "WITH b AS (SELECT 1) SELECT count(*) FROM b",
    "DISTINCT": "SELECT count(DISTINCT age) FROM a",
    "HAVING": "SELECT count(*) FROM a HAVING count(*) > 1",
    "LIMIT": "SELECT count(*) FROM a LIMIT 1",
    "ORDER BY": "SELECT count(*) FROM a ORDER BY 1",
    "a window": "SELECT count(*) OVER () FROM a",
    "UNION": "SELECT count(*) FROM a UNION SELECT 1",
    "median": "SELECT median(age) FROM a",
    "LIKE": "SELECT count(*) FROM a WHERE disease LIKE 'f%'",
    "ADD": "SELECT count(*) FROM a WHERE age + 1 > 3",
    "lower": "SELECT count(*) FROM a WHERE lower(disease) = 'flu'",
    "two columns": "SELECT count(*) FROM a WHERE age = cost",
    "aggregates": "SELECT count(*), sum(cost) FROM a",
    "not in GROUP BY": "SELECT age, count(*) FROM a",
    "a table alias with column names": "SELECT count(*) FROM a AS b(age, cost)",
    "ROLLUP": "SELECT count(*) FROM a GROUP BY ROLLUP (age)",
    "FILTER": "SELECT count(*) FILTER (WHERE age > 3) FROM a",
    "more than one of": "SELECT count(*) FROM a WHERE age = 3 OR age = 'x'",
    "with text": "SELECT count(*) FROM a WHERE age = 'x'",
    "one SELECT": "DELETE FROM a",
    "both in GROUP BY": "SELECT cost, avg(cost) FROM a GROUP BY cost",
    "called 'lower'": "SELECT age AS lower, count(*) FROM a GROUP BY age",
    "256 alternatives": "SELECT count(*) FROM a WHERE "
    + " OR ".join(f"(age = {i} AND cost = {i} AND disease = 'x{i}')" for i in range(200)),
}


@pytest.mark.parametrize("named_as", REFUSED)
def test_what_cannot_be_estimated_is_refused_by_name(con: TestConnection, named_as: str) -> None:
    con.execute(PATIENTS)
    with pytest.raises(duckdb.Error) as raised:
        ask(con, REFUSED[named_as])
    said = str(raised.value).split("LINE 1")[0]  # after which DuckDB repeats the statement
    assert "[SA102]" in said
    assert named_as in said


def test_other_errors_have_their_codes(con: TestConnection) -> None:
    con.execute(PATIENTS)
    wrong = {
        "SA301.*'nope'": ("rel", "SELECT count(*) FROM a WHERE nope = 3"),
        "SA301.*'disease'.*number": ("rel", "SELECT count(*) FROM a WHERE disease > 3"),
        "SA301.*'disease'.*date": ("rel", "SELECT count(*) FROM a WHERE disease > DATE '2024-01-01'"),
        "SA103.*rel": ("rel; DROP TABLE rel", "SELECT count(*) FROM a"),
        "SA102.*query": ("rel", ""),
        "SA102.*GROUP BY column 'far'": ("SELECT '[1, 1000000]' AS far", "SELECT far, count(*) FROM a GROUP BY far"),
        "SA102.*GROUP BY column 'wide'": ("SELECT '[1.5, 2.5]' AS wide", "SELECT wide, count(*) FROM a GROUP BY wide"),
        "SA102.*'huge'.*exactly": ("SELECT 9007199254740993 AS huge", "SELECT count(*) FROM a WHERE huge > 3"),
        "SA102.*'disease'.*with text": (
            "SELECT TIME '10:00' AS disease",
            "SELECT count(*) FROM a WHERE disease = '10'",
        ),
        "SA102.*'cost'.*separate": (
            "rel",
            f"SELECT count(*) FROM a WHERE cost IN ({', '.join(map(str, range(0, 2000, 2)))})",
        ),
        "SA102.*'endless'": ("SELECT '[1.5, inf]' AS endless", "SELECT count(*) FROM a WHERE endless > 3"),
    }
    for said, (rel, query) in wrong.items():
        with pytest.raises(duckdb.Error, match=rf"(?s)\[{said.replace('.*', '].*', 1)}") as raised:
            ask(con, query, rel=rel)
        assert "flu" not in str(raised.value).split("LINE 1")[0]
