"""Privacy models: what each release function promises, one row each, by the bounds of sqlanon/bounds/.

`violations` lists the classes that break a bound, and a release function recounts its bounds before a row leaves.

>>> choose("ldiverse", ["l"]).promise
('l',)
>>> choose("ldiverse", ["l", "c"]).name
'recursive diversity'
>>> choose("ldiverse", ["l"]).refuse([Population("rows", 6, [[5, 1]])], {"l": 2})
Traceback (most recent call last):
sqlanon.errors.NotEligible: [SA201] one sensitive value is in 5 of 6 rows; l = 2 allows 3. The largest l is 1. …
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.arguments import whole
from sqlanon.bounds import BOUNDS, BY_NAME, Bound, Population
from sqlanon.bounds.eligibility import refuse_ineligible
from sqlanon.bounds.l import largest_l
from sqlanon.bounds.tau import refuse_tau
from sqlanon.errors import InvalidParameter, NotEligible, TooFewRows

from .parameters import BoundParameter, Parameter

LIST_BOUNDS = (
    Bound("l", "Every list has l values.", "", 1, broken="a list of column {which!r} has fewer than l = {l} values"),
    Bound("t", "No list tells more.", "", 0, 1, broken="a list of column {which!r} tells more than t = {t} allows"),
)
"""Of releases without groups: a row publishes lists, and each list keeps the bounds of its column."""

Parameters = Mapping[str, Any]
"""The privacy parameters of a release by name, in the order in which kernels take them; whole but for c and tau."""


def refuse_none(parameters: Parameters) -> None:
    """Parameters that are legal one by one are legal together."""


def refuse_search(population: Population) -> int:
    """No search tries this model."""
    raise InvalidParameter("there is no search for the strongest parameter of this model.")


@dataclass(frozen=True)
class Model:
    """`function` publishes by it, with these `parameters`; `promise` has the bounds that hold in every group, or list.

    `sensitive`: it is about sensitive attributes. `refuse_parameters` raises SA102 if parameters do not go together.
    `refuse` raises SA201 or SA202 if no release can keep the promise for every population of a table, its rows and, if
    they are known, its people, and says what all of them allow; `strongest`, for models that searches try, is the
    largest value of the first parameter that a population allows. `any_bounds`: the parameters are bounds, any of which
    may be left out; kernels take a requirement in their place.
    """

    name: str
    function: str
    parameters: tuple[Parameter, ...]
    promise: tuple[str, ...]
    sensitive: bool
    refuse: Callable[[Sequence[Population], Parameters], None]
    strongest: Callable[[Population], int] = refuse_search
    refuse_parameters: Callable[[Parameters], None] = refuse_none
    bounds: tuple[Bound, ...] = BOUNDS
    any_bounds: bool = False

    @property
    def promised(self) -> tuple[Bound, ...]:
        """The bounds of the promise."""
        return tuple(bound for name in self.promise for bound in self.bounds if bound.name == name)

    @property
    def parameter(self) -> str:
        """The parameter that searches try."""
        return self.parameters[0].name

    @property
    def smallest(self) -> Parameters:
        """The weakest promise."""
        return {parameter.name: parameter.smallest for parameter in self.parameters}

    @property
    def example(self) -> dict[str, float]:
        """Parameters for a table of two values, each in half of the rows."""
        return {parameter.name: parameter.example for parameter in self.parameters}

    @property
    def required(self) -> tuple[str, ...]:
        """The parameters that no call can leave out."""
        return () if self.any_bounds else tuple(parameter.name for parameter in self.parameters)

    def read_parameters(self, arguments: Mapping[str, object]) -> dict[str, float]:
        """Check the parameters among the arguments of a call."""
        parameters = {parameter.name: parameter.read(arguments.get(parameter.name)) for parameter in self.parameters}
        self.refuse_parameters(parameters)
        return parameters


def refuse_few(populations: Sequence[Population], parameters: Parameters) -> None:
    """A group takes at least k, or l."""
    smallest = min(populations, key=lambda population: population.size)
    for name, value in parameters.items():
        if name in ("k", "l") and smallest.size < value:
            raise TooFewRows(smallest.size, name, math.ceil(value), smallest.noun)
    if not smallest.size:
        raise TooFewRows.empty()


def refuse_frequent(populations: Sequence[Population], parameters: Parameters) -> None:
    """No sensitive value may be in more than 1/l of the whole: some group would have it in more than 1/l, too."""
    refuse_few(populations, parameters)
    strictest = min(populations, key=largest_whole_l)
    counts = max(strictest.holders, key=lambda counts: counts[0])
    if counts[0] * parameters["l"] > strictest.size:
        only_rows = len(populations) == 1
        raise NotEligible.too_frequent(counts, strictest.size, int(parameters["l"]), strictest.noun, only_rows)


def refuse_top_heavy(populations: Sequence[Population], parameters: Parameters) -> None:
    """If every group is recursive (c,l)-diverse, so is the whole."""
    refuse_few(populations, parameters)
    l, c = int(parameters["l"]), parameters["c"]
    tops = [
        (counts[0], sum(counts[l - 1 :]), population.noun)
        for population in populations
        for counts in population.holders
    ]
    top, tail, noun = max(tops, key=lambda one: one[0] / one[1] if one[1] else math.inf)
    if top >= c * tail:
        raise NotEligible.top_heavy(top, tail, l, c, noun)


def largest_whole_l(population: Population) -> int:
    """The largest l of those that ldiverse takes."""
    return math.floor(largest_l(population, {}))


def refuse_few_values(populations: Sequence[Population], parameters: Parameters) -> None:
    """Up to l values share a class; as a label covers them all, nothing else is needed."""
    for counts in populations[0].holders or ((),):
        if len(counts) < parameters["l"]:
            refuse_few(populations, {"l": parameters["l"]})
            raise InvalidParameter(
                f"l = {int(parameters['l'])} is out of range: a sensitive attribute has {len(counts)} values.",
                f"It goes from 2 to {len(counts)}." if len(counts) > 1 else "There is nothing to tell apart.",
            )


def refuse_few_rows_or_values(populations: Sequence[Population], parameters: Parameters) -> None:
    """A class takes k rows, too."""
    refuse_few_values(populations, parameters)
    refuse_few(populations, {"k": parameters["k"]})


def refuse_small_domain(populations: Sequence[Population], parameters: Parameters) -> None:
    """A list of l values takes a domain of l values or more."""
    population = populations[0]
    if not population.size:
        raise TooFewRows.empty() if parameters.get("l") is None else TooFewRows(0, "l", int(parameters["l"]))
    for name, counts in zip(population.names, population.holders, strict=True):
        if parameters.get("l") is not None and len(counts) < parameters["l"]:
            refuse_few(populations, parameters)
            raise NotEligible.small_domain(name, len(counts), int(parameters["l"]))


def refuse_any(populations: Sequence[Population], parameters: Parameters) -> None:
    """A group takes at least k, or l; and the whole table, as one class, keeps every bound. With c, l is a rank of
    values: one person may have them all.
    """
    refuse_few(populations, {name: value for name, value in parameters.items() if name != "l" or "c" not in parameters})
    refuse_ineligible(populations, parameters, of_bounds(parameters).promised)


def refuse_alone(parameters: Parameters) -> None:
    """There is a bound, and each that needs another one has it, as a whole number."""
    if not parameters:
        names = ", ".join(parameter.name for parameter in ANY_BOUNDS.parameters)
        raise InvalidParameter("anonymize needs a bound.", f"Give at least one of {names}.")
    for parameter in ANY_BOUNDS.parameters:
        bound = BY_NAME[parameter.name]
        if bound.name in parameters and bound.needs:
            if bound.needs not in parameters:
                raise InvalidParameter(
                    f"{bound.name} is given without {bound.needs}.",
                    f"({bound.name},{bound.needs})-diversity needs both.",
                )
            whole(bound.needs, parameters[bound.needs], bound.needs_from)


ANY_BOUNDS = Model(
    "any bounds",
    "anonymize",
    tuple(BoundParameter.of(bound) for bound in BOUNDS if bound.name != "tau"),
    promise=tuple(bound.name for bound in BOUNDS if bound.name != "tau"),
    sensitive=True,
    refuse=refuse_any,
    refuse_parameters=refuse_alone,
    any_bounds=True,
)
"""All bounds of groups of rows; of_bounds makes the model of some of them. Those of labels are another model's."""

