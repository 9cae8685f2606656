"""The right answers of info_loss and attribute_loss, from the definitions, in plain Python with exact fractions.

A published cell is None, a text, {'lo': …, 'hi': …} or a list, as a release has it. What a cell covers is a set of
values here, never a stretch of codes. Nothing here imports sqlanon.
"""

from __future__ import annotations

import datetime
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

EPOCH = datetime.datetime(1970, 1, 1)
NOT_A_NUMBER = "NaN"
"""In place of float NaN, which is not even equal to itself."""

MISSING = {None, "*"}
"""Cells that a publisher may take for one and the same, by its argument `nulls`."""


@dataclass(frozen=True)
class Attribute:
    """A column of the source, and how its values read.

    `read` turns the text of a measured value (number, date, time) back into one; a column without it is a category,
    whose values are texts. `paths` is its taxonomy: the leaf first, then ever more general labels.
    """

    name: str
    values: Sequence[Any]
    read: Callable[[str], Any] | None = None
    paths: Sequence[tuple[str, ...]] | None = None

    @property
    def domain(self) -> set[Any]:
        """Every value that a cell can stand for; None is one of them if it occurs."""
        found = {plain(value) for value in self.values}
        if self.paths is None:
            return found
        leaves = {path[0] for path in self.paths}
        return leaves | ({None} if found & MISSING - leaves else set())

    @property
    def known(self) -> set[Any]:
        return self.domain - (MISSING if self.paths is None else {None})

    def is_star(self, cell: Any) -> bool:
        if isinstance(cell, dict):
            return cell["lo"] is None and cell["hi"] is None
        if isinstance(cell, list):
            whole = set(cell) & self.known == self.known
            if len(cell) == 1:
                return cell == ["*"]
            return len(cell) > 1 and whole and (self.known == self.domain or bool(set(cell) & MISSING))
        return isinstance(cell, str) and cell == "*"

    def ends(self, cell: Any) -> tuple[Any, Any]:
        """The lowest and the highest value that a measured cell allows."""
        assert self.read is not None
        if isinstance(cell, dict):
            return plain(cell["lo"]), plain(cell["hi"])
        if cell.startswith("["):
            low, high = cell[1:-1].split(", ")
            return plain(self.read(low)), plain(self.read(high))
        return plain(self.read(cell)), plain(self.read(cell))

    def covered(self, cell: Any) -> set[Any]:
        """The values of the domain that a cell may stand for."""
        if self.is_star(cell):
            return self.domain
        if cell is None:
            return {None}
        if isinstance(cell, list):
            return set(cell)
        if self.paths is not None:
            # a label on several levels stands for its lowest
            level = min(path.index(cell) for path in self.paths if cell in path)
            return {path[0] for path in self.paths if path[level] == cell}
        if self.read is None:
            return {cell}
        low, high = map(position, self.ends(cell))
        return {value for value in self.known if low <= position(value) <= high}

    def ncp(self, cell: Any) -> Fraction:
        if self.is_star(cell):
            return Fraction(1)
        if cell is None:
            return Fraction(0)
        if self.paths is not None:
            leaves = len(self.covered(cell))
            return Fraction(0) if leaves == 1 else Fraction(leaves, len(self.known))
        if self.read is None:
            return Fraction(len(self.covered(cell)) > 1)
        low, high = self.ends(cell)
        if low == high:
            return Fraction(0)
        if not (is_finite(low) and is_finite(high)):
            return Fraction(1)
        numbers = [ticks(value) for value in self.known if is_finite(value)]
        reach = max(numbers) - min(numbers)
        return min(Fraction(1), (ticks(high) - ticks(low)) / reach) if reach else Fraction(0)


def plain(value: Any) -> Any:
    """−0.0 is 0.0, and NaN is one value."""
    if isinstance(value, float):
        return NOT_A_NUMBER if math.isnan(value) else value + 0.0
    return value


