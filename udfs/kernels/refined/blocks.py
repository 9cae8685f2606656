"""A large table in blocks of rows near each other, so that what is needed stays in the processor's cache."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..space import Ints, Wide
from .annealing import Schedule, anneal
from .dissolving import split_large
from .groups import Rows, gather_groups
from .neighbours import find_neighbours

BLOCK = 1 << 15
"""Rows in a block, about."""
ATTEMPTS, SMALL = 4, 1000
"""How often a table of so few rows is annealed: there, chance decides where a single time ends."""


class Blocks(NamedTuple):
    """Each row's block, and its group there, from 0 in each block."""

    block_of: Wide
    group_of: Ints


def block_of_rows(rows: int, k: int) -> Wide:
    """Return each row's block: stretches of at least k rows, about as many in each."""
    count = max(1, rows // max(BLOCK, k))
    return np.arange(rows) * count // rows


def block_of_groups(group_of: Ints) -> Blocks:
    """Return blocks of whole groups, in the order of their first rows: what holds for groups holds for their blocks."""
    _, first, number_of = np.unique(group_of, return_index=True, return_inverse=True)
    order = np.argsort(first)
    size = np.bincount(number_of)[order]
    block = np.cumsum(size) - size
    block //= BLOCK
    number = np.arange(order.size) - np.searchsorted(block, block)
    rank = np.empty(order.size, np.int64)
    rank[order] = np.arange(order.size)
    return Blocks(block[rank[number_of]], number[rank[number_of]].astype(np.int32))


def anneal_blocks(rows: Rows, blocks: Blocks, schedule: Schedule, seed: int) -> Ints:
    """Return each row's group, from 0 without gaps, after annealing each block."""
    order = np.argsort(blocks.block_of, kind="stable")
    ends = np.flatnonzero(np.diff(blocks.block_of[order], append=-1)) + 1
    group_of = np.empty(order.size, np.int32)
    groups = start = 0
    for number, end in enumerate(ends.tolist()):
        members = order[start:end]
        block = rows._replace(codes=rows.codes[members], apart=rows.apart[members])
        random = np.random.default_rng([number, seed])
        annealed = anneal_block(block, blocks.group_of[members], schedule, random)
        used, numbers = np.unique(annealed, return_inverse=True)
        group_of[members] = groups + numbers
        groups += used.size
        start = end
    return group_of


def anneal_block(rows: Rows, group_of: Ints, schedule: Schedule, random: np.random.Generator) -> Ints:
    """Return each row's group after annealing, for a small table the best of some times."""
    neighbours = find_neighbours(rows.codes)
    lowest = np.inf
    for _ in range(ATTEMPTS if group_of.size <= SMALL else 1):
        groups = gather_groups(rows, group_of)
        split_large(rows, groups)
        anneal(rows, groups, neighbours, schedule, random)
        loss = float((groups.size * groups.loss).sum())
        if loss < lowest:
            lowest, best = loss, groups.group_of
    return best
