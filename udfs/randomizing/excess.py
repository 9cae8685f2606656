"""How much more than t the worst list of each length tells: what p follows from.

A list whose values have prior mass a moves beliefs by s m / (1 + s a), where m is what beliefs.moved_mass says. That is
at most t if s (m − t a) <= t. We call m − t a the excess of the list. It does not depend on p, so the largest s, and
with it p, follows from the largest excess of all lists of a length, without a search. (If that is not above 0, every s
will do.)

equal     m = a (1 − a): the worst list is the one whose mass is nearest to (1 − t) / 2
ordered   m is the largest sum of prior(v) (f(v) − mean of f), over the values v of the list, that any f has which goes
          up or down by 1 / (d − 1) from each place to the next: the dual of the earth mover's distance. So the worst
          list for one such walk f is that of the largest prior(v) (f(v) − mean − t). Short domains have few walks. In
          long ones, each value gets the walk that is the worst for it: that is never too little, and exact for eta = 1
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..kernels.runtime.interrupt import raise_if_interrupted
from ..kernels.space import Floats
from .beliefs import moved_mass

MOST_WORK = 2**34
"""Bits that may be moved to find the masses that lists can have; beyond, any mass is taken for possible."""
MOST_PLACES = 21
"""Of a domain all of whose walks are tried: twenty bins and NULL. There are 2^20."""
CHUNK = 2**13
"""Walks that are tried together."""


def largest_excesses(counts: Sequence[int], t: float, ground: str) -> Floats:
    """For each length 1 … d of lists, the largest excess, or more where it would take too long to tell."""
    if ground == "equal":
        return equal_excesses(counts, t)
    prior = np.array(counts) / sum(counts)
    if prior.size <= MOST_PLACES:
        return walked_excesses(prior, t)
    return np.minimum(summed_excesses(prior, t), equal_excesses(counts, t))  # no two values are more than 1 apart


def equal_excesses(counts: Sequence[int], t: float) -> Floats:
    """If all values are equally far apart: from the masses that lists can have."""
    middle, masses = (1 - t) / 2, reachable_masses(counts)
    if masses is None:
        return np.full(len(counts), middle * middle)
    rows = sum(counts)
    worst = (max(a * (1 - a - t) for a in nearest_masses(each, rows, middle)) for each in masses[1:])
    return np.fromiter(worst, np.float64, len(counts))


def reachable_masses(counts: Sequence[int]) -> list[int] | None:
    """For each length of a list, the rows that its values can have together: bit n is set if they can have n.

    None if it would take too long to tell.
    """
    if len(counts) ** 2 * sum(counts) > MOST_WORK:
        return None
    masses = [1] + [0] * len(counts)
    for number, count in enumerate(counts, 1):
        raise_if_interrupted()
        for length in range(number, 0, -1):
            masses[length] |= masses[length - 1] << count
    return masses


def nearest_masses(masses: int, rows: int, middle: float) -> list[float]:
    """The next mass up to the middle, and the next above it, as shares."""
    below = int(middle * rows)
    at_most = masses & ((1 << (below + 1)) - 1)
    above = masses >> (below + 1)
    nearest = [at_most.bit_length() - 1] if at_most else []
    if above:
        nearest.append(below + (above & -above).bit_length())
    return [mass / rows for mass in nearest]


def walked_excesses(prior: Floats, t: float) -> Floats:
    """If values are in order, exactly: the worst of all walks."""
    worst = np.full(prior.size, -np.inf)
    for start in range(0, 2 ** (prior.size - 1), CHUNK):
        raise_if_interrupted()
        heights = walks(start, min(start + CHUNK, 2 ** (prior.size - 1)), prior.size)
        excesses = np.sort(prior * (heights - (heights @ prior)[:, np.newaxis] - t), axis=1)[:, ::-1]
        np.maximum(worst, np.cumsum(excesses, axis=1).max(axis=0), out=worst)
    return worst


def walks(start: int, end: int, size: int) -> Floats:
    """Some of the walks over the places, a line for each: the bits of its number say where it goes down."""
    bits = np.arange(start, end)[:, np.newaxis] >> np.arange(size - 1) & 1
    heights = np.zeros((end - start, size))
    np.cumsum(1 - 2 * bits, axis=1, out=heights[:, 1:])
    return heights / max(size - 1, 1)


def summed_excesses(prior: Floats, t: float) -> Floats:
    """If values are in order, at most: a list moves no more than its values do one by one."""
    places = np.arange(prior.size, dtype=np.int32)[:, np.newaxis]
    alone = moved_mass(places, prior[places], prior, prior, "ordered") - t * prior
    summed: Floats = np.cumsum(np.sort(alone)[::-1])
    return summed
