"""A quick look at classes: which have so few base values of some attribute that they can never hold?

A class that sheds rows loses values, so it ends up empty, whatever it sheds first. Most classes are of that sort.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..runtime.jit import kernel
from ..space import Ints, Wide
from .one_class import Kinds

BITS = 62
"""Up to so many values, those of a class are bits of a number; more are counted, some of them several times."""


def kind_variety(kinds: Kinds) -> tuple[Wide, NDArray[np.bool_]]:
    """Return the values of each kind, shape (kinds, attributes), as bits or as a count, and which of them."""
    nodes = kinds.nodes
    as_bits = np.diff(nodes.first_value) <= BITS
    of_node = np.diff(nodes.start)
    for attribute in np.flatnonzero(as_bits):
        for node in range(nodes.first_node[attribute], nodes.first_node[attribute + 1]):
            values = nodes.leaf[nodes.start[node] : nodes.start[node + 1]] - nodes.first_value[attribute]
            of_node[node] = np.bitwise_or.reduce(np.int64(1) << values)
    return of_node[kinds.node], as_bits


@kernel
def join_variety(variety: Wide, at: int, more: Wide, of: int, as_bits: NDArray[np.bool_]) -> None:
    """Add the values of something to those of a class or a point."""
    for attribute in range(as_bits.shape[0]):
        if as_bits[attribute]:
            variety[at, attribute] |= more[of, attribute]
        else:
            variety[at, attribute] += more[of, attribute]


@kernel
def has_values(variety: Wide, at: int, as_bits: NDArray[np.bool_], l: int) -> bool:
    """Whether there may be l values of every attribute."""
    for attribute in range(as_bits.shape[0]):
        values = variety[at, attribute]
        if as_bits[attribute]:
            values = count_bits(values, l)
        if values < l:
            return False
    return True


@kernel
def count_bits(bits: int, enough: int) -> int:
    """Return how many bits are set; counting ends when there are enough."""
    count = 0
    while bits and count < enough:
        bits &= bits - 1  # without its lowest bit
        count += 1
    return count


@kernel
def find_varied(
    points: Wide, variety: Wide, as_bits: NDArray[np.bool_], l: int, class_of: Wide, classes: int, of_class: Wide
) -> Ints:
    """Return 1 for each class that may have l values of every attribute, else 0. `of_class` is room for its variety."""
    of_class[:classes] = 0
    for at in range(points.shape[0]):
        join_variety(of_class, class_of[at], variety, points[at], as_bits)
    varied = np.zeros(classes, np.int32)
    for a_class in range(classes):
        varied[a_class] = has_values(of_class, a_class, as_bits, l)
    return varied


@kernel
def all_varied(points: Wide, variety: Wide, as_bits: NDArray[np.bool_], l: int) -> bool:
    """Whether all points together may have l values of every attribute."""
    together = np.zeros((1, as_bits.shape[0]), np.int64)
    for point in points:
        join_variety(together, 0, variety, point, as_bits)
    return has_values(together, 0, as_bits, l)
