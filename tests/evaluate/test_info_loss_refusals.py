"""Refusals of info_loss and attribute_loss: no message holds a data value."""

from __future__ import annotations

import pytest
from connections import Row, TestConnection, store

from .losses import PATIENTS, table


@pytest.fixture
def patients(con: TestConnection) -> None:
    table(con, "t", "age INTEGER, city VARCHAR, sa VARCHAR", *PATIENTS)


@pytest.mark.parametrize("function", ["info_loss", "attribute_loss"])
def test_a_release_with_more_rows_than_its_source_is_refused(
    con: TestConnection, patients: None, function: str
) -> None:
    message = con.refusal(f"FROM {function}('t', '(FROM t UNION ALL FROM t)', ['age'])")
    assert "[SA301] rel has more rows than src." in message


@pytest.mark.parametrize("function", ["info_loss", "attribute_loss"])
def test_a_column_that_is_missing_is_named(con: TestConnection, patients: None, function: str) -> None:
    con.execute("CREATE OR REPLACE TABLE ages AS SELECT age FROM t")
    message = con.refusal(f"FROM {function}('t', 'ages', ['age', 'city'])")
    assert "[SA301] there is no column 'city' in rel." in message
    message = con.refusal(f"FROM {function}('ages', 't', ['age', 'city'])")
    assert "[SA101] there is no column 'city' in src." in message


def test_a_sensitive_column_that_is_missing_is_named(con: TestConnection, patients: None) -> None:
    con.execute("CREATE OR REPLACE TABLE ages AS SELECT age FROM t")
    assert "[SA301] there is no column 'sa' in rel." in con.refusal("FROM info_loss('t', 'ages', ['age'], sa := 'sa')")
    assert "[SA101] there is no column 'sa' in src." in con.refusal("FROM info_loss('ages', 't', ['age'], sa := 'sa')")


