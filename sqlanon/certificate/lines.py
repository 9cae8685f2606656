"""The answer of a check: a line for each statement of the certificate."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

TOLERANCE = 1e-9
"""Sums of fractions may differ in their last digits from run to run."""

NOBODY_IS_FOUND = "nobody is found by kept columns"
"""The line on columns that are published as they are. Its certified side has those that may lead to people."""


@dataclass(frozen=True)
class Line:
    """One thing that a certificate says, and what the release says. `holds` is None for what is unproven."""

    what: str
    certified: object
    measured: object
    holds: bool | None
    reason: str = ""

    @property
    def is_bound(self) -> bool:
        """Whether it says that a bound is kept, which is what a certificate is for."""
        return self.what.startswith(("bound ", "promise "))

    @property
    def verdict(self) -> str:
        """The verdict in words: a bound holds; a figure agrees with the one that was computed again.

        >>> Line("bound t", 0.5, 0.4, True).verdict, Line("t", 0.4, 0.4, True).verdict
        ('holds', 'agrees')
        >>> Line("bound t", 0.5, 0.6, False).verdict, Line("t", 0.4, 0.6, False).verdict
        ('is broken', 'differs')
        """
        if self.holds is None:
            return "unproven"
        if self.is_bound or self.what == NOBODY_IS_FOUND:
            return "holds" if self.holds else "is broken"
        return "agrees" if self.holds else "differs"


def all_hold(lines: Iterable[Line], *, allow_unproven: bool = False) -> bool:
    """Whether no line is broken, and no bound is unproven, unless that is allowed."""
    return all(line.holds is True or (line.holds is None and (allow_unproven or not line.is_bound)) for line in lines)


def unproven(lines: Iterable[Line]) -> list[str]:
    """The names of the lines that could be neither proven nor refuted."""
    return [line.what for line in lines if line.holds is None]


def compare_parts(what: str, certified: object, measured: object) -> Iterator[Line]:
    """A line, or, of a mapping, a line for each of its keys."""
    if isinstance(certified, Mapping) and isinstance(measured, Mapping):
        for name in dict.fromkeys((*certified, *measured)):
            yield from compare_parts(f"{what} {name}", certified.get(name), measured.get(name))
    else:
        yield compare_sides(what, certified, measured)


def compare_sides(what: str, certified: object, measured: object) -> Line:
    """A line whose two sides have to be the same."""
    if isinstance(certified, float) or isinstance(measured, float):
        same = certified is not None and measured is not None and _close(certified, measured)
    elif isinstance(certified, list | tuple) and isinstance(measured, list | tuple):
        same = list(certified) == list(measured)
    else:
        same = certified == measured
    return Line(what, certified, measured, same)


def _close(one: Any, other: Any) -> bool:
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
