"""The arguments of randomize, and of the functions that read what it publishes.

>>> arguments = {"tbl": "patients", "l": {"age": 2}, "t": {"AGE": 0.3, "job": 0.2}}
>>> read_randomization("randomize_params", arguments).protected
(('age', 2, 0.3), ('job', None, 0.2))
>>> read_randomization("randomize_params", {**arguments, "options": {"ground": {"Age": "ordered"}}}).grounds
('ordered', 'equal')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlanon.arguments import (
    MOST_BINS,
    MOST_COLUMNS,
    by_column,
    choice,
    fold,
    refuse_many,
    refuse_repeats,
    taxonomies,
    type_name,
    whole,
)
from sqlanon.errors import InvalidParameter, WrongColumn
from sqlanon.functions import read_arguments
from sqlanon.release.models import GROUNDS, choose
from sqlanon.release.parameters import Parameter

OPTIONS = ("domain", "bins", "ground")
MOST_ATTRIBUTES = 6
"""Of one cross tabulation."""


@dataclass(frozen=True)
class Randomization:
    """The checked arguments of randomize and randomize_params. `protected`: columns, each with its l, t, or both.

    `domain` pairs some of them with tables of the values that they can have, `bins` with how many bins their values are
    put in, `ground` with how far apart values are.
    """

    function: str
    tbl: str
    protected: tuple[tuple[str, int | None, float | None], ...]
    keep: tuple[str, ...]
    seed: int | None
    domain: tuple[tuple[str, str], ...]
    bins: tuple[tuple[str, int], ...]
    ground: tuple[tuple[str, str], ...]

    @property
    def grounds(self) -> tuple[str, ...]:
        """How far apart values are, for each protected column."""
        chosen = dict(self.ground)
        return tuple(chosen.get(name, GROUNDS[0]) for name in self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The protected columns."""
        return tuple(name for name, _, _ in self.protected)


@dataclass(frozen=True)
class Reconstruction:
    """The checked arguments of functions that reconstruct; distribution_distance alone has a source."""

    function: str
    src: str | None
    rel: str
    params: str
    attributes: tuple[str, ...]
    method: str


@dataclass(frozen=True)
class PublishedParameters:
    """A table of parameters, and the function that it was given to."""

    function: str
    params: str


@dataclass(frozen=True)
class RandomizationPrivacy:
    """The checked arguments of randomization_privacy."""

    function: str
    rel: str
    params: str


def read_randomization(function: str, arguments: Mapping[str, object]) -> Randomization:
    """Check the arguments of randomize and randomize_params."""
    checked = read_arguments(function, arguments)
    protected = read_protected(checked["l"], checked["t"])
    keep = checked.get("keep", ())
    refuse_repeats({"l and t": tuple(name for name, _, _ in protected), "keep": keep}, reserved=())
    refuse_many("l, t and keep name", len(protected) + len(keep), MOST_COLUMNS)
    options = read_options(function, checked["options"])
    names = tuple(name for name, _, _ in protected)
    domain, bins = taxonomies(options.get("domain"), names, "l or t", "domain"), read_bins(options.get("bins"), names)
    for name, _ in bins:
        if name in dict(domain):
            raise InvalidParameter(f"column {name!r} has both domain and bins in options.", "Give one of them.")
    return Randomization(
        function=function,
        tbl=checked["tbl"],
        protected=protected,
        keep=keep,
        seed=checked.get("seed"),
        domain=domain,
        bins=bins,
        ground=read_grounds(options.get("ground"), names),
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
    length, bound = choose("randomize").parameters
    parameters = (
        (name, read_parameter(length, name, lengths.get(name)), read_parameter(bound, name, bounds.get(name)))
        for name in columns
    )
    protected = tuple(each for each in parameters if each[1:] != (None, None))
    if not protected:
        raise InvalidParameter("l and t name no column to protect.", "Write l := {'city': 2}, or t := {'city': 0.3}.")
    return protected


def read_parameter(parameter: Parameter, column: str, value: object) -> Any:
    """A parameter of a column, if it has this one."""
    return None if value is None else parameter.read(value, f"the {parameter.name} of column {column!r}")


def read_options(function: str, options: object) -> Mapping[str, object]:
    """The options by name."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise InvalidParameter(f"options must be a struct or map, not {type_name(options)}.")
    for name in options:
        if name not in OPTIONS:
            takes = f"It takes: {', '.join(OPTIONS)}."
            raise InvalidParameter(f"options: {str(name)!r} is not an option of {function}.", takes)
    return options


def read_bins(value: object, protected: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Pairs of a column and its number of bins. One bin would be one value: there would be nothing to hide it among."""
    expected = f"from column to whole number, not {type_name(value)}"
    bins = by_column("bins", value, protected, "l or t", expected, "20")
    return tuple(
        (column, whole(f"the bins of column {column!r}", number, 2, MOST_BINS))
        for column, number in bins.items()
        if number is not None
    )


def read_grounds(value: object, protected: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Pairs of a column and how far apart its values are."""
    expected = f"from column to {' or '.join(map(repr, GROUNDS))}, not {type_name(value)}"
    grounds = by_column("ground", value, protected, "l or t", expected, "'ordered'")
    return tuple(
        (column, choice(f"the ground of column {column!r}", ground, GROUNDS))
        for column, ground in grounds.items()
        if ground is not None
    )


def read_reconstruction(function: str, arguments: Mapping[str, object]) -> Reconstruction:
    """Check the arguments of reconstruct, reconstruction_steps and distribution_distance."""
    checked = read_arguments(function, arguments)
    attributes = checked["attributes"]
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
        src=checked["src"] if function == "distribution_distance" else None,
        rel=checked["rel"],
        params=checked["params"],
        attributes=attributes,
        method=checked["method"],
    )


def read_privacy(function: str, arguments: Mapping[str, object]) -> RandomizationPrivacy:
    """Check the arguments of randomization_privacy."""
    checked = read_arguments(function, arguments)
    return RandomizationPrivacy(function, checked["rel"], checked["params"])
