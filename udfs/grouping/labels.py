"""The levels that an algorithm names, checked: a group must publish what all its rows have."""

from __future__ import annotations

import numpy as np

from sqlanon.errors import BrokenPromise

from ..kernels.space import Generalization, Ints, Microdata, Space, Wide


def refuse_mixed(answer: Generalization, data: Microdata) -> None:
    """Every level is one of its taxonomy, and rows of a group have the same levels and labels."""
    heights = np.concatenate([data.space.levels, *([data.trees.space.levels] if data.trees else [])])
    if answer.levels.shape != (heights.size, data.sensitive.size) or (answer.levels.max(axis=1) > heights).any():
        raise BrokenPromise("the algorithm gave levels that are none")
    grouped = np.flatnonzero(answer.group_of >= 0)
    group_of = answer.group_of[grouped]
    leader = np.zeros(int(group_of.max(initial=-1)) + 1, np.int64)
    leader[group_of] = grouped  # any row of a group will do
    for c, codes in enumerate(data.codes):
        label = labels(data.space, c, codes, answer.levels[c].astype(np.int64))
        if (label[grouped] != label[leader[group_of]]).any():
            raise BrokenPromise("rows of a group would publish different labels")


def labels(space: Space, column: int, codes: Ints, levels: Wide) -> Wide:
    """A number for each label: level and node, or, where there is none, level and code."""
    size = int(space.first[column + 1] - space.first[column])
    node = codes.astype(np.int64)
    above = np.flatnonzero(levels)
    parent = space.ancestor[space.trees[column] + (levels[above] - 1) * size + codes[above]].astype(np.int64)
    node[above] = np.where(parent >= 0, size + parent, codes[above])
    return levels * (size + int(space.ancestor.max(initial=0)) + 1) + node
