"""estimate: answers worked out by hand, for numbers, times, text and taxonomies."""

from __future__ import annotations

import datetime
import math

import duckdb
import pytest
from connections import TestConnection

from .asking import PATIENTS, ask, one


def test_whole_numbers_are_counted(con: TestConnection) -> None:
    con.execute(PATIENTS)
    query = "SELECT count(*) FROM patients WHERE age BETWEEN 34 AND 45 AND disease = 'flu'"
    assert one(con, query) == (round(2 / 6 + 5 / 10 + 1, 9), 1, 3)
    assert one(con, "SELECT count(*) FROM patients WHERE age > 33.5") == (round(2 * 2 / 6 + 2, 9), 2, 4)


def test_a_star_among_whole_numbers_hides_a_whole_number(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['[1, 2]', '*']) AS age")
    assert one(con, "SELECT count(*) FROM s WHERE age = 1.5") == (0.0, 0, 0)
    assert one(con, "SELECT count(*) FROM s WHERE age = 7") == (0.0, 0, 1)


def test_sum_and_avg_have_bounds_of_their_own(con: TestConnection) -> None:
    con.execute(PATIENTS)
    assert one(con, "SELECT sum(cost) FROM patients WHERE age > 45") == (150.0, 0.0, 300.0)
    assert one(con, "SELECT sum(cost) FROM patients WHERE age > 35") == (250.0, 250.0, 250.0)
    assert one(con, "SELECT sum(cost) FROM patients WHERE age = 44") == (-20.0, -50.0, 250.0)
    # 100 and 200 are certain, 300 may be there or not, -50 is not
    query = "SELECT avg(cost) FROM patients WHERE age < 44 AND disease = 'flu' OR disease = 'cold'"
    assert one(con, query) == (round((100 + 300 * 0.3 + 200) / 2.3, 9), 150.0, 200.0)
    assert one(con, "SELECT sum(cost) FROM patients WHERE age > 99") == (None, None, None)


def test_other_numbers_are_measured_by_length(con: TestConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE rel AS SELECT * FROM (VALUES ('[1.0, 2.0]'), ('1.5'), ('3.0'), ('*')) AS t(price)"
    )
    assert one(con, "SELECT count(*) FROM s WHERE price < 1.25") == (0.25 + 0 + 0 + 0.125, 0, 2)
    assert one(con, "SELECT count(*) FROM s WHERE price = 1.5") == (1.0, 1, 3), "a point has no length, but is possible"
    assert one(con, "SELECT count(*) FROM s WHERE price <> 1.5") == (1 + 0 + 1 + 1, 1, 3)


def test_timestamps_are_measured_and_days_are_counted(con: TestConnection) -> None:
    con.execute(
        """
        CREATE OR REPLACE TABLE src AS
        SELECT TIMESTAMP '2024-01-01 00:00:00' + i * INTERVAL 12 HOUR AS at FROM range(3) AS r(i)
        """
    )
    for format in ("text", "typed"):
        con.execute(
            f"CREATE OR REPLACE TABLE rel AS FROM kanonymous('src', ['at'], 3, format := '{format}')"
        ).fetchall()
        for constant in ("TIMESTAMP '2024-01-01 06:00:00'", "'2024-01-01 06:00:00'"):
            assert one(con, f"SELECT count(*) FROM src WHERE at < {constant}") == (0.75, 0, 3)
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT '[2024-01-01, 2024-01-04]' AS at")
    for constant in ("DATE '2024-01-02'", "'2024-01-02'"):
        assert one(con, f"SELECT count(*) FROM src WHERE at <= {constant}") == (0.5, 0, 1)


