"""The next step in the error of a table that is not eligible, and in eligibility, works, or is not said."""

from __future__ import annotations

import duckdb
import pytest
from connections import TestConnection

from sqlanon.errors import NotEligible


def refuse(con: TestConnection, flu: int, others: int, l: int) -> str:
    con.execute(
        "CREATE OR REPLACE TABLE ill AS "
        f"SELECT i AS age, CASE WHEN i < {flu} THEN 'flu' ELSE 'd' || i % 3 END AS disease "
        f"FROM range({flu + others}) AS numbers(i)"
    )
    return con.refusal(f"FROM ldiverse('ill', ['age'], 'disease', {l})")


def test_the_largest_l_is_tried_and_so_is_taudiverse(con: TestConnection) -> None:
    refused = refuse(con, 41, 59, 3)
    assert "Try ldiverse(…, 2). Or taudiverse(…, 0.5, 3)" in refused
    con.rows("FROM ldiverse('ill', ['age'], 'disease', 2)")
    con.rows("FROM taudiverse('ill', ['age'], 'disease', 0.5, 3)")


def test_where_no_l_diverse_release_exists_taudiverse_is_tried(con: TestConnection) -> None:
    refused = refuse(con, 80, 20, 2)
    assert "The largest l is 1. No l-diverse release of this table exists. Try taudiverse(…, 0.5, 2)" in refused
    assert "suppress" not in refused, "three quarters of the rows would have to go"
    con.rows("FROM taudiverse('ill', ['age'], 'disease', 0.5, 2)")


def test_few_rows_may_be_left_out(con: TestConnection) -> None:
    """52 of 100 rows: without four of them, half of the rest has the value; without three, more."""
    assert "options := {'suppress': 0.04}, or more, may do." in refuse(con, 52, 48, 2)
    con.rows("FROM ldiverse('ill', ['age'], 'disease', 2, algo := 'incognito', options := {'suppress': 0.9})")


def test_nothing_is_tried_where_nothing_helps(con: TestConnection) -> None:
    assert refuse(con, 9, 0, 2).endswith("The largest l is 1. No release can hide the only value that there is.")
    with pytest.raises(duckdb.Error):
        con.rows("FROM taudiverse('ill', ['age'], 'disease', 0.5, 2)")


@pytest.mark.parametrize(("flu", "others"), [(51, 49), (52, 48), (55, 45), (60, 40), (61, 39), (9, 0)])
def test_eligibility_says_what_the_error_for_l_2_says(con: TestConnection, flu: int, others: int) -> None:
    refused = refuse(con, flu, others, 2)
    ((step,),) = con.rows("SELECT next_step FROM eligibility('ill', 'disease')")
    assert refused.endswith(f" The largest l is 1. {step}")
    assert ("suppress" in step) == (1 / 2 < flu / (flu + others) <= 0.6)


def test_eligibility_names_the_largest_l(con: TestConnection) -> None:
    assert "The largest l is 2. Try ldiverse(…, 2)." in refuse(con, 41, 59, 3)
    assert con.rows("SELECT next_step FROM eligibility('ill', 'disease')") == [("Try ldiverse(…, 2).",)]
    people = (
        "SELECT next_step FROM eligibility('(SELECT age % 9 AS person, * FROM ill)', 'disease', entity := 'person')"
    )
    assert con.rows(people) == [("No l-diverse release of this table exists.",)], "taudiverse counts rows"
    none = "SELECT next_step FROM eligibility('(FROM ill LIMIT 0)', 'disease')"
    assert con.rows(none) == [("Nothing can be published from it.",)]


def test_people_are_not_counted_by_taudiverse() -> None:
    assert "taudiverse" not in str(NotEligible.too_frequent([40, 30], 40, 2, "people", only_rows=False))
