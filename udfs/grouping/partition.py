"""The algorithm that a statement asks for, found, compiled, and held to its word."""

from __future__ import annotations

import importlib
import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from sqlanon.arguments import secret_number, text
from sqlanon.errors import BrokenPromise, InvalidParameter, NotEligible
from sqlanon.phases import phase
from sqlanon.release import algorithms, models
from sqlanon.release.algorithms import OPTIONS, Algorithm, Publishes
from sqlanon.release.models import Model, Parameters

from ..arrow.arguments import malformed_call
from ..kernels.lattice.lattice import count_nodes
from ..kernels.lattice.search import allowed_rows
from ..kernels.people import join_for_people
from ..kernels.space import Generalization, Ints, Microdata
from .compiling import Partition, warm_up
from .labels import refuse_mixed
from .requirements import kernel_arguments, requirement_of_people

_log = logging.getLogger("sqlanon")

MOST_NODES, MOST_COUNTED = 1_000_000, 100_000
"""Combinations of levels, of which algorithms that publish levels choose; and as many of them as can be counted one by
one, as they have to where rows may be left out.
"""

MOST_LEVELS = 255
"""Of one column: a level is a byte."""

SEED_BITS = 128
"""Of a seed from the operating system, where the setting has none: too many for anybody to try them all."""


def read_model(setting: Mapping[str, Any]) -> tuple[Model, Parameters]:
    """The model of a setting, with its parameters; that the algorithm and the recode are there is checked, too."""
    parameters = mapping("parameters", setting.get("parameters"))
    model = models.choose(setting.get("function"), parameters)
    algorithms.find(model.name, setting.get("algo"))
    text("recode", setting.get("recode"))
    return model, model.read_parameters(parameters)


def algorithm_of(setting: Mapping[str, Any]) -> Algorithm:
    """The algorithm of a setting, which is known to be there."""
    model = models.choose(setting["function"], setting["parameters"])
    return algorithms.find(model.name, setting["algo"])


def may_suppress(setting: Mapping[str, Any], rows: int) -> bool:
    """Whether any of so many rows may be left out: then a table that is not eligible as a whole may still be."""
    return most_suppressed(setting, rows) > 0


def mapping(argument: str, value: object) -> Mapping[str, Any]:
    """A struct; NULL is an empty one."""
    if value is not None and not isinstance(value, Mapping):
        raise malformed_call("setting", f"{argument} is not a struct")
    return value or {}


def grouper(setting: Mapping[str, Any], data: Microdata) -> Callable[[Parameters], Ints | Generalization]:
    """Return the algorithm of a setting, compiled, that groups these rows for any parameters of its model."""
    algorithm = algorithm_of(setting)
    if algorithm.pairs:
        refuse_unpaired(data, algorithm)
    if algorithm.publishes is not Publishes.EXTENTS:
        one_by_one = may_suppress(setting, data.sensitive.size) or algorithm.publishes is Publishes.SENSITIVE_LEVELS
        refuse_large_lattice(data, MOST_COUNTED if one_by_one else MOST_NODES)
    partition = load_kernel(algorithm.kernel)
    model = models.choose(setting["function"], setting["parameters"])
    with phase(f"loading algorithm {algorithm.name!r}"):
        example = kernel_arguments(model, model.example)
        warm_up(partition, algorithm.name, example, trees=algorithm.publishes is not Publishes.EXTENTS)
    takes = kernel_options(algorithm, setting)

    def group(parameters: Parameters) -> Ints | Generalization:
        with phase(f"grouping ({algorithm.name})", data.sensitive.size):
            answer = partition(data, *kernel_arguments(model, parameters), **takes)
        if answer is None:
            raise NotEligible.by_weights()
        if isinstance(answer, Generalization):
            refuse_lost(answer.group_of, data, most_suppressed(setting, data.sensitive.size), NotEligible.no_levels)
            refuse_mixed(answer, data)
            if setting["recode"] == "generalize":  # its groups are its classes, and it counts people itself
                return answer
            return joined_for_people(answer.group_of, data, parameters, setting, NotEligible.no_levels)
        leaves_out = algorithm.apart and data.apart.size
        if not leaves_out:
            refuse_lost(answer, data, 0, NotEligible.no_groups)
        refuse_size(answer, data)
        joined = joined_for_people(answer, data, parameters, setting, NotEligible.no_groups)
        if leaves_out:
            refuse_lost(joined, data, data.sensitive.size, NotEligible.no_groups)
        return joined

    return group


