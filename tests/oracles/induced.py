"""(tau,l)-diversity by its definitions, in exact fractions. Nothing here imports sqlanon.

A published sensitive value is None, a text (a base value, a label of the tree, or `*`) or a tuple of such: a list.
A tree is the paths of its leaves: the leaf, then ever more general labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Value = str | None
Cell = str | tuple[Value, ...] | None
Tree = Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Rank:
    """A base value of a class, its induced frequency, its rank from 1, and the frequencies up to it."""

    value: Value
    frequency: Fraction
    rank: int
    cumulative: Fraction


@dataclass(frozen=True)
class Table:
    """Rows of a class and a published value; `weights` are those of the base values, 1 each unless given."""

    rows: Sequence[tuple[int, Cell]]
    tree: Tree = ()
    weights: Mapping[Value, Fraction] | None = None

    @property
    def base_values(self) -> list[Value]:
        """The leaves, or else what occurs; NULL if it occurs; what has a weight. NULL is last."""
        items = [item for _, cell in self.rows for item in items_of(cell)] + list(self.weights or ())
        values = {path[0] for path in self.tree} or {item for item in items if item not in (None, "*")}
        if not self.tree and not values and None not in items and "*" in items:
            values = {"*"}
        return [*sorted(values), *([None] if None in items else [])]

    def weight(self, value: Value) -> Fraction:
        return Fraction(1) if self.weights is None else self.weights.get(value, Fraction(0))

    def covers(self, item: Value) -> list[Value]:
        """The base values that a value or label stands for. A label on several levels is the lowest, or the root."""
        if item in self.base_values and (not self.tree or item != self.tree[0][-1]):
            return [item]
        if item == "*" or item == self.tree[0][-1]:
            return self.base_values
        level = min(path.index(item) for path in self.tree if item in path)
        return [path[0] for path in self.tree if path[level] == item]

    def shares(self, cell: Cell) -> dict[Value, Fraction]:
        """Base value → its share of what a published value stands for."""
        times = Counter(value for item in items_of(cell) for value in self.covers(item))
        total = sum((n * self.weight(value) for value, n in times.items()), Fraction(0))
        return {value: n * self.weight(value) / total for value, n in times.items()}

    def ranks(self) -> dict[int, list[Rank]]:
        """Class → all base values, the most frequent first, equal ones in order."""
        ranked: dict[int, list[Rank]] = {}
        for name in sorted({name for name, _ in self.rows}):
            cells = [cell for other, cell in self.rows if other == name]
            frequency = {value: Fraction(0) for value in self.base_values}
            for cell in cells:
                for value, share in self.shares(cell).items():
                    frequency[value] += share / len(cells)
            order = sorted(frequency, key=lambda value: (-frequency[value], value is None, value or ""))
            total, ranked[name] = Fraction(0), []
            for rank, value in enumerate(order, 1):
                total += frequency[value]
                ranked[name].append(Rank(value, frequency[value], rank, total))
        return ranked

    def excess_of_classes(self, tau: Fraction, l: int) -> dict[int, Fraction]:
        """Class → by how much it breaks (tau,l)-diversity where it breaks it most; not above 0 if it holds."""
        return {
            name: max(each.cumulative - allowance(each.rank, tau, l) for each in ranks)
            for name, ranks in self.ranks().items()
        }

    def holds(self, tau: Fraction, l: int) -> bool:
        return all(excess <= 0 for excess in self.excess_of_classes(tau, l).values())

    def smallest_tau(self, l: int) -> Fraction | None:
        """The smallest tau from 1/l to below 1 that holds: 1/l, or one at which a rank takes just what is allowed."""
        exact = (
            (each.cumulative * (l - 1) - (each.rank - 1)) / (l - each.rank)
            for ranks in self.ranks().values()
            for each in ranks
            if each.rank < l
        )
        legal = (tau for tau in sorted({Fraction(1, l), *exact}) if Fraction(1, l) <= tau < 1)
        return next((tau for tau in legal if self.holds(tau, l)), None)

    def excessive_protection(self, tau: Fraction, l: int) -> Fraction:
        """The class that is nearest to what is allowed."""
        return min(
            sum((abs(allowance(each.rank, tau, l) - each.cumulative) for each in ranks), Fraction(0))
            for ranks in self.ranks().values()
        )


def items_of(cell: Cell) -> tuple[Value, ...]:
    """The items of a published value, or itself."""
    return cell if isinstance(cell, tuple) else (cell,)


def allowance(rank: int, tau: Fraction, l: int) -> Fraction:
    """The share that the first values may take together."""
    return tau + (1 - tau) * Fraction(rank - 1, l - 1) if rank <= l else Fraction(1)
