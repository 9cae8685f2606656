"""The rows of a box that weigh most: k of them, or, by sensitive value, the best of each of l values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.jit import kernel
from ..space import Floats, Wide
from .items import Items

LISTED, ROWS = 0, 1
"""The positions in `state`: items in the list, and the rows that they stand for."""


class Top(NamedTuple):
    """A list of items by descending u: the shortest that stands for `size` rows, or for all there are.

    By value, an item stands for one row, and no two have the same sensitive value.
    """

    item: Wide
    u: Floats
    rows: Wide
    state: Wide
    size: int
    by_value: bool


def empty_top(size: int, by_value: bool) -> Top:
    """A list with room for as many items as it can need."""
    return Top(
        item=np.empty(size + 1, np.int64),
        u=np.empty(size + 1),
        rows=np.empty(size + 1, np.int64),
        state=np.zeros(2, np.int64),
        size=size,
        by_value=by_value,
    )


@kernel
def clear(top: Top) -> None:
    """Make the list empty."""
    top.state[:] = 0


@kernel
def is_full(top: Top) -> bool:
    """Whether the list stands for `size` rows."""
    return bool(top.state[ROWS] >= top.size)


@kernel
def insert(top: Top, items: Items, item: int, u: float) -> None:
    """List an item if it is among the best."""
    last = top.state[LISTED] - 1
    if is_full(top) and u <= top.u[last]:
        return
    rows = 1 if top.by_value else min(items.weight[item], top.size)
    if top.by_value:
        at = 0
        while at <= last and items.value[top.item[at]] != items.value[item]:
            at += 1
        if at <= last:
            if top.u[at] >= u:
                return
            remove(top, at)
    at = top.state[LISTED]
    while at > 0 and top.u[at - 1] < u:
        top.item[at] = top.item[at - 1]
        top.u[at] = top.u[at - 1]
        top.rows[at] = top.rows[at - 1]
        at -= 1
    top.item[at] = item
    top.u[at] = u
    top.rows[at] = rows
    top.state[LISTED] += 1
    top.state[ROWS] += rows
    while top.state[ROWS] - top.rows[top.state[LISTED] - 1] >= top.size:
        top.state[LISTED] -= 1
        top.state[ROWS] -= top.rows[top.state[LISTED]]


@kernel
def remove(top: Top, at: int) -> None:
    """Take an item off the list."""
    top.state[LISTED] -= 1
    top.state[ROWS] -= top.rows[at]
    for i in range(at, top.state[LISTED]):
        top.item[i] = top.item[i + 1]
        top.u[i] = top.u[i + 1]
        top.rows[i] = top.rows[i + 1]


@kernel
def counted_rows(top: Top, at: int) -> int:
    """Return how many rows of a listed item count: of the last, what is missing to `size`. Assumes a full list."""
    surplus = top.state[ROWS] - top.size
    return int(top.rows[at] - surplus) if at == top.state[LISTED] - 1 else int(top.rows[at])


@kernel
def mean_of_top(top: Top) -> float:
    """Return the mean u of the `size` best rows. Assumes a full list."""
    total = 0.0
    for at in range(top.state[LISTED]):
        total += top.u[at] * counted_rows(top, at)
    return total / top.size
