"""The declaration of a bound: one file for each bound, and the relation sql/verify/broken_<name>.sql."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ..arguments import number, whole
from ..errors import InvalidParameter
from .population import Population

Parameters = Mapping[str, Any]
"""Bounds by name, as numbers."""


def any_value_holds(population: Population, bounds: Parameters) -> None:
    """A bound that compares classes with the whole table: as one class, it keeps any value."""


@dataclass(frozen=True)
class Bound:
    """A number that every class of a table has to keep.

    It goes from `low` to `high`, or on and on. `measure` is the number of a table to compare with it: a column of
    `privacy` or, of a bound that `needs` another one, a whole number from `needs_from` on, of the function of that
    name. `adjective` is what a table that keeps it is called, and the name of its test in dbt. `help` says in a
    sentence what it demands, `promise` the same with its number for readers of a report, and `broken` that a group, or
    a class of several groups, breaks it.

    `best` returns the strongest value that a table keeps as one class, or None if it keeps any. No release can keep a
    stronger one: if every class keeps a bound, all of them together do. `is_strict`: it keeps only what is weaker than
    that. `counts_people`: where people are known, it is about people as well as rows. `compares_with_whole`: leaving
    rows out changes what classes are compared with. `example` is a value that a table of two values keeps, each of
    which is in half of the rows.
    """

    name: str
    help: str
    measure: str
    low: int
    high: int | None = None
    is_whole: bool = False
    larger_is_stronger: bool = False
    needs: str = ""
    needs_from: int = 1
    is_sensitive: bool = True
    best: Callable[[Population, Parameters], float | None] = any_value_holds
    is_strict: bool = False
    counts_people: bool = False
    compares_with_whole: bool = False
    example: float = 2
    adjective: str = ""
    promise: str = ""
    broken: str = ""

    def read(self, label: str, value: object) -> float | Decimal:
        """Check a value of it."""
        if self.is_whole:
            return whole(label, value, self.low)
        bound = number(label, value)
        if bound is None:
            raise InvalidParameter(f"{label} must be a number, not NULL.")
        if bound < self.low or (self.high is not None and bound > self.high):
            goes = f"It starts at {self.low}." if self.high is None else f"It goes from {self.low} to {self.high}."
            raise InvalidParameter(f"{label} = {bound} is out of range.", goes)
        return bound

    def is_stronger(self, one: float, other: float) -> bool:
        """Whether one value demands more than another."""
        return one > other if self.larger_is_stronger else one < other

    def is_kept(self, value: float, best: float | None) -> bool:
        """Whether a table keeps a value of it as one class, whose best value is known."""
        return best is None or self.is_stronger(best, value) or (not self.is_strict and best == value)
