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

from sqlanon import algorithms, models
from sqlanon.arguments import (
    choice,
    column_list,
    flag,
    one_column,
    refuse_many,
    refuse_repeats,
    secret_number,
    taxonomies,
    text,
    type_name,
)
from sqlanon.errors import InvalidParameter
from sqlanon.functions import complete_arguments

from .nulls import NULLS

MOST_QI, MOST_COLUMNS = 100, 200
"""Quasi-identifiers, and columns in all, of one release: some ten seconds to plan, and half the depth DuckDB allows."""

RECODES = ("generalize", "suppress", "none")
FORMATS = ("text", "typed")


@dataclass(frozen=True)
class Release:
    """The checked arguments of kanonymous and ldiverse.

    `caller` is the function of the statement: one that tries releases may be another than `function`. `parameters` are
    those of the model, k or l; `sa` is empty where the model needs none. Without a `seed`, algorithms that draw take
    one that nobody knows. `options` are those that the kernel takes. `entity` is a column that tells people apart.
    """

    function: str
    caller: str
    tbl: str
    qi: tuple[str, ...]
    sa: tuple[str, ...]
    parameters: tuple[tuple[str, int], ...]
    algo: str
    taxonomy: tuple[tuple[str, str], ...]
    recode: str
    format: str
    keep: tuple[str, ...]
    nulls: str
    seed: int | None
    options: tuple[tuple[str, object], ...]
    entity: str | None

    @property
    def model(self) -> models.Model:
        return models.find(self.function)

    @property
    def algorithm(self) -> algorithms.Algorithm:
        return algorithms.find(self.function, self.algo)


def read_tp(function: str, arguments: Mapping[str, object]) -> Release:
    """Check the arguments of tp_phases: those of ldiverse with algo 'tp'."""
    return read_release("ldiverse", {**complete_arguments(function, arguments), "algo": "tp"}, caller=function)


def read_release(function: str, arguments: Mapping[str, object], caller: str | None = None) -> Release:
    """Check the arguments of a release function; `caller` is the function of the statement, if it is another."""
    arguments = complete_arguments(function, arguments)
    model = models.find(function)
    algorithm = algorithms.find(function, arguments["algo"])
    qi = column_list("qi", arguments["qi"], at_least_one=True)
    keep = column_list("keep", arguments["keep"], at_least_one=False)
    sa = sensitive_columns(arguments["sa"], algorithm) if model.sensitive else ()
    options = read_options(arguments["options"], algorithm)
    entity = read_entity(arguments["entity"], options.pop("individual", None))
    refuse_repeats({"qi": qi, "sa": sa, "keep": keep, "entity": () if entity is None else (entity,)})
    refuse_many("qi names", len(qi), MOST_QI)
    refuse_many("qi, sa and keep name", len(qi) + len(sa) + len(keep), MOST_COLUMNS)
    recode = algorithm.recode if arguments["recode"] is None else choice("recode", arguments["recode"], RECODES)
    if recode == "none" and not model.sensitive:
        raise InvalidParameter(
            f"recode: 'none' publishes exact quasi-identifiers, which for {function} is the microdata itself.",
            "Choose 'generalize' or 'suppress'.",
        )
    parameters = model.read_parameters(arguments)
    if algorithm.pairs and parameters["l"] != 2:
        raise InvalidParameter(
            f"algo {algorithm.name!r} works for l = 2 only, not {parameters['l']}.", "Choose another algo."
        )
    return Release(
        function=function,
        caller=caller or function,
        tbl=text("tbl", arguments["tbl"]),
        qi=qi,
        sa=sa,
        parameters=tuple(parameters.items()),
        algo=algorithm.name,
        taxonomy=taxonomies(arguments["taxonomy"], qi),
        recode=recode,
        format=choice("format", arguments["format"], FORMATS),
        keep=keep,
        nulls=choice("nulls", arguments["nulls"], NULLS),
        seed=secret_number("seed", arguments["seed"]),
        options=tuple(options.items()),
        entity=entity,
    )


def read_entity(entity: object, individual: object) -> str | None:
    """The column that tells people apart; the option `individual` is an older name of it."""
    if entity is not None and individual is not None:
        raise InvalidParameter("entity and options.individual both name who a row is about.", "Give entity alone.")
    column = individual if entity is None else entity
    return None if column is None else text("entity", column)


def sensitive_columns(sa: object, algorithm: algorithms.Algorithm) -> tuple[str, ...]:
    """One sensitive attribute, or as many as the algorithm can protect at once."""
    if not algorithm.apart:
        return (one_column(sa),)
    return column_list("sa", [sa] if isinstance(sa, str) else sa, at_least_one=True)


OPTIONS: dict[str, Callable[[str, object], object]] = {"individual": text, "exact": flag}
"""How the value of each option is read."""


def read_options(options: object, algorithm: algorithms.Algorithm) -> dict[str, object]:
    """Check the keys and the values of options; one that is NULL is as good as left out."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise InvalidParameter(f"options must be a struct or map, not {type_name(options)}.")
    for name in options:
        if name not in algorithm.options:
            raise InvalidParameter(
                f"options: {str(name)!r} is not an option of {algorithm.function} with algo {algorithm.name!r}.",
                f"It takes: {', '.join(algorithm.options) or 'none'}.",
            )
    return {name: OPTIONS[name](f"options.{name}", value) for name, value in options.items() if value is not None}
