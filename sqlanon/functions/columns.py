"""The functions that say which columns a table has, and which lead to people."""

from __future__ import annotations

from .declaration import COLUMNS, WHOLE, Function, Parameter
from .parameters import TBL

FUNCTIONS = (
    Function(
        "columns",
        "one row per column, in the order of the table: what it holds, and the role that it may have in a "
        "release. DuckDB before 2.0 wants the name in quotes, or _sqlanon.columns(tbl).",
        (TBL,),
        "columns.request:read_columns",
        "columns.description:columns_statement",
    ),
    Function(
        "quasi_identifiers",
        "one row per combination of 1 to max_size columns: how far it tells rows apart, and how many it singles "
        "out; most dangerous first.",
        (
            TBL,
            Parameter("columns", COLUMNS, "The columns to combine; NULL: all.", None),
            Parameter("max_size", WHOLE, "How many columns a combination has at the most.", 3),
        ),
        "columns.request:read_combinations",
        "columns.combinations:combinations_statement",
    ),
)
