"""What a table promises: every verification function against the plain-Python oracle, and by hand at the edges."""

from __future__ import annotations

import datetime
import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import duckdb
import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st
from lent import Lent
from oracles import privacy as oracle
from oracles.privacy import Row

from sqlanon.planner import plan

NULLS = ("value", "wildcard", "exclude")
SENSITIVE = {"word": False, "number": True, "day": True}
"""The sensitive attributes of a random table, and whether their values have an order to be far apart in."""

Table = list[tuple[Any, ...]]

checked = settings(max_examples=40, deadline=None)


def tables(least: int = 0) -> st.SearchStrategy[Table]:
    """Few values of each column, so that classes and ties are common; NULL among them, and the star of a release."""
    columns = st.tuples(
        st.sampled_from([None, "*", "a", "b"]),
        st.sampled_from([None, 1, 2]),
        st.sampled_from([None, "", "flu", "gout", "Flu"]),
        st.sampled_from([None, -3, 0, 5, 6, 1000]),
        st.sampled_from([None, datetime.date(1999, 12, 31), datetime.date(2020, 2, 29), datetime.date(2000, 1, 1)]),
        st.sampled_from([None, 1, 2, 3, 4, 5]),
    )
    return st.lists(columns, min_size=least, max_size=30)


def load(con: Lent, table: Table) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE t (city VARCHAR, room INTEGER, word VARCHAR, number INTEGER, day DATE, person INTEGER)"
    )
    if table:
        places = ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(table))
        con.execute(f"INSERT INTO t VALUES {places}", [cell for row in table for cell in row])


def rows_of(table: Table, sensitive: str) -> list[Row]:
    place = ["city", "room", *SENSITIVE].index(sensitive)
    return [Row(row[:2], row[place], row[-1]) for row in table]


def answers(con: Lent, sql: str) -> list[dict[str, Any]]:
    result = con.execute(sql)
    names = [column[0] for column in result.description]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def literal(value: object) -> str:
    """A value of an argument as SQL."""
    return "NULL" if value is None else f"'{value}'" if isinstance(value, str) else repr(value)


def close(measure: Any) -> Any:
    """Equal up to rounding; a count, a text and NULL exactly."""
    if isinstance(measure, Fraction | float):
        return pytest.approx(float(measure), rel=1e-12, abs=0)
    return measure


def all_close(measures: dict[str, Any]) -> dict[str, Any]:
    return {name: close(measure) for name, measure in measures.items()}


def frozen(value: Any) -> Hashable:
    """A value that can be a key: typed releases have structs and lists."""
    if isinstance(value, dict):
        return tuple(frozen(item) for item in value.items())
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


# every function against the oracle


@checked
@given(table=tables(), nulls=st.sampled_from(NULLS))
def test_privacy_measures_the_weakest_class(con: Lent, table: Table, nulls: str) -> None:
    load(con, table)
    found = answers(con, f"FROM privacy('t', ['city', 'room'], ['word', 'number', 'day'], nulls := '{nulls}')")
    assert [row.pop("sa") for row in found] == list(SENSITIVE)
    for row, (sensitive, ordered) in zip(found, SENSITIVE.items(), strict=True):
        assert row == all_close(oracle.privacy(oracle.classes(rows_of(table, sensitive), nulls), ordered))


@checked
@given(table=tables(), nulls=st.sampled_from(NULLS))
def test_an_entity_is_counted_once_in_sizes_and_not_in_distributions(con: Lent, table: Table, nulls: str) -> None:
    load(con, table)
    (found,) = answers(con, f"FROM privacy('t', ['city', 'room'], 'number', entity := 'person', nulls := '{nulls}')")
    by_person = oracle.privacy(oracle.classes(rows_of(table, "number"), nulls, by_person=True), ordered=True)
    by_row = oracle.privacy(oracle.classes(rows_of(table, "number"), nulls), ordered=True)
    counted = ("k", "frequency_l", "alpha")
    assert found == all_close(by_row | {name: by_person[name] for name in counted})


