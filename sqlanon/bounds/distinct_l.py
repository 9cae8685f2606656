"""Distinct l-diversity: a class has at least so many different sensitive values."""

from .bound import Bound

BOUND = Bound(
    "distinct_l",
    adjective="distinct_l_diverse",
    help="Every class has at least so many different sensitive values.",
    measure="distinct_l",
    low=1,
    larger_is_stronger=True,
    best=lambda population, bounds: min(map(len, population.holders)),
    promise="Every class has {bound} different values of {sa} or more (distinct l = {bound}).",
    broken="a {unit} has fewer than {distinct_l} sensitive values{which}",
)
