"""The cells that satisfy a condition of an analyst's query.

The statement hands over the condition as JSON in which a number stands for a comparison, and the truth of each
comparison for each value of its attribute, as DuckDB judges it. What is left is AND, OR and NOT, of three values.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrow.arguments import malformed_call

Mask = npt.NDArray[np.bool_]


class Truth(NamedTuple):
    """Which cells satisfy a condition, and which its contrary; others are unknown. Axes that do not matter are 1."""

    true: Mask
    false: Mask


def satisfied_cells(condition: object, comparisons: object, sizes: Sequence[int]) -> Mask:
    """Whether each cell satisfies the condition; an axis per attribute. comparisons: {attribute, truths}."""
    if not isinstance(condition, str) or not isinstance(comparisons, list):
        raise malformed_call("setting", "there is no condition")
    try:
        tree = json.loads(condition)
    except (ValueError, RecursionError):
        raise malformed_call("setting", "condition is no JSON") from None
    decided = judge(tree, [compare(each, sizes) for each in comparisons], len(sizes))
    return np.ascontiguousarray(np.broadcast_to(decided.true, sizes))


def compare(comparison: Any, sizes: Sequence[int]) -> Truth:
    """A comparison of an attribute, for each of its values: TRUE, FALSE or NULL."""
    if not isinstance(comparison, dict) or not {"attribute", "truths"} <= set(comparison):
        raise malformed_call("setting", "a comparison has other fields")
    axis, truths = comparison["attribute"], comparison["truths"]
    if not isinstance(axis, int) or not 0 <= axis < len(sizes):
        raise malformed_call("setting", "a comparison of no attribute")
    if not isinstance(truths, list) or len(truths) != sizes[axis]:
        raise malformed_call("setting", "a comparison does not fit its domain")
    shape = [sizes[axis] if place == axis else 1 for place in range(len(sizes))]
    true, false = (np.array([truth is wanted for truth in truths]).reshape(shape) for wanted in (True, False))
    return Truth(true, false)


def judge(condition: Any, comparisons: Sequence[Truth], axes: int) -> Truth:
    """The truth of a condition: a truth value, the number of a comparison, or a list of a word and conditions."""
    if condition is None or isinstance(condition, bool):
        shape = (1,) * axes
        return Truth(np.full(shape, condition is True), np.full(shape, condition is False))
    if isinstance(condition, int) and 0 <= condition < len(comparisons):
        return comparisons[condition]
    if isinstance(condition, list) and len(condition) > 1 and condition[0] in ("not", "and", "or"):
        parts = [judge(part, comparisons, axes) for part in condition[1:]]
        if condition[0] == "not" and len(parts) == 1:
            return Truth(parts[0].false, parts[0].true)
        if condition[0] == "and":
            return reduce(lambda one, other: Truth(one.true & other.true, one.false | other.false), parts)
        if condition[0] == "or":
            return reduce(lambda one, other: Truth(one.true | other.true, one.false & other.false), parts)
    raise malformed_call("setting", "condition is none")
