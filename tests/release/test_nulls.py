"""The meaning of a missing quasi-identifier: the same word in publishing and in checking."""

from __future__ import annotations

import duckdb
import pytest
from connections import TestConnection
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from sqlanon.release.algorithms import Algorithm

from .calls import each_algorithm, release_by

pytestmark = pytest.mark.oldest

POLICIES = ("value", "wildcard", "exclude")


@pytest.fixture(scope="module")
def people(con: TestConnection) -> str:
    con.execute(
        """
        CREATE TABLE people AS
        SELECT
            CASE WHEN i % 5 = 0 THEN NULL ELSE i % 23 END AS age,
            CASE WHEN i % 7 = 0 THEN '*' WHEN i % 3 = 0 THEN NULL ELSE 'c' || i % 4 END AS city,
            CASE WHEN i % 4 = 0 THEN NULL ELSE DATE '2024-01-01' + CAST(i AS INTEGER) END AS seen,
            'd' || i % 6 AS disease
        FROM range(120) AS numbers(i)
        """
    )
    return "people"


def rows(con: TestConnection, sql: str) -> list[tuple[object, ...]]:
    return con.execute(sql).fetchall()


row = st.tuples(st.sampled_from([None, 1, 2, 9]), st.sampled_from([None, "*", "a", "b"]))


@settings(deadline=None, max_examples=examples(40))
@given(st.lists(row, min_size=6, max_size=14), st.sampled_from(POLICIES), st.sampled_from(["generalize", "suppress"]))
def test_what_is_published_under_a_policy_holds_when_checked_under_it(
    con: TestConnection, found: list[tuple[object, object]], nulls: str, recode: str
) -> None:
    con.execute("CREATE OR REPLACE TABLE visits (age INTEGER, city VARCHAR, disease INTEGER)")
    con.executemany("INSERT INTO visits VALUES (?, ?, ?)", [(*qi, i % 3) for i, qi in enumerate(found)])
    publish = (
        f"CREATE OR REPLACE TABLE release AS FROM ldiverse('visits', ['age', 'city'], 'disease', 2, nulls := '{nulls}'"
    )
    try:
        con.execute(f"{publish}, recode := '{recode}')")
    except duckdb.Error as error:
        assert nulls == "exclude", "a table that is eligible stays so"
        assert "[SA201]" in str(error) or "[SA202]" in str(error)
        return
    for reading in ("value", nulls):
        verify = f"FROM privacy('release', ['age', 'city'], 'disease', nulls := '{reading}')"
        [(found_rows, k, l)] = rows(con, f"SELECT rows, k, frequency_l {verify}")
        assert found_rows == 0 or (k >= 2 and l >= 2)


@pytest.mark.parametrize("format", ["text", "typed"])
@pytest.mark.parametrize("recode", ["generalize", "suppress", "none"])
def test_excluding_is_publishing_the_rows_that_miss_nothing(
    con: TestConnection, people: str, recode: str, format: str
) -> None:
    qi, how = "['age', 'city', 'seen'], 'disease', 2", f"recode := '{recode}', format := '{format}'"
    whole = f"(SELECT * FROM {people} WHERE age IS NOT NULL AND city <> '*' AND seen IS NOT NULL)"
    found = rows(con, f"FROM ldiverse('{people}', {qi}, {how}, nulls := 'exclude')")
    assert found == rows(con, f"FROM ldiverse('{whole}', {qi}, {how})".replace("'*'", "''*''"))
    assert 0 < len(found) < 120


def test_a_wildcard_takes_on_what_its_group_publishes(con: TestConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE four AS FROM (VALUES (30, 'a'), (NULL, '*'), (32, NULL), (NULL, 'a')) AS t(age, city)"
    )
    whole = "FROM kanonymous('four', ['age', 'city'], 4, nulls := 'wildcard'"
    assert rows(con, f"SELECT DISTINCT age, city {whole})") == [("[30, 32]", "a")]
    assert rows(con, f"SELECT DISTINCT age, city {whole}, format := 'typed')") == [({"lo": 30, "hi": 32}, ["a"])]
    assert rows(con, f"SELECT DISTINCT age, city {whole}, recode := 'suppress')") == [("*", "a")]
    as_values = "SELECT DISTINCT age, city FROM kanonymous('four', ['age', 'city'], 4)"
    assert rows(con, as_values) == [("*", "*")]


