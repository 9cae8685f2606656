"""Entropy l-diversity: a class is as mixed as so many sensitive values of equal frequency."""

import math
from collections.abc import Sequence

from .bound import Bound, Parameters
from .population import Population

ROUNDING = 1e-9
"""A share that is not promised: logarithms differ in their last digits from engine to engine."""


def mixed_as(population: Population, bounds: Parameters) -> float:
    """exp(entropy) of the whole; a whole number if all values are equally frequent."""
    return min(exp_entropy(population.size, counts) for counts in population.holders)


def exp_entropy(size: int, counts: Sequence[int]) -> float:
    """exp(entropy) of so many rows, of which so many have each value; a little less where it is rounded."""
    if len(set(counts)) == 1:
        return len(counts)
    return math.exp(math.log(size) - math.fsum(n * math.log(n) for n in counts) / size) * (1 - ROUNDING)


BOUND = Bound(
    "entropy_l",
    adjective="entropy_l_diverse",
    help="Every class is as mixed as so many sensitive values of equal frequency.",
    measure="entropy_l",
    low=1,
    larger_is_stronger=True,
    best=mixed_as,
    promise="In every class, {sa} is as mixed as {bound} values of equal frequency are (entropy l = {bound}).",
    broken="the sensitive values{which} of a {unit} are less mixed than entropy_l = {entropy_l} demands",
)