def test_of_a_column_that_neither_table_has_the_source_s_error_is_told(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE many AS SELECT i AS age FROM range(5000) AS r(i)")
    con.execute("SET threads = 4")
    for _ in range(10):  # whichever was read first used to win
        assert "[SA101]" in con.refusal("FROM info_loss('many', 'many', ['age', 'nowhere'])")
    con.execute("SET threads = 1")


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("age", "4711"), ("age", "[4711, 4712]"), ("age", "22"), ("age", "[60, 20]"), ("age", "[21, 24]"),
        ("age", "secret4711"), ("age", "[20, 25, 4711]"), ("age", "[20, ]"), ("age", None), ("age", ""),
        ("city", "secret4711"), ("city", "[a, b]"), ("city", ""), ("city", "A"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("function", ["info_loss", "attribute_loss"])
def test_a_value_outside_the_domain_is_refused_and_not_shown(
    con: TestConnection, patients: None, function: str, column: str, cell: str | None
) -> None:
    table(con, "r", f"{column} VARCHAR", (cell,))
    message = con.refusal(f"FROM {function}('t', 'r', ['{column}'])")
    assert f"[SA301] column '{column}' of rel has a value that lies outside the domain of src." in message
    assert "4711" not in message


@pytest.mark.parametrize(
    ("column", "kind", "cell"),
    [
        ("age", "STRUCT(lo INTEGER, hi INTEGER)", {"lo": 4711, "hi": 4712}),
        ("age", "STRUCT(lo INTEGER, hi INTEGER)", {"lo": 20, "hi": None}),
        ("age", "STRUCT(lo INTEGER, hi INTEGER)", {"lo": None, "hi": 20}),
        ("age", "VARCHAR[]", ["20", "4711"]),
        ("city", "VARCHAR[]", ["4711"]),
        ("city", "VARCHAR[]", ["a", "4711"]),
        ("city", "VARCHAR[]", ["a", "b", "c", "4711"]),
        ("city", "VARCHAR[]", ["a", "c", "4711"]),
        ("age", "VARCHAR[]", ["20", None]),
        ("city", "VARCHAR[]", []),
    ],
)
def test_a_typed_value_outside_the_domain_is_refused_and_not_shown(
    con: TestConnection, patients: None, column: str, kind: str, cell: object
) -> None:
    store(con, "r", {column: kind}, [(cell,)])
    message = con.refusal(f"FROM info_loss('t', 'r', ['{column}'])")
    assert f"[SA301] column '{column}' of rel" in message
    assert "4711" not in message


def test_a_sensitive_value_outside_the_domain_is_refused_and_not_shown(con: TestConnection, patients: None) -> None:
    lists = ["secret4711"], ["flu", "secret4711"], ["flu", None]
    for cell in ("secret4711", None, "{flu, secret4711}", "{flu, NULL}", "{}", *lists):
        kind = "VARCHAR[]" if isinstance(cell, list) else "VARCHAR"
        table(con, "r", f"age VARCHAR, sa {kind}", ("20", cell))
        message = con.refusal("FROM info_loss('t', 'r', ['age'], sa := 'sa')")
        assert "[SA301] column 'sa' of rel" in message
        assert "4711" not in message


@pytest.mark.parametrize("label", ["secret4711", "B", "", None])
def test_a_label_that_the_taxonomy_does_not_know_is_refused_and_not_shown(
    con: TestConnection, label: str | None
) -> None:
    store(con, "levels", {f"l{i}": "VARCHAR" for i in range(4)}, [("a", "A", "A", "*"), ("c", "C", "C", "*")])
    table(con, "t", "town VARCHAR", ("a",), ("c",))
    table(con, "r", "town VARCHAR", (label,))
    message = con.refusal("FROM info_loss('t', 'r', ['town'], taxonomy := {'town': 'levels'})")
    assert "[SA301] column 'town' of rel" in message
    assert "4711" not in message


@pytest.mark.parametrize(
    ("paths", "problem"),
    [
        ([("a", "*"), ("b", "*")], "does not cover the data"),
        ([], "is empty"),
        ([("a", "A", "*"), ("c", "A", "*"), ("c", "C", "*")], "is not a tree: one label of level 0 lies below two"),
        ([("a", "A", "X", "*"), ("c", "A", "Y", "*")], "is not a tree: one label of level 1 lies below two"),
        ([("a", "A"), ("c", "C")], "is not a tree: its last level has more than one value"),
        ([("a", None, "*"), ("c", "C", "*")], "is not a tree: a label is NULL"),
    ],
)
@pytest.mark.parametrize("function", ["info_loss", "attribute_loss"])
def test_a_taxonomy_that_is_wrong_is_refused(
    con: TestConnection, function: str, paths: list[Row], problem: str
) -> None:
    store(con, "levels", {f"l{i}": "VARCHAR" for i in range(len((paths or [(0, 0)])[0]))}, paths)
    table(con, "t", "town VARCHAR", ("a",), ("c",))
    table(con, "r", "town VARCHAR", ("a",), ("c",))
    message = con.refusal(f"FROM {function}('t', 'r', ['town'], taxonomy := {{'town': 'levels'}})")
    assert f"[SA105] the taxonomy of column 'town' {problem}" in message


def test_a_nested_column_has_no_loss(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT {'secret4711': 1} AS q")
    message = con.refusal("FROM info_loss('t', 't', ['q'])")
    assert "[SA104] column 'q' has type STRUCT, which cannot be" in message
    assert "4711" not in message


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("'t', 't', 'age'", "SA102"),
        ("'t', 't', []", "SA102"),
        ("'t', 't', NULL", "SA102"),
        ("'t', 't', [1]", "SA102"),
        ("NULL, 't', ['age']", "SA102"),
        ("'t', NULL, ['age']", "SA102"),
        ("5, 't', ['age']", "SA102"),
        ("'t', 't', ['age'], taxonomy := 'levels'", "SA102"),
        ("'t', 't', ['age'], taxonomy := {'age': 5}", "SA102"),
        ("'t', 't', ['age'], taxonomy := {'city': 'levels'}", "SA101"),
        ("'t', 't', ['age', 'AGE']", "SA101"),
        ("'t; DROP TABLE t', 't', ['age']", "SA103"),
        ("'t', 't WHERE age > 1', ['age']", "SA103"),
        ("'t', 'DELETE FROM t', ['age']", "SA103"),
        ("'t', '(', ['age']", "SA103"),
        ("'t', 't', ['age'], taxonomy := {'age': 'levels; SELECT 1'}", "SA103"),
    ],
)
@pytest.mark.parametrize("function", ["info_loss", "attribute_loss"])
def test_wrong_arguments_are_refused(
    con: TestConnection, patients: None, function: str, arguments: str, code: str
) -> None:
    assert f"[{code}]" in con.refusal(f"FROM {function}({arguments})")
    assert con.execute("SELECT count(*) FROM t").fetchall() == [(5,)]


def test_a_wrong_sensitive_attribute_is_refused(con: TestConnection, patients: None) -> None:
    for sa, code in (("5", "SA102"), ("['sa', 'city']", "SA102"), ("'age'", "SA101"), ("['sa', 'sa']", "SA102")):
        assert f"[{code}]" in con.refusal(f"FROM info_loss('t', 't', ['age'], sa := {sa})")
