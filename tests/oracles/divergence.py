"""The right answers of kl_divergence and cube_kl, from the definitions: every row of the release at every point.

Sensitive values are texts or None here, as DuckDB writes them. Probabilities are exact until they meet a logarithm.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from .loss import MISSING, Attribute, plain

Shares = dict[Any, Fraction]
"""A row of a release and one column: how likely each value is."""


def even(values: set[Any]) -> Shares:
    return {value: Fraction(1, len(values)) for value in values}


def sensitive_shares(cell: Any, domain: set[Any]) -> Shares:
    """Itself, or what its group lists, each as often as it is listed; a star is every value."""
    cell = "*" if cell == ["*"] else cell
    if isinstance(cell, list):
        return {item: Fraction(count, len(cell)) for item, count in Counter(cell).items()}
    if cell in domain:
        return {cell: Fraction(1)}
    if cell == "*":
        return even(domain)
    assert cell.startswith("{") and cell.endswith("}")
    items = [None if item == "NULL" and "NULL" not in domain else item for item in cell[1:-1].split(", ")]
    return {item: Fraction(count, len(items)) for item, count in Counter(items).items()}


def source_point(attributes: Sequence[Attribute], row: int, sensitive: Any) -> tuple[Any, ...]:
    point = []
    for attribute in attributes:
        value = plain(attribute.values[row])
        point.append(None if attribute.paths is not None and value in MISSING - attribute.domain else value)
    return (*point, sensitive)


def told(attributes: Sequence[Attribute], row: Sequence[Any], domain: set[Any]) -> list[Shares]:
    """The beliefs that a row of the release allows, column by column, the sensitive attribute last."""
    *cells, sensitive = row
    each = [even(attribute.covered(cell)) for attribute, cell in zip(attributes, cells, strict=True)]
    return [*each, sensitive_shares(sensitive, domain)]


def cell_masses(told_rows: Sequence[Sequence[Shares]], points: set[tuple[Any, ...]], chosen: Sequence[int]) -> Shares:
    """How many rows the release has, as far as it tells, in each of these cells of the chosen columns."""
    return {
        point: sum(
            (
                math.prod((row[column].get(value, Fraction(0)) for column, value in zip(chosen, point, strict=True)))
                for row in told_rows
            ),
            Fraction(0),
        )
        for point in points
    }


def divergence(actual: Counter[Any], believed: Shares, mass: Fraction, unseen: Fraction | None) -> float | None:
    """Σ P ln(P / Q); a cell without any mass is given `unseen`, which adds to the mass, or makes it infinite."""
    if not actual or not mass:
        return None
    mass += (unseen or 0) * sum(not believed[point] for point in actual)
    total = 0.0
    for point, count in actual.items():
        density = believed[point] or unseen
        if density is None:
            return math.inf
        share = Fraction(count, actual.total())
        total += float(share) * math.log(share / (density / mass))
    return total


def kl_divergence(attributes: Sequence[Attribute], source_sa: Sequence[Any], release: Sequence[Any]) -> float | None:
    """A row of the release has its cells in the order of attributes, then the sensitive one."""
    actual = Counter(source_point(attributes, row, value) for row, value in enumerate(source_sa))
    told_rows = [told(attributes, row, set(source_sa)) for row in release]
    believed = cell_masses(told_rows, set(actual), range(len(attributes) + 1))
    return divergence(actual, believed, Fraction(len(release)), None)


def cube_kl(
    attributes: Sequence[Attribute],
    source_sa: Sequence[Any],
    release: Sequence[Any],
    levels: Sequence[int],
    value: Any = None,
) -> list[tuple[list[str], float | None]]:
    """One answer per group-by; the sensitive attribute is called sa."""
    every = [source_point(attributes, row, secret) for row, secret in enumerate(source_sa)]
    told_rows = [told(attributes, row, set(source_sa)) for row in release]
    names, last = [*(attribute.name for attribute in attributes), "sa"], len(attributes)
    answers = []
    for level in levels:
        for chosen in combinations(range(last + (value is None)), level):
            # of one sensitive value: its cells, and only what the release has of it
            columns = chosen if value is None else (*chosen, last)
            kept = [point for point in every if value is None or point[last] == value]
            actual = Counter(tuple(point[column] for column in columns) for point in kept)
            mass = sum(
                (Fraction(1) if value is None else row[last].get(value, Fraction(0)) for row in told_rows), Fraction(0)
            )
            kl = divergence(actual, cell_masses(told_rows, set(actual), columns), mass, Fraction(1, 2))
            answers.append(([names[column] for column in chosen], kl))
    return answers
