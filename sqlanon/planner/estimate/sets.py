"""A condition as sets of values per column, and a tree that decides it column by column.

The constants that a column is compared with cut its values into regions, inside which the condition cannot tell them
apart: below the first constant, the constant itself, between it and the next, …, above the last, and NULL. A node of
the tree stands for a column; its branches are disjoint sets of regions that together are everything. So in a box, where
columns are independent, the probability of the condition is the sum over branches of the probability of the branch
times that of what follows. Conditions are three-valued, as in SQL: True, False, None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sqlanon.errors import InvalidParameter

MOST_PATHS = 256


@dataclass(frozen=True)
class Constant:
    """A constant of a query: which axis it lies on (number, time, zoned, iso, text), where, and its text.

    `form` is its type, where that makes a difference: DOUBLE or DECIMAL of a number, that of a moment.
    """

    axis: str
    place: Decimal | str
    text: str
    form: str = ""


@dataclass(frozen=True)
class Atom:
    """One comparison of a column: `in` its constants, `null`, or <, <=, >, >= its one constant."""

    column: int
    how: str
    constants: tuple[Constant, ...] = ()


Condition = bool | None | Atom | tuple[object, ...]
"""A truth value, a comparison, ("not", x), ("and", x, y, …) or ("or", x, y, …)."""


@dataclass(frozen=True)
class End:
    """Where a run of values ends: None is infinity."""

    place: Decimal | str | None
    closed: bool


@dataclass(frozen=True)
class Regions:
    """The cut values of a column: points in order. Region 2i + 1 is point i, 2i lies below it, the last one is NULL."""

    axis: str
    points: tuple[Decimal | str, ...]
    texts: tuple[str, ...]
    forms: tuple[frozenset[str], ...]
    """The forms in which each point is written."""
    ordered: bool
    """Whether anything is compared by order."""

    @property
    def null(self) -> int:
        return 2 * len(self.points) + 1

    @property
    def gaps(self) -> frozenset[int]:
        """The regions between, below and above the points."""
        return frozenset(range(0, self.null, 2))

    @property
    def everything(self) -> frozenset[int]:
        return frozenset(range(self.null + 1))

    def truths(self, atom: Atom) -> list[bool | None]:
        """What a comparison says of the values of each region."""
        if atom.how == "null":
            return [region == self.null for region in range(self.null + 1)]
        places = {point: i for i, point in enumerate(self.points)}
        at = {2 * places[place_on(self.axis, constant)] + 1 for constant in atom.constants}
        (first, *_) = at
        holds: dict[str, Callable[[int], bool]] = {
            "in": lambda region: region in at,
            "<": lambda region: region < first,
            "<=": lambda region: region <= first,
            ">": lambda region: region > first,
            ">=": lambda region: region >= first,
        }
        return [*map(holds[atom.how], range(self.null)), None]

    def runs(self, chosen: frozenset[int]) -> list[tuple[End, End]]:
        """The neighbouring regions of a set, NULL aside, joined: each from one end to another."""
        found: list[tuple[End, End]] = []
        inside = sorted(chosen - {self.null})
        start = 0
        for i, region in enumerate(inside):
            if i + 1 == len(inside) or inside[i + 1] != region + 1:
                found.append((self._end(inside[start], -1), self._end(region, 0)))
                start = i + 1
        return found

    def _end(self, region: int, side: int) -> End:
        if region % 2:
            return End(self.points[region // 2], True)
        at = region // 2 + side
        return End(self.points[at] if 0 <= at < len(self.points) else None, False)


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


def cut(column: int, condition: Condition, name: str, measured: bool) -> Regions:
    """The regions of a column. Its axis is that of its constants; `open` where there are none."""
    mine = [atom for atom in atoms(condition) if atom.column == column]
    constants = [constant for atom in mine for constant in atom.constants]
    ordered = any(atom.how not in ("in", "null") for atom in mine)
    kinds = {constant.axis for constant in constants} | ({"number"} if measured else set())
    axis = "open"
    for kinds_of, found in (
        ({"number"}, "number"),
        ({"iso"}, "iso"),
        ({"time", "iso"}, "time"),
        ({"zoned"}, "time"),
        ({"text", "iso"}, "text"),
    ):
        if kinds and kinds <= kinds_of:
            axis = found
            break
    else:
        if kinds:
            raise InvalidParameter(
                f"query: column {name!r} is used as more than one of number, date, moment with an offset and text.",
                "Compare it with constants of its own type.",
            )
    if axis == "iso" and len({len(constant.text) for constant in constants}) > 1:
        axis = "time"
    texts = {place_on(axis, constant): constant.text for constant in constants}
    points = sorted(texts)
    if axis != "text" and len({float(point) for point in points}) < len(points):
        raise InvalidParameter(
            f"query: column {name!r} is compared with numbers that a DOUBLE does not tell apart.", "Round them."
        )
    forms: dict[Decimal | str, set[str]] = {}
    for constant in constants:
        forms.setdefault(place_on(axis, constant), set()).add(constant.form)
    return Regions(
        axis,
        tuple(points),
        tuple(texts[point] for point in points),
        tuple(frozenset(forms[point]) for point in points),
        ordered,
    )


def place_on(axis: str, constant: Constant) -> Decimal | str:
    """Where a constant lies: text by its letters, everything else as a number."""
    return constant.text if axis == "text" else constant.place


def has_whole(regions: Regions, chosen: frozenset[int]) -> bool:
    """Whether a set has a value that a column of whole numbers or days can have: text and NULL count as such."""
    if regions.null in chosen or regions.axis == "text":
        return True
    return any(
        not (isinstance(low.place, Decimal) and isinstance(high.place, Decimal))
        or first_step(low, low.place) < last_step(high, high.place)
        for low, high in regions.runs(chosen)
    )


def first_step(end: End, place: Decimal) -> int:
    """The first whole number from an end on."""
    return math.ceil(place) if end.closed else math.floor(place) + 1


def last_step(end: End, place: Decimal) -> int:
    """The whole number after the last one up to an end."""
    return math.floor(place) + 1 if end.closed else math.ceil(place)


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
        mine = list(dict.fromkeys(atom for atom in atoms(rest) if atom.column == order[at]))
        told = [cuts.truths(atom) for atom in mine]
        outcomes: dict[tuple[bool | None, ...], Tree] = {}
        chosen: dict[Tree, set[int]] = {}
        for region in range(cuts.null + 1):
            truths = tuple(each[region] for each in told)
            if truths not in outcomes:
                outcomes[truths] = visit(at + 1, settle(rest, dict(zip(mine, truths, strict=True))))
            chosen.setdefault(outcomes[truths], set()).add(region)
        if len(chosen) == 1:
            return next(iter(chosen))
        return Node(order[at], tuple(Branch(frozenset(found), then) for then, found in chosen.items()))

    tree = visit(0, condition)
    if sum(1 for _ in paths(tree)) > MOST_PATHS:
        raise InvalidParameter(
            f"query: its condition falls into more than {MOST_PATHS} alternatives.", "Ask for fewer at a time."
        )
    return tree


def paths(tree: Tree) -> Iterator[Tree]:
    """The ends of a tree, one per path."""
    if isinstance(tree, bool):
        yield tree
        return
    for branch in tree.branches:
        yield from paths(branch.then)


def demanded(tree: Tree, column: int, everything: frozenset[int]) -> frozenset[int]:
    """The regions that a value of this column must lie in for the condition to hold, whatever the others are."""
    if not isinstance(tree, Node):
        return everything if tree else frozenset()
    found: frozenset[int] = frozenset()
    for branch in tree.branches:
        if tree.column == column:
            found |= branch.chosen if branch.then is not False else frozenset()
        else:
            found |= demanded(branch.then, column, everything)
    return found


def atoms(condition: Condition) -> Iterator[Atom]:
    """The comparisons of a condition."""
    if isinstance(condition, Atom):
        yield condition
    elif isinstance(condition, tuple):
        for part in condition[1:]:
            yield from atoms(part)  # type: ignore[arg-type]


def settle(condition: Condition, truths: dict[Atom, bool | None]) -> Condition:
    """What is left of a condition once some comparisons are known."""
    if isinstance(condition, Atom):
        return truths.get(condition, condition)
    if not isinstance(condition, tuple):
        return condition
    parts = [settle(part, truths) for part in condition[1:]]  # type: ignore[arg-type]
    if condition[0] == "not":
        (part,) = parts
        return ("not", part) if isinstance(part, Atom | tuple) else None if part is None else not part
    return all_of(parts) if condition[0] == "and" else any_of(parts)


def all_of(parts: list[Condition]) -> Condition:
    """AND."""
    return _joined("and", parts, False)


def any_of(parts: list[Condition]) -> Condition:
    """OR; comparisons of one column with single constants become one `in`."""
    merged: dict[int, list[Constant]] = {}
    others: list[Condition] = []
    for part in parts:
        if isinstance(part, Atom) and part.how == "in":
            merged.setdefault(part.column, []).extend(part.constants)
        else:
            others.append(part)
    found: list[Condition] = [Atom(column, "in", tuple(values)) for column, values in merged.items()]
    return _joined("or", found + others, True)


def _joined(word: str, parts: list[Condition], decisive: bool) -> Condition:
    flat: list[Condition] = []
    for part in parts:
        flat += part[1:] if isinstance(part, tuple) and part[0] == word else [part]  # type: ignore[arg-type]
    if any(part is decisive for part in flat):
        return decisive
    left = [part for part in dict.fromkeys(flat) if part is not (not decisive)]
    if not left:
        return not decisive
    return left[0] if len(left) == 1 else (word, *left)
