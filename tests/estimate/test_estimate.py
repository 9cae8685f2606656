"""estimate: a query on the source, answered from the release. Answers worked out by hand, and errors."""

from __future__ import annotations

import datetime
import math
from typing import Any

import duckdb
import pytest

import sqlanon


def ask(con: duckdb.DuckDBPyConnection, query: str, rel: str = "rel", taxonomy: str = "NULL") -> list[tuple[Any, ...]]:
    escaped = [text.replace("'", "''") for text in (rel, query)]
    return con.execute(f"FROM estimate('{escaped[0]}', '{escaped[1]}', taxonomy := {taxonomy})").fetchall()


PATIENTS = """
    CREATE OR REPLACE TABLE rel AS SELECT * FROM (VALUES
        ('[30, 35]', 'flu', 100), ('[30, 35]', 'cold', 200), ('[41, 50]', 'flu', 300), ('44', 'flu', -50)
    ) AS t(age, disease, cost)
"""


def one(con: duckdb.DuckDBPyConnection, query: str, **how: str) -> tuple[Any, ...]:
    (row,) = ask(con, query, **how)
    return tuple(round(cell, 9) if isinstance(cell, float) else cell for cell in row)


def test_whole_numbers_are_counted(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    query = "SELECT count(*) FROM patients WHERE age BETWEEN 34 AND 45 AND disease = 'flu'"
    assert one(con, query) == (round(2 / 6 + 5 / 10 + 1, 9), 1, 3)
    assert one(con, "SELECT count(*) FROM patients WHERE age > 33.5") == (round(2 * 2 / 6 + 2, 9), 2, 4)


def test_a_star_among_whole_numbers_hides_a_whole_number(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['[1, 2]', '*']) AS age")
    assert one(con, "SELECT count(*) FROM s WHERE age = 1.5") == (0.0, 0, 0)
    assert one(con, "SELECT count(*) FROM s WHERE age = 7") == (0.0, 0, 1)


def test_sum_and_avg_have_bounds_of_their_own(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    assert one(con, "SELECT sum(cost) FROM patients WHERE age > 45") == (150.0, 0.0, 300.0)
    assert one(con, "SELECT sum(cost) FROM patients WHERE age > 35") == (250.0, 250.0, 250.0)
    assert one(con, "SELECT sum(cost) FROM patients WHERE age = 44") == (-20.0, -50.0, 250.0)
    # 100 and 200 are certain, 300 may be there or not, -50 is not
    query = "SELECT avg(cost) FROM patients WHERE age < 44 AND disease = 'flu' OR disease = 'cold'"
    assert one(con, query) == (round((100 + 300 * 0.3 + 200) / 2.3, 9), 150.0, 200.0)
    assert one(con, "SELECT sum(cost) FROM patients WHERE age > 99") == (None, None, None)


def test_other_numbers_are_measured_by_length(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE rel AS SELECT * FROM (VALUES ('[1.0, 2.0]'), ('1.5'), ('3.0'), ('*')) AS t(price)"
    )
    assert one(con, "SELECT count(*) FROM s WHERE price < 1.25") == (0.25 + 0 + 0 + 0.125, 0, 2)
    assert one(con, "SELECT count(*) FROM s WHERE price = 1.5") == (1.0, 1, 3), "a point has no length, but is possible"
    assert one(con, "SELECT count(*) FROM s WHERE price <> 1.5") == (1 + 0 + 1 + 1, 1, 3)


def test_timestamps_are_measured_and_days_are_counted(con: duckdb.DuckDBPyConnection) -> None:
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


def test_times_of_day_are_there_or_not(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT {'lo': TIME '10:00', 'hi': TIME '11:00'} AS at")
    assert one(con, "SELECT count(*) FROM s WHERE at IS NOT NULL") == (1.0, 1, 1)
    assert one(con, "SELECT count(at) FROM s") == (1.0, 1, 1)


@pytest.mark.parametrize("ends", ["08:00:00, 08:20:00", "1 day, 2 days 03:00:00", "-00:10:00, 1 year 2 months"])
def test_ranges_of_times_of_day_and_intervals_are_no_labels(con: duckdb.DuckDBPyConnection, ends: str) -> None:
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT unnest(['[{ends}]', '09:00:00']) AS at")
    for query in ("count(*) FROM s WHERE at >= '08:10:00'", "count(*) FROM s WHERE at = '09:00:00'"):
        with pytest.raises(duckdb.Error, match=r"\[SA102\].*'at'.*with text"):
            ask(con, f"SELECT {query}")
    with pytest.raises(duckdb.Error, match=r"\[SA102\].*GROUP BY column 'at'"):
        ask(con, "SELECT at, count(*) FROM s GROUP BY at")


@pytest.mark.parametrize(("kind", "constant"), [("INTEGER", "'5'"), ("DATE", "'soon'"), ("DECIMAL(4, 1)", "'5'")])
def test_lists_of_numbers_and_dates_are_not_compared_with_text(
    con: duckdb.DuckDBPyConnection, kind: str, constant: str
) -> None:
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT CAST(NULL AS {kind}[]) AS x")
    value = "DATE '2024-01-01'" if kind == "DATE" else "10"
    con.execute(f"INSERT INTO rel VALUES ([CAST({value} AS {kind})])")
    with pytest.raises(duckdb.Error, match=r"\[SA102\].*'x'.*with text"):
        ask(con, f"SELECT count(*) FROM s WHERE x > {constant}")
    assert one(con, f"SELECT count(*) FROM s WHERE x >= {value}") == (1.0, 1, 1)


def test_what_a_list_holds_is_grouped_by_in_its_own_type(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT [9, 10]::UTINYINT[] AS n, [DATE '2024-02-29'] AS day")
    assert sorted(ask(con, "SELECT n, count(*) FROM s GROUP BY n")) == [(9, 0.5, 0, 1), (10, 0.5, 0, 1)]
    assert ask(con, "SELECT day, count(*) FROM s GROUP BY day") == [(datetime.date(2024, 2, 29), 1.0, 1, 1)]


def test_text_that_looks_like_a_date_stays_text_beside_text(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['2024-01-01', 'unknown', '*']) AS visit")
    assert one(con, "SELECT count(*) FROM src WHERE visit = '2024-01-01'") == (1.5, 1, 2)


@pytest.fixture
def levels(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("""
        CREATE OR REPLACE TABLE levels AS SELECT * FROM (VALUES
            ('A1', 'A', '*'), ('A2', 'A', '*'), ('A3', 'A', '*'), ('B1', 'B', '*')) AS t(leaf, one, top);
        CREATE OR REPLACE TABLE rel AS SELECT unnest(['A', 'B', 'A2', '*', NULL]) AS job;
    """)


@pytest.mark.usefixtures("levels")
def test_labels_of_a_taxonomy_are_spread_over_their_leaves(con: duckdb.DuckDBPyConnection) -> None:
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
def test_infinities_are_values_and_nobody_is_warned(con: duckdb.DuckDBPyConnection, recode: str, format: str) -> None:
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


def test_a_star_is_spread_over_what_is_finite(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['inf', '1.0', '3.0', '*']) AS x")
    assert one(con, "SELECT count(*) FROM s WHERE x > 2") == (2.5, 2, 3)
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['infinity', '2024-01-01', '2024-01-04', '*']) AS x")
    assert one(con, "SELECT count(*) FROM s WHERE x > DATE '2024-01-01'") == (2.75, 2, 3)
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['inf', '-inf', '*']) AS x")
    assert one(con, "SELECT count(*) FROM s WHERE x > 2") == (None, 1, 2)


def test_a_star_may_be_in_a_group_of_infinities(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE rel AS SELECT {'lo': x, 'hi': x} AS x FROM (SELECT unnest(['inf'::DOUBLE, NULL]) AS x)"
    )
    assert ask(con, "SELECT x, count(*) FROM s GROUP BY x") == [(math.inf, None, 1, 2)]
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['infinity', '2024-01-01', '2024-01-02', '*']) AS x")
    assert ask(con, "SELECT x, count(*) FROM s WHERE x >= DATE '2024-01-02' GROUP BY x") == [
        ("2024-01-02", 1.5, 1, 2),
        ("infinity", 1.0, 1, 2),
    ]


def test_whole_numbers_beyond_2_to_53_are_there(con: duckdb.DuckDBPyConnection) -> None:
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


def test_what_only_another_type_could_satisfy_is_refused_too(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE rel AS SELECT unnest(['05:00:00', '10:00:00']) AS at, unnest(['0.1', '0.2']) AS x"
    )
    for condition in ("at = '05:00:00' AND at >= '5:00'", "x = 0.1 AND x > 1e-1"):
        with pytest.raises(
            duckdb.Error, match=r"\[SA102\] query: what column '(at|x)' is compared with depends on its type"
        ):
            ask(con, f"SELECT count(*) FROM s WHERE {condition}")


@pytest.mark.parametrize("constant", ["'t'", "'10'"])
def test_the_type_of_a_column_is_told_by_all_its_rows(con: duckdb.DuckDBPyConnection, constant: str) -> None:
    shown = "['true', 'false']" if constant == "'t'" else "['10.0', '9.5']"
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT unnest({shown}) AS x, 'a' AS y")
    with pytest.raises(duckdb.Error, match=r"\[SA102\] query: what column 'x' is compared with depends on its type"):
        ask(con, f"SELECT count(*) FROM s WHERE x = {constant} AND y = 'a'")


@pytest.mark.usefixtures("levels")
@pytest.mark.parametrize("format", ["text", "typed"])
def test_where_nothing_but_stars_is_shown_everything_is_possible(con: duckdb.DuckDBPyConnection, format: str) -> None:
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
    con: duckdb.DuckDBPyConnection, format: str, kind: str, values: str, query: str, answer: object
) -> None:
    con.execute(f"CREATE OR REPLACE TABLE src AS SELECT CAST(x AS {kind}) AS x FROM (VALUES {values}) AS t(x)")
    con.execute(f"CREATE OR REPLACE TABLE other AS FROM kanonymous('src', ['x'], 1, format := '{format}')")
    asked = f"SELECT count(*) FROM src WHERE {query}"
    if answer == "SA102":
        with pytest.raises(duckdb.Error, match=r"\[SA102\] column 'x' of rel has numbers or times with more digits"):
            ask(con, asked, rel="other")
    else:
        assert one(con, asked, rel="other") == answer


def test_a_label_that_is_not_in_the_taxonomy_is_a_mismatch(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("INSERT INTO rel VALUES ('C')")
    with pytest.raises(duckdb.Error, match=r"\[SA301\].*'job'"):
        ask(con, "SELECT count(*) FROM s WHERE job = 'A2'", taxonomy="{'job': 'levels'}")


def test_a_number_with_a_taxonomy_is_compared_leaf_by_leaf(con: duckdb.DuckDBPyConnection) -> None:
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


def test_a_star_is_spread_over_the_leaves_of_numbers_and_null_alike(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE ages AS SELECT * FROM (VALUES ('20', 'any'), ('30', 'any'), ('70', 'any')) AS t"
    )
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['*', '20', NULL]) AS age")
    taxonomy = "{'age': 'ages'}"
    assert one(con, "SELECT count(*) FROM s WHERE age > 25", taxonomy=taxonomy) == (2 / 4, 0, 1)
    assert one(con, "SELECT count(*) FROM s WHERE age IS NULL", taxonomy=taxonomy) == (1 + 1 / 4, 1, 2)


@pytest.mark.usefixtures("levels")
@pytest.mark.parametrize("taxonomy", ["NULL", "{'job': 'levels'}"])
def test_a_typed_star_is_a_star_as_in_text(con: duckdb.DuckDBPyConnection, taxonomy: str) -> None:
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


def test_a_list_of_every_value_is_no_typed_star(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest([['a', 'b'], ['*', 'a'], ['a']]) AS job")
    assert one(con, "SELECT count(*) FROM s WHERE job = 'c'") == (0.0, 0, 0)
    assert one(con, "SELECT count(*) FROM s WHERE job = 'a'") == (2.0, 1, 3)


@pytest.mark.parametrize("rel", ["rel", "(SELECT * FROM rel)"])
def test_rows_that_may_have_a_value_of_text_are_not_passed_over(con: duckdb.DuckDBPyConnection, rel: str) -> None:
    con.execute(
        """
        CREATE OR REPLACE TABLE rel AS SELECT '30' AS age, unnest(['flu', '*', '{flu, gout}', 'gout', NULL]) AS ill
        UNION ALL SELECT '40', 'ulcer'
        """
    )
    # the star may be any of flu, gout, ulcer and NULL, though ulcer is seen at another age only
    asked = "SELECT count(*) FROM s WHERE age = 30 AND ill"
    assert one(con, f"{asked} = 'flu'", rel=rel) == (1 + 1 / 4 + 1 / 2, 1, 3)
    assert one(con, f"{asked} IN ('flu', 'cold')", rel=rel) == (1 + 1 / 4 + 1 / 2, 1, 3)
    assert one(con, f"{asked} <> 'flu'", rel=rel) == (2 / 4 + 1 / 2 + 1, 1, 3)
    assert one(con, f"{asked} IS NULL", rel=rel) == (1 / 4 + 1, 1, 2)
    assert one(con, f"{asked} = 'flu' AND ill = 'gout'", rel=rel) == (0, 0, 0)
    assert one(con, "SELECT count(*) FROM s WHERE age = 30 OR ill = 'ulcer'", rel=rel) == (6, 6, 6)
    grouped = ask(con, "SELECT age, count(*) FROM s WHERE ill = 'flu' GROUP BY age", rel=rel)
    assert grouped == [("30", 1 + 1 / 4 + 1 / 2, 1, 3)]


def test_anatomy_lists_are_spread_over_the_group(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """
        CREATE OR REPLACE TABLE src AS
        SELECT i AS age, ['flu', 'cold', 'gout'][i % 3 + 1] AS sick FROM range(30) AS r(i)
        """
    )
    for format in ("text", "typed"):
        con.execute(
            f"""
            CREATE OR REPLACE TABLE rel AS
            FROM ldiverse('src', ['age'], 'sick', 3, algo := 'anatomy', format := '{format}')
            """
        ).fetchall()
        assert one(con, "SELECT count(*) FROM src WHERE sick = 'flu'") == (10.0, 0, 30)
        assert one(con, "SELECT count(*) FROM src WHERE sick = 'flu' AND age < 15") == (5.0, 0, 15)
        assert [(row[0], round(row[1], 9)) for row in ask(con, "SELECT sick, count(*) FROM src GROUP BY sick")] == [
            ("cold", 10.0), ("flu", 10.0), ("gout", 10.0)]  # fmt: skip


def test_values_with_commas_and_braces_are_not_mistaken_for_lists(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['{x}', 'x', '{}', 'a, b']) AS ill")
    assert one(con, "SELECT count(*) FROM s WHERE ill = 'x'") == (1, 1, 1)
    assert one(con, "SELECT count(*) FROM s WHERE ill = '{x}'") == (1, 1, 1)
    assert one(con, "SELECT count(*) FROM s WHERE ill <> '{}'") == (3, 3, 3)
    assert one(con, "SELECT count(*) FROM s WHERE ill = 'a, b'") == (1, 1, 1)
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest([['a, b', 'c'], ['d', 'e']]) AS ill")
    assert one(con, "SELECT count(*) FROM s WHERE ill = 'a, b'") == (0.5, 0, 1)
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['{a, b, c}', '{d, e}']) AS ill")
    with pytest.raises(duckdb.Error, match=r"\[SA102\] query compares column 'ill' with a value that has a comma or"):
        ask(con, "SELECT count(*) FROM s WHERE ill = 'a, b'")
    assert one(con, "SELECT count(*) FROM s WHERE ill = 'd'") == (0.5, 0, 1)
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['{NULL, flu}', 'NULL']) AS ill")
    with pytest.raises(duckdb.Error, match=r"\[SA102\] query compares column 'ill' with a value that has a comma or"):
        ask(con, "SELECT count(*) FROM s WHERE ill = 'NULL'")