def joined_for_people(
    group_of: Ints,
    data: Microdata,
    parameters: Parameters,
    setting: Mapping[str, Any],
    nothing: Callable[[int], NotEligible],
) -> Ints:
    """The groups, joined until they, and what a reader takes for one, keep the promise for people, if known."""
    if data.person is None:
        return group_of
    with phase("counting people", data.sensitive.size):
        joined = join_for_people(data, data.person, group_of, requirement_of_people(parameters), setting["recode"])
    if joined is None:
        raise nothing(data.sensitive.size)
    return joined


def extent_grouper(setting: Mapping[str, Any], data: Microdata) -> Callable[[Parameters], Ints]:
    """The same for those who measure the extents of groups: the algorithm must leave that to them."""
    if algorithm_of(setting).publishes is not Publishes.EXTENTS:
        raise malformed_call("setting", "the groups of this algorithm do not publish their extents")
    return cast(Callable[[Parameters], Ints], grouper(setting, data))


def kernel_options(algorithm: Algorithm, setting: Mapping[str, Any]) -> dict[str, Any]:
    """The further arguments of a kernel, by name: the seed, the recode, options."""
    options = mapping("options", setting.get("options"))
    known: dict[str, Any] = {name: OPTIONS[name](name, options[name]) for name in options if name in algorithm.takes}
    known |= {"seed": secret_number("seed", setting.get("seed")), "recode": setting["recode"]}
    if known["seed"] is None:
        known["seed"] = secrets.randbits(SEED_BITS)
    return {name: value for name, value in known.items() if name in algorithm.takes}


def refuse_unpaired(data: Microdata, algorithm: Algorithm) -> None:
    """Pairs need exactly two sensitive values, and time for many of them."""
    values, pairs = np.unique(data.sensitive).size, data.sensitive.size // 2
    if values != 2:
        raise InvalidParameter(
            f"algo {algorithm.name!r} needs a sensitive attribute of two values; this one has {values}.",
            "Choose another algo.",
        )
    if pairs > algorithm.pairs:
        raise InvalidParameter(
            f"algo {algorithm.name!r} works for up to {algorithm.pairs:,} pairs of rows; these are {pairs:,}.",
            "Choose another algo.",
        )


def refuse_large_lattice(data: Microdata, most: int) -> None:
    """Levels are chosen out of all their combinations, of which there may be too many to look at."""
    nodes = count_nodes(data.space)
    if nodes > most or data.space.levels.max() > MOST_LEVELS:
        raise InvalidParameter(
            f"the levels of the taxonomies can be combined in {nodes:,} ways; up to {most:,} are looked through, of up "
            f"to {MOST_LEVELS} levels a column.",
            "Name fewer columns in qi, or give taxonomies with fewer levels (options.bins for numbers).",
        )


def most_suppressed(setting: Mapping[str, Any], rows: int) -> int:
    """How many of so many rows may be left out."""
    return allowed_rows(rows, float(mapping("options", setting.get("options")).get("suppress") or 0))


def refuse_size(group_of: Ints, data: Microdata) -> None:
    """Every row has an answer."""
    if group_of.size != data.sensitive.size:
        raise BrokenPromise(f"the algorithm gave {group_of.size} of {data.sensitive.size} rows a group")


def refuse_lost(group_of: Ints, data: Microdata, most: int, nothing: Callable[[int], NotEligible]) -> None:
    """Every row has a group, but for as many as may be left out: then say how many have none."""
    rows = data.sensitive.size
    grouped = int(np.count_nonzero(group_of >= 0))
    if grouped == 0 and most > 0:
        raise nothing(rows)
    if group_of.size != rows or rows - grouped > most:
        raise BrokenPromise(f"the algorithm gave {grouped} of {rows} rows a group")
    if grouped != rows:
        _log.warning("%d of %d rows fit in no group and are not published", rows - grouped, rows)


def load_kernel(kernel: str) -> Partition:
    """Import the kernel that the registry names."""
    module, _, name = kernel.partition(":")
    partition: Partition = getattr(importlib.import_module(f"sqlanon.udfs.kernels.{module}"), name)
    return partition
