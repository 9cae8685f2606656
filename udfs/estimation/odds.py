"""What each class adds to an answer: columns are independent inside a class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from ..kernels.space import Floats, Wide
from .arrays import Flags
from .parts import Parts
from .question import Choice, Node, Tree
from .shares import Moment, fractions, moments, possibles


class Judged:
    """A column by class: what of its cell lies in each set, once it is asked for."""

    def __init__(self, parts: Parts, cell_of: Wide, choices: Sequence[Choice]) -> None:
        self.parts = parts
        self.cell_of = cell_of
        self.choices = choices
        self._known: dict[tuple[Callable[..., Any], int], Any] = {}

    def fraction(self, choice: int) -> Floats:
        found: Floats = self._ask(fractions, choice)[self.cell_of]
        return found

    def possible(self, choice: int) -> Flags:
        found: Flags = self._ask(possibles, choice)[self.cell_of]
        return found

    def moment(self, choice: int) -> Moment:
        return Moment(*(each[self.cell_of] for each in self._ask(moments, choice)))

    def _ask(self, what: Callable[[Parts, Choice], Any], choice: int) -> Any:
        if (what, choice) not in self._known:
            self._known[what, choice] = what(self.parts, self.choices[choice])
        return self._known[what, choice]


@dataclass(frozen=True)
class Odds:
    """How classes fare on the way through a tree."""

    columns: Mapping[int, Judged]
    classes: int
    measured: int | None

    def probability(self, tree: Tree) -> Floats:
        """That a row takes a way to True."""
        return self._weighed(tree, moments=False)

    def moment(self, tree: Tree) -> Floats:
        """The same times the value of the measured column, which is decided last."""
        return self._weighed(tree, moments=True)

    def _weighed(self, tree: Tree, moments: bool) -> Floats:
        if not isinstance(tree, Node):
            return np.full(self.classes, float(tree))
        column = self.columns[tree.column]
        total = np.zeros(self.classes)
        for choice, then in tree.branches:
            if then is not False:
                measured = moments and tree.column == self.measured
                part = column.moment(choice).mean if measured else column.fraction(choice)
                total += part if then is True else times(part, self._weighed(then, moments))
        return total

    def possible(self, tree: Tree, wanted: bool) -> Flags:
        """Whether a row can end where it is wanted to."""
        if not isinstance(tree, Node):
            return np.full(self.classes, tree is wanted)
        column = self.columns[tree.column]
        ways = (
            column.possible(choice) & self.possible(then, wanted)
            for choice, then in tree.branches
            if then is not (not wanted)
        )
        none: Flags = np.zeros(self.classes, np.bool_)
        return reduce(np.logical_or, ways, none)

    def reach(self, tree: Tree) -> tuple[Floats, Floats]:
        """The least and the greatest value of the measured column on any way to True that is possible."""
        least, most = np.full(self.classes, np.inf), np.full(self.classes, -np.inf)
        if not isinstance(tree, Node):
            return least, most
        column = self.columns[tree.column]
        for choice, then in tree.branches:
            if then is False:
                continue
            if tree.column == self.measured:
                _, low, high = column.moment(choice)
            else:
                low, high = self.reach(then)
            may = column.possible(choice) & self.possible(then, wanted=True)
            least = np.where(may, np.minimum(least, low), least)
            most = np.where(may, np.maximum(most, high), most)
        return least, most


def times(share: Floats, amount: Floats) -> Floats:
    """Nothing of an infinite amount is nothing."""
    return np.where(share == 0, 0, share * amount)
