"""Partitioning along the Hilbert curve: k-anonymity by the best cut, l-diversity from the frontier."""

from __future__ import annotations

import numpy as np

from .curve import hilbert_keys, key_gaps
from .frontier import deal_from_frontier
from .order import sort_along_curve
from .runs import block_size, block_starts, cut_by_extent, cut_by_key, label_runs
from .space import Ints, Microdata
from .swaps import swap_alike

WINDOW = 4
"""Rows of its own sensitive value that each row is tried against: a tenth less loss, a third more time."""


def k_groups(data: Microdata, k: int) -> Ints:
    """Return each row's group: runs of at least k rows with the least loss over all columns."""
    columns, rows = data.codes.shape
    order = sort_along_curve(hilbert_keys(data.codes, data.space), data)
    size = block_size(k, columns)
    starts = block_starts(rows, size)
    previous = np.zeros(starts.size, np.int64)
    along_curve = np.ascontiguousarray(data.codes.T[order])
    cut_by_extent(along_curve, data.space, starts, -(-k // size), previous)
    group_of = np.empty(rows, np.int32)
    label_runs(order, starts, previous, group_of)
    return group_of


def k_groups_fast(data: Microdata, k: int) -> Ints:
    """As k_groups, but a group's loss is taken to be its extent on the curve."""
    rows = data.codes.shape[1]
    keys = hilbert_keys(data.codes, data.space)
    order = sort_along_curve(keys, data)
    size = block_size(k, 1)
    starts = block_starts(rows, size)
    previous = np.zeros(starts.size, np.int64)
    cut_by_key(key_gaps(keys, order), starts, -(-k // size), previous)
    group_of = np.empty(rows, np.int32)
    label_runs(order, starts, previous, group_of)
    return group_of


def l_groups(data: Microdata, l: int) -> Ints:
    """Return each row's group: distinct sensitive values in each, none in more than 1/l of it."""
    rows = data.sensitive.size
    keys = hilbert_keys(data.codes, data.space)
    order = sort_along_curve(keys, data)
    group_of = np.full(rows, -1, np.int32)
    groups = deal_from_frontier(order, keys, data.sensitive, int(data.sensitive.max()) + 1, l, group_of)
    along_curve = np.ascontiguousarray(data.codes.T[order])
    group_at = group_of[order]
    swap_alike(along_curve, data.space, data.sensitive[order], group_at, groups, WINDOW)
    group_of[order] = group_at
    return group_of
