"""Top-down specialisation: from all columns at their roots, one column one level down at a time, while classes hold.

After Fung, Wang, Yu (Top-Down Specialization, ICDE 2005), with whole levels in place of single labels, so that a column
has one level in all rows. Of the columns that can go down a level such that all classes still hold, the one with the
highest score does: gain / (anonymity loss + 1). If there is a class to learn, the gain is that of information about it:
H(class | label of the column before) − H(class | label after), in bits. Else it is how much GCP falls. The anonymity of
a table is the smallest number of rows per row with the most frequent sensitive value over all classes; it never rises.
Of equal scores the first column's counts. It ends when no column can go down.
"""

from __future__ import annotations

import numpy as np

from ..requirement.requirement import Requirement
from ..space import Floats, Generalization, Ints, Microdata, Wide
from .search import SAME
from .table import FrequencyTable


def l_groups(data: Microdata, l: int) -> Generalization:
    """Return classes with no sensitive value in more than 1/l of the rows."""
    return specialised_classes(data, Requirement(frequency=float(l)))


def recursive_groups(data: Microdata, l: int, c: float) -> Generalization:
    """Return recursive (c,l)-diverse classes."""
    return specialised_classes(data, Requirement(ranks=l, c=float(c)))


def specialised_classes(data: Microdata, requirement: Requirement) -> Generalization:
    """Return the classes at the levels that no step leads below. Assumes that all rows together hold."""
    table = FrequencyTable(data, requirement)
    if data.label is None:
        worth = [-losses / table.heights.size for losses in table.losses()]
    else:
        worth = [information(table, c, codes, data.label) for c, codes in enumerate(data.codes)]
    return table.publish(specialise(table, worth))


def specialise(table: FrequencyTable, worth: list[Floats]) -> Wide:
    """Return the levels at which no column can go down. `worth`: what a column is worth at each level."""
    levels = table.heights.copy()
    anonymity = table.judge(levels).anonymity
    open_columns = list(range(levels.size))
    while True:
        best_score, best_column, best_anonymity = -np.inf, -1, 0.0
        for c in [c for c in open_columns if levels[c] > 0]:
            lower = levels.copy()
            lower[c] -= 1
            verdict = table.judge(lower)
            if verdict.inevitable:  # nor can it once other columns have gone down
                open_columns.remove(c)
            score = (worth[c][lower[c]] - worth[c][levels[c]]) / (anonymity - verdict.anonymity + 1.0)
            if not verdict.failing and score > best_score + SAME:
                best_score, best_column, best_anonymity = score, c, verdict.anonymity
        if best_column < 0:
            return levels
        levels[best_column] -= 1
        anonymity = best_anonymity


def information(table: FrequencyTable, column: int, codes: Ints, label: Ints) -> Floats:
    """Return −H(class | label of the column), in bits, at each level."""
    known = np.empty(int(table.heights[column]) + 1)
    for level in range(known.size):
        published = table.labels.lowest[table.labels.first[column] + level * table.labels.size[column] + codes]
        pairs = published.astype(np.int64) * (int(label.max()) + 1) + label
        known[level] = (count_logs(pairs) - count_logs(published)) / codes.size
    return known


def count_logs(values: Wide | Ints) -> float:
    """Return the sum of n · log2 n, where n is how often each value occurs."""
    counts = np.unique(values, return_counts=True)[1]
    return float((counts * np.log2(counts)).sum())
