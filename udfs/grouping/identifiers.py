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
        share = unique_share(rows.field(name))
        if len(rows) >= FEWEST_ROWS and share > 0.5:
            _log.warning(
                "column %r has a value of its own in %.0f %% of the rows: whoever knows it knows the row",
                columns[name]["column"].as_py(),
                np.floor(share * 100),
            )


def published_as_they_are(columns: Mapping[str, Any], recode: str) -> Iterator[str]:
    """Kept columns; exact quasi-identifiers; categories without a taxonomy, which no range hides."""
    for name, described in columns.items():
        role = described["role"].as_py()
        exact = recode == "none" or (described["kind"].as_py() == "category" and "taxonomy" not in described)
        if role == "keep" or (role == "qi" and exact):
            yield name


def unique_share(codes: pa.Array) -> float:
    """The share of rows whose code no other row has."""
    _, counts = np.unique(codes.drop_null().to_numpy(zero_copy_only=False), return_counts=True)
    return float(np.count_nonzero(counts == 1)) / max(1, len(codes))