def test_times_of_day_are_there_or_not(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT {'lo': TIME '10:00', 'hi': TIME '11:00'} AS at")
    assert one(con, "SELECT count(*) FROM s WHERE at IS NOT NULL") == (1.0, 1, 1)
    assert one(con, "SELECT count(at) FROM s") == (1.0, 1, 1)


@pytest.mark.parametrize("ends", ["08:00:00, 08:20:00", "1 day, 2 days 03:00:00", "-00:10:00, 1 year 2 months"])
def test_ranges_of_times_of_day_and_intervals_are_no_labels(con: TestConnection, ends: str) -> None:
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT unnest(['[{ends}]', '09:00:00']) AS at")
    for query in ("count(*) FROM s WHERE at >= '08:10:00'", "count(*) FROM s WHERE at = '09:00:00'"):
        with pytest.raises(duckdb.Error, match=r"\[SA102\].*'at'.*with text"):
            ask(con, f"SELECT {query}")
    with pytest.raises(duckdb.Error, match=r"\[SA102\].*GROUP BY column 'at'"):
        ask(con, "SELECT at, count(*) FROM s GROUP BY at")


@pytest.mark.parametrize(("kind", "constant"), [("INTEGER", "'5'"), ("DATE", "'soon'"), ("DECIMAL(4, 1)", "'5'")])
def test_lists_of_numbers_and_dates_are_not_compared_with_text(con: TestConnection, kind: str, constant: str) -> None:
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT CAST(NULL AS {kind}[]) AS x")
    value = "DATE '2024-01-01'" if kind == "DATE" else "10"
    con.execute(f"INSERT INTO rel VALUES ([CAST({value} AS {kind})])")
    with pytest.raises(duckdb.Error, match=r"\[SA102\].*'x'.*with text"):
        ask(con, f"SELECT count(*) FROM s WHERE x > {constant}")
    assert one(con, f"SELECT count(*) FROM s WHERE x >= {value}") == (1.0, 1, 1)


def test_what_a_list_holds_is_grouped_by_in_its_own_type(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT [9, 10]::UTINYINT[] AS n, [DATE '2024-02-29'] AS day")
    assert sorted(ask(con, "SELECT n, count(*) FROM s GROUP BY n")) == [(9, 0.5, 0, 1), (10, 0.5, 0, 1)]
    assert ask(con, "SELECT day, count(*) FROM s GROUP BY day") == [(datetime.date(2024, 2, 29), 1.0, 1, 1)]


def test_text_that_looks_like_a_date_stays_text_beside_text(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['2024-01-01', 'unknown', '*']) AS visit")
    assert one(con, "SELECT count(*) FROM src WHERE visit = '2024-01-01'") == (1.5, 1, 2)


@pytest.fixture
def levels(con: TestConnection) -> None:
    con.execute("""
        CREATE OR REPLACE TABLE levels AS SELECT * FROM (VALUES
            ('A1', 'A', '*'), ('A2', 'A', '*'), ('A3', 'A', '*'), ('B1', 'B', '*')) AS t(leaf, one, top);
        CREATE OR REPLACE TABLE rel AS SELECT unnest(['A', 'B', 'A2', '*', NULL]) AS job;
    """)


@pytest.mark.usefixtures("levels")
def test_labels_of_a_taxonomy_are_spread_over_their_leaves(con: TestConnection) -> None:
    tree = "{'Job': 'levels'}"
    assert one(con, "SELECT count(*) FROM s WHERE job = 'A2'", taxonomy=tree) == (round(1 / 3 + 1 + 1 / 5, 9), 1, 3)
    assert one(con, "SELECT count(*) FROM s WHERE job IN ('A1', 'A2', 'A3')", taxonomy=tree) == (2.6, 2, 3)
    assert one(con, "SELECT count(*) FROM s WHERE job = 'B1'", taxonomy=tree) == (1.2, 1, 2)
    assert one(con, "SELECT count(*) FROM s WHERE job = 'A'") == (1.25, 1, 2), (
        "without it, a label is a value of its own"
    )
    groups = {row[0]: row[1] for row in ask(con, "SELECT job, count(*) FROM s GROUP BY job", taxonomy=tree)}
    assert groups.keys() == {"A1", "A2", "A3", "B1", None}
    assert groups["A2"] == pytest.approx(1 / 3 + 1 + 1 / 5)
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest([['A1', 'A2', 'A3'], ['B1'], ['A2'], NULL]) AS job")
    assert one(con, "SELECT count(*) FROM s WHERE job = 'A2'") == (round(1 / 3 + 1, 9), 1, 2), "lists hold the leaves"


INFINITE = ["'inf'", "'-inf'", "'nan'", "1.7e308", "-1.7e308", "1.5", "2.5"]


@pytest.mark.parametrize("format", ["text", "typed"])
@pytest.mark.parametrize("recode", ["generalize", "suppress"])
def test_infinities_are_values_and_nobody_is_warned(con: TestConnection, recode: str, format: str) -> None:
    """Warnings are errors in these tests."""
    values = " UNION ALL ".join(
        f"SELECT CAST({value} AS DOUBLE) AS x, {i} AS y" for i, value in enumerate(INFINITE * 2)
    )
    con.execute(f"CREATE OR REPLACE TABLE src AS {values}")
    for k in (1, 2):
        how = f"keep := ['y'], recode := '{recode}', format := '{format}'"
        con.execute(f"CREATE OR REPLACE TABLE other AS FROM kanonymous('src', ['x'], {k}, {how})")
        for aggregate in ("count(*)", "count(x)", "sum(x)", "avg(x)", "sum(y)", "avg(y)"):
            for condition in ("TRUE", "x > 2", "x > 2 AND y < 6", "x < 0 OR y = 3", "NOT x < 1.5"):
                query = f"SELECT {aggregate} FROM src WHERE {condition}"
                [(estimate, lower, upper)] = ask(con, query, rel="other")
                [(actual,)] = con.execute(query).fetchall()
                assert lower is None or lower <= actual <= upper, query
                if k == 1 and aggregate != "sum(x)" and aggregate != "avg(x)":
                    assert (estimate, lower, upper) == pytest.approx((actual, actual, actual)), query


def test_a_star_is_spread_over_what_is_finite(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['inf', '1.0', '3.0', '*']) AS x")
    assert one(con, "SELECT count(*) FROM s WHERE x > 2") == (2.5, 2, 3)
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['infinity', '2024-01-01', '2024-01-04', '*']) AS x")
    assert one(con, "SELECT count(*) FROM s WHERE x > DATE '2024-01-01'") == (2.75, 2, 3)
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['inf', '-inf', '*']) AS x")
    assert one(con, "SELECT count(*) FROM s WHERE x > 2") == (None, 1, 2)


