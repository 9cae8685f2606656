"""The order in which SWEEP tries levels of generalization: the most informative first (Tian & Zhang 2011, Def. 26).

A level vector has a level for each quasi-identifier, counted from the leaf: 0 is the value itself.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ..space import Space, Wide

Levels = NDArray[np.uint8]

SCALE = 2**50
"""Information in whole numbers, where its exact fractions have too large a denominator."""

ROUNDED_OFF = 2**10
"""Sums of such numbers that differ by less are taken to be equal."""


def count_vectors(space: Space) -> int:
    """Return how many level vectors there are."""
    return math.prod(int(levels) + 1 for levels in space.levels)


def order_vectors(space: Space) -> Levels:
    """Return all level vectors, shape (vectors, columns): most information first, then the lowest level.

    Among equally informative ones the first column, which counts as the most important, is generalized last.
    """
    shape = [int(levels) + 1 for levels in space.levels]
    vectors = np.indices(shape, np.uint8).reshape(len(shape), -1)
    information = np.zeros(vectors.shape[1], np.int64)
    scaled, step = whole_numbers([level_information(space, column) for column in range(len(shape))])
    for column, of_level in enumerate(scaled):
        information += of_level[vectors[column]]
    information //= step
    order = np.lexsort((*vectors[::-1], -information))
    return np.ascontiguousarray(vectors[:, order].T)


def level_information(space: Space, column: int) -> list[Fraction]:
    """Return the information that each level of a column keeps: 1 / leaves of the label, on average over its codes.

    The taxonomy may have more leaves than the data has codes; the kernel does not see those.
    """
    size, levels = int(space.first[column + 1] - space.first[column]), int(space.levels[column])
    start = int(space.trees[column])
    leaves = space.leaves[start : start + levels * size].reshape(levels, size)
    return [Fraction(1), *(mean_reciprocal(line) for line in leaves)]


def mean_reciprocal(leaves: Wide) -> Fraction:
    """Return the mean of 1 / leaves, exactly."""
    numbers, counts = np.unique(leaves, return_counts=True)
    pairs = zip(numbers.tolist(), counts.tolist(), strict=True)
    return sum((Fraction(count, number) for number, count in pairs), Fraction(0)) / leaves.size


def whole_numbers(information: list[list[Fraction]]) -> tuple[list[Wide], int]:
    """Return information in whole numbers of one unit, and the smallest step in which their sums can differ."""
    unit = math.lcm(*(fraction.denominator for column in information for fraction in column))
    step = 1
    if unit * len(information) >= 2**62:
        unit, step = SCALE, ROUNDED_OFF
    return [np.array([round(fraction * unit) for fraction in column], np.int64) for column in information], step
