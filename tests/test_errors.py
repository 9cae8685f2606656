"""Errors: the code survives DuckDB, a hint says what to do, and no data value is ever shown."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import numpy as np
import pytest
from sqlanon.udfs import groups as groups_udf

import sqlanon
from sqlanon import errors

MARKER = "Xq7marker"
CODES = {
    "SA101": errors.WrongColumn,
    "SA102": errors.InvalidParameter,
    "SA103": errors.BadTable,
    "SA104": errors.UnsupportedType,
    "SA105": errors.TaxonomyError,
    "SA201": errors.NotEligible,
    "SA202": errors.TooFewRows,
    "SA301": errors.ReleaseMismatch,
    "SA302": errors.NotPrivate,
    "SA901": errors.BrokenPromise,
}
PROVOKED = {
    "a column that is not there": ("SA101", "FROM kanonymous('secret', ['nope'], 2)"),
    "a column in two roles": ("SA101", "FROM ldiverse('secret', ['name'], 'name', 2)"),
    "a group_id": ("SA101", "FROM kanonymous('secret', ['group_id'], 2)"),
    "a taxonomy of no column": ("SA101", "FROM kanonymous('secret', ['name'], 2, taxonomy := {'x': 'levels'})"),
    "a wrong k": ("SA102", "FROM kanonymous('secret', ['name'], 0)"),
    "an unknown algo": ("SA102", "FROM kanonymous('secret', ['name'], 2, algo := 'magic')"),
    "an unknown option": ("SA102", "FROM kanonymous('secret', ['name'], 2, options := {'a': 1})"),
    "an empty qi": ("SA102", "FROM kanonymous('secret', [], 2)"),
    "a text for qi": ("SA102", "FROM kanonymous('secret', 'name', 2)"),
    "a recode that hides nothing": ("SA102", "FROM kanonymous('secret', ['name'], 2, recode := 'none')"),
    "two statements": ("SA103", "FROM kanonymous('secret; DROP TABLE secret', ['name'], 2)"),
    "a list": ("SA104", "FROM kanonymous('secret', ['list'], 2)"),
    "a struct": ("SA104", "FROM kanonymous('secret', ['struct'], 2)"),
    "a list of enums": ("SA104", "FROM kanonymous('secret', ['enums'], 2)"),
    "a struct of enums": ("SA104", "FROM ldiverse('secret', ['name'], 'enum_struct', 2)"),
    "a missing leaf": ("SA105", "FROM kanonymous('secret', ['name'], 2, taxonomy := {'name': 'short'})"),
    "a leaf twice": ("SA105", "FROM kanonymous('secret', ['name'], 2, taxonomy := {'name': 'forked'})"),
    "two roots": ("SA105", "FROM kanonymous('secret', ['name'], 2, taxonomy := {'name': 'split'})"),
    "a NULL label": ("SA105", "FROM kanonymous('secret', ['name'], 2, taxonomy := {'name': 'holes'})"),
    "an empty taxonomy": ("SA105", "FROM kanonymous('secret', ['name'], 2, taxonomy := {'name': 'empty'})"),
    "a frequent value": ("SA201", "FROM ldiverse('secret', ['name'], 'disease', 3)"),
    "too few rows": ("SA202", "FROM kanonymous('secret', ['name'], 100)"),
    "no rows": ("SA202", "FROM kanonymous('(FROM secret WHERE FALSE)', ['name'], 2)"),
}
WITHOUT_HINT = {"a taxonomy of no column", "a leaf twice", "two roots", "an empty taxonomy"}
"""The message alone says what to do."""


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = sqlanon.connect()
    m = MARKER
    connection.execute(f"""
        CREATE TABLE secret AS SELECT
            '{m}' || i AS name, '{m}' AS disease, ['{m}'] AS list, {{'x': '{m}'}} AS struct,
            ['{m}'::ENUM('{m}', 'other')] AS enums, {{'x': '{m}'::ENUM('{m}', 'o)')}} AS enum_struct,
            1 AS group_id
        FROM range(8) AS r(i);
        CREATE TABLE levels AS SELECT name, '{m}' AS top FROM secret;
        CREATE TABLE short AS FROM levels LIMIT 5;
        CREATE TABLE forked AS SELECT name, '{m}' || (rowid % 2) AS mid, '{m}' AS top FROM secret
            UNION ALL SELECT name, '{m}x', '{m}' FROM secret LIMIT 9;
        CREATE TABLE split AS SELECT name, '{m}' || rowid FROM secret;
        CREATE TABLE holes AS SELECT name, NULL AS mid, '{m}' AS top FROM secret;
        CREATE TABLE empty AS FROM levels WHERE FALSE;
    """)
    yield connection
    connection.close()


def provoke(con: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Error:
    with pytest.raises(duckdb.Error) as caught:
        con.execute(sql).fetchall()
    return caught.value


@pytest.mark.parametrize("what", PROVOKED)
def test_every_provoked_error_has_its_code_a_hint_and_no_data_value(con: duckdb.DuckDBPyConnection, what: str) -> None:
    code, sql = PROVOKED[what]
    raised = provoke(con, sql)
    assert MARKER not in str(raised)
    said = str(raised).partition("\n\n")[0]  # below, DuckDB repeats the user's statement, and 1.4 shows a stack
    assert f"[{code}]" in said
    ours = errors.from_duckdb(raised)
    assert type(ours) is CODES[code]
    assert said.rstrip().endswith((".", "?"))
    sentences = said.partition(f"[{code}] ")[2].rstrip(".").split(". ")
    assert len(sentences) >= (1 if what in WITHOUT_HINT else 2), "what is wrong, and what to do"


@pytest.mark.parametrize("kernel", ["small", "crash"])
def test_a_broken_promise_shows_no_data_value(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, kernel: str
) -> None:
    def broken(data: object, least: int) -> object:
        if kernel == "crash":
            raise ValueError(MARKER)
        return np.arange(8, dtype=np.int32)

    monkeypatch.setattr(groups_udf, "load_kernel", lambda name: broken)
    monkeypatch.setattr(groups_udf, "warm_up", lambda partition, algo: None)
    raised = provoke(con, "FROM kanonymous('secret', ['name'], 2)")
    assert "[SA901]" in str(raised)
    assert MARKER not in str(raised)
    assert isinstance(errors.from_duckdb(raised), errors.BrokenPromise)


@pytest.mark.parametrize("code", CODES)
def test_from_duckdb_finds_every_code_in_any_wrapping(code: str) -> None:
    for text in (
        f"[{code}] what is wrong. What to do.",
        f"Invalid Input Error: Python exception occurred while executing the UDF: [{code}] what is wrong. What to do.",
        f"Invalid Input Error: [{code}] what is wrong. What to do.\n\nLINE 1: FROM kanonymous(…)\n        ^",
    ):
        cause = duckdb.InvalidInputException(text)
        found = errors.from_duckdb(cause)
        assert type(found) is CODES[code]
        assert found.code == code
        assert str(found) == f"[{code}] what is wrong. What to do."
        assert found.__cause__ is cause


def test_from_duckdb_leaves_duckdb_s_own_errors_alone() -> None:
    for text in ("Catalog Error: Table with name t does not exist!", "[SA999] not ours", "SA101", "[XX101] no", ""):
        assert errors.from_duckdb(duckdb.Error(text)) is None


def test_every_error_class_has_one_code_and_all_are_public() -> None:
    classes = [cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.SqlanonError)]
    codes = {cls.code: cls for cls in classes if cls is not errors.SqlanonError}
    assert codes == CODES
    assert {cls.__name__ for cls in classes} <= set(errors.__all__)
