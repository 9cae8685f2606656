"""A GCP that no grouping of a table can be below, if it keeps k, or l."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.interrupt import STOP, raise_if_interrupted
from ..space import Floats, Microdata, Wide
from .dual import raise_losses
from .items import Items, list_items
from .nearest import row_losses, value_losses
from .sample import draw_rows, limit_of_mean

PAIRS = 2**29
"""Pairs of items that are looked at for each unit of effort: some seconds."""

MOST_EFFORT = 10

ROUNDING = 1e-9
"""The share that is taken off: a bound is to lie below what it bounds, in doubles too."""


class Bound(NamedTuple):
    """The bound; how many rows were drawn for it, 0 if it is about all of them; and whether boxes raised it."""

    gcp: float
    drawn: int
    by_boxes: bool


def bound_loss(data: Microdata, size: int, by_value: bool, effort: int, seed: int) -> Bound:
    """Return the bound for k = `size`, or, by sensitive value, for l. Assumes that the table is eligible."""
    items = list_items(data, by_value)
    raise_if_interrupted()
    count, columns = items.codes.shape
    drawn = 0 if count**2 <= PAIRS * effort else PAIRS * effort // count
    if drawn:
        rows = draw_rows(items.weight, drawn, seed)
        chosen, which = np.unique(rows, return_inverse=True)
        gcp = limit_of_mean(np.minimum(1.0, smallest_losses(data, items, chosen, size, by_value)[which] / columns))
    else:
        losses = smallest_losses(data, items, np.arange(count), size, by_value)
        by_rows = float(losses @ items.weight)
        by_boxes = raise_losses(data.space, items, losses, size, by_value, effort) if effort > 1 else 0.0
        gcp = max(by_rows, by_boxes) / (columns * data.sensitive.size)
    return Bound(gcp * (1 - ROUNDING), drawn, not drawn and by_boxes > by_rows)


def smallest_losses(data: Microdata, items: Items, chosen: Wide, size: int, by_value: bool) -> Floats:
    """Return the NCP of the smallest box that each chosen item can be in."""
    kernel = value_losses if by_value else row_losses
    losses = kernel(data.space, items, chosen.astype(np.int64), size, STOP)
    raise_if_interrupted()
    return losses
