"""The density of points among boxes, by looking at every box from every point."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Point = Sequence[int]
Box = tuple[Point, Point, Fraction]
"""The lowest and the highest code in every column, both inside, and the weight."""


def densities(points: Sequence[Point], boxes: Sequence[Box]) -> list[Fraction]:
    """The sum of the weights of the boxes around each point."""
    return [sum((weight for low, high, weight in boxes if contains(low, high, point)), Fraction(0)) for point in points]


def contains(low: Point, high: Point, point: Point) -> bool:
    return all(start <= code <= stop for start, code, stop in zip(low, point, high, strict=True))
