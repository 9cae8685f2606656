"""estimate: what is published is read as it was meant: stars, lists, ranges, values like them."""

from __future__ import annotations

import duckdb
import pytest
from connections import TestConnection

import sqlanon

from .asking import ask, one

pytestmark = pytest.mark.oldest


def test_a_list_of_every_value_is_no_typed_star(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest([['a', 'b'], ['*', 'a'], ['a']]) AS job")
    assert one(con, "SELECT count(*) FROM s WHERE job = 'c'") == (0.0, 0, 0)
    assert one(con, "SELECT count(*) FROM s WHERE job = 'a'") == (2.0, 1, 3)


@pytest.mark.parametrize("rel", ["rel", "(SELECT * FROM rel)"])
def test_rows_that_may_have_a_value_of_text_are_not_passed_over(con: TestConnection, rel: str) -> None:
    con.execute(
        """
        CREATE OR REPLACE TABLE rel AS SELECT '30' AS age, unnest(['flu', '*', '{flu, gout}', 'gout', NULL]) AS ill
        UNION ALL SELECT '40', 'ulcer'
        """
    )
    # the star may be any of flu, gout, ulcer and NULL, though ulcer is seen at another age only
    asked = "SELECT count(*) FROM s WHERE age = 30 AND ill"
    assert one(con, f"{asked} = 'flu'", rel=rel) == (1 + 1 / 4 + 1 / 2, 1, 3)
    unlabelled = "{'ill': NULL}"
    assert one(con, f"{asked} IN ('flu', 'cold')", rel=rel, taxonomy=unlabelled) == (1 + 1 / 4 + 1 / 2, 1, 3)
    assert one(con, f"{asked} IN ('flu', 'cold')", rel=rel) == (1 + 1 / 4 + 1 / 2, 1, 4)
    assert one(con, f"{asked} <> 'flu'", rel=rel) == (2 / 4 + 1 / 2 + 1, 1, 3)
    assert one(con, f"{asked} IS NULL", rel=rel) == (1 / 4 + 1, 1, 2)
    assert one(con, f"{asked} = 'flu' AND ill = 'gout'", rel=rel) == (0, 0, 0)
    assert one(con, "SELECT count(*) FROM s WHERE age = 30 OR ill = 'ulcer'", rel=rel) == (6, 6, 6)
    grouped = ask(con, "SELECT age, count(*) FROM s WHERE ill = 'flu' GROUP BY age", rel=rel)
    assert grouped == [("30", 1 + 1 / 4 + 1 / 2, 1, 3)]


def test_anatomy_lists_are_spread_over_the_group(con: TestConnection) -> None:
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


def test_values_with_commas_and_braces_are_not_mistaken_for_lists(con: TestConnection) -> None:
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
    con: TestConnection, kind: str, values: str, query: str, answer: float
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
def test_typed_ranges_of_any_type_are_read(con: TestConnection, low: str, high: str, query: str, answer: float) -> None:
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT {{'lo': {low}, 'hi': {high}}} AS x")
    assert one(con, f"SELECT count(*) FROM s WHERE {query}") == (answer, 0, 1)
    con.execute("INSERT INTO rel VALUES (NULL), ({'lo': NULL, 'hi': NULL})")
    assert one(con, "SELECT count(*) FROM s WHERE x IS NULL")[1:] == (1, 2)


def test_an_enum_is_read_as_text(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['a', '{a, b}', '*'])::ENUM('*', 'a', '{a, b}') AS x")
    assert one(con, "SELECT count(*) FROM s WHERE x = 'a'") == (2.0, 1, 3)


def test_lists_without_values_count_for_nothing_and_half_a_range_is_no_number(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT []::INTEGER[] AS x, {'lo': 1, 'hi': NULL::INTEGER} AS y")
    assert one(con, "SELECT count(*) FROM s WHERE x = 1 OR x IS NULL") == (0.0, 0, 0)
    with pytest.raises(duckdb.Error, match=r"\[SA301\].*'y'.*no number"):
        ask(con, "SELECT count(*) FROM s WHERE y = 1")


def test_nested_values_that_are_no_range_are_refused(con: TestConnection) -> None:
    for value in ("{'from': 1, 'upto': 2}", "MAP {'lo': 1, 'hi': 2}"):
        con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT {value} AS x")
        with pytest.raises(duckdb.Error, match=r"\[SA104\] column 'x'"):
            ask(con, "SELECT count(*) FROM s WHERE x = 3")


def test_a_column_that_nothing_hangs_on_may_hold_anything(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['flu', NULL]) AS x, 1 AS y")
    assert one(con, "SELECT count(*) FROM s WHERE y = 1 OR (x > 3 AND FALSE)") == (2, 2, 2)


def test_numbers_that_are_written_at_length_are_read_all_the_same(con: TestConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE rel AS SELECT unnest(['[1e0, 3.0]', '0.25000000000000000000', '+2', '-inf']) AS x"
    )
    assert one(con, "SELECT count(*) FROM s WHERE x >= 2") == (0.5 + 1, 1, 2)


def test_a_sum_over_stars_and_nulls_expects_nothing(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['*', NULL]) AS x")
    assert one(con, "SELECT sum(x) FROM s") == (0.0, None, None)
    plain = con.execute(sqlanon.rewrite("SELECT sum(x) FROM s", release="rel"))
    assert plain.fetchall() == [(0.0, None, None)]


def test_a_release_that_is_a_select_with_stars_is_read_as_a_table_is(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT unnest(['a', '*', 'b']) AS x, unnest(['1', '[1, 4]', '*']) AS y")
    asked = "SELECT y, count(*) FROM s WHERE x = 'a' AND y <= 2 GROUP BY y"
    assert ask(con, asked, rel="(SELECT * FROM rel WHERE y <> 'nothing')") == ask(con, asked)
    assert ask(con, asked) == [("1", 1 + 1 / 2 / 4, 1, 2), ("2", 1 / 2 / 4, 0, 1)]
