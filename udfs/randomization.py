"""_sqlanon_randomization: the parameters of a randomized release, and the key that its decoys are drawn with."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from sqlanon.arguments import secret_number, whole
from sqlanon.errors import Guard, InvalidParameter, NotEligible, TooFewRows

from .arrow.arguments import ROWS, described_columns, list_of, malformed, struct_of
from .arrow.codec import refuse_types
from .grouping.interrupts import HEEDING
from .randomizing.parameters import Parameters, choose

NAME = "_sqlanon_randomization"
RETURNS = "STRUCT(key BIGINT[], sizes INTEGER[], etas INTEGER[], p DOUBLE[], expected_l2 DOUBLE[])"
KIND = pa.struct(
    [
        ("key", pa.list_(pa.int64())),
        ("sizes", pa.list_(pa.int32())),
        ("etas", pa.list_(pa.int32())),
        ("p", pa.list_(pa.float64())),
        ("expected_l2", pa.list_(pa.float64())),
    ]
)


def call(settings: pa.ChunkedArray, columns: pa.ChunkedArray) -> pa.Array:
    """What DuckDB calls: what is asked and the columns, with the counts of their domains, in; all parameters out."""
    with Guard("choosing parameters"), HEEDING:
        chosen = [
            randomization(struct_of("setting", setting), described_columns(described))
            for setting, described in zip(settings, columns, strict=True)
        ]
    return pa.array(chosen, KIND)


def randomization(setting: Mapping[str, Any], columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters column by column. `setting` has l and t, lists with an item for each, and the seed."""
    refuse_types(columns.values())
    protected = [described for described in columns.values() if "counts" in described]
    lengths, bounds = setting.get("l"), setting.get("t")
    for listed in (lengths, bounds):
        if not isinstance(listed, list) or len(listed) != len(protected):
            raise malformed("setting", "l or t is not a list with an item for each column")
    chosen: list[Parameters] = []
    sizes: list[int] = []
    for described, l, t in zip(protected, lengths or (), bounds or (), strict=True):
        refuse_domain(described)
        counts = read_counts(described)
        refuse_small(described["column"].as_py(), counts, read_length(l))
        if t is not None and not (isinstance(t, float) and 0 < t < 1):
            raise malformed("setting", "t is no share")
        chosen.append(choose(counts, read_length(l), t))
        sizes.append(len(counts))
    return {
        "key": read_key(setting.get("seed")),
        "sizes": sizes,
        "etas": [parameters.eta for parameters in chosen],
        "p": [parameters.p for parameters in chosen],
        "expected_l2": [parameters.expected_l2 for parameters in chosen],
    }


def read_counts(described: Mapping[str, Any]) -> list[int]:
    """How many rows have each value of a column's domain."""
    counts = list_of(described, "counts").to_pylist()
    return [whole("counts", count, 0, ROWS - 1) for count in counts]


def refuse_domain(described: Mapping[str, Any]) -> None:
    """Raise SA102 if a table of values is of another type than its column, or lacks values that occur."""
    name = described["column"].as_py()
    for problem, words in (("foreign", "has {} that the type of the column cannot hold"), ("missing", "lacks {}")):
        if problem not in described:
            raise malformed("columns", f"a column has no {problem}")
        if count := whole(problem, described[problem].as_py(), 0, ROWS - 1):
            found = words.format(f"{count} value{'' if count == 1 else 's'}" + (" that occur" * (problem == "missing")))
            raise InvalidParameter(f"the domain of column {name!r} {found}.", "Give all values that it can have.")


def read_length(l: object) -> int | None:
    """The l of a column."""
    return None if l is None else whole("l", l, 2)


def refuse_small(column: str, counts: list[int], l: int | None) -> None:
    """Raise SA202 or SA201 if there are too few rows or values."""
    rows = sum(counts)
    if not rows:
        raise TooFewRows.empty() if l is None else TooFewRows(0, "l", l)
    if l is not None and len(counts) < l:
        if rows < l:
            raise TooFewRows(rows, "l", l)
        raise NotEligible.small_domain(column, len(counts), l)


def read_key(seed: object) -> list[int]:
    """Two words: from the operating system, or what a seed stands for."""
    number = secret_number("seed", seed)
    drawn = secrets.token_bytes(16) if number is None else hashlib.sha256(str(number).encode()).digest()[:16]
    words: list[int] = np.frombuffer(drawn, "<i8").tolist()
    return words
