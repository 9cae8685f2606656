"""Whether rows, as one class, keep a requirement."""

from __future__ import annotations

import numpy as np

from ..runtime.jit import kernel
from ..space import Ints, Wide
from .requirement import Requirement, Tally, Values, count_excess
from .shares import shares_hold


@kernel
def rows_hold(values: Values, rows: Ints | Wide, requirement: Requirement, tally: Tally) -> bool:
    """Whether these rows keep a requirement as one class. The tally is empty, before and after.

    Takes a look at each row for each attribute, and at each value that they have.
    """
    if rows.shape[0] < requirement.size:
        return False
    for attribute in range(values.number.shape[0]):
        if not attribute_holds(values, attribute, rows, requirement, tally):
            return False
    return True


@kernel
def attribute_holds(values: Values, attribute: int, rows: Ints | Wide, requirement: Requirement, tally: Tally) -> bool:
    """Whether it holds for one attribute."""
    size = rows.shape[0]
    most = int(np.floor(size / requirement.frequency))
    distinct = 0
    holds = True
    for row in rows:
        value = values.number[attribute, row]
        if tally.count_of[value] == 0:
            tally.present[distinct] = value
            distinct += 1
        tally.count_of[value] += 1
        if tally.count_of[value] > most:
            holds = False
            break
    present = tally.present[:distinct]
    if holds:
        holds = count_excess(size, tally.count_of[present], requirement) == 0
    if holds:
        holds = shares_hold(size, present, tally.count_of, values, attribute, requirement)
    for value in present:
        tally.count_of[value] = 0
    return holds