MODELS: tuple[Model, ...] = (
    Model(
        "k-anonymity",
        "kanonymous",
        (Parameter("k", 1),),
        promise=("k",),
        sensitive=False,
        refuse=refuse_few,
        strongest=lambda whole: whole.size,
    ),
    Model(
        "l-diversity",
        "ldiverse",
        (Parameter("l", 2),),
        promise=("l",),
        sensitive=True,
        refuse=refuse_frequent,
        strongest=largest_whole_l,
    ),
    Model(
        "recursive diversity",
        "ldiverse",
        (Parameter("l", 2), Parameter("c", 0, whole=False, example=2.0)),
        promise=("c",),
        sensitive=True,
        refuse=refuse_top_heavy,
    ),
    ANY_BOUNDS,
    Model(
        "tau-diversity",
        "taudiverse",
        (Parameter("tau", 0, whole=False, example=0.5), Parameter("l", 2)),
        promise=("tau",),
        sensitive=True,
        refuse=refuse_few_values,
        refuse_parameters=refuse_tau,
    ),
    Model(
        "tau-diversity and k-anonymity",
        "taudiverse",
        (Parameter("tau", 0, whole=False, example=0.5), Parameter("l", 2), Parameter("k", 1)),
        promise=("k", "tau"),
        sensitive=True,
        refuse=refuse_few_rows_or_values,
        refuse_parameters=refuse_tau,
    ),
    Model(
        "(l1 … lq)-diversity and (t1 … tq)-closeness",  # each column has its l, its t, or both
        "randomize",
        (Parameter("l", 1), Parameter("t", 0, whole=False, example=0.5, below=1)),
        promise=("l", "t"),
        sensitive=True,
        refuse=refuse_small_domain,
        bounds=LIST_BOUNDS,
    ),
)