@checked
@given(table=tables(), nulls=st.sampled_from(NULLS), entity=st.sampled_from([None, "person"]))
def test_equivalence_classes_are_the_distinct_quasi_identifiers(
    con: Lent, table: Table, nulls: str, entity: str | None
) -> None:
    load(con, table)
    found = con.execute(
        f"FROM equivalence_classes('t', ['city', 'room'], 'word', entity := {literal(entity)}, nulls := '{nulls}')"
    ).fetchall()
    expected = {
        one.qi: [one.size, len(one.counts), one.top_count, close(one.entropy), close(one.t)]
        for one in oracle.classes(rows_of(table, "word"), nulls, entity is not None)
    }
    assert len(found) == len(expected)
    assert {(city, room): measures for city, room, *measures in found} == expected


@checked
@given(table=tables(), l=st.integers(1, 5), nulls=st.sampled_from(NULLS), entity=st.sampled_from([None, "person"]))
def test_recursive_c_is_the_infimum_over_all_classes(
    con: Lent, table: Table, l: int, nulls: str, entity: str | None
) -> None:
    load(con, table)
    found = con.execute(
        f"FROM recursive_c('t', ['city', 'room'], 'word', {l}, entity := {literal(entity)}, nulls := '{nulls}')"
    ).fetchall()
    expected = oracle.recursive_c(oracle.classes(rows_of(table, "word"), nulls, entity is not None), l)
    assert found == [(close(expected),)]


BOUNDS = st.fixed_dictionaries(
    {},
    optional={
        "k": st.integers(1, 6),
        "entropy_l": st.sampled_from([1, 1.5, 2, 3]),
        "t": st.sampled_from([0, 0.25, 0.5, 2 / 3, 1]),
        "l": st.integers(1, 4),
        "c": st.sampled_from([0.5, 1, 1.5, 2, 4]),
    },
).filter(lambda bounds: bounds and ("c" not in bounds or "l" in bounds))


