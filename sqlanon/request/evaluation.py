"""The arguments of the functions that compare a release with its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.arguments import column_list, one_column, refuse_repeats, taxonomies, text
from sqlanon.errors import InvalidParameter

EVALUATES: dict[str, tuple[str, ...]] = {
    "info_loss": ("sa", "taxonomy"),
    "attribute_loss": ("taxonomy",),
}
"""The arguments of each function that evaluates, beside src, rel and qi."""


@dataclass(frozen=True)
class Evaluation:
    """The checked arguments of a function that evaluates. `taxonomy` pairs columns with tables."""

    function: str
    src: str
    rel: str
    qi: tuple[str, ...]
    sa: str | None
    taxonomy: tuple[tuple[str, str], ...]


def read_evaluation(function: str, arguments: Mapping[str, object]) -> Evaluation:
    """Check the arguments of a function that evaluates."""
    takes = ("src", "rel", "qi", *EVALUATES[function])
    for name in arguments:
        if name not in takes:
            raise InvalidParameter.unknown("argument", name, takes)
    qi = column_list("qi", arguments.get("qi"), at_least_one=True)
    sa = None if arguments.get("sa") is None else one_column(arguments["sa"])
    refuse_repeats({"qi": qi, "sa": () if sa is None else (sa,)}, reserved=())
    return Evaluation(
        function=function,
        src=text("src", arguments.get("src")),
        rel=text("rel", arguments.get("rel")),
        qi=qi,
        sa=sa,
        taxonomy=taxonomies(arguments.get("taxonomy"), qi),
    )
