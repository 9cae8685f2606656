"""How thorough a run of the tests is: SQLANON_TESTS is `thorough`, `usual` (if it is not set) or `sample`.

Every test runs in each of them. They differ in how many random examples are drawn, and in how many cases of a test
with many are run.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import pytest


class Part(NamedTuple):
    """One in how many random examples, and one in how many cases."""

    examples: int
    cases: int


PART = {"thorough": Part(1, 1), "usual": Part(2, 1), "sample": Part(4, 3)}[os.environ.get("SQLANON_TESTS", "usual")]
FEW = 8
"""Cases of one test that are all run, and random examples that are always drawn, if there are so many."""


def examples(number: int) -> int:
    """How many random examples to draw where a thorough run draws this many."""
    return min(number, max(number // PART.examples, FEW))


def thinned(items: Sequence[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests to run and those to leave out: of a test with many cases, some remain, spread evenly."""
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    left_out = {
        item
        for listed in cases.values()
        if len(listed) > FEW
        for place, item in enumerate(listed)
        if place % PART.cases
    }
    return [item for item in items if item not in left_out], [item for item in items if item in left_out]
