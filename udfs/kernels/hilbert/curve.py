"""The Hilbert curve in any number of dimensions, with keys as wide as they need to be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..runtime.interrupt import STOP, raise_if_interrupted
from ..runtime.jit import kernel
from ..space import BITS, Flag, Floats, Ints, Space, Wide, Words

WORD = 64
ONE = np.uint64(1)
ALL_BITS = np.uint32(0xFFFFFFFF)
LARGEST_WORD = np.uint64(0xFFFFFFFFFFFFFFFF)


def hilbert_keys(codes: Ints, space: Space) -> Words:
    """Return each row's position on the curve as words, most significant first: shape (words, rows)."""
    dimensions, rows = codes.shape
    keys = np.empty((-(-dimensions * BITS // WORD), rows), np.uint64)
    fill_keys(codes, space.coordinate, space.first, np.empty(dimensions, np.uint32), keys, STOP)
    raise_if_interrupted()
    return keys


@kernel
def fill_keys(
    codes: Ints, coordinate: NDArray[np.uint16], first: Wide, point: NDArray[np.uint32], keys: Words, stop: Flag
) -> None:
    """Fill keys with the Hilbert keys of the rows; point is one of them at a time.

    A point is turned, one bit plane after the other, into the frame of the sub-cube that holds it; the
    Gray code of the turned coordinates, read across the dimensions bit by bit, is its position on the curve.
    """
    dimensions, rows = codes.shape
    for row in range(rows):
        if stop[0]:
            return
        for c in range(dimensions):
            point[c] = coordinate[first[c] + codes[c, row]]
        turn_into_frames(point)
        gray_encode(point)
        word = np.uint64(0)
        filled = 0
        for bit in range(BITS - 1, -1, -1):
            for c in range(dimensions):
                word = (word << ONE) | np.uint64((point[c] >> np.uint32(bit)) & np.uint32(1))
                filled += 1
                if filled % WORD == 0:
                    keys[filled // WORD - 1, row] = word
                    word = np.uint64(0)
        if filled % WORD:
            keys[filled // WORD, row] = word << np.uint64(WORD - filled % WORD)


@kernel
def turn_into_frames(point: NDArray[np.uint32]) -> None:
    """Undo the curve's turns in place: from the top bit down, reflect or swap the bits below it.

    Whether a bit is set is as good as random, so masks choose between the two, not branches.
    """
    for bit in range(BITS - 1, 0, -1):
        below = np.uint32((1 << bit) - 1)
        for c in range(point.shape[0]):
            reflect = ALL_BITS * ((point[c] >> np.uint32(bit)) & np.uint32(1))
            exchanged = (point[0] ^ point[c]) & below & ~reflect
            point[c] ^= exchanged
            point[0] ^= exchanged ^ (below & reflect)


@kernel
def gray_encode(point: NDArray[np.uint32]) -> None:
    """Gray-encode the coordinates across dimensions, in place."""
    last = point.shape[0] - 1
    for c in range(last):
        point[c + 1] ^= point[c]
    flips = np.uint32(0)
    for bit in range(BITS - 1, 0, -1):
        plane = np.uint32(1) << np.uint32(bit)
        if point[last] & plane:
            flips ^= np.uint32(plane - np.uint32(1))
    for c in range(last + 1):
        point[c] ^= flips


@kernel
def key_distance(keys: Words, low: int, high: int) -> float:
    """Return the distance along the curve from row low to row high. Assumes low is not after high."""
    distance = 0.0
    borrow = np.uint64(0)
    scale = 1.0
    for word in range(keys.shape[0] - 1, -1, -1):
        less, more = keys[word, low], keys[word, high]
        if more > less or (more == less and borrow == 0):
            difference = more - less - borrow
            borrow = np.uint64(0)
        else:
            difference = LARGEST_WORD - (less - more) + (ONE - borrow)
            borrow = ONE
        distance += float(difference) * scale
        scale *= 2.0**WORD
    return distance


@kernel
def key_gaps(keys: Words, order: Wide) -> Floats:
    """Return the distance on the curve of each row, in order, from the one before it; 0 for the first."""
    gaps = np.zeros(order.shape[0])
    for i in range(1, order.shape[0]):
        gaps[i] = key_distance(keys, order[i - 1], order[i])
    return gaps
