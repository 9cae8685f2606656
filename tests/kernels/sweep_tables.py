"""Small random tables for SWEEP, as its twin and as the kernel want them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from sqlanon.udfs.kernels.space import Generalization, Microdata, SensitiveTrees
from twins import naive
from twins import sweep as twin

from .tables import space_of

Requirement = tuple[float, int]


@st.composite
def trees(draw: st.DrawFn, size: int, all_leaves: bool = False, nulls: bool = True) -> naive.Tree:
    """A taxonomy, some of whose labels stand above one child, or are the root's already; the data may have NULL."""
    parents = list(range(draw(st.integers(1, size))))
    above = [parents]
    at_root = [False] * len(parents)
    lines = [[f"0.{leaf}" for leaf in parents]]
    for level in range(1, draw(st.integers(1, 3))):
        starts = draw(st.lists(st.booleans(), min_size=len(parents), max_size=len(parents)))
        above.append([sum(starts[1 : node + 1]) for node in above[-1]])
        early = draw(st.sets(st.integers(0, 2), max_size=1))
        at_root = [was or node in early for was, node in zip(at_root, above[-1], strict=True)]
        lines.append(["*" if root else f"{level}.{n}" for root, n in zip(at_root, above[-1], strict=True)])
    lines.append(["*"] * len(parents))
    leaves = tuple(zip(*lines, strict=True))
    there = range(len(leaves)) if all_leaves else sorted(draw(st.sets(st.sampled_from(range(len(leaves))), min_size=1)))
    null = draw(st.sampled_from([(), (None,)] if nulls else [()]))
    return naive.Tree((*(leaves[leaf] for leaf in there), *null), leaves)


def has_uniform_levels(tree: naive.Tree) -> bool:
    """Whether a node of one level has one parent: an early root may have taken a child from its parent."""
    for leaf in tree.leaves:
        for level in range(1, len(leaf) - 1):
            same = {other[level + 1] for other in tree.leaves if other[level] == leaf[level] != "*"}
            if len(same) > 1:
                return False
    return True


@st.composite
def sensitive(draw: st.DrawFn, rows: int) -> tuple[naive.Tree, tuple[Fraction, ...], list[int]]:
    """A sensitive attribute: its taxonomy, the weights of its codes, and a code for each row."""
    tree = draw(trees(6).filter(lambda tree: len(tree.paths) > 1 and has_uniform_levels(tree)))
    size = len(tree.paths)
    skewed = st.integers(0, size - 1) | st.just(draw(st.integers(0, size - 1)))
    codes = draw(st.lists(skewed, min_size=rows, max_size=rows))
    weighted = draw(st.sampled_from([st.just(1), st.integers(1, 3)]))
    unseen = st.integers(0, 1)
    weights = tuple(Fraction(draw(weighted if code in codes else unseen)) for code in range(size))
    return tree, weights, codes


@st.composite
def tables(draw: st.DrawFn, attributes: int = 1, distinct: int = 9, times: int = 6) -> twin.Table:
    """A table in which rows are repeated several times."""
    columns = tuple(draw(st.lists(trees(5).filter(has_uniform_levels), min_size=1, max_size=2)))
    rows = draw(st.integers(1, distinct))
    qi = [draw(st.tuples(*(st.integers(0, len(tree.paths) - 1) for tree in columns))) for _ in range(rows)]
    attribute = [draw(sensitive(rows)) for _ in range(attributes)]
    sa = list(zip(*(codes for _, _, codes in attribute), strict=True))
    repeated = [
        (qi[row], sa[row], (draw(st.integers(0, 1)),))
        for row in range(rows)
        for _ in range(draw(st.integers(1, times)))
    ]
    shuffled = draw(st.permutations(repeated))
    return twin.Table(
        columns, tuple(tree for tree, _, _ in attribute), tuple(w for _, w, _ in attribute), tuple(shuffled)
    )


@st.composite
def requirements(draw: st.DrawFn, table: twin.Table) -> Requirement:
    """A legal τ and l, as far as the number of values goes."""
    values = min(sum(weight > 0 for weight in weights) for weights in table.weights)
    l = draw(st.integers(2, max(2, values)))
    return 1 / l + (1 - 1 / l) * draw(st.sampled_from([0.0, 0.0, 0.1, 0.25, 0.5, 0.8])), l


def microdata(table: twin.Table) -> Microdata:
    """The table as the kernel wants it."""
    qi, sa, ties = (np.array(part, np.int32).reshape(len(table.rows), -1).T for part in zip(*table.rows, strict=True))
    weight = np.array([float(weight) for weights in table.weights for weight in weights])
    return Microdata(
        np.ascontiguousarray(qi),
        np.ascontiguousarray(sa[0]),
        np.ascontiguousarray(sa[1:]),
        np.ascontiguousarray(ties),
        space_of(table.qi),
        trees=SensitiveTrees(np.ascontiguousarray(sa), space_of(table.sa), weight),
    )


def outcome(table: twin.Table, result: Generalization) -> list[tuple[object, ...]]:
    """What becomes of the rows, whatever these are called."""
    levels = result.levels.T.tolist()
    return sorted(zip(table.rows, result.group_of.tolist(), map(tuple, levels), strict=True))
