"""Cross tabulations under which the whole lists of all rows are most likely.

The likelihood of a row is a weighted sum of cells, so that its logarithm is concave, and EM climbs to the maximum. The
maximum follows chance where there are few rows to a cell. So it is sought as if there were, besides the rows, some more
in which attributes do not depend on each other, distributed as each is alone. How many, is learned from the lists: the
more likely a fit makes rows that were held out of it, the better. None is one of the numbers tried.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..kernels.randomize.bayes import FIRST_REACH, MOST_STEPS, TOLERANCE, leap
from ..kernels.space import Floats
from .lines import Lines, sort_lines
from .published import Attribute, Lists, Reconstructed, log_reconstruction

FOLDS = 5
"""Each row is held out once, in one of so many parts."""
JUDGES = 100_000
"""So many rows that are held out suffice: of larger tables, not every part is tried."""
MOST_SMOOTH, FINER, TRIED = 4.0, 4.0, 9
"""The numbers of rows without dependencies that are tried: the largest, per row, each a fourth of the one before."""
PATIENCE = 3
"""Smaller numbers are no longer tried after held-out rows became less likely so often in succession."""
ROUGH_TOLERANCE = 1e-4
"""The share of the rows that a step may still move while numbers are compared."""
NEVER = 1e-9
"""The share of the rows that is spread over all values of an attribute, so that no cell is impossible."""
SPLIT_SEED = 1
"""Which rows are held out is by chance, and the same in each call."""


class Smoothing(NamedTuple):
    """So many rows are added, per row, that are distributed as the target."""

    target: Floats
    rows: float


class Fit(NamedTuple):
    """Shares of cells, the steps to them, the share that one more would move, and how likely held-out rows are."""

    cells: Floats
    steps: int
    change: float
    judgement: float


def maximize_likelihood(lists: Lists) -> Reconstructed:
    """The counts of cells under which these lists are most likely, smoothed where they tell little."""
    sizes = [attribute.size for attribute in lists.attributes]
    rows = int(lists.weights.sum())
    if rows == 0:
        return Reconstructed(np.zeros(math.prod(sizes)), 0, 0.0)
    # those with few different lists first: then many lines begin alike
    order = sorted(range(len(sizes)), key=lambda j: math.comb(sizes[j], lists.attributes[j].eta))
    fit = fit_lists(lists.of(order))
    counts = fit.cells.reshape([sizes[j] for j in order]).transpose(np.argsort(order)).reshape(-1)
    answer = Reconstructed(counts * (rows / counts.sum()), fit.steps, fit.change)
    log_reconstruction(answer, rows)
    return answer


def fit_lists(lists: Lists) -> Fit:
    """The shares of cells. An attribute alone is not smoothed: it has many rows for each of its values."""
    known = [is_known(attribute) for attribute in lists.attributes]
    if all(known):
        return Fit(share_known(lists), 0, 0.0, 0.0)
    lines = sort_lines(lists)
    if len(known) == 1:
        size = lists.attributes[0].size
        start = np.full(size, 1 / size)
        return maximize(lines, start, nobody(lines), Smoothing(start, 0.0), TOLERANCE)
    alone = [fit_lists(lists.of([j])) for j, each in enumerate(known) if not each]
    target = independent(lists, known, [fit.cells for fit in alone])
    start, rows, steps = choose_smoothing(lines, target)
    fit = maximize(lines, start, nobody(lines), Smoothing(target, rows), TOLERANCE)
    return fit._replace(steps=fit.steps + steps + sum(each.steps for each in alone))


def is_known(attribute: Attribute) -> bool:
    """Whether each list is the value itself."""
    return attribute.eta == 1 and attribute.p == 1


def share_known(lists: Lists) -> Floats:
    """The distribution of attributes that are all known."""
    sizes = [attribute.size for attribute in lists.attributes]
    cells = np.ravel_multi_index([items[:, 0] for items in lists.items], sizes)
    counts = np.zeros(math.prod(sizes))
    np.add.at(counts, cells, lists.weights)
    shares: Floats = counts / counts.sum()
    return shares


def independent(lists: Lists, known: Sequence[bool], alone: Sequence[Floats]) -> Floats:
    """The distribution in which attributes do not depend on each other, but for those that are known together."""
    sizes = [attribute.size for attribute in lists.attributes]
    target = np.ones([1] * len(sizes))
    if any(known):
        together = share_known(lists.of(np.flatnonzero(known).tolist()))
        target = together.reshape([size if each else 1 for size, each in zip(sizes, known, strict=True)])
    for axis, shares in zip(np.flatnonzero(np.logical_not(known)), alone, strict=True):
        shape = [-1 if j == axis else 1 for j in range(len(sizes))]
        target = target * ((1 - NEVER) * shares + NEVER / shares.size).reshape(shape)
    return np.ascontiguousarray(target).reshape(-1)


def choose_smoothing(lines: Lines, target: Floats) -> tuple[Floats, float, int]:
    """Where to start, how many rows without dependencies to add, per row, and the steps that it took to find out.

    From many such rows to none, each part of the rows is judged by a fit to the others.
    """
    held = hold_out(lines)
    if not held:
        return target, MOST_SMOOTH, 0
    cells, steps = [target] * len(held), 0
    best, start, rows, falls, before = -np.inf, target, 0.0, 0, -np.inf
    for tried in [*(MOST_SMOOTH / FINER**k for k in range(TRIED)), 0.0]:
        fits = [
            maximize(lines, near, part, Smoothing(target, tried), ROUGH_TOLERANCE)
            for near, part in zip(cells, held, strict=True)
        ]
        cells, steps = [fit.cells for fit in fits], steps + sum(fit.steps for fit in fits)
        judgement = sum(fit.judgement for fit in fits)
        if judgement > best:
            best, start, rows = judgement, np.mean(cells, axis=0), tried
        falls = falls + 1 if judgement < before else 0
        before = judgement
        if falls == PATIENCE:
            break
    return start, rows, steps


def hold_out(lines: Lines) -> list[Floats]:
    """How many rows of each line are held out, part by part. A part that is nobody, or everybody, judges nothing."""
    rows = int(lines.weights.sum())
    parts = np.random.default_rng(SPLIT_SEED).multinomial(lines.weights, np.full(FOLDS, 1 / FOLDS)).T
    wanted = min(FOLDS, math.ceil(FOLDS * JUDGES / rows))
    return [part.astype(np.float64) for part in parts[:wanted] if 0 < part.sum() < rows]


def nobody(lines: Lines) -> Floats:
    """No row is held out."""
    return np.zeros(len(lines.weights))


def maximize(lines: Lines, start: Floats, held: Floats, smoothing: Smoothing, tolerance: float) -> Fit:
    """Climb, without the rows that are held out, until a step moves no more than the tolerance.

    Two steps, then a leap; one that led down is taken back.
    """
    cells, steps, reach = start, 0, FIRST_REACH
    level, retreat = -np.inf, None
    ahead = np.empty(start.size)
    while True:
        first, reached, judgement = climb(lines, cells, held, smoothing)
        steps += 1
        if retreat is not None and reached < level:
            cells, retreat, reach = retreat, None, max(2.0, reach / 4)
            continue
        change = float(np.abs(first - cells).sum())
        if change <= tolerance or steps >= MOST_STEPS:
            return Fit(cells, steps, change, judgement)
        second, level, _ = climb(lines, first, held, smoothing)
        steps += 1
        length = leap(cells, first, second, reach, ahead)
        cells, retreat = ahead.copy(), second
        reach = 4 * reach if length == reach else reach


def climb(lines: Lines, cells: Floats, held: Floats, smoothing: Smoothing) -> tuple[Floats, float, float]:
    """One step of EM, and how likely the cells it started from make the rows, with those added, and those held out."""
    weights = lines.weights - held
    counts, likelihood, judgement = lines.step(cells, weights, held)
    if smoothing.rows == 0:
        return counts / counts.sum(), likelihood, judgement
    added = smoothing.rows * float(weights.sum())
    possible = smoothing.target > 0
    likelihood += added * float(smoothing.target[possible] @ np.log(cells[possible]))
    stepped = counts + added * smoothing.target
    return stepped / stepped.sum(), likelihood, judgement
