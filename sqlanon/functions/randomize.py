"""The functions that publish a list for each cell, and those that read such releases."""

from __future__ import annotations

from .declaration import COLUMNS, STRUCT, Function, Parameter, one_of
from .parameters import KEEP, OPTIONS, PARAMS, REL, SEED, SRC, TBL

LENGTHS = Parameter("l", STRUCT, "How many values the lists of a column have, for each column.", None)
CLOSENESS = Parameter("t", STRUCT, "How far a list may move what is believed of a row, for each column.", None)
ATTRIBUTES = Parameter("attributes", COLUMNS, "The columns of the cross tabulation.")
METHOD = Parameter(
    "method",
    one_of("likelihood", "bayes", "value_adding"),
    "How counts are estimated: likelihood, bayes or value_adding.",
    "likelihood",
)

FUNCTIONS = (
    Function(
        "randomize",
        "for each column that l or t names, the sorted list of its value, or not, and decoys; then keep. Rows "
        "have an order of their own.",
        (TBL, LENGTHS, CLOSENESS, KEEP, SEED, OPTIONS),
        "randomize.request:read_randomization",
        "randomize.statement:randomize_statement",
    ),
    Function(
        "randomize_params",
        "one row per column that l or t names: its domain as text, the length of its lists, the probability that "
        "a list holds the value for sure, the L2 distance to expect, and how far apart values are for t. To be "
        "published beside the release.",
        (TBL, LENGTHS, CLOSENESS, OPTIONS),
        "randomize.request:read_randomization",
        "randomize.parameters:params_statement",
    ),
    Function(
        "reconstruct",
        "one row per combination of values of the attributes, and how many rows of the source are estimated to "
        "have it.",
        (
            REL,
            PARAMS,
            ATTRIBUTES,
            METHOD,
        ),
        "randomize.request:read_reconstruction",
        "randomize.reconstruct:reconstruct_statement",
    ),
    Function(
        "reconstruction_steps",
        "one row: what reconstruct does with these arguments: the cells, the rows, the steps that it took, the "
        "share of all rows that one more step would move, and whether that is as little as it must be.",
        (
            REL,
            PARAMS,
            ATTRIBUTES,
            METHOD,
        ),
        "randomize.request:read_reconstruction",
        "randomize.reconstruct:steps_statement",
    ),
    Function(
        "distribution_distance",
        "one row: how far what is reconstructed is from the source.",
        (
            SRC,
            REL,
            PARAMS,
            ATTRIBUTES,
            METHOD,
        ),
        "randomize.request:read_reconstruction",
        "randomize.reconstruct:distance_statement",
    ),
    Function(
        "randomization_privacy",
        "one row per attribute of params: the values that any list leaves possible, how far the worst list moves "
        "what is believed of a row, and how diverse the classes of the expanded release are.",
        (REL, PARAMS),
        "randomize.request:read_privacy",
        "randomize.privacy:privacy_statement",
    ),
)