def test_where_nothing_is_known_a_wildcard_stays_missing(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE missing AS SELECT CAST(NULL AS INTEGER) AS age, '*' AS city FROM range(4)")
    for format in ("text", "typed"):
        release = f"FROM kanonymous('missing', ['age', 'city'], 2, nulls := 'wildcard', format := '{format}')"
        assert rows(con, f"SELECT DISTINCT age, city {release}") == [(None, None)]


def test_a_wildcard_goes_with_a_taxonomy(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE towns AS FROM (VALUES ('a'), ('b'), (NULL)) AS t(city)")
    con.execute(
        "CREATE OR REPLACE TABLE levels AS FROM (VALUES ('a', 'ab', '*'), ('b', 'ab', '*'), ('c', 'c', '*')) AS t"
    )
    release = "FROM kanonymous('towns', ['city'], 3, taxonomy := {'city': 'levels'}"
    assert rows(con, f"SELECT DISTINCT city {release}, nulls := 'wildcard')") == [("ab",)]
    assert rows(con, f"SELECT DISTINCT city {release})") == [("*",)]


@pytest.mark.parametrize("nulls", POLICIES)
def test_a_policy_does_not_depend_on_the_order_of_arrival(con: TestConnection, people: str, nulls: str) -> None:
    how = f"['age', 'city', 'seen'], 'disease', 2, nulls := '{nulls}'"
    backwards = f"(SELECT * FROM {people} ORDER BY age DESC, city, seen)"
    assert rows(con, f"FROM ldiverse('{people}', {how})") == rows(con, f"FROM ldiverse('{backwards}', {how})")


cells = st.tuples(st.sampled_from([None, 30, 40, 50]), st.sampled_from([None, "*", "a", "b"]))
in_two_orders = st.lists(cells, min_size=3, max_size=7).flatmap(
    lambda half: st.tuples(st.just(half), st.permutations(range(2 * len(half))))
)


@each_algorithm
@settings(deadline=None, max_examples=examples(15))
@given(in_two_orders, st.sampled_from(["generalize", "suppress"]))
def test_wildcards_are_grouped_alike_whatever_the_order_of_rows(
    con: TestConnection,
    algorithm: Algorithm,
    drawn: tuple[list[tuple[object, object]], list[int]],
    recode: str,
) -> None:
    half, order = drawn
    found = [(*qi, sa) for qi in half for sa in (0, 1)]
    how = f"recode := '{recode}', nulls := 'wildcard', seed := 1"
    release = release_by(algorithm, "visits", "['age', 'city']", 2, ("disease", 2), how)
    releases = []
    for positions in (range(len(found)), order):
        con.execute("CREATE OR REPLACE TABLE visits (age INTEGER, city VARCHAR, disease INTEGER)")
        con.executemany("INSERT INTO visits VALUES (?, ?, ?)", [found[position] for position in positions])
        releases.append(rows(con, f"FROM {release}"))
    assert releases[0] == releases[1]


def test_a_wildcard_is_not_taken_for_the_value_whose_code_it_has(con: TestConnection) -> None:
    found = [(age, sa) for age in (30, None, 40) for sa in ("a", "b")]
    releases = []
    for turn in range(len(found)):
        con.execute("CREATE OR REPLACE TABLE visits (age INTEGER, disease VARCHAR)")
        con.executemany("INSERT INTO visits VALUES (?, ?)", [*found[turn:], *found[:turn]])
        releases.append(rows(con, "FROM ldiverse('visits', ['age'], 'disease', 2, nulls := 'wildcard')"))
    assert all(release == releases[0] for release in releases)


def test_an_unknown_policy_is_refused_with_the_choices(con: TestConnection, people: str) -> None:
    with pytest.raises(
        duckdb.Error, match=r"\[SA102\] nulls: 'skip' is not known. Choose one of: value, wildcard, exclude"
    ):
        con.execute(f"FROM kanonymous('{people}', ['age'], 2, nulls := 'skip')")


def test_excluding_everything_leaves_an_empty_table(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE missing AS SELECT CAST(NULL AS INTEGER) AS age FROM range(4)")
    with pytest.raises(duckdb.Error, match=r"\[SA202\] the table is empty"):
        con.execute("FROM kanonymous('missing', ['age'], 2, nulls := 'exclude')")


@pytest.mark.parametrize("nulls", POLICIES)
@pytest.mark.parametrize("kind", ["TIMESTAMPTZ", "TIMESTAMP", "DATE", "INTERVAL", "BOOLEAN", "UUID", "DECIMAL(9, 2)"])
def test_no_type_has_a_value_that_is_taken_for_missing(con: TestConnection, kind: str, nulls: str) -> None:
    value = {"INTERVAL": "INTERVAL 3 DAY", "BOOLEAN": "TRUE", "UUID": "uuid()", "DECIMAL(9, 2)": "1.5"}.get(
        kind, "DATE '2024-01-01'"
    )
    con.execute(
        f"CREATE OR REPLACE TABLE whole AS SELECT CAST({value} AS {kind}) AS x, i % 2 AS s FROM range(6) AS r(i)"
    )
    con.execute(f"CREATE OR REPLACE TABLE release AS FROM ldiverse('whole', ['x'], 's', 2, nulls := '{nulls}')")
    assert rows(con, "SELECT count(*), count(x) FROM release") == [(6, 6)]
    assert rows(con, f"SELECT rows FROM privacy('whole', ['x'], 's', nulls := '{nulls}')") == [(6,)]
