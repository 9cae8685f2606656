"""k-anonymity: the best cut of an ordered table into runs of k … 2k − 1 rows (a dynamic programme)."""

from __future__ import annotations

import numpy as np

from ..loss import extent_loss
from ..runtime.jit import kernel
from ..space import Flag, Floats, Ints, Space, Wide

EXACT_WORK = 4096
"""Up to k · columns = this, every row may start a group; beyond it, rows move in blocks of a few."""


def block_size(k: int, columns: int) -> int:
    """How many neighbouring rows are kept together so that the work per row stays bounded."""
    return max(1, -(-k * columns // EXACT_WORK))


def block_starts(rows: int, size: int) -> Wide:
    """Return the positions at which blocks of `size` rows start, and the end; the last takes the rest."""
    blocks = max(1, rows // size)
    starts = np.arange(blocks + 1, dtype=np.int64) * size
    starts[-1] = rows
    return starts


@kernel
def cut_by_extent(codes: Ints, space: Space, starts: Wide, fewest: int, previous: Wide, stop: Flag) -> None:
    """Fill previous[i], the block at which the group ending before block i starts in the best cut.

    Groups have `fewest` … 2·fewest − 1 blocks and cost their rows times the sum of their NCP over the
    columns. codes has one line per row, in curve order. Assumes at least `least` blocks.
    """
    blocks = starts.shape[0] - 1
    columns = codes.shape[1]
    best = np.full(blocks + 1, np.inf)
    best[0] = 0.0
    low = np.empty(columns, np.int32)
    high = np.empty(columns, np.int32)
    loss = np.empty(columns, np.float64)
    for end in range(fewest, blocks + 1):
        if stop[0]:
            return
        for c in range(columns):
            low[c] = high[c] = codes[starts[end] - 1, c]
            loss[c] = 0.0
        total = 0.0
        for start in range(end - 1, max(-1, end - 2 * fewest), -1):
            for row in range(starts[start], starts[start + 1]):
                for c in range(columns):
                    code = codes[row, c]
                    if code < low[c]:
                        low[c] = code
                    elif code > high[c]:
                        high[c] = code
                    else:
                        continue
                    wider = extent_loss(space, c, low[c], high[c])
                    total += wider - loss[c]
                    loss[c] = wider
            if end - start >= fewest and best[start] + (starts[end] - starts[start]) * total < best[end]:
                best[end] = best[start] + (starts[end] - starts[start]) * total
                previous[end] = start


@kernel
def cut_by_key(gaps: Floats, starts: Wide, fewest: int, previous: Wide, stop: Flag) -> None:
    """As cut_by_extent, but a group costs its rows times its extent on the curve.

    gaps[i] is the distance on the curve from row i − 1 to row i.
    """
    blocks = starts.shape[0] - 1
    best = np.full(blocks + 1, np.inf)
    best[0] = 0.0
    for end in range(fewest, blocks + 1):
        if stop[0]:
            return
        extent = 0.0
        for start in range(end - 1, max(-1, end - 2 * fewest), -1):
            for row in range(starts[start] + 1, starts[start + 1]):
                extent += gaps[row]
            if end - start >= fewest and best[start] + (starts[end] - starts[start]) * extent < best[end]:
                best[end] = best[start] + (starts[end] - starts[start]) * extent
                previous[end] = start
            extent += gaps[starts[start]]


@kernel
def label_runs(order: Wide, starts: Wide, previous: Wide, group_of: Ints) -> int:
    """Fill group_of along the cut that previous describes, from the last group back; return their number."""
    end = starts.shape[0] - 1
    groups = 0
    while end > 0:
        for i in range(starts[previous[end]], starts[end]):
            group_of[order[i]] = groups
        end = previous[end]
        groups += 1
    return groups
