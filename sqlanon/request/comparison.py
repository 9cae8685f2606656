"""The arguments of compare_releases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.arguments import column_list, one_column, refuse_many, refuse_repeats, taxonomies, text, whole
from sqlanon.functions import complete_arguments

from .release import MOST_QI


@dataclass(frozen=True)
class Comparison:
    """The checked arguments of compare_releases. `l` is None for what the releases themselves achieve."""

    function: str
    old: str
    new: str
    qi: tuple[str, ...]
    sa: str
    entity: str | None
    l: int | None
    taxonomy: tuple[tuple[str, str], ...]


def read_comparison(function: str, arguments: Mapping[str, object]) -> Comparison:
    """Check the arguments of compare_releases."""
    arguments = complete_arguments(function, arguments)
    qi = column_list("qi", arguments["qi"], at_least_one=True)
    sa = one_column(arguments["sa"])
    entity = None if arguments["entity"] is None else text("entity", arguments["entity"])
    refuse_repeats({"qi": qi, "sa": (sa,), "entity": () if entity is None else (entity,)}, reserved=())
    refuse_many("qi names", len(qi), MOST_QI)
    return Comparison(
        function=function,
        old=text("old", arguments["old"]),
        new=text("new", arguments["new"]),
        qi=qi,
        sa=sa,
        entity=entity,
        l=None if arguments["l"] is None else whole("l", arguments["l"], smallest=2),
        taxonomy=taxonomies(arguments["taxonomy"], (*qi, sa), "qi or sa"),
    )
