"""BSGI: bucketize, select, group, incorporate.

Groups of l rows of different sensitive value; what does not make up a group, less than l rows, is added to some.
"""

from __future__ import annotations

import numpy as np

from ..along_curve.order import sort_along_curve
from ..along_curve.swaps import swap_alike
from ..hilbert.curve import hilbert_keys
from ..runtime.interrupt import STOP, raise_if_interrupted
from ..space import Ints, Microdata, Space, Wide
from .boxes import MARKS, plant
from .incorporate import incorporate
from .select import select

WINDOW = 16
"""Rows like it that each row may change places with."""


def l_groups(data: Microdata, l: int, *, seed: int = 0, exact: bool = False) -> Ints:
    """Return each row's group: at least l rows, all different in the sensitive attribute and in every apart column.

    `exact` takes the nearest row wherever it is, as the paper does, and leaves the groups at that. Without apart
    columns every row has a group; with them, −1 is a row that fits in none.
    """
    order = sort_along_curve(hilbert_keys(data.codes, data.space), data)
    codes = np.ascontiguousarray(data.codes.T[order])
    apart = np.ascontiguousarray(np.vstack([data.sensitive[None], data.apart]).T[order])
    group_at, groups = deal(codes, apart, data.space, l, seed, exact)
    incorporate(codes, apart, data.space, groups, exact or not data.apart.size, group_at, STOP)
    raise_if_interrupted()
    if not exact and groups:
        refine(codes, apart, data.space, groups, group_at)
    group_of = np.empty_like(group_at)
    group_of[order] = group_at
    return group_of


def deal(codes: Ints, apart: Ints, space: Space, l: int, seed: int, exact: bool) -> tuple[Ints, int]:
    """Return the group of each position on the curve before any row is incorporated, −1 for none, and their number.

    The first column of `apart` is the sensitive attribute.
    """
    rows = apart.shape[0]
    by_bucket = np.argsort(apart[:, 0], kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(apart[:, 0]))])
    lots = np.random.default_rng(seed).permutation(rows).astype(np.int32)
    bucket_of = apart[by_bucket, 0]
    lots = lots[np.argsort(bucket_of[lots], kind="stable")]
    others = np.ascontiguousarray(apart[by_bucket, 1:])
    marked, frequency = count_marks(others)
    boxes = plant(codes[by_bucket], others, marked, by_bucket, space, start, np.arange(rows, dtype=np.int32))
    dealt = np.full(rows, -1, np.int32)
    groups = select(boxes, lots, frequency, l, exact, dealt, STOP)
    raise_if_interrupted()
    group_at = np.empty(rows, np.int32)
    group_at[by_bucket] = dealt
    return group_at, groups


def count_marks(apart: Ints) -> tuple[Wide, Wide]:
    """Return which columns have few enough values for a mark each, and how many rows have each value of these."""
    marked = (apart.max(axis=0, initial=0) < MARKS).astype(np.int64)
    frequency = np.zeros((apart.shape[1], MARKS), np.int64)
    for c in np.flatnonzero(marked):
        frequency[c] = np.bincount(apart[:, c], minlength=MARKS)
    return marked, frequency


def refine(codes: Ints, apart: Ints, space: Space, groups: int, group_at: Ints) -> None:
    """Let rows that have a group, and are alike in all that keeps rows apart, change places where that loses less."""
    grouped = np.flatnonzero(group_at >= 0)
    alike = apart[grouped, 0]
    for column in apart[grouped, 1:].T:
        _, alike = np.unique(alike * (np.int64(column.max()) + 1) + column, return_inverse=True)
    group_of = group_at[grouped]
    swap_alike(codes[grouped], space, alike.astype(np.int32), group_of, groups, WINDOW, STOP)
    raise_if_interrupted()
    group_at[grouped] = group_of