@pytest.mark.parametrize(
    ("kind", "values", "query", "answer"),
    [
        ("INTEGER", "[1, 2, 3]", "x >= 2", 2 / 3),
        ("DOUBLE", "[1.0, 2.5]", "x > 2", 1 / 2),
        ("DECIMAL(5, 2)", "[1.25, NULL]", "x = 1.25", 1 / 2),
        ("DATE", "['2024-02-29', '2024-03-01']", "x < DATE '2024-03-01'", 1 / 2),
        ("TIMESTAMP", "['2024-02-29 06:00:00', '2024-03-01 00:00:00']", "x <= TIMESTAMP '2024-02-29 06:00:00'", 1 / 2),
        ("BOOLEAN", "[true, false, true]", "x", 2 / 3),
        ("VARCHAR", "['a, b', 'c', NULL, 'NULL']", "x IN ('a, b', 'NULL')", 2 / 4),
        ("ENUM('p', 'q')", "['p', 'q']", "x <> 'p'", 1 / 2),
    ],
)
def test_lists_of_any_type_are_taken_apart(
    con: duckdb.DuckDBPyConnection, kind: str, values: str, query: str, answer: float
) -> None:
    con.execute(
        f"CREATE OR REPLACE TABLE rel AS SELECT CAST(x AS {kind}[]) AS x FROM (VALUES ({values}), (NULL)) AS t(x)"
    )
    assert one(con, f"SELECT count(*) FROM s WHERE {query}") == (round(answer, 9), 0, 1)
    assert one(con, "SELECT count(*) FROM s WHERE x IS NULL")[2] == (2 if "NULL," in values or "NULL]" in values else 1)


