"""Lists of a randomized release as the kernel of the likelihood takes them.

A list is as likely as any other of its kind, once it is known whether it holds the value of its row. So up to a factor
that no value changes, the probability of a list of eta out of d values is

    p d / eta + 1 − p  for a value in the list
    1 − p              for any other

and that of all lists of a row is the product over the attributes. Where p is below 1, the sum of all cells, each times
this product, would be one over all cells. But 1 − p is added for every value alike. So an attribute has one more code,
which stands for any value, and is in every list: its cells are the sums over all values, times 1 − p, and those of the
values themselves count p d / eta. What is left is a sum over the cells that the lists hold, as where p is 1. An
attribute whose lists are the whole domain has no other code than this one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..kernels.randomize.likelihood import take_step
from ..kernels.runtime.interrupt import STOP, raise_if_interrupted
from ..kernels.space import Floats, Ints, Wide
from .published import Attribute, Lists

ADDITIONS_AT_ONCE = 4
"""How many sums of a whole line of cells take as long as one that has to be looked up."""


class Shares(NamedTuple):
    """The counts of cells after a step, and the log-likelihood of what it was taken from: of all rows, of some."""

    counts: Floats
    likelihood: float
    judgement: float


class Lines(NamedTuple):
    """Different combinations of lists in their order, with what the kernel wants to know of them."""

    attributes: tuple[Attribute, ...]
    items: Ints
    weights: Wide
    lengths: Wide
    sizes: Wide
    shared: Wide
    depth: int

    def step(self, cells: Floats, weights: Floats, judged: Floats) -> Shares:
        """One step of EM from shares of cells to counts, for so many rows of each line; others are judged."""
        shares = np.empty(int(self.sizes.prod()))
        wide = widen(self.attributes, cells)
        known = self.items, self.lengths, self.sizes, self.shared, self.depth
        likelihood, judgement = take_step(*known, weights, judged, wide, shares, STOP)
        raise_if_interrupted()
        return Shares(cells * narrow(self.attributes, shares), likelihood, judgement)


def sort_lines(lists: Lists) -> Lines:
    """Sort lists and count those that are alike; the order of the rows tells nothing."""
    parts = [codes_of(attribute, items) for attribute, items in zip(lists.attributes, lists.items, strict=True)]
    items, weights = count_alike(np.concatenate(parts, axis=1), lists.weights)
    lengths = np.array([part.shape[1] for part in parts], np.int64)
    sizes = np.array([wide_size(attribute) for attribute in lists.attributes], np.int64)
    same = np.ones((len(items), len(parts)), bool)
    same[:1] = False
    same[1:] = np.logical_and.reduceat(items[1:] == items[:-1], np.cumsum(lengths) - lengths, axis=1)
    shared = np.logical_and.accumulate(same, axis=1)
    depth = cheapest_depth(lengths, sizes, len(items) - shared.sum(axis=0))
    return Lines(tuple(lists.attributes), items, weights, lengths, sizes, shared.sum(axis=1), depth)


def codes_of(attribute: Attribute, items: Ints) -> Ints:
    """The codes that stand for the lists of an attribute."""
    if attribute.eta == attribute.size:
        return np.zeros((len(items), 1), np.int32)
    return items if attribute.p == 1 else np.pad(items, ((0, 0), (0, 1)), constant_values=attribute.size)


def wide_size(attribute: Attribute) -> int:
    """How many codes an attribute has, with that which stands for any value."""
    return 1 if attribute.eta == attribute.size else attribute.size + (attribute.p < 1)


def count_alike(items: Ints, weights: Wide) -> tuple[Ints, Wide]:
    """The different lines, sorted, and how many rows have each."""
    order = np.lexsort(items.T[::-1])
    items, weights = items[order], weights[order]
    first = np.ones(len(items), bool)
    first[1:] = (items[1:] != items[:-1]).any(axis=1)
    return np.ascontiguousarray(items[first]), np.add.reduceat(weights, np.flatnonzero(first))


def cheapest_depth(lengths: Wide, sizes: Wide, different: Wide) -> int:
    """For how many lists sums are shared. `different`: how often a line has other first lists than the one before."""
    looked_up = [int(different[-1]) * math.prod(lengths[depth:].tolist()) for depth in range(lengths.size)]
    added = [
        int(different[j]) * int(lengths[j]) * math.prod(sizes[j + 1 :].tolist()) // ADDITIONS_AT_ONCE
        for j in range(lengths.size)
    ]
    return min(range(lengths.size), key=lambda depth: looked_up[depth] + sum(added[:depth]))


def widen(attributes: tuple[Attribute, ...], cells: Floats) -> Floats:
    """Cells times the chances of lists, with the sums over all values of attributes."""
    table = cells.reshape([attribute.size for attribute in attributes])
    for axis, attribute in enumerate(attributes):
        if attribute.eta == attribute.size:
            table = table.sum(axis=axis, keepdims=True)
        elif attribute.p < 1:
            anything = table.sum(axis=axis, keepdims=True)
            table = np.concatenate([table * gain(attribute), anything * (1 - attribute.p)], axis=axis)
    return np.ascontiguousarray(table).reshape(-1)


def narrow(attributes: tuple[Attribute, ...], shares: Floats) -> Floats:
    """The way back: what each cell gets from the cells that it was counted in."""
    table = shares.reshape([wide_size(attribute) for attribute in attributes])
    for axis, attribute in enumerate(attributes):
        if attribute.eta == attribute.size:
            table = np.repeat(table, attribute.size, axis=axis)
        elif attribute.p < 1:
            values, anything = np.split(table, [attribute.size], axis=axis)
            table = values * gain(attribute) + anything * (1 - attribute.p)
    return np.ascontiguousarray(table).reshape(-1)


def gain(attribute: Attribute) -> float:
    """How much more likely a list is for the values in it."""
    return attribute.p * attribute.size / attribute.eta
