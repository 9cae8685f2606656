"""count_query_error: a user's own conditions mean what they mean in DuckDB, whatever the type of the column."""

from __future__ import annotations

import inspect
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import duckdb
import pytest
from connections import Row, TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

import sqlanon

VALUES = {
    "ENUM('s', 'it''s', '2')": ["s", "it's", "2"],
    "VARCHAR": ["2", "10", "02", "-1.5"],
    "DECIMAL(9,2)": ["0.10", "0.15", "-3.00", "5.40"],
    "DECIMAL(38,10)": ["0.1", "9999999999999999999999999999.0000000001"],
    "INTEGER": ["-3", "0", "4", "5"],
    "UBIGINT": ["18446744073709551615", "9007199254740993", "0", "5"],
    "HUGEINT": ["170141183460469231731687303715884105727", "-5", "9007199254740993"],
    "FLOAT": ["0.1", "0.3", "nan", "-inf", "5", "-0.0", "16777216"],
    "DOUBLE": ["0.1", "-1.5", "nan", "inf", "1e300", "9007199254740992"],
    "TIME": ["00:00:00", "09:30:00", "09:30:00.25", "24:00:00"],
    "UUID": ["00000000-0000-0000-0000-00000000000a", "ffffffff-0000-0000-0000-000000000001"],
    "DATE": ["0044-03-15 (BC)", "-infinity", "infinity", "2024-02-29", "2024-03-01", "12024-01-01"],
    "TIMESTAMP": ["0044-03-15 (BC) 10:00:00", "2024-02-29 00:00:00", "2024-02-29 00:00:00.5", "infinity"],
    "TIMESTAMP_S": ["2024-02-29 00:00:00", "2024-02-29 10:00:01"],
    "TIMESTAMP_NS": ["2024-02-29 00:00:00.000000001", "2024-02-29 00:00:00"],
    "TIMESTAMPTZ": ["2024-02-29 00:00:00+00", "2024-02-29 00:00:00.5-05", "infinity"],
    "INTERVAL": ["1 month", "40 days", "-1 second", "30 days 00:00:01"],
    "BOOLEAN": ["true", "false"],
}
NUMBERS = ["5", "4.5", "5.40", "-3", "0.1", "0.1e0", "5e0", "2", "9007199254740993", "9007199254740992.0"]
TEXTS = ["'5'", "'5.4'", "'0.10'", "'02'", "'nan'", "'infinity'", "'x'", "''", "'S'", "'1 month'", "'true'", "'09:30'"]
DAYS = ["DATE '2024-02-29'", "TIMESTAMP '2024-02-29 00:00:00'", "DATE 'infinity'", "DATE '0044-03-15 (BC)'"]


def constants(kind: str) -> st.SearchStrategy[str]:
    """Constants that may be near the values of a type, or of another type altogether."""
    own = ["'" + value.replace("'", "''") + "'" for value in VALUES[kind]]
    numeric = VALUES[kind] if kind.startswith(("DECIMAL", "INT", "UBIG", "HUGE")) and kind != "INTERVAL" else own
    moments = [*DAYS, "TIME '09:30:00'"] if kind.startswith(("DATE", "TIME")) else ["TRUE"] * (kind == "BOOLEAN")
    return st.sampled_from([*own, *numeric]) | st.sampled_from([*NUMBERS, *TEXTS, *moments])


@st.composite
def conditions(draw: st.DrawFn, kind: str, depth: int) -> tuple[str, list[str]]:
    """A condition on column x, and the comparisons in it."""
    constant = constants(kind)
    shape = draw(st.sampled_from(["compare", "flip", "between", "in", "distinct", "and", "or", "not"][: 5 + 3 * depth]))
    no = draw(st.sampled_from(["", "NOT "]))
    if shape == "not":
        condition, comparisons = draw(conditions(kind, depth - 1))
        return f"NOT ({condition})", comparisons
    if shape in ("and", "or"):
        (left, some), (right, others) = draw(conditions(kind, depth - 1)), draw(conditions(kind, depth - 1))
        return f"({left} {shape.upper()} {right})", some + others
    if shape in ("compare", "flip"):
        sign, value = draw(st.sampled_from(["=", "<>", "<", "<=", ">", ">="])), draw(constant)
        comparison = f"x {sign} {value}" if shape == "compare" else f"{value} {sign} x"
    elif shape == "between":
        comparison = f"x {no}BETWEEN {draw(constant)} AND {draw(constant)}"
    elif shape == "in":
        comparison = f"x {no}IN ({', '.join(draw(st.lists(constant, min_size=1, max_size=3)))})"
    else:
        comparison = f"x IS {no}DISTINCT FROM {draw(constant | st.just('NULL'))}"
    return comparison, [comparison]


