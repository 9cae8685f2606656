"""The requirement of a class, as numbers; and how far the classes of a frequency set are from keeping it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.jit import kernel
from ..space import Flag, Ints, Microdata, Wide
from .classes import Classes, Labels


class Requirement(NamedTuple):
    """A class of `size` rows or more, whose most frequent value, in r1 rows, takes 1/frequency of it at most, with
    r1 < c · (r_ranks + … + r_m), the values from the `ranks`-th on; that fails if there are fewer values.

    Where people are known, the same holds for people in place of rows, too: somebody with two values counts for both.
    """

    size: int = 1
    frequency: int = 1
    ranks: int = 1
    c: float = np.inf


class Items(NamedTuple):
    """The sensitive value and the person of each item; no persons at all where people are not known."""

    value: Ints
    person: Ints


class Verdict(NamedTuple):
    """Of a frequency set.

    `failing`: the rows of classes that fail. `lost`: what leaving them out loses beyond their labels, summed over
    columns. `inevitable`: rows that no more specific set could keep either, at least. `anonymity`: the smallest number
    of rows per row with the most frequent value, over all classes.
    """

    failing: int
    lost: float
    inevitable: int
    anonymity: float


def number_items(data: Microdata, requirement: Requirement) -> tuple[Items, Ints]:
    """Return the items that a requirement has to tell apart, and each row's. If it is about size, values are alike."""
    about_values = requirement.frequency > 1 or requirement.ranks > 1
    value = data.sensitive if about_values else np.zeros_like(data.sensitive)
    if data.person is None:
        return Items(np.arange(int(value.max()) + 1, dtype=np.int32), np.empty(0, np.int32)), value
    values = int(value.max()) + 1
    pairs, item = np.unique(data.person.astype(np.int64) * values + value, return_inverse=True)
    return Items((pairs % values).astype(np.int32), (pairs // values).astype(np.int32)), item.astype(np.int32)


@kernel
def judge_classes(
    classes: Classes, levels: Wide, labels: Labels, items: Items, requirement: Requirement, holds: Flag, stop: Flag
) -> Verdict:
    """Return what is to be said of a frequency set at these levels; fill in 1 for each class that holds, else 0."""
    rows_of = np.zeros(items.value.max() + 1, np.int64)
    holders_of = np.zeros(rows_of.shape[0], np.int64)
    values = np.empty(rows_of.shape[0], np.int64)
    in_class = np.full(items.person.max() + 1 if items.person.shape[0] else 0, -1, np.int64)
    failing = inevitable = 0
    lost = 0.0
    anonymity = np.inf
    for g in range(classes.codes.shape[0]):
        if stop[0]:
            break
        size = people = distinct = 0
        for i in range(classes.start[g], classes.start[g + 1]):
            value = items.value[classes.item[i]]
            if rows_of[value] == 0:
                values[distinct] = value
                distinct += 1
            rows_of[value] += classes.rows[i]
            holders_of[value] += 1
            size += classes.rows[i]
            if in_class.shape[0] and in_class[items.person[classes.item[i]]] != g:
                in_class[items.person[classes.item[i]]] = g
                people += 1
        rows, holders = rows_of[values[:distinct]], holders_of[values[:distinct]]
        for value in values[:distinct]:
            rows_of[value] = holders_of[value] = 0
        anonymity = min(anonymity, size / rows.max())
        excess = count_excess(size, rows, requirement)
        holds[g] = excess == 0
        if in_class.shape[0]:
            holds[g] = holds[g] and count_excess(people, holders, requirement) == 0
            excess = size if people < requirement.size else excess
        inevitable += excess
        if not holds[g]:
            failing += size
            lost += size * kept_information(classes.codes[g], levels, labels)
    return Verdict(failing, lost, inevitable, anonymity)


@kernel
def count_excess(size: int, counts: Wide, requirement: Requirement) -> int:
    """Return how many of a class would have to go at least until the rest could be divided into classes that hold.

    0 if the class holds as it is. Classes that hold, by rows, hold together as well, so the rest would be a class that
    holds: with at most r − t of the most frequent value, (r − t) · frequency <= size − t; and with no value more often
    than c times the tail, which only shrinks. Changes the order of counts.
    """
    if size < requirement.size:
        return size
    top = counts.max()
    if top * requirement.frequency > size:
        return int(top - (size - top) // (requirement.frequency - 1))
    if counts.shape[0] < requirement.ranks:
        return size
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


@kernel
def kept_information(codes: Ints, levels: Wide, labels: Labels) -> float:
    """Return 1 − NCP, summed over columns, of the labels of a class."""
    kept = 0.0
    for c in range(codes.shape[0]):
        kept += 1.0 - labels.loss[labels.first[c] + levels[c] * labels.size[c] + codes[c]]
    return kept
