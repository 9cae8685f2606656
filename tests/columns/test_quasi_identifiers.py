"""quasi_identifiers: which combinations of columns single people out."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from connections import TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples
from twins import combinations as twin

pytestmark = pytest.mark.oldest

NAMES = ("age", 'a"b', "c'd", "AÄ")
CELLS = st.one_of(st.none(), st.integers(0, 2).map(str))


@settings(max_examples=examples(25))
@given(rows=st.lists(st.tuples(*[CELLS] * 4), max_size=12), max_size=st.integers(1, 5))
def test_measures_are_those_of_a_count_from_the_whole_table(
    con: TestConnection, rows: list[tuple[object, ...]], max_size: int
) -> None:
    store(con, "t", dict.fromkeys(NAMES, "VARCHAR"), rows)
    answers = con.rows(f"FROM quasi_identifiers('t', max_size := {max_size})")
    counted = twin.count([[row[number] for row in rows] for number in range(4)], max_size)
    pairs = Fraction(len(rows) * (len(rows) - 1), 2)
    for columns, distinction, separation, unique_rows, unique_share in answers:
        distinct, alone, alike = counted.pop(tuple(map(NAMES.index, columns)))
        assert distinction == (distinct / len(rows) if rows else None)
        assert separation == (float((pairs - alike) / pairs) if pairs else None)
        assert (unique_rows, unique_share) == (alone, alone / len(rows) if rows else None)
    assert counted == {}
    ranks = [(-answer[3], len(answer[0])) for answer in answers]
    assert all(one <= other for one, other in pairwise(ranks))


def test_the_order_is_the_same_whatever_the_order_of_the_rows_and_the_threads(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE people AS FROM census(2049, seed := 5)")
    answers = con.rows("FROM quasi_identifiers('people', columns := ['salary', 'age', 'gender', 'country'])")
    assert len(answers) == 14
    for threads in (1, 4):
        con.execute(f"SET threads = {threads}")
        again = "FROM quasi_identifiers('(FROM people ORDER BY hash(age, salary))', columns := ['salary', 'age', "
        assert con.rows(again + "'gender', 'country'])") == answers
    con.execute("SET threads = 1")


def test_columns_are_in_the_order_of_the_argument_and_by_its_spelling(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i AS Id, i % 3 AS b, 'x' AS c FROM range(9) AS t(i)")
    answers = con.rows("SELECT columns FROM quasi_identifiers('t', columns := ['B', 'id'], max_size := 2)")
    assert answers == [(["id"],), (["B", "id"],), (["B"],)]


def test_numbers_that_are_equal_are_one_value(con: TestConnection) -> None:
    table = "(SELECT unnest([0.0::DOUBLE, -0.0, ''nan'', ''nan'']) AS x)"
    assert con.rows(f"SELECT distinction, unique_rows FROM quasi_identifiers('{table}')") == [(0.5, 0)]


def test_columns_that_cannot_be_grouped_are_left_out_unless_they_are_named(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i, {'x': i} AS nested, [i] AS list FROM range(3) AS t(i)")
    assert con.rows("SELECT columns FROM quasi_identifiers('t')") == [(["i"],)]
    assert con.rows("FROM quasi_identifiers('(SELECT list FROM t)')") == []
    assert "[SA104] column 'nested' has type STRUCT" in con.refusal("FROM quasi_identifiers('t', ['i', 'nested'])")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("'t', ['agee']", "[SA101] there is no column 'agee' in tbl"),
        ("'t', ['age', 'AGE']", "[SA101] column 'AGE' is given twice in columns"),
        ("'t', []", "[SA102] columns is empty"),
        ("'t', 'age'", "[SA102] columns must be a list"),
        ("'t', max_size := 0", "[SA102] max_size = 0 is out of range"),
        ("'t', max_size := 1.5", "[SA102] max_size must be a whole number"),
        ("'t', max_size := NULL", "[SA102] max_size must be a whole number, not NULL"),
        ("'t; DROP TABLE t'", "[SA103]"),
        ("NULL", "[SA102] tbl must be text"),
    ],
)
def test_a_bad_argument_is_a_coded_error(con: TestConnection, arguments: str, error: str) -> None:
    store(con, "t", {"age": "INTEGER"}, [(1,)])
    assert con.refusal(f"FROM quasi_identifiers({arguments})").startswith(error)


def test_too_many_combinations_are_refused_with_a_way_out(con: TestConnection) -> None:
    wide = ", ".join(f"{i} AS c{i}" for i in range(100))
    con.execute(f"CREATE OR REPLACE TABLE t AS SELECT {wide}")
    error = con.refusal("FROM quasi_identifiers('t')")
    assert "[SA102] 100 columns have 166,750 combinations of up to 3; 100,000 are possible." in error
    assert "max_size" in error
    assert con.rows("SELECT count(*) FROM quasi_identifiers('t', max_size := 2)") == [(5050,)]


def test_intervals_are_told_apart_as_sql_does(con: TestConnection) -> None:
    lengths = "['1 month', '30 days', '720 hours', '31 days', NULL]"
    con.execute(f"CREATE OR REPLACE TABLE spans AS SELECT CAST(unnest({lengths}) AS INTERVAL) AS span")
    row = con.execute("SELECT distinction, unique_rows FROM quasi_identifiers('spans')").fetchone()
    assert row == (3 / 5, 2)
    assert con.execute("SELECT distinct_values FROM _sqlanon.columns('spans')").fetchone() == (3,)
