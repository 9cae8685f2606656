"""violations and assert_private: which classes break a bound, and by how much."""

from __future__ import annotations

import math

import duckdb
import pytest
from connections import TestConnection
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import privacy as oracle
from thorough import examples

from .tables import NULLS, Table, answers, checked, close, load, rows_of, table_of, tables

pytestmark = pytest.mark.oldest

BOUNDS = st.fixed_dictionaries(
    {},
    optional={
        "k": st.integers(1, 6),
        "entropy_l": st.sampled_from([1, 1.5, 2, 3]),
        "t": st.sampled_from([0, 0.25, 0.5, 2 / 3, 1]),
        "l": st.integers(1, 4),
        "distinct_l": st.integers(1, 4),
        "beta": st.sampled_from([0, 0.3, 0.7, 1.5, 4]),
        "delta": st.sampled_from([0, 0.3, 0.9, 2]),
        "c": st.sampled_from([0.5, 1, 1.5, 2, 4]),
    },
).filter(lambda bounds: bounds and ("c" not in bounds or "l" in bounds))


@checked
@given(table=tables(), bounds=BOUNDS, nulls=st.sampled_from(NULLS))
def test_violations_are_the_classes_that_break_a_bound(
    con: TestConnection, table: Table, bounds: dict[str, float], nulls: str
) -> None:
    load(con, table)
    given_bounds = ", ".join(f"{name} := {bound}" for name, bound in bounds.items())
    arguments = f"'t', ['city', 'room'], 'word', {given_bounds}, nulls := '{nulls}'"
    found = answers(con, f"FROM violations({arguments})")
    in_classes = {one.qi: one for one in oracle.classes(rows_of(table, "word"), nulls)}
    expected = oracle.violations(list(in_classes.values()), **bounds)  # type: ignore[arg-type]

    assert {(row["city"], row["room"]): row["broken"] for row in found} == {
        qi: broken for qi, (broken, _) in expected.items()
    }
    for row in found:
        one = in_classes[row["city"], row["room"]]
        assert (row["size"], row["distinct_values"], row["top_count"]) == (one.size, len(one.counts), one.top_count)
        assert row["by_how_much"] == [pytest.approx(by, rel=1e-9) for by in expected[one.qi][1]]

    if expected:
        with pytest.raises(duckdb.Error, match=rf"\[SA302\] {len(expected)} "):
            con.execute(f"SELECT assert_private({arguments})").fetchall()
    else:
        assert con.execute(f"SELECT assert_private({arguments})").fetchall() == [(True,)]


@pytest.mark.parametrize(
    ("bound", "holds", "breaks", "by_how_much"),
    [
        ("k", "k := 5", "k := 6", 1.0),
        ("l", "l := 2.5", "l := 2.6", 0.1),
        ("distinct_l", "distinct_l := 3", "distinct_l := 4", 1.0),
        ("beta", "beta := 0.5", "beta := 0.4", 0.1),
        ("entropy_l", "entropy_l := 2.87", "entropy_l := 3", 3 - 5 / 2 ** (4 / 5)),
        ("t", "t := 0.2667", "t := 0.2666", 4 / 15 - 0.2666),
        ("c", "l := 2, c := 0.6667", "l := 2, c := 0.6666", 2 / 3 - 0.6666),
    ],
)
def test_a_broken_bound_says_by_how_much(
    con: TestConnection, bound: str, holds: str, breaks: str, by_how_much: float
) -> None:
    # of class 1: size 5, size / top_count 5 / 2, exp(entropy) 5 / 2^(4/5), t 4/15, top / tail 2/3
    table = table_of((1, {"a": 2, "b": 2, "c": 1}), (2, {"a": 2, "b": 2, "c": 3, "d": 1, "e": 2}))
    arguments = f"{table}, ['q'], 's'"
    first = f"(SELECT * FROM violations({arguments}, %s) WHERE q = 1)"
    assert con.execute(f"FROM {first % holds}").fetchall() == []
    ((broken, by),) = con.execute(f"SELECT broken, by_how_much FROM {first % breaks}").fetchall()
    assert broken == [bound]
    assert by == [pytest.approx(by_how_much, rel=1e-6)]


