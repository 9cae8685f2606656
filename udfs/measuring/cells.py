"""The cells that groups would publish for their rows: the values that each cell covers, and what it loses.

The planner writes cells (recode.py) and reads those of any release (its own cells.py); here both are done in codes, and
with the same outcome, a `*` among the values and a label on two levels of a taxonomy included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..arrow.arguments import list_of
from ..kernels.along_curve.swaps import measure_groups
from ..kernels.space import Floats, Ints, Space, Wide
from .workload import Attribute

STAR = "*"


class Cells(NamedTuple):
    """The cell of each group and column, shape (columns, groups): positions low … high, and the NCP.

    `group_of` has the groups of the rows, numbered without gaps; `rows` counts them.
    """

    low: Wide
    high: Wide
    loss: Floats
    group_of: Ints
    rows: Wide


@dataclass(frozen=True)
class Domain:
    """All values that a column can have, in order: those that occur, or the leaves of a taxonomy; NULL is last.

    `position_of` has the position of each code's value. With a taxonomy, `paths` leads from each code to the root, and
    `spans` has the leaves below each label.
    """

    attribute: Attribute
    position_of: Wide
    paths: Sequence[Sequence[str] | None] = ()
    spans: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.attribute.labels)

    @property
    def null(self) -> int:
        """The position of NULL; -1 if there is none."""
        return self.size - 1 if self.attribute.labels[-1] is None else -1

    def cover(self, low: Ints, high: Ints, loss: Floats) -> tuple[Wide, Wide, Floats]:
        """Return the positions that cells cover, and their NCP, from the codes at both ends and the NCP between."""
        first, last, loss_of_cell = self.position_of[low], self.position_of[high], loss.copy()
        differ = first != last
        star = differ & (last == self.null)
        if self.attribute.tree:
            labelled = np.flatnonzero(differ & ~star)
            pairs, which = np.unique(
                low[labelled].astype(np.int64) * self.position_of.size + high[labelled], return_inverse=True
            )
            met = [self.below(*divmod(pair, self.position_of.size)) for pair in pairs.tolist()]
            first[labelled], last[labelled], loss_of_cell[labelled] = np.array(met).reshape(-1, 3)[which].T
        elif not self.attribute.measured:
            star = differ
        if STAR in self.attribute.labels:  # a value that reads as if nothing were known
            star |= (first == last) & (first == self.attribute.labels.index(STAR))
        return np.where(star, 0, first), np.where(star, self.size - 1, last), np.where(star, 1.0, loss_of_cell)

    def below(self, low: int, high: int) -> tuple[int, int, float]:
        """The leaves of the label at which the paths of two codes meet, and its NCP: its share of the leaves."""
        label = next(
            one for one, other in zip(self.paths[low] or (), self.paths[high] or (), strict=True) if one == other
        )
        if label == STAR:
            return 0, self.size - 1, 1.0
        first, last = self.spans[label]
        leaves = self.size - (self.null >= 0)
        return first, last, (last - first + 1) / leaves if first < last else 0.0


def read_domain(described: Mapping[str, Any]) -> Domain:
    """The domain of a column from what the statement says of it. Assumes that its taxonomy, if any, is a tree."""
    if "taxonomy" in described:
        return tree_domain(described)
    labels = list_of(described, "labels").to_pylist()
    position_of = np.arange(len(labels))
    if STAR in labels:  # last but NULL, as whoever reads a release has it
        star, end = labels.index(STAR), len(labels) - (labels[-1] is None)
        labels.insert(end - 1, labels.pop(star))
        position_of[star + 1 : end] -= 1
        position_of[star] = end - 1
    return Domain(read_attribute(described, labels, position_of, tree=False), position_of)


def tree_domain(described: Mapping[str, Any]) -> Domain:
    """The domain of a column with a taxonomy; a label on several levels stands for its lowest."""
    leaves = sorted(described["taxonomy"].as_py(), key=lambda path: path[::-1])
    paths = described["domain"].as_py()
    labels = [*(path[0] for path in leaves), *([None] if paths[-1] is None else [])]
    position_of_label = {label: i for i, label in enumerate(labels)}
    position_of = np.array([position_of_label[path and path[0]] for path in paths])
    spans: dict[str, tuple[int, int]] = {}
    for level in reversed(range(len(leaves[0]))):
        reach: dict[str, tuple[int, int]] = {}
        for i, path in enumerate(leaves):
            reach[path[level]] = (reach.get(path[level], (i, i))[0], i)
        spans |= reach
    return Domain(read_attribute(described, labels, position_of, tree=True), position_of, paths, spans)


def read_attribute(described: Mapping[str, Any], labels: list[str | None], position_of: Wide, tree: bool) -> Attribute:
    """The column as one that count queries can ask."""
    return Attribute(
        name=described["column"].as_py(),
        type_name=described["type"].as_py(),
        measured=described["kind"].as_py() == "range" and not tree,
        tree=tree,
        labels=labels,
        occurring=np.sort(position_of),
    )


def read_cells(domains: Sequence[Domain], codes: Ints, space: Space, group_of: Ints) -> Cells:
    """The cells of the groups for the quasi-identifiers, whose codes have shape (columns, rows)."""
    used = np.bincount(group_of) > 0
    numbers = (np.cumsum(used) - 1).astype(np.int32)[group_of]
    extents = measure_groups(np.ascontiguousarray(codes.T), space, numbers, int(used.sum()))
    covered = [
        domain.cover(low, high, loss)
        for domain, low, high, loss in zip(domains, extents.low.T, extents.high.T, extents.loss.T, strict=True)
    ]
    low, high, loss = (np.array(loss_of_cell) for loss_of_cell in zip(*covered, strict=True))
    return Cells(low, high, loss, numbers, np.bincount(numbers))


def gcp(cells: Cells) -> float:
    """The mean NCP of all cells that the groups would publish."""
    return float((cells.loss.sum(axis=0) * cells.rows).sum() / (cells.loss.shape[0] * cells.rows.sum()))
