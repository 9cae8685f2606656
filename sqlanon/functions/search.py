"""The functions that try several settings."""

from __future__ import annotations

from .declaration import ANY, SHARE, Function, Parameter, whole_from, whole_up_to
from .parameters import ALGO, MEANING_OF_NULL, QI, SA, SEED, TAXONOMY, TBL, K, L, optional

MAX_GCP = Parameter("max_gcp", SHARE, "The largest loss that is accepted.", 0.2)
WITHIN_LOSS = (MAX_GCP, ALGO, TAXONOMY, SEED, MEANING_OF_NULL)
"""The parameters of best_k and best_l beside tables and columns."""

FUNCTIONS = (
    Function(
        "best_k",
        "one row: the largest k whose release loses at most max_gcp, its gcp, the largest k that the table allows"
        " (its rows), how many k were tried.",
        (TBL, QI, *WITHIN_LOSS),
        "search.request:read_strongest",
        "search.statement:strongest_statement",
    ),
    Function(
        "best_l",
        "one row: the largest l whose release loses at most max_gcp, its gcp, the largest l that the table "
        "allows, how many l were tried.",
        (TBL, QI, SA, *WITHIN_LOSS),
        "search.request:read_strongest",
        "search.statement:strongest_statement",
    ),
    Function(
        "frontier",
        "one row per algorithm and l, or, without sa, per algorithm and k: what its release loses by several "
        "measures, and the seconds that the algorithm took. NULL: l is [2, 3, 5, 7] with algos ['hilbert', "
        "'bsgi', 'tp_plus'], or k is [2, 5, 10, 25] with algos ['hilbert', 'mondrian', 'topdown'].",
        (
            TBL,
            QI,
            optional(SA),
            Parameter("l", ANY, "The values of l to try, a list.", None),
            Parameter("algos", ANY, "The algorithms to try, a list.", None),
            TAXONOMY,
            SEED,
            Parameter("k", ANY, "The values of k to try, a list.", None),
        ),
        "search.request:read_frontier",
        "search.statement:frontier_statement",
    ),
    Function(
        "loss_bound",
        "one row: bound, a gcp that no release of this table is below if it keeps k, or l, and publishes ranges and "
        "labels; method, how that is known; rows.",
        (
            TBL,
            QI,
            optional(SA),
            optional(K),
            optional(L),
            TAXONOMY,
            Parameter("effort", whole_up_to(10), "How hard it tries, from 1 to 10: the bound never falls with it.", 1),
            Parameter("seed", whole_from(0), "Which rows are drawn of a table too large to look at all pairs.", 0),
        ),
        "search.request:read_loss_bound",
        "search.statement:loss_bound_statement",
    ),
)
