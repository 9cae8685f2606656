"""Top-down specialisation, step by step: all scores anew at each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import log2

from . import lattice, naive


def levels(
    table: naive.Table, person: Sequence[int] | None, promise: lattice.Promise, learned: Sequence[int] | None
) -> lattice.Levels:
    """One column one level down at each step, the one with the highest score, until none is left."""
    current = tuple(lattice.height(column) for column in table.columns)
    while True:
        scores: dict[lattice.Levels, float] = {}
        for c, level in enumerate(current):
            lower = (*current[:c], level - 1, *current[c + 1 :])
            if level and all(lattice.holds(table, person, promise, rows) for rows in lattice.classes_at(table, lower)):
                lost = anonymity(table, current) - anonymity(table, lower)
                scores[lower] = gain(table, c, current, lower, learned) / float(lost + 1)
        if not scores:
            return current
        highest = max(scores.values())
        current = next(lower for lower, score in scores.items() if score > highest - 1e-9)


def anonymity(table: naive.Table, at: lattice.Levels) -> Fraction:
    """Rows per row with the most frequent value, in the class where that is least."""
    classes = lattice.classes_at(table, at)
    return min(Fraction(len(rows), max(Counter(table.sensitive[row] for row in rows).values())) for rows in classes)


def gain(
    table: naive.Table, column: int, before: lattice.Levels, after: lattice.Levels, learned: Sequence[int] | None
) -> float:
    """The information about the class, in bits, or else how much GCP falls."""
    if learned is None:
        return float(lattice.gcp(table, before) - lattice.gcp(table, after))
    unknown = []
    for level in (before[column], after[column]):
        published = [lattice.label(table.columns[column], codes[column], level) for codes in table.codes]
        unknown.append(conditional_entropy(learned, published))
    return unknown[0] - unknown[1]


def conditional_entropy(learned: Sequence[int], published: Sequence[Hashable]) -> float:
    """H(learned | published): the mean entropy of the rows that publish the same."""
    total = 0.0
    for one in set(published):
        inside = [value for value, its in zip(learned, published, strict=True) if its == one]
        total -= sum(count * log2(count / len(inside)) for count in Counter(inside).values())
    return total / len(learned)
