"""SWEEP as Tian & Zhang tell it (DKE 70, 2011, section 4): row by row, in exact fractions.

What the paper leaves open is settled as the kernel does it: of rows that may equally well be shed, the last goes, by
the sensitive values it publishes, then by its codes; rows whose sensitive values are generalized are spread evenly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from .naive import Tree

TOLERANCE = Fraction(1, 10**10)

Values = frozenset[int]
"""The values that a published sensitive value may stand for: the codes of base values that are held possible."""

Levels = tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """Quasi-identifiers, sensitive attributes, the weights of their codes, and rows: codes of both, and the rest."""

    qi: tuple[Tree, ...]
    sa: tuple[Tree, ...]
    weights: tuple[tuple[Fraction, ...], ...]
    rows: tuple[tuple[Levels, Levels, Levels], ...]


# Taxonomies


def height(tree: Tree) -> int:
    """How many labels are above each leaf."""
    return len(tree.leaves[0]) - 1


def node(tree: Tree, code: int, level: int) -> tuple[object, ...]:
    """The name of a code at a level. The root's label means the root at every level; NULL hangs from the root."""
    path = tree.paths[code]
    root = tree.leaves[0][-1]
    if level == height(tree) or (path is not None and path[level] == root):
        return ("root",)
    return ("null",) if path is None else (level, path[level])


def leaf_count(tree: Tree, code: int, level: int) -> int:
    """How many leaves of the taxonomy a label covers."""
    name = node(tree, code, level)
    if name == ("root",) and level > 0:
        return len(tree.leaves)
    if name == ("null",) or level == 0:
        return 1
    path = tree.paths[code]
    assert path is not None
    return sum(leaf[level] == path[level] for leaf in tree.leaves)


def cover(tree: Tree, weights: Sequence[Fraction], code: int, level: int) -> Values:
    """The codes below a label that are held possible."""
    name = node(tree, code, level) if level else ("itself", code)
    codes = (c for c in range(len(tree.paths)) if weights[c] > 0)
    return frozenset(
        c for c in codes if any(name == (node(tree, c, up) if up else ("itself", c)) for up in range(height(tree) + 1))
    )


def way_up(tree: Tree, weights: Sequence[Fraction], code: int) -> dict[Values, int]:
    """The sets of values that a code can be published as, smallest first, each with its lowest level."""
    way: dict[Values, int] = {}
    for level in range(height(tree) + 1):
        way.setdefault(cover(tree, weights, code, level), level)
    return way


# The order of level vectors (Def. 26)


def information(tree: Tree, level: int) -> Fraction:
    """The information that a level keeps, on average over the codes."""
    size = len(tree.paths)
    return sum((Fraction(1, leaf_count(tree, code, level)) for code in range(size)), Fraction(0)) / size


def level_vectors(qi: Sequence[Tree]) -> list[Levels]:
    """All level vectors, from the most informative to the least; levels count from the leaf."""
    kept = [[information(tree, level) for level in range(height(tree) + 1)] for tree in qi]

    def precedence(vector: Levels) -> tuple[Fraction, Levels]:
        return -sum((kept[column][level] for column, level in enumerate(vector)), Fraction(0)), vector

    return sorted(product(*(range(height(tree) + 1) for tree in qi)), key=precedence)


# (τ,l)-diversity (Defs. 7 to 11)


def share(published: Values, value: int, weights: Sequence[Fraction]) -> Fraction:
    """How much of a value is attributed to a row."""
    return weights[value] / sum(weights[v] for v in published) if value in published else Fraction(0)


def frequencies(published: Sequence[Values], weights: Sequence[Fraction]) -> list[Fraction]:
    """The induced frequency of each base value."""
    times = Counter(published)
    return [
        sum((count * share(values, value, weights) for values, count in times.items()), Fraction(0)) / len(published)
        for value in range(len(weights))
    ]


def holds(frequency: Sequence[Fraction], tau: float, l: int) -> bool:
    """Whether the most frequent values are not too frequent together."""
    top = sorted(frequency, reverse=True)
    return all(sum(top[:j]) <= Fraction(tau) + (1 - Fraction(tau)) * (j - 1) / (l - 1) + TOLERANCE for j in range(1, l))


# § 4.3


def generalize(
    published: Sequence[Values], ways: Sequence[dict[Values, int]], weights: Sequence[Fraction], tau: float, l: int
) -> list[Values]:
    """The values that rows publish of an attribute once it holds in all of them; they come in canonical order."""
    parent = {low: high for way in ways for low, high in zip(way, list(way)[1:], strict=False)}
    now, climbed = list(published), Counter[Values]()
    while not holds(frequency := frequencies(now, weights), tau, l):
        movable = {value for values in now if values in parent for value in values}
        dominant = min(movable, key=lambda value: (-frequency[value], value))
        least_general = min((values for values in now if dominant in values), key=len)
        now[now.index(least_general)] = parent[least_general]
        climbed[least_general] += 1
    came, total = Counter[Values](), Counter(published)
    for values, times in climbed.items():
        total[parent[values]] += times
    result = []
    for values in published:
        while climbed[values]:
            before, times = came[values], climbed[values]
            came[values] += 1
            if (before + 1) * times // total[values] == before * times // total[values]:
                break
            values = parent[values]
        result.append(values)
    return result


