"""The space that rows live in: what each column's codes mean, flattened for the kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Wide = NDArray[np.int64]
Floats = NDArray[np.float64]
Words = NDArray[np.uint64]
Flag = NDArray[np.uint8]
"""One item: not 0 if a kernel has to stop."""

BITS = 12
"""Bits a column has on the curve."""


class Space(NamedTuple):
    """Tables that kernels look codes up in; column c owns first[c] … first[c + 1] of the first two.

    Codes of a column run from 0 in the order of its values, so a group's extent is its smallest and
    largest code. A column is either *measured* (levels[c] == 0: the loss of an extent is the distance
    of its positions, at most 1) or a *tree* (levels[c] labels above each leaf, in trees[c] onwards, level
    by level, a code after the other: the node above it, or -1 where NULL has none; the loss of publishing
    that node, which is that of any extent whose lowest common ancestor it is; the leaves below it).
    """

    first: Wide
    coordinate: NDArray[np.uint16]
    position: Floats
    levels: Wide
    trees: Wide
    ancestor: Ints
    share: Floats
    leaves: Wide


class Generalization(NamedTuple):
    """The answer of an algorithm that decides what is published: groups, and a level for each cell.

    `group_of`: each row's group, -1 for none. `levels`: shape (columns, rows), quasi-identifiers first, then, if the
    algorithm generalizes them, sensitive attributes: 0 is the value itself, 1 the first label above it. Rows of a
    group publish the same quasi-identifiers.
    """

    group_of: Ints
    levels: NDArray[np.uint8]


class SensitiveTrees(NamedTuple):
    """Sensitive attributes whose values may be generalized.

    `codes`: shape (attributes, rows). `space`: trees, as for quasi-identifiers; it has a code for each base value that
    somebody may hold possible. `weight`: how likely each is held, laid out like the codes of `space`.
    """

    codes: NDArray[np.int32]
    space: Space
    weight: Floats


class Writing(NamedTuple):
    """The rules by which a group writes each quasi-identifier, beside the codes of its rows.

    `ranges`: whether values that differ are published as their range. `missing`, `star`: the code of NULL, and of the
    text `*`, or -1. `wild`: shape (columns, rows), where a wildcard stands; or None. `labels`: of a column with a
    taxonomy, shape (levels + 1, codes), a number for the text of each label, -1 where NULL has none; else None.
    """

    ranges: NDArray[np.bool_]
    missing: Wide
    star: Wide
    wild: NDArray[np.bool_] | None
    labels: tuple[Wide | None, ...]


class Microdata(NamedTuple):
    """The table in codes, one column after the other: quasi-identifiers, sensitive attribute, the rest.

    `apart`: more columns in which rows of a group must differ, as they do in the sensitive attribute: further sensitive
    attributes, and who a row is about. `ties`: what else tells rows apart, so that their order can be canonical.
    `person`: who a row is about, if that is known. `trees`: the sensitive attributes once more, for algorithms that
    generalize them. `label`: the class that a classifier would learn, for algorithms that care. `writing`: how groups
    are written, if it matters which of them publish the same.
    """

    codes: NDArray[np.int32]
    sensitive: Ints
    apart: NDArray[np.int32]
    ties: NDArray[np.int32]
    space: Space
    person: Ints | None = None
    trees: SensitiveTrees | None = None
    label: Ints | None = None
    writing: Writing | None = None
