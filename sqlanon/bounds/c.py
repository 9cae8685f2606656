"""Recursive (c,l)-diversity: the most frequent sensitive value of a class is less than c times all from the l-th on."""

import math

from .bound import Bound, Parameters
from .population import Population


def smallest_ratio(population: Population, bounds: Parameters) -> float:
    """The most frequent value over all from the l-th on; infinite if there are fewer."""
    tails = [(counts[0], sum(counts[int(bounds["l"]) - 1 :])) for counts in population.holders]
    return max(top / tail if tail else math.inf for top, tail in tails)


BOUND = Bound(
    "c",
    adjective="recursive_c_l_diverse",
    help="With l: recursive (c,l)-diversity.",
    measure="recursive_c",
    low=0,
    best=smallest_ratio,
    is_strict=True,
    counts_people=True,
    needs="l",
    promise="In no class is the most frequent value of {sa} too far ahead of the rare ones (recursive, c = {bound}).",
    broken="the most frequent sensitive value{which} of a {unit} has too many {noun} for c = {c}",
)
