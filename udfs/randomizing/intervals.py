"""How many rows of the source satisfy a condition, group by group, with an interval, from randomized lists.

The estimate is the sum of reconstructed cells. The interval comes from a second estimate, which is a sum over rows: a
row adds, for each cell that counts, the product over its attributes of

    (1 − other) / (same − other) where its list holds the cell's value, else −other / (same − other)

so that it adds 1 on average if its own cell counts and 0 if not, whatever the other rows are. Its variance is the sum
of the squares less the estimate itself. It may be negative, so the interval also takes in the reconstructed count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..kernels.randomize.bayes import TELLS_NOTHING, inverse, spread
from ..kernels.randomize.members import count_members, sum_members
from ..kernels.runtime.interrupt import STOP, raise_if_interrupted
from ..kernels.space import Floats, Ints, Wide
from .conditions import Mask
from .likelihood import maximize_likelihood
from .published import Attribute, Lists, channel, strides

DEVIATIONS = 1.96
"""Standard deviations on both sides: 95 %."""
ROUNDING = 1e-6
"""The error that a sum of floating-point numbers may have."""


class Estimates(NamedTuple):
    """By combination of values of the keys: the estimated rows, and the ends of the interval."""

    estimate: Floats
    lower: Wide
    upper: Wide


def estimate_groups(lists: Lists, keys: int, counted: Mask) -> Estimates:
    """Count the rows in cells that are to be counted, by the values of the first attributes, so many as `keys`."""
    sizes, rows = counted.shape, int(lists.weights.sum())
    groups = math.prod(sizes[:keys])
    reconstructed = maximize_likelihood(lists).counts.reshape(groups, -1)
    estimate = (reconstructed * counted.reshape(groups, -1)).sum(axis=1)
    telling = [number for number, each in enumerate(lists.attributes) if each.size > 1 and tells(each)]
    mute = tuple(number for number in range(keys, len(sizes)) if number not in telling)
    possible, certain = counted.any(axis=mute), counted.all(axis=mute)
    _, upper = bounds(lists, keys, telling, possible.reshape(groups, -1), rows)
    lower, _ = bounds(lists, keys, telling, certain.reshape(groups, -1), rows)
    if not all(tells(attribute) for attribute in lists.attributes[:keys]):
        lower = np.zeros(groups)
    lower = np.floor(np.minimum(lower, estimate) + ROUNDING).clip(0, rows)
    upper = np.ceil(np.maximum(upper, estimate) - ROUNDING).clip(0, rows)
    estimate = estimate.clip(lower, upper) + 0.0  # never −0.0
    return Estimates(estimate, lower.astype(np.int64), upper.astype(np.int64))


def tells(attribute: Attribute) -> bool:
    """Whether anything is known of its values. Where a list is the whole domain, any value is possible."""
    return attribute.size == 1 or attribute.same - attribute.other >= TELLS_NOTHING


def bounds(lists: Lists, keys: int, telling: Sequence[int], counted: Mask, rows: int) -> tuple[Floats, Floats]:
    """The ends of the intervals, a group after the other, from the attributes that tell something.

    `counted` has a line per group, and says which combinations of the other attributes count.
    """
    grouped = lists.of([number for number in telling if number < keys])
    others = lists.of([number for number in telling if number >= keys])
    sizes = [attribute.size for attribute in lists.attributes[:keys]]
    # the group of attributes that tell, for each group of all: what is in no list does not matter
    codes = np.unravel_index(np.arange(len(counted)), sizes) if sizes else ()
    known = np.zeros(len(counted), np.int64)
    places = [number for number in telling if number < keys]
    for number, stride in zip(places, strides([sizes[number] for number in places]), strict=True):
        known += stride * codes[number]
    lower, upper = np.zeros(len(counted)), np.zeros(len(counted))
    packed = np.packbits(counted, axis=1)
    _, firsts, kinds = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    for kind, first in enumerate(firsts):
        if not counted[first].any():
            continue
        low, high = interval(grouped, add_to_counts(others, counted[first]), rows)
        alike = kinds.reshape(-1) == kind
        lower[alike], upper[alike] = low[known[alike]], high[known[alike]]
    return lower, upper


def add_to_counts(lists: Lists, counted: Mask) -> Floats:
    """The number that each line adds to the count of cells of these attributes."""
    sums = np.ones(lists.weights.size)
    if lists.attributes:
        values = counted.astype(np.float64)
        sizes, same, other = channel(lists.attributes)
        spread(values, sizes, *inverse(sizes, same, other))
        sum_members(*layout(lists), values, sums, STOP)
        raise_if_interrupted()
    return sums


def interval(grouped: Lists, adds: Floats, rows: int) -> tuple[Floats, Floats]:
    """The ends of the interval of each combination of these attributes, where `adds` is what lines add besides."""
    with np.errstate(all="ignore"):
        linear = sum_lines(grouped, grouped.weights * adds, squared=False)
        squares = sum_lines(grouped, grouped.weights * adds**2, squared=True)
        variance = squares - linear
        variance[np.abs(variance) <= 1e-12 * (squares + rows)] = 0.0
        reach = DEVIATIONS * np.sqrt(variance.clip(0))
        middle = linear.clip(0, rows)
        low, high = middle - reach, middle + reach
    unknown = ~np.isfinite(low) | ~np.isfinite(high)
    low[unknown], high[unknown] = 0.0, rows
    return low, high


def sum_lines(lists: Lists, weights: Floats, squared: bool) -> Floats:
    """By combination of values, the sum of what all lines add, or of its squares."""
    if not lists.attributes:
        return np.array([weights.sum()])
    sizes, same, other = channel(lists.attributes)
    cells = np.zeros(int(sizes.prod()))
    count_members(*layout(lists), weights, cells, STOP)
    raise_if_interrupted()
    if squared:
        apart, members = same - other, same + (sizes - 1) * other
        off = other**2 / (members * apart**2)
        spread(cells, sizes, (1 - 2 * other) / apart**2 + off, off)
    else:
        spread(cells, sizes, *inverse(sizes, same, other))
    return cells


def layout(lists: Lists) -> tuple[Ints, Wide, Wide]:
    """Lists as kernels take them: items, lengths, strides."""
    etas = np.array([attribute.eta for attribute in lists.attributes], np.int64)
    sizes = [attribute.size for attribute in lists.attributes]
    return np.concatenate(lists.items, axis=1), etas, strides(sizes)
