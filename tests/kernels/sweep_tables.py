"""Small random tables for SWEEP, as its twin and as the kernel want them."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from sqlanon.udfs.kernels.space import Generalization, Microdata, SensitiveTrees
from twins import naive
from twins import sweep as twin

from .tables import space_of

Requirement = tuple[float, int]


@st.composite
def trees(draw: st.DrawFn, leaves: tuple[int, int]) -> naive.Tree:
    """A taxonomy, some of whose labels stand above one child, or are the root's already; the data may have NULL."""
    nodes = list(range(draw(st.integers(*leaves))))
    lines = [[f"0.{leaf}" for leaf in nodes]]
    for level in range(1, draw(st.integers(1, 3))):
        starts = draw(st.lists(st.booleans(), min_size=len(nodes), max_size=len(nodes)))
        nodes = [sum(starts[1 : node + 1]) for node in nodes]
        at_root = draw(st.sampled_from([None, None, *nodes]))
        below = {label for label, node in zip(lines[-1], nodes, strict=True) if node == at_root or label == "*"}
        lines.append(["*" if lines[-1][i] in below else f"{level}.{node}" for i, node in enumerate(nodes)])
    lines.append(["*"] * len(nodes))
    paths = tuple(zip(*lines, strict=True))
    missing = draw(st.sets(st.sampled_from(range(len(paths))), max_size=len(paths) - leaves[0]))
    null = draw(st.sampled_from([(), (None,)]))
    return naive.Tree((*(path for leaf, path in enumerate(paths) if leaf not in missing), *null), paths)


@st.composite
def sensitive(draw: st.DrawFn, rows: int) -> tuple[naive.Tree, tuple[Fraction, ...], list[int]]:
    """A sensitive attribute: its taxonomy, the weights of its codes, and a code for each row."""
    tree = draw(trees((2, 7)))
    size = len(tree.paths)
    skewed = st.integers(0, size - 1) | st.just(draw(st.integers(0, size - 1)))
    codes = draw(st.lists(skewed, min_size=rows, max_size=rows))
    weighted = draw(st.sampled_from([st.just(1), st.integers(1, 3)]))
    unseen = st.sampled_from([0, 1]) if len(set(codes)) > 1 else st.just(1)
    weights = tuple(Fraction(draw(weighted if code in codes else unseen)) for code in range(size))
    return tree, weights, codes


@st.composite
def tables(draw: st.DrawFn, attributes: int = 1, distinct: int = 9, times: int = 6) -> twin.Table:
    """A table in which rows are repeated several times."""
    columns = tuple(draw(st.lists(trees((1, 5)), min_size=1, max_size=2)))
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
    l = draw(st.sampled_from([2, values, *range(2, values + 1)]))
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
    """The fate of the rows, whatever these are called."""
    levels = result.levels.T.tolist()
    return sorted(zip(table.rows, result.group_of.tolist(), map(tuple, levels), strict=True))


def random_tree(draw: random.Random, leaves: int) -> naive.Tree:
    """A balanced taxonomy of some depth, all of whose leaves the data has."""
    wide = [draw.randint(2, 3) for _ in range(draw.randint(0, 2))]
    nodes, lines = list(range(leaves)), [[f"0.{leaf}" for leaf in range(leaves)]]
    for level, children in enumerate(wide, 1):
        nodes = [node // children for node in nodes]
        lines.append([f"{level}.{node}" for node in nodes])
    paths = tuple(zip(*lines, ["*"] * leaves, strict=True))
    return naive.Tree(paths, paths)


def random_table(draw: random.Random, rows: int, attributes: int) -> twin.Table:
    """Many rows of few kinds, some sensitive values far more frequent than others, as in real tables."""
    qi = tuple(random_tree(draw, draw.randint(2, 6)) for _ in range(2))
    sa = tuple(random_tree(draw, draw.randint(3, 8)) for _ in range(attributes))
    frequency = [[draw.choice([1, 2, 4, 12]) for _ in tree.paths] for tree in sa]
    weights = [[Fraction(draw.choice([1, 1, 1, 2])) for _ in tree.paths] for tree in sa]

    def row() -> tuple[twin.Levels, twin.Levels, twin.Levels]:
        codes = tuple(draw.randrange(len(tree.paths)) for tree in qi)
        return codes, tuple(draw.choices(range(len(often)), often)[0] for often in frequency), (draw.randint(0, 1),)

    return twin.Table(qi, sa, tuple(map(tuple, weights)), tuple(row() for _ in range(rows)))


def random_requirement(draw: random.Random, table: twin.Table) -> Requirement:
    """A legal τ and l, as far as the number of values goes."""
    l = draw.randint(2, min(map(len, table.weights)))
    return 1 / l + (1 - 1 / l) * draw.choice([0.0, 0.1, 0.25, 0.5, 0.8]), l


def flat_tree(leaves: int) -> naive.Tree:
    """A root above some leaves."""
    paths = tuple((str(leaf), "*") for leaf in range(leaves))
    return naive.Tree(paths, paths)
