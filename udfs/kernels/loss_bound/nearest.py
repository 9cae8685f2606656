"""The smallest box that a row can be in: with its (k − 1)-th nearest row, or (l − 1)-th nearest other sensitive value.

A group that keeps k has k − 1 more rows beside any of its rows; the farthest of them is no nearer than the row's
(k − 1)-th nearest row, and the box of the group holds both. A group in which no value takes more than 1/l has l − 1
more values, each at least as far as its nearest row. A larger box never loses less, so the group loses at least as much
as the box of the two.
"""

from __future__ import annotations

import numpy as np

from ..runtime.jit import kernel
from ..space import Flag, Floats, Space, Wide
from .items import BLOCK, Items, block_loss, pair_loss


@kernel
def row_losses(space: Space, items: Items, chosen: Wide, k: int, stop: Flag) -> Floats:
    """Return, for each chosen item, the NCP of its box with the (k − 1)-th nearest other row. Assumes k rows."""
    losses = np.zeros(chosen.shape[0])
    heap = np.empty(max(1, k - 1))
    for i in range(chosen.shape[0]):
        if stop[0]:
            break
        item = chosen[i]
        alike = items.weight[item] - 1
        if alike >= k - 1:
            continue
        nearest = heap[: k - 1 - alike]
        nearest[:] = np.inf
        fill_nearest(space, items, item, nearest)
        losses[i] = nearest[0]
    return losses


@kernel
def fill_nearest(space: Space, items: Items, item: int, nearest: Floats) -> None:
    """Put the losses of the nearest other rows in a heap, the largest first. Assumes that it holds infinities."""
    home = item // BLOCK
    for at in range(-1, items.low.shape[0]):
        block = home if at < 0 else at
        if (
            at == home
            or block_loss(space, items.codes[item], items.low[block], items.high[block], nearest[0]) >= (nearest[0])
        ):
            continue
        for other in range(block * BLOCK, min((block + 1) * BLOCK, items.codes.shape[0])):
            if other == item:
                continue
            loss = pair_loss(space, items.codes[item], items.codes[other], nearest[0])
            left = items.weight[other]
            while left > 0 and loss < nearest[0]:
                replace_largest(nearest, loss)
                left -= 1


@kernel
def replace_largest(heap: Floats, number: float) -> None:
    """Put a smaller number in the place of the largest, heap[0]."""
    i = 0
    while True:
        child = 2 * i + 1
        if child >= heap.shape[0]:
            break
        if child + 1 < heap.shape[0] and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= number:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = number


@kernel
def value_losses(space: Space, items: Items, chosen: Wide, l: int, stop: Flag) -> Floats:
    """Return, for each chosen item, the NCP of its box with the (l − 1)-th nearest other value. Assumes l values."""
    losses = np.zeros(chosen.shape[0])
    nearest = np.empty(l - 1)
    value = np.empty(l - 1, np.int64)
    for i in range(chosen.shape[0]):
        if stop[0]:
            break
        nearest[:] = np.inf
        value[:] = -1
        fill_values(space, items, chosen[i], value, nearest)
        losses[i] = nearest[-1]
    return losses


@kernel
def fill_values(space: Space, items: Items, item: int, value: Wide, nearest: Floats) -> None:
    """List the nearest other values, in order, each with the loss of its nearest row. Assumes infinities."""
    home = item // BLOCK
    for at in range(-1, items.low.shape[0]):
        block = home if at < 0 else at
        if (
            at == home
            or block_loss(space, items.codes[item], items.low[block], items.high[block], nearest[-1]) >= (nearest[-1])
        ):
            continue
        for other in range(block * BLOCK, min((block + 1) * BLOCK, items.codes.shape[0])):
            if items.value[other] != items.value[item]:
                loss = pair_loss(space, items.codes[item], items.codes[other], nearest[-1])
                insert_value(value, nearest, items.value[other], loss)


@kernel
def insert_value(value: Wide, nearest: Floats, new: int, loss: float) -> None:
    """List a value where its loss belongs, once; the last of the list makes room."""
    if loss >= nearest[-1]:
        return
    at = 0
    while at < value.shape[0] - 1 and value[at] != new:
        at += 1
    if value[at] == new and nearest[at] <= loss:
        return
    while at > 0 and nearest[at - 1] > loss:
        nearest[at] = nearest[at - 1]
        value[at] = value[at - 1]
        at -= 1
    nearest[at] = loss
    value[at] = new
