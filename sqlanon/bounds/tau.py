"""(tau,l)-diversity: base values below published sensitive values, the first j of them together, take no more than tau
and l allow.
"""

from .bound import Bound

BOUND = Bound(
    "tau",
    help="With l: (tau,l)-diversity.",
    measure="tau",
    low=0,
    high=1,
    needs="l",
    promise="In no published class does a value of {sa} take more than {share} of the rows, {equally_likely} "
    "(tau = {bound}).",
    broken="the values{which} that a {place} induces take more than tau = {tau}, l = {l} allow",
)
