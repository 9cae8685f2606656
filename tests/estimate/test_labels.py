"""Labels whose taxonomy was not given: estimate says so, or its bounds allow for them."""

from __future__ import annotations

import duckdb
import pytest
from connections import TestConnection

import sqlanon

from .asking import ask, one


@pytest.fixture(autouse=True)
def releases(con: TestConnection) -> None:
    for name, cells in {
        "labels": "['Higher', 'School', 'School']",
        "starred": "['Higher', 'Bachelors', '*']",
        "prefixes": "['10*', '10115', '*']",
    }.items():
        con.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT {cells}[i] AS job, i AS age FROM range(1, 4) AS r(i)")
    con.execute("CREATE OR REPLACE TABLE tree AS FROM (VALUES ('Bachelors', 'Higher', '*'), ('Ninth', 'School', '*'))")


@pytest.mark.parametrize("condition", ["job = 'Bachelors'", "job <> 'Bachelors'", "job IN ('Higher', 'Bachelors')"])
@pytest.mark.parametrize("more", ["", " AND age < 3", " OR age = 1"])
def test_a_value_that_only_a_label_can_stand_for_needs_the_taxonomy(
    con: TestConnection, condition: str, more: str
) -> None:
    query = f"SELECT count(*) FROM s WHERE {condition}{more}"
    with pytest.raises(duckdb.Error, match=r"\[SA301\].*column 'job'.*taxonomy") as caught:
        ask(con, query, rel="labels")
    assert "Bachelors" not in str(caught.value).split("LINE")[0]
    ask(con, query, rel="labels", taxonomy="{'job': 'tree'}" if "Higher" not in condition else "{'job': NULL}")


def test_the_census_with_labels_is_not_taken_at_its_word(con: TestConnection) -> None:
    con.execute(
        """
        CREATE OR REPLACE TABLE coarse AS
        SELECT CASE WHEN "marital-status" LIKE 'Married%' THEN 'Ever married' ELSE 'Alone' END AS status FROM adult()
        """
    )
    with pytest.raises(duckdb.Error, match=r"\[SA301\]"):
        ask(con, "SELECT count(*) FROM adult WHERE status = 'Divorced'", rel="coarse")


def test_a_column_that_is_said_to_have_no_taxonomy_is_taken_at_its_word(con: TestConnection) -> None:
    query = "SELECT count(*) FROM s WHERE job = 'Bachelors'"
    assert one(con, query, rel="labels", taxonomy="{'job': NULL}") == (0, 0, 0)
    assert one(con, query, rel="prefixes", taxonomy="{'JOB': NULL}") == (0, 0, 1)


def test_beside_a_star_bounds_allow_for_labels(con: TestConnection) -> None:
    assert one(con, "SELECT count(*) FROM s WHERE job = 'Bachelors'", rel="starred") == (1.5, 1, 2)
    assert one(con, "SELECT count(*) FROM s WHERE job = 'Masters'", rel="starred") == (0, 0, 3)
    assert one(con, "SELECT count(*) FROM s WHERE job <> 'Masters'", rel="starred") == (3, 0, 3)
    # the star, and what is sought, may be in a row that another condition rules out
    assert one(con, "SELECT count(*) FROM s WHERE job = 'Masters' AND age = 1", rel="starred") == (0, 0, 1)
    assert one(con, "SELECT count(*) FROM s WHERE job = 'Bachelors' AND age = 1", rel="starred") == (0, 0, 0)


@pytest.mark.parametrize("condition", ["job = '10115'", "job > '10'", "job = '10115' AND age = 1"])
def test_text_that_ends_with_a_star_is_a_label(con: TestConnection, condition: str) -> None:
    with pytest.raises(duckdb.Error, match=r"\[SA301\] column 'job' of rel has labels"):
        ask(con, f"SELECT count(*) FROM s WHERE {condition}", rel="prefixes")


def test_lists_booleans_stars_and_empty_releases_have_no_labels(con: TestConnection) -> None:
    query = "SELECT count(*) FROM s WHERE job = 'Masters'"
    assert one(con, query, rel="(SELECT ['Higher', 'School'] AS job)") == (0, 0, 0)
    assert one(con, query, rel="(SELECT '{Higher, School}' AS job)") == (0, 0, 0)
    assert one(con, query, rel="(FROM labels WHERE age > 3)") == (0, 0, 0)
    assert one(con, query, rel="(SELECT CAST(NULL AS VARCHAR) AS job)") == (0, 0, 0)
    assert one(con, "SELECT count(*) FROM s WHERE job = true", rel="(SELECT 'false' AS job)") == (0, 0, 0)
    assert one(con, "SELECT count(*) FROM s WHERE job > 'Masters'", rel="labels") == (2, 2, 2)