@checked
@given(table=tables(), bounds=BOUNDS, nulls=st.sampled_from(NULLS))
def test_violations_are_the_classes_that_break_a_bound(
    con: Lent, table: Table, bounds: dict[str, float], nulls: str
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


@checked
@given(
    table=tables(),
    nulls=st.sampled_from(NULLS),
    entity=st.sampled_from([None, "person"]),
    k=st.integers(1, 5),
)
def test_without_a_sensitive_attribute_k_is_checked_alone(
    con: Lent, table: Table, nulls: str, entity: str | None, k: int
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
def test_columns_are_the_same_with_and_without_a_sensitive_attribute(con: Lent, call: str) -> None:
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


@checked
@given(
    table=tables(),
    nulls=st.sampled_from(NULLS),
    entity=st.sampled_from([None, "person"]),
    threshold=st.sampled_from(["0", "0.05", "0.2", "0.25", "0.5", "1"]),
)
def test_risk_is_one_by_the_size_of_the_class(
    con: Lent, table: Table, nulls: str, entity: str | None, threshold: str
) -> None:
    load(con, table)
    found = oracle.classes(rows_of(table, "word"), nulls, entity is not None)
    arguments = f"'t', ['city', 'room'], entity := {literal(entity)}, nulls := '{nulls}'"
    (measured,) = answers(con, f"FROM risk({arguments}, threshold := {threshold})")
    assert measured == all_close(oracle.risk(found, Fraction(threshold)))
    by_size = con.execute(f"FROM risk_by_size({arguments})").fetchall()
    assert by_size == [tuple(map(close, row)) for row in oracle.risk_by_size(found)]


@pytest.mark.parametrize("size", [3, 10, 49, 98, 103])
def test_a_risk_that_equals_the_threshold_is_not_above_it(con: Lent, size: int) -> None:
    # 49 times the double nearest to 1/49 is below 1
    arguments = table_of((1, {"a": size})) + ", ['q']"
    assert con.execute(f"SELECT above_threshold FROM risk({arguments}, {1 / size!r})").fetchall() == [(0.0,)]
    below = math.nextafter(1 / size, 0)
    assert con.execute(f"SELECT above_threshold FROM risk({arguments}, {below!r}e0)").fetchall() == [(1.0,)]


@checked
@given(table=tables(least=1), nulls=st.sampled_from(NULLS))
def test_a_person_is_counted_once_however_many_classes_they_are_in(con: Lent, table: Table, nulls: str) -> None:
    load(con, table)
    judged = [row for row in table if nulls != "exclude" or not any(map(oracle.is_wild, row[:2]))]
    people = len({row[-1] for row in judged})
    arguments = f"'t', ['city', 'room'], entity := 'person', nulls := '{nulls}'"
    assert con.execute(f"SELECT people FROM risk({arguments})").fetchall() == [(people,)]
    by_size = con.execute(f"SELECT coalesce(sum(people), 0), sum(share) FROM risk_by_size({arguments})").fetchall()
    assert by_size == [(people, pytest.approx(1) if people else None)]


@checked
@given(table=tables(), sensitive=st.sampled_from(list(SENSITIVE)), l=st.integers(1, 5))
def test_eligibility_eligible_c_and_buckets_look_at_the_table_as_a_whole(
    con: Lent, table: Table, sensitive: str, l: int
) -> None:
    load(con, table)
    rows = rows_of(table, sensitive)
    assert answers(con, f"FROM eligibility('t', '{sensitive}')") == [oracle.eligibility(rows)]
    assert answers(con, f"FROM eligible_c('t', '{sensitive}', {l})") == [all_close(oracle.eligible_c(rows, l))]
    found = con.execute(f"FROM buckets('t', '{sensitive}')").fetchall()
    assert found == [tuple(map(close, row)) for row in oracle.buckets(rows)]


@settings(max_examples=10, deadline=None)
@given(table=tables(), sensitive=st.sampled_from(list(SENSITIVE)))
def test_each_measure_under_its_own_name(con: Lent, table: Table, sensitive: str) -> None:
    load(con, table)
    found = oracle.classes(rows_of(table, sensitive))
    all_of_it = oracle.privacy(found, SENSITIVE[sensitive])
    distance = all_of_it["t_ordered" if SENSITIVE[sensitive] else "t"]
    arguments = f"'t', ['city', 'room'], '{sensitive}'"
    expected = {
        "k_anonymity('t', ['city', 'room'])": {"k": all_of_it["k"]},
        f"alpha_k_anonymity({arguments})": {"alpha": all_of_it["alpha"], "k": all_of_it["k"]},
        f"l_diversity({arguments})": {"l": all_of_it["distinct_l"]},
        f"entropy_l_diversity({arguments})": {"l": all_of_it["entropy_l"]},
        f"recursive_c_l_diversity({arguments}, 2)": {"c": oracle.recursive_c(found, 2)},
        f"basic_beta_likeness({arguments})": {"beta": all_of_it["basic_beta"]},
        f"enhanced_beta_likeness({arguments})": {"beta": all_of_it["enhanced_beta"]},
        f"t_closeness({arguments})": {"t": distance},
        f"delta_disclosure({arguments})": {"delta": all_of_it["delta_disclosure"]},
    }
    for call, measures in expected.items():
        assert answers(con, f"FROM {call}") == [all_close(measures)], call


# releases


@pytest.mark.parametrize("form", ["text", "typed"])
@settings(max_examples=12, deadline=None)
@given(table=tables(least=4))
def test_a_release_keeps_what_it_promises_in_either_format(con: Lent, form: str, table: Table) -> None:
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


def check_release(con: Lent, qi: Sequence[str], sa: str) -> dict[str, Any]:
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
    con: Lent,
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


def text(sql: str) -> str:
    """SQL as a text literal of SQL."""
    return "'" + sql.replace("'", "''") + "'"


def table_of(*groups: tuple[object, dict[object, int]]) -> str:
    """A table with columns q and s: for each class, how often it has each sensitive value."""
    rows = [f"({literal(q)}, {literal(s)})" for q, counts in groups for s, n in counts.items() for _ in range(n)]
    return text(f"(FROM (VALUES {', '.join(rows)}) AS v(q, s))")


def measures(con: Lent, table: str, more: str = "") -> dict[str, Any]:
    (found,) = answers(con, f"FROM privacy({table}, ['q'], 's'{more})")
    return found


# what a popular checker gets wrong


def test_recursive_c_divides_the_most_frequent_value_by_the_tail(con: Lent) -> None:
    table = table_of((1, {"a": 8, "b": 1, "c": 1}))
    assert con.execute(f"FROM recursive_c({table}, ['q'], 's', 3)").fetchall() == [(8.0,)]
    assert con.execute(f"FROM recursive_c({table}, ['q'], 's', 2)").fetchall() == [(4.0,)]
    assert con.execute(f"FROM recursive_c({table}, ['q'], 's', 1)").fetchall() == [(0.8,)]


def test_recursive_c_is_null_where_a_class_has_fewer_than_l_values(con: Lent) -> None:
    table = table_of((1, {"a": 1, "b": 1, "c": 1}), (2, {"a": 1, "b": 1}))
    assert con.execute(f"FROM recursive_c({table}, ['q'], 's', 3)").fetchall() == [(None,)]
    assert con.execute(f"FROM recursive_c_l_diversity({table}, ['q'], 's', 2)").fetchall() == [(1.0,)]


def test_a_unique_row_with_a_null_quasi_identifier_counts(con: Lent) -> None:
    table = table_of((1, {"a": 2, "b": 2}), (None, {"a": 1}))
    assert con.execute(f"FROM k_anonymity({table}, ['q'])").fetchall() == [(1,)]
    assert measures(con, table)["k"] == 1
    assert measures(con, table, ", nulls := 'wildcard'")["k"] == 5
    assert measures(con, table, ", nulls := 'exclude'")["k"] == 4


@pytest.mark.parametrize("values", [1, 2, 3, 5, 7, 49])
@pytest.mark.parametrize("times", [1, 3])
def test_entropy_of_equally_frequent_values_is_their_number_exactly(con: Lent, values: int, times: int) -> None:
    table = table_of((1, dict.fromkeys(range(values), times)))
    assert measures(con, table)["entropy_l"] == values
    assert con.execute(f"FROM entropy_l_diversity({table}, ['q'], 's')").fetchall() == [(values,)]
    assert con.execute(f"SELECT assert_private({table}, ['q'], 's', entropy_l := {values})").fetchall() == [(True,)]


def test_entropy_is_exact_where_values_are_halved_and_halved_again(con: Lent) -> None:
    # 1/2 and four times 1/8: two bits
    table = table_of((1, {"a": 4, "b": 1, "c": 1, "d": 1, "e": 1}))
    assert measures(con, table)["entropy_l"] == 4
    assert con.execute(f"SELECT assert_private({table}, ['q'], 's', entropy_l := 4)").fetchall() == [(True,)]


def test_enhanced_beta_is_the_largest_rise_where_every_share_stays_below_its_limit(
    con: Lent,
) -> None:
    # of all, a is 5/10 and b is 5/10; each rises to 3/5, by 1/5, which is below -ln(1/2)
    found = measures(con, table_of((1, {"a": 3, "b": 2}), (2, {"a": 2, "b": 3})))
    assert (found["basic_beta"], found["enhanced_beta"]) == (0.2, 0.2)


def test_enhanced_beta_is_null_where_a_share_rises_beyond_its_own_limit(con: Lent) -> None:
    # a rises from 8/11 to 8/9, by 2/9, below -ln(8/11) = 0.318; c from 2/11 to 1, by 9/2. -ln(1/11) of b is no excuse
    table = table_of((1, {"a": 8, "b": 1}), (2, {"c": 2}))
    assert measures(con, table)["basic_beta"] == 4.5
    assert measures(con, table)["enhanced_beta"] is None
    assert con.execute(f"FROM enhanced_beta_likeness({table}, ['q'], 's')").fetchall() == [(None,)]


def test_every_share_has_a_limit_of_its_own(con: Lent) -> None:
    # a rises from 3/4 to 19/20, by 4/15, below its limit, -ln(3/4) = 0.288; b from 1/4 to 9/20, by 4/5: it has room
    below = table_of((1, {"a": 19, "b": 1}), (2, {"a": 11, "b": 9}))
    assert measures(con, below)["enhanced_beta"] == pytest.approx(4 / 5)
    beyond = table_of((1, {"a": 39, "b": 1}), (2, {"a": 21, "b": 19}))  # a to 39/40, by 3/10
    assert measures(con, beyond)["enhanced_beta"] is None
    assert measures(con, beyond)["basic_beta"] == pytest.approx(9 / 10)


def test_enhanced_beta_is_0_where_no_share_rises(con: Lent) -> None:
    # shares of thirds and sevenths, which are rounded alike
    for counts in ({"a": 1}, {"a": 1, "b": 2}, {"a": 3, "b": 4, "c": 14}):
        found = measures(con, table_of((1, counts), (2, {value: 3 * n for value, n in counts.items()})))
        assert (found["basic_beta"], found["enhanced_beta"], found["delta_disclosure"]) == (0, 0, 0)


def test_a_class_of_one_value_is_beyond_any_limit_however_common_the_value(con: Lent) -> None:
    # 1 / p - 1 is above -ln p by half its square only
    table = text("(SELECT i < 9 AS q, i = 99_999 AS s FROM range(100_000) AS r(i))")
    assert measures(con, table)["basic_beta"] == pytest.approx(9 / 99_991, rel=1e-12)
    assert measures(con, table)["enhanced_beta"] is None


def test_delta_disclosure_is_infinite_where_a_class_lacks_a_value(con: Lent) -> None:
    assert measures(con, table_of((1, {"a": 1, "b": 1}), (2, {"a": 2})))["delta_disclosure"] == math.inf
    complete = table_of((1, {"a": 1, "b": 1}), (2, {"a": 1, "b": 3}))
    assert measures(con, complete)["delta_disclosure"] == pytest.approx(math.log(3 / 2))


def test_delta_disclosure_is_as_large_for_a_value_made_rare_as_for_one_made_frequent(
    con: Lent,
) -> None:
    # a is 11/30 of all and 1/10 of the first class
    table = table_of((1, {"a": 1, "b": 9}), (2, {"a": 10, "b": 10}))
    assert measures(con, table)["delta_disclosure"] == pytest.approx(math.log(11 / 3))


@settings(max_examples=25, deadline=None)
@given(
    counts=st.lists(
        st.fixed_dictionaries({2: st.integers(1, 6), 3: st.integers(1, 6), 10: st.integers(1, 6)}),
        min_size=1,
        max_size=4,
    )
)
def test_measures_are_finite_where_every_class_has_every_value(con: Lent, counts: list[dict[object, int]]) -> None:
    classes = oracle.classes([Row((q,), s) for q, of in enumerate(counts) for s, n in of.items() for _ in range(n)])
    found = measures(con, table_of(*enumerate(counts)))
    # of shares that are equal, a difference is nothing but rounding
    assert found == {
        name: pytest.approx(float(measure), rel=1e-12, abs=1e-15) if isinstance(measure, Fraction | float) else measure
        for name, measure in oracle.privacy(classes, ordered=True).items()
    }
    assert math.isfinite(found["delta_disclosure"])


def test_the_distance_of_numbers_grows_with_the_steps_between_them(con: Lent) -> None:
    # salaries of 3 … 11 thousand, the example of the t-closeness paper: {3, 4, 5} and {6, 8, 11} against all nine
    table = table_of((1, {3: 1, 4: 1, 5: 1}), (2, {6: 1, 8: 1, 11: 1}), (3, {7: 1, 9: 1, 10: 1}))
    assert measures(con, table)["t_ordered"] == pytest.approx(0.375)
    (second,) = con.execute(f"FROM equivalence_classes({table}, ['q'], 's') SELECT t_distance WHERE q = 2").fetchall()
    assert second == (pytest.approx(2 / 3),)


def test_a_class_of_both_ends_is_far_though_its_average_is_in_the_middle(con: Lent) -> None:
    # Running shares of the table: 1/8, 2/8, 6/8, 7/8, 1; of the first class: 1/2 until the last.
    # The last two lean, and their averages are half a place from the table's; no other average is that far.
    table = table_of((1, {1: 5, 9: 5}), (2, {5: 10}), (3, {5: 5, 6: 5}), (4, {4: 5, 5: 5}))
    assert measures(con, table)["t_ordered"] == (3 / 8 + 2 / 8 + 2 / 8 + 3 / 8) / 4


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), lean=st.sampled_from([0, 1, 5, 40]), per_class=st.sampled_from([1, 3, 30]))
def test_the_farthest_class_is_found_among_many(con: Lent, seed: int, lean: int, per_class: int) -> None:
    random = Random(seed)
    rows = [(q, random.randrange(40) + lean * (q % 3)) for q in range(20) for _ in range(random.randint(1, per_class))]
    table = text("(FROM (VALUES " + ", ".join(map(str, rows)) + ") AS v(q, s))")
    expected = oracle.privacy(oracle.classes([Row((q,), s) for q, s in rows]), ordered=True)
    (found,) = answers(con, f"FROM privacy({table}, ['q'], 's')")
    assert found == all_close(expected)


