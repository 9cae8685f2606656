"""frontier: what each setting loses, measured in one statement, against publishing and measuring by hand."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from sqlanon.udfs import clock, count_queries
from sqlanon.udfs.kernels import hilbert, mondrian

import sqlanon

Row = tuple[Any, ...]
COLUMNS = ["algo", "l", "gcp", "avg_class_size", "kl", "median_error", "seconds"]


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    con = sqlanon.connect()
    con.execute("CREATE TABLE people AS FROM census(400, seed := 5)")
    con.execute("CREATE TABLE country_levels AS FROM census_taxonomy('country')")
    yield con
    con.close()


def by_hand(con: duckdb.DuckDBPyConnection, qi: str, algo: str, l: int, taxonomy: str, seed: int) -> list[float]:
    """Publish one setting of `people`, then measure it with the functions for that."""
    publish = f"ldiverse('people', {qi}, 'salary', {l}, algo := '{algo}', recode := 'generalize', seed := {seed}"
    con.execute(f"CREATE OR REPLACE TABLE release AS FROM {publish}, taxonomy := {taxonomy})").fetchall()
    asked = f"('people', 'release', {qi}"
    measures = (
        f"SELECT gcp FROM info_loss{asked}, taxonomy := {taxonomy})",
        f"SELECT avg_class_size FROM info_loss{asked}, taxonomy := {taxonomy})",
        f"SELECT kl FROM kl_divergence{asked}, 'salary', taxonomy := {taxonomy})",
        f"""
        SELECT median(relative_error) FROM count_query_error{asked}, 'salary', least(3, len({qi}) + 1),
            queries := 200, selectivity := 0.05, seed := {seed}, taxonomy := {taxonomy})
        """,
    )
    return [con.execute(measure).fetchall()[0][0] for measure in measures]


@pytest.mark.parametrize(
    ("qi", "taxonomy", "seed"),
    [("['age']", "NULL", 0), ("['age', 'country', 'gender']", "{'country': 'country_levels'}", 7)],
)
def test_each_row_is_what_publishing_and_measuring_by_hand_finds(
    con: duckdb.DuckDBPyConnection, qi: str, taxonomy: str, seed: int
) -> None:
    how = f"l := [4, 2], algos := ['mondrian', 'bsgi'], taxonomy := {taxonomy}, seed := {seed}"
    result = con.execute(f"FROM frontier('people', {qi}, 'salary', {how})")
    assert [column[0] for column in result.description] == COLUMNS
    rows = result.fetchall()
    assert [row[:2] for row in rows] == [("mondrian", 4), ("mondrian", 2), ("bsgi", 4), ("bsgi", 2)]
    for algo, l, *measures, seconds in rows:
        assert measures == pytest.approx(by_hand(con, qi, algo, l, taxonomy, seed), rel=1e-9)
        assert seconds > 0


def test_a_setting_that_the_table_does_not_allow_has_no_measures(con: duckdb.DuckDBPyConnection) -> None:
    (max_l,) = con.execute("SELECT max_l FROM eligibility('people', 'salary')").fetchall()[0]
    rows = con.execute(
        f"FROM frontier('people', ['age', 'gender'], 'salary', l := [{max_l + 1}, {max_l}], algos := ['hilbert'])"
    ).fetchall()
    assert rows[0] == ("hilbert", max_l + 1, None, None, None, None, None)
    assert rows[1][:2] == ("hilbert", max_l)
    assert None not in rows[1]


def test_l_and_algorithms_may_be_left_out(con: duckdb.DuckDBPyConnection) -> None:
    few = "SELECT algo, l FROM frontier('(FROM people LIMIT 60)', ['age'], 'salary', {})"
    assert con.execute(few.format("algos := ['tp']")).fetchall() == [("tp", l) for l in (2, 3, 5, 7)]
    assert con.execute(few.format("l := [2]")).fetchall() == [(algo, 2) for algo in ("hilbert", "bsgi", "tp_plus")]


def test_settings_run_one_after_the_other_and_only_publishing_is_timed(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []

    def noted(event: str, function: Any, pause: float = 0.0) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            events.append(event)
            time.sleep(pause)
            return function(*arguments, **named)

        return call

    def slow(n: int) -> int:
        time.sleep(0.4)
        return n

    con.create_function("slow", slow, ["INTEGER"], "INTEGER")
    told = clock.seconds
    monkeypatch.setattr(clock, "seconds", lambda algo: (events.append(f"clock {algo}"), told(None))[1])
    monkeypatch.setattr(hilbert, "l_groups", noted("hilbert", hilbert.l_groups, 0.2))
    monkeypatch.setattr(mondrian, "l_groups", noted("mondrian", mondrian.l_groups, 0.2))
    monkeypatch.setattr(count_queries, "answers", noted("measure", count_queries.answers, 0.4))
    tbl = "(SELECT age, salary FROM people CROSS JOIN (SELECT slow(1) AS one) AS waited WHERE one = 1)"
    began = time.perf_counter()
    rows = con.execute(
        f"FROM frontier('{tbl}', ['age'], 'salary', l := [2], algos := ['hilbert', 'mondrian'])"
    ).fetchall()
    wall = time.perf_counter() - began
    hilbert_groups = [event for event in events if event == "hilbert"]
    expected = ["clock hilbert", *hilbert_groups, "clock None", "measure"]
    assert events == [*expected, "clock mondrian", *["mondrian"] * events.count("mondrian"), "clock None", "measure"]
    assert hilbert_groups
    assert all(row[-1] >= 0.2 for row in rows)
    assert wall >= sum(row[-1] for row in rows) + 3 * 0.4, "neither reading nor measuring is in it"


def test_a_table_of_any_kind_and_names_of_any_kind(con: duckdb.DuckDBPyConnection) -> None:
    how = """['a"b', 'tick'], 'SELECT', l := [2], algos := ['hilbert'])"""
    con.execute(
        """CREATE TABLE source AS SELECT i % 9 AS "a""b", i % 2 AS tick, i % 5 AS "SELECT" FROM range(90) AS r(i)"""
    )
    plain = con.execute(f"SELECT gcp, kl, median_error FROM frontier('source', {how}").fetchall()
    assert None not in plain[0]
    named_like_ours = '"_sqlanon_frontier_given"'
    con.execute(f"CREATE VIEW {named_like_ours} AS FROM source")
    for tbl in ("(SELECT * FROM source)", "seen", named_like_ours, "_SQLANON_frontier_given"):
        rows = con.execute(f"WITH seen AS (FROM source) SELECT gcp, kl, median_error FROM frontier('{tbl}', {how}")
        assert rows.fetchall() == [pytest.approx(plain[0], rel=1e-9)]


def test_nulls_are_values(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE TABLE gaps AS SELECT if(i % 7 = 0, NULL, i % 9) AS age, nullif(i % 5, 0) AS secret FROM range(90) r(i)"
    )
    rows = con.execute("FROM frontier('gaps', ['age'], 'secret', l := [5, 6], algos := ['hilbert'])").fetchall()
    assert None not in rows[0]
    assert rows[1][2:] == (None,) * 5


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ("'people', ['age'], 'salary', l := 3", "SA102", "l must be a list"),
        ("'people', ['age'], 'salary', l := []", "SA102", "l is empty"),
        ("'people', ['age'], 'salary', l := [3, 1]", "SA102", "l = 1 is out of range"),
        ("'people', ['age'], 'salary', l := [3, NULL]", "SA102", "l must be a whole number"),
        ("'people', ['age'], 'salary', l := [3, 3]", "SA102", "l names a setting twice"),
        ("'people', ['age'], 'salary', algos := 'hilbert'", "SA102", "algos must be a list"),
        ("'people', ['age'], 'salary', algos := ['hilbert', 'best']", "SA102", "'best' is not known"),
        ("'people', ['age'], 'salary', algos := ['matching']", "SA102", "l = 2 only"),
        ("'people', ['age'], ['salary', 'race'], algos := ['bsgi']", "SA102", "sa names 2 columns"),
        ("'people', ['age'], 'wages', algos := ['hilbert']", "SA101", "no column 'wages' in tbl"),
        ("'people; DROP TABLE people', ['age'], 'salary'", "SA103", "tbl"),
        ("'(FROM people LIMIT 0)', ['age'], 'salary', algos := ['hilbert']", "SA202", "empty"),
        ("'(FROM people LIMIT 1)', ['age'], 'salary', algos := ['hilbert']", "SA202", "1 row"),
        ("'(SELECT [age] AS age, salary FROM people)', ['age'], 'salary', algos := ['hilbert']", "SA104", "'age'"),
    ],
)
def test_what_cannot_be_answered_says_why(con: duckdb.DuckDBPyConnection, arguments: str, code: str, says: str) -> None:
    with pytest.raises(duckdb.Error) as caught:
        con.execute(f"FROM frontier({arguments})").fetchall()
    assert f"[{code}]" in str(caught.value)
    assert says in str(caught.value)
