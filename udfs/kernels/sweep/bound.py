"""(τ,l)-diversity: the j most frequent base values of a class are in at most ψ(j) of it (Tian & Zhang 2011, Def. 11).

Frequencies are kept as masses: sums over rows, not divided by their number.
"""

from __future__ import annotations

import numpy as np

from ..runtime.jit import kernel
from ..space import Floats, SensitiveTrees, Wide

TOLERANCE = 1e-10
"""Frequencies that differ by less are equal, as they are rounded. The recount in SQL has more."""


def limits_of(tau: float, l: int) -> Floats:
    """Return ψ(1) … ψ(l − 1), with the tolerance; beyond, nothing is asked. A τ just below 1/l is 1/l, rounded."""
    tau = max(tau, 1.0 / l)
    return tau + (1.0 - tau) * np.arange(l - 1) / (l - 1) + TOLERANCE


def prior_holds(trees: SensitiveTrees, tau: float, l: int) -> bool:
    """Whether the weights alone are (τ,l)-diverse: if not, no release of anything is."""
    limits = limits_of(tau, l)
    for attribute in range(trees.space.levels.size):
        weight = trees.weight[trees.space.first[attribute] : trees.space.first[attribute + 1]]
        top = np.sort(np.concatenate([weight, np.zeros(l)]))[::-1][: l - 1]
        if not (np.cumsum(top) <= limits * weight.sum()).all():
            return False
    return True


@kernel
def find_most_frequent(mass: Floats, values: Wide, top: Wide) -> int:
    """Fill `top` with the values of most mass, as many as it holds, the largest first. Return how many there are."""
    filled = 0
    for value in values:
        if filled == top.shape[0] and mass[value] <= mass[top[filled - 1]]:
            continue
        at = filled if filled < top.shape[0] else filled - 1
        while at > 0 and mass[top[at - 1]] < mass[value]:
            top[at] = top[at - 1]
            at -= 1
        top[at] = value
        filled = min(filled + 1, top.shape[0])
    return filled


@kernel
def within_limits(mass: Floats, top: Wide, rows: int, limits: Floats) -> bool:
    """Whether the most frequent values, which are in `top`, are in no more rows than they may be.

    If there are fewer than limits, these are all values, and the last limits are broken unless there are no rows.
    """
    total = 0.0
    for j in range(limits.shape[0]):
        total += mass[top[j]] if j < top.shape[0] else 0.0
        if total > limits[j] * rows:
            return False
    return True
