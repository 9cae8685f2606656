"""Verification without a sensitive attribute: k alone."""

from __future__ import annotations

import duckdb
import pytest
import sqlglot
from connections import TestConnection
from hypothesis import given
from hypothesis import strategies as st
from oracles import privacy as oracle

from sqlanon.statement.planning import plan

from .tables import NULLS, Table, answers, checked, literal, load, rows_of, tables


@checked
@given(
    table=tables(),
    nulls=st.sampled_from(NULLS),
    entity=st.sampled_from([None, "person"]),
    k=st.integers(1, 5),
)
def test_without_a_sensitive_attribute_k_is_checked_alone(
    con: TestConnection, table: Table, nulls: str, entity: str | None, k: int
) -> None:
    load(con, table)
    classes = oracle.classes(rows_of(table, "word"), nulls, entity is not None)
    others = f"entity := {literal(entity)}, nulls := '{nulls}'"
    (measured,) = answers(con, f"FROM privacy('t', ['city', 'room'], {others})")
    known = {name: measure for name, measure in measured.items() if measure is not None}
    expected = oracle.privacy(classes, ordered=False)
    assert known == {name: expected[name] for name in ("rows", "classes", "k") if expected[name] is not None}
    assert list(measured) == list(expected)

    found = con.execute(f"FROM equivalence_classes('t', ['city', 'room'], {others})").fetchall()
    assert len(found) == len(classes)
    assert {(row[0], row[1]): row[2:] for row in found} == {
        one.qi: (one.size, None, None, None, None) for one in classes
    }

    broken = con.execute(f"FROM violations('t', ['city', 'room'], {others}, k := {k})").fetchall()
    small = {one.qi: (one.size, None, None, ["k"], [k - one.size]) for one in classes if one.size < k}
    assert {(row[0], row[1]): row[2:] for row in broken} == small
    check = f"SELECT assert_private('t', ['city', 'room'], {others}, k := {k})"
    if small:
        with pytest.raises(duckdb.Error, match=rf"\[SA302\] {len(small)} .*\(k\)"):
            con.execute(check).fetchall()
    else:
        assert con.execute(check).fetchall() == [(True,)]


@pytest.mark.parametrize("call", ["privacy({})", "equivalence_classes({})", "violations({}, k := 2)"])
def test_columns_are_the_same_with_and_without_a_sensitive_attribute(con: TestConnection, call: str) -> None:
    load(con, [])
    for others in ("", ", entity := 'person'", ", nulls := 'wildcard'"):
        with_it, without = (
            con.execute(f"DESCRIBE FROM {call.format(arguments + others)}").fetchall()
            for arguments in ("'t', ['city'], 'word'", "'t', ['city']")
        )
        assert with_it == without


@pytest.mark.parametrize("function", ["privacy", "equivalence_classes", "violations"])
def test_without_a_sensitive_attribute_no_measure_of_one_is_computed(function: str) -> None:
    bounds = {"k": 2} if function == "violations" else {}
    steps = plan(function, {"tbl": "t", "qi": ["city"], "sa": None, **bounds})
    assert not {"spread", "cells", "classes", "tails"} & {
        cte.alias for cte in sqlglot.parse_one(steps, dialect="duckdb").ctes
    }