# The algorithm (Fig. 6)


class Sweep:
    """One run."""

    def __init__(self, table: Table, tau: float, l: int) -> None:
        self.table, self.tau, self.l = table, tau, l
        self.attributes = range(len(table.sa))
        self.ways = [
            [way_up(tree, weights, code) if weights[code] > 0 else {} for code in range(len(weights))]
            for tree, weights in zip(table.sa, table.weights, strict=True)
        ]
        self.published = [[frozenset({code}) for code in sa] for _, sa, _ in table.rows]

    def kind(self, row: int) -> tuple[tuple[int, int], ...]:
        """The values that a row publishes of its sensitive attributes, as something to sort by."""
        return tuple((min(values), len(values)) for values in self.published[row])

    def position(self, row: int) -> tuple[object, ...]:
        """Where a row is in canonical order."""
        qi, sa, rest = self.table.rows[row]
        return qi, sa, self.kind(row), rest

    def frequencies(self, rows: Sequence[int], attribute: int) -> list[Fraction]:
        return frequencies([self.published[row][attribute] for row in rows], self.table.weights[attribute])

    def generalize(self, rows: Sequence[int]) -> None:
        """Generalize each sensitive attribute independently."""
        for i in self.attributes:
            ways = [self.ways[i][self.table.rows[row][1][i]] for row in rows]
            before = [self.published[row][i] for row in rows]
            after = generalize(before, ways, self.table.weights[i], self.tau, self.l)
            for row, values in zip(rows, after, strict=True):
                self.published[row][i] = values

    def row_to_shed(self, rows: Sequence[int]) -> int | None:
        """The row whose removal helps most in all attributes that fail (§ 4.4, § 4.6)."""
        helps: dict[int, Fraction] = dict.fromkeys(rows, Fraction(0))
        for i in self.attributes:
            frequency = self.frequencies(rows, i)
            if not holds(frequency, self.tau, self.l):
                dominant = frequency.index(max(frequency))
                for row in list(helps):
                    contribution = share(self.published[row][i], dominant, self.table.weights[i])
                    if contribution > frequency[dominant]:
                        helps[row] += contribution
                    else:
                        del helps[row]
        return max(helps, key=lambda row: (helps[row], self.kind(row), self.position(row), row), default=None)

    def holds(self, rows: Sequence[int]) -> bool:
        return all(holds(self.frequencies(rows, i), self.tau, self.l) for i in self.attributes)

    def kept(self, rows: Sequence[int]) -> list[int]:
        """The rows of a class that are left when it holds, or none."""
        left = list(rows)
        while left and not self.holds(left):
            row = self.row_to_shed(left)
            if row is None:
                return []
            left.remove(row)
        return left

    def run(self) -> list[tuple[int, Levels]]:
        """Each row's group, and the levels of its quasi-identifiers and sensitive attributes."""
        table = self.table
        pending = sorted(range(len(table.rows)), key=self.position)
        self.generalize(pending)
        pending.sort(key=self.position)
        groups: list[tuple[list[int], Levels]] = []
        *vectors, last = level_vectors(table.qi)
        for vector in vectors:
            classes: dict[object, list[int]] = {}
            for row in pending:
                codes = table.rows[row][0]
                named = tuple(
                    node(tree, code, level) if level else code
                    for tree, code, level in zip(table.qi, codes, vector, strict=True)
                )
                classes.setdefault(named, []).append(row)
            for rows in classes.values():
                if kept := self.kept(rows):
                    groups.append((kept, vector))
                    pending = [row for row in pending if row not in kept]
        if pending:
            self.generalize(pending)
            groups.append((pending, last))
        return self.outcome(groups)

    def outcome(self, groups: Sequence[tuple[list[int], Levels]]) -> list[tuple[int, Levels]]:
        result: dict[int, tuple[int, Levels]] = {}
        for group, (rows, vector) in enumerate(groups):
            for row in rows:
                sa = self.table.rows[row][1]
                levels = tuple(self.ways[i][sa[i]][self.published[row][i]] for i in self.attributes)
                result[row] = group, (*vector, *levels)
        return [result[row] for row in range(len(self.table.rows))]


def release(table: Table, tau: float, l: int) -> list[tuple[int, Levels]] | None:
    """Each row's group and levels; None if what is believed of the sensitive values is too much already."""
    for weights in table.weights:
        if not holds([weight / sum(weights) for weight in weights], tau, l):
            return None
    return Sweep(table, tau, l).run()
