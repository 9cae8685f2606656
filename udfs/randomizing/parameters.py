"""How long lists are (eta), and how often they hold the original value for sure (p).

Of a list, its prior mass a matters alone: the share of rows whose value is in it. Whoever sees the list takes the
odds that the value is in it for 1 + s times what they were, s = p d / (eta (1 − p)), so that what is believed moves by
s a (1 − a) / (1 + s a). That is at most t if s a (1 − a − t) <= t: the worst list is the one whose mass is nearest to
(1 − t) / 2, and the largest s, and so p, follows without a search.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ..kernels.interrupt import heed

MOST_WORK = 2**34
"""Bits that may be moved to find the masses that lists can have; beyond, any mass is taken for possible."""
SLACK = 1e-12
"""The share by which s stays below its bound, so that rounding never breaks it."""


class Parameters(NamedTuple):
    """Of one attribute. Without `expected_l2`, nothing can be reconstructed: each list is the whole domain."""

    eta: int
    p: float
    expected_l2: float | None


def choose(counts: Sequence[int], l: int | None, t: float | None) -> Parameters:
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
    masses = reachable_masses(counts)
    best: Parameters | None = None
    for eta in range(shortest, size):
        p = largest_p(size, eta, rows, t, None if masses is None else masses[eta])
        tried = Parameters(eta, p, expected_l2(size, rows, eta, p))
        if best is None or best.expected_l2 is None or (tried.expected_l2 or 0.0) < best.expected_l2:
            best = tried
    assert best is not None
    return best


def expected_l2(size: int, rows: int, eta: int, p: float) -> float:
    """Equation 9: of the counts of one attribute, normalised, after reconstruction."""
    square = (1 - size) * (p * p * size + eta - (p * p + size) * eta) / (p * p * size * rows * (size - eta))
    return math.sqrt(max(0.0, square))


def reachable_masses(counts: Sequence[int]) -> list[int] | None:
    """For each length of a list, the rows that its values can have together: bit n is set if they can have n.

    None if it would take too long to tell.
    """
    if len(counts) ** 2 * sum(counts) > MOST_WORK:
        return None
    masses = [1] + [0] * (len(counts) - 1)
    for number, count in enumerate(counts, 1):
        heed()
        for length in range(min(number, len(masses) - 1), 0, -1):
            masses[length] |= masses[length - 1] << count
    return masses


def largest_p(size: int, eta: int, rows: int, t: float, masses: int | None) -> float:
    """The largest p for which no list moves beliefs by more than t."""
    middle = (1 - t) / 2
    room = middle * middle if masses is None else max(a * (1 - a - t) for a in nearest_masses(masses, rows, middle))
    if room <= 0:
        return 1.0
    s = t / room * (1 - SLACK)
    return s * eta / (size + s * eta)


def nearest_masses(masses: int, rows: int, middle: float) -> list[float]:
    """The next mass up to the middle, and the next above it, as shares."""
    below = int(middle * rows)
    at_most = masses & ((1 << (below + 1)) - 1)
    above = masses >> (below + 1)
    nearest = [at_most.bit_length() - 1] if at_most else []
    if above:
        nearest.append(below + (above & -above).bit_length())
    return [mass / rows for mass in nearest]


def belief_change(mass: float, size: int, eta: int, p: float) -> float:
    """How far a list of this prior mass moves what is believed of a row (half the L1 distance)."""
    weight = p * size / eta
    return 1.0 - mass if p == 1 else weight * mass * (1 - mass) / (weight * mass + 1 - p)