@pytest.mark.parametrize(
    ("low", "high", "query", "answer"),
    [
        ("1::HUGEINT", "4::HUGEINT", "x < 3", 2 / 4),
        ("1.00::DECIMAL(5, 2)", "2.00::DECIMAL(5, 2)", "x < 1.25", 1 / 4),
        ("1::DECIMAL(5, 0)", "4::DECIMAL(5, 0)", "x < 2.5", 2 / 4),
        ("-4", "-1", "x < -2.5", 2 / 4),
        ("1::DOUBLE", "5::DOUBLE", "x < 2", 1 / 4),
        ("DATE '0001-12-30 (BC)'", "DATE '0001-01-02'", "x < DATE '0001-01-01'", 2 / 4),
        ("TIMESTAMP '2024-02-28'", "TIMESTAMP '2024-03-01'", "x <= '2024-02-28 12:00:00'", 1 / 4),
    ],
)
def test_typed_ranges_of_any_type_are_read(
    con: duckdb.DuckDBPyConnection, low: str, high: str, query: str, answer: float
) -> None:
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT {{'lo': {low}, 'hi': {high}}} AS x")
    assert one(con, f"SELECT count(*) FROM s WHERE {query}") == (answer, 0, 1)
    con.execute("INSERT INTO rel VALUES (NULL), ({'lo': NULL, 'hi': NULL})")
    assert one(con, "SELECT count(*) FROM s WHERE x IS NULL")[1:] == (1, 2)


