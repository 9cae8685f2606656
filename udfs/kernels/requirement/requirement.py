"""The bounds of a class as numbers, and the values that they are about."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.jit import kernel
from ..space import Ints, Microdata, Wide


class Requirement(NamedTuple):
    """The bounds that a class keeps, for each sensitive attribute. By default, none asks for anything.

    size: its rows. frequency: its most frequent value, in r1 rows, takes 1/frequency of it at most. ranks, c:
    r1 < c · (r_ranks + … + r_m), the values from the `ranks`-th on; that fails if there are fewer values. distinct: how
    many values it has. entropy: it is as mixed as so many values of equal frequency. t, beta, delta: how far the shares
    of its values are from those in the whole table (see shares.py).

    If classes keep it, so does their union: each bound is one of sums, or of a convex function of shares. Where people
    are known, the first four hold for people in place of rows, too: somebody with two values counts for both.
    """

    size: int = 1
    frequency: float = 1.0
    ranks: int = 1
    c: float = np.inf
    distinct: int = 1
    entropy: float = 1.0
    t: float = 1.0
    beta: float = np.inf
    delta: float = np.inf


class Values(NamedTuple):
    """The sensitive values of a table. Attributes have no numbers in common; no attribute where none matters.

    `number`: shape (attributes, rows). Attribute a has the numbers first[a] … first[a + 1] − 1. `whole`: how many rows
    of the table have each.
    """

    number: Ints
    first: Wide
    whole: Wide


class Tally(NamedTuple):
    """Room to count values in: by value, 0 unless it is `present`, in which the first few are those that were seen."""

    count_of: Wide
    present: Wide


def is_about_values(requirement: Requirement) -> bool:
    """Whether it asks for more than rows."""
    return requirement._replace(size=1) != Requirement()


def fewest_rows(requirement: Requirement) -> int:
    """Return the fewest rows that a class can have."""
    mixed = int(np.ceil(requirement.entropy - 1e-6))
    frequent = int(np.ceil(requirement.frequency))
    return max(requirement.size, frequent, requirement.ranks, requirement.distinct, mixed)


def read_values(data: Microdata, requirement: Requirement) -> Values:
    """Number the values of all sensitive attributes that a requirement is about."""
    lines = [data.sensitive, *data.apart[: len(data.apart) - (data.person is not None)]]
    lines = lines if is_about_values(requirement) else []
    sizes = [int(line.max()) + 1 for line in lines]
    first = np.cumsum([0, *sizes])
    number = np.empty((len(lines), data.sensitive.size), np.int32)
    for attribute, line in enumerate(lines):
        number[attribute] = line + first[attribute]
    return Values(number, first, np.bincount(number.ravel(), minlength=first[-1]))


def make_tally(values: Values) -> Tally:
    """Return a tally with nothing in it."""
    return Tally(np.zeros(values.whole.size, np.int64), np.empty(values.whole.size, np.int64))


@kernel
def count_excess(size: int, counts: Wide, requirement: Requirement) -> int:
    """Return how many of a class would have to go at least until the rest could be divided into classes that hold, as
    far as size, frequency, ranks and c say. 0 if the class holds as it is.

    Classes that hold, by rows, hold together as well, so the rest would be a class that holds: with at most r − x of
    the most frequent value, (r − x) · frequency <= size − x; and with no value more often than c times the tail, which
    only shrinks. Changes the order of counts.
    """
    if size < requirement.size:
        return size
    top = counts.max()
    if size / top < requirement.frequency:
        return max(1, int(top - np.floor((size - top) / (requirement.frequency - 1.0) + 1e-9)))
    if counts.shape[0] < requirement.ranks:
        return size
    if requirement.c == np.inf:
        return 0
    if requirement.ranks > 1:
        counts.sort()
    tail = counts[: counts.shape[0] - requirement.ranks + 1].sum()
    if top / tail < requirement.c:
        return 0
    most = int(requirement.c * tail) + 1
    while most > 0 and not most / tail < requirement.c:
        most -= 1
    excess = 0
    for count in counts:
        excess += max(0, count - most)
    return excess
