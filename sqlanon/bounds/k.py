"""k-anonymity: a class has at least k rows, or people."""

from .bound import Bound

BOUND = Bound(
    "k",
    adjective="k_anonymous",
    help="Every class has at least k rows (with entity, people).",
    measure="k",
    low=1,
    is_whole=True,
    larger_is_stronger=True,
    is_sensitive=False,
    best=lambda population, bounds: population.size,
    counts_people=True,
    promise="All {noun} look like at least {less} others: each class has {bound} {noun} or more (k = {bound}).",
    broken="a {unit} has fewer than k = {k} {noun}",
)
