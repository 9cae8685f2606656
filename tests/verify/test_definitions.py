"""Measures worked by hand, most of them where a popular checker is wrong."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest
from connections import TestConnection
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import privacy as oracle
from oracles.privacy import Row
from thorough import examples

from .tables import all_close, answers, measures, table_of, text


def test_recursive_c_divides_the_most_frequent_value_by_the_tail(con: TestConnection) -> None:
    table = table_of((1, {"a": 8, "b": 1, "c": 1}))
    assert con.execute(f"FROM recursive_c({table}, ['q'], 's', 3)").fetchall() == [(8.0,)]
    assert con.execute(f"FROM recursive_c({table}, ['q'], 's', 2)").fetchall() == [(4.0,)]
    assert con.execute(f"FROM recursive_c({table}, ['q'], 's', 1)").fetchall() == [(0.8,)]


def test_recursive_c_is_null_where_a_class_has_fewer_than_l_values(con: TestConnection) -> None:
    table = table_of((1, {"a": 1, "b": 1, "c": 1}), (2, {"a": 1, "b": 1}))
    assert con.execute(f"FROM recursive_c({table}, ['q'], 's', 3)").fetchall() == [(None,)]
    assert con.execute(f"FROM recursive_c_l_diversity({table}, ['q'], 's', 2)").fetchall() == [(1.0,)]


def test_a_unique_row_with_a_null_quasi_identifier_counts(con: TestConnection) -> None:
    table = table_of((1, {"a": 2, "b": 2}), (None, {"a": 1}))
    assert con.execute(f"FROM k_anonymity({table}, ['q'])").fetchall() == [(1,)]
    assert measures(con, table)["k"] == 1
    assert measures(con, table, ", nulls := 'wildcard'")["k"] == 5
    assert measures(con, table, ", nulls := 'exclude'")["k"] == 4


@pytest.mark.parametrize("values", [1, 2, 3, 5, 7, 49])
@pytest.mark.parametrize("times", [1, 3])
def test_entropy_of_equally_frequent_values_is_their_number_exactly(
    con: TestConnection, values: int, times: int
) -> None:
    table = table_of((1, dict.fromkeys(range(values), times)))
    assert measures(con, table)["entropy_l"] == values
    assert con.execute(f"FROM entropy_l_diversity({table}, ['q'], 's')").fetchall() == [(values,)]
    assert con.execute(f"SELECT assert_private({table}, ['q'], 's', entropy_l := {values})").fetchall() == [(True,)]


def test_entropy_is_exact_where_values_are_halved_and_halved_again(con: TestConnection) -> None:
    # 1/2 and four times 1/8: two bits
    table = table_of((1, {"a": 4, "b": 1, "c": 1, "d": 1, "e": 1}))
    assert measures(con, table)["entropy_l"] == 4
    assert con.execute(f"SELECT assert_private({table}, ['q'], 's', entropy_l := 4)").fetchall() == [(True,)]


def test_enhanced_beta_is_the_largest_rise_where_every_share_stays_below_its_limit(
    con: TestConnection,
) -> None:
    # of all, a is 5/10 and b is 5/10; each rises to 3/5, by 1/5, which is below -ln(1/2)
    found = measures(con, table_of((1, {"a": 3, "b": 2}), (2, {"a": 2, "b": 3})))
    assert (found["basic_beta"], found["enhanced_beta"]) == (0.2, 0.2)


def test_enhanced_beta_is_null_where_a_share_rises_beyond_its_own_limit(con: TestConnection) -> None:
    # a rises from 8/11 to 8/9, by 2/9, below -ln(8/11) = 0.318; c from 2/11 to 1, by 9/2. -ln(1/11) of b is no excuse
    table = table_of((1, {"a": 8, "b": 1}), (2, {"c": 2}))
    assert measures(con, table)["basic_beta"] == 4.5
    assert measures(con, table)["enhanced_beta"] is None
    assert con.execute(f"FROM enhanced_beta_likeness({table}, ['q'], 's')").fetchall() == [(None,)]


def test_every_share_has_a_limit_of_its_own(con: TestConnection) -> None:
    # a rises from 3/4 to 19/20, by 4/15, below its limit, -ln(3/4) = 0.288; b from 1/4 to 9/20, by 4/5: it has room
    below = table_of((1, {"a": 19, "b": 1}), (2, {"a": 11, "b": 9}))
    assert measures(con, below)["enhanced_beta"] == pytest.approx(4 / 5)
    beyond = table_of((1, {"a": 39, "b": 1}), (2, {"a": 21, "b": 19}))  # a to 39/40, by 3/10
    assert measures(con, beyond)["enhanced_beta"] is None
    assert measures(con, beyond)["basic_beta"] == pytest.approx(9 / 10)


def test_enhanced_beta_is_0_where_no_share_rises(con: TestConnection) -> None:
    # shares of thirds and sevenths, which are rounded alike
    for counts in ({"a": 1}, {"a": 1, "b": 2}, {"a": 3, "b": 4, "c": 14}):
        found = measures(con, table_of((1, counts), (2, {value: 3 * n for value, n in counts.items()})))
        assert (found["basic_beta"], found["enhanced_beta"], found["delta_disclosure"]) == (0, 0, 0)


def test_a_class_of_one_value_is_beyond_any_limit_however_common_the_value(con: TestConnection) -> None:
    # 1 / p - 1 is above -ln p by half its square only
    table = text("(SELECT i < 9 AS q, i = 99_999 AS s FROM range(100_000) AS r(i))")
    assert measures(con, table)["basic_beta"] == pytest.approx(9 / 99_991, rel=1e-12)
    assert measures(con, table)["enhanced_beta"] is None


def test_delta_disclosure_is_infinite_where_a_class_lacks_a_value(con: TestConnection) -> None:
    assert measures(con, table_of((1, {"a": 1, "b": 1}), (2, {"a": 2})))["delta_disclosure"] == math.inf
    complete = table_of((1, {"a": 1, "b": 1}), (2, {"a": 1, "b": 3}))
    assert measures(con, complete)["delta_disclosure"] == pytest.approx(math.log(3 / 2))


def test_delta_disclosure_is_as_large_for_a_value_made_rare_as_for_one_made_frequent(
    con: TestConnection,
) -> None:
    # a is 11/30 of all and 1/10 of the first class
    table = table_of((1, {"a": 1, "b": 9}), (2, {"a": 10, "b": 10}))
    assert measures(con, table)["delta_disclosure"] == pytest.approx(math.log(11 / 3))


@settings(max_examples=examples(25), deadline=None)
@given(
    counts=st.lists(
        st.fixed_dictionaries({2: st.integers(1, 6), 3: st.integers(1, 6), 10: st.integers(1, 6)}),
        min_size=1,
        max_size=4,
    )
)
def test_measures_are_finite_where_every_class_has_every_value(
    con: TestConnection, counts: list[dict[object, int]]
) -> None:
    classes = oracle.classes([Row((q,), s) for q, of in enumerate(counts) for s, n in of.items() for _ in range(n)])
    found = measures(con, table_of(*enumerate(counts)))
    # of shares that are equal, a difference is nothing but rounding
    assert found == {
        name: pytest.approx(float(measure), rel=1e-12, abs=1e-15) if isinstance(measure, Fraction | float) else measure
        for name, measure in oracle.privacy(classes, ordered=True).items()
    }
    assert math.isfinite(found["delta_disclosure"])


def test_the_distance_of_numbers_grows_with_the_steps_between_them(con: TestConnection) -> None:
    # salaries of 3 … 11 thousand, the example of the t-closeness paper: {3, 4, 5} and {6, 8, 11} against all nine
    table = table_of((1, {3: 1, 4: 1, 5: 1}), (2, {6: 1, 8: 1, 11: 1}), (3, {7: 1, 9: 1, 10: 1}))
    assert measures(con, table)["t_ordered"] == pytest.approx(0.375)
    (second,) = con.execute(f"FROM equivalence_classes({table}, ['q'], 's') SELECT t_distance WHERE q = 2").fetchall()
    assert second == (pytest.approx(2 / 3),)


def test_a_class_of_both_ends_is_far_though_its_average_is_in_the_middle(con: TestConnection) -> None:
    # Running shares of the table: 1/8, 2/8, 6/8, 7/8, 1; of the first class: 1/2 until the last.
    # The last two lean, and their averages are half a position from the table's; no other average is that far.
    table = table_of((1, {1: 5, 9: 5}), (2, {5: 10}), (3, {5: 5, 6: 5}), (4, {4: 5, 5: 5}))
    assert measures(con, table)["t_ordered"] == (3 / 8 + 2 / 8 + 2 / 8 + 3 / 8) / 4


@settings(max_examples=examples(25), deadline=None)
@given(seed=st.integers(0, 10_000), lean=st.sampled_from([0, 1, 5, 40]), per_class=st.sampled_from([1, 3, 30]))
def test_the_farthest_class_is_found_among_many(con: TestConnection, seed: int, lean: int, per_class: int) -> None:
    random = Random(seed)
    rows = [(q, random.randrange(40) + lean * (q % 3)) for q in range(20) for _ in range(random.randint(1, per_class))]
    table = text("(FROM (VALUES " + ", ".join(map(str, rows)) + ") AS v(q, s))")
    expected = oracle.privacy(oracle.classes([Row((q,), s) for q, s in rows]), ordered=True)
    (found,) = answers(con, f"FROM privacy({table}, ['q'], 's')")
    assert found == all_close(expected)


def test_a_hundred_thousand_distinct_numbers_are_measured_in_time(con: TestConnection) -> None:
    # evens against odds: every other running difference is 1/n, the others 0
    (found,) = answers(con, "FROM privacy('(SELECT i % 2 AS q, i AS s FROM range(100_000) AS r(i))', ['q'], 's')")
    assert found["t_ordered"] == pytest.approx(50_000 / 100_000 / 99_999)
