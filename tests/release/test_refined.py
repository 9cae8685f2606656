"""The options of refined, through SQL."""

from __future__ import annotations

import duckdb
import pytest
from connections import TestConnection

QI = "['age', 'zip', 'score']"


@pytest.fixture(autouse=True)
def visits(con: TestConnection, scratch: None) -> None:
    con.execute("""
        CREATE TABLE visits AS
        SELECT
            i * 7 % 60 AS age, 'z' || i % 4 AS zip, i * 11 % 37 AS score, 'd' || i % 7 AS disease, 'w' || i % 5 AS ward
        FROM range(120) AS r(i)
    """)


def measure(con: TestConnection, options: str) -> tuple[float, int]:
    """The loss with a heavy age, and the stars, of a release with these options."""
    con.execute(f"""
        CREATE OR REPLACE TABLE release AS
        FROM ldiverse('visits', {QI}, 'disease', 4, algo := 'refined', seed := 1, {options})
    """)
    how = "weights := {'age': 20}"
    [(loss, stars)] = con.execute(f"SELECT gcp, stars FROM info_loss('visits', 'release', {QI}, {how})").fetchall()
    return loss, stars


def test_weights_and_stars_are_lowered_as_wanted(con: TestConnection) -> None:
    plain, heavy = (measure(con, how)[0] for how in ("keep := []", "options := {'weights': {'AGE': 20}}"))
    assert heavy < plain
    publish = "FROM ldiverse('visits', {}, 'disease', 4, algo := '{}', recode := 'suppress')"
    stars = []
    for algo in ("refined", "tp_plus"):
        con.execute(f"CREATE OR REPLACE TABLE release AS {publish.format(QI, algo)}")
        stars += con.execute(f"SELECT stars FROM info_loss('visits', 'release', {QI})").fetchall()
    assert stars[0] < stars[1]


def test_rows_differ_in_every_sensitive_attribute(con: TestConnection) -> None:
    con.execute(
        f"CREATE TABLE release AS FROM ldiverse('visits', {QI}, ['disease', 'ward'], 3, algo := 'refined', seed := 0)"
    )
    twice = (
        "FROM release GROUP BY group_id HAVING count(DISTINCT disease) < count(*) OR count(DISTINCT ward) < count(*)"
    )
    assert con.execute(f"SELECT group_id {twice}").fetchall() == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("{'effort': 11}", r"\[SA102\] options.effort = 11 is out of range. It goes from 1 to 10"),
        ("{'effort': 2.5}", r"\[SA102\] options.effort must be a whole number"),
        ("{'weights': {'nobody': 2}}", r"\[SA101\] options.weights names column 'nobody', which is not in qi"),
        ("{'weights': {'disease': 2}}", r"\[SA101\] options.weights names column 'disease', which is not in qi"),
        ("{'weights': {'age': 0}}", r"\[SA102\] options.weights: a weight is not above 0"),
        ("{'weights': {'age': 'much'}}", r"\[SA102\] options.weights must be a number, not text"),
        ("{'weights': 'jobs'}", r"\[SA102\] options.weights must be a struct or map from column to number, not text"),
        ("{'heat': 2}", r"\[SA102\] options: 'heat' is not .* takes: effort, weights, individual"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(con: TestConnection, options: str, said: str) -> None:
    with pytest.raises(duckdb.Error, match=said):
        con.execute(f"FROM ldiverse('visits', {QI}, 'disease', 3, algo := 'refined', options := {options})")
