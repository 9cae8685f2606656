"""What an extent costs in a column: the NCP, or a star, times the column's weight, from a table where possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..loss import extent_loss
from ..runtime.jit import frugal_kernel, inner_kernel, kernel
from ..space import Floats, Space, Wide

MOST_CODES = 256
"""Of a column whose losses are tabulated: more codes would need a table that is no longer at hand."""


class Losses(NamedTuple):
    """Column c of `size[c]` codes has table[first[c] + low · size[c] + high], if first[c] >= 0; else it is computed.

    `weight`: what an NCP of 1 costs in each column. `stars`: whether any extent of two codes or more costs that.
    """

    space: Space
    weight: Floats
    stars: bool
    first: Wide
    size: Wide
    table: Floats


def tabulate_losses(space: Space, weights: Sequence[float] | None, recode: str) -> Losses:
    """Return the losses of all extents. The weights of columns are scaled to 1 on average."""
    size = np.diff(space.first)
    weight = np.ones(size.size) if weights is None else np.array(weights, np.float64) / np.mean(weights)
    cells = np.where(size <= MOST_CODES, size * size, 0)
    first = np.where(cells > 0, np.cumsum(cells) - cells, -1)
    losses = Losses(space, weight, recode == "suppress", first, size, np.zeros(int(cells.sum())))
    fill_table(losses, losses.table)
    return losses


@kernel
def fill_table(losses: Losses, table: Floats) -> None:
    """Fill in the loss of each extent of the columns that have a table."""
    for column in range(losses.size.shape[0]):
        if losses.first[column] >= 0:
            for low in range(losses.size[column]):
                for high in range(low, losses.size[column]):
                    at = losses.first[column] + low * losses.size[column] + high
                    table[at] = computed_loss(losses, column, low, high)


@frugal_kernel
def computed_loss(losses: Losses, column: int, low: int, high: int) -> float:
    """Return the loss of the codes low … high of a column."""
    if low == high:
        return 0.0
    if losses.stars:
        return float(losses.weight[column])
    return float(losses.weight[column] * extent_loss(losses.space, column, low, high))


@inner_kernel
def column_loss(losses: Losses, column: int, low: int, high: int) -> float:
    """Return the same, from the table if the column has one."""
    first = losses.first[column]
    if first >= 0:
        return float(losses.table[first + low * losses.size[column] + high])
    return computed_loss(losses, column, low, high)
