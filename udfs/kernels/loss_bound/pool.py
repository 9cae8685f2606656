"""The boxes that were broken, as cuts: rows that may lose no more together. And the numbers u that suit them best."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.jit import kernel
from ..space import Flag, Floats, Ints, Wide
from .items import Items
from .top import LISTED, Top, counted_rows

CUTS, MEMBERS = 0, 1
"""The positions in `state`."""


class Pool(NamedTuple):
    """Cut c: of the items member[start[c]] … member[start[c + 1] − 1], each with so many rows, the sum of u times rows
    is at most limit[c]. `norm`: Σ rows² / weight. `price`: how much the cut has lowered u. `idle`: for how many rounds
    it has been 0.
    """

    start: Wide
    member: Ints
    rows: Ints
    limit: Floats
    norm: Floats
    price: Floats
    idle: Wide
    state: Wide


def empty_pool(cuts: int, members: int) -> Pool:
    """Room for so many cuts, and members of them."""
    return Pool(
        start=np.zeros(cuts + 1, np.int64),
        member=np.empty(members, np.int32),
        rows=np.empty(members, np.int32),
        limit=np.empty(cuts),
        norm=np.empty(cuts),
        price=np.empty(cuts),
        idle=np.empty(cuts, np.int64),
        state=np.zeros(2, np.int64),
    )


@kernel
def add_cut(pool: Pool, items: Items, top: Top, loss: float) -> None:
    """Add what the listed rows may have together, if there is room."""
    cut = pool.state[CUTS]
    at = pool.state[MEMBERS]
    if cut == pool.limit.shape[0] or at + top.state[LISTED] > pool.member.shape[0]:
        return
    norm = 0.0
    for i in range(top.state[LISTED]):
        rows = counted_rows(top, i)
        pool.member[at + i] = top.item[i]
        pool.rows[at + i] = rows
        norm += rows * rows / items.weight[top.item[i]]
    pool.limit[cut] = loss * top.size
    pool.norm[cut] = norm
    pool.price[cut] = 0.0
    pool.idle[cut] = 0
    pool.start[cut + 1] = at + top.state[LISTED]
    pool.state[CUTS] = cut + 1
    pool.state[MEMBERS] = pool.start[cut + 1]


@kernel
def lower_by_prices(pool: Pool, items: Items, u: Floats) -> None:
    """Lower u by what the prices of the cuts say."""
    for cut in range(pool.state[CUTS]):
        if pool.price[cut] > 0.0:
            for i in range(pool.start[cut], pool.start[cut + 1]):
                u[pool.member[i]] -= pool.price[cut] * pool.rows[i] / items.weight[pool.member[i]]


@kernel
def settle_prices(pool: Pool, items: Items, u: Floats, sweeps: int, stop: Flag) -> None:
    """Project u on one cut after the other, so many times, taking back what was too much (Hildreth)."""
    for _ in range(sweeps):
        if stop[0]:
            break
        for cut in range(pool.state[CUTS]):
            excess = -pool.limit[cut]
            for i in range(pool.start[cut], pool.start[cut + 1]):
                excess += u[pool.member[i]] * pool.rows[i]
            change = max(-pool.price[cut], excess / pool.norm[cut])
            if change != 0.0:
                pool.price[cut] += change
                for i in range(pool.start[cut], pool.start[cut + 1]):
                    u[pool.member[i]] -= change * pool.rows[i] / items.weight[pool.member[i]]


@kernel
def drop_idle(pool: Pool, rounds: int) -> None:
    """Drop the cuts whose price has been 0 for so many rounds."""
    kept = 0
    end = 0
    for cut in range(pool.state[CUTS]):
        pool.idle[cut] = 0 if pool.price[cut] > 0.0 else pool.idle[cut] + 1
        start, stop = pool.start[cut], pool.start[cut + 1]
        if pool.idle[cut] > rounds:
            continue
        for i in range(start, stop):
            pool.member[end + i - start] = pool.member[i]
            pool.rows[end + i - start] = pool.rows[i]
        pool.limit[kept] = pool.limit[cut]
        pool.norm[kept] = pool.norm[cut]
        pool.price[kept] = pool.price[cut]
        pool.idle[kept] = pool.idle[cut]
        end += stop - start
        kept += 1
        pool.start[kept] = end
    pool.state[CUTS] = kept
    pool.state[MEMBERS] = end
