"""The arguments of columns and quasi_identifiers.

>>> read_combinations("quasi_identifiers", {"tbl": "patients", "columns": ["age", "zip"]}).max_size
3
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.arguments import MOST_COLUMNS, refuse_many, refuse_repeats
from sqlanon.functions import read_arguments


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
    return Description(function, read_arguments(function, arguments)["tbl"])


def read_combinations(function: str, arguments: Mapping[str, object]) -> Combinations:
    """Check the arguments of quasi_identifiers."""
    checked = read_arguments(function, arguments)
    columns = None
    if checked["columns"] is not None:
        columns = checked["columns"]
        refuse_repeats({"columns": columns}, reserved=())
        refuse_many("columns names", len(columns), MOST_COLUMNS)
    return Combinations(
        function=function,
        tbl=checked["tbl"],
        columns=columns,
        max_size=checked["max_size"],
    )
