"""Counts with intervals from randomized lists: by the definition, in exact fractions, and by simulation."""

from __future__ import annotations

import math
import random
from functools import cache
from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs.randomizing.conditions import satisfied_cells
from sqlanon.udfs.randomizing.intervals import Estimates, Lists, estimate_groups
from sqlanon.udfs.randomizing.published import Attribute
from thorough import examples
from twins import randomize as twin

Described = list[tuple[int, int, float]]
Rows = list[list[list[int]]]
TWO: Described = [(6, 2, 1.0), (4, 2, 0.8)]


def estimate(described: Described, rows: Rows, keys: int, counted: np.ndarray) -> Estimates:
    attributes = [
        Attribute(f"a_{number}", pa.array([str(code) for code in range(size)]), eta, p)
        for number, (size, eta, p) in enumerate(described)
    ]
    lists = [np.array([row[place] for row in rows], np.int32) for place in range(len(described))]
    return estimate_groups(Lists(attributes, lists, np.ones(len(rows), np.int64)), keys, counted)


def randomize(described: Described, codes: list[list[int]], stream: random.Random) -> Rows:
    return [[twin.plain_list(stream, code, *each) for code, each in zip(row, described, strict=True)] for row in codes]


def skewed_codes(described: Described, rows: int, stream: random.Random) -> list[list[int]]:
    """Values that go together. The last one of each attribute never occurs."""
    levels = [stream.random() ** 2 for _ in range(rows)]
    return [[int(level * (size - 1)) for size, _, _ in described] for level in levels]


@settings(max_examples=examples(15), deadline=None)
@given(st.integers(0, 10_000))
def test_an_interval_is_that_of_the_definition(seed: int) -> None:
    stream = random.Random(seed)
    described: Described = []
    for _ in range(stream.randint(1, 3)):
        size = stream.randint(2, 4)
        described.append((size, stream.randint(1, size - 1), stream.choice([1.0, 0.75, 0.5])))
    sizes = [size for size, _, _ in described]
    rows = randomize(described, skewed_codes(described, 12, stream), stream)
    counted = np.array([stream.random() < 0.6 for _ in range(math.prod(sizes))]).reshape(sizes)
    keys = stream.randint(0, len(sizes))
    answer = estimate(described, rows, keys, counted)
    groups = list(product(*map(range, sizes[:keys])))
    for number, group in enumerate(groups):
        rest = product(*map(range, sizes[keys:]))
        cells = [(*group, *cell) for cell in rest if counted[(*group, *cell)]]
        count, variance = map(float, twin.unbiased_count(described, rows, cells))
        reach = 1.96 * math.sqrt(max(0.0, variance))
        middle = min(max(count, 0), 12)
        low, high = min(middle - reach, answer.estimate[number]), max(middle + reach, answer.estimate[number])
        assert math.floor(max(0, low) + 1e-4) >= answer.lower[number] >= math.floor(max(0, low) - 1e-4)
        assert math.ceil(min(12, high) - 1e-4) <= answer.upper[number] <= math.ceil(min(12, high) + 1e-4)


SIMULATED = {
    "a group of one attribute": (TWO[:1], 1, lambda a: a >= 0),
    "with p below 1": ([(6, 3, 0.5)], 1, lambda a: a >= 0),
    "every cell": (TWO, 2, lambda a, b: a >= 0),
    "a condition that is no product": (TWO, 0, lambda a, b: (a == 1) | (b == 2)),
    "a rare combination": ([(5, 2, 1.0), (4, 2, 0.8), (3, 1, 0.6)], 0, lambda a, b, c: (a == 1) & (b == 1) & (c == 0)),
}


