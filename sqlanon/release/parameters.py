"""The privacy parameters of release functions, and how their values are read."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.arguments import number, whole
from sqlanon.bounds import BOUNDS, Bound
from sqlanon.errors import InvalidParameter


@dataclass(frozen=True)
class Parameter:
    """A privacy parameter and where it starts; a `whole` number, unless it says otherwise.

    `below`: what it stays below, if it does. `example` suits a table of two values, each in half of the rows.
    """

    name: str
    smallest: int
    whole: bool = True
    example: float = 2
    below: int | None = None

    def read(self, value: object, label: str = "") -> float:
        """Check a value of it; a number that need not be whole must be above its smallest. `label` is for messages."""
        label = label or self.name
        if self.whole:
            return whole(label, value, self.smallest)
        real = number(label, value)
        if real is None:
            raise InvalidParameter(f"{label} must be a number, not NULL.")
        if self.below is not None and not self.smallest < real < self.below:
            between = f"It lies between {self.smallest} and {self.below}."
            raise InvalidParameter(f"{label} = {real} is out of range.", between)
        if real <= self.smallest:
            raise InvalidParameter(f"{label} = {real} is out of range.", f"It is above {self.smallest}.")
        return float(real)


@dataclass(frozen=True)
class BoundParameter(Parameter):
    """A bound of a class as a parameter, with the range that it has wherever a table is judged."""

    bound: Bound = BOUNDS[0]

    @classmethod
    def of(cls, bound: Bound) -> BoundParameter:
        return cls(bound.name, bound.low, whole=bound.is_whole, example=bound.example, bound=bound)

    def read(self, value: object, label: str = "") -> float:
        """Check a value of it."""
        read = float(self.bound.read(label or self.name, value))
        return int(read) if read == int(read) else read
