"""columns: what a table holds, and which role each column may have."""

from __future__ import annotations

import re

import pytest
from connections import TestConnection, quote, store

pytestmark = pytest.mark.oldest

ROLES = {"identifier", "quasi-identifier", "sensitive", "other"}
COLUMNS = 'FROM "columns"'


def describe(con: TestConnection, expression: str, name: str = "x", rows: int = 60) -> tuple[object, object]:
    """The looks of a column, and its role; `i` counts the rows."""
    con.execute(f"CREATE OR REPLACE TABLE t AS SELECT {expression} AS {quote(name)} FROM range({rows}) AS numbers(i)")
    ((looks_like, role),) = con.rows(f"SELECT looks_like, role {COLUMNS}('t')")
    return looks_like, role


@pytest.mark.parametrize(
    ("expression", "looks_like", "role"),
    [
        ("'ann.' || i || '@example.org'", "e-mail", "identifier"),
        ("'+44 20 7946 0' || (100 + i)", "phone", "identifier"),
        ("'(030) 55' || (1000 + i)", "phone", "identifier"),
        ("'555-201-' || (1000 + i)", "phone", "identifier"),
        ("'https://example.org/u/' || i", "URL", "identifier"),
        ("'10.0.' || i || '.255'", "IP address", "identifier"),
        ("'2001:db8::' || (1000 + i)", "IP address", "identifier"),
        ("CAST(uuid() AS VARCHAR)", "UUID", "identifier"),
        ("uuid()", "UUID", "identifier"),
        ("'DE89 3704 0044 0532 01' || (10 + i)", "bank account", "identifier"),
        ("'078-05-' || (1000 + i)", "national id", "identifier"),
        ("['4111 1111 1111 1111', '378282246310005', '5555-5555-5555-4444'][1 + i % 3]", "card number", "identifier"),
        ("'Ann' || chr(97 + i::INTEGER % 26) || ' O''Bo' || chr(97 + i::INTEGER // 26)", "name", "identifier"),
        ("'she said that number ' || i || ' is hers'", "free text", "identifier"),
        ("'P-' || (1000 + i)", "code", "identifier"),
        ("i", "number", "identifier"),
        ("i / 7", "number", "other"),
        ("i * 13 % 401", "number", "identifier"),
        ("1990 + i % 5", "number", "quasi-identifier"),
        ("['E11.9', 'I10', 'C50.1', 'J45.20'][1 + i % 4]", "diagnosis code", "sensitive"),
        ("'P-' || i // 2", "category", "identifier"),
        ("'words of five or more are here' || i % 3", "category", "quasi-identifier"),
        ("i % 5", "number", "quasi-identifier"),
        ("CAST(i % 5 AS VARCHAR)", "number", "quasi-identifier"),
        ("DATE '1930-01-01' + CAST(i * 400 AS INTEGER)", "date of birth", "quasi-identifier"),
        ("CAST(DATE '2024-01-01' + CAST(i AS INTEGER) AS VARCHAR)", "date", "quasi-identifier"),
        ("TIMESTAMP '2024-01-01 10:00:00' + to_days(CAST(i AS INTEGER))", "date", "quasi-identifier"),
        ("(i % 28 + 1) || '.12.2024'", "date", "quasi-identifier"),
        ("TIME '10:00:00'+ to_minutes(i)", "time", "quasi-identifier"),
        ("CAST(10000 + i * 3 AS VARCHAR)", "postal code", "quasi-identifier"),
        ("'SW1A ' || i % 10 || 'AA'", "postal code", "quasi-identifier"),
        ("i % 2 = 0", "boolean", "quasi-identifier"),
        ("['New York', 'San Jose'][1 + i % 2]", "category", "quasi-identifier"),
        ("['a', 'b', 'c'][1 + i % 3]::ENUM('a', 'b', 'c')", "category", "quasi-identifier"),
        ("CASE WHEN i % 10 > 0 THEN 'a' || i || '@example.org' ELSE 'unknown' END", "e-mail", "identifier"),
        ("CASE WHEN i % 2 > 0 THEN 'a' || i || '@example.org' END", "e-mail", "identifier"),
        ("7", "number", "other"),
        ("NULL", None, "other"),
        ("{'a': i}", None, "other"),
        ("[i]", None, "other"),
        ("'ab'::BLOB", None, "other"),
    ],
)
def test_values_tell_what_a_column_holds(
    con: TestConnection, expression: str, looks_like: str | None, role: str | None
) -> None:
    assert describe(con, expression) == (looks_like, role)


