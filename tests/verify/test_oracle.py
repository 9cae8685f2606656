"""privacy and its like against the oracle, on random tables."""

from __future__ import annotations

import pytest
from connections import TestConnection
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import privacy as oracle
from thorough import examples

from .tables import NULLS, SENSITIVE, Table, all_close, answers, checked, close, literal, load, rows_of, tables

pytestmark = pytest.mark.oldest


@checked
@given(table=tables(), nulls=st.sampled_from(NULLS))
def test_privacy_measures_the_weakest_class(con: TestConnection, table: Table, nulls: str) -> None:
    load(con, table)
    found = answers(con, f"FROM privacy('t', ['city', 'room'], ['word', 'number', 'day'], nulls := '{nulls}')")
    assert [row.pop("sa") for row in found] == list(SENSITIVE)
    for row, (sensitive, ordered) in zip(found, SENSITIVE.items(), strict=True):
        assert row == all_close(oracle.privacy(oracle.classes(rows_of(table, sensitive), nulls), ordered))


@checked
@given(table=tables(), nulls=st.sampled_from(NULLS))
def test_an_entity_is_counted_once_in_sizes_and_not_in_distributions(
    con: TestConnection, table: Table, nulls: str
) -> None:
    load(con, table)
    (found,) = answers(con, f"FROM privacy('t', ['city', 'room'], 'number', entity := 'person', nulls := '{nulls}')")
    by_person = oracle.privacy(oracle.classes(rows_of(table, "number"), nulls, by_person=True), ordered=True)
    by_row = oracle.privacy(oracle.classes(rows_of(table, "number"), nulls), ordered=True)
    counted = ("k", "frequency_l", "alpha")
    assert found == all_close(by_row | {name: by_person[name] for name in counted})


@checked
@given(table=tables(), nulls=st.sampled_from(NULLS), entity=st.sampled_from([None, "person"]))
def test_equivalence_classes_are_the_distinct_quasi_identifiers(
    con: TestConnection, table: Table, nulls: str, entity: str | None
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
    con: TestConnection, table: Table, l: int, nulls: str, entity: str | None
) -> None:
    load(con, table)
    found = con.execute(
        f"FROM recursive_c('t', ['city', 'room'], 'word', {l}, entity := {literal(entity)}, nulls := '{nulls}')"
    ).fetchall()
    expected = oracle.recursive_c(oracle.classes(rows_of(table, "word"), nulls, entity is not None), l)
    assert found == [(close(expected),)]


@checked
@given(table=tables(), sensitive=st.sampled_from(list(SENSITIVE)), l=st.integers(1, 5))
def test_eligibility_eligible_c_and_buckets_look_at_the_table_as_a_whole(
    con: TestConnection, table: Table, sensitive: str, l: int
) -> None:
    load(con, table)
    rows = rows_of(table, sensitive)
    assert answers(con, f"FROM eligibility('t', '{sensitive}')") == [oracle.eligibility(rows)]
    assert answers(con, f"FROM eligible_c('t', '{sensitive}', {l})") == [all_close(oracle.eligible_c(rows, l))]
    found = con.execute(f"FROM buckets('t', '{sensitive}')").fetchall()
    assert found == [tuple(map(close, row)) for row in oracle.buckets(rows)]


@settings(max_examples=examples(10), deadline=None)
@given(table=tables(), sensitive=st.sampled_from(list(SENSITIVE)))
def test_each_measure_under_its_own_name(con: TestConnection, table: Table, sensitive: str) -> None:
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
