"""BSGI as the paper writes it: bucketize, select, group, incorporate, looking at every row of a bucket for each choice.

Rows are known by their index. What the paper leaves to chance is an argument: `lots`, all rows in the order in which
they would be drawn. Of rows that are equally good, the first in the canonical order `order` is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from . import naive

Groups = list[list[int]]


def l_groups(table: naive.Table, order: Sequence[int], lots: Sequence[int], l: int) -> Groups:
    """The whole of Fig. 1."""
    groups, residue = select(table, order, lots, l)
    for row in residue:
        incorporate(table, groups, row)
    return groups


def select(table: naive.Table, order: Sequence[int], lots: Sequence[int], l: int) -> tuple[Groups, list[int]]:
    """Groups of l rows while there are l buckets (Fig. 2), and the rows that are left, in order."""
    buckets = {value: [row for row in order if table.sensitive[row] == value] for value in set(table.sensitive)}
    groups = []
    while len(buckets) >= l:
        largest, *others = sorted(buckets, key=lambda value: (-len(buckets[value]), value))[:l]
        group = [next(row for row in lots if row in buckets[largest])]
        for value in others:
            group.append(min(buckets[value], key=lambda row: span_loss(table, [*group, row])))
        for row in group:
            buckets[table.sensitive[row]].remove(row)
        buckets = {value: rows for value, rows in buckets.items() if rows}
        groups.append(group)
    return groups, [row for row in order if any(row in rows for rows in buckets.values())]


def incorporate(table: naive.Table, groups: Groups, row: int) -> None:
    """Add a row to the group that loses least by it, if possible to one that lacks its value (Fig. 3)."""
    lacking = [group for group in groups if table.sensitive[row] not in [table.sensitive[member] for member in group]]

    def increase(group: list[int]) -> float:
        return (len(group) + 1) * span_loss(table, [*group, row]) - len(group) * span_loss(table, group)

    min(lacking or groups, key=increase).append(row)


def span_loss(table: naive.Table, rows: Sequence[int]) -> float:
    """The NCP of rows as a group, added up column by column."""
    total = 0.0
    for c, column in enumerate(table.columns):
        total += naive.ncp(column, (table.codes[row][c] for row in rows))
    return total


def most_groups(sizes: Sequence[int], l: int) -> int:
    """The most groups of l rows from l different buckets of these sizes, by trying every choice of buckets."""
    return max((1 + most_groups(rest, l) for rest in after_a_group(sizes, l)), default=0)


def after_a_group(sizes: Sequence[int], l: int) -> Iterator[tuple[int, ...]]:
    """The buckets that may be left, sorted, after one row is taken from each of some l."""

    def take(start: int, rows: int, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if rows == 0:
            yield (*left, *sizes[start:])
        elif len(sizes) - start >= rows:
            yield from take(start + 1, rows, (*left, sizes[start]))
            if sizes[start] > 0:
                yield from take(start + 1, rows - 1, (*left, sizes[start] - 1))

    yield from {tuple(sorted(size for size in left if size)) for left in take(0, l, ())}


def distinct_in(values: Sequence[int], groups: Groups) -> bool:
    """Whether no value is twice in a group."""
    return all(len({values[row] for row in group}) == len(group) for group in groups)
