"""The smallest loss of all groupings of a table, by trying every one, in exact fractions.

A row that is left out loses all of its columns, and leaving rows out is always allowed here: a bound for that is one
for all. Nothing here imports sqlanon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

NCP = Callable[[int, set[int]], Fraction]
"""From a column's number and the codes of a group to what the group loses there, 0 to 1."""


def keeps_k(k: int, values: Sequence[int]) -> bool:
    """Whether a group has k rows; `values` are its sensitive values."""
    return len(values) >= k


def keeps_l(l: int, values: Sequence[int]) -> bool:
    """Whether no sensitive value takes more than 1/l of a group."""
    return max(Counter(values).values()) * l <= len(values)


def smallest_gcp(
    codes: Sequence[Sequence[int]], sensitive: Sequence[int], ncp: NCP, keeps: Callable[[Sequence[int]], bool]
) -> Fraction:
    """The GCP of the best grouping: each set of rows is split into the group of its first row, and the rest at best."""
    width, count = len(codes[0]), len(codes)
    group_loss = [group_losses(codes, sensitive, ncp, keeps, mask) for mask in range(2**count)]
    best = [Fraction(0)]
    for rows in range(1, 2**count):
        first = rows & -rows
        others = rows ^ first
        smallest = width + best[others]
        part = others
        while True:
            loss = group_loss[part | first]
            if loss is not None:
                smallest = min(smallest, loss + best[others ^ part])
            if not part:
                break
            part = (part - 1) & others
        best.append(smallest)
    return best[-1] / (width * count)


def group_losses(
    codes: Sequence[Sequence[int]],
    sensitive: Sequence[int],
    ncp: NCP,
    keeps: Callable[[Sequence[int]], bool],
    mask: int,
) -> Fraction | None:
    """What the rows of a mask lose as a group, summed over rows and columns; None if they are none."""
    rows = [row for row in range(len(codes)) if mask >> row & 1]
    if not rows or not keeps([sensitive[row] for row in rows]):
        return None
    return len(rows) * sum((ncp(c, {codes[row][c] for row in rows}) for c in range(len(codes[0]))), Fraction(0))
