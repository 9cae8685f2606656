"""The gain of a reader of two releases, by trying every pair of classes. Cells are as releases in text have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

Cell = str | None
Class = tuple[Cell, ...]
Row = tuple[Class, Cell, int]
"""The quasi-identifiers, the sensitive value, and the person."""


def items(cell: Cell) -> set[Cell]:
    """The items of a cell."""
    if cell is not None and cell.startswith("{") and ", " in cell:
        return {None if item == "NULL" else item for item in cell[1:-1].split(", ")}
    return {cell}


def overlap(old: Cell, new: Cell, below: Mapping[str, set[str]] | None = None) -> bool:
    """Whether two cells may be those of one person. `below`: the leaves below each label of a taxonomy."""
    if "*" in (old, new):
        return True
    if old is None or new is None:
        return old is new
    if below is not None:
        return bool(below[old] & below[new])
    return any(touch(one, other) for one in items(old) for other in items(new))


def touch(old: Cell, new: Cell) -> bool:
    """Whether two ranges or values meet."""
    if old is None or new is None:
        return old is new
    one, other = ends(old), ends(new)
    if one is None or other is None:
        return old == new
    return one[0] <= other[1] and other[0] <= one[1]


def ends(cell: str) -> tuple[float, float] | None:
    """Both ends of a range of numbers, or of a number."""
    try:
        low, _, high = cell.strip("[]").partition(", ")
        return float(low), float(high or low)
    except ValueError:
        return None


def candidates(old: Iterable[Row], new: Iterable[Row]) -> list[dict[Class, set[Cell]]]:
    """Per release and class, the values that its people may have; a star stands for all that are known."""
    known = {item for row in (*old, *new) for item in items(row[1])} - {"*"}
    releases = []
    for rows in (old, new):
        values: dict[Class, set[Cell]] = {}
        for cells, value, _ in rows:
            values.setdefault(cells, set()).update(known if value == "*" else items(value))
        releases.append(values)
    return releases


def threshold(releases: Sequence[Mapping[object, set[Cell]]]) -> int:
    """The fewest values of a class of either release."""
    return min((len(values) for release in releases for values in release.values()), default=0)


def narrows(old: set[Cell], new: set[Cell], l: int) -> bool:
    """Whether both releases together tell too much."""
    return len(old & new) < min(l, len(old), len(new))


def by_class(
    old: Sequence[Row], new: Sequence[Row], l: int | None, below: Mapping[str, set[str]] | None = None
) -> dict[tuple[Class, Class], set[Cell]]:
    """Pairs of classes and the values that they have in common. `below` is the taxonomy of the last column."""
    releases = candidates(old, new)
    few = threshold(releases) if l is None else l
    pairs = {}
    for one, old_values in releases[0].items():
        for other, new_values in releases[1].items():
            trees = [None] * (len(one) - 1) + [below]
            together = all(overlap(*cells) for cells in zip(one, other, trees, strict=True))
            if together and old_values & new_values and narrows(old_values, new_values, few):
                pairs[one, other] = old_values & new_values
    return pairs


def by_person(old: Sequence[Row], new: Sequence[Row], l: int | None) -> dict[int, set[Cell]]:
    """People in both releases and the values that both leave possible."""
    releases = candidates(old, new)
    few = threshold(releases) if l is None else l
    people: list[dict[int, set[Cell]]] = [{}, {}]
    for rows, values, of_person in zip((old, new), releases, people, strict=True):
        for cells, _, person in rows:
            of_person.setdefault(person, set()).update(values[cells])
    both = people[0].keys() & people[1].keys()
    pairs = ((person, people[0][person], people[1][person]) for person in both)
    return {person: one & other for person, one, other in pairs if narrows(one, other, few)}


def rows_left(old: Sequence[Row], new: Sequence[Row], l: int | None) -> tuple[Counter[int], Counter[int]]:
    """Rows of the new release by the values left: with the old class that tells most, and whichever it is."""
    releases = candidates(old, new)
    few = threshold(releases) if l is None else l
    rows = Counter(cells for cells, _, _ in new)
    at_worst: Counter[int] = Counter()
    certain: Counter[int] = Counter()
    for cells, values in releases[1].items():
        overlapping = [other for one, other in releases[0].items() if all(map(overlap, one, cells)) and other & values]
        left = [len(other & values) for other in overlapping if narrows(other, values, few)]
        either = {value for other in overlapping for value in other & values}
        if left:
            at_worst[min(left)] += rows[cells]
        if left and len(left) == len(overlapping) and len(either) < min(few, len(values)):
            certain[len(either)] += rows[cells]
    return at_worst, certain