def test_an_enum_is_read_as_text(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['a', '{a, b}', '*'])::ENUM('*', 'a', '{a, b}') AS x")
    assert one(con, "SELECT count(*) FROM s WHERE x = 'a'") == (2.0, 1, 3)


def test_lists_without_values_count_for_nothing_and_half_a_range_is_no_number(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT []::INTEGER[] AS x, {'lo': 1, 'hi': NULL::INTEGER} AS y")
    assert one(con, "SELECT count(*) FROM s WHERE x = 1 OR x IS NULL") == (0.0, 0, 0)
    with pytest.raises(duckdb.Error, match=r"\[SA301\].*'y'.*no number"):
        ask(con, "SELECT count(*) FROM s WHERE y = 1")


def test_nested_values_that_are_no_range_are_refused(con: duckdb.DuckDBPyConnection) -> None:
    for value in ("{'from': 1, 'upto': 2}", "MAP {'lo': 1, 'hi': 2}"):
        con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT {value} AS x")
        with pytest.raises(duckdb.Error, match=r"\[SA104\] column 'x'"):
            ask(con, "SELECT count(*) FROM s WHERE x = 3")


def test_a_column_that_nothing_hangs_on_may_hold_anything(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['flu', NULL]) AS x, 1 AS y")
    assert one(con, "SELECT count(*) FROM s WHERE y = 1 OR (x > 3 AND FALSE)") == (2, 2, 2)


def test_numbers_that_are_written_at_length_are_read_all_the_same(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE rel AS SELECT unnest(['[1e0, 3.0]', '0.25000000000000000000', '+2', '-inf']) AS x"
    )
    assert one(con, "SELECT count(*) FROM s WHERE x >= 2") == (0.5 + 1, 1, 2)


def test_a_sum_over_stars_and_nulls_expects_nothing(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['*', NULL]) AS x")
    assert one(con, "SELECT sum(x) FROM s") == (0.0, None, None)
    plain = con.execute(sqlanon.rewrite("SELECT sum(x) FROM s", release="rel"))
    assert plain.fetchall() == [(0.0, None, None)]


def test_a_release_that_is_a_select_with_stars_is_read_as_a_table_is(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['a', '*', 'b']) AS x, unnest(['1', '[1, 4]', '*']) AS y")
    asked = "SELECT y, count(*) FROM s WHERE x = 'a' AND y <= 2 GROUP BY y"
    assert ask(con, asked, rel="(SELECT * FROM rel WHERE y <> 'nothing')") == ask(con, asked)
    assert ask(con, asked) == [("1", 1 + 1 / 2 / 4, 1, 2), ("2", 1 / 2 / 4, 0, 1)]


def test_groups_come_in_the_type_that_the_release_shows_and_in_order(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """
        CREATE OR REPLACE TABLE rel AS SELECT
            {'lo': 9, 'hi': 10} AS age, 7::TINYINT AS ward, {'lo': DATE '2024-02-29', 'hi': DATE '2024-03-01'} AS born
        """
    )
    assert [row[0] for row in ask(con, "SELECT age, count(*) FROM s GROUP BY age")] == [9, 10]
    assert [row[0] for row in ask(con, "SELECT born, count(*) FROM s GROUP BY born")] == [
        datetime.date(2024, 2, 29),
        datetime.date(2024, 3, 1),
    ]
    assert ask(con, "SELECT ward, count(*) FROM s GROUP BY ward") == [(7, 1.0, 1, 1)]
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT '[9, 10]' AS age, '[0001-12-31 (BC), 0001-01-01]' AS born")
    assert [row[0] for row in ask(con, "SELECT age, count(*) FROM s GROUP BY age")] == ["9", "10"]
    assert [row[0] for row in ask(con, "SELECT born, count(*) FROM s GROUP BY born")] == [
        "0001-12-31 (BC)",
        "0001-01-01",
    ]


def test_text_of_any_kind_is_compared_as_duckdb_compares_it(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel (size ENUM('m', 's', '*'), ill VARCHAR COLLATE NOCASE)")
    con.execute("INSERT INTO rel VALUES ('s', 'Flu'), ('m', 'flu'), ('*', 'cold')")
    assert ask(con, "SELECT size, count(*) FROM s GROUP BY size") == [("m", 1.5, 1, 2), ("s", 1.5, 1, 2)]
    assert one(con, "SELECT count(*) FROM s WHERE size <> 's'") == (1.5, 1, 2)
    assert one(con, "SELECT count(*) FROM s WHERE ill = 'FLU'") == (2.0, 2, 2)


@pytest.mark.parametrize("name", ["classes", "found", "answers", "released", "every", "tbl", "answer", "c_1"])
def test_a_release_and_its_columns_may_be_called_as_our_own_steps_are(
    con: duckdb.DuckDBPyConnection, name: str
) -> None:
    con.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT unnest(['a', '*']) AS {name}, 1 AS n, 'x' AS cell")
    asked = f"SELECT {name}, count(*) FROM s WHERE cell = 'x' AND {name} = 'a' AND n = 1 GROUP BY {name}"
    try:
        assert ask(con, asked, rel=name) == [("a", 2, 1, 2)]
        assert ask(con, asked.replace("cell", "missing"), rel=f"(SELECT *, cell AS missing FROM {name})") == [
            ("a", 2, 1, 2)
        ]
        with pytest.raises(duckdb.Error, match=r"\[SA301\] there is no column 'missing'"):
            ask(con, asked.replace("cell", "missing"), rel=name)
    finally:
        con.execute(f"DROP TABLE {name}")


def test_values_that_go_together_in_too_many_ways_are_refused(con: duckdb.DuckDBPyConnection) -> None:
    columns = ", ".join(f"'[1, 100]' AS {name}" for name in "abcd")
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT {columns}")
    assert len(ask(con, "SELECT a, b, count(*) FROM s GROUP BY a, b")) == 100**2
    with pytest.raises(duckdb.Error, match=r"\[SA102\].*too many groups.*group by fewer columns"):
        ask(con, "SELECT a, b, c, d, count(*) FROM s GROUP BY a, b, c, d")


def test_groups_add_up_to_the_whole(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """
        CREATE OR REPLACE TABLE rel AS
        FROM ldiverse('FROM census(500)', ['age', 'gender', 'education'], 'occupation', 4)
        """
    ).fetchall()
    whole = one(con, "SELECT count(*) FROM census WHERE age > 40 OR gender = 'x'")[0]
    parts = ask(
        con, "SELECT age, occupation, count(*) FROM census WHERE age > 40 OR gender = 'x' GROUP BY age, occupation"
    )
    assert sum(row[2] for row in parts) == pytest.approx(whole)


def test_a_column_of_nothing_but_stars_has_bounds_and_no_estimate(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT '*' AS age, 'x' AS job FROM range(3)")
    assert one(con, "SELECT count(*) FROM s WHERE age > 40") == (None, 0, 3)
    assert one(con, "SELECT count(*) FROM s WHERE age > 40 AND job = 'y'") == (0.0, 0, 0)
    assert one(con, "SELECT avg(age) FROM s") == (None, None, None)
    assert one(con, "SELECT avg(age) FROM s WHERE age BETWEEN 3 AND 9") == (None, 3.0, 9.0)


@pytest.mark.parametrize(
    "query",
    [
        'SELECT "AGE" AS "my age", count(*) FROM patients AS p WHERE p.age < 32 GROUP BY "my age"',
        "SELECT age, sum(1) FROM patients WHERE patients.age < 32 GROUP BY 1",
        "SELECT age, count(1) FROM main.patients WHERE NOT (32 <= age) GROUP BY ALL",
        "FROM patients SELECT age, count(*) WHERE (age) < (32) GROUP BY age",
        "SELECT count(age) FROM patients WHERE age IN (30, 31, NULL) GROUP BY age",
    ],
)
def test_the_same_query_in_other_words(con: duckdb.DuckDBPyConnection, query: str) -> None:
    con.execute(PATIENTS)
    assert [(row[0], round(row[1], 9), *row[2:]) for row in ask(con, query)] == [
        ("30", round(1 / 3, 9), 0, 2), ("31", round(1 / 3, 9), 0, 2)]  # fmt: skip


def test_rel_may_be_a_cte_a_view_or_a_select(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    con.execute("CREATE OR REPLACE VIEW seen AS FROM rel")
    query = "'SELECT count(*) FROM p WHERE cost > 0'"
    for rel in ("seen", "(SELECT * FROM rel)", "SELECT age, cost FROM rel", "main.rel"):
        assert con.execute(f"FROM estimate('{rel}', {query})").fetchall() == [(3.0, 3, 3)]
    assert con.execute(f"WITH laid AS (FROM rel) FROM estimate('laid', {query})").fetchall() == [(3.0, 3, 3)]
    assert con.execute("FROM estimate('(FROM rel)', 'SELECT count(*) FROM p')").fetchall() == [(4.0, 4, 4)]


def test_quoted_and_hostile_names_are_columns(con: duckdb.DuckDBPyConnection) -> None:
    con.execute('CREATE OR REPLACE TABLE "my ""rel""" AS SELECT 3 AS "a; DROP TABLE x --", \'it\'\'s\' AS "say ""hi"""')
    query = (
        'SELECT "say ""hi""", count(*) FROM s WHERE "a; DROP TABLE x --" > 2 AND "say ""hi""" = \'it\'\'s\' GROUP BY 1'
    )
    assert ask(con, query, rel='"my ""rel"""') == [("it's", 1.0, 1, 1)]


def test_values_that_look_like_sql_are_values(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['x'' OR 1=1 --', 'y']) AS job")
    assert one(con, "SELECT count(*) FROM s WHERE job = 'x'' OR 1=1 --'") == (1.0, 1, 1)


@pytest.mark.parametrize("wide", [50_000, 1_001])
def test_groups_of_wide_ranges_are_refused_by_their_number(con: duckdb.DuckDBPyConnection, wide: int) -> None:
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT '[1, {wide}]' AS x, '[1, 1000]' AS y")
    with pytest.raises(duckdb.Error, match=r"\[SA102\] query: GROUP BY spreads the rows of rel over too many groups"):
        ask(con, "SELECT x, y, count(*) FROM s GROUP BY x, y")
    assert len(ask(con, "SELECT x, count(*) FROM s WHERE y < 90 GROUP BY x")) == wide
    assert len(ask(con, "SELECT x, y, count(*) FROM s WHERE x <= 80 AND y <= 80 GROUP BY x, y")) == 80 * 80


@pytest.mark.parametrize("word", ["AND", "OR"])
def test_a_query_may_use_fifty_columns(con: duckdb.DuckDBPyConnection, word: str) -> None:
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT {', '.join(f'{i} AS c{i}' for i in range(50))}")
    query = f"SELECT count(*) FROM s WHERE {f' {word} '.join(f'c{i} = {i}' for i in range(50))}"
    statement = con.execute("SELECT sqlanon_explain('estimate', {'rel': 'rel', 'query': $query})", {"query": query})
    assert "shares_c_50" in str(statement.fetchone())
    with pytest.raises(duckdb.Error, match=r"\[SA102\] query uses 51 columns"):
        ask(con, f"{query} {word} c50 = 50")


REFUSED = {
    "JOIN": "SELECT count(*) FROM a JOIN b USING (x)",
    "subquery": "SELECT count(*) FROM a WHERE x IN (SELECT 1)",
    "WITH": "WITH b AS (SELECT 1) SELECT count(*) FROM b",
    "DISTINCT": "SELECT count(DISTINCT age) FROM a",
    "HAVING": "SELECT count(*) FROM a HAVING count(*) > 1",
    "LIMIT": "SELECT count(*) FROM a LIMIT 1",
    "ORDER BY": "SELECT count(*) FROM a ORDER BY 1",
    "a window": "SELECT count(*) OVER () FROM a",
    "UNION": "SELECT count(*) FROM a UNION SELECT 1",
    "median": "SELECT median(age) FROM a",
    "LIKE": "SELECT count(*) FROM a WHERE disease LIKE 'f%'",
    "ADD": "SELECT count(*) FROM a WHERE age + 1 > 3",
    "lower": "SELECT count(*) FROM a WHERE lower(disease) = 'flu'",
    "two columns": "SELECT count(*) FROM a WHERE age = cost",
    "aggregates": "SELECT count(*), sum(cost) FROM a",
    "not in GROUP BY": "SELECT age, count(*) FROM a",
    "a table alias with column names": "SELECT count(*) FROM a AS b(age, cost)",
    "ROLLUP": "SELECT count(*) FROM a GROUP BY ROLLUP (age)",
    "FILTER": "SELECT count(*) FILTER (WHERE age > 3) FROM a",
    "more than one of": "SELECT count(*) FROM a WHERE age = 3 OR age = 'x'",
    "with text": "SELECT count(*) FROM a WHERE age = 'x'",
    "one SELECT": "DELETE FROM a",
    "both in GROUP BY": "SELECT cost, avg(cost) FROM a GROUP BY cost",
    "called 'lower'": "SELECT age AS lower, count(*) FROM a GROUP BY age",
    "256 alternatives": "SELECT count(*) FROM a WHERE "
    + " OR ".join(f"(age = {i} AND cost = {i} AND disease = 'x{i}')" for i in range(200)),
}


@pytest.mark.parametrize("named_as", REFUSED)
def test_what_cannot_be_estimated_is_refused_by_name(con: duckdb.DuckDBPyConnection, named_as: str) -> None:
    con.execute(PATIENTS)
    with pytest.raises(duckdb.Error) as raised:
        ask(con, REFUSED[named_as])
    said = str(raised.value).split("LINE 1")[0]  # after which DuckDB repeats the statement
    assert "[SA102]" in said
    assert named_as in said


def test_other_errors_have_their_codes(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(PATIENTS)
    wrong = {
        "SA301.*'nope'": ("rel", "SELECT count(*) FROM a WHERE nope = 3"),
        "SA301.*'disease'.*number": ("rel", "SELECT count(*) FROM a WHERE disease > 3"),
        "SA301.*'disease'.*date": ("rel", "SELECT count(*) FROM a WHERE disease > DATE '2024-01-01'"),
        "SA103.*rel": ("rel; DROP TABLE rel", "SELECT count(*) FROM a"),
        "SA102.*query": ("rel", ""),
        "SA102.*GROUP BY column 'far'": ("SELECT '[1, 1000000]' AS far", "SELECT far, count(*) FROM a GROUP BY far"),
        "SA102.*GROUP BY column 'wide'": ("SELECT '[1.5, 2.5]' AS wide", "SELECT wide, count(*) FROM a GROUP BY wide"),
        "SA102.*'huge'.*exactly": ("SELECT 9007199254740993 AS huge", "SELECT count(*) FROM a WHERE huge > 3"),
        "SA102.*'disease'.*with text": (
            "SELECT TIME '10:00' AS disease",
            "SELECT count(*) FROM a WHERE disease = '10'",
        ),
        "SA102.*'cost'.*separate": (
            "rel",
            f"SELECT count(*) FROM a WHERE cost IN ({', '.join(map(str, range(0, 2000, 2)))})",
        ),
        "SA102.*'endless'": ("SELECT '[1.5, inf]' AS endless", "SELECT count(*) FROM a WHERE endless > 3"),
    }
    for said, (rel, query) in wrong.items():
        with pytest.raises(duckdb.Error, match=rf"(?s)\[{said.replace('.*', '].*', 1)}") as raised:
            ask(con, query, rel=rel)
        assert "flu" not in str(raised.value).split("LINE 1")[0]
