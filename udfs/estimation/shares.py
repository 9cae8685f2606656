"""How much of each cell lies in a set of values: once per distinct cell, whatever the number of rows.

Inside a part values are equally likely: whole numbers and days are counted, anything else is measured by length, where
a single value is a point: all in or all out.
"""

from __future__ import annotations

import math
from functools import reduce
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..kernels.space import Floats
from .arrays import Flags, flags, totals
from .parts import Parts
from .question import Choice, Run, TextRun


class Moment(NamedTuple):
    """Per cell, of one set: the mean of value x fraction, and the least and the greatest value there."""

    mean: Floats
    least: Floats
    most: Floats


def fractions(parts: Parts, choice: Choice) -> Floats:
    """Per cell, the fraction of it that lies in a set."""
    return totals(parts.owner, parts.weight * part_fraction(parts, choice), parts.star.size)


def possibles(parts: Parts, choice: Choice) -> Flags:
    """Per cell, whether it can. A star may be anything, shown elsewhere or not; among whole numbers, any of them."""
    found: Flags = np.bincount(parts.owner[part_meets(parts, choice)], minlength=parts.star.size) > 0
    return found | parts.star if choice.whole or not parts.stepped else found


def moments(parts: Parts, choice: Choice) -> Moment:
    """What a set of numbers adds to a sum. A star reaches as far as the set does."""
    cells = parts.star.size
    mean = np.zeros(parts.owner.size)
    least, most = np.full(cells, np.inf), np.full(cells, -np.inf)
    for run in choice.runs:
        within = ~parts.null & run_meets(parts, run)
        first, last = overlap(parts, run)
        mean += np.where(within, run_fraction(parts, run) * (first + last - parts.stepped) / 2, 0)
        np.minimum.at(least, parts.owner[within], first[within])
        np.maximum.at(most, parts.owner[within], last[within] - parts.stepped)
    least[parts.star] = choice.runs[0].low if choice.runs else -math.inf
    most[parts.star] = choice.runs[-1].high if choice.runs else math.inf
    return Moment(totals(parts.owner, parts.weight * mean, cells), least, most)


def part_fraction(parts: Parts, choice: Choice) -> Floats:
    """The fraction of each part that lies in a set."""
    if parts.axis == "text":
        found = is_among(parts.label, choice).astype(np.float64)
    else:
        found = reduce(np.add, (run_fraction(parts, run) for run in choice.runs), np.zeros(parts.owner.size))
    found[parts.null] = choice.null
    return found


def part_meets(parts: Parts, choice: Choice) -> Flags:
    """Whether each part has a value in a set."""
    if parts.axis == "text":
        found = is_among(parts.label, choice)
    else:
        none: Flags = np.zeros(parts.owner.size, np.bool_)
        found = reduce(np.logical_or, (run_meets(parts, run) for run in choice.runs), none)
    found[parts.null] = choice.null
    return found


def overlap(parts: Parts, run: Run) -> tuple[Floats, Floats]:
    """Where a part and a run begin and cease to overlap, if they do; whole numbers cease one step later."""
    low, high = (run.low_step, run.high_step) if parts.stepped else (run.low, run.high)
    return np.maximum(parts.low, low), np.minimum(parts.high + parts.stepped, high)


def run_fraction(parts: Parts, run: Run) -> Floats:
    """The fraction of each part in a run of numbers."""
    first, last = overlap(parts, run)
    length = parts.high + parts.stepped - parts.low
    return np.where(length > 0, np.maximum(0, last - first) / length, run_touches(parts, run))


def run_meets(parts: Parts, run: Run) -> Flags:
    """Whether each part has a value in a run of numbers."""
    if not parts.stepped:
        return run_touches(parts, run)
    first, last = overlap(parts, run)
    return np.where(parts.low == parts.high, run_touches(parts, run), last > first)


def run_touches(parts: Parts, run: Run) -> Flags:
    """Whether low … high, all of it, meets a run."""
    above = parts.high >= run.low if run.low_closed else parts.high > run.low
    below = parts.low <= run.high if run.high_closed else parts.low < run.high
    found: Flags = above & below
    return found


def is_among(labels: pa.StringArray, choice: Choice) -> Flags:
    """Whether each text lies in a set."""
    if choice.among is not None:
        return flags(pc.is_in(labels, pa.array(choice.among, pa.string())))
    if choice.but is not None:
        return ~flags(pc.is_in(labels, pa.array(choice.but, pa.string())))
    none: Flags = np.zeros(len(labels), np.bool_)
    return reduce(np.logical_or, (is_between(labels, run) for run in choice.between), none)


def is_between(labels: pa.StringArray, run: TextRun) -> Flags:
    """Whether each text lies in a run of texts, by the order of their bytes."""
    found: Flags = np.ones(len(labels), np.bool_)
    if run.low is not None:
        found &= flags((pc.greater_equal if run.low_closed else pc.greater)(labels, run.low))
    if run.high is not None:
        found &= flags((pc.less_equal if run.high_closed else pc.less)(labels, run.high))
    return found
