"""Diversity over the expanded classes of a randomized release (Sei et al. 2017, definitions 10 to 14, 17 and 18).

Expanded, a row stands once for every combination of values from its lists. A class of an attribute is all of these that
agree in the other attributes; so each row that is in a class has eta records there, one for each value of its list.
From that alone, no value has more than 1/eta of a class, and the entropy is log(eta) or more.
How much more is told by the counts of combinations, which reconstruction needs as well: nothing has to be expanded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sqlanon.release.models import MOST_CELLS

from ..kernels.space import Floats, Ints, Wide
from .published import Attribute, tabulate

MOST_MEMBERS = 2**30
"""Records of the expanded release that are counted; with more, diversity is that of the lists alone."""


class Diversity(NamedTuple):
    """Of one attribute: the least over its classes. `k`: the records in a class."""

    frequency_l: float
    entropy_l: float
    k: int


def diversities(attributes: Sequence[Attribute], lists: Sequence[Ints], weights: Wide) -> list[Diversity]:
    """Measure each attribute. `lists` has an array for each of them, with a line for each distinct row."""
    members = weights.size * math.prod(attribute.eta for attribute in attributes)
    if math.prod(attribute.size for attribute in attributes) > MOST_CELLS or members > MOST_MEMBERS:
        return [at_least(attribute) for attribute in attributes]
    counts = tabulate(attributes, lists, weights).observed.reshape([attribute.size for attribute in attributes])
    return [
        least_diverse(np.moveaxis(counts, place, -1).reshape(-1, attribute.size), attribute)
        for place, attribute in enumerate(attributes)
    ]


def at_least(attribute: Attribute) -> Diversity:
    """The measures that hold in any class, even in that of a single row."""
    return Diversity(float(attribute.eta), float(attribute.eta), attribute.eta)


def least_diverse(counts: Floats, attribute: Attribute) -> Diversity:
    """The least over all classes: `counts` has a line for each, and in it how many records have each value."""
    counts = counts[counts.any(axis=1)]
    sizes = counts.sum(axis=1)
    shares = counts / sizes[:, np.newaxis]
    entropies = -(shares * np.log(shares, out=np.zeros_like(shares), where=shares > 0)).sum(axis=1)
    floor = float(attribute.eta)  # rounding may fall below
    return Diversity(
        max(floor, float((sizes / counts.max(axis=1)).min())),
        max(floor, math.exp(entropies.min())),
        int(sizes.min()),
    )
