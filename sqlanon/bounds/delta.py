"""delta-disclosure privacy: the share of no sensitive value changes by more than a factor of e to the delta."""

from .bound import Bound

BOUND = Bound(
    "delta",
    adjective="delta_private",
    help="No share of a sensitive value changes by more than a factor of exp(delta).",
    measure="delta_disclosure",
    low=0,
    compares_with_whole=True,
    example=1,
    promise="In every class the share of each value of {sa} is that of the whole table but for a factor of "
    "exp({bound}) (delta-disclosure, delta = {bound}).",
    broken="the share of a sensitive value{which} changes in a {unit} by more than delta = {delta} allows",
)
