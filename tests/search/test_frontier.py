"""frontier: what each setting loses, measured without publishing, against publishing and measuring by hand."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import time
from typing import Any

import pytest
from connections import UNKIND, Row, TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs import frontier as udf
from sqlanon.udfs.count_queries import drawn_queries
from sqlanon.udfs.kernels.halving import mondrian
from sqlanon.udfs.kernels.hilbert import hilbert
from thorough import examples

COLUMNS = ["algo", "l", "gcp", "avg_class_size", "kl", "median_error", "seconds"]
TABLE = f"""
    SELECT
        {UNKIND},
        (['lo', 'mid', 'high'])[1 + i % 3]::ENUM('lo', 'mid', 'high') AS grade,
        i % 4 = 0 AS member,
        CASE WHEN i % 9 = 8 THEN NULL WHEN i % 9 = 7 THEN '*' ELSE '{{d' || i % 9 || '}}' END AS salary
    FROM range(450) AS numbers(i)
"""
TAXONOMY = """
    SELECT * FROM (VALUES
        ('c0', 'east', '*'), ('c1', 'east', '*'), ('c2', 'c3', '*'), ('c3', 'c3', '*'), ('c4', 'west', '*'),
        ('c5', 'west', '*'), ('unused', 'west', '*'), ('*', 'nowhere', '*')
    ) AS levels(leaf, side, root)
