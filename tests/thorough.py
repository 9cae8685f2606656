"""How thorough a run of the tests is: all that there is, unless SQLANON_TESTS says `newest` or `oldest`.

.ci/run tests the newest and the oldest DuckDB. Every test runs on both, with fewer random examples; of a test with many
cases, each case runs on one of them. Kernels know no DuckDB, so that all their cases run once.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest


class Part(NamedTuple):
    """One in how many random examples, and which cases, by their place."""

    examples: int
    runs: Callable[[int], bool]


PARTS = {
    "all": Part(1, lambda place: True),
    "newest": Part(3, lambda place: place % 3 != 1),
    "oldest": Part(6, lambda place: place % 3 == 1),
}
PART = PARTS[os.environ.get("SQLANON_TESTS", "all")]
MANY = 8
"""Cases of one test that are shared out."""
FEW = 5
"""Random examples that are always drawn."""


def examples(number: int) -> int:
    """How many random examples to draw where a thorough run draws this many."""
    return min(number, max(number // PART.examples, FEW))


def thinned(items: Sequence[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests to run and those to leave out."""
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if not item.nodeid.startswith("tests/kernels/"):
            cases[item.nodeid.partition("[")[0]].append(item)
    left_out = {
        item
        for listed in cases.values()
        if len(listed) >= MANY
        for place, item in enumerate(listed)
        if not PART.runs(place)
    }
    return [item for item in items if item not in left_out], [item for item in items if item in left_out]
