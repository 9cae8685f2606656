"""How far lists move beliefs, against the twin that computes with fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs.randomizing.beliefs import belief_changes
from thorough import examples
from twins import randomize as twin

from sqlanon.errors import InvalidParameter
from sqlanon.release.models import GROUNDS

counts = st.lists(st.integers(0, 30), min_size=1, max_size=6).filter(any)


def all_lists(size: int, eta: int) -> np.ndarray:
    return np.array(list(combinations(range(size), eta)), np.int32)


@pytest.mark.parametrize("ground", GROUNDS)
@settings(max_examples=examples(25))
@given(counts, st.fractions(Fraction(1, 50), 1, max_denominator=50), st.data())
def test_every_list_moves_beliefs_as_far_as_the_twin_says(
    ground: str, counts: list[int], p: Fraction, data: st.DataObject
) -> None:
    lists = all_lists(len(counts), data.draw(st.integers(1, len(counts))))
    prior = np.array(counts) / sum(counts)
    distances = belief_changes(lists, prior, lists.shape[1], float(p), ground)
    for listed, distance in zip(lists.tolist(), distances, strict=True):
        possible = p < 1 or any(counts[code] for code in listed)
        expected = twin.belief_change(counts, listed, p, ground) if possible else 1
        assert abs(distance - expected) < 1e-12


@pytest.mark.parametrize("ground", GROUNDS)
def test_the_whole_domain_tells_nothing(ground: str) -> None:
    lists = all_lists(5, 5)
    assert belief_changes(lists, np.full(5, 0.2), 5, 1.0, ground) == pytest.approx([0.0], abs=1e-12)


@pytest.mark.parametrize("ground", GROUNDS)
def test_no_lists_have_no_distances(ground: str) -> None:
    assert belief_changes(np.empty((0, 2), np.int32), np.full(5, 0.2), 2, 0.5, ground).shape == (0,)


def test_positions_in_the_middle_move_less_than_those_at_the_end() -> None:
    distances = belief_changes(all_lists(5, 1), np.full(5, 0.2), 1, 1.0, "ordered")
    assert distances == pytest.approx([0.5, 0.35, 0.3, 0.35, 0.5])


def test_a_large_domain_costs_no_more_than_its_lists() -> None:
    size, lists = 200_000, np.sort(np.random.default_rng(1).choice(200_000, (500, 3), replace=False), axis=1)
    prior = np.full(size, 1 / size)
    distances = belief_changes(lists.astype(np.int32), prior, 3, 0.9, "ordered")
    dense = np.zeros(size)
    dense[lists[0]] = prior[lists[0]]
    expected = 0.9 * size / 3 * abs(np.cumsum(dense) - 3 / size * np.cumsum(prior)).sum() / (size - 1)
    assert distances[0] == pytest.approx(expected / (0.9 * size / 3 * 3 / size + 0.1), rel=1e-9)


def test_another_ground_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="not equal or ordered"):
        belief_changes(all_lists(3, 1), np.full(3, 1 / 3), 1, 1.0, "round")