def test_a_hundred_thousand_distinct_numbers_are_measured_in_time(con: Lent) -> None:
    # evens against odds: every other running difference is 1/n, the others 0
    (found,) = answers(con, "FROM privacy('(SELECT i % 2 AS q, i AS s FROM range(100_000) AS r(i))', ['q'], 's')")
    assert found["t_ordered"] == pytest.approx(50_000 / 100_000 / 99_999)


# bounds


@pytest.mark.parametrize(
    ("bound", "holds", "breaks", "by_how_much"),
    [
        ("k", "k := 5", "k := 6", 1.0),
        ("l", "l := 2.5", "l := 2.6", 0.1),
        ("entropy_l", "entropy_l := 2.87", "entropy_l := 3", 3 - 5 / 2 ** (4 / 5)),
        ("t", "t := 0.2667", "t := 0.2666", 4 / 15 - 0.2666),
        ("c", "l := 2, c := 0.6667", "l := 2, c := 0.6666", 2 / 3 - 0.6666),
    ],
)
def test_a_broken_bound_says_by_how_much(con: Lent, bound: str, holds: str, breaks: str, by_how_much: float) -> None:
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
        ("k := 4, l := 2, entropy_l := 2, t := 0.5", True),
    ],
)
def test_at_just_below_and_just_above_the_measure(con: Lent, bound: str, passes: bool) -> None:
    arguments = table_of((1, {"a": 2, "b": 2}), (2, {"c": 2, "d": 2})) + f", ['q'], 's', {bound}"
    found = con.execute(f"SELECT q FROM violations({arguments}) ORDER BY q").fetchall()
    assert found == ([] if passes else [(1,), (2,)])
    if passes:
        assert con.execute(f"SELECT assert_private({arguments})").fetchall() == [(True,)]
    else:
        with pytest.raises(duckdb.Error, match=r"\[SA302\] 2 of its classes"):
            con.execute(f"SELECT assert_private({arguments})").fetchall()


