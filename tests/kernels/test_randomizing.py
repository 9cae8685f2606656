"""Parameters of randomized releases, against the twin that tries every list."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs.randomizing import parameters
from twins import randomize as twin

domains = st.lists(st.integers(1, 30), min_size=2, max_size=6)
bounds = st.fractions(Fraction(1, 50), Fraction(9, 10), max_denominator=50)


@given(domains, st.fractions(Fraction(1, 50), 1, max_denominator=50), st.data())
def test_what_a_list_tells_depends_on_its_mass_alone(counts: list[int], p: Fraction, data: st.DataObject) -> None:
    eta = data.draw(st.integers(1, len(counts)))
    for listed in combinations(range(len(counts)), eta):
        mass = Fraction(sum(counts[code] for code in listed), sum(counts))
        told = parameters.belief_change(float(mass), len(counts), eta, float(p))
        assert math.isclose(told, twin.belief_change(counts, listed, p), abs_tol=1e-12)


@settings(max_examples=40)
@given(domains, bounds, st.data())
def test_the_parameters_are_those_of_every_list_tried(counts: list[int], t: Fraction, data: st.DataObject) -> None:
    shortest = data.draw(st.integers(1, len(counts) - 1))
    chosen = parameters.choose(counts, None if shortest == 1 else shortest, float(t))
    eta, p, l2 = twin.chosen_parameters(counts, shortest, t)
    assert chosen.expected_l2 is not None
    assert math.isclose(chosen.expected_l2, l2, rel_tol=1e-6, abs_tol=1e-9)
    assert chosen.eta == eta or math.isclose(
        twin.expected_l2(len(counts), sum(counts), chosen.eta, chosen.p), l2, rel_tol=1e-6, abs_tol=1e-9
    )
    if chosen.eta == eta:
        assert math.isclose(chosen.p, p, rel_tol=1e-6)
    assert twin.worst_change(counts, chosen.eta, Fraction(chosen.p)) <= t + Fraction(1, 10**9)


@given(domains, bounds)
def test_where_masses_are_not_looked_at_the_bound_holds_all_the_same(counts: list[int], t: Fraction) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(parameters, "MOST_WORK", 0)
        chosen = parameters.choose(counts, None, float(t))
    assert twin.worst_change(counts, chosen.eta, Fraction(chosen.p)) <= t + Fraction(1, 10**9)
    assert chosen.p <= parameters.largest_p(
        len(counts), chosen.eta, sum(counts), float(t), (parameters.reachable_masses(counts) or [])[chosen.eta]
    )


@given(domains)
def test_reachable_masses_are_the_sums_of_lists(counts: list[int]) -> None:
    masses = parameters.reachable_masses(counts)
    assert masses is not None
    for eta, bits in enumerate(masses):
        sums = {sum(each) for each in combinations(counts, eta)}
        assert {n for n in range(sum(counts) + 1) if bits >> n & 1} == sums


def test_l_alone_gives_lists_of_l_that_always_hold_the_value() -> None:
    assert parameters.choose([5, 3, 2], 2, None)[:2] == (2, 1.0)


def test_lists_of_the_whole_domain_leave_nothing_to_expect() -> None:
    assert parameters.choose([5, 3, 2], 3, None) == (3, 1.0, None)
    assert parameters.choose([5, 3, 2], 3, 0.2) == (3, 1.0, None)


def test_a_column_with_one_value_is_published_as_it_is() -> None:
    assert parameters.choose([9], None, 0.2) == (1, 1.0, 0.0)


def test_a_stricter_t_never_raises_p_of_the_same_length() -> None:
    masses = parameters.reachable_masses([50, 30, 15, 5]) or []
    chances = [parameters.largest_p(4, 2, 100, t / 100, masses[2]) for t in range(1, 90)]
    assert chances == sorted(chances)


def test_equation_9_falls_with_p_and_rises_with_eta() -> None:
    by_p = [parameters.expected_l2(10, 1000, 3, p / 10) for p in range(1, 11)]
    by_eta = [parameters.expected_l2(10, 1000, eta, 0.8) for eta in range(1, 10)]
    assert by_p == sorted(by_p, reverse=True)
    assert by_eta == sorted(by_eta)
    assert parameters.expected_l2(10, 1000, 1, 1.0) == 0
