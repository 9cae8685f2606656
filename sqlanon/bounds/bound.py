"""The declaration of a bound: one file for each bound, and the relation sql/verify/broken_<name>.sql."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from ..arguments import number, whole
from ..errors import InvalidParameter


@dataclass(frozen=True)
class Bound:
    """A number that every class of a table has to keep.

    It goes from `low` to `high`, or on and on. `measure` is the number of a table to compare with it: a column of
    `privacy` or, of a bound that `needs` another one, a whole number from `needs_from` on, of the function of that
    name. `adjective` is what a table that keeps it is called, and the name of its test in dbt. `help` says in a
    sentence what it demands, `promise` the same with its number for readers of a report, and `broken` that a group, or
    a class of several groups, breaks it.
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
