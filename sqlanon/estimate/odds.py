"""The amount that a row adds to an answer, as SQL over the shares_* of its cells.

Columns are independent inside the box of a cell.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlanon.statement.template import column as our_column
from sqlanon.statement.template import expression

from .columns import QueryColumn
from .decision import Branch, Node, Tree, nodes
from .overlap import sum_of
from .reader import infinity


class Odds:
    """The sets that trees ask of each column, numbered, and what follows from their shares."""

    def __init__(self, columns: Sequence[QueryColumn], measured: int | None, trees: Sequence[Tree]) -> None:
        self.columns = columns
        self.measured = measured
        self.sets: dict[int, list[frozenset[int]]] = {}
        self.weighed: dict[int, set[int]] = {}
        """The sets from which there is a way to True."""
        for node in (node for tree in trees for node in nodes(tree)):
            sets = self.sets.setdefault(node.column, [])
            sets += [branch.chosen for branch in node.branches if branch.chosen not in sets]
            live = (branch.chosen for branch in node.branches if branch.then is not False)
            self.weighed.setdefault(node.column, set()).update(map(sets.index, live))

    def share(self, node: Node, branch: Branch, kind: str) -> exp.Expr:
        """The column of shares_* that holds this of a branch."""
        number = self.sets[node.column].index(branch.chosen)
        return our_column(f"{kind}_{number}", f"shares_{self.columns[node.column].alias}")

    def probability(self, tree: Tree) -> exp.Expr:
        """That a row takes a way to True."""
        return self._weigh(tree, "f")

    def moment(self, tree: Tree) -> exp.Expr:
        """The same times the value of the measured column, which is decided last."""
        return self._weigh(tree, "m")

    def _weigh(self, tree: Tree, last: str) -> exp.Expr:
        if not isinstance(tree, Node):
            return expression("1e0" if tree else "0e0")
        terms = []
        for branch in tree.branches:
            if branch.then is not False:
                part = self.share(tree, branch, last if tree.column == self.measured else "f")
                if branch.then is not True:  # nothing of what is infinite or not known is nothing
                    rest = self._weigh(branch.then, last)
                    part = expression("CASE WHEN :part = 0 THEN 0 ELSE :part * :rest END", part=part, rest=rest)
                terms.append(part)
        return sum_of(terms)

    def possible(self, tree: Tree, wanted: bool) -> exp.Expr:
        """Whether a row can end where it is wanted to."""
        if not isinstance(tree, Node):
            return exp.convert(tree is wanted)
        ways = []
        for branch in tree.branches:
            if branch.then is not (not wanted):
                may = self.share(tree, branch, "p")
                ways.append(may if branch.then is wanted else exp.and_(may, self.possible(branch.then, wanted)))
        return exp.paren(exp.or_(*ways))

    def reach(self, tree: Tree) -> tuple[exp.Expr, exp.Expr]:
        """The lowest and the highest value of the measured column on any way to True that is possible."""
        return self._extreme(tree, "lowest"), self._extreme(tree, "highest")

    def _extreme(self, tree: Tree, kind: str) -> exp.Expr:
        assert isinstance(tree, Node)
        live = [branch for branch in tree.branches if branch.then is not False]
        reached = [
            self.share(tree, branch, kind) if tree.column == self.measured else self._extreme(branch.then, kind)
            for branch in live
        ]
        if len(reached) == 1:
            return reached[0]
        guarded = [
            expression(
                "CASE WHEN :may THEN :value ELSE :never END",
                may=exp.and_(self.share(tree, branch, "p"), self.possible(branch.then, True)),
                value=value,
                never=infinity(below=kind == "highest"),
            )
            for branch, value in zip(live, reached, strict=True)
        ]
        return exp.func("least" if kind == "lowest" else "greatest", *guarded)
