"""The arguments of columns and quasi_identifiers.

>>> read_combinations("quasi_identifiers", {"tbl": "patients", "columns": ["age", "zip"]}).max_size
3
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.arguments import column_list, refuse_many, refuse_repeats, text, whole
from sqlanon.functions import complete_arguments

from .release import MOST_COLUMNS


@dataclass(frozen=True)
class Description:
    """The checked arguments of columns."""

    function: str
    tbl: str


@dataclass(frozen=True)
class Combinations:
    """The checked arguments of quasi_identifiers. `columns` is None for all that can be grouped."""

    function: str
    tbl: str
    columns: tuple[str, ...] | None
    max_size: int


def read_columns(function: str, arguments: Mapping[str, object]) -> Description:
    """Check the arguments of columns."""
    return Description(function, text("tbl", complete_arguments(function, arguments)["tbl"]))


def read_combinations(function: str, arguments: Mapping[str, object]) -> Combinations:
    """Check the arguments of quasi_identifiers."""
    arguments = complete_arguments(function, arguments)
    columns = None
    if arguments["columns"] is not None:
        columns = column_list("columns", arguments["columns"], at_least_one=True)
        refuse_repeats({"columns": columns}, reserved=())
        refuse_many("columns names", len(columns), MOST_COLUMNS)
    return Combinations(
        function=function,
        tbl=text("tbl", arguments["tbl"]),
        columns=columns,
        max_size=whole("max_size", arguments["max_size"], smallest=1),
    )