"""
"""The root is a star, so is a leaf, a leaf does not occur, and c3 is also the name of what c2 and c3 have in common."""


@pytest.fixture(scope="module", autouse=True)
def tables(con: TestConnection) -> None:
    con.execute("CREATE TABLE people AS FROM census(400, seed := 5)")
    con.execute("CREATE TABLE country_levels AS FROM census_taxonomy('country')")
    con.execute(f"CREATE TABLE unkind AS {TABLE}")
    con.execute(f"CREATE TABLE city_levels AS {TAXONOMY}")


def by_hand(con: TestConnection, tbl: str, qi: str, algo: str, l: int, taxonomy: str, seed: int) -> list[float]:
    """Publish one setting of a table, then measure it with the functions for that."""
    publish = f"ldiverse('{tbl}', {qi}, 'salary', {l}, algo := '{algo}', recode := 'generalize', seed := {seed}"
    con.rows(f"CREATE OR REPLACE TABLE release AS FROM {publish}, taxonomy := {taxonomy})")
    asked = f"('{tbl}', 'release', {qi}"
    measures = (
        f"SELECT gcp, avg_class_size FROM info_loss{asked}, taxonomy := {taxonomy})",
        f"SELECT kl FROM kl_divergence{asked}, 'salary', taxonomy := {taxonomy})",
        f"""
        SELECT median(relative_error) FROM count_query_error{asked}, 'salary', least(3, len({qi}) + 1),
            queries := 200, selectivity := 0.05, seed := {seed}, taxonomy := {taxonomy})
        """,
    )
    return [value for measure in measures for value in con.rows(measure)[0]]


def alike(found: list[float | None]) -> Any:
    """The same but for the last digits."""
    return pytest.approx(found, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("tbl", "qi", "taxonomy", "seed", "algos"),
    [
        ("people", "['age']", "NULL", 0, ["anatomy"]),
        ("people", "['age', 'country', 'gender']", "{'country': 'country_levels'}", 7, ["bsgi"]),
        ("unkind", "['age', 'score', 'seen', 'city', 'grade', 'member']", "NULL", 1, ["mondrian", "anatomy"]),
        ("unkind", "['city', 'seen', 'age']", "{'city': 'city_levels'}", 2, ["mondrian"]),
    ],
)
def test_each_row_is_what_publishing_and_measuring_by_hand_finds(
    con: TestConnection, tbl: str, qi: str, taxonomy: str, seed: int, algos: list[str]
) -> None:
    how = f"l := [4, 2], algos := {algos}, taxonomy := {taxonomy}, seed := {seed}"
    result = con.execute(f"FROM frontier('{tbl}', {qi}, 'salary', {how})")
    assert [column[0] for column in result.description] == COLUMNS
    rows = result.fetchall()
    assert [row[:2] for row in rows] == [(algo, l) for algo in algos for l in (4, 2)]
    for algo, l, *measures, seconds in rows:
        assert measures == alike(by_hand(con, tbl, qi, algo, l, taxonomy, seed))
        assert seconds > 0


@pytest.mark.parametrize(
    ("tbl", "qi", "taxonomy", "seed", "algo"),
    [
        ("people", "['age']", "NULL", 0, "topdown"),
        ("people", "['age', 'country', 'gender', 'race']", "{'country': 'country_levels'}", 7, "mondrian"),
        ("unkind", "['age', 'score', 'seen', 'city', 'grade', 'member']", "NULL", 1, "topdown"),
        ("unkind", "['city', 'seen']", "{'city': 'city_levels'}", 2, "mondrian"),
    ],
)
def test_without_a_sensitive_attribute_each_row_is_what_measuring_a_k_anonymous_release_finds(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, tbl: str, qi: str, taxonomy: str, seed: int, algo: str
) -> None:
    workloads: list[list[str]] = []

    def note(*arguments: Any) -> Any:
        queries = list(drawn_queries(*arguments))
        workloads.append([query.predicate for _, _, query in queries])
        return queries

    monkeypatch.setattr(udf, "drawn_queries", note)
    how = f"k := [4, 1], algos := ['{algo}'], taxonomy := {taxonomy}, seed := {seed}"
    result = con.execute(f"FROM frontier('{tbl}', {qi}, {how})")
    assert [column[0] for column in result.description] == ["algo", "k", *COLUMNS[2:]]
    rows = result.fetchall()
    assert [row[:2] for row in rows] == [(algo, 4), (algo, 1)]
    columns = qi.strip("[]'").split("', '")
    for workload in workloads:
        assert workload == workloads[0]
        assert {sum(f'"{name}"' in query for name in columns) for query in workload} == {min(3, len(columns))}
    con.execute("CREATE OR REPLACE TABLE workload (predicate VARCHAR)")
    con.execute("INSERT INTO workload SELECT unnest(?)", [workloads[0]])

    # with one value that all rows have for a sensitive attribute, the other functions measure what there is to measure
    alike_in_one = f"(SELECT *, 1 AS one FROM {tbl})"
    for _, k, *measures, seconds in rows:
        publish = f"kanonymous('{alike_in_one}', {qi}, {k}, algo := '{algo}', keep := ['one'], seed := {seed}"
        con.execute(f"CREATE OR REPLACE TABLE release AS FROM {publish}, taxonomy := {taxonomy})")
        compared = f"'{alike_in_one}', 'release', {qi}"
        by_function = (
            f"SELECT gcp, avg_class_size FROM info_loss({compared}, taxonomy := {taxonomy})",
            f"FROM kl_divergence({compared}, 'one', taxonomy := {taxonomy})",
            f"SELECT median(relative_error) FROM count_query_error({compared}, 'one', predicates := 'workload', "
            f"taxonomy := {taxonomy})",
        )
        assert measures == alike([value for sql in by_function for value in con.rows(sql)[0]])
        assert seconds > 0


def test_k_and_algorithms_may_be_left_out(con: TestConnection) -> None:
    few = "SELECT algo, k FROM frontier('(FROM people LIMIT 60)', ['age', 'gender'], {})"
    assert con.rows(few.format("algos := ['idistance']")) == [("idistance", k) for k in (2, 5, 10, 25)]
    assert con.rows(few.format("k := [3]")) == [(algo, 3) for algo in ("hilbert", "mondrian", "topdown")]


def test_more_than_all_rows_cannot_be_hidden_among(con: TestConnection) -> None:
    rows = con.rows("FROM frontier('(FROM people LIMIT 9)', ['age'], k := [9, 10], algos := ['hilbert'])")
    assert None not in rows[0]
    assert rows[1] == ("hilbert", 10, None, None, None, None, None)


def test_pairs_are_measured_too(con: TestConnection) -> None:
    con.execute("CREATE TABLE halves AS SELECT age, race, row_number() OVER () % 2 AS salary FROM people")
    [(_, _, *measures, _)] = con.rows(
        "FROM frontier('halves', ['age', 'race'], 'salary', l := [2], algos := ['matching'])"
    )
    assert measures == alike(by_hand(con, "halves", "['age', 'race']", "matching", 2, "NULL", 0))


cell = st.tuples(
    st.sampled_from([None, 1, 2, 3, 9, 27]),
    st.sampled_from([None, -0.0, 0.5, 8.0, math.inf, math.nan]),
    st.sampled_from([None, "*", "c0", "c1", "c2", "c3", "c4"]),
    st.sampled_from([None, "*", "p", "q", "{p, q}"]),
)


@settings(deadline=None, max_examples=examples(25))
@given(
    st.lists(cell, min_size=2, max_size=14),
    st.sampled_from(["hilbert", "idistance", "tp", "tp_plus", "bsgi"]),
    st.integers(0, 9),
    st.booleans(),
)
def test_a_small_table_of_odd_values_is_measured_as_by_hand(
    con: TestConnection, rows: list[Row], algo: str, seed: int, tree: bool
) -> None:
    qi = "['age', 'weight', 'city']"
    store(con, "odd", {"age": "INTEGER", "weight": "DOUBLE", "city": "VARCHAR", "salary": "VARCHAR"}, rows)
    taxonomy = "{'city': 'city_levels'}" if tree else "NULL"
    how = f"l := [2, 3], algos := ['{algo}'], taxonomy := {taxonomy}, seed := {seed}"
    (max_l,) = con.rows("SELECT max_l FROM eligibility('odd', 'salary')")[0]
    for _, l, *measures, _ in con.rows(f"FROM frontier('odd', {qi}, 'salary', {how})"):
        assert measures == ([None] * 4 if l > max_l else alike(by_hand(con, "odd", qi, algo, l, taxonomy, seed)))


def test_a_setting_that_the_table_does_not_allow_has_no_measures(con: TestConnection) -> None:
    (max_l,) = con.rows("SELECT max_l FROM eligibility('people', 'salary')")[0]
    rows = con.rows(
        f"FROM frontier('people', ['age', 'gender'], 'salary', l := [{max_l + 1}, {max_l}], algos := ['hilbert'])"
    )
    assert rows[0] == ("hilbert", max_l + 1, None, None, None, None, None)
    assert rows[1][:2] == ("hilbert", max_l)
    assert None not in rows[1]


def test_l_and_algorithms_may_be_left_out(con: TestConnection) -> None:
    few = "SELECT algo, l FROM frontier('(FROM people LIMIT 60)', ['age'], 'salary', {})"
    assert con.rows(few.format("algos := ['tp']")) == [("tp", l) for l in (2, 3, 5, 7)]
    assert con.rows(few.format("l := [2]")) == [(algo, 2) for algo in ("hilbert", "bsgi", "tp_plus")]


def test_settings_run_one_after_the_other_and_only_the_algorithm_is_timed(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []

    def note(event: str, function: Any, pause: float) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            events.append(event)
            time.sleep(pause)
            return function(*arguments, **named)

        return call

    def slow(n: int) -> int:
        time.sleep(0.4)
        return n

    con.create_function("slow", slow, ["INTEGER"], "INTEGER")
    monkeypatch.setattr(hilbert, "l_groups", note("hilbert", hilbert.l_groups, 0.2))
    monkeypatch.setattr(mondrian, "l_groups", note("mondrian", mondrian.l_groups, 0.2))
    monkeypatch.setattr(udf, "divergence", note("measure", udf.divergence, 0.4))
    tbl = "(SELECT age, salary FROM people CROSS JOIN (SELECT slow(1) AS one) AS waited WHERE one = 1)"
    began = time.perf_counter()
    rows = con.rows(f"FROM frontier('{tbl}', ['age'], 'salary', l := [2, 3], algos := ['hilbert', 'mondrian'])")
    wall = time.perf_counter() - began
    expected = [[algo, algo, "measure", algo, "measure"] for algo in ("hilbert", "mondrian")]
    assert events == expected[0] + expected[1], "each algorithm is warmed up once"
    assert all(row[-1] >= 0.2 for row in rows)
    reading, warming_up, measuring = 0.4, 2 * 0.2, 4 * 0.4
    assert wall >= sum(row[-1] for row in rows) + reading + warming_up + measuring, "none of these is in it"


SLOWLY = """
import signal
import sys
import time
import sqlanon
from sqlanon.udfs import frontier

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs this in the background has it ignored

