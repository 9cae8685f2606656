"""risk and risk_by_size: one by the size of the class."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from connections import TestConnection
from hypothesis import given
from hypothesis import strategies as st
from oracles import privacy as oracle

from .tables import NULLS, Table, all_close, answers, checked, close, literal, load, rows_of, table_of, tables


@checked
@given(
    table=tables(),
    nulls=st.sampled_from(NULLS),
    entity=st.sampled_from([None, "person"]),
    threshold=st.sampled_from(["0", "0.05", "0.2", "0.25", "0.5", "1"]),
)
def test_risk_is_one_by_the_size_of_the_class(
    con: TestConnection, table: Table, nulls: str, entity: str | None, threshold: str
) -> None:
    load(con, table)
    found = oracle.classes(rows_of(table, "word"), nulls, entity is not None)
    arguments = f"'t', ['city', 'room'], entity := {literal(entity)}, nulls := '{nulls}'"
    (measured,) = answers(con, f"FROM risk({arguments}, threshold := {threshold})")
    assert measured == all_close(oracle.risk(found, Fraction(threshold)))
    by_size = con.execute(f"FROM risk_by_size({arguments})").fetchall()
    assert by_size == [tuple(map(close, row)) for row in oracle.risk_by_size(found)]


@pytest.mark.parametrize("size", [3, 10, 49, 98, 103])
def test_a_risk_that_equals_the_threshold_is_not_above_it(con: TestConnection, size: int) -> None:
    # 49 times the double nearest to 1/49 is below 1
    arguments = table_of((1, {"a": size})) + ", ['q']"
    assert con.execute(f"SELECT above_threshold FROM risk({arguments}, {1 / size!r})").fetchall() == [(0.0,)]
    below = math.nextafter(1 / size, 0)
    assert con.execute(f"SELECT above_threshold FROM risk({arguments}, {below!r}e0)").fetchall() == [(1.0,)]


@checked
@given(table=tables(least=1), nulls=st.sampled_from(NULLS))
def test_a_person_is_counted_once_however_many_classes_they_are_in(
    con: TestConnection, table: Table, nulls: str
) -> None:
    load(con, table)
    judged = [row for row in table if nulls != "exclude" or not any(map(oracle.is_wild, row[:2]))]
    people = len({row[-1] for row in judged})
    arguments = f"'t', ['city', 'room'], entity := 'person', nulls := '{nulls}'"
    assert con.execute(f"SELECT people FROM risk({arguments})").fetchall() == [(people,)]
    by_size = con.execute(f"SELECT coalesce(sum(people), 0), sum(share) FROM risk_by_size({arguments})").fetchall()
    assert by_size == [(people, pytest.approx(1) if people else None)]
