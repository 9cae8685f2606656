"""The twin of a proposal of refined: groups are lists of rows, and every change is tried on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .naive import Table, every_partition, group_loss

SAME = 1e-9

Groups = list[list[int]]


def propose(table: Table, groups: Groups, row: int, there: int, least: int, diverse: bool, allowed: float) -> Groups:
    """The groups after the best of a move, a budding and an exchange, the first of equal ones; or as they were."""
    before = total_loss(table, groups)
    best, lowest = groups, before + allowed + SAME
    for changed in every_change(table, groups, row, there, least):
        if diverse and not all(differ(table, group) for group in changed):
            continue
        loss = total_loss(table, changed)
        if loss <= lowest - SAME:
            best, lowest = changed, loss
    return best


def every_change(table: Table, groups: Groups, row: int, there: int, least: int) -> Iterator[Groups]:
    """The row moves to a group, or, if that is full, buds with its nearest there; it changes places with each row."""
    here = next(i for i, group in enumerate(groups) if row in group)
    others = [group for i, group in enumerate(groups) if i not in (here, there)]
    left = [member for member in groups[here] if member != row]
    if len(left) >= least:
        if len(groups[there]) < 2 * least - 1:
            yield [*others, left, [*groups[there], row]]
        else:
            nearest = sorted(groups[there], key=lambda member: round(group_loss(table, [row, member]), 8))
            yield [*others, left, [row, *nearest[: least - 1]], nearest[least - 1 :]]
    for member in groups[there]:
        rest = [other for other in groups[there] if other != member]
        yield [*others, [*left, member], [*rest, row]]


def differ(table: Table, group: Sequence[int]) -> bool:
    """Whether the rows of a group differ in the sensitive attribute and every apart column."""
    columns = [table.sensitive, *zip(*table.apart, strict=True)]
    return all(len({column[row] for row in group}) == len(group) for column in columns)


def total_loss(table: Table, groups: Groups) -> float:
    """Rows times NCP, summed over the groups."""
    return sum(group_loss(table, group) for group in groups)


def lowest_loss(table: Table, least: int, diverse: bool) -> float:
    """The least that any groups lose: all are tried."""
    return min(
        total_loss(table, groups)
        for groups in every_partition(range(len(table.codes)), least)
        if not diverse or all(is_diverse(table, group, least) for group in groups)
    )


def is_diverse(table: Table, group: Sequence[int], l: int) -> bool:
    """Whether no sensitive value is in more than 1/l of the group."""
    values = [table.sensitive[row] for row in group]
    return all(values.count(value) * l <= len(values) for value in set(values))
