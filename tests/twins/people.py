"""Groups joined until each has enough people: the twin, in sets."""

from __future__ import annotations

from collections.abc import Sequence

Group = list[int]


def holds(groups: Sequence[Group], person: Sequence[int], value: Sequence[int], k: int, l: int) -> bool:
    """Whether these groups, as one, have k people and no value that more than 1/l of them hold."""
    rows = [row for group in groups for row in group]
    people = {person[row] for row in rows}
    holders = [{person[row] for row in rows if value[row] == one} for one in {value[row] for row in rows}]
    return len(people) >= k and all(len(one) * l <= len(people) for one in holders)


def join(groups: Sequence[Group], person: Sequence[int], value: Sequence[int], k: int, l: int) -> list[Group]:
    """Join groups, which are in order, to runs that hold; the last takes in runs before it until it does."""
    runs: list[list[Group]] = [[]]
    for group in groups:
        runs[-1].append(group)
        if holds(runs[-1], person, value, k, l):
            runs.append([])
    last = runs.pop()
    while last and runs and not holds(last, person, value, k, l):
        last = runs.pop() + last
    if last:
        runs.append(last)
    return [sorted(row for group in run for row in group) for run in runs]
