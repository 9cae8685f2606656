"""Full-domain generalization by trying every node of the lattice, in exact fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from . import naive

Levels = tuple[int, ...]


@dataclass(frozen=True)
class Promise:
    """k rows, no value in more than 1/l of them, and recursive (c,ranks)-diversity unless c is None.

    `others`: whatever else rows have to keep.
    """

    k: int = 1
    l: int = 1
    ranks: int = 1
    c: Fraction | None = None
    others: Callable[[Sequence[int]], bool] | None = None


@dataclass(frozen=True)
class Node:
    """A node that holds: what it loses, and the classes, as rows, that it publishes and leaves out."""

    levels: Levels
    gcp: Fraction
    classes: tuple[tuple[int, ...], ...]
    suppressed: tuple[int, ...]

    def rank(self) -> tuple[Fraction, int, Levels]:
        """The best is the lowest."""
        return self.gcp, sum(self.levels), self.levels


def height(column: naive.Tree) -> int:
    """Levels above a leaf."""
    return len(column.leaves[0]) - 1


def label(column: naive.Tree, code: int, level: int) -> object:
    """The label that a code is published as. NULL stays itself below the root, and every leaf at level 0."""
    path = column.paths[code]
    if level == 0:
        return code
    if level == height(column):
        return "root"
    return None if path is None else ("root" if path[level] == path[-1] else (path[level],))


def loss(column: naive.Tree, code: int, level: int) -> Fraction:
    """The NCP of what a code is published as: the share of leaves below, 0 for one leaf, 1 for the root."""
    path = column.paths[code]
    if level == height(column):
        return Fraction(1)
    if level == 0 or path is None:
        return Fraction(0)
    root = path[level] == path[-1]
    below = sum(root or leaf[level] == path[level] for leaf in column.leaves)
    return Fraction(below, len(column.leaves)) if below > 1 else Fraction(0)


def keeps(promise: Promise, size: int, counts: Sequence[int]) -> bool:
    """Whether so many, of whom so many have each value, are a class."""
    ordered = sorted(counts, reverse=True)
    tail = sum(ordered[promise.ranks - 1 :])
    recursive = promise.c is None or (tail > 0 and ordered[0] < promise.c * tail)
    return size >= promise.k and ordered[0] * promise.l <= size and recursive


def holds(table: naive.Table, person: Sequence[int] | None, promise: Promise, rows: Sequence[int]) -> bool:
    """Whether rows are a class, and so are the people, if they are known."""
    if not keeps(promise, len(rows), list(Counter(table.sensitive[row] for row in rows).values())):
        return False
    if promise.others is not None and not promise.others(rows):
        return False
    if person is None:
        return True
    pairs = {(person[row], table.sensitive[row]) for row in rows}
    return keeps(promise, len({one for one, _ in pairs}), list(Counter(value for _, value in pairs).values()))


def classes_at(table: naive.Table, levels: Levels) -> list[tuple[int, ...]]:
    """The rows of each class: those that publish the same."""
    classes: dict[tuple[object, ...], list[int]] = {}
    for row, codes in enumerate(table.codes):
        published = (label(column, codes[c], levels[c]) for c, column in enumerate(table.columns))
        classes.setdefault(tuple(published), []).append(row)
    return [tuple(rows) for rows in classes.values()]


def gcp(table: naive.Table, levels: Levels, suppressed: Sequence[int] = ()) -> Fraction:
    """The mean loss of a cell; a row that is left out loses everything."""
    cells = [
        Fraction(1) if row in suppressed else loss(column, codes[c], levels[c])
        for row, codes in enumerate(table.codes)
        for c, column in enumerate(table.columns)
    ]
    return sum(cells, Fraction(0)) / len(cells)


def every_node(table: naive.Table) -> list[Levels]:
    """All level vectors."""
    return list(product(*(range(height(column) + 1) for column in table.columns)))


def holding_nodes(table: naive.Table, person: Sequence[int] | None, promise: Promise, allowed: int = 0) -> list[Node]:
    """The nodes that hold if so many rows may be left out, the best first."""
    nodes = []
    for levels in every_node(table):
        classes = classes_at(table, levels)
        kept = tuple(rows for rows in classes if holds(table, person, promise, rows))
        suppressed = tuple(row for rows in classes if rows not in kept for row in rows)
        if len(suppressed) <= allowed:
            nodes.append(Node(levels, gcp(table, levels, suppressed), kept, suppressed))
    return sorted(nodes, key=Node.rank)
