"""Whether a table can be published with some bounds at all: as one class, it has to keep them.

>>> from . import BOUNDS
>>> refuse_ineligible([Population("rows", 6, [[5, 1]])], {"l": 2, "entropy_l": 1.5}, BOUNDS)
Traceback (most recent call last):
sqlanon.errors.NotEligible: [SA201] l = 2 cannot be kept: all rows as one class keep l = 1.2 at best, … Try l := 1.2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..errors import NotEligible
from ..next_steps import ONLY_VALUE, Advice, try_bounds
from .bound import Bound, Parameters
from .population import Population

DIGITS = 6
"""Of the best value of a bound, as it is said."""


NO_RANK = Advice("There are fewer sensitive values than l, the rank from which c counts: lower l.")


def refuse_ineligible(populations: Sequence[Population], parameters: Parameters, bounds: Sequence[Bound]) -> None:
    """Refuse bounds that not even all rows, or all people, keep as one class; say the best values that they keep."""
    broken = [bound for bound in bounds if bound.name in parameters and broken_by(populations, parameters, bound)]
    if not broken:
        return
    noun = broken_by(populations, parameters, broken[0])
    best = {bound.name: best_value(populations, parameters, bound) for bound in broken}
    possible = {name: value for name, value in best.items() if math.isfinite(value) and value != 1}
    asked = " and ".join(f"{bound.name} = {float(parameters[bound.name]):g}" for bound in broken)
    kept = ", ".join(f"{name} = {value:g}" for name, value in possible.items())
    advice = [try_bounds(possible)] if possible else []
    if 1 in best.values():
        advice.append(ONLY_VALUE)
    if math.inf in best.values():
        advice.append(NO_RANK)
    at_best = f"all {noun} as one class keep {kept} at best, and " if kept else ""
    raise NotEligible.with_advice(f"{asked} cannot be kept: {at_best}no release is stronger.", advice)


def broken_by(populations: Sequence[Population], parameters: Parameters, bound: Bound) -> str:
    """Who does not keep a bound, as one class: rows or people; nothing if both do."""
    for population in counted(populations, bound):
        if not bound.is_kept(parameters[bound.name], bound.best(population, parameters)):
            return population.noun
    return ""


def counted(populations: Sequence[Population], bound: Bound) -> Sequence[Population]:
    """The populations that a bound is about. Rows are the first."""
    return populations if bound.counts_people else populations[:1]


def best_value(populations: Sequence[Population], parameters: Parameters, bound: Bound) -> float:
    """The strongest value that all of them keep, rounded to one that they keep."""
    values = [bound.best(population, parameters) for population in counted(populations, bound)]
    known = [value for value in values if value is not None]
    return round_to_weaker(bound, min(known) if bound.larger_is_stronger else max(known))


def round_to_weaker(bound: Bound, best: float) -> float:
    """The strongest value of a few digits that is kept."""
    if not math.isfinite(best) or (best == int(best) and not bound.is_strict):
        return best
    unit = 10.0 ** (math.floor(math.log10(best)) + 1 - DIGITS)
    steps = math.floor(best / unit) - 1
    weaker = -1 if bound.larger_is_stronger else 1
    candidates = (float(f"{(steps + step) * unit:.{DIGITS}g}") for step in range(4))
    kept = [value for value in candidates if bound.is_kept(value, best)]
    return max(kept) if weaker < 0 else min(kept)
