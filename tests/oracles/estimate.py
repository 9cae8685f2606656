"""The right answers of estimate, by going through every source that a tiny release could have come from, cell by cell.

A cell is a list of (value, weight) with weights that add up to 1, and the set of values that it may hide. Conditions
are nested tuples, evaluated on values as SQL does, with None for NULL.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Value = Any
Condition = tuple[Any, ...]


@dataclass(frozen=True)
class Cell:
    """The values that one published value stands for."""

    weights: tuple[tuple[Value, Fraction], ...]
    hides: frozenset[Value]


def told(values: Iterable[Value]) -> Cell:
    """A cell that lists its values; one that is there twice counts twice."""
    values = list(values)
    weights: dict[Value, Fraction] = {}
    for value in values:
        weights[value] = weights.get(value, Fraction(0)) + Fraction(1, len(values))
    return Cell(tuple(weights.items()), frozenset(values))


def star(shown: Iterable[Value], others: Iterable[Value]) -> Cell:
    """A cell that tells nothing: spread over what the release shows, but it may hide anything, NULL too."""
    return Cell(told(shown).weights, frozenset([*shown, *others, None]))


def holds(condition: Condition, row: dict[str, Value]) -> bool | None:
    """A condition on one row: True, False, or None for NULL."""
    word, *rest = condition
    if word == "const":
        return rest[0]
    if word == "and":
        found = [holds(part, row) for part in rest]
        return False if False in found else None if None in found else True
    if word == "or":
        found = [holds(part, row) for part in rest]
        return True if True in found else None if None in found else False
    if word == "not":
        inner = holds(rest[0], row)
        return None if inner is None else not inner
    value = row[rest[0]]
    if word == "null":
        return value is None
    if value is None:
        return None
    compare: dict[str, Callable[[], bool]] = {
        "=": lambda: value == rest[1],
        "<>": lambda: value != rest[1],
        "<": lambda: value < rest[1],
        "<=": lambda: value <= rest[1],
        ">": lambda: value > rest[1],
        ">=": lambda: value >= rest[1],
        "in": lambda: value in rest[1],
        "between": lambda: rest[1] <= value <= rest[2],
    }
    return compare[word]()


Answer = tuple[float | None, float | None, float | None]


def answers(
    release: list[dict[str, Cell]], condition: Condition, groups: list[str], aggregate: str, column: str | None
) -> dict[tuple[Value, ...], Answer]:
    """{group: (estimate, lower, upper)} for every group that the release shows and that is possible."""
    shown = itertools.product(
        *(sorted({v for row in release for v, _ in row[g].weights}, key=lambda v: (v is None, v)) for g in groups)
    )
    found = {
        group: one_answer(release, condition, dict(zip(groups, group, strict=True)), aggregate, column)
        for group in shown
    }
    if not groups:
        return {(): found[()] or ((0.0, 0, 0) if aggregate == "count" else (None, None, None))}
    return {group: answer for group, answer in found.items() if answer is not None}


def one_answer(
    release: list[dict[str, Cell]], condition: Condition, group: dict[str, Value], aggregate: str, column: str | None
) -> Answer | None:
    """The answer for one group; None if no row can be in it."""
    expected = weighted = Fraction(0)
    options: list[set[Value]] = []
    for row in release:
        names = list(row)

        def counts(values: tuple[Value, ...], names: list[str] = names) -> bool:
            point = dict(zip(names, values, strict=True))
            inside = all(point[name] == value for name, value in group.items())
            return inside and holds(condition, point) is True and (column is None or point[column] is not None)

        for drawn in itertools.product(*(row[name].weights for name in names)):
            values = tuple(value for value, _ in drawn)
            if counts(values):
                weight = Fraction(1)
                for _, part in drawn:
                    weight *= part
                expected += weight
                if column is not None and aggregate != "count":
                    weighted += weight * values[names.index(column)]
        chosen: set[Value] = set()
        for values in itertools.product(*(row[name].hides for name in names)):
            adds = 1 if column is None or aggregate == "count" else values[names.index(column)]
            chosen.add(adds if counts(values) else "out")
        options.append(chosen)
    options = [chosen for chosen in options if chosen != {"out"}]
    if not options:
        return None
    if aggregate == "avg":
        means = list(possible_means(options))
        return (float(weighted / expected) if expected else None, min(means), max(means))
    sums = [[0 if adds == "out" else adds for adds in chosen] for chosen in options]
    estimate = expected if aggregate == "count" else weighted
    return float(estimate), sum(map(min, sums)), sum(map(max, sums))


def possible_means(options: list[set[Value]]) -> Iterable[float]:
    """Every mean that the rows can have; one that needs no row at all is none."""
    for picked in itertools.product(*options):
        counted = [value for value in picked if value != "out"]
        if counted:
            yield sum(counted) / len(counted)
