"""loss_bound through SQL: below what every algorithm loses, and the errors of a release for the same arguments."""

from __future__ import annotations

import pytest
from connections import TestConnection

QI = "['age', 'weight', 'city']"
TAXONOMY = "taxonomy := {'city': 'cities'}"


@pytest.fixture(scope="module", autouse=True)
def people(con: TestConnection) -> None:
    con.execute("""
        CREATE OR REPLACE TABLE people AS SELECT
            CASE WHEN i % 11 = 0 THEN NULL ELSE i * i % 23 END AS age, i * 7 % 13 / 2 AS weight,
            CASE WHEN i % 9 = 0 THEN NULL ELSE ['n1', 'n2', 's1'][1 + i % 3] END AS city, 'd' || i * i % 7 AS sa
        FROM range(60) AS r(i);
        CREATE OR REPLACE TABLE cities AS FROM (VALUES ('n1', 'n', '*'), ('n2', 'n', '*'), ('s1', 's', '*')) AS v;
    """)


@pytest.mark.parametrize(
    ("algo", "publish", "bound"),
    [
        *(
            (algo, f"kanonymous('people', {QI}, 4, algo := '{algo}', {TAXONOMY})", "k := 4")
            for algo in ("hilbert", "mondrian")
        ),
        ("suppress", f"kanonymous('people', {QI}, 4, recode := 'suppress', {TAXONOMY})", "k := 4"),
        *(
            (algo, f"ldiverse('people', {QI}, 'sa', 2, algo := '{algo}', {TAXONOMY}, seed := 1)", "sa := 'sa', l := 2")
            for algo in ("hilbert", "tp_plus")
        ),
        (
            "incognito",
            f"ldiverse('people', {QI}, 'sa', 2, algo := 'incognito', {TAXONOMY}, options := {{'suppress': 0.4}})",
            "sa := 'sa', l := 2",
        ),
    ],
)
def test_no_release_loses_less_than_the_bound(con: TestConnection, algo: str, publish: str, bound: str) -> None:
    con.execute(f"CREATE OR REPLACE TABLE release AS FROM {publish}")
    [(gcp, lowest)] = con.rows(
        f"SELECT gcp, bound FROM info_loss('people', 'release', {QI}, {TAXONOMY}), "
        f"loss_bound('people', {QI}, {bound}, {TAXONOMY}, effort := 2)"
    )
    assert 0 < lowest <= gcp


def test_one_row_says_the_bound_the_method_and_the_rows(con: TestConnection) -> None:
    described = con.rows(f"DESCRIBE FROM loss_bound('people', {QI}, 'sa', l := 2)")
    assert [(name, kind) for name, kind, *_ in described] == [
        ("bound", "DOUBLE"),
        ("method", "VARCHAR"),
        ("rows", "BIGINT"),
    ]
    assert con.rows(f"FROM loss_bound('people', {QI}, k := 1)") == [(0.0, "nearest rows", 60)]


def test_effort_raises_the_bound_by_boxes(con: TestConnection) -> None:
    [(low, _, _)] = con.rows(f"FROM loss_bound('people', {QI}, k := 4, {TAXONOMY})")
    [(high, method, rows)] = con.rows(f"FROM loss_bound('people', {QI}, k := 4, {TAXONOMY}, effort := 3)")
    assert low < high
    assert (method, rows) == ("boxes", 60)


def test_a_taxonomy_lowers_the_bound(con: TestConnection) -> None:
    [(flat, tree)] = con.rows(
        "SELECT a.bound, b.bound FROM loss_bound('people', ['city', 'age'], k := 3) AS a, "
        f"loss_bound('people', ['city', 'age'], k := 3, {TAXONOMY}) AS b"
    )
    assert tree < flat


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ("'people', ['age']", "SA102", "k or l: give one of them"),
        ("'people', ['age'], 'sa', k := 2, l := 2", "SA102", "k or l: give one of them"),
        ("'people', ['age'], l := 2", "SA102", "l needs sa"),
        ("'people', ['age'], k := 0", "SA102", "k = 0 is out of range"),
        ("'people', ['age'], 'sa', l := 1", "SA102", "l = 1 is out of range"),
        ("'people', ['age'], k := 2, effort := 11", "SA102", "effort = 11 is out of range"),
        ("'people', ['age'], k := 2, seed := -1", "SA102", "seed = -1 is out of range"),
        ("'people', ['height'], k := 2", "SA101", "height"),
        ("'people', ['age', 'AGE'], k := 2", "SA101", "twice"),
        ("'(SELECT [1] AS a)', ['a'], k := 1", "SA104", "INTEGER[]"),
        (
            "'people', ['city'], k := 2, taxonomy := {'city': '(SELECT * FROM cities LIMIT 1)'}",
            "SA105",
            "no leaf",
        ),
        ("'people', ['age'], 'sa', l := 50", "SA201", "The largest l is"),
        ("'people', ['age'], k := 61", "SA202", "k = 61 needs at least 61"),
        ("'(SELECT * FROM people LIMIT 0)', ['age'], k := 2", "SA202", "empty"),
    ],
)
def test_refusals_are_those_of_a_release(con: TestConnection, arguments: str, code: str, words: str) -> None:
    message = con.refusal(f"FROM loss_bound({arguments})")
    assert f"[{code}]" in message
    assert words in message
