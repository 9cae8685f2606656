"""best_l: the strongest privacy within a loss budget, against publishing and measuring every l."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs import budget as udf

import sqlanon

Row = tuple[object, ...]
ALGOS = ("hilbert", "idistance", "mondrian", "anatomy", "tp", "tp_plus", "bsgi")
COLUMNS = "age INTEGER, weight DOUBLE, city VARCHAR, disease VARCHAR"
QI = "['age', 'weight', 'city']"


@pytest.fixture(scope="module")
def loan() -> Iterator[list[duckdb.DuckDBPyConnection]]:
    """A connection on loan: hypothesis keeps what a test was given to the very end, and that must not be DuckDB."""
    con = sqlanon.connect()
    con.execute(
        """
        CREATE TABLE city_levels AS FROM (VALUES
            ('a', 'north', 'all'), ('b', 'north', 'all'), ('c', 'south', 'all'), ('d', 'south', 'all')
        ) AS t(city, side, everywhere)
        """
    )
    on_loan = [con]
    yield on_loan
    on_loan.pop().close()


@pytest.fixture
def con(loan: list[duckdb.DuckDBPyConnection]) -> duckdb.DuckDBPyConnection:
    return loan[0]


def one(con: duckdb.DuckDBPyConnection, sql: str) -> Row:
    [row] = con.execute(sql).fetchall()
    return row


def fill(con: duckdb.DuckDBPyConnection, rows: list[Row], columns: str = COLUMNS) -> None:
    con.execute(f"CREATE OR REPLACE TABLE t ({columns})")
    con.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(rows[0]))})", [list(row) for row in rows])


def losses(con: duckdb.DuckDBPyConnection, max_l: int, how: str, taxonomy: str) -> dict[int, float]:
    """The gcp of every l, published and measured one by one."""
    found = {}
    for l in range(2, max_l + 1):
        release = f"ldiverse('t', {QI}, 'disease', {l}, recode := 'generalize', {how}, taxonomy := {taxonomy})"
        con.execute(f"CREATE OR REPLACE TABLE r AS FROM {release}")
        (gcp,) = one(con, f"SELECT gcp FROM info_loss('t', 'r', {QI}, taxonomy := {taxonomy})")
        assert isinstance(gcp, float)
        found[l] = gcp
    return found


cell = st.tuples(
    st.sampled_from([None, 1, 2, 3, 9, 27]),
    st.sampled_from([None, -0.0, 0.0, 0.5, 8.0, math.inf, math.nan]),
    st.sampled_from([None, "*", "a", "b", "c", "d"]),
    st.sampled_from([None, "p", "q", "r", "s", "u"]),
)


@settings(deadline=None, max_examples=50)
@given(
    st.lists(cell, min_size=2, max_size=14),
    st.sampled_from(ALGOS),
    st.sampled_from([0, 0.15, 0.35, 0.6, 0.9, 1]),
    st.sampled_from(["value", "wildcard"]),
    st.booleans(),
)
def test_it_is_the_largest_l_whose_release_is_within_the_budget(
    loan: list[duckdb.DuckDBPyConnection], rows: list[Row], algo: str, budget: float, nulls: str, tree: bool
) -> None:
    con = loan[0]
    if tree:  # which has no leaf for a star
        rows = [tuple(None if value == "*" else value for value in row) for row in rows]
    fill(con, rows)
    taxonomy, how = "{'city': 'city_levels'}" if tree else "NULL", f"algo := '{algo}', nulls := '{nulls}', seed := 0"
    found = one(con, f"FROM best_l('t', {QI}, 'disease', max_gcp := {budget}, {how}, taxonomy := {taxonomy})")
    secrets = [row[3] for row in rows]
    max_l = len(rows) // max(secrets.count(secret) for secret in secrets)
    gcp = losses(con, max_l, how, taxonomy)
    best = max((l for l, lost in gcp.items() if lost <= budget + 1e-9), default=None)
    assert found[0] == best
    assert found[1] == (None if best is None else pytest.approx(gcp[best], abs=1e-9))
    assert found[2:] == (max_l, len(gcp) if best is None else max_l - best + 1)


def test_a_table_worked_by_hand(con: duckdb.DuckDBPyConnection) -> None:
    fill(con, [(0, "a"), (10, "b"), (20, "c"), (30, "d")], "age INTEGER, disease VARCHAR")
    ask = "FROM best_l('t', ['age'], 'disease', max_gcp := {})"
    # two pairs lose a third each; with l = 3 or 4 there is one group, which loses everything
    assert one(con, ask.format(0.5)) == (2, pytest.approx(1 / 3), 4, 3)
    assert one(con, ask.format(1)) == (4, 1.0, 4, 1)
    assert one(con, ask.format(0.3)) == (None, None, 4, 3)
    assert one(con, "SELECT l FROM best_l('t', ['age'], 'disease')") == (None,)


def test_no_l_is_allowed_where_one_value_is_too_frequent(con: duckdb.DuckDBPyConnection) -> None:
    fill(con, [(1, "a"), (2, "a"), (3, "b")], "age INTEGER, disease VARCHAR")
    assert one(con, "FROM best_l('t', ['age'], 'disease', max_gcp := 1)") == (None, None, 1, 0)


@given(st.integers(2, 400), st.integers(0, 400))
def test_bisecting_finds_the_border_in_few_steps(most: int, border: int) -> None:
    asked: list[int] = []

    def holds(l: int) -> bool:
        asked.append(l)
        return l <= border

    assert udf.largest_within(holds, most) == (min(most, border) if border >= 2 else None)
    assert len(asked) == len(set(asked))
    assert len(asked) <= (most - 1 if most <= udf.EVERY else most.bit_length())


def test_up_to_32_a_loss_that_rises_and_falls_hides_nothing() -> None:
    assert udf.largest_within(lambda l: l in (2, 7, 31), 32) == 31
    assert udf.largest_within(lambda l: l == 2, 32) == 2


def test_a_table_for_many_l_is_bisected_and_the_answer_keeps_the_budget(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE t AS SELECT i % 97 AS age, i % 31 AS zip, i % 200 AS disease FROM range(4000) r(i)"
    )
    answers = [
        one(con, f"FROM best_l('t', ['age', 'zip'], 'disease', max_gcp := {budget})") for budget in (0.1, 0.3, 0.6, 1)
    ]
    for (l, gcp, max_l, tried), budget in zip(answers, (0.1, 0.3, 0.6, 1), strict=True):
        assert max_l == 200 and isinstance(tried, int) and tried <= 8
        assert isinstance(l, int) and isinstance(gcp, float) and gcp <= budget
        con.execute(f"CREATE OR REPLACE TABLE r AS FROM ldiverse('t', ['age', 'zip'], 'disease', {l})")
        assert one(con, "SELECT gcp FROM info_loss('t', 'r', ['age', 'zip'])") == (pytest.approx(gcp, abs=1e-9),)
    found = [l for l, *_ in answers if isinstance(l, int)]
    assert all(less <= more for less, more in pairwise(found))
    assert found[0] < found[-1] == 200


def test_rows_that_nulls_exclude_are_no_part_of_the_search(con: duckdb.DuckDBPyConnection) -> None:
    fill(con, [(0, "a"), (0, "b"), (None, "b"), (5, "a"), (5, "b")], "age INTEGER, disease VARCHAR")
    ask = "FROM best_l('{}', ['age'], 'disease', nulls := '{}')"
    known = one(con, ask.format("(SELECT * FROM t WHERE age IS NOT NULL)", "value"))
    assert one(con, ask.format("t", "exclude")) == known == (2, 0.0, 2, 1)
    assert one(con, ask.format("t", "value")) == (None, None, 1, 0)


@pytest.mark.parametrize(
    "tbl", ["seen", "(SELECT * FROM seen)", "(FROM ldiverse(''seen'', [''a\"b''], ''SELECT'', 2))"]
)
def test_a_table_of_any_kind_and_names_of_any_kind(con: duckdb.DuckDBPyConnection, tbl: str) -> None:
    seen = """WITH seen AS (SELECT i AS "a""b", i % 3 AS "SELECT" FROM range(9) AS r(i)) """
    assert one(con, f"""{seen} FROM best_l('{tbl}', ['a"b'], 'SELECT', max_gcp := 1)""")[0] == 3


def test_the_order_of_rows_changes_nothing(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS FROM census(600, seed := 3)")
    con.execute("CREATE OR REPLACE TABLE u AS FROM t ORDER BY hash(age, salary), salary")
    for algo in ALGOS:
        how = f"algo := '{algo}', seed := 1"
        ask = f"* REPLACE (round(gcp, 9) AS gcp) FROM best_l('{{}}', ['age', 'education'], 'salary', {how})"
        assert one(con, f"SELECT {ask.format('t')}") == one(con, f"SELECT {ask.format('u')}"), algo


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ("'t', ['age'], 'disease', max_gcp := 1.5", "SA102", "max_gcp = 1.5 is out of range"),
        ("'t', ['age'], 'disease', max_gcp := -0.1", "SA102", "from 0 to 1"),
        ("'t', ['age'], 'disease', max_gcp := NULL", "SA102", "not NULL"),
        ("'t', ['age'], 'disease', max_gcp := 'much'", "SA102", "max_gcp must be a number"),
        ("'t', ['age'], 'disease', max_gcp := 'nan'::DOUBLE", "SA102", "max_gcp must be a number"),
        ("'t', ['age'], 'disease', algo := 'matching'", "SA102", "l = 2 only"),
        ("'t', ['age'], 'disease', algo := 'best'", "SA102", "Choose one of: hilbert"),
        ("'t', ['age'], 'disease', nulls := 'none'", "SA102", "nulls"),
        ("'t', ['age'], 'disease', seed := -1", "SA102", "seed"),
        ("'t', [], 'disease'", "SA102", "qi is empty"),
        ("'t', ['age'], ['disease', 'age'], algo := 'bsgi'", "SA102", "sa names 2 columns"),
        ("'t', ['age', 'disease'], 'disease'", "SA101", "in both qi and sa"),
        ("'t', ['age'], 'illness'", "SA101", "no column 'illness'"),
        ("'t', ['age'], 'disease', taxonomy := {'zip': 'x'}", "SA101", "not in qi"),
        ("'DROP TABLE t', ['age'], 'disease'", "SA103", "tbl"),
        ("'(FROM best_l(''t'', [''age''], ''disease''))', ['l'], 'gcp'", "SA103", "inside itself"),
        ("'(SELECT [age] AS age, disease FROM t)', ['age'], 'disease'", "SA104", "'age'"),
        ("'(FROM t LIMIT 1)', ['age'], 'disease'", "SA202", "1 row"),
        ("'(FROM t LIMIT 0)', ['age'], 'disease'", "SA202", "empty"),
    ],
)
def test_what_cannot_be_answered_says_why(con: duckdb.DuckDBPyConnection, arguments: str, code: str, says: str) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i AS age, i % 4 AS disease FROM range(20) AS r(i)")
    with pytest.raises(duckdb.Error) as caught:
        con.execute(f"FROM best_l({arguments})").fetchall()
    assert f"[{code}]" in str(caught.value)
    assert says in str(caught.value)
