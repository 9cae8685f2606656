"""estimate against DuckDB on the source, type by type.

A release of single values (k = 1) hides nothing: estimate, lower and upper are DuckDB's count, however a constant is
written, or the query is refused. Of groups (k = 3), the bounds hold DuckDB's count.
"""

from __future__ import annotations

import math
from typing import Any

import duckdb
import pytest
from connections import TestConnection

pytestmark = pytest.mark.slow

WHOLE = ["-5", "0", "7", "7", "10", "9", "100"]
POSITIVE = ["0", "7", "7", "9", "10", "100"]
FLOATING = ["0.1", "0.1", "-1.5", "7", "16777216", "'inf'", "'-inf'", "'nan'", "1e20"]
EXACT = ["0.1", "0.1", "-1.5", "7", "10"]
CLOCK = ["'05:00:00'", "'10:00:00'", "'10:00:00.25'"]
MOMENTS = ["'2024-06-01 05:00:00'", "'2024-06-01'", "'2024-03-31 01:30:00'", "'1969-12-31 23:59:59'"]
NUMBERS = {
    **dict.fromkeys(["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "BIGNUM"], WHOLE),
    **dict.fromkeys(["UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"], POSITIVE),
    **dict.fromkeys(["FLOAT", "DOUBLE"], FLOATING),
    **dict.fromkeys(["DECIMAL(4, 1)", "DECIMAL(38, 20)"], EXACT),
}
TIMES = {
    "DATE": ["'2024-06-01'", "'2024-05-31'", "'0044-03-15 (BC)'", "'infinity'", "'-infinity'", "'1969-12-31'"],
    "TIMESTAMP": [*MOMENTS, "'infinity'", "'-infinity'", "'2024-06-01 05:00:00.123456'", "'3000-01-01 00:00:00'"],
    "TIMESTAMP_S": MOMENTS,
    "TIMESTAMP_MS": MOMENTS,
    "TIMESTAMP_NS": MOMENTS,
    "TIMESTAMPTZ": [
        *["'2024-06-01 05:00:00'", "'2024-06-01 05:00:00+00'", "'2024-06-01'", "'2024-03-31 03:30:00'"],
        *["'2024-10-27 00:30:00+00'", "'2024-10-27 01:30:00+00'", "'infinity'"],
    ],
}
CATEGORIES = {
    "VARCHAR": ["'a'", "'B'", "'ä'", "'10'", "'2024-06-01'", "'true'"],
    "ENUM('b', 'a', 'C')": ["'a'", "'b'"],
    "BOOLEAN": ["true", "false"],
    "UUID": ["'00000000-0000-0000-0000-00000000000a'", "'ffffffff-0000-0000-0000-00000000000a'"],
    "TIME": CLOCK,
    "TIME_NS": CLOCK,
    "INTERVAL": ["'1 month'", "'1 day'", "'05:00:00'"],
}
COLUMNS = {**NUMBERS, **TIMES, **CATEGORIES}

OF_NUMBERS = [
    *["7", "7.0", "7e0", "0.1", "1e-1", "0.10", "0.1000000001", "0.10000000000000000001", "-1.5", "-15e-1"],
    *["16777217", "1e20", "10", "1e300", "'7'", "'9'", "'10'", "'07'", "'0.1'", "'7.0'", "true"],
]
OF_TIMES = [
    *["DATE '2024-06-01'", "DATE '2024-06-01 05:00:00'", "'2024-06-01'", "'2024-06-01 05:00:00'", "'2024-6-1'"],
    *["TIMESTAMP '2024-06-01 05:00:00'", "TIMESTAMP '2024-06-01'", "TIMESTAMP '2024-03-31 02:30:00'"],
    *["TIMESTAMP '2024-06-01 05:00:00.1234567'", "TIMESTAMP '3000-01-01 00:00:00.000001'"],
    *["TIMESTAMP_S '2024-06-01 05:00:00.7'", "TIMESTAMP_MS '2024-06-01 05:00:00'", "'2024-10-27 02:30:00'"],
    *["TIMESTAMPTZ '2024-06-01 05:00:00'", "TIMESTAMPTZ '2024-06-01 05:00:00+02'", "'2024-06-01 05:00:00+02'"],
    "'2024-06-01T05:00:00Z'",
]
ROUNDED = {
    *["'2024-6-1'", "TIMESTAMP_S '2024-06-01 05:00:00.7'", "TIMESTAMP '3000-01-01 00:00:00.000001'"],
}
OF_CATEGORIES = [
    *["'a'", "'A'", "'b'", "'9'", "'10'", "true", "'true'", "'t'", "'1'", "'05:00:00'", "'5:00'", "'10:00:00.250'"],
    *["'2024-06-01'", "'1 day'", "'30 days'", "'24:00:00'", "'00000000-0000-0000-0000-00000000000a'"],
    "'00000000-0000-0000-0000-00000000000A'",
]
CONSTANTS = {
    **dict.fromkeys(NUMBERS, OF_NUMBERS),
    **dict.fromkeys(TIMES, OF_TIMES),
    **dict.fromkeys(CATEGORIES, OF_CATEGORIES),
}
ANSWERED = {
    **{kind: {"7", "10", "1e300"} for kind in NUMBERS},
    **{kind: {"DATE '2024-06-01'", "'2024-06-01'", "TIMESTAMP '2024-06-01 05:00:00'"} for kind in TIMES},
    "TIMESTAMPTZ": {*OF_TIMES} - ROUNDED,
    "VARCHAR": {*OF_CATEGORIES} - {"true"},
    "ENUM('b', 'a', 'C')": {"'a'", "'A'", "'b'"},
    "BOOLEAN": {"true", "'true'"},
    "UUID": {"'00000000-0000-0000-0000-00000000000a'"},
}
"""What must not be refused, in any format."""

Answer = tuple[Any, ...]


@pytest.fixture(scope="module", autouse=True)
def time_zone(con: TestConnection) -> None:
    con.execute("SET TimeZone = 'Europe/Berlin'")


def publish(con: TestConnection, kind: str, k: int, format: str) -> None:
    values = " UNION ALL ".join(f"SELECT CAST({value} AS {kind}) AS x" for value in [*COLUMNS[kind], "NULL"])
    con.execute(f"CREATE OR REPLACE TABLE src AS {values}")
    con.execute(f"CREATE OR REPLACE TABLE rel AS FROM kanonymous('src', ['x'], {k}, format := '{format}')")


def counts(con: TestConnection, query: str) -> tuple[int, Answer] | str | None:
    """DuckDB's answer and ours; the code of a refusal; None if DuckDB does not answer either."""
    try:
        [(actual,)] = con.execute(query).fetchall()
    except duckdb.Error:
        return None
    try:
        [answer] = con.execute(f"FROM estimate('rel', $query${query}$query$, {{'x': NULL}})").fetchall()
    except duckdb.Error as error:
        return next((code for code in ("[SA102]", "[SA301]") if code in str(error)), str(error))
    return actual, answer


@pytest.mark.oldest
@pytest.mark.parametrize("format", ["text", "typed"])
@pytest.mark.parametrize("kind", COLUMNS)
def test_single_values_are_compared_as_duckdb_compares_them(con: TestConnection, kind: str, format: str) -> None:
    publish(con, kind, 1, format)
    answered = set()
    for constant in CONSTANTS[kind]:
        for comparison in ("=", "<" if format == "text" else ">="):
            found = counts(con, f"SELECT count(*) FROM src WHERE x {comparison} {constant}")
            if isinstance(found, tuple):
                actual, answer = found
                assert answer == (actual, actual, actual), f"x {comparison} {constant}"
                answered.add(constant)
            else:
                assert found in (None, "[SA102]", "[SA301]"), f"x {comparison} {constant}"
    assert answered >= ANSWERED.get(kind, set())


@pytest.mark.parametrize("format", ["text", "typed"])
@pytest.mark.parametrize("kind", COLUMNS)
def test_the_bounds_of_groups_hold_what_duckdb_counts(con: TestConnection, kind: str, format: str) -> None:
    try:
        publish(con, kind, 3, format)
    except duckdb.Error as error:
        assert "[SA202]" in str(error)
        return
    for number, constant in enumerate(CONSTANTS[kind]):
        # either comparison of a constant in one format, the other one in the other
        comparison = "=" if (number + (format == "text")) % 2 else "<="
        found = counts(con, f"SELECT count(*) FROM src WHERE x {comparison} {constant}")
        if isinstance(found, tuple):
            actual, (_, lower, upper) = found
            assert lower <= actual <= upper, f"x {comparison} {constant}"
        else:
            assert found in (None, "[SA102]", "[SA301]"), f"x {comparison} {constant}"


@pytest.mark.oldest
@pytest.mark.parametrize("format", ["text", "typed"])
@pytest.mark.parametrize("kind", COLUMNS)
def test_single_values_are_grouped_as_duckdb_groups_them(con: TestConnection, kind: str, format: str) -> None:
    publish(con, kind, 1, format)
    query = "SELECT x, count(*) FROM src GROUP BY x"
    expected = con.execute(f"SELECT CAST(x AS VARCHAR), n, n, n FROM ({query}) AS t(x, n)").fetchall()
    found = con.execute(f"SELECT CAST(x AS VARCHAR), * EXCLUDE (x) FROM estimate('rel', '{query}')").fetchall()
    if kind.startswith("DECIMAL"):  # comes as DOUBLE
        expected, found = ([(row[0] and float(row[0]), *row[1:]) for row in rows] for rows in (expected, found))
    assert sorted(found, key=str) == sorted(expected, key=str)


@pytest.mark.parametrize("format", ["text", "typed"])
@pytest.mark.parametrize("aggregate", ["sum", "avg"])
@pytest.mark.parametrize("kind", NUMBERS)
def test_single_values_are_added_as_duckdb_adds_them(
    con: TestConnection, kind: str, aggregate: str, format: str
) -> None:
    publish(con, kind, 1, format)
    for condition in ("TRUE", "x > 5 AND x < 1000", "x < 0 OR x = 7", "x IS NULL"):
        query = f"SELECT {aggregate}(x) FROM src WHERE {condition}"
        [(actual,)] = con.execute(query.replace("(x)", "(CAST(x AS DOUBLE))")).fetchall()
        known = actual is not None and math.isfinite(actual)
        answers = con.execute(f"FROM estimate('rel', '{query}')").fetchall()
        assert answers == [(pytest.approx(actual),) * 3 if known else (None, None, None)], condition


def test_a_float_is_compared_with_a_double_as_a_double(con: TestConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE rel AS SELECT {'lo': x, 'hi': x} AS x FROM (SELECT 0.1::FLOAT AS x FROM range(4))"
    )
    ask = "FROM estimate('rel', 'SELECT count(*) FROM s WHERE {}')"
    assert con.rows(ask.format("x > 1e-1")) == [(4, 4, 4)]
    assert con.rows(ask.format("x > 0.1")) == [(0, 0, 0)]
    assert con.rows(ask.format("x = 0.1 AND x > 0.05e0")) == [(4, 4, 4)]
    assert con.rows(ask.format("x IN (0.1, 5)")) == [(4, 4, 4)]
    assert con.rows(ask.format("x IN (0.1, 5e0)")) == [(0, 0, 0)]
    assert con.rows(ask.format("x BETWEEN 0.05 AND 0.1")) == [(4, 4, 4)]
    assert con.rows(ask.format("x BETWEEN 5e-2 AND 0.1")) == [(0, 0, 0)]
    assert "[SA102]" in con.refusal(ask.format("x = 0.1 OR x = 1e-1"))
    assert "[SA102]" in con.refusal(ask.format("x = 0.1 OR x = 0.1000000001"))


def test_moments_are_read_in_the_time_zone_of_the_session(con: TestConnection) -> None:
    hours = "SELECT TIMESTAMPTZ '2024-06-01 00:00:00+00' + INTERVAL 1 HOUR * i AS x FROM range(9) AS r(i)"
    con.execute(f"CREATE OR REPLACE TABLE src AS {hours}")
    for format in ("text", "typed"):
        con.execute("SET TimeZone = 'America/New_York'")
        con.execute(f"CREATE OR REPLACE TABLE rel AS FROM kanonymous('src', ['x'], 1, format := '{format}')")
        for zone in ("Europe/Berlin", "UTC", "Asia/Kolkata"):
            con.execute(f"SET TimeZone = '{zone}'")
            for condition in (
                "x < TIMESTAMP '2024-06-01 05:00'",
                "x < '2024-06-01 05:00'",
                "x <= '2024-06-01T03:00:00Z'",
            ):
                found = counts(con, f"SELECT count(*) FROM src WHERE {condition}")
                assert isinstance(found, tuple)
                assert found[1] == (found[0],) * 3, (zone, condition)
    con.execute("SET TimeZone = 'Europe/Berlin'")


def test_moments_that_a_clock_change_turns_round_are_refused(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT '2024-03-31 01:15:00+00' AS x")
    # 02:30 does not exist: DuckDB takes it for 03:30, which is after 03:10
    between = "x > TIMESTAMP '2024-03-31 02:30' AND x < TIMESTAMP '2024-03-31 03:10'"
    assert "[SA102]" in con.refusal(f"FROM estimate('rel', $$SELECT count(*) FROM s WHERE {between}$$)")
    mixed = "x > '2024-03-31 02:30+02' AND x < '2024-03-31 03:10'"
    assert "[SA102]" in con.refusal(f"FROM estimate('rel', $$SELECT count(*) FROM s WHERE {mixed}$$)")


@pytest.mark.parametrize("format", ["text", "typed"])
def test_offsets_that_are_printed_without_their_seconds_are_refused(con: TestConnection, format: str) -> None:
    con.execute("CREATE OR REPLACE TABLE src AS SELECT TIMESTAMPTZ '1850-01-01 00:00:00+00' AS x")
    con.execute(f"CREATE OR REPLACE TABLE rel AS FROM kanonymous('src', ['x'], 1, format := '{format}')")
    assert counts(con, "SELECT count(*) FROM src WHERE x = '1850-01-01 00:00:00+00'") == "[SA102]"


@pytest.mark.parametrize("x", ["DATE '2024-06-01'", "TIMESTAMP '2024-06-01 05:00'", "'2024-06-01'"])
def test_an_offset_needs_a_column_that_has_one(con: TestConnection, x: str) -> None:
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT {x} AS x")
    for constant in ("'2024-06-01 05:00+02'", "TIMESTAMPTZ '2024-06-01 05:00'"):
        assert "[SA102]" in con.refusal(f"FROM estimate('rel', $$SELECT count(*) FROM s WHERE x < {constant}$$)")


def test_a_column_of_nulls_without_a_type_is_one_of_nulls(con: TestConnection) -> None:
    rel = "(SELECT NULL AS x)"
    for query, answer in {
        "SELECT x, count(*) FROM s GROUP BY x": (None, 1.0, 1, 1),
        "SELECT count(*) FROM s WHERE x IS NULL": (1.0, 1, 1),
        "SELECT count(*) FROM s WHERE x = 1": (0.0, 0, 0),
    }.items():
        assert con.execute(f"FROM estimate('{rel}', '{query}')").fetchall() == [answer]


@pytest.mark.skipif(duckdb.__version__.startswith("1."), reason="there is no VARIANT before DuckDB 2.0")
@pytest.mark.parametrize("query", ["SELECT x, count(*) FROM s GROUP BY x", "SELECT count(*) FROM s WHERE x = 1"])
def test_variants_are_refused(con: TestConnection, query: str) -> None:
    assert "[SA104] column 'x' has type VARIANT" in con.refusal(f"FROM estimate('(SELECT 1::VARIANT AS x)', '{query}')")


@pytest.mark.skipif(duckdb.__version__.startswith("1."), reason="there is no VARIANT before DuckDB 2.0")
@pytest.mark.parametrize("query", ["SELECT x, count(*) FROM s GROUP BY x", "SELECT count(*) FROM s WHERE x = 1"])
def test_variants_are_refused_beside_params_too(con: TestConnection, query: str) -> None:
    con.execute("CREATE OR REPLACE TABLE single AS SELECT i % 5 AS x FROM range(30) AS r(i)")
    con.execute("CREATE OR REPLACE TABLE single_params AS FROM randomize_params('single', {'x': 2})")
    con.execute("CREATE OR REPLACE TABLE single_lists AS SELECT x FROM randomize('single', {'x': 2}, seed := 1)")
    for rel in ("(SELECT x::VARIANT AS x FROM single_lists)", "(SELECT 1::VARIANT AS x FROM single_lists)"):
        refused = con.refusal(f"FROM estimate('{rel}', '{query}', params := 'single_params')")
        assert "[SA104] column 'x' has type VARIANT" in refused
