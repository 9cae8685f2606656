"""_sqlanon_ordered_change: how far lists of an ordered domain move what is believed of their rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from sqlanon.errors import Guard

from .arrow.arguments import malformed_call
from .kernels.space import Floats, Ints
from .randomizing.beliefs import belief_changes
from .randomizing.drawing import read_list, read_whole


def call(lists: pa.ChunkedArray, counts: pa.ChunkedArray, chances: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: lists of positions, the same counts and p again and again in; a distance for each list out."""
    with Guard("checking lists"):
        if not len(lists):
            return pa.array([], pa.float64())
        numbers, p = read_list("counts", counts.slice(0, 1).combine_chunks()), chances[0].as_py()
        if (numbers < 0).any() or not numbers.sum() or not isinstance(p, float) or not 0 < p <= 1:
            raise malformed_call("counts", "they, or p, are not of a domain")
        return pa.array(ordered_changes(read_positions(lists, numbers.size), numbers, p))


def read_positions(lists: pa.ChunkedArray, size: int) -> Ints:
    """The codes of lists that are all of one length."""
    listed = lists.combine_chunks()
    if not pa.types.is_list(listed.type) or listed.null_count or len(set(np.diff(listed.offsets.to_numpy()))) != 1:
        raise malformed_call("lists", "not lists of one length")
    positions = read_whole("lists", listed.flatten(), size)
    if (positions < 1).any():
        raise malformed_call("lists", "one is outside its domain")
    return positions.astype(np.int32).reshape(len(listed), -1) - np.int32(1)


def ordered_changes(codes: Ints, counts: Floats, p: float) -> Floats:
    """Return the distance of each list, as a share of the largest that there is."""
    return belief_changes(codes, counts / counts.sum(), codes.shape[1], p, "ordered")
