"""Groups to start from: for k, runs of equal rows and of rows in order; for l, groups of another algorithm, dealt."""

from __future__ import annotations

import numpy as np

from ..runtime.jit import kernel
from ..space import Ints, Wide
from .neighbours import sort_rows


def runs_in_blocks(codes: Ints, block_at: Wide, k: int) -> Ints:
    """Return each row's group, from 0 in each block: at least k rows, equal ones together, else runs in an order.

    The order is by the columns, those of few codes first. Assumes at least k rows in each block.
    """
    group_at = np.empty(block_at.size, np.int32)
    for start, end in zip(*ends_of_runs(block_at), strict=True):
        block = codes[start:end]
        order = sort_rows(block, np.argsort(block.max(axis=0), kind="stable").tolist())
        run_of = np.empty(order.size, np.int32)
        starts = np.ones(order.size + 1, np.bool_)
        starts[1:-1] = (block[order[1:]] != block[order[:-1]]).any(axis=1)
        cut_runs(np.flatnonzero(starts), k, run_of)
        group_at[start + order] = run_of
    return group_at


def ends_of_runs(block_at: Wide) -> tuple[list[int], list[int]]:
    """Return where each block starts, and where it ends."""
    starts = np.flatnonzero(np.diff(block_at, prepend=-1)).tolist()
    return starts, [*starts[1:], block_at.size]


@kernel
def cut_runs(first: Wide, k: int, group_at: Ints) -> None:
    """Fill in groups, from 0: of equal rows, where there are k; of k of the others in turn.

    The rows first[i] … first[i + 1] − 1 are equal. Fewer than k of the others, left in the end, join the group before.
    """
    groups = 0
    others = 0
    for i in range(first.shape[0] - 1):
        count = first[i + 1] - first[i]
        if count < k:
            others += count
            continue
        for j in range(count):
            group_at[first[i] + j] = groups + min(j // k, count // k - 1)
        groups += count // k
    position = 0
    for i in range(first.shape[0] - 1):
        if first[i + 1] - first[i] < k:
            for j in range(first[i], first[i + 1]):
                group_at[j] = max(0, groups + min(position // k, others // k - 1))
                position += 1


def deal_groups(group_of: Ints, sensitive: Ints, l: int) -> Ints:
    """Return each row's group: each l-diverse group dealt into groups of l … 2l − 1 rows of different values.

    Its rows, sorted by value, go to as many groups as it has l rows, one after the other: no value is more frequent
    than there are groups.
    """
    _, number_of = np.unique(group_of, return_inverse=True)
    order = np.lexsort((sensitive, number_of))
    size = np.bincount(number_of)
    parts = size // l
    first = np.cumsum(parts) - parts
    rank = np.arange(order.size) - (np.cumsum(size) - size)[number_of[order]]
    dealt = np.empty(order.size, np.int32)
    dealt[order] = first[number_of[order]] + rank % parts[number_of[order]]
    return dealt
