"""The twin of TopDown: groups are lists of rows in order of arrival, split until they are small."""

from __future__ import annotations

from collections.abc import Sequence

from . import mondrian
from .naive import Table, group_loss

SAME = 1e-9
ATTEMPTS = 4


def k_groups(table: Table, arrival: Sequence[int], k: int) -> list[list[int]]:
    """Split in two, and the sides again, while a group has at least 2k rows."""
    if len(arrival) < 2 * k:
        return [list(arrival)]
    return [group for side in split(table, arrival, k) for group in k_groups(table, side, k)]


def groups(table: Table, arrival: Sequence[int], fewest: int, promise: mondrian.Promise) -> list[list[int]]:
    """Split in two, and the sides again, while there is a way such that both are as promised."""
    for start in [arrival[attempt * len(arrival) // ATTEMPTS] for attempt in range(ATTEMPTS)]:
        if len(arrival) >= 2 * fewest:
            sides = split(table, arrival, fewest, start)
            if all(map(promise, sides)):
                return [group for side in sides for group in groups(table, side, fewest, promise)]
    for column in mondrian.widest_first(table, arrival):
        sides = mondrian.halves(table, arrival, column)
        if all(map(promise, sides)):
            return [group for side in sides for group in groups(table, side, fewest, promise)]
    return [list(arrival)]


def split(table: Table, group: Sequence[int], k: int, start: int | None = None) -> tuple[list[int], list[int]]:
    """Two sides around two rows far apart, both of at least k rows, in order of arrival."""
    first, second = far_apart(table, group, group[0] if start is None else start)
    sides = [first], [second]
    for row in group:
        if row not in (first, second):
            sides[choose(table, sides, row)].append(row)
    small, large = sorted(sides, key=len)
    while len(small) < k:
        row = cheapest(table, small, [row for row in group if row in large])
        small.append(row)
        large.remove(row)
    return [row for row in group if row in sides[0]], [row for row in group if row in sides[1]]


def far_apart(table: Table, group: Sequence[int], start: int) -> tuple[int, int]:
    """From a row to the farthest from it, to the farthest from that, and once more."""
    path = [start]
    for _ in range(3):
        others = [row for row in group if row != path[-1]]
        distances = [pair_loss(table, row, path[-1]) for row in others]
        path.append(first_of_least(others, [-distance for distance in distances]))
    return path[-1], path[-2]


def choose(table: Table, sides: tuple[list[int], list[int]], row: int) -> int:
    """The side that grows less; else the one whose first row is nearer; else the smaller; else the first."""
    growth = [group_loss(table, [*side, row]) - group_loss(table, side) for side in sides]
    nearness = [pair_loss(table, side[0], row) for side in sides]
    sizes = [float(len(side)) for side in sides]
    for zero, one in (growth, nearness, sizes):
        if abs(zero - one) >= SAME:
            return 0 if zero < one else 1
    return 0


def cheapest(table: Table, side: Sequence[int], candidates: Sequence[int]) -> int:
    """The candidate that makes the side lose least."""
    return first_of_least(candidates, [group_loss(table, [*side, row]) / (len(side) + 1) for row in candidates])


def pair_loss(table: Table, one: int, other: int) -> float:
    """The NCP of two rows."""
    return group_loss(table, [one, other]) / 2


def first_of_least(rows: Sequence[int], losses: Sequence[float]) -> int:
    """The first row that none of the later ones beats by more than rounding."""
    best = 0
    for i, loss in enumerate(losses):
        if loss < losses[best] - SAME:
            best = i
    return rows[best]
