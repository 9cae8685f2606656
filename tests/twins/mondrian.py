"""Mondrian as it is described: cut at the median of the widest column, then cut the halves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import naive

Promise = Callable[[Sequence[int]], bool]
"""Whether these rows may be a group."""


def k_groups(table: naive.Table, k: int) -> list[list[int]]:
    """Groups of at least k rows, leftmost first."""
    return cut_apart(table, range(len(table.codes)), lambda rows: len(rows) >= k)


def l_groups(table: naive.Table, l: int) -> list[list[int]]:
    """Groups with no sensitive value in more than 1/l of the rows, leftmost first."""
    return cut_apart(
        table, range(len(table.codes)), lambda rows: naive.is_diverse([table.sensitive[row] for row in rows], l)
    )


def cut_apart(table: naive.Table, rows: Sequence[int], promise: Promise) -> list[list[int]]:
    """Cut in the widest column that leaves two parts as promised; rows are a group if there is none."""
    for column in widest_first(table, rows):
        left, right = halves(table, rows, column)
        if promise(left) and promise(right):
            return cut_apart(table, left, promise) + cut_apart(table, right, promise)
    return [list(rows)]


def widest_first(table: naive.Table, rows: Sequence[int]) -> list[int]:
    """The columns in which rows differ, by loss; of equal ones, the first."""
    codes = {c: {table.codes[row][c] for row in rows} for c in range(len(table.columns))}
    differing = [c for c in codes if len(codes[c]) > 1]
    return sorted(differing, key=lambda c: -naive.ncp(table.columns[c], codes[c]))


def halves(table: naive.Table, rows: Sequence[int], column: int) -> tuple[list[int], list[int]]:
    """Up to the lower median, and the rest; below it, and the rest, if the median is the largest code."""
    codes = sorted(table.codes[row][column] for row in rows)
    last = codes[(len(codes) - 1) // 2]
    if last == codes[-1]:
        last -= 1
    left = [row for row in rows if table.codes[row][column] <= last]
    right = [row for row in rows if table.codes[row][column] > last]
    return left, right
