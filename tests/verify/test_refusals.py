"""Refusals of the verification functions: no message holds a data value."""

from __future__ import annotations

import duckdb
import pytest
from connections import TestConnection

from .tables import load


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("SA101", "privacy('t', ['nowhere'], 'word')"),
        ("SA101", "privacy('t', ['city'], 'nothing')"),
        ("SA101", "privacy('t', ['city'], ['word', 'nothing'])"),
        ("SA101", "privacy('t', ['city', 'City'], 'word')"),
        ("SA101", "privacy('t', ['city', 'word'], 'word')"),
        ("SA101", "privacy('t', ['city'], 'word', entity := 'nobody')"),
        ("SA101", "equivalence_classes('t', ['nowhere'], 'word')"),
        ("SA101", "violations('t', ['nowhere'], 'word', k := 2)"),
        ("SA101", "recursive_c('t', ['nowhere'], 'word', 2)"),
        ("SA101", "risk('t', ['nowhere'])"),
        ("SA101", "risk('t', ['city', 'CITY'])"),
        ("SA101", "risk_by_size('t', ['rowid'])"),
        ("SA101", "eligibility('t', 'nothing')"),
        ("SA101", "eligible_c('t', 'nothing', 2)"),
        ("SA101", "buckets('t', 'nothing')"),
        ("SA101", "k_anonymity('t', ['nowhere'])"),
        ("SA102", "violations('t', ['city'], 'word')"),
        ("SA102", "violations('t', ['city'], 'word', c := 2)"),
        ("SA102", "violations('t', ['city'], 'word', k := 0)"),
        ("SA102", "violations('t', ['city'], 'word', k := 'two')"),
        ("SA102", "violations('t', ['city'], 'word', k := true)"),
        ("SA102", "violations('t', ['city'], 'word', l := 0)"),
        ("SA102", "violations('t', ['city'], 'word', l := 'nan'::DOUBLE)"),
        ("SA102", "violations('t', ['city'], 'word', entropy_l := 0.5)"),
        ("SA102", "violations('t', ['city'], 'word', t := 1.01)"),
        ("SA102", "violations('t', ['city'], 'word', t := -0.01)"),
        ("SA102", "violations('t', ['city'], 'word', l := 2, c := -1)"),
        ("SA102", "recursive_c('t', ['city'], 'word', NULL)"),
        ("SA102", "recursive_c('t', ['city'], 'word', 0)"),
        ("SA102", "recursive_c('t', ['city'], 'word', 2.5)"),
        ("SA102", "eligible_c('t', 'word', 2.5)"),
        ("SA102", "violations('t', ['city'], 'word', k := 2.5)"),
        ("SA102", "violations('t', ['city'], 'word', l := 2.5, c := 1)"),
        ("SA102", "risk('t', ['city'], threshold := NULL)"),
        ("SA102", "eligible_c('t', 'word', NULL)"),
        ("SA102", "privacy('t', ['city'], 'word', nulls := 'ignore')"),
        ("SA102", "privacy('t', ['city'], 'word', nulls := NULL)"),
        ("SA102", "privacy('t', [], 'word')"),
        ("SA102", "privacy('t', 'city', 'word')"),
        ("SA102", "recursive_c('t', ['city'], NULL, 2)"),
        ("SA102", "violations('t', ['city'])"),
        ("SA102", "violations('t', ['city'], l := 2)"),
        ("SA102", "violations('t', ['city'], k := 2, entropy_l := 2)"),
        ("SA102", "violations('t', ['city'], k := 2, t := 0.5)"),
        ("SA102", "violations('t', ['city'], NULL, 2, 2, c := 2)"),
        ("SA101", "privacy('t', ['city'], taxonomy := {'word': 'words'})"),
        ("SA102", "privacy('t', ['city'], [])"),
        ("SA102", "privacy(NULL, ['city'], 'word')"),
        ("SA102", "risk('t', ['city'], threshold := 2)"),
        ("SA102", "risk('t', ['city'], threshold := -1)"),
        ("SA103", "privacy('t; DROP TABLE t', ['city'], 'word')"),
        ("SA103", "risk('DELETE FROM t', ['city'])"),
        ("SA103", "eligibility('t AS other, t', 'word')"),
        ("SA103", "buckets('(DROP TABLE t)', 'word')"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_code(con: TestConnection, code: str, call: str) -> None:
    load(con, [("Paris", 1, "gout", 1, None, 1)])
    with pytest.raises(duckdb.Error, match=rf"\[{code}\]") as raised:
        con.execute(f"FROM {call}").fetchall()
    assert "Paris" not in str(raised.value) and "gout" not in str(raised.value)
    assert con.execute("SELECT count(*) FROM t").fetchall() == [(1,)]


def test_assert_private_refuses_what_violations_refuses(con: TestConnection) -> None:
    load(con, [("Paris", 1, "gout", 1, None, 1)])
    for code, bound in {"SA101": "k := 2, entity := 'nobody'", "SA102": "c := 2"}.items():
        with pytest.raises(duckdb.Error, match=rf"\[{code}\]"):
            con.execute(f"SELECT assert_private('t', ['city'], 'word', {bound})").fetchall()


def test_what_broke_a_bound_is_said_without_a_data_value(con: TestConnection) -> None:
    load(con, [("Paris", 1, "gout", 1, None, 1)])
    with pytest.raises(duckdb.Error, match=r"\[SA302\] 1 .*\(k\)") as raised:
        con.execute("SELECT assert_private('t', ['city'], 'word', k := 2)").fetchall()
    assert "Paris" not in str(raised.value) and "gout" not in str(raised.value)