@settings(max_examples=25, deadline=None)
@given(table=tables(least=1))
def test_a_table_holds_what_it_was_measured_to_hold_and_no_more(con: Lent, table: Table) -> None:
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
def test_a_bound_of_many_digits_holds_at_equality(con: Lent, size: int, top: int) -> None:
    arguments = table_of((1, {0: top} | dict.fromkeys(range(1, size - top + 1), 1))) + ", ['q'], 's'"
    assert con.execute(f"FROM violations({arguments}, l := {size / top!r})").fetchall() == []
    assert con.execute(f"FROM violations({arguments}, l := 1, c := {top / size!r})").fetchall() != []


def test_a_class_that_no_c_can_help_is_infinitely_far_off(con: Lent) -> None:
    found = con.execute(
        f"SELECT broken, by_how_much FROM violations({table_of((1, {'a': 1}))}, ['q'], 's', l := 2, c := 100)"
    ).fetchall()
    assert found == [(["l", "c"], [1.0, math.inf])]


def test_all_broken_bounds_are_named_in_one_row(con: Lent) -> None:
    table = table_of((1, {"a": 2}), (2, {"a": 1, "b": 1}))
    arguments = f"{table}, ['q'], 's', k := 3, l := 2, entropy_l := 2, t := 0.1, c := 2"
    found = con.execute(f"SELECT q, broken, by_how_much FROM violations({arguments}) ORDER BY q").fetchall()
    assert found == [
        (1, ["k", "l", "entropy_l", "t", "c"], [1.0, 1.0, 1.0, close(0.15), math.inf]),
        (2, ["k", "t"], [1.0, close(0.15)]),
    ]
    with pytest.raises(duckdb.Error, match=r"\[SA302\] 2 of its classes .*\(c, entropy_l, k, l, t\)"):
        con.execute(f"SELECT assert_private({arguments})").fetchall()