def divergence(*_):
    print("measured", flush=True)
    sys.stdin.readline()  # until the signal has been sent
    time.sleep(0.2)
    return 0.0

frontier.divergence = divergence
con = sqlanon.connect()
con.execute("SET enable_progress_bar = false")
con.execute("CREATE TABLE people AS SELECT i % 7 AS age, i % 20 AS secret FROM range(400) AS r(i)")
con.execute("FROM frontier('people', ['age'], 'secret', l := range(2, 20), algos := ['hilbert'])").fetchall()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT for one process")
def test_control_c_is_heeded_between_two_settings() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLOWLY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "measured\n"
        process.send_signal(signal.SIGINT)
        told, error = process.communicate()
    assert process.returncode != 0
    assert "nterrupt" in error
    assert told.count("measured") < 17, "it was not gone through with"


def test_a_table_of_any_kind_and_names_of_any_kind(con: TestConnection) -> None:
    how = """['a"b', 'tick'], 'SELECT', l := [2], algos := ['hilbert'])"""
    con.execute(
        """CREATE TABLE source AS SELECT i % 9 AS "a""b", i % 2 AS tick, i % 5 AS "SELECT" FROM range(90) AS r(i)"""
    )
    plain = con.rows(f"SELECT gcp, kl, median_error FROM frontier('source', {how}")
    assert None not in plain[0]
    for name in ("records", "tried_1"):
        con.execute(f"CREATE VIEW {name} AS FROM source")
    for tbl in ("(SELECT * FROM source)", "seen", '"records"', "TRIED_1"):
        rows = con.execute(f"WITH seen AS (FROM source) SELECT gcp, kl, median_error FROM frontier('{tbl}', {how}")
        assert rows.fetchall() == [pytest.approx(plain[0], rel=1e-9)]


