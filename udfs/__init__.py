"""Everything in Python that a statement runs, as Arrow functions: one per file, listed in ALL.

Each file declares NAME and RETURNS and has two functions: `call`, which DuckDB calls, and one that tests call.
"""

from __future__ import annotations

from types import ModuleType

from . import (
    census,
    columns,
    count_queries,
    decoys,
    density,
    distribution_distance,
    exact_share,
    frontier,
    full_domain_levels,
    groups,
    randomization,
    randomization_privacy,
    reconstruction,
    strongest,
    tp_phases,
)

ALL: tuple[ModuleType, ...] = (
    columns,
    groups,
    tp_phases,
    full_domain_levels,
    density,
    strongest,
    frontier,
    count_queries,
    exact_share,
    randomization,
    decoys,
    reconstruction,
    distribution_distance,
    randomization_privacy,
    census,
)
