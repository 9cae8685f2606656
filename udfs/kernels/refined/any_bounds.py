"""Refined for any bounds: groups that keep a requirement, annealed from the best groups that other algorithms make.

Where a requirement is one of size, or of frequency by a whole number, the groups are those of k or l. Else there is no
size that groups need not exceed, and every change is judged by the requirement itself. Rows are worked on in blocks of
whole groups, which hold together as their groups do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..along_curve.order import sort_along_curve
from ..halving import mondrian, topdown
from ..hilbert.curve import hilbert_keys
from ..requirement.requirement import Requirement, fewest_rows, read_values
from ..runtime.interrupt import STOP, raise_if_interrupted
from ..runtime.jit import kernel
from ..space import Ints, Microdata
from . import refined
from .annealing import Draws, anneal_by, choose_schedule
from .blocks import ATTEMPTS, SMALL, block_of_groups
from .bounded import propose_bounded
from .groups import Groups, Rows, gather
from .holding import Bounds, make_room
from .losses import Losses, column_loss, tabulate_losses
from .neighbours import find_neighbours
from .splitting import split_all

ROOM = 16
"""How many times the rows of a group on average a group may have. Larger ones stay as they are: few are, and they would
need room for all.
"""


def groups(
    data: Microdata,
    requirement: Requirement,
    *,
    seed: int = 0,
    effort: int | None = None,
    recode: str = "generalize",
    weights: Sequence[float] | None = None,
) -> Ints:
    """Return each row's group, which keeps the requirement. Assumes that all rows together do."""
    alone = data._replace(apart=data.apart[:0])
    if requirement == Requirement(size=requirement.size):
        return refined.k_groups(alone, requirement.size, seed=seed, effort=effort, recode=recode, weights=weights)
    values = read_values(data, requirement)
    diverse = diverse_enough(requirement) if values.number.shape[0] == 1 else 0
    if diverse == requirement.frequency:
        return refined.l_groups(alone, diverse, seed=seed, effort=effort, recode=recode, weights=weights)
    order = sort_along_curve(hilbert_keys(data.codes, data.space), data)
    codes, nothing = refined.lines_of_codes(data, order), np.empty((order.size, 0), np.int32)
    fewest = fewest_rows(requirement)
    rows = Rows(codes, nothing, fewest, False, tabulate_losses(data.space, weights, recode))
    bounds = Bounds(requirement, fewest, values, order, make_room(values))
    starts = [np.zeros(order.size, np.int32), mondrian.groups(data, requirement)]
    starts.append(topdown.groups(data, requirement, seed=seed))
    if diverse and values.whole.max() * diverse <= order.size:
        starts.append(refined.l_groups(alone, diverse, seed=seed, effort=1, recode=recode, weights=weights))
    start = least_loss(rows, [split_groups(rows, start[order], bounds) for start in starts])
    group_of = np.empty(order.size, np.int32)
    group_of[order] = anneal_blocks(rows, start, bounds, effort, seed)
    return group_of


def diverse_enough(requirement: Requirement) -> int:
    """Return an l so that groups of l rows or more of different values keep the requirement; 0 if there may be none."""
    if requirement != Requirement(
        size=requirement.size,
        frequency=requirement.frequency,
        distinct=requirement.distinct,
        entropy=requirement.entropy,
    ):
        return 0
    return fewest_rows(requirement)


@kernel
def total_loss(codes: Ints, group_of: Ints, groups: int, losses: Losses) -> float:
    """Return the sum over rows of the NCP of their groups. codes has a line per row."""
    columns = codes.shape[1]
    size = np.zeros(groups, np.int64)
    low = np.empty((groups, columns), np.int32)
    high = np.empty((groups, columns), np.int32)
    for row in range(codes.shape[0]):
        group = group_of[row]
        for c in range(columns):
            code = codes[row, c]
            low[group, c] = min(low[group, c], code) if size[group] else code
            high[group, c] = max(high[group, c], code) if size[group] else code
        size[group] += 1
    loss = 0.0
    for group in range(groups):
        for c in range(columns):
            if size[group]:
                loss += size[group] * column_loss(losses, c, low[group, c], high[group, c])
    return loss


def least_loss(rows: Rows, partitions: Sequence[Ints]) -> Ints:
    """Return the groups, of several ways to group all rows, that lose least."""
    return min(partitions, key=lambda group_of: total_loss(rows.codes, group_of, int(group_of.max()) + 1, rows.losses))


def split_groups(rows: Rows, group_of: Ints, bounds: Bounds) -> Ints:
    """Return each row's group, from 0 without gaps, after splitting as often as possible."""
    before = 0
    while (count := int(group_of.max()) + 1) > before:  # at once, there is room for so many groups only
        before = count
        group_of = change_small(rows, group_of, bounds, split_some)
    return group_of


def split_some(rows: Rows, bounds: Bounds, groups: Groups) -> None:
    """Split groups while there is room for more."""
    split_all(rows, groups, bounds, STOP)
    raise_if_interrupted()


def anneal_blocks(rows: Rows, group_of: Ints, bounds: Bounds, effort: int | None, seed: int) -> Ints:
    """Return each row's group, from 0 without gaps, after annealing block by block."""
    blocks = block_of_groups(group_of)
    annealed = np.empty_like(group_of)
    count = 0
    for number in range(int(blocks.block_of.max()) + 1):
        members = np.flatnonzero(blocks.block_of == number)
        block = rows._replace(codes=rows.codes[members], apart=rows.apart[members])
        of_block = bounds._replace(number=bounds.number[members])
        random = np.random.default_rng([number, seed])
        annealed[members] = count + anneal_block(block, blocks.group_of[members], of_block, effort, random)
        count = int(annealed[members].max()) + 1
    return annealed


def anneal_block(rows: Rows, group_of: Ints, bounds: Bounds, effort: int | None, random: np.random.Generator) -> Ints:
    """Return each row's group after annealing groups that are not too large; for a small table, the best of some."""
    mean = group_of.size // (int(group_of.max()) + 1)
    schedule = choose_schedule(effort, bounds.values.number.shape[1], mean)

    def anneal_some(rows: Rows, bounds: Bounds, groups: Groups) -> None:
        neighbours = find_neighbours(rows.codes)

        def make(draws: Draws, temperature: float, cooling: float) -> float:
            return propose_bounded(rows, groups, neighbours, bounds, draws, temperature, cooling, STOP)

        anneal_by(make, groups, schedule, random)

    attempts = ATTEMPTS if group_of.size <= SMALL else 1
    return least_loss(rows, [change_small(rows, group_of, bounds, anneal_some) for _ in range(attempts)])


def change_small(rows: Rows, group_of: Ints, bounds: Bounds, change: Callable[[Rows, Bounds, Groups], None]) -> Ints:
    """Return each row's group, from 0 without gaps, after a change of those groups that are not too large for it."""
    size = np.bincount(group_of)
    room = max(min(ROOM * (group_of.size // size.size), 2 * int(size.max())), 2 * bounds.fewest) + 1
    small = size[group_of] < room
    number_of = np.unique(group_of[small], return_inverse=True)[1].astype(np.int32)
    most = min(2 * int(number_of.max()) + 4, number_of.size // bounds.fewest) + 1
    some = rows._replace(codes=rows.codes[small], apart=rows.apart[small])
    groups = gather(some, number_of, most, room)
    change(some, bounds._replace(number=bounds.number[small]), groups)
    changed = group_of.copy()
    changed[small] = size.size + groups.group_of
    numbers: Ints = np.unique(changed, return_inverse=True)[1].astype(np.int32)
    return numbers
