"""The functions that make and check taxonomies."""

from __future__ import annotations

from .declaration import ANY, TEXT, Function, Parameter, one_of, whole_up_to
from .parameters import COL, TBL

MOST_BINS, MOST_LEVELS = 65_536, 100

LEVELS = Parameter("levels", whole_up_to(MOST_LEVELS), "How many levels there are above the leaf.", 5)

FUNCTIONS = (
    Function(
        "numeric_taxonomy",
        "bins of numbers, dates or times, and half as many on every level above. The method is 'width' (of equal "
        "width) or 'frequency' (of equal numbers of rows); or cuts say where bins start.",
        (
            TBL,
            COL,
            Parameter("bins", whole_up_to(MOST_BINS), "How many bins there are on the lowest level.", 16),
            Parameter(
                "method", one_of("width", "frequency"), "Bins of equal width, or of equal numbers of rows.", "width"
            ),
            Parameter("cuts", ANY, "A list of the values where bins start, in place of bins and method.", None),
        ),
        "taxonomies.request:read_numeric",
        "taxonomies.from_values:numeric_statement",
    ),
    Function(
        "prefix_taxonomy",
        "codes that say more from left to right, such as ZIP and ICD-10 codes: stars take the place of characters"
        " from the right.",
        (TBL, COL, LEVELS),
        "taxonomies.request:read_prefix",
        "taxonomies.from_values:prefix_statement",
    ),
    Function(
        "date_taxonomy",
        "dates or timestamps: the day, the month, the quarter, the year, the decade.",
        (TBL, COL),
        "taxonomies.request:read_date",
        "taxonomies.from_values:date_statement",
    ),
    Function(
        "edge_taxonomy",
        "a tree of edges, one per row. Leaves are children that are nobody's parent.",
        (
            TBL,
            Parameter("child", TEXT, "The column of the children."),
            Parameter("parent", TEXT, "The column of their parents."),
            LEVELS,
        ),
        "taxonomies.request:read_edges",
        "taxonomies.from_edges:edge_statement",
    ),
    Function(
        "check_taxonomy",
        "one row per problem of a taxonomy for a column of a table: problem, level (0 is the leaf's), leaves (how"
        " many are concerned). No row: it is fine.",
        (Parameter("taxonomy", TEXT, "The taxonomy: a table or a file."), TBL, COL),
        "taxonomies.request:read_check",
        "taxonomies.check:check_statement",
    ),
)
