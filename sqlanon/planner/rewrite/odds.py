"""What a row adds to an answer, as SQL over the shares_* of its cells: columns are independent inside a cell's box."""

from __future__ import annotations

from sqlglot import exp

from sqlanon.planner.estimate.decision import Branch, Node, Tree, nodes
from sqlanon.planner.template import column, expression

from .overlap import infinity, summed


class Odds:
    """The sets that trees ask of each column, numbered, and what follows from their shares."""

    def __init__(self, owns: list[str], measured: int | None, trees: list[Tree]) -> None:
        self.owns = owns
        self.measured = measured
        self.sets: dict[int, list[frozenset[int]]] = {}
        self.weighed: dict[int, set[int]] = {}
        """The sets from which there is a way to True."""
        for node in (node for tree in trees for node in nodes(tree)):
            asked = self.sets.setdefault(node.column, [])
            asked += [branch.chosen for branch in node.branches if branch.chosen not in asked]
            live = (branch.chosen for branch in node.branches if branch.then is not False)
            self.weighed.setdefault(node.column, set()).update(map(asked.index, live))

    def share(self, node: Node, branch: Branch, kind: str) -> exp.Expr:
        """The column of shares_* that holds this of a branch."""
        number = self.sets[node.column].index(branch.chosen)
        return column(f"{kind}_{number}", f"shares_{self.owns[node.column]}")

    def probability(self, tree: Tree) -> exp.Expr:
        """That a row takes a way to True."""
        return self._weighed(tree, "f")

    def moment(self, tree: Tree) -> exp.Expr:
        """The same times the value of the measured column, which is decided last."""
        return self._weighed(tree, "m")

    def _weighed(self, tree: Tree, last: str) -> exp.Expr:
        if not isinstance(tree, Node):
            return expression("1e0" if tree else "0e0")
        terms = []
        for branch in tree.branches:
            if branch.then is not False:
                part = self.share(tree, branch, last if tree.column == self.measured else "f")
                rest = self._weighed(branch.then, last)
                terms.append(part if branch.then is True else exp.Mul(this=part, expression=rest))
        return summed(terms)

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
        """The least and the greatest value of the measured column on any way to True that is possible."""
        return self._extreme(tree, "least"), self._extreme(tree, "most")

    def _extreme(self, tree: Tree, kind: str) -> exp.Expr:
        assert isinstance(tree, Node)
        live = [branch for branch in tree.branches if branch.then is not False]
        found = [
            self.share(tree, branch, kind) if tree.column == self.measured else self._extreme(branch.then, kind)
            for branch in live
        ]
        if len(found) == 1:
            return found[0]
        guarded = [
            expression(
                "CASE WHEN :may THEN :value ELSE :never END",
                may=exp.and_(self.share(tree, branch, "p"), self.possible(branch.then, True)),
                value=value,
                never=infinity(below=kind == "most"),
            )
            for branch, value in zip(live, found, strict=True)
        ]
        return exp.func("least" if kind == "least" else "greatest", *guarded)
