"""Partitioning along the Hilbert curve: k-anonymity by the best cut, l-diversity from the frontier."""

from __future__ import annotations

from ..along_curve.along import k_groups_along, k_groups_by_key, l_groups_along
from ..along_curve.order import sort_along_curve
from ..space import Ints, Microdata
from .curve import hilbert_keys


def k_groups(data: Microdata, k: int) -> Ints:
    """Return each row's group: runs of at least k rows with the least loss over all columns."""
    return k_groups_along(data, sort_along_curve(hilbert_keys(data.codes, data.space), data), k)


def k_groups_fast(data: Microdata, k: int) -> Ints:
    """As k_groups, but a group's loss is taken to be its extent on the curve."""
    keys = hilbert_keys(data.codes, data.space)
    return k_groups_by_key(keys, sort_along_curve(keys, data), k)


def l_groups(data: Microdata, l: int) -> Ints:
    """Return each row's group: distinct sensitive values in each, none in more than 1/l of it."""
    keys = hilbert_keys(data.codes, data.space)
    return l_groups_along(data, keys, sort_along_curve(keys, data), l)
