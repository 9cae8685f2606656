"""How far the classes of a frequency set are from keeping a requirement."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..requirement.requirement import Requirement, Values, count_excess, read_values
from ..requirement.shares import shares_hold
from ..runtime.jit import kernel
from ..space import Flag, Ints, Microdata, Wide
from .classes import Classes, Labels


class Items(NamedTuple):
    """The columns that tell rows apart: sensitive values and, where they are known, people.

    `value`: by attribute and item, the number of the value; `pair`: that of the pair of person and value, of which
    attributes have none in common. `person`: by item; nobody at all where people are not known.
    """

    value: Ints
    person: Ints
    pair: Ints


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


class Counter(NamedTuple):
    """Room to count in: rows and holders by value, 0 between two classes, the values that were seen, and the class in
    which each person, and each pair of a person and a value, was seen last.
    """

    rows_of: Wide
    holders_of: Wide
    present: Wide
    person_in: Wide
    pair_in: Wide


def number_items(data: Microdata, requirement: Requirement) -> tuple[Values, Items, Ints]:
    """Return the values that a requirement is about, the items that it has to tell apart, and each row's item.

    If it is about size, there is one attribute, in which all rows are alike.
    """
    values = read_values(data, requirement)
    if not values.number.size:
        number = np.zeros((1, data.sensitive.size), np.int32)
        values = Values(number, np.array([0, 1]), np.array([data.sensitive.size]))
    if len(values.number) == 1 and data.person is None:
        every = np.arange(values.whole.size, dtype=np.int32)
        nobody = np.empty(0, np.int32)
        return values, Items(every[np.newaxis], nobody, every[np.newaxis]), values.number[0]
    pairs = list(values.number)
    if data.person is not None:  # attributes have no pairs in common, either
        rows = data.sensitive.size
        pairs = [number_pairs(data.person, line) + attribute * rows for attribute, line in enumerate(values.number)]
    item = pairs[0]
    for line in pairs[1:]:
        item = number_pairs(item, line)
    _, row, item = np.unique(item, return_index=True, return_inverse=True)
    person = np.empty(0, np.int32) if data.person is None else data.person[row]
    return values, Items(values.number[:, row], person, np.stack(pairs)[:, row]), item.astype(np.int32)


def number_pairs(one: Ints, other: Ints) -> Ints:
    """Number the pairs that occur."""
    pairs = one.astype(np.int64) * (int(other.max()) + 1) + other
    number: Ints = np.unique(pairs, return_inverse=True)[1].astype(np.int32)
    return number


@kernel
def judge_classes(
    classes: Classes, levels: Wide, labels: Labels, values: Values, items: Items, requirement: Requirement,
    holds: Flag, stop: Flag,
) -> Verdict:  # fmt: skip
    """Return what is to be said of a frequency set at these levels; fill in 1 for each class that holds, else 0."""
    counter = Counter(
        np.zeros(values.whole.shape[0], np.int64),
        np.zeros(values.whole.shape[0], np.int64),
        np.empty(values.whole.shape[0], np.int64),
        np.full(items.person.max() + 1 if items.person.shape[0] else 0, -1, np.int64),
        np.full(items.pair.max() + 1, -1, np.int64),
    )
    failing = inevitable = 0
    lost = 0.0
    anonymity = np.inf
    for g in range(classes.codes.shape[0]):
        if stop[0]:
            break
        size, people = count_members(classes, g, items, counter)
        excess = 0
        holds[g] = 1
        for attribute in range(items.value.shape[0]):
            distinct = count_values(classes, g, attribute, items, counter)
            present = counter.present[:distinct]
            counts = counter.rows_of[present]
            anonymity = min(anonymity, size / counts.max())
            missing = count_excess(size, counts, requirement)
            if missing == 0 and not shares_hold(size, present, counter.rows_of, values, attribute, requirement):
                missing = size if distinct < requirement.distinct else 1
            excess = max(excess, missing)
            if counter.person_in.shape[0]:
                if count_excess(people, counter.holders_of[present], requirement) > 0:
                    holds[g] = 0
                if people < requirement.size:
                    excess = size
            counter.rows_of[present] = 0
            counter.holders_of[present] = 0
        if excess > 0:
            holds[g] = 0
        inevitable += excess
        if not holds[g]:
            failing += size
            lost += size * kept_information(classes.codes[g], levels, labels)
    return Verdict(failing, lost, inevitable, anonymity)


@kernel
def count_members(classes: Classes, g: int, items: Items, counter: Counter) -> tuple[int, int]:
    """Return the rows of a class, and its people, 0 where they are not known."""
    size = people = 0
    for i in range(classes.start[g], classes.start[g + 1]):
        size += classes.rows[i]
        if counter.person_in.shape[0] and counter.person_in[items.person[classes.item[i]]] != g:
            counter.person_in[items.person[classes.item[i]]] = g
            people += 1
    return size, people


@kernel
def count_values(classes: Classes, g: int, attribute: int, items: Items, counter: Counter) -> int:
    """Count the rows of a class, and people, by their value of an attribute; return how many values it has."""
    distinct = 0
    for i in range(classes.start[g], classes.start[g + 1]):
        value, pair = items.value[attribute, classes.item[i]], items.pair[attribute, classes.item[i]]
        if counter.rows_of[value] == 0:
            counter.present[distinct] = value
            distinct += 1
        counter.rows_of[value] += classes.rows[i]
        if counter.pair_in[pair] != g:
            counter.pair_in[pair] = g
            counter.holders_of[value] += 1
    return distinct


@kernel
def kept_information(codes: Ints, levels: Wide, labels: Labels) -> float:
    """Return 1 − NCP, summed over columns, of the labels of a class."""
    kept = 0.0
    for c in range(codes.shape[0]):
        kept += 1.0 - labels.loss[labels.first[c] + levels[c] * labels.size[c] + codes[c]]
    return kept
