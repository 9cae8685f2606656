"""Combinations of columns, each counted from the whole table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations


def count(columns: Sequence[Sequence[object]], max_size: int) -> dict[tuple[int, ...], tuple[int, int, int]]:
    """For each combination of columns: distinct values, rows that are alone, pairs of rows that are alike."""
    counted = {}
    for size in range(1, min(max_size, len(columns)) + 1):
        for chosen in combinations(range(len(columns)), size):
            rows = Counter(zip(*(columns[number] for number in chosen), strict=True))
            alone = sum(n == 1 for n in rows.values())
            counted[chosen] = (len(rows), alone, sum(n * (n - 1) // 2 for n in rows.values()))
    return counted
