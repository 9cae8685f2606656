"""The algorithm that a statement asks for, found, compiled, and held to its word."""

from __future__ import annotations

import importlib
import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sqlanon import algorithms, models
from sqlanon.algorithms import Algorithm
from sqlanon.arguments import flag, secret_number, text
from sqlanon.errors import BrokenPromise, InvalidParameter, NotEligible
from sqlanon.models import Model, Parameters

from ..arrow.arguments import malformed
from ..kernels.people import join_for_people
from ..kernels.space import Ints, Microdata
from .compiling import Partition, warm_up

_log = logging.getLogger("sqlanon")

SEED_BITS = 128
"""Of a seed from the operating system, where the setting has none: too many for anybody to try them all."""


def read_model(setting: Mapping[str, Any]) -> tuple[Model, Parameters]:
    """The model of a setting, with its parameters; that the algorithm and the recode are there is checked, too."""
    model = models.find(setting.get("function"))
    algorithms.find(model.function, setting.get("algo"))
    text("recode", setting.get("recode"))
    return model, model.read_parameters(mapping("parameters", setting.get("parameters")))


def algorithm_of(setting: Mapping[str, Any]) -> Algorithm:
    """The algorithm of a setting, which is known to be there."""
    return algorithms.find(setting["function"], setting["algo"])


def mapping(argument: str, value: object) -> Mapping[str, Any]:
    """A struct; NULL is an empty one."""
    if value is not None and not isinstance(value, Mapping):
        raise malformed("setting", f"{argument} is not a struct")
    return value or {}


def grouper(setting: Mapping[str, Any], data: Microdata) -> Callable[[Parameters], Ints]:
    """Return the algorithm of a setting, compiled, that groups these rows for any parameters of its model."""
    algorithm = algorithm_of(setting)
    if algorithm.pairs:
        refuse_unpaired(data, algorithm)
    partition = load_kernel(algorithm.kernel)
    warm_up(partition, algorithm.name)
    takes = kernel_options(algorithm, setting)

    def group(parameters: Parameters) -> Ints:
        group_of = partition(data, *parameters.values(), **takes)
        refuse_lost(group_of, data, algorithm.apart)
        if data.person is None or algorithm.apart:
            return group_of
        return join_for_people(data, data.person, group_of, **parameters)

    return group


def kernel_options(algorithm: Algorithm, setting: Mapping[str, Any]) -> dict[str, Any]:
    """What a kernel takes beside the rows and the parameters, by name: the seed, the recode, options."""
    options = mapping("options", setting.get("options"))
    known: dict[str, Any] = {name: flag(name, options[name]) for name in options if name in algorithm.takes}
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


def refuse_lost(group_of: Ints, data: Microdata, may_leave_out: bool) -> None:
    """Every row has a group, unless groups had to keep people apart: then say how many have none."""
    rows = data.sensitive.size
    placed = int(np.count_nonzero(group_of >= 0))
    if group_of.size != rows or (placed != rows and not (may_leave_out and data.apart.size)):
        raise BrokenPromise(f"the algorithm gave {placed} of {rows} rows a group")
    if placed == 0:
        raise NotEligible.no_groups(rows)
    if placed != rows:
        _log.warning("%d of %d rows fit in no group and are not published", rows - placed, rows)


def load_kernel(kernel: str) -> Partition:
    """Import the kernel that the registry names."""
    module, _, name = kernel.partition(":")
    partition: Partition = getattr(importlib.import_module(f"sqlanon.udfs.kernels.{module}"), name)
    return partition
