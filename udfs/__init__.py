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
    ordered_change,
    places,
    quasi_identifiers,
    randomization,
    randomization_privacy,
    randomized_counts,
    reconstruction,
    strongest,
    tp_phases,
    wide_census,
)

ALL: tuple[ModuleType, ...] = (
    columns,
    groups,
    tp_phases,
    full_domain_levels,
    quasi_identifiers,
    density,
    strongest,
    frontier,
    count_queries,
    exact_share,
    randomization,
    places,
    decoys,
    ordered_change,
    reconstruction,
    distribution_distance,
    randomization_privacy,
    randomized_counts,
    census,
    wide_census,
)