@pytest.mark.parametrize(
    ("bound", "passes"),
    [
        ("k := 4", True),
        ("k := 5", False),
        ("l := 2", True),
        ("l := 2.000001", False),
        ("entropy_l := 2", True),
        ("entropy_l := 2.000001", False),
        ("entropy_l := 1.999999", True),
        ("t := 0.5", True),
        ("t := 0.499999", False),
        ("t := 0.500001", True),
        ("l := 2, c := 1", False),  # recursive diversity is strict: top < c * tail
        ("l := 2, c := 1.000001", True),
        ("l := 2, c := 0.999999", False),
        ("distinct_l := 2", True),
        ("distinct_l := 2.1", False),
        ("k := 4, l := 2, entropy_l := 2, t := 0.5", True),
    ],
)
def test_at_just_below_and_just_above_the_measure(con: TestConnection, bound: str, passes: bool) -> None:
    arguments = table_of((1, {"a": 2, "b": 2}), (2, {"c": 2, "d": 2})) + f", ['q'], 's', {bound}"
    found = con.execute(f"SELECT q FROM violations({arguments}) ORDER BY q").fetchall()
    assert found == ([] if passes else [(1,), (2,)])
    if passes:
        assert con.execute(f"SELECT assert_private({arguments})").fetchall() == [(True,)]
    else:
        with pytest.raises(duckdb.Error, match=r"\[SA302\] 2 of its classes"):
            con.execute(f"SELECT assert_private({arguments})").fetchall()


@settings(max_examples=examples(25), deadline=None)
@given(table=tables(least=1))
def test_a_table_holds_what_it_was_measured_to_hold_and_no_more(con: TestConnection, table: Table) -> None:
    load(con, table)
    arguments = "'t', ['city', 'room'], 'word'"
    (found,) = answers(con, f"SELECT k, frequency_l AS l, entropy_l, t FROM privacy({arguments})")
    ((c,),) = con.execute(f"FROM recursive_c({arguments}, 1)").fetchall()
    less, more = ({name: f"{found[name] * scale:.14f}" for name in found} for scale in (1 - 1e-10, 1 + 1e-10))
    held = f"k := {found['k']}, l := greatest(1, {less['l']}), entropy_l := greatest(1, {less['entropy_l']})"
    assert con.execute(f"FROM violations({arguments}, {held}, t := least(1, {more['t']}))").fetchall() == []
    assert con.execute(f"FROM violations({arguments}, l := 1, c := {c * (1 + 1e-10):.14f})").fetchall() == []

    broken = {"k": found["k"] + 1, "l": more["l"], "entropy_l": more["entropy_l"]}
    for name, bound in (broken | ({"t": less["t"]} if found["t"] > 0 else {})).items():
        rows = con.execute(f"SELECT broken FROM violations({arguments}, {name} := {bound})").fetchall()
        assert rows and set(rows[0][0]) == {name}
    assert con.execute(f"FROM violations({arguments}, l := 1, c := {c * (1 - 1e-10):.14f})").fetchall() != []


@pytest.mark.parametrize(("size", "top"), [(10, 3), (7, 3), (20, 7), (23, 12), (1, 1)])
def test_a_bound_of_many_digits_holds_at_equality(con: TestConnection, size: int, top: int) -> None:
    arguments = table_of((1, {0: top} | dict.fromkeys(range(1, size - top + 1), 1))) + ", ['q'], 's'"
    assert con.execute(f"FROM violations({arguments}, l := {size / top!r})").fetchall() == []
    assert con.execute(f"FROM violations({arguments}, l := 1, c := {top / size!r})").fetchall() != []


def test_a_class_that_no_c_can_help_is_infinitely_far_off(con: TestConnection) -> None:
    found = con.execute(
        f"SELECT broken, by_how_much FROM violations({table_of((1, {'a': 1}))}, ['q'], 's', l := 2, c := 100)"
    ).fetchall()
    assert found == [(["l", "c"], [1.0, math.inf])]


def test_all_broken_bounds_are_named_in_one_row(con: TestConnection) -> None:
    table = table_of((1, {"a": 2}), (2, {"a": 1, "b": 1}))
    arguments = f"{table}, ['q'], 's', k := 3, l := 2, entropy_l := 2, t := 0.1, c := 2"
    found = con.execute(f"SELECT q, broken, by_how_much FROM violations({arguments}) ORDER BY q").fetchall()
    assert found == [
        (1, ["k", "l", "entropy_l", "t", "c"], [1.0, 1.0, 1.0, close(0.15), math.inf]),
        (2, ["k", "t"], [1.0, close(0.15)]),
    ]
    with pytest.raises(duckdb.Error, match=r"\[SA302\] 2 of its classes .*\(c, entropy_l, k, l, t\)"):
        con.execute(f"SELECT assert_private({arguments})").fetchall()
