"""Rows that are in no group are added to one that has none of their values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..loss import extent_loss
from ..runtime.jit import kernel
from ..space import Flag, Floats, Ints, Space

WINDOW = 64
"""Rows to either side on the curve whose groups are tried before all others."""


class Company(NamedTuple):
    """Groups as lists of rows (the first, and from each row the next; −1 ends it), their sizes, extents and losses."""

    apart: Ints
    first: Ints
    following: Ints
    size: Ints
    low: Ints
    high: Ints
    loss: Floats


@kernel
def incorporate(
    codes: Ints, apart: Ints, space: Space, groups: int, everywhere: bool, group_at: Ints, stop: Flag
) -> None:
    """Add each row without a group (−1) to the one that loses least by it. What fits nowhere stays without.

    Rows are known by their position on the curve. No two rows of a group may agree in any column of `apart`, the
    sensitive one among them. Unless `everywhere`, groups near on the curve are tried first, and the others only if none
    of these will do. If no group will have a row, one near may give it the place of a row that another will have.
    """
    company = gather(codes, apart, space, group_at, groups)
    moved = True
    while moved:  # a row that moves may make room for one that did not fit before
        moved = False
        for row in range(group_at.shape[0]):
            if stop[0]:
                return
            if group_at[row] >= 0:
                continue
            group = -1
            if not everywhere:
                group = best_near(codes, space, company, row, group_at, -1)
            if group < 0:
                group = best_of_all(codes, space, company, row)
            if group < 0:
                group = make_room(codes, space, company, row, group_at)
                moved = moved or group >= 0
            if group >= 0:
                admit(codes, space, company, group, row)
                group_at[row] = group


@kernel
def gather(codes: Ints, apart: Ints, space: Space, group_of: Ints, groups: int) -> Company:
    """List the groups and take their extents."""
    rows, columns = codes.shape
    company = Company(
        apart, np.full(groups, -1, np.int32), np.full(rows, -1, np.int32), np.zeros(groups, np.int32),
        np.empty((groups, columns), np.int32), np.empty((groups, columns), np.int32), np.zeros((groups, columns)),
    )  # fmt: skip
    for row in range(rows):
        if group_of[row] >= 0:
            admit(codes, space, company, group_of[row], row)
    return company


@kernel
def admit(codes: Ints, space: Space, company: Company, group: int, row: int) -> None:
    """Add a row to a group."""
    alone = company.size[group] == 0
    for c in range(codes.shape[1]):
        code = codes[row, c]
        if alone:
            company.low[group, c] = company.high[group, c] = code
        elif not company.low[group, c] <= code <= company.high[group, c]:
            low, high = min(company.low[group, c], code), max(company.high[group, c], code)
            company.low[group, c], company.high[group, c] = low, high
            company.loss[group, c] = extent_loss(space, c, low, high)
    company.following[row] = company.first[group]
    company.first[group] = row
    company.size[group] += 1


@kernel
def dismiss(codes: Ints, space: Space, company: Company, group: int, row: int) -> None:
    """Take a row out of a group, and measure it anew."""
    member = company.first[group]
    company.first[group] = -1
    company.size[group] = 0
    company.loss[group] = 0.0
    while member >= 0:
        following = company.following[member]
        if member != row:
            admit(codes, space, company, group, member)
        member = following


@kernel
def in_the_way(company: Company, group: int, row: int) -> tuple[int, int]:
    """Return how many rows of a group, counted up to 2, agree with a row in some column, and one of them."""
    count, which = 0, -1
    member = company.first[group]
    while member >= 0 and count < 2:
        for c in range(company.apart.shape[1]):
            if company.apart[member, c] == company.apart[row, c]:
                count += 1
                which = member
                break
        member = company.following[member]
    return count, which


@kernel
def added_loss(codes: Ints, space: Space, company: Company, group: int, row: int) -> float:
    """Return by how much rows times NCP of a group rises with one more row."""
    before, after = 0.0, 0.0
    for c in range(codes.shape[1]):
        low, high = company.low[group, c], company.high[group, c]
        before += company.loss[group, c]
        after += extent_loss(space, c, min(low, codes[row, c]), max(high, codes[row, c]))
    return float((company.size[group] + 1) * after - company.size[group] * before)


@kernel
def best_of_all(codes: Ints, space: Space, company: Company, row: int) -> int:
    """Return the group that loses least by taking a row, of equal ones the first; −1 if none will have it."""
    best, lowest_loss = -1, np.inf
    for group in range(company.first.shape[0]):
        loss = added_loss(codes, space, company, group, row)
        if loss < lowest_loss and in_the_way(company, group, row)[0] == 0:
            best, lowest_loss = group, loss
    return best


@kernel
def best_near(codes: Ints, space: Space, company: Company, row: int, group_at: Ints, but: int) -> int:
    """As best_of_all, among the groups of the rows near a row, but for one."""
    best, lowest_loss = -1, np.inf
    for other in range(max(0, row - WINDOW), min(group_at.shape[0], row + WINDOW + 1)):
        group = group_at[other]
        if group < 0 or group == but:
            continue
        loss = added_loss(codes, space, company, group, row)
        if loss < lowest_loss and in_the_way(company, group, row)[0] == 0:
            best, lowest_loss = group, loss
    return best


@kernel
def make_room(codes: Ints, space: Space, company: Company, row: int, group_at: Ints) -> int:
    """Move the one row that keeps a row out of a group near it to another group; return the first, −1 if none can."""
    for step in range(1, 2 * WINDOW + 1):
        other = row + (step + 1) // 2 * (1 if step % 2 else -1)  # one after, one before, two after, …
        if not 0 <= other < group_at.shape[0] or group_at[other] < 0:
            continue
        group = int(group_at[other])
        count, which = in_the_way(company, group, row)
        if count == 1:
            refuge = best_near(codes, space, company, which, group_at, group)
            if refuge >= 0:
                dismiss(codes, space, company, group, which)
                admit(codes, space, company, refuge, which)
                group_at[which] = refuge
                return group
    return -1
