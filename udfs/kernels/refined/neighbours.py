"""Rows near a row: those beside it in several orders of the table, each with another pair of columns last.

Rows that share all but two columns are together in the order that ends with these two. Equal rows are one line of the
list, so that the rows beside a row are others.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np

from ..runtime.jit import inner_kernel, kernel
from ..space import Ints, Wide

WIDTH = 64
"""Neighbours of a row, about."""
MOST_ORDERS = 32
"""Of the table: columns have more pairs than that if they are more than eight."""


class Neighbours(NamedTuple):
    """Equal rows are a tuple: `tuple_of` each row, the first row of each tuple and one more; the tuples near each."""

    tuple_of: Ints
    first: Wide
    near: Ints


def find_neighbours(codes: Ints) -> Neighbours:
    """Return the neighbours of rows, which come sorted: codes has a line per row."""
    starts = np.ones(codes.shape[0], np.bool_)
    starts[1:] = (codes[1:] != codes[:-1]).any(axis=1)
    first = np.flatnonzero(starts)
    orders = [sort_rows(codes[first], columns) for columns in column_orders(codes)]
    reach = max(1, WIDTH // (2 * len(orders)))
    near = np.empty((first.size, 2 * reach * len(orders)), np.int32)
    for i, order in enumerate(orders):
        fill_near(order, reach, 2 * reach * i, near)
    return Neighbours((np.cumsum(starts) - 1).astype(np.int32), np.append(first, codes.shape[0]), near)


def column_orders(codes: Ints) -> Iterator[list[int]]:
    """Yield orders of the columns, those of few codes first, then each pair."""
    by_size = [int(column) for column in np.argsort(codes.max(axis=0, initial=0), kind="stable")]
    for pair in islice(combinations(reversed(by_size), min(2, len(by_size) - 1)), MOST_ORDERS):
        yield [column for column in by_size if column not in pair] + list(reversed(pair))


def sort_rows(codes: Ints, columns: list[int]) -> Wide:
    """Return the rows in the order of these columns, the first one first."""
    keys: list[Wide] = []
    room = 0
    for column in columns:
        bits = int(codes[:, column].max(initial=0)).bit_length()
        if not keys or bits > room:
            keys.append(np.zeros(codes.shape[0], np.int64))
            room = 63
        keys[-1] = keys[-1] << bits | codes[:, column]
        room -= bits
    return np.lexsort(keys[::-1]) if len(keys) > 1 else np.argsort(keys[0], kind="stable")


@kernel
def fill_near(order: Wide, reach: int, start: int, near: Ints) -> None:
    """Fill in the tuples up to `reach` before and after each in an order; at its ends, what there is twice."""
    n = order.shape[0]
    for at in range(n):
        for step in range(reach):
            before, after = at - step - 1, at + step + 1
            near[order[at], start + 2 * step] = order[before if before >= 0 else min(after, n - 1)]
            near[order[at], start + 2 * step + 1] = order[after if after < n else max(before, 0)]


@inner_kernel
def neighbour(neighbours: Neighbours, row: int, which: int, copy: int) -> int:
    """Return a row near a row: of the tuple that is `which` of those near, the row that is `copy` of the equal ones."""
    near = neighbours.near[neighbours.tuple_of[row]]
    other = near[which % near.shape[0]]
    first = neighbours.first[other]
    return int(first + copy % (neighbours.first[other + 1] - first))
