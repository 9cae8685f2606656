"""Random tables whose columns are all trees: uneven ones, ones with levels that add nothing, with and without NULL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from sqlanon.udfs.kernels.requirement.requirement import Requirement
from sqlanon.udfs.kernels.space import Generalization, Microdata
from twins import lattice as twin
from twins import naive

from . import tables
from .tables import rearrange

PROMISES = (
    *(twin.Promise(k=k) for k in (1, 2, 3)),
    *(twin.Promise(l=l) for l in (2, 3)),
    *(twin.Promise(ranks=ranks, c=Fraction(c)) for ranks, c in ((2, "1/2"), (2, "1"), (2, "3/2"), (3, "2"))),
)

SHARES = ((0.0, 0), (0.1, 10), (0.29, 29), (0.5, 50))
"""Of rows that may be left out: as an argument, and in percent."""


@dataclass(frozen=True)
class Case:
    """A table, who its rows are about, if that is known, and a promise that all rows together keep."""

    table: naive.Table
    person: tuple[int, ...] | None
    promise: twin.Promise

    def microdata(self, learned: Sequence[int] | None = None) -> Microdata:
        """As kernels want it."""
        return tables.microdata(self.table)._replace(
            person=None if self.person is None else np.array(self.person, np.int32),
            label=None if learned is None else np.array(learned, np.int32),
        )

    def requirement(self) -> Requirement:
        """As kernels want it."""
        promise = self.promise
        return Requirement(
            promise.k, float(promise.l), promise.ranks, np.inf if promise.c is None else float(promise.c)
        )

    def rearrange(self, order: Sequence[int]) -> Case:
        """The same rows, arriving in another order."""
        person = None if self.person is None else tuple(self.person[row] for row in order)
        return Case(rearrange(self.table, order), person, self.promise)


@st.composite
def uneven_trees(draw: st.DrawFn) -> naive.Tree:
    """Some nodes lie right below the root: there and above, they read like it."""
    tree = draw(tables.tree_columns(size=5))
    root = tree.leaves[0][-1]
    early = draw(st.sets(st.sampled_from([label for path in tree.leaves for label in path[1:]]), max_size=2))

    def path_of(path: naive.Path | None) -> naive.Path | None:
        if path is None:
            return None
        first = min((level for level, label in enumerate(path) if label in early), default=len(path))
        return (*path[:first], *(root for _ in path[first:]))

    return naive.Tree(tuple(map(path_of, tree.paths)), tuple(path for path in map(path_of, tree.leaves) if path))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Any of that, with some rows alike."""
    columns = tuple(draw(st.lists(uneven_trees(), min_size=1, max_size=3)))
    rows = draw(st.integers(1, 14))
    row = st.tuples(*(st.integers(0, len(column.paths) - 1) for column in columns))
    codes = draw(st.lists(row, min_size=rows, max_size=rows))
    numbers = st.lists(st.integers(0, 3), min_size=rows, max_size=rows)
    table = naive.Table(columns, tuple(codes), tuple(draw(numbers)), ((0,),) * rows)
    person = draw(st.none() | st.lists(st.integers(0, 8), min_size=rows, max_size=rows).map(tuple))
    promise = draw(st.sampled_from(PROMISES))
    assume(twin.holds(table, person, promise, range(rows)))
    return Case(table, person, promise)


def levels_of(result: Generalization) -> twin.Levels:
    """The level of each column, which is the same in all rows."""
    assert (result.levels == result.levels[:, :1]).all(), "one level per column"
    return tuple(result.levels[:, 0].tolist())


def classes_of(result: Generalization) -> list[tuple[int, ...]]:
    """The rows of each class, by its number; those left out are in none."""
    numbers = result.group_of.tolist()
    assert sorted(set(numbers) - {-1}) == list(range(max(numbers) + 1)), "numbered without a gap"
    return [tuple(row for row, its in enumerate(numbers) if its == number) for number in range(max(numbers) + 1)]
