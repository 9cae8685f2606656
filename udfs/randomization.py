"""_sqlanon_randomization: the parameters of a randomized release, and the key that its decoys are drawn with."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.arguments import secret_number, whole
from sqlanon.bounds import Population
from sqlanon.errors import Guard, InvalidParameter, type_outline
from sqlanon.release import models
from sqlanon.release.models import GROUNDS

from .arrow.arguments import ROWS, described_columns, list_of, malformed_call, struct_of
from .arrow.codec import refuse_types
from .grouping.identifiers import warn_of_identifier
from .kernels.runtime.signals import INTERRUPT_WATCHER
from .randomizing.parameters import Parameters, choose

KIND = pa.struct(
    [
        ("key", pa.list_(pa.int64())),
        ("sizes", pa.list_(pa.int32())),
        ("etas", pa.list_(pa.int32())),
        ("p", pa.list_(pa.float64())),
        ("expected_l2", pa.list_(pa.float64())),
        ("grounds", pa.list_(pa.string())),
    ]
)


def call(settings: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """Called by DuckDB: what is asked and the columns, with the counts of their domains, in; all parameters out."""
    with Guard("choosing parameters"), INTERRUPT_WATCHER:
        chosen = [
            randomization(struct_of("setting", setting), described_columns(described))
            for setting, described in zip(settings, columns, strict=True)
        ]
    return pa.array(chosen, KIND)


def randomization(setting: Mapping[str, Any], columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters column by column. `setting` has lists with an item for each: l, t, ground; and the seed."""
    refuse_types(columns.values())
    protected = [described for described in columns.values() if "counts" in described]
    lengths, bounds, grounds = (read_listed(setting, name, len(protected)) for name in ("l", "t", "ground"))
    warn_of_identifiers([described for described in columns.values() if "unique" in described])
    chosen: list[Parameters] = []
    sizes: list[int] = []
    for described, l, t, ground in zip(protected, lengths, bounds, grounds, strict=True):
        refuse_domain(described)
        counts = read_counts(described)
        refuse_order(described, ground, len(counts))
        population = Population("rows", sum(counts), [counts], [described["column"].as_py()])
        models.choose("randomize").refuse([population], {"l": read_length(l)})
        if t is not None and not (isinstance(t, float) and 0 < t < 1):
            raise malformed_call("setting", "t is no share")
        chosen.append(choose(counts, read_length(l), t, ground))
        if l == 1 and t is None:
            warn_of_identifier(described["column"].as_py(), counts.count(1), sum(counts))
        sizes.append(len(counts))
    return {
        "key": read_key(setting.get("seed")),
        "sizes": sizes,
        "etas": [parameters.eta for parameters in chosen],
        "p": [parameters.p for parameters in chosen],
        "expected_l2": [parameters.expected_l2 for parameters in chosen],
        "grounds": grounds,
    }


def warn_of_identifiers(kept: Iterable[Mapping[str, Any]]) -> None:
    """Warn of kept columns that nearly tell every row apart."""
    for described in kept:
        unique, rows = (whole(name, described[name].as_py(), 0, ROWS - 1) for name in ("unique", "rows"))
        warn_of_identifier(described["column"].as_py(), unique, rows)


def read_listed(setting: Mapping[str, Any], name: str, columns: int) -> list[Any]:
    """The part of the setting for each column."""
    listed = setting.get(name)
    if not isinstance(listed, list) or len(listed) != columns:
        raise malformed_call("setting", f"{name} is not a list with an item for each column")
    return listed


def read_counts(described: Mapping[str, Any]) -> list[int]:
    """How many rows have each value of a column's domain."""
    counts = list_of(described, "counts").to_pylist()
    return [whole("counts", count, 0, ROWS - 1) for count in counts]


def refuse_domain(described: Mapping[str, Any]) -> None:
    """Raise SA102 if a table of values is of another type than its column, or lacks values that occur."""
    name = described["column"].as_py()
    for problem, words in (("foreign", "has {} that the type of the column cannot hold"), ("missing", "lacks {}")):
        if problem not in described:
            raise malformed_call("columns", f"a column has no {problem}")
        if count := whole(problem, described[problem].as_py(), 0, ROWS - 1):
            fault = words.format(f"{count} value{'' if count == 1 else 's'}" + (" that occur" * (problem == "missing")))
            raise InvalidParameter(f"the domain of column {name!r} {fault}.", "Give all values that it can have.")


MOST_ORDERED = 5_000
"""Values of a domain with an ordered distance: the counts of all of them are looked at for every row."""


def refuse_order(described: Mapping[str, Any], ground: object, values: int) -> None:
    """Raise SA102 for bins or an ordered distance of values that have no order, or are too many."""
    binned = "binned" in described and described["binned"].as_py()
    if ground not in GROUNDS:
        raise malformed_call("setting", "ground is not equal or ordered")
    if described["kind"].as_py() != "range" and (binned or ground == "ordered"):
        what = "bins are" if binned else "an ordered ground distance is"
        raise InvalidParameter(
            f"column {described['column'].as_py()!r} has type {type_outline(described['type'].as_py())}; {what} for "
            "numbers, dates and times.",
            "Cast it in tbl, or leave the option out.",
        )
    if ground == "ordered" and values > MOST_ORDERED:
        raise InvalidParameter(
            f"column {described['column'].as_py()!r} has {values:,} values; an ordered ground distance is for up to "
            f"{MOST_ORDERED:,}.",
            "Put it into bins: options.bins.",
        )


def read_length(l: object) -> int | None:
    """The l of a column."""
    return None if l is None else whole("l", l, 1)


def read_key(seed: object) -> list[int]:
    """Two words: from the operating system, or what a seed stands for."""
    number = secret_number("seed", seed)
    drawn = secrets.token_bytes(16) if number is None else hashlib.sha256(str(number).encode()).digest()[:16]
    words: list[int] = np.frombuffer(drawn, "<i8").tolist()
    return words