def test_digits_that_fail_the_check_of_cards_are_no_card_numbers(con: TestConnection) -> None:
    assert describe(con, "'411111111111' || (1000 + i)")[0] == "number"


@pytest.mark.parametrize(
    ("name", "expression", "looks_like", "role"),
    [
        ("age", "20 + i % 50", "age", "quasi-identifier"),
        ("Age", "2000 + i % 50", "number", "quasi-identifier"),
        ("sex", "i % 2", "sex", "quasi-identifier"),
        ("patientGender", "['m', 'f', 'x'][1 + i % 3]", "sex", "quasi-identifier"),
        ("ZIP_code", "10000 + i", "postal code", "quasi-identifier"),
        ("home phone", "5550000 + i", "phone", "identifier"),
        ("birth-date", "DATE '2020-01-01' + CAST(i AS INTEGER)", "date of birth", "quasi-identifier"),
        ("yob", "1950 + i % 40", "date of birth", "quasi-identifier"),
        ("first_name", "['Ann', 'Bob', 'Eve'][1 + i % 3]", "name", "identifier"),
        ("surname", "['Ray', 'Lee'][1 + i % 2]", "name", "identifier"),
        ("country name", "['Peru', 'Chad'][1 + i % 2]", "category", "quasi-identifier"),
        ("street", "i || ' High St'", "address", "identifier"),
        ("SSN", "100000000 + i", "national id", "identifier"),
        ("account", "['savings', 'giro'][1 + i % 2]", "category", "quasi-identifier"),
        ("latitude", "i / 7", "coordinate", "quasi-identifier"),
        ("visit_id", "i // 2", "number", "identifier"),
        ("grid", "i // 2", "number", "quasi-identifier"),
        ("disease", "['flu', 'cold'][1 + i % 2]", "category", "sensitive"),
        ("salary", "i * 100", "number", "sensitive"),
        ("disease", "'she was told that ' || i || ' had it'", "free text", "identifier"),
        ("email", "NULL", None, "identifier"),
        ("age", "CASE WHEN i % 9 > 0 THEN i % 50 ELSE 'nan'::DOUBLE END", "age", "quasi-identifier"),
        ("patient", "i // 3", "person id", "identifier"),
        ("PatientID", "i // 3", "person id", "identifier"),
        ("nr", "i // 3", "person id", "identifier"),
        ("member", "i % 2 = 0", "boolean", "quasi-identifier"),
        ("household_id", "i // 3", "household id", "identifier"),
        ("diagnosis_date", "DATE '2024-01-01' + CAST(i AS INTEGER)", "date", "quasi-identifier"),
        ("created_at", "TIMESTAMP '2024-01-01 10:00:00' + to_days(CAST(i AS INTEGER))", "date", "other"),
        ("age_at_diagnosis", "20 + i % 40", "age", "quasi-identifier"),
        ("job_title", "'Senior Cl' || chr(97 + i::INTEGER % 26) || ' Of'", "category", "quasi-identifier"),
        ("page", "i % 40", "number", "quasi-identifier"),
        ("diagnosis", "NULL", None, "sensitive"),
    ],
)
def test_the_name_decides_where_values_leave_it_open(
    con: TestConnection, name: str, expression: str, looks_like: str | None, role: str
) -> None:
    assert describe(con, expression, name) == (looks_like, role)


def test_counts_are_those_of_quasi_identifiers_and_null_is_a_value(con: TestConnection) -> None:
    store(con, "t", {"a": "INTEGER", "b": "VARCHAR"}, [(1, None), (1, None), (2, "x"), (None, "y")])
    assert con.rows(f"SELECT distinct_values, unique_share {COLUMNS}('t')") == [(3, 0.5), (3, 0.5)]
    con.execute("CREATE OR REPLACE TABLE t AS FROM census(2049, seed := 1)")
    shares = con.rows(f"SELECT \"column\", unique_share {COLUMNS}('t') ORDER BY 1")
    assert shares == con.rows("SELECT columns[1], unique_share FROM quasi_identifiers('t', max_size := 1) ORDER BY 1")