def choose(function: object, parameters: Collection[str] | None = None) -> Model:
    """The model of a release function that has these parameters, or its first; SA102 lists the choices."""
    for model in MODELS:
        if model.function == function:
            if parameters is not None and model.any_bounds:
                return of_bounds(parameters)
            if parameters is None or {parameter.name for parameter in model.parameters} == set(parameters):
                return model
    raise InvalidParameter.unknown("model", function, (model.name for model in MODELS))


def of_bounds(names: Collection[str]) -> Model:
    """The model of any of these bounds together. The l of recursive diversity says what c means, and is no bound."""
    parameters = tuple(parameter for parameter in ANY_BOUNDS.parameters if parameter.name in names)
    promise = tuple(name for name in ANY_BOUNDS.promise if name in names and not (name == "l" and "c" in names))
    about_values = any(bound.is_sensitive for bound in BOUNDS if bound.name in promise)
    return replace(ANY_BOUNDS, parameters=parameters, promise=promise, sensitive=about_values)


def find(name: str) -> Model:
    """A model by its name."""
    return next(model for model in MODELS if model.name == name)


MOST_CELLS = 5_000_000
"""Of one cross tabulation of randomized columns."""
GROUNDS = ("equal", "ordered")
"""How far apart the values of a column are for (t1, …, tq)-closeness: all the same, or by their positions in order."""