# edges


def test_an_empty_table_has_no_rows_and_null_measures(con: Lent) -> None:
    load(con, [])
    found = measures(con, "'(SELECT 1 AS q, 2 AS s WHERE false)'")
    assert (found.pop("rows"), found.pop("classes")) == (0, 0)
    assert set(found.values()) == {None}
    arguments = "'t', ['city', 'room'], 'word'"
    assert con.execute(f"FROM equivalence_classes({arguments})").fetchall() == []
    assert con.execute(f"FROM recursive_c({arguments}, 2)").fetchall() == [(None,)]
    assert con.execute(f"FROM violations({arguments}, k := 2)").fetchall() == []
    assert con.execute(f"SELECT assert_private({arguments}, k := 2)").fetchall() == [(True,)]
    assert con.execute("FROM risk('t', ['city'])").fetchall() == [(0, 0, None, None, None, None, 0)]
    assert con.execute("FROM risk_by_size('t', ['city'])").fetchall() == []
    assert con.execute(
        "SELECT \"rows\", distinct_values, top_count, max_l FROM eligibility('t', 'word')"
    ).fetchall() == [(0, 0, None, None)]
    assert con.execute("FROM eligible_c('t', 'word', 2)").fetchall() == [(0, 0, None, None)]
    assert con.execute("FROM buckets('t', 'word')").fetchall() == []
    assert con.execute("FROM k_anonymity('t', ['city'])").fetchall() == [(None,)]


