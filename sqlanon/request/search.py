"""The arguments of the functions that try several settings of kanonymous or ldiverse.

>>> search = read_search("frontier", {"tbl": "t", "qi": ["age"], "sa": "disease", "l": [2, 3], "algos": ["hilbert"]})
>>> [(setting.algo, setting.least) for setting in search.settings]
[('hilbert', 2), ('hilbert', 3)]
>>> search = read_search("frontier", {"tbl": "t", "qi": ["age"], "k": [10], "algos": ["mondrian"]})
>>> [(setting.function, setting.algo, setting.least) for setting in search.settings]
[('kanonymous', 'mondrian', 10)]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon import algorithms
from sqlanon.arguments import number, one_column, type_name
from sqlanon.errors import InvalidParameter

from .release import PARAMETER, Release, read_request

SEARCHES: dict[str, dict[str, object]] = {
    "best_k": {"max_gcp": 0.2, "algo": "hilbert", "taxonomy": None, "seed": None, "nulls": "value"},
    "best_l": {"sa": None, "max_gcp": 0.2, "algo": "hilbert", "taxonomy": None, "seed": None, "nulls": "value"},
    "frontier": {"sa": None, "l": None, "algos": None, "taxonomy": None, "seed": None, "k": None},
}
"""The arguments of each function that searches, beside tbl and qi, and what they are when left out."""

BEST = {"best_k": "kanonymous", "best_l": "ldiverse"}
"""What the functions with a loss budget publish settings of."""

SETTINGS: dict[str, dict[str, list[object]]] = {
    "kanonymous": {"k": [2, 5, 10, 25], "algos": ["hilbert", "mondrian", "topdown"]},
    "ldiverse": {"l": [2, 3, 5, 7], "algos": ["hilbert", "bsgi", "tp_plus"]},
}
"""What frontier tries where nothing is said."""


@dataclass(frozen=True)
class Search:
    """The checked arguments of a function that searches.

    `settings` are the releases to try; best_k and best_l have one, with the smallest k or l. `max_gcp` is None for
    frontier.
    """

    function: str
    settings: tuple[Release, ...]
    max_gcp: float | None


def read_search(function: str, arguments: Mapping[str, object]) -> Search:
    """Check the arguments of a function that searches; they are those of the release function, and a few more."""
    defaults = SEARCHES[function]
    takes = ("tbl", "qi", *defaults)
    for name in arguments:
        if name not in takes:
            raise InvalidParameter.unknown("argument", name, takes)
    given = {**defaults, **arguments}
    model = BEST.get(function) or ("kanonymous" if given["sa"] is None else "ldiverse")
    shared = {name: given.get(name) for name in ("tbl", "qi", "taxonomy", "seed")} | {"recode": "generalize"}
    shared |= {"sa": one_column(given["sa"])} if model == "ldiverse" else {}
    parameter = PARAMETER[model]
    if function in BEST:
        algo = one_for_any_number(model, given["algo"])
        setting = read_request(model, {**shared, parameter: 2, "algo": algo, "nulls": given["nulls"]})
        return Search(function, (setting,), share("max_gcp", given["max_gcp"]))
    refuse_other_parameter(model, given)
    algos, numbers = (
        several(name, SETTINGS[model][name] if given[name] is None else given[name]) for name in ("algos", parameter)
    )
    settings = tuple(
        read_request(model, {**shared, parameter: number, "algo": algo}) for algo in algos for number in numbers
    )
    return Search(function, settings, None)


def refuse_other_parameter(model: str, arguments: Mapping[str, object]) -> None:
    """Whether k or l is tried depends on sa."""
    if model == "kanonymous" and arguments["l"] is not None:
        raise InvalidParameter("l needs sa.", "Name the sensitive attribute, or try k.")
    if model == "ldiverse" and arguments["k"] is not None:
        raise InvalidParameter("k is tried without sa.", "Leave sa out, or try l.")


def one_for_any_number(model: str, given: object) -> str:
    """An algorithm of a release function that is not made for pairs only."""
    algorithm = algorithms.find(model, given)
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
