"""The arguments of the functions that publish.

>>> request = read_release("ldiverse", {"tbl": "patients", "qi": ["age", "zip"], "sa": "disease", "l": 3})
>>> request.algo, request.recode, request.format
('hilbert', 'generalize', 'text')
>>> read_release("ldiverse", {"tbl": "patients", "qi": ["age", "AGE"], "sa": "disease", "l": 3})
Traceback (most recent call last):
sqlanon.errors.WrongColumn: [SA101] column 'AGE' is given twice in qi. Column names differ by more than case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlanon.arguments import (
    MOST_BINS,
    MOST_COLUMNS,
    MOST_QI,
    column_list,
    loss_weights,
    one_column,
    refuse_many,
    refuse_repeats,
    taxonomies,
    text,
    type_name,
    whole,
)
from sqlanon.errors import InvalidParameter
from sqlanon.functions import read_arguments, signature

from . import algorithms, models


@dataclass(frozen=True)
class Release:
    """The checked arguments of kanonymous and ldiverse.

    `caller` is the function of the statement: one that tries releases may be another than `function`. `parameters` are
    those of the model, k or l; `sa` is empty where the model needs none. Without a `seed`, algorithms that draw take
    one that nobody knows. `options` are those that the kernel takes. `bins`: of a column of numbers whose taxonomy is
    made. `unpublished` are columns that the algorithm sees and nobody else, by what they are for: `entity` tells people
    apart, `class` is what a classifier would learn. `weights` pairs sensitive attributes with tables that say how
    likely each of their values is thought to be.
    """

    function: str
    caller: str
    tbl: str
    qi: tuple[str, ...]
    sa: tuple[str, ...]
    parameters: tuple[tuple[str, float], ...]
    algo: str
    taxonomy: tuple[tuple[str, str], ...]
    recode: str
    format: str
    keep: tuple[str, ...]
    nulls: str
    seed: int | None
    options: tuple[tuple[str, object], ...]
    bins: int
    unpublished: tuple[tuple[str, str], ...]
    weights: tuple[tuple[str, str], ...]

    @property
    def model(self) -> models.Model:
        return models.choose(self.function, [name for name, _ in self.parameters])

    @property
    def algorithm(self) -> algorithms.Algorithm:
        return algorithms.find(self.model.name, self.algo)

    @property
    def entity(self) -> str | None:
        return dict(self.unpublished).get("entity")

    @property
    def publishes_labels(self) -> bool:
        """Whether the algorithm decides on the labels that are published, and not the extents of groups."""
        return self.recode == "generalize" and self.algorithm.publishes is not algorithms.Publishes.EXTENTS


def read_tp(function: str, arguments: Mapping[str, object]) -> Release:
    """Check the arguments of tp_phases: those of ldiverse with algo 'tp'."""
    return read_release("ldiverse", {**read_arguments(function, arguments), "algo": "tp"}, caller=function)


def read_full_domain(function: str, arguments: Mapping[str, object]) -> Release:
    """Check the arguments of full_domain_levels: those of a release by incognito, of k without sa, of l with it."""
    checked = read_arguments(function, arguments)
    wanted, other = ("kanonymous", "l") if checked["sa"] is None else ("ldiverse", "k")
    if checked[other] is not None:
        raise InvalidParameter(
            "l needs sa." if other == "l" else "k goes without sa.", "Without sa, give k; with sa, give l."
        )
    shared = {name: value for name, value in checked.items() if name in signature(wanted)}
    return read_release(wanted, {**shared, "algo": "incognito"}, caller=function)


def read_release(function: str, arguments: Mapping[str, object], caller: str | None = None) -> Release:
    """Check the arguments of a release function; `caller` is the function of the statement, if it is another."""
    checked = read_arguments(function, arguments)
    first = models.choose(function)
    options = read_options(checked["options"], algorithms.find(first.name, checked["algo"]), first)
    further = [
        name for name in further_parameters(first, checked["algo"]) if name in options or checked.get(name) is not None
    ]
    model = models.choose(function, [*first.required, *further])
    algorithm = algorithms.find(model.name, checked["algo"])
    parameters = model.read_parameters({**checked, **options})
    qi = checked["qi"]
    keep = checked["keep"]
    if model.any_bounds:
        refuse_unneeded_sa(model, checked["sa"])
    sa = sensitive_columns(checked["sa"], algorithm) if model.sensitive else ()
    entity = read_entity(checked.get("entity"), options.get("individual"))
    refuse_repeats({"qi": qi, "sa": sa, "keep": keep, "entity": () if entity is None else (entity,)})
    refuse_many("qi names", len(qi), MOST_QI)
    refuse_many("qi, sa and keep name", len(qi) + len(sa) + len(keep), MOST_COLUMNS)
    recode = checked.get("recode") or algorithm.recode
    refuse_exact(recode, model)
    if dict(options).get("suppress"):
        refuse_suppression(model)
    if algorithm.pairs and parameters["l"] != 2:
        raise InvalidParameter(
            f"algo {algorithm.name!r} works for l = 2 only, not {parameters['l']}.", "Choose another algo."
        )
    generalized = sa if algorithm.publishes is algorithms.Publishes.SENSITIVE_LEVELS else ()
    roles = ("qi", "sa") if generalized else ("qi",)
    unpublished = {"entity": entity, "class": options.get("class")}
    weights = options.get("weights")
    if weights is not None and "weights" in algorithm.takes:
        options["weights"], weights = loss_weights(weights, qi), None
    return Release(
        function=function,
        caller=caller or function,
        tbl=checked["tbl"],
        qi=qi,
        sa=sa,
        parameters=tuple(parameters.items()),
        algo=algorithm.name,
        taxonomy=taxonomies(checked["taxonomy"], (*qi, *generalized), " or ".join(roles)),
        recode=recode,
        format=checked["format"],
        keep=keep,
        nulls=checked.get("nulls", "value"),
        seed=checked.get("seed"),
        options=tuple((name, options[name]) for name in algorithm.takes if name in options),
        bins=options.get("bins", algorithm.bins),
        unpublished=tuple((purpose, column) for purpose, column in unpublished.items() if column is not None),
        weights=read_weights(weights, sa),
    )


def refuse_unneeded_sa(model: models.Model, sa: object) -> None:
    """Any bound but k needs a sensitive attribute; k alone would publish one that nothing protects."""
    if model.sensitive and sa is None:
        needing = next(bound.name for bound in model.promised if bound.is_sensitive)
        raise InvalidParameter(f"{needing} needs sa.", "Name the sensitive attribute, or leave out all bounds but k.")
    if not model.sensitive and sa is not None:
        raise InvalidParameter(
            "k alone protects no sensitive attribute.", "Give l or another bound, too, or name the column in keep."
        )


def refuse_exact(recode: str, model: models.Model) -> None:
    """With exact quasi-identifiers, a class is a row, and what is published beside it is a list of sensitive values."""
    if recode == "none" and not model.sensitive:
        raise InvalidParameter(
            f"recode: 'none' publishes exact quasi-identifiers, which for {model.function} is the microdata itself.",
            "Choose 'generalize' or 'suppress'.",
        )
    if recode == "none" and model.any_bounds:
        raise InvalidParameter(
            f"recode: 'none' publishes exact quasi-identifiers, and {model.function} keeps bounds of classes.",
            "Choose 'generalize' or 'suppress'; ldiverse publishes lists of sensitive values.",
        )


def refuse_suppression(model: models.Model) -> None:
    """Bounds that compare classes with the whole table would be about another one once rows are left out."""
    compared = [bound.name for bound in model.promised if bound.compares_with_whole]
    if compared and model.any_bounds:
        raise InvalidParameter(
            f"options.suppress: {' and '.join(compared)} compare classes with all that is published, which is not "
            "known before rows are left out.",
            "Leave out options.suppress, or these bounds.",
        )


def read_entity(entity: object, individual: object) -> str | None:
    """The column that tells people apart; the option `individual` is an older name of it."""
    if entity is not None and individual is not None:
        raise InvalidParameter("entity and options.individual both name who a row is about.", "Give entity alone.")
    column = individual if entity is None else entity
    return None if column is None else text("entity", column)


def read_weights(weights: object, sa: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Pairs of a sensitive attribute and the table of its weights; a table alone will do for one attribute."""
    if isinstance(weights, str) and len(sa) == 1:
        return ((sa[0], text("options.weights", weights)),)
    return taxonomies(weights, sa, "sa", "options.weights")


