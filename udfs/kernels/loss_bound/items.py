"""The rows of a table as items: rows that are alike in all that matters are one item with a weight."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..loss import extent_loss
from ..runtime.jit import kernel
from ..space import Ints, Microdata, Space, Wide

BLOCK = 32
"""Items of a block: neighbours in the order of items, of which most can be passed over at once."""


class Items(NamedTuple):
    """The items in lexicographic order, columns with few values first. `codes`: shape (items, columns).

    `weight`: the rows of an item. `value`: their sensitive value; 0 where values do not matter. `low`, `high`: the
    extents of blocks of items, shape (blocks, columns).
    """

    codes: Ints
    weight: Wide
    value: Ints
    low: Ints
    high: Ints


def list_items(data: Microdata, by_value: bool) -> Items:
    """Return the distinct rows, by their sensitive values too if these matter."""
    lines = [*data.codes, data.sensitive] if by_value else [*data.codes]
    sizes = np.diff(data.space.first)
    order = np.lexsort([*lines[len(data.codes) :], *(data.codes[c] for c in np.argsort(-sizes, kind="stable"))])
    fresh = np.ones(order.size, np.bool_)
    if order.size:
        fresh[1:] = np.any([line[order][1:] != line[order][:-1] for line in lines], axis=0)
    first = np.flatnonzero(fresh)
    codes = np.ascontiguousarray(data.codes[:, order[first]].T)
    starts = np.arange(0, first.size, BLOCK)
    return Items(
        codes=codes,
        weight=np.diff(first, append=order.size),
        value=data.sensitive[order[first]] if by_value else np.zeros(first.size, np.int32),
        low=np.minimum.reduceat(codes, starts),
        high=np.maximum.reduceat(codes, starts),
    )


@kernel
def pair_loss(space: Space, one: Ints, other: Ints, limit: float) -> float:
    """Return the NCP, summed over the columns, of the box of two rows; or, early, a number from `limit` up."""
    loss = 0.0
    for c in range(one.shape[0]):
        if one[c] != other[c]:
            loss += extent_loss(space, c, min(one[c], other[c]), max(one[c], other[c]))
            if loss >= limit:
                break
    return loss


@kernel
def block_loss(space: Space, one: Ints, low: Ints, high: Ints, limit: float) -> float:
    """Return what a row and any of a block have to lose at the very least; or, early, a number from `limit` up."""
    loss = 0.0
    for c in range(one.shape[0]):
        if one[c] < low[c]:
            loss += extent_loss(space, c, one[c], low[c])
        elif one[c] > high[c]:
            loss += extent_loss(space, c, high[c], one[c])
        if loss >= limit:
            break
    return loss
