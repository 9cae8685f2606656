"""How many random examples tests draw: all, or a third where SQLANON_TESTS says `quick`, as .ci/run does.

They are other ones in each run. A test that fails prints the example, and a line that repeats it.
"""

from __future__ import annotations

import os

QUICK = os.environ.get("SQLANON_TESTS") == "quick"
FEW = 5
"""Random examples that are always drawn."""


def examples(number: int) -> int:
    """How many random examples to draw where a thorough run draws this many."""
    return min(number, max(number // 3, FEW)) if QUICK else number
