"""The constants that a column is compared with cut its values into regions.

The condition cannot tell the values of a region apart: below the first constant, the constant itself, between it and
the next, …, above the last, and NULL.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from sqlanon.errors import InvalidParameter
from sqlanon.queries.conditions import Comparison, Condition, comparisons

from .points import Point, point_of


@dataclass(frozen=True)
class End:
    """Where a run of values ends: None is infinity."""

    position: Decimal | str | None
    closed: bool


@dataclass(frozen=True)
class Regions:
    """The cut values of a column: points in order. Region 2i + 1 is point i, 2i lies below it, the last one is NULL."""

    axis: str
    points: tuple[Decimal | str, ...]
    texts: tuple[str, ...]
    types: tuple[frozenset[str], ...]
    """The types in which each point is written."""
    ordered: bool
    """Whether anything is compared by order."""
    sought: frozenset[int] = frozenset()
    """The regions of points that are compared by =, <> or IN."""

    @property
    def null(self) -> int:
        return 2 * len(self.points) + 1

    @property
    def gaps(self) -> frozenset[int]:
        """The regions between, below and above the points."""
        return frozenset(range(0, self.null, 2))

    @property
    def everything(self) -> frozenset[int]:
        return frozenset(range(self.null + 1))

    def truths(self, comparison: Comparison) -> list[bool | None]:
        """For each region, whether its values satisfy a comparison."""
        if comparison.operator == "null":
            return [region == self.null for region in range(self.null + 1)]
        numbers = {point: i for i, point in enumerate(self.points)}
        at = {2 * numbers[point_on(self.axis, point_of(each))] + 1 for each in comparison.constants}
        (first, *_) = at
        holds: dict[str, Callable[[int], bool]] = {
            "in": lambda region: region in at,
            "<": lambda region: region < first,
            "<=": lambda region: region <= first,
            ">": lambda region: region > first,
            ">=": lambda region: region >= first,
        }
        return [*map(holds[comparison.operator], range(self.null)), None]

    def runs(self, chosen: frozenset[int]) -> list[tuple[End, End]]:
        """The neighbouring regions of a set, NULL aside, joined: each from one end to another."""
        runs: list[tuple[End, End]] = []
        inside = sorted(chosen - {self.null})
        start = 0
        for i, region in enumerate(inside):
            if i + 1 == len(inside) or inside[i + 1] != region + 1:
                runs.append((self._end(inside[start], -1), self._end(region, 0)))
                start = i + 1
        return runs

    def _end(self, region: int, side: int) -> End:
        if region % 2:
            return End(self.points[region // 2], True)
        at = region // 2 + side
        return End(self.points[at] if 0 <= at < len(self.points) else None, False)


AXES = (
    ({"number"}, "number"),
    ({"iso"}, "iso"),
    ({"time", "iso"}, "time"),
    ({"zoned"}, "time"),
    ({"text", "iso"}, "text"),
)
"""The axis of a column whose constants lie on these."""


def cut(column: int, condition: Condition, name: str, measured: bool) -> Regions:
    """The regions of a column. Its axis is that of its constants; `open` where there are none."""
    compared = [each for each in comparisons(condition) if each.column == column]
    constants = [point_of(constant) for each in compared for constant in each.constants]
    axis = axis_of(constants, name, measured)
    texts = {point_on(axis, constant): constant.text for constant in constants}
    points = sorted(texts)
    if axis != "text" and len({float(point) for point in points}) < len(points):
        raise InvalidParameter(
            f"query: column {name!r} is compared with numbers that a DOUBLE does not tell apart.", "Round them."
        )
    types: dict[Decimal | str, set[str]] = {}
    for constant in constants:
        types.setdefault(point_on(axis, constant), set()).add(constant.type)
    sought = {point_on(axis, point_of(each)) for one in compared if one.operator == "in" for each in one.constants}
    return Regions(
        axis,
        tuple(points),
        tuple(texts[point] for point in points),
        tuple(frozenset(types[point]) for point in points),
        ordered=any(each.operator not in ("in", "null") for each in compared),
        sought=frozenset(2 * at + 1 for at, point in enumerate(points) if point in sought),
    )


def axis_of(constants: list[Point], name: str, measured: bool) -> str:
    """The one axis of constants that a column, which may also be added up, is compared with."""
    kinds = {constant.axis for constant in constants} | ({"number"} if measured else set())
    if not kinds:
        return "open"
    for kinds_of, axis in AXES:
        if kinds <= kinds_of:
            dates_and_moments = axis == "iso" and len({len(constant.text) for constant in constants}) > 1
            return "time" if dates_and_moments else axis
    raise InvalidParameter(
        f"query: column {name!r} is used as more than one of number, date, moment with an offset and text.",
        "Compare it with constants of its own type.",
    )


def point_on(axis: str, constant: Point) -> Decimal | str:
    """Where a constant lies: text by its letters, everything else as a number."""
    return constant.text if axis == "text" else constant.position


def has_whole(regions: Regions, chosen: frozenset[int]) -> bool:
    """Whether a set has a value that a column of whole numbers or days can have: text and NULL count as such."""
    if regions.null in chosen or regions.axis == "text":
        return True
    return any(
        not (isinstance(low.position, Decimal) and isinstance(high.position, Decimal))
        or first_step(low, low.position) < last_step(high, high.position)
        for low, high in regions.runs(chosen)
    )


def first_step(end: End, position: Decimal) -> int:
    """The first whole number from an end on."""
    return math.ceil(position) if end.closed else math.floor(position) + 1


def last_step(end: End, position: Decimal) -> int:
    """The whole number after the last one up to an end."""
    return math.floor(position) + 1 if end.closed else math.ceil(position)
