"""Frequency l-diversity: in a class, no sensitive value takes more than 1/l."""

from .bound import Bound, Parameters
from .population import Population


def largest_l(population: Population, bounds: Parameters) -> float:
    """How often the most frequent value goes into the whole."""
    return min(population.size / counts[0] for counts in population.holders)


BOUND = Bound(
    "l",
    adjective="l_diverse",
    help="No sensitive value takes more than 1/l of a class.",
    measure="frequency_l",
    low=1,
    larger_is_stronger=True,
    best=largest_l,
    counts_people=True,
    promise="In no published class does a value of {sa} take more than 1/{bound} of the {noun} (l = {bound}); "
    "{better_guesses}.",
    broken="a sensitive value{which} takes more than 1/{l} of the {noun} of a {unit}",
)
