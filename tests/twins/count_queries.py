"""Count queries, row by row: a query is a set of codes per column that it asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Query = Mapping[int, set[int]]
Cell = Sequence[tuple[int, int]]
"""The codes that a published value covers: the ends of each of its intervals, all codes as likely."""


@dataclass(frozen=True)
class Class:
    """The cells of its rows per column, and how many of them publish each sensitive value."""

    cells: Sequence[Cell]
    held: Mapping[int, int]


def count_rows(rows: Sequence[Sequence[int]], query: Query) -> int:
    """The rows whose codes are all wanted."""
    return sum(all(row[column] in wanted for column, wanted in query.items()) for row in rows)


def share(cell: Cell, wanted: set[int]) -> Fraction:
    """How much of a cell is wanted, were the codes of an interval equally likely."""
    covered = [range(low, high + 1) for low, high in cell]
    return sum((Fraction(len(wanted & set(codes)), len(codes)) for codes in covered), Fraction(0)) / len(cell)


def estimate_rows(classes: Sequence[Class], query: Query, secret: set[int] | None) -> Fraction:
    """The rows expected to satisfy the query on quasi-identifiers and to have one of the sensitive values."""
    total = Fraction(0)
    for one in classes:
        for value, rows in one.held.items():
            part = Fraction(rows if secret is None or value in secret else 0)
            for column, wanted in query.items():
                part *= share(one.cells[column], wanted)
            total += part
    return total
