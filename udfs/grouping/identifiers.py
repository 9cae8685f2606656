"""A word about columns that nearly tell every row apart and leave as they are: an e-mail address that was kept."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

FEWEST_ROWS = 20
"""In a smaller table, values may differ by chance."""

_log = logging.getLogger("sqlanon")


def warn_of_identifiers(rows: pa.StructArray, columns: Mapping[str, Any], recode: str) -> None:
    """Warn of each column that is published as it is and has a value of its own in most rows."""
    for name in published_as_they_are(columns, recode):
        warn_of_identifier(columns[name]["column"].as_py(), unique_rows(rows.field(name)), len(rows))


def warn_of_identifier(column: str, unique: int, rows: int) -> None:
    """Warn of a column if most rows have a value that no other row has."""
    if rows >= FEWEST_ROWS and unique > rows / 2:
        _log.warning(
            "column %r has a value of its own in %d %% of the rows: whoever knows it knows the row",
            column,
            unique * 100 // rows,
        )


def published_as_they_are(columns: Mapping[str, Any], recode: str) -> Iterator[str]:
    """Kept columns; exact quasi-identifiers; categories without a taxonomy, which no range hides."""
    for name, described in columns.items():
        role = described["role"].as_py()
        exact = recode == "none" or (described["kind"].as_py() == "category" and "taxonomy" not in described)
        if role == "keep" or (role == "qi" and exact):
            yield name


def unique_rows(codes: pa.Array) -> int:
    """How many rows have a code that no other row has."""
    _, counts = np.unique(codes.drop_null().to_numpy(zero_copy_only=False), return_counts=True)
    return int(np.count_nonzero(counts == 1))
