"""The normalized certainty penalty (NCP) of an extent."""

from __future__ import annotations

from .runtime.jit import kernel
from .space import Space


@kernel
def extent_loss(space: Space, column: int, low: int, high: int) -> float:
    """Return the NCP, 0 to 1, of the codes low … high of a column. Assumes low <= high."""
    if low == high:
        return 0.0
    first = space.first[column]
    levels = space.levels[column]
    if levels == 0:
        return min(1.0, float(space.position[first + high] - space.position[first + low]))
    size = space.first[column + 1] - first
    level_start = space.trees[column]
    for _ in range(levels - 1):
        if space.ancestor[level_start + low] == space.ancestor[level_start + high]:
            break
        level_start += size
    return float(space.share[level_start + low])