def test_a_star_may_be_in_a_group_of_infinities(con: TestConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE rel AS SELECT {'lo': x, 'hi': x} AS x FROM (SELECT unnest(['inf'::DOUBLE, NULL]) AS x)"
    )
    assert ask(con, "SELECT x, count(*) FROM s GROUP BY x") == [(math.inf, None, 1, 2)]
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['infinity', '2024-01-01', '2024-01-02', '*']) AS x")
    assert ask(con, "SELECT x, count(*) FROM s WHERE x >= DATE '2024-01-02' GROUP BY x") == [
        ("2024-01-02", 1.5, 1, 2),
        ("infinity", 1.0, 1, 2),
    ]


def test_whole_numbers_beyond_2_to_53_are_there(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT '*' AS y, unnest(['9007199254740993', NULL]) AS x")
    assert one(con, "SELECT count(*) FROM s WHERE x IS NULL OR y IS NULL") == (None, 1, 2)
    assert ask(con, "SELECT x, count(*) FROM s WHERE y IS NULL OR x IS NOT NULL GROUP BY x") == [
        ("9007199254740993", 1.0, 1, 1),
        (None, None, 0, 1),
    ]
    con.execute(
        "CREATE OR REPLACE TABLE rel AS SELECT {'lo': x, 'hi': x} AS x FROM (SELECT unnest([1::INT8 << 60, NULL]) AS x)"
    )
    with pytest.raises(duckdb.Error, match=r"\[SA102\] column 'x' of rel has whole numbers beyond 2\^53"):
        ask(con, "SELECT x, count(*) FROM s GROUP BY x")


def test_what_only_another_type_could_satisfy_is_refused_too(con: TestConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE rel AS SELECT unnest(['05:00:00', '10:00:00']) AS at, unnest(['0.1', '0.2']) AS x"
    )
    for condition in ("at = '05:00:00' AND at >= '5:00'", "x = 0.1 AND x > 1e-1"):
        with pytest.raises(
            duckdb.Error, match=r"\[SA102\] query: what column '(at|x)' is compared with depends on its type"
        ):
            ask(con, f"SELECT count(*) FROM s WHERE {condition}")


@pytest.mark.parametrize("constant", ["'t'", "'10'"])
def test_the_type_of_a_column_is_told_by_all_its_rows(con: TestConnection, constant: str) -> None:
    shown = "['true', 'false']" if constant == "'t'" else "['10.0', '9.5']"
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT unnest({shown}) AS x, 'a' AS y")
    with pytest.raises(duckdb.Error, match=r"\[SA102\] query: what column 'x' is compared with depends on its type"):
        ask(con, f"SELECT count(*) FROM s WHERE x = {constant} AND y = 'a'")


@pytest.mark.usefixtures("levels")
@pytest.mark.parametrize("format", ["text", "typed"])
def test_where_nothing_but_stars_is_shown_everything_is_possible(con: TestConnection, format: str) -> None:
    con.execute("CREATE OR REPLACE TABLE src AS FROM (VALUES (1.5::DOUBLE, 'a'), (3.5, 'b')) AS t(x, d)")
    how = f"recode := 'suppress', keep := ['d'], format := '{format}'"
    con.execute(f"CREATE OR REPLACE TABLE other AS FROM kanonymous('src', ['x'], 2, {how})")
    assert one(con, "SELECT count(*) FROM src WHERE x = 3.5", rel="other") == (None, 0, 2)
    grouped = ask(con, "SELECT d, count(*) FROM src WHERE x = 3.5 GROUP BY d", rel="other")
    assert grouped == [("a", None, 0, 1), ("b", None, 0, 1)]


@pytest.mark.parametrize("format", ["text", "typed"])
@pytest.mark.parametrize(
    ("kind", "values", "query", "answer"),
    [
        ("FLOAT", "(0.1), (0.1)", "x = 0.1", (2, 2, 2)),
        ("FLOAT", "(0.1), (0.1)", "x > 0.1", (0, 0, 0)),
        ("DOUBLE", "('1.5'), ('nan')", "x < 2", (1, 1, 1)),
        ("DECIMAL(18, 2)", "('1234567890123456.78'), ('1234567890123456.79')", "x = 1234567890123456.78", "SA102"),
        ("DECIMAL(38, 20)", "(0.5), (7.25)", "x > 1", (1, 1, 1)),
        ("TIMESTAMP_NS", "('2024-02-26 07:00:00.000000001')", "x > TIMESTAMP '2024-02-26 07:00:00'", "SA102"),
    ],
)
def test_numbers_are_compared_as_they_are_or_not_at_all(
    con: TestConnection, format: str, kind: str, values: str, query: str, answer: object
) -> None:
    con.execute(f"CREATE OR REPLACE TABLE src AS SELECT CAST(x AS {kind}) AS x FROM (VALUES {values}) AS t(x)")
    con.execute(f"CREATE OR REPLACE TABLE other AS FROM kanonymous('src', ['x'], 1, format := '{format}')")
    asked = f"SELECT count(*) FROM src WHERE {query}"
    if answer == "SA102":
        with pytest.raises(duckdb.Error, match=r"\[SA102\] column 'x' of rel has numbers or times with more digits"):
            ask(con, asked, rel="other")
    else:
        assert one(con, asked, rel="other") == answer


def test_a_label_that_is_not_in_the_taxonomy_is_a_mismatch(con: TestConnection) -> None:
    con.execute("INSERT INTO rel VALUES ('C')")
    with pytest.raises(duckdb.Error, match=r"\[SA301\].*'job'"):
        ask(con, "SELECT count(*) FROM s WHERE job = 'A2'", taxonomy="{'job': 'levels'}")


def test_a_number_with_a_taxonomy_is_compared_leaf_by_leaf(con: TestConnection) -> None:
    con.execute(
        """
        CREATE OR REPLACE TABLE levels AS
        SELECT * FROM (VALUES (10, 'low', '*'), (20, 'low', '*'), (30, 'high', '*')) AS t
        """
    )
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['low', 'high', '*', '20']) AS age")
    assert one(con, "SELECT count(*) FROM s WHERE age >= 20", taxonomy="{'age': 'levels'}") == (
        round(0.5 + 1 + 2 / 3 + 1, 9),
        2,
        4,
    )


