"""Partitioning rows along an order, whatever the mapping to one dimension that gave it."""

from __future__ import annotations

import numpy as np

from ..hilbert.curve import key_gaps
from ..runtime.interrupt import STOP, raise_if_interrupted
from ..space import Ints, Microdata, Wide, Words
from .frontier import deal_from_frontier
from .runs import block_size, block_starts, cut_by_extent, cut_by_key, label_runs
from .swaps import swap_alike, total_loss

WINDOW = 4
"""Rows of its own sensitive value that each row is tried against: a tenth less loss, a third more time."""


def k_groups_along(data: Microdata, order: Wide, k: int) -> Ints:
    """Return each row's group: runs of at least k rows with the least loss over all columns."""
    columns, rows = data.codes.shape
    size = block_size(k, columns)
    starts = block_starts(rows, size)
    previous = np.zeros(starts.size, np.int64)
    codes_at = np.ascontiguousarray(data.codes.T[order])
    cut_by_extent(codes_at, data.space, starts, -(-k // size), previous, STOP)
    raise_if_interrupted()
    return groups_of_runs(order, starts, previous)


def k_groups_by_key(keys: Words, order: Wide, k: int) -> Ints:
    """As k_groups_along, but a group's loss is taken to be the extent of its keys."""
    size = block_size(k, 1)
    starts = block_starts(order.size, size)
    previous = np.zeros(starts.size, np.int64)
    cut_by_key(key_gaps(keys, order), starts, -(-k // size), previous, STOP)
    raise_if_interrupted()
    return groups_of_runs(order, starts, previous)


def groups_of_runs(order: Wide, starts: Wide, previous: Wide) -> Ints:
    """Return each row's group along a cut."""
    group_of = np.empty(order.size, np.int32)
    label_runs(order, starts, previous, group_of)
    return group_of


def l_groups_along(data: Microdata, keys: Words, order: Wide, l: int) -> Ints:
    """Return each row's group: distinct sensitive values in each, none in more than 1/l of it.

    Where the walk had to fall back, the paper's way of falling back is tried too: the loss is never above its.
    """
    codes_at = np.ascontiguousarray(data.codes.T[order])
    value_at = data.sensitive[order]
    values = int(data.sensitive.max()) + 1
    group_of = np.full(data.sensitive.size, -1, np.int32)

    count, fell_back = deal_from_frontier(order, keys, data.sensitive, values, l, True, group_of, STOP)
    raise_if_interrupted()
    if count < 0:
        return group_of
    group_at = group_of[order]
    swap_alike(codes_at, data.space, value_at, group_at, count, WINDOW, STOP)
    raise_if_interrupted()
    if fell_back:
        count_on_paper, _ = deal_from_frontier(order, keys, data.sensitive, values, l, False, group_of, STOP)
        raise_if_interrupted()
        on_paper = group_of[order]
        loss = total_loss(codes_at, data.space, group_at, count)
        if total_loss(codes_at, data.space, on_paper, count_on_paper) < loss:
            swap_alike(codes_at, data.space, value_at, on_paper, count_on_paper, WINDOW, STOP)
            raise_if_interrupted()
            group_at = on_paper
    group_of[order] = group_at
    return group_of
