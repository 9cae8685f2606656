"""The arguments of randomize, and of the functions that read what it publishes.

>>> arguments = {"tbl": "patients", "l": {"age": 2}, "t": {"AGE": 0.3, "job": 0.2}}
>>> read_randomization("randomize_params", arguments).protected
(('age', 2, 0.3), ('job', None, 0.2))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.arguments import (
    by_column,
    choice,
    column_list,
    fold,
    number,
    refuse_many,
    refuse_repeats,
    secret_number,
    taxonomies,
    text,
    type_name,
    whole,
)
from sqlanon.errors import InvalidParameter, WrongColumn
from sqlanon.functions import complete_arguments

from .release import MOST_COLUMNS

METHODS = ("bayes", "value_adding")
MOST_ATTRIBUTES = 6
"""Of one cross tabulation."""


@dataclass(frozen=True)
class Randomization:
    """The checked arguments of randomize and randomize_params. `protected`: columns, each with its l, t, or both.

    `domain` pairs some of them with tables of the values that they can have.
    """

    function: str
    tbl: str
    protected: tuple[tuple[str, int | None, float | None], ...]
    keep: tuple[str, ...]
    seed: int | None
    domain: tuple[tuple[str, str], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The protected columns."""
        return tuple(name for name, _, _ in self.protected)


@dataclass(frozen=True)
class Reconstruction:
    """The checked arguments of reconstruct and distribution_distance, which alone has a source."""

    function: str
    src: str | None
    rel: str
    params: str
    attributes: tuple[str, ...]
    method: str


@dataclass(frozen=True)
class RandomizationPrivacy:
    """The checked arguments of randomization_privacy."""

    function: str
    rel: str
    params: str


def read_randomization(function: str, arguments: Mapping[str, object]) -> Randomization:
    """Check the arguments of randomize and randomize_params."""
    arguments = complete_arguments(function, arguments)
    protected = read_protected(arguments["l"], arguments["t"])
    keep = column_list("keep", arguments.get("keep"), at_least_one=False)
    refuse_repeats({"l and t": tuple(name for name, _, _ in protected), "keep": keep}, reserved=())
    refuse_many("l, t and keep name", len(protected) + len(keep), MOST_COLUMNS)
    return Randomization(
        function=function,
        tbl=text("tbl", arguments["tbl"]),
        protected=protected,
        keep=keep,
        seed=secret_number("seed", arguments.get("seed")),
        domain=read_domains(function, arguments["options"], tuple(name for name, _, _ in protected)),
    )


def read_protected(l: object, t: object) -> tuple[tuple[str, int | None, float | None], ...]:
    """The columns that l or t names, those of l first, with their parameters."""
    names: dict[str, str] = {}
    for argument in (l, t):
        for name in argument if isinstance(argument, Mapping) else ():
            names.setdefault(fold(str(name)), str(name))
    columns = tuple(names.values())
    lengths = by_column("l", l, columns, "l", f"from column to whole number, not {type_name(l)}", "2")
    bounds = by_column("t", t, columns, "t", f"from column to number, not {type_name(t)}", "0.3")
    parameters = ((name, read_length(name, lengths.get(name)), read_bound(name, bounds.get(name))) for name in columns)
    protected = tuple(each for each in parameters if each[1:] != (None, None))
    if not protected:
        raise InvalidParameter("l and t name no column to protect.", "Write l := {'city': 2}, or t := {'city': 0.3}.")
    return protected


def read_length(column: str, value: object) -> int | None:
    """The l of a column."""
    return None if value is None else whole(f"the l of column {column!r}", value, smallest=2)


def read_bound(column: str, value: object) -> float | None:
    """The t of a column. 0 would allow nothing to be told, 1 everything."""
    t = number(f"the t of column {column!r}", value)
    if t is not None and not 0 < t < 1:
        raise InvalidParameter(f"the t of column {column!r} = {t} is out of range.", "It lies between 0 and 1.")
    return None if t is None else float(t)


def read_domains(function: str, options: object, protected: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The tables of options.domain, the one option there is."""
    if options is None:
        return ()
    if not isinstance(options, Mapping):
        raise InvalidParameter(f"options must be a struct or map, not {type_name(options)}.")
    for name in options:
        if name != "domain":
            raise InvalidParameter(f"options: {str(name)!r} is not an option of {function}.", "It takes: domain.")
    return taxonomies(options.get("domain"), protected, "l or t", "domain")


def read_reconstruction(function: str, arguments: Mapping[str, object]) -> Reconstruction:
    """Check the arguments of reconstruct and distribution_distance."""
    arguments = complete_arguments(function, arguments)
    attributes = column_list("attributes", arguments["attributes"], at_least_one=True)
    refuse_repeats({"attributes": attributes}, reserved=())
    if len(attributes) > MOST_ATTRIBUTES:
        raise InvalidParameter(
            f"attributes names {len(attributes)} columns; up to {MOST_ATTRIBUTES} are possible.",
            "A cross tabulation of more would tell nothing.",
        )
    if function == "reconstruct" and "count" in map(fold, attributes):
        raise WrongColumn("attributes: a column cannot be called 'count'.", "The answer adds its own; rename it.")
    return Reconstruction(
        function=function,
        src=text("src", arguments["src"]) if function == "distribution_distance" else None,
        rel=text("rel", arguments["rel"]),
        params=text("params", arguments["params"]),
        attributes=attributes,
        method=choice("method", arguments["method"], METHODS),
    )


def read_privacy(function: str, arguments: Mapping[str, object]) -> RandomizationPrivacy:
    """Check the arguments of randomization_privacy."""
    arguments = complete_arguments(function, arguments)
    return RandomizationPrivacy(function, text("rel", arguments["rel"]), text("params", arguments["params"]))
