"""Partitioning along iDistance: each row belongs to its nearest centre, and rows of a centre go by distance to it.

Centres come from a seeded sample of a tenth of the rows: 512 places on it, evenly spread along the Hilbert curve, are
moved to the means of the rows around them a few times over (k-means), and put in Hilbert order. The key of a row is the
key of its centre plus the distance to it; the next centre's key lies beyond the farthest row of this one by the
distance of the two centres. All is done in whole numbers on the grid of the curve, where every column is equally wide.
"""

from __future__ import annotations

import numpy as np

from ..along_curve.along import k_groups_along, k_groups_by_key, l_groups_along
from ..along_curve.order import sort_along_curve
from ..hilbert.curve import hilbert_keys
from ..runtime.interrupt import STOP, raise_if_interrupted
from ..runtime.jit import kernel
from ..space import BITS, Flag, Ints, Microdata, Space, Wide, Words
from .nearest import Centres, move_to_means, nearest_centre, with_neighbours

CENTRES = 512
"""As in the paper; fewer for tables so small that a centre would be the mean of next to nothing."""

SHARE = 10
"""One row in so many is in the sample …"""

ROWS_PER_CENTRE = 4, 100
"""… but at least so many for each centre, and at most: more do not move a mean by much."""

ROUNDS = 5
"""How often centres move to the means of their rows."""

UNITS = 2.0**16
"""A step of the grid is so many units of a key; two distances that differ, do so in keys."""


def k_groups(data: Microdata, k: int, *, seed: int = 0) -> Ints:
    """Return each row's group: runs of at least k rows with the least loss over all columns."""
    return k_groups_along(data, sort_along_curve(idistance_keys(data, seed), data), k)


def k_groups_fast(data: Microdata, k: int, *, seed: int = 0) -> Ints:
    """As k_groups, but a group's loss is taken to be the extent of its keys."""
    keys = idistance_keys(data, seed)
    return k_groups_by_key(keys, sort_along_curve(keys, data), k)


def l_groups(data: Microdata, l: int, *, seed: int = 0) -> Ints:
    """Return each row's group: distinct sensitive values in each, none in more than 1/l of it."""
    keys = idistance_keys(data, seed)
    return l_groups_along(data, keys, sort_along_curve(keys, data), l)


def idistance_keys(data: Microdata, seed: int) -> Words:
    """Return each row's key: one word, shape (1, rows)."""
    order = sort_along_curve(hilbert_keys(data.codes, data.space), data)
    sampled = order[sample_positions(order.size, seed)]
    points = np.empty((sampled.size, data.codes.shape[0]), np.int32)
    for c, codes in enumerate(data.codes):
        points[:, c] = data.space.coordinate[data.space.first[c] + codes[sampled]]
    centres = with_neighbours(find_centres(points, data.space))

    count = centres.point.shape[0]
    centre_of = np.empty(order.size, np.int32)
    distance_of = np.empty(order.size, np.uint64)
    farthest = np.zeros(count, np.uint64)
    measure_rows(data.codes, data.space, order, centres, centre_of, distance_of, farthest, STOP)
    raise_if_interrupted()
    steps = centres.point[1:].astype(np.int64) - centres.point[:-1]
    between = (np.sqrt((steps * steps).sum(axis=1)) * UNITS).astype(np.uint64)
    key_of_centre = np.zeros(count, np.uint64)
    key_of_centre[1:] = np.cumsum(farthest[:-1] + between)
    distance_of += key_of_centre[centre_of]
    return distance_of.reshape(1, -1)


def sample_positions(rows: int, seed: int) -> Wide:
    """Return the positions of the sampled rows in canonical order, ascending."""
    smallest, largest = (CENTRES * each for each in ROWS_PER_CENTRE)
    size = min(rows, max(smallest, min(largest, rows // SHARE)))
    positions = np.random.default_rng(seed).choice(rows, size, replace=False)
    return np.sort(positions).astype(np.int64)


def find_centres(points: Ints, space: Space) -> Ints:
    """Return distinct centres in Hilbert order. Assumes points, one a line, in Hilbert order."""
    size = points.shape[0]
    count = min(CENTRES, -(-size // ROWS_PER_CENTRE[0]))
    nearest = (np.arange(size) * count // size).astype(np.int32)
    centres = points[(2 * np.arange(count) + 1) * size // (2 * count)]
    for _ in range(ROUNDS):
        moved = np.empty_like(centres)
        move_to_means(points, with_neighbours(centres), nearest, moved)
        if np.array_equal(moved, centres):
            break
        centres = moved
    grid = space._replace(coordinate=np.arange(2**BITS, dtype=np.uint16), first=np.zeros_like(space.first))
    keys = hilbert_keys(np.ascontiguousarray(centres.T), grid)
    centres = centres[np.lexsort(keys[::-1])]
    new = np.ones(count, np.bool_)
    new[1:] = (centres[1:] != centres[:-1]).any(axis=1)
    return np.ascontiguousarray(centres[new])


@kernel
def measure_rows(
    codes: Ints, space: Space, order: Wide, centres: Centres,
    centre_of: Ints, distance_of: Words, farthest: Words, stop: Flag,
) -> None:  # fmt: skip
    """Fill in each row's centre and its distance to it, and how far the farthest row of each centre is.

    In Hilbert order the row before is near, often the same, so its centre is a good guess.
    """
    columns = codes.shape[0]
    point = np.full(columns, -1, np.int64)
    centre = 0
    distance = np.uint64(0)
    for row in order:
        if stop[0]:
            return
        same = True
        for c in range(columns):
            coordinate = np.int64(space.coordinate[space.first[c] + codes[c, row]])
            same = same and point[c] == coordinate
            point[c] = coordinate
        if not same:
            centre, square = nearest_centre(centres, point, centre)
            distance = np.uint64(np.sqrt(float(square)) * UNITS)
            farthest[centre] = max(farthest[centre], distance)
        centre_of[row] = centre
        distance_of[row] = distance