@cache
def simulate(case: str, rows: int) -> np.ndarray:
    """Whether the interval of each group holds the truth; a line for each of 60 releases of the same source."""
    described, keys, condition = SIMULATED[case]
    stream = random.Random(3)
    codes = skewed_codes(described, rows, stream)
    sizes = [size for size, _, _ in described]
    counted = condition(*np.indices(sizes))
    counts = np.zeros(sizes)
    np.add.at(counts, tuple(np.array(codes).T), 1)
    truth = (counts * counted).reshape(math.prod(sizes[:keys]), -1).sum(axis=1)
    held = []
    for _ in range(60):
        answer = estimate(described, randomize(described, codes, stream), keys, counted)
        assert (answer.lower <= answer.estimate).all()
        assert (answer.estimate <= answer.upper).all()
        assert answer.lower.min() >= 0
        assert answer.upper.max() <= rows
        held.append((answer.lower <= truth) & (truth <= answer.upper))
    return np.array(held)


@pytest.mark.parametrize("rows", [25, 300])
@pytest.mark.parametrize("case", SIMULATED)
def test_nineteen_of_twenty_intervals_hold_the_truth(case: str, rows: int) -> None:
    held = simulate(case, rows)
    assert held.mean() >= 0.92
    assert held.mean(axis=0).min() >= 0.8, "for each group"


def test_intervals_are_not_so_wide_that_they_always_hold_it() -> None:
    assert 0.94 <= np.mean([simulate(case, 300).mean() for case in SIMULATED]) <= 0.99


def test_lists_that_are_the_whole_domain_leave_everything_open() -> None:
    described: Described = [(3, 3, 1.0), (4, 1, 1.0)]
    rows = [[[0, 1, 2], [number % 4]] for number in range(20)]
    first, both = np.indices((3, 4))
    alone = estimate(described, rows, 0, first == 1)
    assert (alone.lower[0], alone.upper[0]) == (0, 20)
    assert alone.estimate[0] == pytest.approx(20 / 3)
    joined = estimate(described, rows, 0, (first == 1) & (both == 2))
    assert (joined.lower[0], joined.upper[0]) == (0, 5)
    either = estimate(described, rows, 0, (first == 1) | (both == 2))
    assert (either.lower[0], either.upper[0]) == (5, 20)
    grouped = estimate(described, rows, 1, both == 2)
    assert grouped.lower.tolist() == [0, 0, 0]
    assert grouped.upper.tolist() == [5, 5, 5]


def test_what_is_exact_has_no_interval() -> None:
    rows = [[[number % 3]] for number in range(10)]
    answer = estimate([(3, 1, 1.0)], rows, 1, np.ones(3, bool))
    assert answer.estimate.tolist() == answer.lower.tolist() == answer.upper.tolist() == [4, 3, 3]


def test_a_probability_of_next_to_nothing_leaves_everything_open() -> None:
    answer = estimate([(3, 1, 1e-200)] * 2, [[[0], [1]]] * 9, 1, np.ones((3, 3), bool))
    assert answer.lower.tolist() == [0, 0, 0]
    assert answer.upper.tolist() == [9, 9, 9]


@settings(max_examples=examples(30))
@given(st.integers(0, 10_000))
def test_and_or_and_not_are_three_valued(seed: int) -> None:
    stream = random.Random(seed)
    truths = [[stream.choice([True, False, None]) for _ in range(size)] for size in (3, 2)]

    def drawn(depth: int) -> object:
        word = stream.choice(["and", "or", "not", None] if depth else [None])
        if word is None:
            return stream.choice([0, 1, None, True, False])
        return [word, *(drawn(depth - 1) for _ in range(1 if word == "not" else 2))]

    def judge(condition: object, cell: tuple[int, int]) -> bool | None:
        if condition is None or isinstance(condition, bool):
            return condition
        if isinstance(condition, int):
            return truths[condition][cell[condition]]
        assert isinstance(condition, list)
        parts = [judge(part, cell) for part in condition[1:]]
        if condition[0] == "not":
            return None if parts[0] is None else not parts[0]
        decisive = condition[0] == "or"
        return decisive if decisive in parts else None if None in parts else not decisive

    condition = drawn(3)
    written = str(condition).replace("'", '"').replace("None", "null").replace("True", "true").replace("False", "false")
    compared = [{"attribute": axis, "truths": each} for axis, each in enumerate(truths)]
    expected = [[judge(condition, (a, b)) is True for b in range(2)] for a in range(3)]
    assert satisfied_cells(written, compared, (3, 2)).tolist() == expected