@pytest.fixture(scope="module")
def tables(con: TestConnection) -> dict[str, str]:
    """For each type a table of its values, and of NULL."""
    names = {kind: f"values_{number}" for number, kind in enumerate(VALUES)}
    for kind, name in names.items():
        store(
            con, name, {"x": kind, "sa": "INTEGER"}, [(value, i) for i, value in enumerate([*VALUES[kind], None] * 2)]
        )
    return names


@pytest.mark.parametrize("kind", VALUES)
@settings(max_examples=examples(12), deadline=None, database=None)
@given(data=st.data())
def test_a_condition_is_answered_as_duckdb_answers_it_or_refused_because_duckdb_refuses_a_comparison(
    con: TestConnection, tables: dict[str, str], kind: str, data: st.DataObject
) -> None:
    condition, comparisons = data.draw(st.integers(0, 2).flatmap(lambda depth: conditions(kind, depth)))
    fixed = kind != "TIMESTAMPTZ" or not depends_on_session(condition)
    readable = fixed and all(compares(con, tables[kind], each) for each in comparisons)
    try:
        answer = ask(con, tables[kind], condition)
    except duckdb.Error as error:
        assert "[SA102] predicates: query 1: a constant that is not read as" in str(error)
        assert not readable
    else:
        ((expected,),) = con.rows(f"SELECT count(*) FROM {tables[kind]} WHERE {condition}")
        assert answer == [(expected, expected)]
        assert readable or len(comparisons) > 1  # what does not matter is not compared


def ask(con: TestConnection, table: str, condition: str) -> list[Row]:
    """Actual and estimate for a condition, from a release that tells everything."""
    store(con, "mine", {"predicate": "VARCHAR"}, [(condition,)])
    return con.rows(
        f"""SELECT actual, estimate FROM count_query_error(
            '{table}', 'SELECT CAST(x AS VARCHAR) AS x, sa FROM {table}', ['x'], 'sa', predicates := 'mine')"""
    )


def compares(con: TestConnection, table: str, comparison: str) -> bool:
    """Whether DuckDB can compare. In a WHERE, it may not look at all of a comparison."""
    try:
        con.rows(f"SELECT {comparison} FROM {table}")
    except duckdb.Error:
        return False
    return True


def depends_on_session(condition: str) -> bool:
    """Whether a condition on instants has a moment without an offset, whatever DuckDB makes of it."""
    return "DATE '" in condition or "TIMESTAMP '" in condition


def test_the_time_zone_of_the_session_changes_no_answer(con: TestConnection) -> None:
    times = ["2024-03-31 00:30:00+00", "2024-03-31 01:30:00+00", "0044-03-15 (BC) 10:00:00+00", "-infinity"]
    store(con, "instants", {"x": "TIMESTAMPTZ", "sa": "INTEGER"}, [(time, i) for i, time in enumerate(times)])
    try:
        for zone in ("UTC", "Asia/Kolkata", "Etc/GMT+12"):
            con.execute(f"SET TimeZone = '{zone}'")
            assert ask(con, "instants", "x <= '2024-03-31 02:30:00+02'") == [(3, 3.0)]
            assert ask(con, "instants", "x > TIMESTAMPTZ '2024-03-31 00:30:00Z'") == [(1, 1.0)]
    finally:
        con.execute("RESET TimeZone")


ASKED = "SELECT 'x < 7 OR x IN (8, 9)' AS predicate"
CALL = f"SELECT actual FROM count_query_error('t', 't', ['x'], 'sa', predicates := $${ASKED}$$)"


def answer_in_a_database_of_its_own() -> object:
    with duckdb.connect() as connection:
        sqlanon.load(connection)
        connection.execute("CREATE TABLE t AS SELECT i % 50 AS x, i % 7 AS sa FROM range(500) AS r(i)")
        return connection.execute(CALL).fetchall()


def test_several_threads_ask_at_once() -> None:
    """Each call has a DuckDB of its own: nothing is shared."""
    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(lambda _: answer_in_a_database_of_its_own(), range(9)))
    assert answers == [[(90,)]] * 9


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_forked_process_asks_after_its_parent_has() -> None:
    script = f"""
import os, duckdb, sqlanon

{inspect.getsource(answer_in_a_database_of_its_own).replace("CALL", repr(CALL))}
assert answer_in_a_database_of_its_own() == [(90,)]
child = os.fork()
assert answer_in_a_database_of_its_own() == [(90,)]
if child:
    assert os.waitpid(child, 0)[1] == 0
else:
    os._exit(0)
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, timeout=120)
