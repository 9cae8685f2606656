"""The functions that say what a release costs against its source."""

from __future__ import annotations

from .declaration import ANY, STRUCT, TEXT, Function, Parameter
from .parameters import QI, REL, SA, SRC, TAXONOMY, optional

IMPORTANCE = Parameter("weights", STRUCT, "How important columns are; others weigh 1.", None)

FUNCTIONS = (
    Function(
        "info_loss",
        "one row: the rows of both, classes, dm, gcp, stars, information. weights := {'age': 2} says how "
        "important columns are in gcp and information; others weigh 1.",
        (SRC, REL, QI, optional(SA), TAXONOMY, IMPORTANCE),
        "evaluate.request:read_evaluation",
        "evaluate.statement:evaluation_statement",
    ),
    Function(
        "attribute_loss",
        "one row per quasi-identifier: its ncp, stars and information; with weights, its weight.",
        (SRC, REL, QI, TAXONOMY, IMPORTANCE),
        "evaluate.request:read_evaluation",
        "evaluate.statement:evaluation_statement",
    ),
    Function(
        "kl_divergence",
        "one row: how far the distribution that the release tells of is from the source's, in nats.",
        (SRC, REL, QI, SA, TAXONOMY),
        "evaluate.request:read_evaluation",
        "evaluate.statement:evaluation_statement",
    ),
    Function(
        "cube_kl",
        "the same for every group-by of that many attributes; of one sensitive value if it is given.",
        (
            SRC,
            REL,
            QI,
            SA,
            Parameter("level", ANY, "How many attributes each group-by has; NULL: any number."),
            Parameter("value", ANY, "One sensitive value, which alone is counted.", None, "CAST(value AS VARCHAR)"),
            TAXONOMY,
        ),
        "evaluate.request:read_evaluation",
        "evaluate.statement:evaluation_statement",
    ),
    Function(
        "count_query_error",
        "one row per random count query, or per condition in the table `predicates`: its answer on the source, "
        "its estimate from the release, the relative error. dims counts sa; it may be a list.",
        (
            SRC,
            REL,
            QI,
            SA,
            Parameter("dims", ANY, "How many columns a query concerns, sa included; or a list of such numbers.", None),
            Parameter("queries", ANY, "How many queries there are for each number of dimensions.", 1000),
            Parameter("selectivity", ANY, "The share of rows that a query is about.", 0.05),
            Parameter("seed", ANY, "Which queries are drawn.", 0),
            TAXONOMY,
            Parameter("predicates", TEXT, "A table of conditions, in place of queries that are drawn.", None),
        ),
        "evaluate.request:read_evaluation",
        "evaluate.statement:evaluation_statement",
    ),
)
