"""Entropy l-diversity: a class is as mixed as so many sensitive values of equal frequency."""

from .bound import Bound

BOUND = Bound(
    "entropy_l",
    adjective="entropy_l_diverse",
    help="Every class is as mixed as so many sensitive values of equal frequency.",
    measure="entropy_l",
    low=1,
    larger_is_stronger=True,
    promise="In every class, {sa} is as mixed as {bound} values of equal frequency are (entropy l = {bound}).",
    broken="the sensitive values{which} of a {unit} are less mixed than entropy_l = {entropy_l} demands",
)
