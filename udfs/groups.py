"""_sqlanon_groups: which rows share a group. The whole table comes in as one row, in codes."""

from __future__ import annotations

import importlib
import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.algorithms import Algorithm, find
from sqlanon.arguments import flag, secret_number, text
from sqlanon.errors import BrokenPromise, Guard, InvalidParameter, NotEligible
from sqlanon.models import Model, Parameters
from sqlanon.models import find as find_model

from .arguments import malformed
from .codec import as_lists
from .compiling import Partition, warm_up
from .identifiers import warn_of_identifiers
from .intake import each_call, read_microdata
from .interrupts import HEEDING
from .kernels.people import join_for_people
from .kernels.space import Ints, Microdata

_log = logging.getLogger("sqlanon")

NAME = "_sqlanon_groups"
RETURNS = "INTEGER[]"

SEED_BITS = 128
"""Of a seed from the operating system, where the request has none: too many for anybody to try them all."""


def call(settings: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """What DuckDB calls: one list of rows (codes by column) in, the list of their group numbers out."""
    with Guard("grouping rows"), HEEDING:
        partitions = [groups(*arguments) for arguments in each_call(settings, rows, columns)]
    return as_lists(partitions, pa.int32())


def groups(rows: pa.StructArray | None, columns: Mapping[str, Any], setting: dict[str, Any]) -> Ints:
    """Check that the promise can be kept, then run the algorithm; return each row's group number, -1 for none."""
    model, parameters = read_model(setting)
    data = read_microdata(rows, columns, model, parameters, apart=find(setting["function"], setting["algo"]).apart)
    warn_of_identifiers(rows, columns, setting["recode"])
    return grouper(setting, data)(parameters)


def read_model(setting: Mapping[str, Any]) -> tuple[Model, Parameters]:
    """The model of a setting, with its parameters; that the algorithm and the recode are there is checked, too."""
    model = find_model(setting.get("function"))
    find(model.function, setting.get("algo"))
    text("recode", setting.get("recode"))
    return model, model.read_parameters(mapping("parameters", setting.get("parameters")))


def mapping(argument: str, value: object) -> Mapping[str, Any]:
    """A struct; NULL is an empty one."""
    if value is not None and not isinstance(value, Mapping):
        raise malformed("setting", f"{argument} is not a struct")
    return value or {}


def grouper(setting: Mapping[str, Any], data: Microdata) -> Callable[[Parameters], Ints]:
    """Return the algorithm of a setting, compiled, that groups these rows for any parameters of its model."""
    algorithm = find(setting["function"], setting["algo"])
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
    known = {name: flag(name, options[name]) for name in options if name in algorithm.takes}
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
    found = data.sensitive.size
    placed = int(np.count_nonzero(group_of >= 0))
    if group_of.size != found or (placed != found and not (may_leave_out and data.apart.size)):
        raise BrokenPromise(f"the algorithm gave {placed} of {found} rows a group")
    if placed == 0:
        raise NotEligible.no_groups(found)
    if placed != found:
        _log.warning("%d of %d rows fit in no group and are not published", found - placed, found)


def load_kernel(kernel: str) -> Partition:
    """Import the kernel that the registry names."""
    module, _, name = kernel.partition(":")
    partition: Partition = getattr(importlib.import_module(f"sqlanon.udfs.kernels.{module}"), name)
    return partition
