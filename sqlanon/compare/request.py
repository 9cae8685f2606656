"""The arguments of compare_releases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.arguments import MOST_QI, choice, one_column, refuse_many, refuse_repeats, taxonomies
from sqlanon.functions import read_arguments


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
    detail: str


def read_comparison(function: str, arguments: Mapping[str, object]) -> Comparison:
    """Check the arguments of compare_releases."""
    checked = read_arguments(function, arguments)
    qi = checked["qi"]
    sa = one_column(checked["sa"])
    entity = checked["entity"]
    refuse_repeats({"qi": qi, "sa": (sa,), "entity": () if entity is None else (entity,)}, reserved=())
    refuse_many("qi names", len(qi), MOST_QI)
    return Comparison(
        function=function,
        old=checked["old"],
        new=checked["new"],
        qi=qi,
        sa=sa,
        entity=entity,
        l=checked["l"],
        taxonomy=taxonomies(checked["taxonomy"], (*qi, sa), "qi or sa"),
        detail=read_detail(checked["detail"], entity is not None),
    )


def read_detail(detail: object, of_people: bool) -> str:
    """The detail that is listed: NULL is people where they are known, and a summary where they are not."""
    every = "people" if of_people else "pairs"
    if detail is None:
        return "people" if of_people else "summary"
    return choice("detail", detail, ("summary", every))
