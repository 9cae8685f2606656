"""The bounds that a table is held to, in the order in which `violations` names those that are broken.

A bound is declared once: here, by a file and a line, and by its relation, sql/verify/broken_<name>.sql, which finds the
classes that break it. Verification, the promise of a release, certificates, the command line, policies, reports and
dbt go through this table.

>>> BY_NAME["entropy_l"].is_stronger(3, 2)
True
"""

from __future__ import annotations

from . import beta, c, delta, distinct_l, entropy_l, k, l, t, tau
from .bound import Bound
from .population import Population

__all__ = ["BOUNDS", "BY_NAME", "NAMES", "Bound", "Population"]

BOUNDS: tuple[Bound, ...] = tuple(module.BOUND for module in (k, l, distinct_l, entropy_l, t, c, tau, beta, delta))
NAMES = tuple(bound.name for bound in BOUNDS)
BY_NAME = {bound.name: bound for bound in BOUNDS}
