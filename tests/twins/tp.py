"""TP as sections 5.2 to 5.4 of the paper tell it: groups are multisets of sensitive values, and so is the residue.

Where the paper leaves a choice: the least value, and the first group in the order of quasi-identifiers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from .naive import Table

Values = Counter[int]
"""How many rows have each sensitive value."""


def height(values: Values) -> int:
    """h: the rows of the most frequent value."""
    return max(values.values(), default=0)


def pillars(values: Values) -> list[int]:
    """The most frequent values."""
    return sorted(value for value, rows in values.items() if rows == height(values) > 0)


def eligible(values: Values, l: int) -> bool:
    """Whether no value is in more than 1/l of the rows."""
    return values.total() >= l * height(values)


@dataclass
class State:
    """The groups, the residue, and the phase at hand."""

    groups: list[Values]
    l: int
    residue: Values = field(default_factory=Counter)
    phase: int = 1

    def done(self) -> bool:
        return eligible(self.residue, self.l)

    def move(self, group: Values, values: Sequence[int]) -> None:
        for value in values:
            group[value] -= 1
            self.residue[value] += 1

    def fat(self, group: Values) -> bool:
        return group.total() > self.l * height(group)

    def conflicts(self, group: Values) -> set[int]:
        return set(pillars(group)) & set(pillars(self.residue))

    def alive(self, group: Values) -> bool:
        return group.total() > 0 and (self.fat(group) or not self.conflicts(group))


def run(groups: Sequence[Values], l: int) -> State:
    """All three phases, each only as far as it is needed."""
    state = State([Counter(group) for group in groups], l)
    phase_one(state)
    if not state.done():
        state.phase = 2
        phase_two(state)
    if not state.done():
        state.phase = 3
        phase_three(state)
    return state


def phase_one(state: State) -> None:
    """From each group, remove a row of its pillar until it is eligible."""
    for group in state.groups:
        while not eligible(group, state.l):
            state.move(group, pillars(group)[:1])


def phase_two(state: State) -> None:
    """Give the residue what it has least of, as long as some group is alive."""
    while not state.done():
        alive = [group for group in state.groups if state.alive(group)]
        values = {value for group in alive for value, rows in group.items() if rows}
        if not values:
            return
        value = min(values, key=lambda value: (state.residue[value], value))
        group = next(group for group in alive if group[value])
        state.move(group, [value] if state.fat(group) else pillars(group))


def phase_three(state: State) -> None:
    """In rounds: shave a cover, then thin out every group that is alive again."""
    while not state.done():
        for group in cover(state):
            state.move(group, pillars(group))
            if state.done():
                return
        for group in state.groups:
            while state.alive(group) and not state.done():
                if state.fat(group):
                    rows_left = [value for value, rows in group.items() if rows]
                    state.move(group, [min(rows_left, key=lambda value: (state.residue[value], value))])
                else:
                    state.move(group, pillars(group))


def cover(state: State) -> list[Values]:
    """Greedily, groups such that no pillar of the residue is a conflict of them all."""
    uncovered = set(pillars(state.residue))
    found = []
    while uncovered:
        group = min(
            (group for group in state.groups if group.total()), key=lambda g: len(state.conflicts(g) & uncovered)
        )
        uncovered &= state.conflicts(group)
        found.append(group)
    return found


def groups_of(table: Table) -> dict[tuple[int, ...], Values]:
    """The table as groups of equal quasi-identifiers, in their order."""
    found: dict[tuple[int, ...], Values] = {codes: Counter() for codes in sorted(set(table.codes))}
    for codes, value in zip(table.codes, table.sensitive, strict=True):
        found[codes][value] += 1
    return found


def l_groups(table: Table, l: int) -> list[list[int]]:
    """The rows of each group, and of the residue, if any; of equal rows, the last by the other columns are in it."""
    groups = groups_of(table)
    kept = dict(zip(groups, run(list(groups.values()), l).groups, strict=True))
    found: dict[tuple[int, ...], list[int]] = {codes: [] for codes in groups}
    residue = []
    for row in sorted(range(len(table.codes)), key=lambda row: (table.ties[row], row)):
        codes, value = table.codes[row], table.sensitive[row]
        if kept[codes][value]:
            kept[codes][value] -= 1
            found[codes].append(row)
        else:
            residue.append(row)
    return [sorted(group) for group in [*found.values(), residue] if group]


def smallest_residue(groups: Sequence[Values], l: int) -> int:
    """The fewest rows, by trying all there are, without which every group is eligible and which are so themselves."""
    values = sorted({value for group in groups for value in group})
    residues = {(0,) * len(values)}
    for group in groups:
        given = [tuple(group[v] - left[v] for v in values) for left in parts(group, values) if eligible(left, l)]
        residues = {tuple(map(sum, zip(before, more, strict=True))) for before in residues for more in given}
    return min(sum(residue) for residue in residues if sum(residue) >= l * max(residue))


def parts(group: Values, values: Sequence[int]) -> Iterator[Values]:
    """Every multiset within the group."""
    for counts in product(*(range(group[value] + 1) for value in values)):
        yield Counter(dict(zip(values, counts, strict=True)))


def stars(table: Table, groups: Sequence[Sequence[int]]) -> int:
    """How many cells are suppressed: all of a group's in a column where it differs."""
    return sum(
        len(group) * (len({table.codes[row][c] for row in group}) > 1)
        for group in groups
        for c in range(len(table.columns))
    )
