"""Privacy models: what each release function promises, one row each; and the bounds that promises are made of.

A bound has one definition, sql/verify/broken_<bound>.sql: `violations` lists the classes that it finds, and a release
function recounts it before a row leaves.

>>> find("ldiverse").promise
('l',)
>>> find("ldiverse").refuse(Population("rows", 6, [[5, 1]]), {"l": 2})
Traceback (most recent call last):
sqlanon.errors.NotEligible: [SA201] one sensitive value is in 5 of 6 rows; l = 2 allows 3. The largest l is 1. …
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .arguments import whole
from .errors import InvalidParameter, NotEligible, TooFewRows


@dataclass(frozen=True)
class Bound:
    """What every class has to keep: between which numbers it lies, and whether it is about sensitive values.

    `broken` says in words that a group breaks it, for the models that promise it.
    """

    name: str
    low: int
    high: int | None = None
    sensitive: bool = True
    broken: str = ""


BOUNDS = (
    Bound("k", 1, sensitive=False, broken="a group has fewer than k = {k} {noun}"),
    Bound("l", 1, broken="a sensitive value{which} takes more than 1/{l} of the {noun} of a group"),
    Bound("entropy_l", 1),
    Bound("t", 0, 1),
    Bound("c", 0),
    Bound("tau", 0, 1, broken="the values{which} that a group induces take more than tau = {tau}, l = {l} allow"),
)
"""The bounds of `violations`, in the order in which it names those that are broken."""

Parameters = Mapping[str, int]
"""The privacy parameters of a release by name, in the order in which kernels take them."""


@dataclass(frozen=True)
class Population:
    """Those whom a model counts, rows or people: how many they are, and, for each sensitive attribute, how many have
    each of its values, the most frequent first.
    """

    noun: str
    size: int
    holders: Sequence[Sequence[int]]


@dataclass(frozen=True)
class Model:
    """`smallest` has its parameters and where they start, `promise` the bounds that hold in every group.

    `sensitive`: it is about sensitive attributes. `refuse` raises SA201 or SA202 if no release of a population can keep
    the promise, and says what is possible; `strongest` is the largest value of the first parameter that one allows.
    """

    function: str
    smallest: Parameters
    promise: tuple[str, ...]
    sensitive: bool
    refuse: Callable[[Population, Parameters], None]
    strongest: Callable[[Population], int]

    @property
    def parameter(self) -> str:
        """The parameter that searches try."""
        return next(iter(self.smallest))

    def read_parameters(self, arguments: Mapping[str, object]) -> dict[str, int]:
        """Check the parameters among the arguments of a call."""
        return {name: whole(name, arguments.get(name), smallest) for name, smallest in self.smallest.items()}


def refuse_few(population: Population, parameters: Parameters) -> None:
    """A group takes at least k, or l."""
    ((name, value),) = parameters.items()
    if population.size < value:
        raise TooFewRows(population.size, name, value, population.noun)


def refuse_frequent(population: Population, parameters: Parameters) -> None:
    """No sensitive value may be in more than 1/l of the whole: some group would have it in more than 1/l, too."""
    refuse_few(population, parameters)
    for counts in population.holders:
        if counts[0] * parameters["l"] > population.size:
            raise NotEligible.too_frequent(counts[0], population.size, parameters["l"], population.noun)


def largest_l(population: Population) -> int:
    """How often the most frequent sensitive value goes into the whole."""
    return min(population.size // counts[0] for counts in population.holders)


MODELS = (
    Model("kanonymous", {"k": 1}, ("k",), sensitive=False, refuse=refuse_few, strongest=lambda whole: whole.size),
    Model("ldiverse", {"l": 2}, ("l",), sensitive=True, refuse=refuse_frequent, strongest=largest_l),
)


def find(function: object) -> Model:
    """The model of a release function; SA102 lists the choices."""
    for model in MODELS:
        if model.function == function:
            return model
    raise InvalidParameter.unknown("model", function, (model.function for model in MODELS))


def find_bound(name: str) -> Bound:
    """A bound by its name."""
    return next(bound for bound in BOUNDS if bound.name == name)
