"""The arguments of the functions that try several settings of kanonymous or ldiverse.

>>> search = read_frontier("frontier", {"tbl": "t", "qi": ["age"], "sa": "disease", "l": [2, 3], "algos": ["hilbert"]})
>>> [(setting.algo, setting.parameters) for setting in search.settings]
[('hilbert', (('l', 2),)), ('hilbert', (('l', 3),))]
>>> search = read_frontier("frontier", {"tbl": "t", "qi": ["age"], "k": [10], "algos": ["mondrian"]})
>>> [(setting.function, setting.algo, setting.parameters) for setting in search.settings]
[('kanonymous', 'mondrian', (('k', 10),))]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from sqlanon.arguments import one_column, type_name
from sqlanon.errors import InvalidParameter
from sqlanon.functions import read_arguments
from sqlanon.release import algorithms, models
from sqlanon.release.models import Model
from sqlanon.release.request import Release, read_release

MODELS = {"best_k": "kanonymous", "best_l": "ldiverse"}
"""The release function whose strongest parameter each looks for."""

SETTINGS: dict[str, dict[str, list[object]]] = {
    "kanonymous": {"k": [2, 5, 10, 25], "algos": ["hilbert", "mondrian", "topdown"]},
    "ldiverse": {"l": [2, 3, 5, 7], "algos": ["hilbert", "bsgi", "tp_plus"]},
}
"""The settings that frontier tries by default."""


@dataclass(frozen=True)
class Strongest:
    """The checked arguments of best_k and best_l: the release with the smallest k or l, and the budget."""

    setting: Release
    max_gcp: float


@dataclass(frozen=True)
class Frontier:
    """The checked arguments of frontier: the releases to try."""

    settings: tuple[Release, ...]


@dataclass(frozen=True)
class LossBound:
    """The checked arguments of loss_bound: a release whose k or l is meant, and how hard to try."""

    setting: Release
    effort: int


def read_strongest(function: str, arguments: Mapping[str, object]) -> Strongest:
    """Check the arguments of a function with a loss budget."""
    checked = read_arguments(function, arguments)
    model = models.choose(MODELS[function])
    setting = {
        **shared_arguments(checked, model),
        model.parameter: 2,
        "algo": one_for_any_number(model, checked["algo"]),
        "nulls": checked["nulls"],
    }
    return Strongest(read_release(model.function, setting, caller=function), checked["max_gcp"])


def read_frontier(function: str, arguments: Mapping[str, object]) -> Frontier:
    """Check the arguments of frontier; without sa, k is tried, else l."""
    checked = read_arguments(function, arguments)
    model = models.choose("kanonymous" if checked["sa"] is None else "ldiverse")
    refuse_other_parameter(model, checked)
    algos, numbers = (
        several(name, SETTINGS[model.function][name] if checked[name] is None else checked[name])
        for name in ("algos", model.parameter)
    )
    shared = shared_arguments(checked, model)
    return Frontier(
        tuple(
            read_release(model.function, {**shared, model.parameter: number, "algo": algo}, caller=function)
            for algo in map(partial(one_of_extents, model), algos)
            for number in numbers
        )
    )


def read_loss_bound(function: str, arguments: Mapping[str, object]) -> LossBound:
    """Check the arguments of loss_bound: k, or l with sa."""
    checked = read_arguments(function, arguments)
    if (checked["k"] is None) == (checked["l"] is None):
        raise InvalidParameter("k or l: give one of them.", "Write k := 5, or sa := 'disease', l := 3.")
    if checked["sa"] is None and checked["l"] is not None:
        raise InvalidParameter("l needs sa.", "Name the sensitive attribute, or give k.")
    model = models.choose("kanonymous" if checked["l"] is None else "ldiverse")
    setting = {**shared_arguments(checked, model), model.parameter: checked[model.parameter]}
    return LossBound(read_release(model.function, setting, caller=function), checked["effort"])


def shared_arguments(arguments: Mapping[str, object], model: Model) -> dict[str, object]:
    """The arguments that all releases have in common."""
    shared = {name: arguments[name] for name in ("tbl", "qi", "taxonomy", "seed")} | {"recode": "generalize"}
    return shared | ({"sa": one_column(arguments["sa"])} if model.sensitive else {})


def refuse_other_parameter(model: Model, arguments: Mapping[str, object]) -> None:
    """Whether k or l is tried depends on sa."""
    if not model.sensitive and arguments["l"] is not None:
        raise InvalidParameter("l needs sa.", "Name the sensitive attribute, or try k.")
    if model.sensitive and arguments["k"] is not None:
        raise InvalidParameter("k is tried without sa.", "Leave sa out, or try l.")


def one_for_any_number(model: Model, name: object) -> str:
    """An algorithm of a release function that is not made for pairs only."""
    algorithm = algorithms.find(model.name, one_of_extents(model, name))
    if algorithm.pairs:
        raise InvalidParameter(f"algo {algorithm.name!r} works for l = 2 only.", "Choose another algo.")
    return algorithm.name


def one_of_extents(model: Model, name: object) -> str:
    """An algorithm whose groups publish their extents: that is what searches measure."""
    algorithm = algorithms.find(model.name, name)
    if algorithm.publishes is not algorithms.Publishes.EXTENTS:
        raise InvalidParameter(
            f"algo {algorithm.name!r} publishes labels of its own choice, which is not tried here.",
            "Choose another algo, or see full_domain_levels.",
        )
    return algorithm.name


def several(argument: str, value: object) -> list[object]:
    """A list with something in it, and nothing twice."""
    if not isinstance(value, list | tuple):
        raise InvalidParameter(f"{argument} must be a list, not {type_name(value)}.", f"Write {argument} := […].")
    if not value:
        raise InvalidParameter(f"{argument} is empty.")
    if len({str(one) for one in value}) < len(value):
        raise InvalidParameter(f"{argument} names a setting twice.")
    return list(value)
