"""Reconstruction attribute by attribute, against all pairs of cells."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs.kernels.randomize import bayes
from sqlanon.udfs.kernels.randomize.members import count_members, sum_members
from thorough import examples
from twins import randomize as twin

from .list_tables import Attributes, attributes, randomize

GOING = np.zeros(1, np.uint8)


def arrays(described: Attributes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sizes, and the probabilities to hold the value itself, and another."""
    same, other = ([twin.held(each, 0, code) for each in described] for code in (0, 1))
    return np.array([size for size, _, _ in described]), np.array(same), np.array(other)


def tabulate(described: Attributes, table: list[list[list[int]]]) -> np.ndarray:
    """The counts of the kernel."""
    sizes = [size for size, _, _ in described]
    strides = np.array([math.prod(sizes[number + 1 :]) for number in range(len(sizes))])
    items = np.array([[item for one in row for item in one] for row in table], np.int32)
    observed = np.zeros(math.prod(sizes))
    etas = np.array([eta for _, eta, _ in described])
    count_members(items, etas, strides, np.ones(len(table)), observed, GOING)
    return observed


@settings(max_examples=examples(25))
@given(attributes(), st.integers(0, 1000))
def test_the_counts_are_those_of_the_twin_and_so_is_a_step(described: Attributes, seed: int) -> None:
    table = randomize(described, seed, 12)
    observed = tabulate(described, table)
    assert observed.tolist() == twin.observed_counts(described, table)
    members = math.prod(eta for _, eta, _ in described)
    chances = twin.dense_chances(described)
    start = observed / members
    stepped = np.empty(start.size)
    bayes.step(start, observed, *arrays(described), float(members), False, stepped)
    assert np.allclose(stepped, twin.bayes_step(start.tolist(), observed.tolist(), chances, members))
    assert math.isclose(stepped.sum(), len(table))
    spread = start.copy()
    bayes.spread(spread, *arrays(described))
    assert np.allclose(spread, start @ np.array(chances))


@settings(max_examples=examples(15))
@given(attributes(), st.integers(0, 1000))
def test_one_more_step_moves_nothing(described: Attributes, seed: int) -> None:
    table = randomize(described, seed, 40)
    observed = tabulate(described, table)
    members = math.prod(eta for _, eta, _ in described)
    counts, _, _ = bayes.reconstruct(observed, *arrays(described), float(members), GOING)
    assert math.isclose(counts.sum(), 40)
    assert counts.min() >= 0
    again = twin.bayes_step(counts.tolist(), observed.tolist(), twin.dense_chances(described), members)
    assert np.abs(counts - again).max() <= 1e-6 * 40


@pytest.mark.parametrize("described", [[(4, 2, 1.0), (3, 1, 0.6)], [(5, 3, 0.9)], [(3, 2, 1.0), (3, 2, 1.0)]])
def test_leaps_end_where_single_steps_end(described: Attributes) -> None:
    observed = tabulate(described, randomize(described, 3, 300))
    members = math.prod(eta for _, eta, _ in described)
    counts, _, _ = bayes.reconstruct(observed, *arrays(described), float(members), GOING)
    single, chances = (observed / members).tolist(), twin.dense_chances(described)
    for _ in range(4000):
        single = twin.bayes_step(single, observed.tolist(), chances, members)
    assert np.abs(counts - single).max() < 0.5, "of 300 rows: both may stop a little short of the end"


@settings(max_examples=examples(15))
@given(attributes(), st.integers(0, 1000))
def test_the_inverse_takes_what_is_to_be_observed_back(described: Attributes, seed: int) -> None:
    sizes, same, other = arrays(described)
    counts = np.random.default_rng(seed).random(math.prod(sizes))
    cells = counts.copy()
    bayes.spread(cells, sizes, same, other)
    bayes.spread(cells, sizes, *bayes.inverse(sizes, same, other))
    assert np.allclose(cells, counts)


@settings(max_examples=examples(15))
@given(attributes(), st.integers(0, 1000))
def test_what_rows_add_is_that_of_the_twin(described: Attributes, seed: int) -> None:
    table = randomize(described, seed, 6)
    sizes, same, other = arrays(described)
    counted = np.random.default_rng(seed).random(math.prod(sizes)) < 0.5
    values = counted.astype(np.float64)
    bayes.spread(values, sizes, *bayes.inverse(sizes, same, other))
    items = np.array([[item for one in row for item in one] for row in table], np.int32)
    strides = np.array([math.prod(sizes[number + 1 :]) for number in range(len(sizes))])
    sums = np.empty(len(table))
    sum_members(items, np.array([eta for _, eta, _ in described]), strides, values, sums, GOING)
    cells = [cell for cell, counts in zip(product(*map(range, sizes)), counted, strict=True) if counts]
    expected = [float(sum(twin.added_by(described, row, cell) for cell in cells)) for row in table]
    assert np.allclose(sums, expected)


def test_leaps_save_steps() -> None:
    described: Attributes = [(5, 3, 0.4), (5, 3, 0.4)]
    observed = tabulate(described, randomize(described, 3, 200))
    chances, single, plain = np.array(twin.dense_chances(described)), observed / 9, 0
    counts, steps, change = bayes.reconstruct(observed, *arrays(described), 9.0, GOING)
    while plain < 20_000:
        stepped = single * (chances @ (observed / (single @ chances))) / 9
        if np.abs(stepped - single).sum() <= 1e-6 * 200:
            break
        single, plain = stepped, plain + 1
    assert change <= 1e-6
    assert 4 * steps < plain
    fits = [observed @ np.log(each @ chances) for each in (counts, single)]
    assert fits[0] > fits[1] - 1e-3, "what was observed is as likely"


def test_what_is_exact_stays_exact() -> None:
    observed = np.array([7.0, 0.0, 2.0])
    one = np.array([3]), np.array([1.0]), np.array([0.0])
    assert bayes.reconstruct(observed, *one, 1.0, GOING)[0].tolist() == [7.0, 0.0, 2.0]


def test_without_rows_there_is_nothing() -> None:
    one = np.array([3]), np.array([1.0]), np.array([0.5])
    assert bayes.reconstruct(np.zeros(3), *one, 2.0, GOING)[0].tolist() == [0.0, 0.0, 0.0]


def test_whole_domains_tell_nothing_and_every_cell_gets_the_same() -> None:
    one = np.array([4]), np.array([1.0]), np.array([1.0])
    assert np.allclose(bayes.reconstruct(np.full(4, 8.0), *one, 4.0, GOING)[0], 2.0)


def test_a_kernel_that_is_stopped_returns() -> None:
    one = np.array([4]), np.array([0.6]), np.array([0.4])
    assert bayes.reconstruct(np.array([8.0, 1.0, 0.0, 3.0]), *one, 2.0, np.ones(1, np.uint8))[0].size == 4