def test_nulls_are_values(con: TestConnection) -> None:
    con.execute(
        "CREATE TABLE gaps AS SELECT if(i % 7 = 0, NULL, i % 9) AS age, nullif(i % 5, 0) AS secret FROM range(90) r(i)"
    )
    rows = con.rows("FROM frontier('gaps', ['age'], 'secret', l := [5, 6], algos := ['hilbert'])")
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
        ("'people', ['age'], 'salary', l := [2], algos := ['matching']", "SA102", "two values"),
        ("'people', ['age'], ['salary', 'race'], algos := ['bsgi']", "SA102", "sa names 2 columns"),
        ("'people', ['age'], 'wages', algos := ['hilbert']", "SA101", "no column 'wages' in tbl"),
        ("'people', ['age'], l := [2]", "SA102", "l needs sa"),
        ("'people', ['age'], 'salary', k := [2]", "SA102", "k is tried without sa"),
        ("'people', ['age'], k := [5, 0]", "SA102", "k = 0 is out of range"),
        ("'people', ['age'], k := 5", "SA102", "k must be a list"),
        ("'people', ['age'], algos := ['bsgi']", "SA102", "'bsgi' is not known"),
        ("'(FROM people LIMIT 0)', ['age']", "SA202", "empty"),
        ("'people; DROP TABLE people', ['age'], 'salary'", "SA103", "tbl"),
        ("'(FROM people LIMIT 0)', ['age'], 'salary', algos := ['hilbert']", "SA202", "empty"),
        ("'(FROM people LIMIT 1)', ['age'], 'salary', algos := ['hilbert']", "SA202", "1 row"),
        ("'(SELECT [age] AS age, salary FROM people)', ['age'], 'salary', algos := ['hilbert']", "SA104", "'age'"),
    ],
)
def test_what_cannot_be_answered_says_why(con: TestConnection, arguments: str, code: str, says: str) -> None:
    error = con.refusal(f"FROM frontier({arguments})")
    assert error.startswith(f"[{code}]")
    assert says in error
