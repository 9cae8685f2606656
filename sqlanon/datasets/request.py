"""The arguments of the functions that read built-in data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.functions import read_arguments


@dataclass(frozen=True)
class Adult:
    """Whether rows that miss a value are left out."""

    complete: bool


@dataclass(frozen=True)
class BuiltInTaxonomy:
    """A column of one of the built-in tables."""

    table: str
    column: str


def read_adult(function: str, arguments: Mapping[str, object]) -> Adult:
    """Check the arguments of adult."""
    return Adult(read_arguments(function, arguments)["complete"])


def read_taxonomy(function: str, arguments: Mapping[str, object]) -> BuiltInTaxonomy:
    """Take the arguments of adult_taxonomy and census_taxonomy; which columns there are, the planner knows."""
    column = read_arguments(function, arguments)["column"]
    return BuiltInTaxonomy(function.removesuffix("_taxonomy"), str(column))
