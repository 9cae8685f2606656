"""Refined: groups of the lowest loss that time allows, by annealing.

Some k-anonymous groups of the lowest loss have k … 2k − 1 rows each; some l-diverse ones have l … 2l − 1 rows of
different values: sort the rows of a diverse group by value and deal them round robin, and no extent grows. So
k-anonymity is the case in which every row has a value of its own, and one engine serves both. It works in blocks along
the Hilbert curve, whatever the threads, so that a large table costs no more per row than a small one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..along_curve.order import sort_along_curve
from ..bsgi import bsgi
from ..hilbert import hilbert
from ..hilbert.curve import hilbert_keys
from ..space import Ints, Microdata, Wide
from .annealing import choose_schedule
from .blocks import Blocks, anneal_blocks, block_of_groups, block_of_rows
from .groups import Rows, share_marks
from .losses import tabulate_losses
from .start import deal_groups, runs_in_blocks


def k_groups(
    data: Microdata,
    k: int,
    *,
    seed: int = 0,
    effort: int | None = None,
    recode: str = "generalize",
    weights: Sequence[float] | None = None,
) -> Ints:
    """Return each row's group: k … 2k − 1 rows; if it is known who they are about, of k people, where that is possible.

    `effort`: 1 … 10, how much work is done per row. `weights`: of each column, in the loss that is to be low. With
    recode 'suppress', that is the number of stars.
    """
    if k == 1:
        return np.arange(data.sensitive.size, dtype=np.int32)
    if data.person is not None and np.bincount(data.person).max() * k <= data.person.size:
        people = data._replace(sensitive=data.person, apart=np.empty((0, data.person.size), np.int32))
        return l_groups(people, k, seed=seed, effort=effort, recode=recode, weights=weights)
    order = sort_along_curve(hilbert_keys(data.codes, data.space), data)
    codes = lines_of_codes(data, order)
    rows = Rows(codes, np.empty((order.size, 0), np.int32), k, False, tabulate_losses(data.space, weights, recode))
    block_at = block_of_rows(order.size, k)
    group_at = anneal_blocks(
        rows, Blocks(block_at, runs_in_blocks(codes, block_at, k)), choose_schedule(effort, order.size, k), seed
    )
    group_of = np.empty_like(group_at)
    group_of[order] = group_at
    return group_of


def l_groups(
    data: Microdata,
    l: int,
    *,
    seed: int = 0,
    effort: int | None = None,
    recode: str = "generalize",
    weights: Sequence[float] | None = None,
) -> Ints:
    """Return each row's group: l … 2l − 1 rows, all different in the sensitive attribute and in every apart column.

    Without apart columns every row has a group; with them, −1 is a row that fits in none. The rest is as for k.
    """
    start = bsgi.l_groups(data, l, seed=seed) if data.apart.size else hilbert.l_groups(data, l)
    order = sort_along_curve(hilbert_keys(data.codes, data.space), data)
    order = order[start[order] >= 0]
    apart = np.ascontiguousarray(np.vstack([data.sensitive[None], data.apart]).T[order])
    losses = tabulate_losses(data.space, weights, recode)
    rows = Rows(lines_of_codes(data, order), apart, l, share_marks(apart), losses)
    group_of: Ints = np.full(start.size, -1, np.int32)
    if order.size:
        blocks = block_of_groups(start[order] if data.apart.size else deal_groups(start[order], apart[:, 0], l))
        group_of[order] = anneal_blocks(rows, blocks, choose_schedule(effort, order.size, l), seed)
    return group_of


def lines_of_codes(data: Microdata, order: Wide) -> Ints:
    """Return the codes with a line per row, in this order, half as wide where that will do: less to read."""
    narrow = np.diff(data.space.first).max(initial=0) <= np.iinfo(np.int16).max
    lines: Ints = data.codes.T[order].astype(np.int16 if narrow else np.int32, order="C")
    return lines