def sensitive_columns(sa: object, algorithm: algorithms.Algorithm) -> tuple[str, ...]:
    """One sensitive attribute, or as many as the algorithm can protect at once."""
    if not algorithm.protects_several:
        return (one_column(sa),)
    return column_list("sa", [sa] if isinstance(sa, str) else sa, at_least_one=True)


OPTIONS: dict[str, Callable[[str, object], Any]] = {
    **algorithms.OPTIONS,
    "individual": text,
    "class": text,
    "weights": lambda argument, value: value,  # of columns, or tables of them: see loss_weights and read_weights
    "bins": lambda argument, value: whole(argument, value, 0, MOST_BINS),
    "c": lambda argument, value: value,  # read as a parameter of its model
}
"""How the value of each option is read."""


def read_options(options: object, algorithm: algorithms.Algorithm, model: models.Model) -> dict[str, Any]:
    """Check the keys and the values of options; one that is NULL is as good as left out."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise InvalidParameter(f"options must be a struct or map, not {type_name(options)}.")
    further = (name for name in further_parameters(model, algorithm.name) if name not in signature(model.function))
    known = (*algorithm.options, *further)
    for name in options:
        if name not in known:
            raise InvalidParameter(
                f"options: {str(name)!r} is not an option of {model.function} with algo {algorithm.name!r}.",
                f"It takes: {', '.join(known) or 'none'}.",
            )
    return {name: OPTIONS[name](f"options.{name}", value) for name, value in options.items() if value is not None}


def further_parameters(model: models.Model, algo: object) -> tuple[str, ...]:
    """Parameters that, as arguments or options, make another model of a function's first: c makes l-diversity
    recursive.
    """
    served = {algorithm.model for algorithm in algorithms.ALGORITHMS if algorithm.name == algo}
    others = (one for one in models.MODELS if one.function == model.function and one.name in served)
    return tuple(name for other in others for name in other.smallest if name not in model.required)