def test_a_star_is_spread_over_the_leaves_of_numbers_and_null_alike(con: TestConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE ages AS SELECT * FROM (VALUES ('20', 'any'), ('30', 'any'), ('70', 'any')) AS t"
    )
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['*', '20', NULL]) AS age")
    taxonomy = "{'age': 'ages'}"
    assert one(con, "SELECT count(*) FROM s WHERE age > 25", taxonomy=taxonomy) == (2 / 4, 0, 1)
    assert one(con, "SELECT count(*) FROM s WHERE age IS NULL", taxonomy=taxonomy) == (1 + 1 / 4, 1, 2)


@pytest.mark.usefixtures("levels")
@pytest.mark.parametrize("taxonomy", ["{'job': NULL}", "{'job': 'levels'}"])
def test_a_typed_star_is_a_star_as_in_text(con: TestConnection, taxonomy: str) -> None:
    cells = {"typed": "[['A1', 'A2'], ['*'], ['A1'], ['B1'], NULL]", "plain": "['{A1, A2}', '*', 'A1', 'B1', NULL]"}
    for name, jobs in cells.items():
        con.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT {jobs}[i] AS job, i AS age FROM range(1, 6) AS r(i)")
    for query in (
        "SELECT count(*) FROM s WHERE job = 'A1'",
        "SELECT count(*) FROM s WHERE job = 'nobody has it'",
        "SELECT count(*) FROM s WHERE job IS NULL",
        "SELECT count(*) FROM s WHERE NOT job IN ('A1', 'B1') AND age < 3",
        "SELECT count(*) FROM s WHERE job = 'B1' AND age = 2",
        "SELECT job, count(*) FROM s GROUP BY job",
        "SELECT job, avg(age) FROM s WHERE job <> 'B1' GROUP BY job",
    ):
        assert ask(con, query, rel="typed", taxonomy=taxonomy) == ask(con, query, rel="plain", taxonomy=taxonomy)
    assert one(con, "SELECT count(*) FROM s WHERE job = 'B1' AND age = 2", rel="typed") == (0.25, 0, 1)
