"""Incognito: full-domain generalization, one level per column, with the least loss of all that keep the promise.

The levels are those of the best node of the lattice (lattice.py), by exact search: no other keeps the promise and
loses less. Rows of classes that fail may be left out, up to a share of all; they lose everything. Where people are
known, the promise is kept for people as well as for rows. The result depends on the rows, not on their order.
"""

from __future__ import annotations

from ..requirement.requirement import Requirement
from ..space import Generalization, Microdata
from .lattice import best_levels
from .table import FrequencyTable


def k_groups(data: Microdata, k: int, suppress: float = 0.0) -> Generalization:
    """Return classes of at least k rows."""
    return best_classes(data, Requirement(size=k), suppress)


def l_groups(data: Microdata, l: int, suppress: float = 0.0) -> Generalization:
    """Return classes with no sensitive value in more than 1/l of the rows."""
    return best_classes(data, Requirement(frequency=float(l)), suppress)


def recursive_groups(data: Microdata, l: int, c: float, suppress: float = 0.0) -> Generalization:
    """Return recursive (c,l)-diverse classes: the most frequent value is in fewer rows than c times those of all
    values from the l-th most frequent on. Machanavajjhala et al., l-Diversity (TKDD 2007), Def. 4.3.
    """
    return best_classes(data, Requirement(ranks=l, c=float(c)), suppress)


def best_classes(data: Microdata, requirement: Requirement, suppress: float = 0.0) -> Generalization:
    """Return the classes at the best levels that keep the requirement; those that fail are left out."""
    table = FrequencyTable(data, requirement)
    return table.publish(best_levels(table, suppress))
