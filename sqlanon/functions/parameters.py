"""Parameters that several functions share."""

from __future__ import annotations

from dataclasses import replace

from ..bounds import BOUNDS, BY_NAME, Bound
from .declaration import (
    ANY,
    COLUMNS,
    NO_OR_MORE_COLUMNS,
    ONE_OR_MORE_COLUMNS,
    SECRET,
    STRUCT,
    TEXT,
    Parameter,
    Type,
    one_of,
)

NULLS = ("value", "wildcard", "exclude")
FORMATS = ("text", "typed")
RECODES = ("generalize", "suppress", "none")

TBL = Parameter("tbl", TEXT, "A table, view, CTE, data frame or file, or a SELECT in parentheses.")
SRC = Parameter("src", TEXT, "The source of the release, named as tbl.")
REL = Parameter("rel", TEXT, "The release, named as tbl.")
COL = Parameter("col", TEXT, "A column of the table.")
QI = Parameter("qi", COLUMNS, "The quasi-identifiers: columns by which somebody could be recognised.")
SA = Parameter("sa", ONE_OR_MORE_COLUMNS, "The sensitive attribute: what nobody shall learn about a person.")
TAXONOMY = Parameter("taxonomy", STRUCT, "The taxonomies: a table or a file for a column.", None)
RECODE = Parameter("recode", one_of(*RECODES), "What takes the place of cells: generalize, suppress or none.", None)
FORMAT = Parameter("format", one_of(*FORMATS), "How quasi-identifiers are written: text, or typed.", "text")
KEEP = Parameter("keep", NO_OR_MORE_COLUMNS, "Columns to publish as they are.", [])
SEED = Parameter("seed", SECRET, "Makes algorithms that draw repeatable: a secret. NULL: a new draw.", None)
ALGO = Parameter("algo", ANY, "The algorithm that groups rows.", "hilbert")
OPTIONS = Parameter("options", STRUCT, "Settings of the algorithm.", None)
MEANING_OF_NULL = Parameter(
    "nulls", one_of(*NULLS), "What a missing quasi-identifier is: value, wildcard or exclude.", "value"
)
WEIGHTS = Parameter(
    "weights", ANY, "How likely an attacker holds each base value to be: a table, or one for each sa.", None
)
PARAMS = Parameter("params", TEXT, "The parameters of a randomized release, as randomize_params has them.")
ENTITY = Parameter("entity", TEXT, "The column that tells people apart: they are counted.", None)


def optional(parameter: Parameter) -> Parameter:
    """The same parameter where it may be left out."""
    return replace(parameter, default=None)


def of_bound(bound: Bound) -> Parameter:
    """The parameter of a bound."""
    return Parameter(bound.name, Type("INTEGER" if bound.is_whole else "DOUBLE", bound.read), bound.help)


K, L, TAU = (of_bound(BY_NAME[name]) for name in ("k", "l", "tau"))
BOUND_PARAMETERS = tuple(optional(of_bound(bound)) for bound in BOUNDS)
"""Every bound, each of which may be left out."""
