"""The best partition of a table of two sensitive values for l = 2, by trying them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

from . import naive

Groups = Sequence[Sequence[int]]
Loss = Callable[[naive.Table, Groups], float]


def stars(table: naive.Table, groups: Groups) -> int:
    """How many cells a release has to hide: all those of a column in which rows of the group differ."""
    return sum(
        len(rows)
        for rows in groups
        for c in range(len(table.columns))
        if len({table.codes[row][c] for row in rows}) > 1
    )


LOSS: dict[str, Loss] = {"generalize": naive.gcp, "none": naive.gcp, "suppress": stars}
"""The loss that is to be smallest, by recode."""


def every_matching(table: naive.Table) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair each row of the one value with a row of the other."""
    ours = [row for row, value in enumerate(table.sensitive) if value == 0]
    theirs = [row for row, value in enumerate(table.sensitive) if value == 1]
    for order in permutations(theirs):
        yield list(zip(ours, order, strict=True))


def least_loss_of_pairs(table: naive.Table, recode: str) -> float:
    """The least loss over all matchings."""
    return min(LOSS[recode](table, pairs) for pairs in every_matching(table))


def least_loss_of_groups(table: naive.Table, recode: str) -> float:
    """The least loss over all partitions into 2-diverse groups of any size."""
    return min(
        LOSS[recode](table, groups)
        for groups in naive.every_partition(range(len(table.codes)), 2)
        if all(naive.is_diverse([table.sensitive[row] for row in rows], 2) for rows in groups)
    )
