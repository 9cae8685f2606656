"""A column that tells rows apart, and is published as it is, is not published without a word."""

from __future__ import annotations

import logging

import pytest
from connections import TestConnection

MAKE = """
    CREATE TABLE people AS SELECT
        i AS id, 'p' || i || '@example.org' AS mail, i % 10 AS age, i % 3 AS disease, 'c' || i % 4 AS city,
        CASE WHEN i % 2 = 0 THEN i END AS half
    FROM range(60) AS numbers(i)
"""


@pytest.fixture(scope="module", autouse=True)
def people(con: TestConnection) -> None:
    con.execute(MAKE)


@pytest.mark.parametrize(
    ("release", "column"),
    [
        ("kanonymous('people', ['age'], 2, keep := ['mail'])", "'mail'"),
        ("kanonymous('people', ['age'], 2, keep := ['city', 'id'])", "'id'"),
        ("kanonymous('people', ['age', 'mail'], 2)", "'mail'"),
        ("ldiverse('people', ['id'], 'disease', 3, recode := 'none')", "'id'"),
    ],
)
def test_the_column_and_the_share_are_named_and_no_value(
    con: TestConnection, caplog: pytest.LogCaptureFixture, release: str, column: str
) -> None:
    with caplog.at_level(logging.WARNING, logger="sqlanon"):
        con.execute(f"CREATE OR REPLACE TABLE release AS FROM {release}")
    (said,) = [record.getMessage() for record in caplog.records if "of its own" in record.getMessage()]
    assert column in said
    assert "100 %" in said
    assert "@" not in said


@pytest.mark.parametrize(
    "release",
    [
        "kanonymous('people', ['age', 'id'], 2)",
        "ldiverse('people', ['id'], 'disease', 3, keep := ['city', 'half'])",
        "kanonymous('(FROM people LIMIT 19)', ['age'], 2, keep := ['mail'])",
        "best_l('people', ['mail'], 'disease')",
        "frontier('people', ['mail'], 'disease', l := [2])",
    ],
)
def test_ranges_few_rows_and_what_is_not_published_need_no_word(
    con: TestConnection, caplog: pytest.LogCaptureFixture, release: str
) -> None:
    with caplog.at_level(logging.WARNING, logger="sqlanon"):
        con.execute(f"FROM {release}").fetchall()
    assert "of its own" not in caplog.text