def test_columns_come_in_their_order_with_their_types_and_no_value_is_told(con: TestConnection) -> None:
    names = ["tbl", 'a"b', "c'; --", "value", "place", "_sqlanon_described", "Ω", "count"]
    columns = ", ".join(f"'secret' || i AS {quote(name)}" for name in names)
    con.execute(
        f"CREATE OR REPLACE TABLE t AS SELECT {columns}, 'secret)'::ENUM('secret)', 'other') AS e, "
        "{'a': 'secret', 'b': 'secret'::ENUM('secret', 'x')} AS nested, 1.5 AS d FROM range(3) AS t(i)"
    )
    answers = con.rows(f"{COLUMNS}('t')")
    assert [row[:2] for row in answers] == [
        *((name, "VARCHAR") for name in names),
        ("e", "ENUM"),
        ("nested", "STRUCT(a VARCHAR, b ENUM)"),
        ("d", "DECIMAL(2,1)"),
    ]
    assert "secret" not in str(answers)
    assert {row[5] for row in answers} <= ROLES
    assert all(re.fullmatch(r"[A-Z0-9].*\.", row[6]) for row in answers)


def test_an_empty_table_and_one_row_are_described_without_a_guess_from_counts(con: TestConnection) -> None:
    store(con, "t", {"age": "INTEGER", "mail": "VARCHAR"}, [])
    answers = con.rows(f"{COLUMNS}('t')")
    assert [row[2:6] for row in answers] == [(0, None, None, "quasi-identifier"), (0, None, None, "identifier")]
    store(con, "t", {"x": "INTEGER"}, [])
    assert [row[2:6] for row in con.rows(f"{COLUMNS}('t')")] == [(0, None, None, "other")]
    store(con, "t", {"x": "INTEGER", "mail": "VARCHAR"}, [(7, "a@example.org")])
    answers = con.rows(f"{COLUMNS}('t')")
    assert [row[2:6] for row in answers] == [(1, 1.0, "number", "quasi-identifier"), (1, 1.0, "e-mail", "identifier")]


def test_a_hundred_columns_of_2049_rows_are_described_by_any_number_of_threads(con: TestConnection) -> None:
    wide = ", ".join(f"i % {n + 1} AS c{n}" for n in range(100))
    con.execute(f"CREATE OR REPLACE TABLE t AS SELECT {wide} FROM range(2049) AS t(i)")
    answers = con.rows(f"{COLUMNS}('t')")
    assert [row[2] for row in answers] == list(range(1, 101))
    con.execute("SET threads = 4")
    assert con.rows(f"{COLUMNS}('t')") == answers
    con.execute("SET threads = 1")


def test_our_catalog_has_the_function_for_parsers_that_reserve_its_name(con: TestConnection) -> None:
    store(con, "t", {"age": "INTEGER"}, [(1,)])
    assert con.rows("SELECT type FROM _sqlanon.columns('t')") == [("INTEGER",)]


def test_a_query_with_columns_of_duckdb_is_a_table_and_one_with_ours_is_not(con: TestConnection) -> None:
    store(con, "t", {"ab": "INTEGER", "ac": "INTEGER", "d": "INTEGER"}, [(1, 2, 3)])
    assert con.rows(f"SELECT \"column\" {COLUMNS}('(SELECT COLUMNS(''a.*'') FROM t)')") == [("ab",), ("ac",)]
    for call in ('"columns"', "_sqlanon.columns", "_sqlanon.main.columns"):
        assert "columns cannot be used inside itself" in con.refusal(f"{COLUMNS}('(FROM {call}(''t''))')")


@pytest.mark.parametrize(("tbl", "code"), [("NULL", "SA102"), ("''", "SA102"), ("'t; DROP TABLE t'", "SA103")])
def test_what_is_no_table_is_refused(con: TestConnection, tbl: str, code: str) -> None:
    assert f"[{code}]" in con.refusal(f"{COLUMNS}({tbl})")
