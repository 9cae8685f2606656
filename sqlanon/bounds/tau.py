"""(tau,l)-diversity: base values below published sensitive values, the first j of them together, take no more than tau
and l allow.
"""

from collections.abc import Mapping
from decimal import Decimal

from ..errors import InvalidParameter
from .bound import Bound

BOUND = Bound(
    "tau",
    adjective="tau_l_diverse",
    help="With l: (tau,l)-diversity.",
    measure="tau",
    low=0,
    high=1,
    example=0.5,
    needs="l",
    needs_from=2,
    promise="In no published class does a value of {sa} take more than {share} of the rows, {equally_likely} "
    "(tau = {bound}).",
    broken="the values{which} that a {unit} induces take more than tau = {tau}, l = {l} allow",
)

ROUNDED = 1e-9
"""A tau that falls short of 1/l by this share of it, or less, is 1/l, rounded: 0.3333333333 for l = 3."""


def refuse_tau(parameters: Mapping[str, float | Decimal]) -> None:
    """Refuse a tau outside of 1/l to below 1: the most frequent of l values has 1/l or more."""
    tau, l = parameters["tau"], parameters["l"]
    if not (float(tau) * float(l) >= 1 - ROUNDED and tau < 1):
        raise InvalidParameter(
            f"tau = {float(tau):g} is out of range.", f"For l = {l:g}, it goes from 1/{l:g} to below 1."
        )
