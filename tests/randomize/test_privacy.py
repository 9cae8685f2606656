"""randomization_privacy: what is told of a release by its lists and parameters alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from connections import TestConnection
from twins import randomize as twin

ARGUMENTS = "l := {'age': 2, 'city': 2, 'sex': 1}, options := {'ground': {'age': 'ordered'}}"


@pytest.fixture(autouse=True)
def release_lists(con: TestConnection, scratch: None) -> None:
    con.execute("SET threads = 1")
    con.execute("""
        CREATE TABLE people AS SELECT
            i AS id, i * i % 7 AS age, CASE WHEN i % 7 > 4 THEN NULL ELSE 'c' || i % 7 // 2 END AS city,
            i % 3 = 0 AS sex
        FROM range(60) AS numbers(i)
    """)
    con.execute(f"CREATE TABLE r AS FROM randomize('people', {ARGUMENTS}, keep := ['id'], seed := 5)")
    con.execute(f"CREATE TABLE p AS FROM randomize_params('people', {ARGUMENTS})")


def encode(con: TestConnection) -> list[list[list[int]]]:
    """The rows of the release, in codes."""
    domains = dict(con.rows("SELECT attribute, domain FROM p"))
    rows = con.rows("SELECT CAST(age AS VARCHAR[]), CAST(city AS VARCHAR[]), CAST(sex AS VARCHAR[]) FROM r")
    return [
        [[domains[name].index(item) for item in one] for name, one in zip(("age", "city", "sex"), row, strict=True)]
        for row in rows
    ]


def measure(con: TestConnection, rel: str = "r", params: str = "p") -> dict[str, dict[str, Any]]:
    answer = con.execute(f"FROM randomization_privacy('{rel}', '{params}')")
    names = [column[0] for column in answer.description]
    return {row[0]: dict(zip(names, row, strict=True)) for row in answer.fetchall()}


def test_classes_are_measured_as_if_they_were_expanded(con: TestConnection) -> None:
    rows, answers = encode(con), measure(con)
    assert list(answers) == ["age", "city", "sex"]
    for number, answer in enumerate(answers.values()):
        expected = twin.class_diversity(rows, number)
        assert (answer["frequency_l"], answer["entropy_l"], answer["k"]) == pytest.approx(expected)
        assert answer["l"] == answer["eta"] <= answer["frequency_l"] + 1e-9


@pytest.mark.parametrize(("column", "ground"), [("age", "ordered"), ("city", "equal")])
def test_the_worst_list_is_measured_by_the_distance_of_its_attribute(
    con: TestConnection, column: str, ground: str
) -> None:
    number = ["age", "city"].index(column)
    estimates = [n for *_, n in con.rows(f"FROM reconstruct('r', 'p', ['{column}'])")]
    counts = [round(n * 10**6) for n in estimates]
    expected = max(twin.belief_change(counts, row[number], Fraction(1), ground) for row in encode(con))
    answer = measure(con)[column]
    assert answer["ground"] == ground
    assert answer["t"] == pytest.approx(float(expected), abs=1e-4)


def test_parameters_without_a_ground_are_of_equal_distances(con: TestConnection) -> None:
    answer = measure(con, params="(SELECT * EXCLUDE (ground) FROM p)")
    assert {each["ground"] for each in answer.values()} == {"equal"}
    assert answer["age"]["t"] > measure(con)["age"]["t"]
    assert answer["city"] == measure(con)["city"]
    assert con.rows("FROM reconstruct('r', '(SELECT * EXCLUDE (ground) FROM p)', ['city'])")


def test_fewer_attributes_have_larger_classes(con: TestConnection) -> None:
    alone = measure(con, params="(FROM p WHERE attribute = ''age'')")
    assert alone["age"]["k"] == 120
    assert alone["age"]["k"] > measure(con)["age"]["k"]


def test_columns_that_were_kept_are_left_out_of_classes(con: TestConnection) -> None:
    assert measure(con) == measure(con, rel="(SELECT * EXCLUDE (id) FROM r)")


def test_without_rows_there_is_nothing_to_measure(con: TestConnection) -> None:
    for answer in measure(con, rel="(FROM r LIMIT 0)").values():
        assert [answer[name] for name in ("l", "t", "frequency_l", "entropy_l", "k")] == [None] * 5


def test_more_combinations_than_can_be_counted_are_as_diverse_as_their_lists(con: TestConnection) -> None:
    columns = [f"i * {step} % 29 AS c{step}" for step in range(1, 7)]
    con.execute(f"CREATE TABLE wide AS SELECT {', '.join(columns)} FROM range(40) AS numbers(i)")
    asked = "l := {'c1': 2, 'c2': 2, 'c3': 2, 'c4': 2, 'c5': 2, 'c6': 3}"
    con.execute(f"CREATE TABLE w AS FROM randomize('wide', {asked})")
    con.execute(f"CREATE TABLE q AS FROM randomize_params('wide', {asked})")
    rows = con.rows("SELECT frequency_l, entropy_l, k FROM randomization_privacy('w', 'q')")
    assert rows == [(2.0, 2.0, 2)] * 5 + [(3.0, 3.0, 3)]


@pytest.mark.parametrize("ground", ["''round''", "7"])
def test_another_ground_is_refused(con: TestConnection, ground: str) -> None:
    params = f"(SELECT * REPLACE ({ground} AS ground) FROM p)"
    assert "[SA102] params: the ground of attribute" in con.refusal(f"FROM randomization_privacy('r', '{params}')")