def test_plain_sql_knows_labels_as_estimate_does() -> None:
    rel = "(SELECT 'Higher' AS job UNION ALL SELECT 'School')"
    query = "SELECT count(*) FROM s WHERE job = 'Bachelors'"
    with duckdb.connect() as plain:
        with pytest.raises(duckdb.Error, match=r"\[SA301\]"):
            plain.execute(sqlanon.rewrite(query, release=rel)).fetchall()
        statement = sqlanon.rewrite(query, release=rel, taxonomy={"job": None})
        assert plain.execute(statement).fetchall() == [(0, 0, 0)]
    with pytest.raises(sqlanon.errors.InvalidParameter, match="reads no taxonomies"):
        sqlanon.rewrite(query, release=rel, taxonomy={"job": "tree"})  # type: ignore[dict-item]


@pytest.mark.parametrize("condition", ["IN ('10115', '16', '17')", "NOT IN ('16', '17')", "= '16' OR zip = '17'"])
def test_numbers_in_quotes_are_compared_with_text(con: TestConnection, condition: str) -> None:
    con.execute("CREATE OR REPLACE TABLE zips AS SELECT unnest(['16', '17', '10115', '16', 'none']) AS zip")
    (expected,) = con.execute(f"SELECT count(*) FROM zips WHERE zip {condition}").fetchone() or ()
    assert one(con, f"SELECT count(*) FROM s WHERE zip {condition}", rel="zips") == (expected,) * 3


@pytest.fixture
def people(con: TestConnection) -> None:
    """Of 60 people, Bachelors in groups of their own and others in groups with labels, beside a kept job."""
    con.execute(
        """
        CREATE OR REPLACE TABLE src AS
        SELECT 20 + i // 4 AS age, if(i < 20 OR i % 2 = 0, 'Bachelors', 'Masters') AS degree, 'J' || i % 4 AS job
        FROM range(60) AS r(i);
        CREATE OR REPLACE TABLE published AS
        SELECT age - 19 AS group_id, age, if(age < 25, degree, 'High') AS degree, job FROM src
        """
    )


QUERIES = [
    "SELECT count(*) FROM src WHERE degree = 'Bachelors'",
    "SELECT count(*) FROM src WHERE degree <> 'Bachelors'",
    "SELECT count(*) FROM src WHERE degree < 'C' AND age < 40",
    "SELECT count(*) FROM src WHERE degree BETWEEN 'C' AND 'G' OR degree = 'Masters'",
    "SELECT sum(age) FROM src WHERE degree = 'Bachelors'",
]


@pytest.mark.parametrize("query", QUERIES)
def test_bounds_allow_for_labels_beside_values(con: TestConnection, people: None, query: str) -> None:
    (actual,) = con.execute(query).fetchone() or ()
    try:
        _, lower, upper = one(con, query, rel="published")
    except duckdb.Error as error:
        assert "[SA301]" in str(error)
        return
    assert lower <= actual <= upper
    assert lower < upper


def test_groups_allow_for_labels_of_which_they_may_be_leaves(con: TestConnection, people: None) -> None:
    query = "SELECT degree, count(*) FROM src GROUP BY degree"
    actual = dict(con.rows(query))
    found = {degree: (lower, upper) for degree, _, lower, upper in ask(con, query, rel="published")}
    lower, upper = found["Bachelors"]
    assert lower <= actual["Bachelors"] <= upper == 60


def test_columns_that_differ_within_a_group_have_no_labels(con: TestConnection, people: None) -> None:
    assert one(con, "SELECT count(*) FROM src WHERE job = 'J1'", rel="published") == (15, 15, 15)
    as_it_stands = {"rel": "published", "taxonomy": "{'degree': NULL}"}
    assert one(con, "SELECT count(*) FROM src WHERE degree = 'High'", **as_it_stands) == (40, 40, 40)


def test_years_of_a_text_release_are_no_labels(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE src AS SELECT 2012 + i % 3 AS year FROM range(30) AS r(i)")
    con.execute("CREATE OR REPLACE TABLE published AS FROM kanonymous('src', ['year'], 3)")
    assert ask(con, "SELECT year, count(*) FROM src GROUP BY year", rel="published") == [
        (str(year), 10, 10, 10) for year in (2012, 2013, 2014)
    ]
