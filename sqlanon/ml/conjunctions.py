"""Combinations of values that cover enough rows, and the classes of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .examples import Examples, Floats, Ints

ROUNDING = 1e-9
"""Weights are fractions; their sums are not exact."""


@dataclass(frozen=True)
class Thresholds:
    """The thresholds above which a conjunction is a rule."""

    accuracy: float
    cover: int
    conditions: int


@dataclass(frozen=True)
class Conjunctions:
    """The combinations of values in some columns that cover enough: `rows` that have one, and which (`group`)."""

    columns: tuple[int, ...]
    rows: Ints
    group: Ints

    def with_column(self, column: int, codes: Ints, weights: Floats, cover: float) -> Conjunctions:
        """These conjunctions with one more column; rows whose combination covers too little are gone."""
        more = codes[self.rows] + 1  # -1 is a value, too
        _, position, total = totals(self.group * (more.max() + 1) + more, weights[self.rows])
        enough = total >= cover - ROUNDING
        rows = enough[position]
        number = np.cumsum(enough) - 1
        return Conjunctions((*self.columns, column), self.rows[rows], number[position[rows]])

    def find_accurate(self, examples: Examples, accuracy: float) -> Iterator[tuple[int, int, float, float]]:
        """Those where a class has the share `accuracy`: a row that has it, the class, its share, the rows covered."""
        weights, classes = examples.weights[self.rows], examples.classes[self.rows]
        cover = np.bincount(self.group, weights)
        some_row = np.zeros(cover.size, np.int64)
        some_row[self.group] = self.rows
        pairs, _, hits = totals(self.group * (classes.max() + 1) + classes, weights)
        group, target = np.divmod(pairs, classes.max() + 1)
        for i in np.flatnonzero(hits >= accuracy * cover[group] - ROUNDING).tolist():
            covered = float(cover[group[i]])
            yield int(some_row[group[i]]), int(target[i]), float(hits[i]) / covered, covered


def extend(
    conjunctions: Conjunctions, codes: Sequence[Ints], examples: Examples, thresholds: Thresholds
) -> Iterator[Conjunctions]:
    """All conjunctions with more columns, each set of columns once; what covers too little is not extended."""
    if len(conjunctions.columns) == thresholds.conditions or not conjunctions.rows.size:
        return
    for column in range(max(conjunctions.columns, default=-1) + 1, len(codes)):
        more = conjunctions.with_column(column, codes[column], examples.weights, thresholds.cover)
        if more.rows.size:
            yield more
        yield from extend(more, codes, examples, thresholds)


def totals(keys: Ints, weights: Floats) -> tuple[Ints, Ints, Floats]:
    """The distinct keys, the position of each key among them, and the weight of each distinct key."""
    size = int(keys.max()) + 1
    if size > 8 * keys.size + 1_000_000:
        distinct, position = np.unique(keys, return_inverse=True)
    else:  # sorting takes ten times as long
        distinct = np.flatnonzero(np.bincount(keys, minlength=size))
        position_of = np.zeros(size, np.int64)
        position_of[distinct] = np.arange(distinct.size)
        position = position_of[keys]
    return distinct, position, np.bincount(position, weights).astype(np.float64, copy=False)
