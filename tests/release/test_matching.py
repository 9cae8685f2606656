"""algo := 'matching' from SQL: the best pairs, and what it refuses."""

from __future__ import annotations

import duckdb
import pytest
from connections import TestConnection

MARKER = "Xq7marker"


@pytest.fixture(scope="module", autouse=True)
def tables(con: TestConnection) -> None:
    con.execute(
        """CREATE TABLE patients AS FROM (VALUES
        (20, 50, 'flu'), (40, 51, 'flu'), (40, 70, 'flu'), (21, 51, 'gout'), (40, 50, 'gout'), (40, 70, 'gout'))
        AS v(age, weight, disease)"""
    )
    for name, value, rows in (
        ("of_three", "i % 3", 12),
        ("of_one", "0", 12),
        ("uneven", "(i < 5)::INTEGER", 12),
        ("many", "i % 2", 20_002),
    ):
        con.execute(
            f"""CREATE TABLE {name} AS
            SELECT '{MARKER}' || i AS name, '{MARKER}' || {value} AS disease FROM range({rows}) AS r(i)"""
        )


@pytest.mark.parametrize(
    ("recode", "published"),
    [
        ("generalize", {("40", "70"), ("40", "[50, 51]"), ("[20, 21]", "[50, 51]")}),
        ("suppress", {("40", "70"), ("*", "50"), ("*", "51")}),
    ],
)
def test_pairs_are_the_best_for_the_way_they_are_published(
    con: TestConnection, recode: str, published: set[tuple[str, str]]
) -> None:
    rows = con.execute(
        f"""SELECT age, weight, list(disease ORDER BY disease)
        FROM ldiverse('patients', ['age', 'weight'], 'disease', 2, algo := 'matching', recode := '{recode}')
        GROUP BY group_id, age, weight"""
    ).fetchall()
    assert len(rows) == len(published)
    assert {(age, weight) for age, weight, _ in rows} == published
    assert all(diseases == ["flu", "gout"] for *_, diseases in rows)


def test_ranges_are_what_it_publishes_when_nothing_is_said(con: TestConnection) -> None:
    asked = "FROM ldiverse('patients', ['age', 'weight'], 'disease', 2, algo := 'matching'"
    assert con.execute(f"{asked})").fetchall() == con.execute(f"{asked}, recode := 'generalize')").fetchall()


def test_a_census_of_two_values_is_2_diverse_with_fewer_stars_than_along_the_curve(
    con: TestConnection,
) -> None:
    con.execute("CREATE TABLE people AS FROM census(2000)")
    con.execute(
        """CREATE TABLE halves AS
        (FROM people WHERE gender = 'Male' LIMIT 300) UNION ALL (FROM people WHERE gender = 'Female' LIMIT 300)"""
    )
    stars = {}
    for algo in ("matching", "hilbert"):
        con.execute(
            f"""CREATE OR REPLACE TABLE release AS FROM ldiverse(
            'halves', ['age', 'race', 'education'], 'gender', 2, algo := '{algo}', recode := 'suppress')"""
        )
        sizes = con.execute("SELECT count(*), count(DISTINCT gender) FROM release GROUP BY group_id").fetchall()
        assert sizes == [(2, 2)] * 300
        (row,) = con.execute(
            "SELECT count_if(age = '*') + count_if(race = '*') + count_if(education = '*') FROM release"
        ).fetchall()
        stars[algo] = row[0]
    assert 0 < stars["matching"] < stars["hilbert"]


REFUSED = {
    "an l of three": ("of_three", 3, "SA102", "'matching' works for l = 2 only, not 3"),
    "three values": ("of_three", 2, "SA102", "needs a sensitive attribute of two values; this one has 3"),
    "too many pairs": ("many", 2, "SA102", "up to 10,000 pairs of rows; these are 10,001"),
    "one value": ("of_one", 2, "SA201", "in 12 of 12 rows"),
    "values that are not as frequent": ("uneven", 2, "SA201", "in 7 of 12 rows"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_it_cannot_do_is_refused_without_showing_a_value(con: TestConnection, case: str) -> None:
    table, l, code, words = REFUSED[case]
    with pytest.raises(duckdb.Error) as refused:
        con.execute(f"FROM ldiverse('{table}', ['name'], 'disease', {l}, algo := 'matching')").fetchall()
    message = str(refused.value)
    assert f"[{code}]" in message
    assert words in message
    assert MARKER not in message


def test_it_is_not_an_algorithm_of_kanonymous(con: TestConnection) -> None:
    with pytest.raises(duckdb.Error, match=r"\[SA102\]"):
        con.execute("FROM kanonymous('patients', ['age'], 2, algo := 'matching')").fetchall()
