"""Parameters of randomized releases, against the twin that tries every list."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs.randomizing import excess, parameters
from sqlanon.udfs.randomizing.beliefs import belief_changes, moved_mass
from thorough import examples
from twins import randomize as twin

from sqlanon.release.models import GROUNDS

domains = st.lists(st.integers(1, 30), min_size=2, max_size=6)
bounds = st.fractions(Fraction(1, 50), Fraction(9, 10), max_denominator=50)


@pytest.mark.parametrize("ground", GROUNDS)
@settings(max_examples=examples(15))
@given(domains, bounds, st.data())
def test_the_parameters_are_those_of_every_list_tried(
    ground: str, counts: list[int], t: Fraction, data: st.DataObject
) -> None:
    shortest = data.draw(st.integers(1, len(counts) - 1))
    chosen = parameters.choose(counts, None if shortest == 1 else shortest, float(t), ground)
    eta, p, l2 = twin.chosen_parameters(counts, shortest, t, ground)
    assert chosen.expected_l2 is not None
    assert math.isclose(chosen.expected_l2, l2, rel_tol=1e-6, abs_tol=1e-9)
    assert chosen.eta == eta or math.isclose(
        twin.expected_l2(len(counts), sum(counts), chosen.eta, chosen.p), l2, rel_tol=1e-6, abs_tol=1e-9
    )
    if chosen.eta == eta:
        assert math.isclose(chosen.p, p, rel_tol=1e-6)
    assert twin.worst_change(counts, chosen.eta, Fraction(chosen.p), ground) <= t + Fraction(1, 10**9)


@pytest.mark.parametrize("ground", GROUNDS)
@settings(max_examples=examples(25))
@given(st.lists(st.integers(0, 30), min_size=2, max_size=7).filter(any), bounds)
def test_the_largest_excess_is_that_of_every_list_tried(ground: str, counts: list[int], t: Fraction) -> None:
    excesses = excess.largest_excesses(counts, float(t), ground)
    prior = np.array(counts) / sum(counts)
    for eta in range(1, len(counts) + 1):
        lists = np.array(list(combinations(range(len(counts)), eta)))
        masses = prior[lists].sum(axis=1)
        moved = moved_mass(lists, prior[lists], masses, prior, ground)
        assert math.isclose(excesses[eta - 1], (moved - float(t) * masses).max(), abs_tol=1e-12)


@pytest.mark.parametrize("ground", GROUNDS)
@settings(max_examples=examples(25))
@given(domains, bounds)
def test_where_it_takes_too_long_to_be_exact_the_bound_holds_all_the_same(
    ground: str, counts: list[int], t: Fraction
) -> None:
    exact = excess.largest_excesses(counts, float(t), ground)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(excess, "MOST_WORK", 0)
        patched.setattr(excess, "MOST_PLACES", 0)
        assert (excess.largest_excesses(counts, float(t), ground) >= exact - 1e-15).all()
        chosen = parameters.choose(counts, None, float(t), ground)
    assert twin.worst_change(counts, chosen.eta, Fraction(chosen.p), ground) <= t + Fraction(1, 10**9)


@settings(max_examples=examples(25))
@given(domains, bounds)
def test_in_long_ordered_domains_lists_of_one_are_exact(counts: list[int], t: Fraction) -> None:
    prior = np.array(counts) / sum(counts)
    summed, walked = excess.summed_excesses(prior, float(t)), excess.walked_excesses(prior, float(t))
    assert math.isclose(summed[0], walked[0], abs_tol=1e-12)


@settings(max_examples=examples(25))
@given(st.lists(st.integers(0, 50), min_size=22, max_size=40).filter(any), st.integers(1, 5), bounds, st.data())
def test_no_list_of_a_long_ordered_domain_tells_more_than_t(
    counts: list[int], l: int, t: Fraction, data: st.DataObject
) -> None:
    chosen = parameters.choose(counts, l, float(t), "ordered")
    prior = np.array(counts) / sum(counts)
    positions = np.arange(prior.size)
    walk = abs(positions - data.draw(st.integers(0, prior.size - 1)))
    worst = [np.argsort(sign * prior * (walk - walk @ prior))[: chosen.eta] for sign in (1, -1)]
    anyhow = [data.draw(st.permutations(range(prior.size)))[: chosen.eta] for _ in range(3)]
    lists = np.sort(np.array([*worst, *anyhow]), axis=1).astype(np.int32)
    possible = lists[prior[lists].any(axis=1)]
    assert (belief_changes(possible, prior, chosen.eta, chosen.p, "ordered") <= float(t) + 1e-9).all()


def test_values_in_order_tell_less_than_values_apart() -> None:
    counts = [1 + position % 7 for position in range(40)]
    chances = [parameters.choose(counts, 3, 0.1, ground).expected_l2 or 0.0 for ground in GROUNDS]
    assert chances[1] < chances[0]


def test_walks_go_by_one_step_between_positions_and_none_is_missing() -> None:
    heights = np.concatenate([excess.walks(0, 5, 5), excess.walks(5, 16, 5)])
    assert np.unique(heights, axis=0).shape == (16, 5)
    assert (abs(np.diff(heights, axis=1)) == 0.25).all()


@settings(max_examples=examples(25))
@given(domains)
def test_reachable_masses_are_the_sums_of_lists(counts: list[int]) -> None:
    masses = excess.reachable_masses(counts)
    assert masses is not None
    for eta, bits in enumerate(masses):
        sums = {sum(each) for each in combinations(counts, eta)}
        assert {n for n in range(sum(counts) + 1) if bits >> n & 1} == sums


def test_l_of_one_publishes_the_value_itself() -> None:
    assert parameters.choose([5, 3, 2], 1, None, "equal") == (1, 1.0, 0.0)


def test_l_alone_gives_lists_of_l_that_always_hold_the_value() -> None:
    assert parameters.choose([5, 3, 2], 2, None, "equal")[:2] == (2, 1.0)


def test_lists_of_the_whole_domain_leave_nothing_to_expect() -> None:
    assert parameters.choose([5, 3, 2], 3, None, "equal") == (3, 1.0, None)
    assert parameters.choose([5, 3, 2], 3, 0.2, "equal") == (3, 1.0, None)


def test_a_column_with_one_value_is_published_as_it_is() -> None:
    assert parameters.choose([9], None, 0.2, "equal") == (1, 1.0, 0.0)


@pytest.mark.parametrize("ground", GROUNDS)
def test_lists_of_large_domains_stay_short_unless_l_is_larger(ground: str) -> None:
    assert parameters.choose([1] * 3000, None, 0.3, ground).eta <= parameters.LONGEST
    assert parameters.choose([1] * 3000, 500, 0.3, ground).eta == 500


def test_a_stricter_t_never_raises_p_of_the_same_length() -> None:
    bounds = [t / 100 for t in range(1, 90)]
    for ground in GROUNDS:
        excesses = [excess.largest_excesses([50, 30, 15, 5], t, ground)[1] for t in bounds]
        chances = [parameters.largest_p(4, 2, t, each) for t, each in zip(bounds, excesses, strict=True)]
        assert chances == sorted(chances)


def test_equation_9_falls_with_p_and_rises_with_eta() -> None:
    by_p = [parameters.expected_l2(10, 1000, 3, p / 10) for p in range(1, 11)]
    by_eta = [parameters.expected_l2(10, 1000, eta, 0.8) for eta in range(1, 10)]
    assert by_p == sorted(by_p, reverse=True)
    assert by_eta == sorted(by_eta)
    assert parameters.expected_l2(10, 1000, 1, 1.0) == 0
