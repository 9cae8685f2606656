"""_sqlanon_quasi_identifiers: how far combinations of columns single rows out. The table comes as one row, as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from sqlanon.errors import Guard, InvalidParameter, UnsupportedType

from .arrow.arguments import listed_rows, listed_structs, malformed_call
from .kernels.measure.combinations import Counts, count_combinations
from .kernels.runtime.signals import INTERRUPT_WATCHER
from .kernels.space import Ints

KIND = pa.list_(
    pa.struct(
        [
            ("columns", pa.list_(pa.string())),
            ("distinction", pa.float64()),
            ("separation", pa.float64()),
            ("unique_rows", pa.int64()),
            ("unique_share", pa.float64()),
        ]
    )
)
MOST_COMBINATIONS = 100_000


class Described(NamedTuple):
    """A column of the table: its name, its type, and what that allows (see sql/types.sql)."""

    name: str
    type_name: str
    kind: str


def call(
    rows: pa.ChunkedArray, columns: pa.ChunkedArray, max_size: pa.ChunkedArray, named: pa.ChunkedArray
) -> pa.Array:
    """Called by DuckDB: the rows, a struct of texts each, and what the columns are in; combinations in order out."""
    with Guard("combining columns"), INTERRUPT_WATCHER:
        answers = [
            quasi_identifiers(
                listed_rows("rows", table), read_columns(described), read_size(size), every.as_py() is True
            )
            for table, described, size, every in zip(rows, columns, max_size, named, strict=True)
        ]
    return pa.array(answers, KIND)


def read_columns(described: pa.Scalar) -> list[Described]:
    """The columns, as the setting has them."""
    columns = []
    for column in listed_structs("columns", described):
        if set(column) != set(Described._fields) or not all(isinstance(each, str) for each in column.values()):
            raise malformed_call("columns", "a column is not described by texts")
        columns.append(Described(**column))
    return columns


def read_size(size: pa.Scalar) -> int:
    """How many columns a combination may have."""
    most = size.as_py()
    if isinstance(most, bool) or not isinstance(most, int) or most < 1:
        raise malformed_call("max_size", "not a number from 1 up")
    return int(most)


def quasi_identifiers(
    rows: pa.StructArray | None, columns: Sequence[Described], max_size: int, named: bool
) -> list[dict[str, Any]]:
    """Measure all combinations of columns, most dangerous first.

    A column that cannot be grouped is refused if it was `named`, and left out if not.
    """
    if rows is not None and rows.type.num_fields != len(columns):
        raise malformed_call("rows", "there are other columns than those described")
    for column in columns:
        if named and column.kind == "refused":
            raise UnsupportedType(column.name, column.type_name)
    numbers = [number for number, column in enumerate(columns) if column.kind != "refused"]
    refuse_many_combinations(len(numbers), max_size)
    size = 0 if rows is None else len(rows)
    codes = np.empty((len(numbers), size), np.int32)
    for line, number in enumerate(numbers):
        if rows is not None:
            codes[line] = read_codes(rows.field(number))
    counted = sorted(count_combinations(codes, max_size), key=danger)
    names = [columns[number].name for number in numbers]
    return [measures([names[line] for line in lines], counts, size) for lines, counts in counted]


def refuse_many_combinations(columns: int, max_size: int) -> None:
    """SA102 if there are more than anybody could look at."""
    combinations = sum(math.comb(columns, size) for size in range(1, min(max_size, columns) + 1))
    if combinations > MOST_COMBINATIONS:
        raise InvalidParameter(
            f"{columns} columns have {combinations:,} combinations of up to {max_size}; "
            f"{MOST_COMBINATIONS:,} are possible.",
            "Choose fewer columns (columns := […]), or a smaller max_size.",
        )


def read_codes(texts: pa.Array) -> Ints:
    """The values of a column as codes from 0; NULL is one of them."""
    if pa.types.is_null(texts.type):
        texts = texts.cast(pa.string())
    if not pa.types.is_string(texts.type):
        raise malformed_call("rows", "a column is not text")
    codes: Ints = texts.dictionary_encode(null_encoding="encode").indices.to_numpy()
    return codes


def danger(counted: tuple[tuple[int, ...], Counts]) -> tuple[Any, ...]:
    """The key of the order: rows that are alone, few columns, pairs of rows that are alike, numbers of columns."""
    lines, counts = counted
    return -counts.unique, len(lines), counts.alike, lines


def measures(names: list[str], counts: Counts, rows: int) -> dict[str, Any]:
    """The figures of a combination; a share of nothing is None."""
    pairs = rows * (rows - 1) // 2
    return {
        "columns": names,
        "distinction": counts.distinct / rows if rows else None,
        "separation": (pairs - counts.alike) / pairs if pairs else None,
        "unique_rows": counts.unique,
        "unique_share": counts.unique / rows if rows else None,
    }