def is_finite(value: Any) -> bool:
    return value != NOT_A_NUMBER and not (isinstance(value, float) and math.isinf(value))


def ticks(value: Any) -> Fraction:
    """Where a finite value lies on its axis."""
    if isinstance(value, datetime.datetime):
        return Fraction((value.replace(tzinfo=None) - EPOCH) // datetime.timedelta(microseconds=1))
    return Fraction(value.toordinal() if isinstance(value, datetime.date) else value)


def position(value: Any) -> tuple[int, Fraction]:
    """In order: the numbers and the infinite, NaN above them."""
    if value == NOT_A_NUMBER:
        return (2, Fraction(0))
    if not is_finite(value):
        return (1 if value > 0 else -1, Fraction(0))
    return (0, ticks(value))


def told_sensitive(cell: Any, domain: set[Any], tree: Attribute | None = None) -> Fraction:
    """1 / the sensitive values that a row may have; with a taxonomy, the leaves below what is published."""
    cell = "*" if cell == ["*"] else cell
    if tree is not None:
        listed = isinstance(cell, str) and cell.startswith("{") and cell.endswith("}")
        items = cell if isinstance(cell, list) else cell[1:-1].split(", ") if listed else [cell]
        return Fraction(1, len(set().union(*(tree.covered(None if item == "NULL" else item) for item in items))))
    if isinstance(cell, list):
        return Fraction(1, len({plain(item) for item in cell}))
    if plain(cell) in domain or not isinstance(cell, str):
        return Fraction(1)
    if cell == "*":
        return Fraction(1, len(domain))
    assert cell.startswith("{") and cell.endswith("}")
    return Fraction(1, len(set(cell[1:-1].split(", "))))


def attribute_loss(attributes: Sequence[Attribute], release: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """One answer per attribute; the release has their cells in the same order."""
    answers = []
    for at, attribute in enumerate(attributes):
        cells, rows = [row[at] for row in release], len(attribute.values)
        lost = sum((attribute.ncp(cell) for cell in cells), Fraction(rows - len(cells)))
        told = sum((Fraction(1, len(attribute.covered(cell))) for cell in cells), Fraction(0))
        answers.append(
            {
                "attribute": attribute.name,
                "ncp": lost / rows if rows else None,
                "stars": sum(map(attribute.is_star, cells)),
                "information": told / rows if rows else None,
            }
        )
    return answers


def info_loss(
    attributes: Sequence[Attribute],
    release: Sequence[Sequence[Any]],
    source_sa: Sequence[Any] | None = None,
    released_sa: Sequence[Any] = (),
    sa_paths: Sequence[tuple[str, ...]] | None = None,
) -> dict[str, Any]:
    """One answer for a release; with a sensitive attribute, its values in both, and its taxonomy."""
    rows, kept = len(attributes[0].values), len(release)
    sizes = Counter(repr(list(row)) for row in release).values()
    each = attribute_loss(attributes, release)
    told = [answer["information"] for answer in each]
    if source_sa is not None and rows:
        domain = {plain(value) for value in source_sa}
        tree = None if sa_paths is None else Attribute("sa", source_sa, paths=sa_paths)
        told.append(sum((told_sensitive(cell, domain, tree) for cell in released_sa), Fraction(0)) / rows)
    return {
        "source_rows": rows,
        "release_rows": kept,
        "suppressed_rows": rows - kept,
        "classes": len(sizes),
        "avg_class_size": Fraction(kept, len(sizes)) if sizes else None,
        "dm": sum(size**2 for size in sizes) + (rows - kept) * rows,
        "gcp": sum(answer["ncp"] for answer in each) / len(each) if rows else None,
        "stars": sum(answer["stars"] for answer in each),
        "starred_rows": sum(
            any(attribute.is_star(cell) for attribute, cell in zip(attributes, row, strict=True)) for row in release
        ),
        "information": sum(told) / len(told) if rows else None,
    }
