"""_sqlanon_groups: which rows share a group. The whole table comes in as one row, in codes."""

from __future__ import annotations

import importlib
import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.algorithms import PARAMETER, SMALLEST, Algorithm, find
from sqlanon.arguments import choice, flag, secret_number, text, whole
from sqlanon.errors import BrokenPromise, Guard, InvalidParameter, NotEligible

from .arguments import malformed
from .codec import as_lists
from .compiling import Partition, warm_up
from .identifiers import warn_of_identifiers
from .intake import each_call, read_microdata
from .interrupts import HEEDING
from .kernels.space import Ints, Microdata

_log = logging.getLogger("sqlanon")

NAME = "_sqlanon_groups"
RETURNS = "INTEGER[]"

SEED_BITS = 128
"""Of a seed from the operating system, where the request has none: too many for anybody to try them all."""


def call(request: pa.ChunkedArray, rows: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """What DuckDB calls: one list of rows (codes by column) in, the list of their group numbers out."""
    with Guard("grouping rows"), HEEDING:
        partitions = [groups(*given) for given in each_call(request, rows, columns)]
    return as_lists(partitions, pa.int32())


def groups(rows: pa.StructArray | None, columns: Mapping[str, Any], request: dict[str, Any]) -> Ints:
    """Check that the request can be met, then run its algorithm; return each row's group number, -1 for none."""
    least = read_least(request)
    data = read_microdata(rows, columns, request["parameter"], least)
    warn_of_identifiers(rows, columns, request["recode"])
    return grouper(request["function"], request["algo"], data, read_settings(request))(least)


def read_least(request: Mapping[str, Any]) -> int:
    """The k or l of a request, whose parameter, function and algo are then known, too."""
    parameter = choice("parameter", request.get("parameter"), tuple(SMALLEST))
    function = choice("function", request.get("function"), tuple(PARAMETER))
    if PARAMETER[function] != parameter:
        raise malformed("request", f"{function} has no parameter {parameter}")
    find(function, request.get("algo"))
    return whole(parameter, request.get("least"), SMALLEST[parameter])


def read_settings(request: Mapping[str, Any]) -> dict[str, Any]:
    """What algorithms may take beside the rows: the seed, the recode, and options."""
    options = request.get("options") or {}
    if not isinstance(options, Mapping):
        raise malformed("request", "options is not a struct")
    settings: dict[str, Any] = {
        "seed": secret_number("seed", request.get("seed")),
        "recode": text("recode", request.get("recode")),
    }
    return {**options, **settings, **({"exact": flag("exact", options["exact"])} if "exact" in options else {})}


def grouper(function: str, algo: object, data: Microdata, given: Mapping[str, Any]) -> Callable[[int], Ints]:
    """Return an algorithm, compiled and with what it takes of `given`, that groups these rows for any k or l."""
    algorithm = find(function, algo)
    if algorithm.pairs:
        refuse_unpaired(data, algorithm)
    partition = load_kernel(algorithm.kernel)
    warm_up(partition, algorithm.name)
    takes = {name: given[name] for name in algorithm.takes if name in given}
    if "seed" in takes and takes["seed"] is None:
        takes["seed"] = secrets.randbits(SEED_BITS)

    def group(least: int) -> Ints:
        group_of = partition(data, least, **takes)
        refuse_lost(group_of, data, algorithm.apart)
        return group_of

    return group


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
