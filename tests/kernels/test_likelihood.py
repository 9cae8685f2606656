"""The likelihood of whole lists, against a twin that tries every cell in exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs.kernels.randomize.likelihood import take_step
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from sqlanon.udfs.randomizing import likelihood
from sqlanon.udfs.randomizing.lines import Lines, cheapest_depth, sort_lines
from sqlanon.udfs.randomizing.published import Attribute, Lists
from thorough import examples
from twins import randomize as twin

from .list_tables import Attributes, attributes, randomize

Rows = list[list[list[int]]]


def lists_of(described: Attributes, table: Rows) -> Lists:
    """Lists as they are published, a line for each row."""
    known = [
        Attribute(f"a_{number}", pa.array([str(code) for code in range(size)]), eta, p)
        for number, (size, eta, p) in enumerate(described)
    ]
    items = [np.array([row[number] for row in table], np.int32) for number in range(len(described))]
    return Lists(known, items, np.ones(len(table), np.int64))


def some_shares(described: Attributes, seed: int) -> list[Fraction]:
    """Shares of cells, some of them 0, that add up to 1."""
    numbers = np.random.default_rng(seed).integers(0, 4, math.prod(size for size, _, _ in described)).tolist()
    numbers[0] += 1
    return [Fraction(number, sum(numbers)) for number in numbers]


def left_out(described: Attributes) -> float:
    """The logarithm of the factor by which chances of lists are larger in the kernel: it is the same for all values."""
    ways = (math.comb(size - 1, eta - 1) if p == 1 else math.comb(size, eta) for size, eta, p in described)
    return sum(map(math.log, ways))


def independent_rows(described: Attributes, seed: int, rows: int) -> Rows:
    """Lists of rows whose values do not go together: each column comes from rows of its own."""
    columns = [randomize(described, seed + number, rows) for number in range(len(described))]
    return [[columns[number][row][number] for number in range(len(described))] for row in range(rows)]


@settings(max_examples=examples(25))
@given(attributes(), st.integers(0, 1000))
def test_a_step_is_that_of_the_twin_however_many_lists_share_sums(described: Attributes, seed: int) -> None:
    described = [(size, size if (seed + place) % 7 == 0 else eta, p) for place, (size, eta, p) in enumerate(described)]
    table = randomize(described, seed, 9)
    shares = [(share + 1) / (1 + math.prod(size for size, _, _ in described)) for share in some_shares(described, seed)]
    expected = twin.whole_lists_step(described, table, shares)
    rest = len(table) * left_out(described)
    lines = sort_lines(lists_of(described, table))
    for depth in range(len(described)):
        counts, reached, judged = lines._replace(depth=depth).step(
            np.array(shares, np.float64), lines.weights.astype(np.float64), 2.0 * lines.weights
        )
        assert np.allclose(counts, np.array(expected, np.float64))
        assert math.isclose(counts.sum(), len(table))
        assert math.isclose(reached - rest, twin.whole_lists_likelihood(described, table, list(map(float, shares))))
        assert math.isclose(judged, 2 * reached)


@settings(max_examples=examples(25))
@given(attributes(), st.integers(0, 1000), st.sampled_from([0.0, 0.01, 1.0]))
def test_the_likelihood_never_falls_from_step_to_step(described: Attributes, seed: int, added: float) -> None:
    lines = sort_lines(lists_of(described, randomize(described, seed, 30)))
    cells = np.full(math.prod(size for size, _, _ in described), 1.0)
    cells /= cells.sum()
    smoothing = likelihood.Smoothing(cells, added)
    before = -np.inf
    for _ in range(12):
        cells, reached, _ = likelihood.climb(lines, cells, likelihood.nobody(lines), smoothing)
        assert reached >= before - 1e-9 * abs(reached)
        assert math.isclose(cells.sum(), 1)
        before = reached


@settings(max_examples=examples(10), deadline=None)
@given(attributes(), st.integers(0, 1000))
def test_no_table_that_many_single_steps_lead_to_is_more_likely(described: Attributes, seed: int) -> None:
    table = randomize(described, seed, 40)
    lines = sort_lines(lists_of(described, table))
    start = np.full(math.prod(size for size, _, _ in described), 1.0)
    start /= start.sum()
    nobody, tolerance = likelihood.nobody(lines), likelihood.TOLERANCE
    fit = likelihood.maximize(lines, start, nobody, likelihood.Smoothing(start, 0.0), tolerance)
    assert fit.change <= likelihood.TOLERANCE
    chances = np.array([[float(each) for each in twin.chance_of_lists(described, row)] for row in table])
    single = start
    for _ in range(1500):
        single = single * ((1 / (chances @ single)) @ chances) / len(table)
    reached, known = (np.log(chances @ each).sum() for each in (fit.cells, single))
    assert reached >= known - 1e-2


@settings(max_examples=examples(15), deadline=None)
@given(attributes(), st.integers(0, 1000), st.integers(0, 60), st.data())
def test_rows_are_kept_in_any_order_and_no_count_is_below_0(
    described: Attributes, seed: int, rows: int, data: st.DataObject
) -> None:
    table = randomize(described, seed, rows)
    lists = lists_of(described, table)
    if not rows:
        lists = lists._replace(items=[np.zeros((0, eta), np.int32) for _, eta, _ in described])
    answer = likelihood.maximize_likelihood(lists)
    assert math.isclose(answer.counts.sum(), rows, abs_tol=1e-9)
    assert answer.counts.min() >= 0
    assert answer.converged
    if rows:
        again = lists_of(described, data.draw(st.permutations(table)))
        assert likelihood.maximize_likelihood(again).counts.tolist() == answer.counts.tolist()


def test_attributes_come_back_in_the_order_they_were_named() -> None:
    described: Attributes = [(4, 2, 1.0), (2, 1, 0.9), (3, 1, 1.0)]
    table = randomize(described, 3, 400)
    counts = likelihood.maximize_likelihood(lists_of(described, table)).counts.reshape(4, 2, 3)
    turned = likelihood.maximize_likelihood(lists_of(described[::-1], [row[::-1] for row in table])).counts
    assert np.allclose(turned.reshape(3, 2, 4).transpose(2, 1, 0), counts)


def test_what_is_known_stays_exact() -> None:
    table = [[[number % 3], [number % 2], [number % 4, (number + 1) % 4]] for number in range(20)]
    described: Attributes = [(3, 1, 1.0), (2, 1, 1.0), (4, 2, 1.0)]
    exact = np.zeros((3, 2))
    np.add.at(exact, ([number % 3 for number in range(20)], [number % 2 for number in range(20)]), 1)
    known = likelihood.maximize_likelihood(lists_of(described[:2], [row[:2] for row in table]))
    assert known.counts == pytest.approx(exact.reshape(-1))
    assert known.steps == 0
    together = likelihood.maximize_likelihood(lists_of(described, table)).counts.reshape(3, 2, 4)
    assert np.allclose(together.sum(axis=2), exact)


def test_whole_domains_tell_nothing_and_every_value_gets_the_same() -> None:
    described: Attributes = [(4, 4, 1.0), (3, 3, 0.5), (3, 1, 1.0)]
    table = [[[0, 1, 2, 3], [0, 1, 2], [number % 3 // 2]] for number in range(24)]
    counts = likelihood.maximize_likelihood(lists_of(described, table)).counts.reshape(12, 3)
    assert np.allclose(counts, np.array([16.0, 8.0, 0.0]) / 12)


def test_attributes_that_do_not_go_together_are_told_from_those_that_do() -> None:
    described: Attributes = [(4, 2, 1.0), (4, 2, 1.0)]
    apart, together = independent_rows(described, 1, 600), randomize(described, 1, 600)
    added = []
    for table in (apart, together):
        lists = lists_of(described, table)
        alone = [likelihood.fit_lists(lists.of([j])).cells for j in (0, 1)]
        target = likelihood.independent(lists, [False, False], alone)
        _, rows, _ = likelihood.choose_smoothing(sort_lines(lists), target)
        added.append(rows)
    assert added[0] > 0.2
    assert added[1] < 0.1


def test_each_row_is_held_out_once_and_of_very_many_not_every_part() -> None:
    lines = sort_lines(lists_of([(4, 2, 1.0)], randomize([(4, 2, 1.0)], 2, 50)))
    assert np.array_equal(np.sum(likelihood.hold_out(lines), axis=0), lines.weights)
    assert len(likelihood.hold_out(lines._replace(weights=lines.weights * 10_000))) == 1
    assert likelihood.hold_out(lines._replace(weights=np.array([1]))) == []


def test_sums_are_shared_where_many_lines_begin_alike() -> None:
    lengths, sizes = np.array([2, 3, 3]), np.array([4, 9, 9])
    assert cheapest_depth(lengths, sizes, np.array([6, 400, 9_000])) == 2
    assert cheapest_depth(lengths, sizes, np.array([90, 100, 100])) == 0


def test_a_leap_that_leads_away_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    described: Attributes = [(4, 2, 1.0), (3, 1, 0.6)]
    lines = sort_lines(lists_of(described, randomize(described, 3, 60)))
    start = np.full(12, 1 / 12)
    arguments = lines, start, likelihood.nobody(lines), likelihood.Smoothing(start, 0.01), 1e-6
    expected = likelihood.maximize(*arguments)

    def lead_away(_start: object, first: np.ndarray, _second: object, _reach: float, ahead: np.ndarray) -> float:
        ahead[:] = (1 + first[::-1]) / (1 + first).sum()
        return 1.0

    monkeypatch.setattr(likelihood, "leap", lead_away)
    monkeypatch.setattr(likelihood, "MOST_STEPS", 3000)
    fit = likelihood.maximize(*arguments)
    assert fit.change <= 1e-6
    assert fit.steps > expected.steps
    assert np.allclose(fit.cells, expected.cells, atol=1e-3)


def test_a_step_that_is_stopped_leaves() -> None:
    lines: Lines = sort_lines(lists_of([(4, 2, 1.0)], randomize([(4, 2, 1.0)], 2, 5)))
    weights, shares = lines.weights.astype(np.float64), np.full(4, -1.0)
    known = lines.items, lines.lengths, lines.sizes, lines.shared, lines.depth
    assert take_step(*known, weights, weights, np.full(4, 0.25), shares, np.ones(1, np.uint8)) == (0, 0)
    assert shares.tolist() == [-1.0] * 4
    STOP[0] = 1
    try:
        with pytest.raises(KeyboardInterrupt):
            lines.step(np.full(4, 0.25), weights, weights)
    finally:
        STOP[0] = 0
