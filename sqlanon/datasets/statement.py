"""Statements that read the built-in data, which lies in files beside this package."""

from __future__ import annotations

from sqlglot import exp

from sqlanon.datasets import ADULT_FILE, taxonomy_files
from sqlanon.errors import WrongColumn
from sqlanon.statement.template import query, text

from .request import Adult, BuiltInTaxonomy


def adult_statement(request: Adult) -> exp.Select:
    """The Adult table, whole or without the rows that miss something."""
    rows = query("SELECT * FROM read_parquet(:path)", path=text(str(ADULT_FILE)))
    return rows.where("NOT COLUMNS(*) IS NULL") if request.complete else rows


def taxonomy_statement(request: BuiltInTaxonomy) -> exp.Select:
    """The taxonomy of a column: its values, each with ever more general labels."""
    files = taxonomy_files(request.table)
    if request.column not in files:
        raise WrongColumn(f"{request.table} has no taxonomy for this column.", f"Choose one of: {', '.join(files)}.")
    return query(
        "SELECT * FROM read_csv(:path, header = FALSE, sep = ';', all_varchar = TRUE)",
        path=text(str(files[request.column])),
    )
