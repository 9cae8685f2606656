"""How long lists are (eta), and how often they hold the original value for sure (p)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from .excess import largest_excesses

LONGEST = 100
"""The longest lists that are tried for t; those of large domains would take all memory there is."""
SLACK = 1e-12
"""The share by which s stays below its bound, so that rounding never breaks it."""


class Parameters(NamedTuple):
    """Of one attribute. Without `expected_l2`, nothing can be reconstructed: each list is the whole domain."""

    eta: int
    p: float
    expected_l2: float | None


def choose(counts: Sequence[int], l: int | None, t: float | None, ground: str) -> Parameters:
    """The parameters with the least expected L2 distance that keep l, and t; `counts` are those of the domain.

    Assumes that the domain has l values or more.
    """
    size, rows = len(counts), sum(counts)
    shortest = 1 if l is None else l
    if size == 1:
        return Parameters(1, 1.0, 0.0)
    if shortest == size:
        return Parameters(size, 1.0, None)
    if t is None:
        return Parameters(shortest, 1.0, expected_l2(size, rows, shortest, 1.0))
    excesses = largest_excesses(counts, t, ground)
    best: Parameters | None = None
    for eta in range(shortest, max(shortest + 1, min(size, LONGEST + 1))):
        p = largest_p(size, eta, t, float(excesses[eta - 1]))
        tried = Parameters(eta, p, expected_l2(size, rows, eta, p))
        if best is None or best.expected_l2 is None or (tried.expected_l2 or 0.0) < best.expected_l2:
            best = tried
    assert best is not None
    return best


def expected_l2(size: int, rows: int, eta: int, p: float) -> float:
    """Equation 9: of the counts of one attribute, normalised, after reconstruction."""
    square = (1 - size) * (p * p * size + eta - (p * p + size) * eta) / (p * p * size * rows * (size - eta))
    return math.sqrt(max(0.0, square))


def largest_p(size: int, eta: int, t: float, excess: float) -> float:
    """The largest p for which no list moves beliefs by more than t."""
    if excess <= 0:
        return 1.0
    s = t / excess * (1 - SLACK)
    return s * eta / (size + s * eta)
