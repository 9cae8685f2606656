"""Statements that read the built-in data, which lies in files beside this package."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlglot import exp

from sqlanon.arguments import flag
from sqlanon.datasets import ADULT_FILE, taxonomy_files
from sqlanon.errors import WrongColumn

from .template import query, text


def dataset_statement(function: str, arguments: Sequence[object]) -> exp.Select:
    """The table, or the taxonomy of one of its columns: the value, then ever more general labels."""
    (argument,) = arguments
    if function == "adult":
        return adult(flag("complete", argument))
    return query(
        "SELECT * FROM read_csv(:path, header = FALSE, sep = ';', all_varchar = TRUE)",
        path=text(str(taxonomy_file(function.removesuffix("_taxonomy"), argument))),
    )


def adult(complete: bool) -> exp.Select:
    """The Adult table, whole or without the rows that miss something."""
    rows = query("SELECT * FROM read_parquet(:path)", path=text(str(ADULT_FILE)))
    return rows.where("NOT COLUMNS(*) IS NULL") if complete else rows


def taxonomy_file(table: str, column: object) -> Path:
    """Where the taxonomy of a column is kept."""
    files = taxonomy_files(table)
    if column not in files:
        raise WrongColumn(f"{table} has no taxonomy for this column.", f"Choose one of: {', '.join(files)}.")
    return files[str(column)]
