"""The arguments of the functions that try several settings of ldiverse.

>>> search = read_search("frontier", {"tbl": "t", "qi": ["age"], "sa": "disease", "l": [2, 3], "algos": ["hilbert"]})
>>> [(setting.algo, setting.least) for setting in search.settings]
[('hilbert', 2), ('hilbert', 3)]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon import algorithms
from sqlanon.arguments import number, one_column, type_name
from sqlanon.errors import InvalidParameter

from .release import Release, read_request

SEARCHES: dict[str, dict[str, object]] = {
    "best_l": {"max_gcp": 0.2, "algo": "hilbert", "taxonomy": None, "seed": None, "nulls": "value"},
    "frontier": {"l": [2, 3, 5, 7], "algos": ["hilbert", "bsgi", "tp_plus"], "taxonomy": None, "seed": None},
}
"""The arguments of each function that searches, beside tbl, qi and sa, and what they are when left out."""


@dataclass(frozen=True)
class Search:
    """The checked arguments of a function that searches.

    `settings` are the releases to try; best_l has one, with the smallest l. `max_gcp` is None for frontier.
    """

    function: str
    settings: tuple[Release, ...]
    max_gcp: float | None


def read_search(function: str, arguments: Mapping[str, object]) -> Search:
    """Check the arguments of a function that searches; they are those of ldiverse, and a few of its own."""
    defaults = SEARCHES[function]
    takes = ("tbl", "qi", "sa", *defaults)
    for name in arguments:
        if name not in takes:
            raise InvalidParameter.unknown("argument", name, takes)
    given = {**defaults, **arguments}
    shared = {name: given.get(name) for name in ("tbl", "qi", "taxonomy", "seed")}
    shared |= {"sa": one_column(given.get("sa")), "recode": "generalize"}
    if function == "best_l":
        algo = one_for_any_l(given["algo"])
        setting = read_request("ldiverse", {**shared, "l": 2, "algo": algo, "nulls": given["nulls"]})
        return Search(function, (setting,), share("max_gcp", given["max_gcp"]))
    settings = tuple(
        read_request("ldiverse", {**shared, "l": l, "algo": algo})
        for algo in several("algos", given["algos"])
        for l in several("l", given["l"])
    )
    return Search(function, settings, None)


def one_for_any_l(given: object) -> str:
    """An algorithm of ldiverse that is not made for pairs only."""
    algorithm = algorithms.find("ldiverse", given)
    if algorithm.pairs:
        raise InvalidParameter(f"algo {algorithm.name!r} works for l = 2 only.", "Choose another algo.")
    return algorithm.name


def share(argument: str, given: object) -> float:
    """A number from 0 to 1."""
    found = number(argument, given)
    if found is None:
        raise InvalidParameter(f"{argument} must be a number, not NULL.")
    if not 0 <= found <= 1:
        raise InvalidParameter(f"{argument} = {found} is out of range.", "It goes from 0 to 1.")
    return float(found)


def several(argument: str, given: object) -> list[object]:
    """A list with something in it, and nothing twice."""
    if not isinstance(given, list | tuple):
        raise InvalidParameter(f"{argument} must be a list, not {type_name(given)}.", f"Write {argument} := […].")
    if not given:
        raise InvalidParameter(f"{argument} is empty.")
    if len({str(one) for one in given}) < len(given):
        raise InvalidParameter(f"{argument} names a setting twice.")
    return list(given)
