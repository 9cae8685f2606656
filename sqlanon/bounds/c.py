"""Recursive (c,l)-diversity: the most frequent sensitive value of a class is less than c times all from the l-th on."""

from .bound import Bound

BOUND = Bound(
    "c",
    adjective="recursive_c_l_diverse",
    help="With l: recursive (c,l)-diversity.",
    measure="recursive_c",
    low=0,
    needs="l",
    promise="In no class is the most frequent value of {sa} too far ahead of the rare ones (recursive, c = {bound}).",
    broken="the most frequent sensitive value{which} of a {unit} has too many {noun} for c = {c}",
)
