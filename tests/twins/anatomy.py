"""Anatomy as it is described: draw from the l largest buckets, then find a group for each row left over."""

from __future__ import annotations

from collections.abc import Sequence


def deal_at_random(sensitive: Sequence[int], l: int, chance: Sequence[float]) -> list[list[int]]:
    """The groups in the order they are made. Rows come in random order: the last of a bucket is as good as any.

    `chance`, between 0 and 1, is which group the first, second … row left over goes to, of those that lack its value.
    """
    buckets = {value: [row for row, its in enumerate(sensitive) if its == value] for value in set(sensitive)}
    groups: list[list[int]] = []
    while sum(bool(bucket) for bucket in buckets.values()) >= l:
        largest = sorted(buckets, key=lambda value: (-len(buckets[value]), value))[:l]
        groups.append([buckets[value].pop() for value in largest])
    left_over = [(value, row) for value in sorted(buckets) for row in buckets[value]]
    for (value, row), share in zip(left_over, chance, strict=False):
        lacking = [group for group in groups if value not in [sensitive[member] for member in group]]
        lacking[int(share * len(lacking))].append(row)
    return groups
