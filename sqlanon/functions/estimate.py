"""The function that answers queries on the source from its release."""

from __future__ import annotations

from .declaration import TEXT, Function, Parameter, whole_from
from .parameters import PARAMS, REL, TAXONOMY, optional

FUNCTIONS = (
    Function(
        "estimate",
        "the answer to a query on the source, from its release alone: the columns of GROUP BY, estimate, lower, "
        "upper. `estimate` assumes that the values under a label, in a range or under * are equally likely; lower"
        " and upper assume nothing of the kind. Columns with labels need their taxonomy. lower and upper allow "
        "for `suppressed` rows that were left out of the release. A randomized release is read with its params.",
        (
            REL,
            Parameter("query", TEXT, "A count or average on the source, with GROUP BY or without."),
            TAXONOMY,
            optional(PARAMS),
            Parameter("suppressed", whole_from(0), "How many rows of the source were left out of the release.", 0),
        ),
        "estimate.request:read_estimation",
        "estimate.statement:estimation_statement",
    ),
)
