"""estimate on randomized releases: with params, count queries by reconstruction."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest
from connections import Row, TestConnection, open_connection
from sqlanon.udfs.randomizing import published

PEOPLE = """
    SELECT
        i * i % 7 AS age, CASE WHEN i % 7 > 4 THEN NULL ELSE 'c' || i % 7 // 2 END AS city,
        DATE '2024-01-01' + CAST(i * i % 5 AS INTEGER) AS seen, i % 3 AS site, i % 4 / 2 AS score
    FROM range(1500) AS numbers(i)
"""
LENGTHS = "l := {'age': 2, 'city': 2, 'seen': 2}"


@pytest.fixture(scope="module")
def db() -> Iterator[TestConnection]:
    """A connection with a source, its release and its parameters; tests only read."""
    with open_connection() as con:
        con.execute(f"CREATE TABLE people AS {PEOPLE}")
        con.execute(f"CREATE TABLE r AS FROM randomize('people', {LENGTHS}, keep := ['site', 'score'], seed := 5)")
        con.execute(f"CREATE TABLE p AS FROM randomize_params('people', {LENGTHS})")
        yield con


def ask(con: TestConnection, query: str, rel: str = "r", params: str = "p") -> list[Row]:
    texts = (each.replace("'", "''") for each in (rel, query, params))
    return con.rows("FROM estimate('{}', '{}', params := '{}')".format(*texts))


CONDITIONS = {
    "age > 1": ["age"],
    "age > 1 AND city = 'c1'": ["age", "city"],
    "age > 1 OR city IS NULL": ["age", "city"],
    "NOT (age IN (1, 4) AND city <> 'c1')": ["age", "city"],
    "city IS DISTINCT FROM 'c0' AND seen BETWEEN DATE '2024-01-02' AND DATE '2024-01-05'": ["city", "seen"],
    "age = '2' OR age > 3.5 OR age < 1e-1": ["age"],
    "city NOT IN ('c1', NULL)": ["city"],
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_an_estimate_is_the_sum_of_reconstructed_cells(db: TestConnection, condition: str) -> None:
    ((estimate, lower, upper),) = ask(db, f"SELECT count(*) FROM people WHERE {condition}")
    cells = f"reconstruct('r', 'p', {CONDITIONS[condition]})"
    ((expected,),) = db.rows(f'SELECT coalesce(sum("count"), 0) FROM {cells} WHERE {condition}')
    assert math.isclose(estimate, expected, abs_tol=0.01)
    assert 0 <= lower <= estimate <= upper <= 1500
    ((truth,),) = db.rows(f"SELECT count(*) FROM people WHERE {condition}")
    assert lower - 30 <= truth <= upper + 30, "nineteen of twenty hold it, and the others are close"


def test_groups_come_in_the_order_and_types_of_their_domains(db: TestConnection) -> None:
    rows = ask(db, "SELECT city AS town, age, count(*) FROM people WHERE age > 1 OR city IS NULL GROUP BY age, city")
    expected = db.rows("""
        SELECT age, city, "count" FROM reconstruct('r', 'p', ['age', 'city']) WHERE age > 1 OR city IS NULL
    """)
    assert [row[:2] for row in rows] == [row[:2] for row in expected]
    assert all(math.isclose(one[2], other[2], abs_tol=0.01) for one, other in zip(rows, expected, strict=True))
    dates = ask(db, "SELECT seen, count(*) FROM people GROUP BY seen")
    assert [row[0] for row in dates] == [row[0] for row in db.rows("SELECT DISTINCT seen FROM people ORDER BY seen")]


def test_columns_are_called_as_the_query_calls_them(db: TestConnection) -> None:
    answer = db.execute("""FROM estimate('r', 'SELECT AGE AS "a""b", count(*) FROM s GROUP BY AGE', params := 'p')""")
    assert [column[0] for column in answer.description] == ['a"b', "estimate", "lower", "upper"]
    assert [str(column[1]) for column in answer.description][1:] == ["DOUBLE", "BIGINT", "BIGINT"]


EXACT = (
    "SELECT count(*) FROM people",
    "SELECT count(*) FROM people WHERE FALSE",
    "SELECT count(*) FROM people WHERE NULL",
    "SELECT count(city) FROM people",
    "SELECT count(*) FROM people WHERE age > 1 OR city = 'c1' OR city IS NULL",
    "SELECT count(*) FROM people WHERE NOT (city < 'c1' OR age >= 4)",
    "SELECT site, count(*) FROM people WHERE seen > DATE '2024-01-02' GROUP BY site",
    "SELECT score, city, count(*) FROM people WHERE score <> 0.5 GROUP BY score, city",
    "SELECT site, count(*) FROM people WHERE seen = '2024-01-02' AND score < 1 GROUP BY site",
)


@pytest.mark.parametrize("query", EXACT)
def test_columns_that_are_kept_are_counted_exactly(db: TestConnection, query: str) -> None:
    """A source is a release in which everything is kept, so that its own answer is the oracle."""
    rows = ask(db, query, rel="people", params="(FROM p LIMIT 0)")
    truth = db.rows(query + (" ORDER BY ALL NULLS LAST" if "GROUP" in query else ""))
    assert rows == [(*row[:-1], float(row[-1]), row[-1], row[-1]) for row in truth]


def test_kept_and_randomized_columns_go_together(db: TestConnection) -> None:
    rows = ask(db, "SELECT site, count(*) FROM people WHERE age > 1 GROUP BY site")
    truth = dict(db.rows("SELECT site, count(*) FROM people WHERE age > 1 GROUP BY site"))
    for site, estimate, lower, upper in rows:
        ((alone, low, high),) = ask(db, "SELECT count(*) FROM s WHERE age > 1", rel=f"(FROM r WHERE site = {site})")
        assert math.isclose(estimate, alone, abs_tol=25), "groups that are alike help each other"
        assert abs(lower - low) <= 1
        assert abs(upper - high) <= 1
        assert lower - 10 <= truth[site] <= upper + 10


def test_what_was_a_file_is_compared_by_its_text(db: TestConnection) -> None:
    query = "SELECT age, count(*) FROM people WHERE age >= 2 AND seen > DATE '2024-01-02' GROUP BY age"
    files = {name: f"(SELECT CAST(COLUMNS(*) AS VARCHAR) FROM {name})" for name in ("r", "p")}
    assert ask(db, query, files["r"], files["p"]) == [(str(age), *rest) for age, *rest in ask(db, query)]


def test_releases_of_no_row_and_of_one(db: TestConnection) -> None:
    none = "(FROM r LIMIT 0)"
    assert ask(db, "SELECT count(*) FROM s WHERE age = 2 AND site = 1", none) == [(0, 0, 0)]
    assert ask(db, "SELECT site, age, count(*) FROM s GROUP BY site, age", none) == []
    ((estimate, lower, upper),) = ask(db, "SELECT count(*) FROM s WHERE age = 2", "(FROM r LIMIT 1)")
    assert 0 <= lower <= estimate <= upper <= 1


def test_four_threads_answer_as_one_does(db: TestConnection) -> None:
    query = "SELECT city, count(*) FROM s WHERE age > 1 GROUP BY city"
    release = "(FROM r UNION ALL SELECT r.* FROM r LIMIT 2049)"
    single = ask(db, query, release)
    db.execute("SET threads = 4")
    several = ask(db, query, release)
    db.execute("SET threads = 1")
    assert [row[0] for row in several] == [row[0] for row in single]
    assert all(math.isclose(one[1], other[1], abs_tol=0.01) for one, other in zip(single, several, strict=True))


def test_lists_without_parameters_are_read_as_values_that_a_row_may_have(db: TestConnection) -> None:
    assert db.rows("FROM estimate('r', 'SELECT count(*) FROM s WHERE age = 2')") != ask(
        db, "SELECT count(*) FROM s WHERE age = 2"
    )


REFUSED = {
    "SELECT sum(age) FROM s": r"\[SA102\] query: sum\(\) cannot be estimated from a randomized release",
    "SELECT avg(age) FROM s GROUP BY city": r"\[SA102\] query",
    "SELECT count(*) FROM s WHERE a = 1 OR b = 1 OR c = 1 OR d = 1 OR e = 1 OR f = 1 OR g = 1": "uses 7 columns",
    "SELECT count(*) FROM s WHERE nope = 1": r"\[SA301\] there is no column 'nope' in rel",
    "SELECT count(*) FROM s WHERE age = 'x77'": r"\[SA102\] query compares column 'age' with a constant",
    "SELECT count(*) FROM s WHERE city > 77": r"\[SA102\] query compares column 'city'",
    "SELECT count(*) FROM s WHERE seen > 77": r"\[SA102\] query compares column 'seen'",
    "SELECT count(*) FROM s WHERE age > DATE '2024-01-01'": r"\[SA102\] query compares column 'age'",
    "SELECT count(*) FROM s WHERE age = TRUE": r"\[SA102\] query compares column 'age'",
    "SELECT count(*) FROM s WHERE age = seen": r"\[SA102\] query: a comparison of two columns",
}


@pytest.mark.parametrize("query", REFUSED)
def test_queries_that_cannot_be_answered_are_refused(db: TestConnection, query: str) -> None:
    escaped = query.replace("'", "''")
    refused = db.refusal(f"FROM estimate('r', '{escaped}', params := 'p')")
    assert re.search(REFUSED[query], refused)
    assert "77" not in refused


UNFIT = {
    "'r', params := 'r'": r"\[SA101\] there is no column 'attribute' in params",
    "'r', params := 'p', taxonomy := {'age': 'levels'}": r"\[SA102\] params and taxonomy exclude each other",
    "'r', params := 7": r"\[SA102\] params must be text",
    "'r', params := '(FROM p UNION ALL FROM p)'": r"\[SA101\] params has attribute 'age' twice",
    "'r', params := '(FROM p WHERE attribute <> ''age'')'": r"\[SA101\] column 'age' of rel holds lists",
    "'(SELECT CAST(age AS VARCHAR) AS age FROM r)', params := '(FROM p LIMIT 0)'": r"\[SA101\] column 'age' of rel",
    "'people', params := 'p'": r"\[SA301\] column 'age' of rel has a value that is not a list",
    "'(SELECT NULL AS age FROM r)', params := 'p'": r"\[SA301\] column 'age' of rel",
    "'r', params := '(SELECT * REPLACE (list_value(''x'', ''77'') AS domain) FROM p)'": r"\[SA301\] params: the domain",
    "'r', params := '(SELECT * REPLACE (0 AS eta) FROM p)'": r"\[SA102\] params: eta of attribute 'age'",
    "'estimate(''r'', ''SELECT count(*) FROM s'')', params := 'p'": r"\[SA103\]",
}


@pytest.mark.parametrize("arguments", UNFIT)
def test_what_does_not_fit_is_refused_with_its_code(db: TestConnection, arguments: str) -> None:
    rel, _, rest = arguments.partition(", params")
    refused = db.refusal(f"FROM estimate({rel}, 'SELECT count(*) FROM s WHERE age = 2', params{rest})")
    assert re.search(UNFIT[arguments], refused)
    assert "77" not in refused


def test_the_steps_of_a_reconstruction_are_told_and_logged(
    db: TestConnection, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="sqlanon"):
        ((cells, rows, iterations, change, converged),) = db.rows(
            "FROM reconstruction_steps('r', 'p', ['age', 'city'])"
        )
    assert (cells, rows, converged) == (16, 1500, True)
    assert 0 <= change <= 1e-6
    assert iterations < 600
    assert f"reconstructed 16 cells from 1500 rows in {iterations} steps" in caplog.text
    adding = db.rows("FROM reconstruction_steps('r', 'p', ['age'], method := 'value_adding')")
    assert adding == [(4, 1500, 0, 0.0, True)]
    assert db.rows("FROM reconstruction_steps('(FROM r LIMIT 0)', 'p', ['age'])") == [(4, 0, 0, 0.0, True)]


def test_a_reconstruction_that_did_not_come_to_its_end_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(published, "reconstruct", lambda *_: (np.ones(2), 20_000, 0.25))
    attribute = published.Attribute("a", pa.array(["x", "y"]), 1, 0.5)
    answer = published.run_bayes(published.CrossTabulation(np.ones(2), 2, [attribute]))
    assert not answer.converged
    assert [record.levelname for record in caplog.records] == ["WARNING"]
