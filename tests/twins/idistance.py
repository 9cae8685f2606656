"""The twin of iDistance: from points on the grid to keys in one dimension."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from . import naive

Point = tuple[int, ...]


def square(one: Point, other: Point) -> int:
    """The square of the distance of two points."""
    return sum((x - y) ** 2 for x, y in zip(one, other, strict=True))


def distance(one: Point, other: Point) -> int:
    """The distance in units of a key: 65,536 to a step of the grid."""
    return int(math.sqrt(square(one, other)) * 65536)


def nearest(point: Point, centres: Sequence[Point]) -> int:
    """The nearest centre, looking at each; of equal ones the first."""
    return min(range(len(centres)), key=lambda centre: (square(point, centres[centre]), centre))


def find_centres(sample: Sequence[Point], wanted: int, rounds: int, bits: int) -> list[Point]:
    """Points spread evenly over the sample, moved to the means of the points around them, in Hilbert order."""
    centres = [sample[(2 * i + 1) * len(sample) // (2 * wanted)] for i in range(wanted)]
    for _ in range(rounds):
        around: list[list[Point]] = [[] for _ in centres]
        for point in sample:
            around[nearest(point, centres)].append(point)
        centres = [mean(points) if points else centre for centre, points in zip(centres, around, strict=True)]
    return sorted(set(centres), key=lambda centre: naive.hilbert_key(centre, bits))


def mean(points: Sequence[Point]) -> Point:
    """The mean, rounded to whole coordinates, halves up."""
    return tuple(math.floor((2 * sum(axis) + len(points)) / (2 * len(points))) for axis in zip(*points, strict=True))


def keys(points: Sequence[Point], centres: Sequence[Point]) -> list[int]:
    """The key of each point's centre plus the distance to it.

    A centre's key is beyond the farthest point of the centre before it, by the distance of the two.
    """
    centre_of = [nearest(point, centres) for point in points]
    away = [distance(point, centres[centre]) for point, centre in zip(points, centre_of, strict=True)]
    key_of_centre = [0]
    for centre, (here, there) in enumerate(pairwise(centres)):
        farthest = max((far for far, its in zip(away, centre_of, strict=True) if its == centre), default=0)
        key_of_centre.append(key_of_centre[-1] + farthest + distance(here, there))
    return [key_of_centre[centre] + far for centre, far in zip(centre_of, away, strict=True)]
