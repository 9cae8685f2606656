"""Everything in Python that a statement runs, as Arrow functions: one per file, listed in ALL.

Each file declares NAME and RETURNS and has two functions: `call`, which DuckDB calls, and one that tests call.
"""

from __future__ import annotations

from types import ModuleType

from . import best_l, census, count_queries, density, estimate, exact_share, frontier, groups, tp_phases

ALL: tuple[ModuleType, ...] = (
    groups,
    tp_phases,
    density,
    best_l,
    frontier,
    count_queries,
    exact_share,
    estimate,
    census,
)
