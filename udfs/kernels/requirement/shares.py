"""Bounds on the shares of sensitive values in a class: distinct l, entropy l, t, beta, delta.

They are those of the relations of sql/verify/, by which every release is judged before a row leaves. Whole numbers are
compared as SQL compares them. Where there are logarithms, whose last digits differ from engine to engine, a class has
to be a little better than its bound: what holds here holds there.
"""

from __future__ import annotations

import numpy as np

from ..runtime.jit import kernel
from ..space import Wide
from .requirement import Requirement, Values

MARGIN = 1e-10
"""The relative margin of bounds with logarithms: far above their rounding, and far below what anybody would notice."""

WHOLE_NUMBER = 5e-13
"""An entropy l that is as near to a whole number is that number; SQL says so up to 1e-12."""


@kernel
def shares_hold(
    size: int, present: Wide, count_of: Wide, values: Values, attribute: int, requirement: Requirement
) -> bool:
    """Whether a class of so many rows keeps the bounds on the shares of an attribute. It has the values `present`."""
    if present.shape[0] < requirement.distinct:
        return False
    if requirement.entropy > 1.0 and not is_mixed(size, present, count_of, requirement.entropy):
        return False
    if requirement.t < 1.0 and distance(size, present, count_of, values, attribute) > requirement.t:
        return False
    if requirement.beta < np.inf and not is_beta_like(size, present, count_of, values, requirement.beta):
        return False
    if requirement.delta < np.inf:
        return is_delta_private(size, present, count_of, values, attribute, requirement.delta)
    return True


@kernel
def is_mixed(size: int, present: Wide, count_of: Wide, entropy_l: float) -> bool:
    """Whether exp(entropy) of a class is at least entropy_l: exactly if all of its values are equally frequent."""
    logs = 0.0
    uniform = True
    for value in present:
        uniform = uniform and count_of[value] == count_of[present[0]]
        logs += count_of[value] * np.log(count_of[value])
    if uniform:
        return bool(present.shape[0] >= entropy_l)
    mixed = np.exp(np.log(size) - logs / size)
    if abs(mixed - np.rint(mixed)) < WHOLE_NUMBER * mixed:
        return bool(np.rint(mixed) >= entropy_l)
    return bool(mixed * (1.0 - MARGIN) >= entropy_l)


@kernel
def distance(size: int, present: Wide, count_of: Wide, values: Values, attribute: int) -> float:
    """Return the earth mover's distance of a class to the whole table, any two values being 1 apart."""
    total = values.number.shape[1]
    moved = 0
    lacking = total
    for value in present:
        moved += abs(count_of[value] * total - values.whole[value] * size)
        lacking -= values.whole[value]
    return float((moved + size * lacking) / (2 * size * total))


@kernel
def is_beta_like(size: int, present: Wide, count_of: Wide, values: Values, beta: float) -> bool:
    """Whether, of every value whose share rises from p to q, (q − p) / p <= min(beta, −ln p)."""
    total = values.number.shape[1]
    for value in present:
        whole = values.whole[value] * size
        risen = count_of[value] * total - whole
        if risen > 0:
            if count_of[value] == size or risen / whole > beta:
                return False
            if risen / whole > (1.0 - MARGIN) * np.log(total / values.whole[value]):
                return False
    return True


@kernel
def is_delta_private(size: int, present: Wide, count_of: Wide, values: Values, attribute: int, delta: float) -> bool:
    """Whether |ln(q / p)| <= delta for every value of the table, which the class must have."""
    total = values.number.shape[1]
    if present.shape[0] < values.first[attribute + 1] - values.first[attribute]:
        return False
    for value in present:
        share, whole = count_of[value] * total, values.whole[value] * size
        if share != whole and abs(np.log(share / whole)) > delta - MARGIN:
            return False
    return True
