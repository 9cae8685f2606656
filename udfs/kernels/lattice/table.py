"""A table, counted once, and judged at any levels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..requirement.requirement import Requirement
from ..runtime.interrupt import STOP, raise_if_interrupted
from ..space import Flag, Floats, Generalization, Ints, Microdata, Wide
from .classes import Classes, merge_classes, read_labels, rows_as_classes
from .judging import Verdict, judge_classes, number_items

ROOM, SETS = 4, 32
"""Frequency sets are kept to merge others from: so many, with so many times the items of the first, the largest."""


class FrequencyTable:
    """The frequency set of a table at level 0, those merged from it that are still kept, and what they must satisfy."""

    def __init__(self, data: Microdata, requirement: Requirement) -> None:
        """Count the rows."""
        self.rows = data.sensitive.size
        self.heights = data.space.levels
        self.labels = read_labels(data.space)
        self.requirement = requirement
        self.values, self.items, item = number_items(data, requirement)
        bottom = np.zeros_like(self.heights)
        self.class_of_row, exact = self.merge(rows_as_classes(data.codes, item), bottom)
        self.kept = [(bottom, exact)]

    @property
    def holds_together(self) -> bool:
        """Whether classes that hold always hold together. Not if people may have several values in the union."""
        return not self.items.person.size or self.values.whole.size == 1

    def judge(self, levels: Wide) -> Verdict:
        """Judge the classes at these levels."""
        verdict, _ = self.judge_each(self.classes_at(levels), levels)
        return verdict

    def judge_each(self, classes: Classes, levels: Wide) -> tuple[Verdict, Flag]:
        """Judge a frequency set at these levels, and say of each class whether it holds."""
        holds = np.zeros(classes.codes.shape[0], np.uint8)
        verdict = judge_classes(classes, levels, self.labels, self.values, self.items, self.requirement, holds, STOP)
        raise_if_interrupted()
        return verdict, holds

    def classes_at(self, levels: Wide) -> Classes:
        """Merge the classes of the smallest frequency set that is kept and no more general; keep the result."""
        sources = [i for i, (lower, _) in enumerate(self.kept) if (lower <= levels).all()]
        nearest = min(sources, key=lambda i: self.kept[i][1].item.size)
        _, classes = self.merge(self.kept[nearest][1], levels)
        if nearest:  # used last, dropped last; the first is never dropped
            self.kept.append(self.kept.pop(nearest))
        self.kept.append((levels, classes))
        self.drop_sets()
        return classes

    def drop_sets(self) -> None:
        """Drop the sets that were not used for longest if there are too many, or too large ones."""
        sizes = [classes.item.size for _, classes in self.kept]
        while len(sizes) > SETS or sum(sizes) > (1 + ROOM) * sizes[0]:
            del self.kept[1], sizes[1]

    def merge(self, classes: Classes, levels: Wide) -> tuple[Ints, Classes]:
        """Return the class that each becomes at these levels, and their frequency set."""
        class_of = np.empty(classes.codes.shape[0], np.int32)
        merged = merge_classes(classes, levels, self.labels, self.items.value.shape[1], class_of, STOP)
        raise_if_interrupted()
        return class_of, merged

    def losses(self) -> list[Floats]:
        """Return, by column, the mean NCP of all rows at each level."""
        exact = self.kept[0][1]
        sizes = np.add.reduceat(exact.rows, exact.start[:-1])
        means = []
        for c, height in enumerate(self.heights):
            size = self.labels.size[c]
            counts = np.bincount(exact.codes[:, c], weights=sizes, minlength=size)
            loss = self.labels.loss[self.labels.first[c] :][: (height + 1) * size].reshape(height + 1, size)
            means.append((loss * counts).sum(axis=1) / self.rows)
        return means

    def publish(self, levels: Wide) -> Generalization:
        """Return the classes at these levels, numbered by their codes; rows of those that fail have none."""
        class_of, classes = self.merge(self.kept[0][1], levels)
        _, holds = self.judge_each(classes, levels)
        order = np.lexsort(classes.codes.T[::-1])
        number: Ints = np.full(order.size, -1, np.int32)
        kept = order[holds[order] > 0]
        number[kept] = np.arange(kept.size)
        group_of = number[class_of[self.class_of_row]]
        level_of: NDArray[np.uint8] = levels.astype(np.uint8)[:, np.newaxis]
        return Generalization(group_of, np.broadcast_to(level_of, (levels.size, self.rows)))
