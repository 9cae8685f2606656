"""SWEEP: (τ,l)-diverse classes by generalizing quasi-identifiers and, where need be, sensitive values.

Tian & Zhang, Extending l-diversity to generalize sensitive data, DKE 70 (2011), section 4. What the paper leaves open:
of rows that may equally well be shed, the last in the order of codes goes; those whose sensitive values are
generalized are spread evenly over that order. So the result does not depend on the order in which rows arrive.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..along_curve.order import leading_columns, mark_ties, order_within_ties, sort_along_curve
from ..runtime.interrupt import raise_if_interrupted
from ..space import Floats, Generalization, Ints, Microdata, SensitiveTrees, Wide
from .bound import limits_of, prior_holds
from .classes import Blocks, sweep
from .climb import generalize_sensitive
from .nodes import Nodes, Rungs, read_nodes
from .one_class import Kinds
from .order import count_vectors, order_vectors

__all__ = ["count_vectors", "prior_holds", "tau_groups", "tau_k_groups"]


def tau_groups(data: Microdata, tau: float, l: int) -> Generalization | None:
    """Return (τ,l)-diverse groups that hold all rows, and the levels of quasi-identifiers and sensitive attributes."""
    return tau_k_groups(data, tau, l, 1)


def tau_k_groups(data: Microdata, tau: float, l: int, k: int) -> Generalization | None:
    """The same, with k rows or more in every group.

    None if the weights of base values alone are not (τ,l)-diverse: then nothing is. Assumes that every column is a
    tree, 2 ≤ l, 1/l ≤ τ < 1, and that there are k rows.
    """
    trees = data.trees
    if trees is None or not prior_holds(trees, tau, l):
        return None
    limits = limits_of(tau, l)
    nodes, rungs = read_nodes(trees)
    order = canonical_order(data, trees)
    node_of = np.array([way.node[0, codes] for way, codes in zip(rungs, trees.codes, strict=True)])
    generalize_rows(node_of, order, nodes, limits)
    blocks, kinds = block_up(order, node_of, data, trees, nodes, limits)
    vectors = order_vectors(data.space)
    group_at, vector_of, groups = sweep(blocks, kinds, data.space, vectors[:-1], k)
    rest = np.flatnonzero(group_at < 0)
    if rest.size:
        generalize_rows(node_of, order[rest], nodes, limits)
        group_at[rest], vector_of[groups[0]] = groups[0], len(vectors) - 1
        fill_up(group_at, int(groups[0]), k)
    group_of = np.empty_like(group_at)
    group_of[order] = group_at
    return Generalization(
        group_of, np.concatenate([vectors[vector_of[group_of]].T, sensitive_levels(node_of, trees, rungs)])
    )


def fill_up(group_at: Ints, group: int, k: int) -> None:
    """Let the last group, which tells nothing, take in those before it until it has k rows.

    Groups that are (τ,l)-diverse are so together.
    """
    before = group
    while np.count_nonzero(group_at == group) < k and before > 0:
        before -= 1
        group_at[group_at == before] = group


def canonical_order(data: Microdata, trees: SensitiveTrees) -> Wide:
    """Return the rows in order of quasi-identifiers, sensitive attributes, then all else that tells them apart."""
    columns = np.concatenate([data.codes, trees.codes])
    return sort_along_curve(leading_columns(columns), data._replace(codes=columns))


def generalize_rows(node_of: Wide, rows: Wide, nodes: Nodes, limits: Floats) -> None:
    """Generalize sensitive values of these rows until each attribute holds in all of them together."""
    for attribute, published in enumerate(node_of):
        chosen = published[rows]
        generalize_sensitive(chosen, nodes, attribute, limits)
        published[rows] = chosen


def block_up(
    order: Wide, node_of: Wide, data: Microdata, trees: SensitiveTrees, nodes: Nodes, limits: Floats
) -> tuple[Blocks, Kinds]:
    """Find rows that are alike, and what kinds of rows there are. Changes the order so that they are together."""
    alike = np.ones(order.size, np.bool_)
    alike[0] = False
    for column in data.codes:
        mark_ties(order, column, alike)
    new_point = ~alike
    for column in trees.codes:
        mark_ties(order, column, alike)
    for published in node_of:
        order_within_ties(order, published, alike)
    raise_if_interrupted()
    first_row = np.flatnonzero(~alike)
    rows = order[first_row]
    points = np.flatnonzero(new_point[first_row])
    kind = np.zeros(rows.size, np.int64)
    for published in node_of:
        _, example, kind = np.unique(kind * nodes.parent.size + published[rows], return_index=True, return_inverse=True)
    blocks = Blocks(
        np.append(points, rows.size),
        np.append(first_row, order.size),
        np.ascontiguousarray(data.codes[:, rows[points]].T),
        kind,
        first_row,
    )
    return blocks, Kinds(np.ascontiguousarray(node_of[:, rows[example]].T), nodes, limits)


def sensitive_levels(node_of: Wide, trees: SensitiveTrees, rungs: list[Rungs]) -> NDArray[np.uint8]:
    """Return the level at which each sensitive value is published: the lowest that has the node."""
    levels = np.zeros(node_of.shape, np.uint8)
    for published, codes, way, level in zip(node_of, trees.codes, rungs, levels, strict=True):
        for rung in range(1, way.node.shape[0]):
            reached = way.node[rung, codes] == published
            level[reached] = way.level[rung, codes[reached]]
    return levels
