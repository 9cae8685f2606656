"""The function that compares two releases of one table."""

from __future__ import annotations

from .declaration import ANY, TEXT, Function, Parameter, whole_from
from .parameters import ENTITY, QI, SA, TAXONOMY

FUNCTIONS = (
    Function(
        "compare_releases",
        "how many rows of the new release may be left with 1, 2, … sensitive values, fewer than l, and fewer than"
        " by either release: candidates, rows, share, certain_rows, pairs; with detail := 'pairs', the pairs of "
        "classes. With entity, one row per person who is: old_values, new_values, common_values, candidates, "
        "status; with detail := 'summary', how many.",
        (
            Parameter("old", TEXT, "The older release."),
            Parameter("new", TEXT, "The newer one."),
            QI,
            SA,
            ENTITY,
            Parameter(
                "l", whole_from(2), "How many values each release leaves possible; NULL: what they achieve.", None
            ),
            TAXONOMY,
            Parameter("detail", ANY, "What is listed: summary, pairs, or people where entity names them.", None),
        ),
        "compare.request:read_comparison",
        "compare.statement:comparison_statement",
    ),
)
