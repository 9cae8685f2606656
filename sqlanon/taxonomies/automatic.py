"""The taxonomy of a column for which the user has none."""

from __future__ import annotations

from sqlglot import exp

from .bins import bin_paths, equal_width, occurring_values


def automatic_paths(key: str, bins: int) -> exp.Select:
    """The paths, one per value, of a column of the step `source`.

    A column with an order gets bins of equal width, as numeric_taxonomy makes them. All others get the flat tree, and
    so does every column if `bins` is 0. The planner does not know which it is: the statement looks at the type.
    """
    paths = bin_paths(occurring_values(key), equal_width(max(bins, 1)))
    return exp.select("path").from_(paths.subquery("automatic"), copy=False)
