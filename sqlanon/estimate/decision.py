"""A tree that decides a condition column by column.

A node of the tree stands for a column; its branches are disjoint sets of regions that together are everything. So in a
box, where columns are independent, the probability of the condition is the sum over branches of the probability of the
branch times that of what follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlanon.errors import InvalidParameter
from sqlanon.queries.conditions import Condition, comparisons, resolve

from .regions import Regions

MOST_PATHS = 256


@dataclass(frozen=True)
class Branch:
    """A set of regions of a node's column, and what follows."""

    chosen: frozenset[int]
    then: Tree


@dataclass(frozen=True)
class Node:
    """A column, and disjoint branches that together are everything."""

    column: int
    branches: tuple[Branch, ...]


Tree = Node | bool


@dataclass(frozen=True)
class Path:
    """One way through the columns of GROUP BY: the sets that their values lie in, and what is left to decide."""

    chosen: tuple[tuple[int, frozenset[int]], ...]
    rest: Tree


def decide(condition: Condition, order: Sequence[int], regions: Sequence[Regions]) -> Tree:
    """The tree of a condition, with columns in that order; a column that nothing hangs on has no node."""
    known: dict[tuple[int, Condition], Tree] = {}

    def visit(at: int, rest: Condition) -> Tree:
        if at == len(order) or isinstance(rest, bool | None):
            return rest is True
        if (at, rest) not in known:
            known[at, rest] = branches(at, rest)
        return known[at, rest]

    def branches(at: int, rest: Condition) -> Tree:
        cuts = regions[order[at]]
        decided = list(dict.fromkeys(each for each in comparisons(rest) if each.column == order[at]))
        truths_of = [cuts.truths(each) for each in decided]
        outcomes: dict[tuple[bool | None, ...], Tree] = {}
        chosen: dict[Tree, set[int]] = {}
        for region in range(cuts.null + 1):
            truths = tuple(each[region] for each in truths_of)
            if truths not in outcomes:
                outcomes[truths] = visit(at + 1, resolve(rest, dict(zip(decided, truths, strict=True))))
            chosen.setdefault(outcomes[truths], set()).add(region)
        if len(chosen) == 1:
            return next(iter(chosen))
        return Node(order[at], tuple(Branch(frozenset(regions_of), then) for then, regions_of in chosen.items()))

    tree = visit(0, condition)
    if sum(1 for _ in leaves(tree)) > MOST_PATHS:
        raise InvalidParameter(
            f"query: its condition falls into more than {MOST_PATHS} alternatives.", "Ask for fewer at a time."
        )
    return tree


def leaves(tree: Tree) -> Iterator[bool]:
    """The ends of a tree, one per path."""
    if isinstance(tree, bool):
        yield tree
        return
    for branch in tree.branches:
        yield from leaves(branch.then)


def nodes(tree: Tree) -> Iterator[Node]:
    """The nodes of a tree."""
    if isinstance(tree, Node):
        yield tree
        for branch in tree.branches:
            yield from nodes(branch.then)


def demanded_regions(tree: Tree, column: int, everything: frozenset[int]) -> frozenset[int]:
    """The regions that a value of this column must lie in for the condition to hold, whatever the others are."""
    if not isinstance(tree, Node):
        return everything if tree else frozenset()
    allowed: frozenset[int] = frozenset()
    for branch in tree.branches:
        if tree.column == column:
            allowed |= branch.chosen if branch.then is not False else frozenset()
        else:
            allowed |= demanded_regions(branch.then, column, everything)
    return allowed


def group_paths(tree: Tree, groups: set[int]) -> Iterator[Path]:
    """The ways through the columns of GROUP BY, which are decided first."""
    if not isinstance(tree, Node) or tree.column not in groups:
        yield Path((), tree)
        return
    for branch in tree.branches:
        for path in group_paths(branch.then, groups):
            yield Path(((tree.column, branch.chosen), *path.chosen), path.rest)