HOSTILE = [
    "select", "a b", 'double"quote', "semi;colon", "Ünï", "qi_1", "value", "person", "class", "size", "n", "given",
    "keys", "people", "place", "tbl", "*", "rowid", "entropy", "l",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_columns_may_have_any_name(con: Lent, name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    qi, sa = f"(SELECT a AS {quoted}, b AS other FROM ", f"(SELECT a AS other, b AS {quoted} FROM "
    rows = "(VALUES (1, 'x'), (1, 'y'), (2, 'x')) AS v(a, b))"
    plain = measures(con, text("(SELECT a AS q, b AS s FROM " + rows))
    assert answers(con, f"FROM privacy({text(qi + rows)}, [{text(name)}], 'other')") == [plain]
    assert answers(con, f"FROM privacy({text(sa + rows)}, ['other'], {text(name)})") == [plain]
    (first, *_) = answers(con, f"FROM equivalence_classes({text(qi + rows)}, [{text(name)}], 'other')")
    assert next(iter(first)) == name
    found = con.execute(f"FROM violations({text(qi + rows)}, [{text(name)}], 'other', k := 2)").fetchall()
    assert found == [(2, 1, 1, 1, ["k"], [1.0])]


def test_names_are_found_in_any_case_and_printed_as_given(con: Lent) -> None:
    load(con, [("a", 1, "flu", 1, None, 1)])
    (found,) = answers(con, "FROM equivalence_classes('T', ['CITY'], 'Word')")
    assert (found["CITY"], found["size"]) == ("a", 1)


def test_tables_may_be_views_ctes_and_selects(con: Lent) -> None:
    load(con, [("a", 1, "flu", 1, None, 1), ("a", 1, "gout", 2, None, 1)])
    con.execute("CREATE OR REPLACE VIEW seen AS FROM t")
    sql = "SELECT k, distinct_l FROM privacy(%s, ['city'], 'word')"
    for tbl in ("'t'", "'seen'", "'main.t'", "'(SELECT city, word FROM t)'"):
        assert con.execute(sql % tbl).fetchall() == [(2, 2)]
    assert con.execute(f"WITH cte AS (FROM t LIMIT 1) {sql % text('cte')}").fetchall() == [(1, 1)]


def test_answers_of_several_tables_can_be_joined_by_union(con: Lent) -> None:
    load(con, [("a", 1, "flu", 1, None, 1), ("a", 1, "gout", 2, None, 1), ("b", 1, "flu", 2, None, 2)])
    found = con.execute("""
        SELECT 'word' AS sa, * FROM eligibility('t', 'word')
        UNION ALL SELECT 'number', * FROM eligibility('(FROM t WHERE city = ''a'')', 'number')
        UNION ALL SELECT 'room', * FROM eligibility('t', 'room')
        ORDER BY sa
    """).fetchall()
    assert found == [("number", 2, 2, 1, 2, 2), ("room", 3, 1, 3, 1, 2), ("word", 3, 2, 2, 1, 2)]


def test_adult_salaries_allow_no_diversity_and_no_c_below_four(con: Lent) -> None:
    (salaries,) = answers(con, "FROM eligibility('adult()', 'salary-class')")
    assert (salaries["max_l"], salaries["optimal_l"]) == (1, 2)
    (eligible,) = answers(con, "FROM eligible_c('adult()', 'salary-class', 2)")
    assert eligible["min_c"] == 4
    (known,) = answers(con, "FROM eligibility('(FROM adult() WHERE occupation IS NOT NULL)', 'occupation')")
    assert known["max_l"] == 7


# errors


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
def test_a_wrong_argument_is_refused_with_its_code(con: Lent, code: str, call: str) -> None:
    load(con, [("Paris", 1, "gout", 1, None, 1)])
    with pytest.raises(duckdb.Error, match=rf"\[{code}\]") as raised:
        con.execute(f"FROM {call}").fetchall()
    assert "Paris" not in str(raised.value) and "gout" not in str(raised.value)
    assert con.execute("SELECT count(*) FROM t").fetchall() == [(1,)]


def test_assert_private_refuses_what_violations_refuses(con: Lent) -> None:
    load(con, [("Paris", 1, "gout", 1, None, 1)])
    for code, bound in {"SA101": "k := 2, entity := 'nobody'", "SA102": "c := 2"}.items():
        with pytest.raises(duckdb.Error, match=rf"\[{code}\]"):
            con.execute(f"SELECT assert_private('t', ['city'], 'word', {bound})").fetchall()


def test_what_broke_a_bound_is_said_without_a_data_value(con: Lent) -> None:
    load(con, [("Paris", 1, "gout", 1, None, 1)])
    with pytest.raises(duckdb.Error, match=r"\[SA302\] 1 .*\(k\)") as raised:
        con.execute("SELECT assert_private('t', ['city'], 'word', k := 2)").fetchall()
    assert "Paris" not in str(raised.value) and "gout" not in str(raised.value)
