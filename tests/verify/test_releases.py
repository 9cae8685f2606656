"""Cells are measured as they are published, in either format."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import pytest
from connections import TestConnection
from hypothesis import given, settings
from oracles import privacy as oracle
from oracles.privacy import Row
from thorough import examples

from .tables import NULLS, Table, all_close, answers, load, rows_of, tables, text


def frozen(value: Any) -> Hashable:
    """A value that can be a key: typed releases have structs and lists."""
    if isinstance(value, dict):
        return tuple(frozen(item) for item in value.items())
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("form", ["text", "typed"])
@settings(max_examples=examples(12), deadline=None)
@given(table=tables(least=4))
def test_a_release_keeps_what_it_promises_in_either_format(con: TestConnection, form: str, table: Table) -> None:
    load(con, table)
    max_l = oracle.eligibility(rows_of(table, "word"))["max_l"]
    assert isinstance(max_l, int)
    if max_l >= 2:
        con.execute(
            "CREATE OR REPLACE TABLE release AS "
            f"FROM ldiverse('t', ['number', 'city', 'day'], 'word', {max_l}, format := '{form}')"
        )
        measured = check_release(con, ["number", "city", "day"], "word")
        assert measured["frequency_l"] >= max_l
    con.execute(
        f"CREATE OR REPLACE TABLE release AS FROM kanonymous('t', ['number', 'day'], 3, keep := ['word'], "
        f"format := '{form}')"
    )
    assert check_release(con, ["number", "day"], "word")["k"] >= 3
    assert con.execute("SELECT assert_private('release', ['number', 'day'], 'word', k := 3)").fetchall() == [(True,)]


def check_release(con: TestConnection, qi: Sequence[str], sa: str) -> dict[str, Any]:
    """Compare the measures of the table `release`, whatever types it has, with the oracle's."""
    columns = ", ".join([*qi, sa])
    published = con.execute(f"SELECT {columns} FROM release").fetchall()
    classes = oracle.classes([Row(tuple(map(frozen, row[:-1])), row[-1]) for row in published])
    (measured,) = answers(con, f"FROM privacy('release', {list(qi)}, '{sa}')")
    assert measured == all_close(oracle.privacy(classes, ordered=False))
    found = con.execute(f"FROM equivalence_classes('release', {list(qi)}, '{sa}')").fetchall()
    assert {frozen(row[: len(qi)]): row[len(qi)] for row in found} == {one.qi: one.size for one in classes}
    return measured


def test_structs_and_lists_are_equal_as_they_stand_also_as_the_sensitive_attribute(
    con: TestConnection,
) -> None:
    nested = """(FROM (VALUES
        ({'low': 1, 'high': 2}, ['a', 'b'], [1]), ({'low': 1, 'high': 2}, ['a', 'b'], [1, NULL]),
        ({'low': 1, 'high': 2}, ['b', 'a'], NULL), ({'low': 1, 'high': NULL}, NULL, [1]),
        ({'low': 1, 'high': NULL}, NULL, [1])) AS v(span, cities, sa))"""
    (found,) = answers(con, f"FROM privacy({text(nested)}, ['span', 'cities'], 'sa')")
    assert (found["classes"], found["k"], found["distinct_l"], found["alpha"]) == (3, 1, 1, 1.0)
    assert found["t_ordered"] is None
    assert con.execute(f"FROM buckets({text(nested)}, 'sa')").fetchall() == [
        ([1], 3, 0.6, 1), ([1, None], 1, 0.2, 2), (None, 1, 0.2, 3)
    ]  # fmt: skip
    assert found["entropy_l"] == 1.0
    for nulls in NULLS:
        con.execute(f"FROM privacy({text(nested)}, ['span', 'cities'], 'sa', nulls := '{nulls}')").fetchall()
