"""Classes that overlap, pair by pair: the twin of the kernel behind compare_releases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Cell = frozenset[int]


class Class(NamedTuple):
    """The points that each cell covers, and the values that are possible."""

    cells: Sequence[Cell]
    values: frozenset[int]


def narrowed_pairs(old: Sequence[Class], new: Sequence[Class], l: int) -> dict[tuple[int, int], int]:
    """Pairs of classes, and how many values they have in common."""
    pairs = {}
    for a, one in enumerate(old):
        for b, other in enumerate(new):
            common = len(one.values & other.values)
            together = all(ours & theirs for ours, theirs in zip(one.cells, other.cells, strict=True))
            if together and 0 < common < min(l, len(one.values), len(other.values)):
                pairs[a, b] = common
    return pairs


def certain(old: Sequence[Class], other: Class, l: int) -> int:
    """How many values are left to a new class whichever old one it is, if each leaves too few; 0 if not."""
    partners = [
        one
        for one in old
        if all(ours & theirs for ours, theirs in zip(one.cells, other.cells, strict=True)) and one.values & other.values
    ]
    left = frozenset().union(*(one.values & other.values for one in partners))
    few = all(len(one.values & other.values) < min(l, len(one.values), len(other.values)) for one in partners)
    return len(left) if few and len(left) < min(l, len(other.values)) else 0
