"""Built-in data to try things on: a real table, a synthetic one of any size, and taxonomies for both.

The same tables are there in SQL: FROM adult(), census(1000), wide_census(1000), adult_taxonomy('education') and
census_taxonomy('country').
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

# pyarrow and numpy are slow to import, and the planner only needs the paths.
if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "ADULT_FILE",
    "TAXONOMIES",
    "adult",
    "adult_taxonomy",
    "census",
    "census_taxonomy",
    "taxonomy_files",
    "wide_census",
]

ADULT_FILE = Path(__file__).with_name("adult.parquet")
TAXONOMIES = Path(__file__).with_name("taxonomies")


def adult() -> pa.Table:
    """Return the UCI Adult table: 48,842 rows, 15 columns, NULL where the source has '?'."""
    import pyarrow.parquet

    return pyarrow.parquet.read_table(ADULT_FILE)


def census(rows: int, seed: int = 0) -> pa.Table:
    """Return made-up people in 9 correlated columns; a longer census starts with a shorter one."""
    from sqlanon.udfs.census import census_table

    return census_table(rows, seed)


def wide_census(rows: int, seed: int = 0) -> pa.Table:
    """Return made-up people in 68 short columns, c01 … c68; a longer census starts with a shorter one."""
    from sqlanon.udfs.wide_census import wide_census_table

    return wide_census_table(rows, seed)


def adult_taxonomy(column: str) -> pa.Table:
    """Return the taxonomy of a text column of `adult`: value first, ever more general, '*' last."""
    return _taxonomy("adult", column)


def census_taxonomy(column: str) -> pa.Table:
    """Return the taxonomy of a text column of `census`: value first, ever more general, '*' last."""
    return _taxonomy("census", column)


def taxonomy_files(table: str) -> dict[str, Path]:
    """Return the file of each column of `adult` or `census` that has a taxonomy."""
    return {file.stem: file for file in sorted((TAXONOMIES / table).glob("*.csv"))}


def _taxonomy(table: str, column: str) -> pa.Table:
    """Read a taxonomy file into text columns named column0, column1, …, as DuckDB names them."""
    import pyarrow as pa

    files = taxonomy_files(table)
    if column not in files:
        raise ValueError(f"{table} has no taxonomy for {column!r}. Choose one of: {', '.join(files)}.")
    rows = [line.split(";") for line in files[column].read_text(encoding="utf-8").splitlines()]
    levels = zip(*rows, strict=True)
    return pa.table({f"column{level}": pa.array(labels, pa.string()) for level, labels in enumerate(levels)})
