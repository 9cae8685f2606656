"""How far a list moves what is believed of its row: the earth mover's distance from before to after it was seen.

Before, values are believed to be as frequent as they are in the table, the prior. The list raises the odds of its own
values: what is believed at a value v of the list L becomes prior(v) (1 + s) / (1 + s a), and prior(v) / (1 + s a) at
others, where a is the prior mass of L and s = p d / (eta (1 − p)).

equal     all values are as far apart as each other: the distance is s a (1 − a) / (1 + s a)
ordered   values are as far apart as their places in the domain, and 1 is from one end to the other (Li et al. 2007).
          The mass that crosses the cut behind place i is s |M − a P| / (1 + s a), where M is the mass of the list,
          and P that of the domain, up to i
"""

from __future__ import annotations

import numpy as np

from ..arrow.arguments import malformed_call
from ..kernels.space import Floats, Ints, Wide


def belief_changes(lists: Ints, prior: Floats, eta: int, p: float, ground: str) -> Floats:
    """The distance of each list: codes of shape (lists, eta), ascending. `prior` has a share for each code.

    A list of values that nobody has, although p = 1, cannot be: its distance is 1.
    """
    shares = prior[lists]
    masses = np.minimum(shares.sum(axis=1), 1.0)
    weight = p * prior.size / eta
    after = weight * masses + (1 - p)
    impossible = after <= 0
    moved = moved_mass(lists, shares, masses, prior, ground)
    distances: Floats = np.where(impossible, 1.0, weight * moved / np.where(impossible, 1.0, after))
    return distances


def moved_mass(lists: Ints, shares: Floats, masses: Floats, prior: Floats, ground: str) -> Floats:
    """How far the mass of each list has to move, if the list stands for as much of the table as it has of the prior."""
    if ground == "equal":
        return masses * (1 - masses)
    if ground == "ordered":
        return crossing_mass(lists, shares, masses, prior) / max(prior.size - 1, 1)
    raise malformed_call("ground", "not equal or ordered")


def crossing_mass(lists: Ints, shares: Floats, masses: Floats, prior: Floats) -> Floats:
    """Sum |M − a P| over all cuts. Between two items of a list, M stays and a P rises: they meet once at most."""
    size = prior.size
    up_to = np.cumsum(prior)
    sums = np.concatenate([[0.0], np.cumsum(up_to)])
    starts: Wide = np.pad(lists.astype(np.int64), ((0, 0), (1, 0)))
    ends: Wide = np.pad(lists.astype(np.int64), ((0, 0), (0, 1)), constant_values=size)
    left = np.pad(np.cumsum(shares, axis=1), ((0, 0), (1, 0)))
    mass = masses[:, np.newaxis]
    level = np.divide(left, mass, out=np.zeros_like(left), where=mass > 0)
    meet = np.clip(np.searchsorted(up_to, level), starts, ends)
    above = left * (2 * meet - starts - ends)
    below = mass * (2 * sums[meet] - sums[starts] - sums[ends])
    crossing: Floats = (above - below).sum(axis=1)
    return crossing
