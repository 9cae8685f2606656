"""Which of a few hundred centres is nearest to a point, without looking at them all."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.jit import kernel
from ..space import Floats, Ints, Wide

MARGIN = 1e-6
"""Far above the rounding of a distance, far below the difference of two that matter."""


class Centres(NamedTuple):
    """Centres, one line of coordinates each; per centre, the others from near to far, and how far."""

    point: Ints
    neighbour: Ints
    apart: Floats


def with_neighbours(point: Ints) -> Centres:
    """Sort the centres around each centre."""
    count = point.shape[0]
    squares = np.zeros((count, count), np.int64)
    for column in point.T.astype(np.int64):
        squares += (column[:, None] - column[None, :]) ** 2
    neighbour = np.argsort(squares, axis=1, kind="stable")
    apart = np.sqrt(np.take_along_axis(squares, neighbour, axis=1))
    return Centres(point, neighbour.astype(np.int32), apart)


@kernel
def nearest_centre(centres: Centres, point: Wide, guess: int) -> tuple[int, int]:
    """Return the nearest centre, of equal ones the first, and the square of its distance.

    Walks from the guess to ever farther centres. One that is farther from the guess than the point is, plus the
    least distance so far, cannot be nearer to the point than that; nor can those behind it.
    """
    best = guess
    shortest = square_distance(centres.point[guess], point)
    from_guess = np.sqrt(float(shortest))
    reach = 2.0 * from_guess + MARGIN
    for i in range(centres.point.shape[0]):
        if centres.apart[guess, i] > reach:
            break
        centre = centres.neighbour[guess, i]
        square = square_distance(centres.point[centre], point)
        if square < shortest or (square == shortest and centre < best):
            best = int(centre)
            shortest = square
            reach = from_guess + np.sqrt(float(shortest)) + MARGIN
    return best, shortest


@kernel
def square_distance(centre: Ints, point: Wide) -> int:
    """Return the square of the distance, in whole numbers."""
    square = 0
    for c in range(point.shape[0]):
        apart = point[c] - np.int64(centre[c])
        square += apart * apart
    return square


@kernel
def move_to_means(points: Ints, centres: Centres, nearest: Ints, moved: Ints) -> None:
    """Find each point's nearest centre (`nearest` holds guesses) and put the means of the centres' points in `moved`.

    Means are rounded to whole coordinates, halves up. A centre without points stays.
    """
    count, columns = centres.point.shape
    total = np.zeros((count, columns), np.int64)
    members = np.zeros(count, np.int64)
    point = np.empty(columns, np.int64)
    for i in range(points.shape[0]):
        for c in range(columns):
            point[c] = points[i, c]
        centre, _ = nearest_centre(centres, point, nearest[i])
        nearest[i] = centre
        members[centre] += 1
        for c in range(columns):
            total[centre, c] += point[c]
    for centre in range(count):
        size = members[centre]
        for c in range(columns):
            mean = (2 * total[centre, c] + size) // (2 * size) if size > 0 else np.int64(centres.point[centre, c])
            moved[centre, c] = mean
