"""Errors: the code survives DuckDB, a hint says what to do, and no data value is ever shown."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest
from connections import TestConnection
from sqlanon.udfs.grouping import partition

from sqlanon import errors

pytestmark = pytest.mark.oldest

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
    "SA303": errors.BadCertificate,
    "SA304": errors.BadSignature,
    "SA401": errors.OutOfMemory,
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


@pytest.fixture(scope="module", autouse=True)
def tables(con: TestConnection) -> None:
    m = MARKER
    con.execute(f"""
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


def provoke(con: TestConnection, sql: str) -> duckdb.Error:
    with pytest.raises(duckdb.Error) as caught:
        con.execute(sql).fetchall()
    return caught.value


@pytest.mark.parametrize("what", PROVOKED)
def test_every_provoked_error_has_its_code_a_hint_and_no_data_value(con: TestConnection, what: str) -> None:
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
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, kernel: str
) -> None:
    def broken(data: object, least: int) -> object:
        if kernel == "crash":
            raise ValueError(MARKER)
        return np.arange(8, dtype=np.int32)

    monkeypatch.setattr(partition, "load_kernel", lambda name: broken)
    monkeypatch.setattr(partition, "warm_up", lambda *arguments, **options: None)
    raised = provoke(con, "FROM kanonymous('secret', ['name'], 2)")
    assert "[SA901]" in str(raised)
    assert MARKER not in str(raised)
    assert isinstance(errors.from_duckdb(raised), errors.BrokenPromise)


EXTREMES = {
    "BIGNUM": ["1" + "0" * 400, "-1" + "0" * 400, "5"],
    "HUGEINT": [str(2**127 - 1), str(-(2**127)), "5"],
    "UHUGEINT": [str(2**128 - 1), "0", "5"],
    "BIGINT": [str(2**63 - 1), str(-(2**63)), "5"],
    "DECIMAL(38, 0)": ["9" * 38, "-" + "9" * 38, "5"],
    "DECIMAL(38, 38)": ["0." + "9" * 38, "-0." + "9" * 38, "0"],
    "DOUBLE": ["1.7e308", "-1.7e308", "5e-324", "nan", "inf", "-inf"],
    "DATE": ["5877642-06-25 (BC)", "5881580-07-10", "infinity", "-infinity"],
    "TIMESTAMP": ["290309-12-22 (BC) 00:00:00", "294247-01-10 04:00:54.775806", "infinity", "-infinity"],
    "TIMESTAMP_NS": ["1677-09-22 00:00:00", "2262-04-11 23:47:16.854775806", "infinity", "-infinity"],
    "TIMESTAMPTZ": ["290309-12-22 (BC) 00:00:00+00", "294247-01-10 04:00:54.775806+00", "infinity"],
    "TIME_NS": ["00:00:00", "23:59:59.999999999"],
    "INTERVAL": ["178956970 years 7 months 2147483647 days 00:00:54.775807", "-178956970 years", "1 day"],
    "ENUM('*', '[a, b]', '{a, b}')": ["*", "[a, b]", "{a, b}"],
}
ANSWERED = (
    "ldiverse('src', ['x', 'q'], 's', 2)",
    "ldiverse('src', ['x', 'q'], 's', 2, nulls := 'wildcard', format := 'typed')",
    "ldiverse('src', ['q'], 'x', 2, algo := 'anatomy', format := 'typed', keep := ['n'])",
    "privacy('src', ['x'], 's', nulls := 'wildcard')",
    "privacy('src', ['q'], 'x')",
    "violations('src', ['x'], 's', k := 9, l := 3, t := 0.1)",
    "risk('src', ['x'])",
    "best_l('src', ['x', 'q'], 's', max_gcp := 1)",
    "frontier('src', ['x', 'q'], 's', l := [2])",
    "info_loss('src', 'rel', ['x', 'q'], sa := 's')",
    "attribute_loss('src', 'typed', ['x', 'q'])",
    "kl_divergence('src', 'rel', ['x', 'q'], 's')",
    "count_query_error('src', 'typed', ['x', 'q'], 's', 2, queries := 9)",
    "estimate('rel', 'SELECT count(*) FROM t WHERE x IS NULL')",
)


@pytest.mark.parametrize("kind", EXTREMES)
def test_no_value_is_beyond_any_function(con: TestConnection, kind: str) -> None:
    con.execute(f"""
        CREATE OR REPLACE TABLE src AS
        SELECT CAST(x AS {kind}) AS x, i % 4 AS s, i % 3 AS q, i AS n
        FROM (SELECT unnest({EXTREMES[kind]} || [NULL]) AS x) AS extremes, range(8) AS r(i);
        CREATE OR REPLACE TABLE rel AS FROM ldiverse('src', ['x', 'q'], 's', 2);
        CREATE OR REPLACE TABLE typed AS FROM ldiverse('src', ['x', 'q'], 's', 2, format := 'typed');
    """)
    for answered in ANSWERED:  # an error of DuckDB would show the value
        assert con.execute(f"SELECT count(*) FROM (SELECT COLUMNS(*)::VARCHAR FROM {answered})").fetchall()


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


@pytest.mark.parametrize(
    "statement",
    [
        "FROM kanonymous('t', ['a'], 0)",
        "FROM kanonymous('t', ['a'], 2, algo := 'it''s {} %s')",
        "CREATE VIEW v AS FROM kanonymous('t', ['a'], 0)",
        "PREPARE p AS FROM kanonymous('t', ['a'], 0)",
        "SELECT sqlanon_explain('kanonymous', {'tbl': 't', 'qi': ['a'], 'k': 0})",
    ],
)
def test_an_error_of_the_planner_begins_with_our_words(con: TestConnection, statement: str) -> None:
    with pytest.raises(duckdb.InvalidInputException) as caught:
        con.execute(statement).fetchall()
    assert str(caught.value).startswith("Invalid Input Error: [SA102] ")
    assert isinstance(errors.from_duckdb(caught.value), errors.InvalidParameter)


REFUSED = {
    "ldiverse('t', ['a'], 'same', 2)": "SA201",
    "ldiverse('t', ['a'], 'same', 2, algo := 'anatomy')": "SA201",
    "kanonymous('t', ['a'], 99)": "SA202",
    "kanonymous('t', ['nested'], 2)": "SA104",
    "taudiverse('t', ['a'], 'same', 0.5, 2)": "SA102",
    "tp_phases('t', ['a'], 'same', 2)": "SA201",
    "randomize('t', {'a': 99})": "SA202",
    "randomize_params('t', {'same': 2})": "SA201",
    "reconstruct('t', 'randomized', ['a'])": "SA301",
    "randomization_privacy('t', 'randomized')": "SA301",
}


@pytest.mark.parametrize("call", REFUSED)
def test_an_error_while_a_statement_runs_begins_with_our_words(con: TestConnection, call: str) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i AS a, 's' AS same, [i] AS nested FROM range(9) AS r(i)")
    con.execute("CREATE OR REPLACE TABLE randomized AS FROM randomize_params('t', {'a': 2})")
    with pytest.raises(duckdb.InvalidInputException) as caught:
        con.execute(f"FROM {call}").fetchall()
    assert str(caught.value).startswith(f"Invalid Input Error: [{REFUSED[call]}] ")
