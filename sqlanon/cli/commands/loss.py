"""sqlanon loss: what a release cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from ...publishing.engine import AUTOMATIC, Engine
from ...publishing.paths import read_source
from ...publishing.summary import to_owner_digits
from ..arguments import Columns, Json, Sensitive, Taxonomies, read_columns, read_sensitive, read_taxonomies
from ..output import print_json, print_pairs, print_table
from ..session import session_with_progress

AGAINST_SOURCE = ("gcp", "ncp", "information")
"""Figures that depend on values of the source, those of rows that were left out among them."""


def loss(
    source: Annotated[str, typer.Argument(metavar="SRC", help="The table that was published.")],
    release: Annotated[str, typer.Argument(metavar="REL", help="Its release.")],
    qi: Columns,
    sa: Sensitive = None,
    taxonomy: Taxonomies = None,
    json: Json = False,
    engine: Engine = AUTOMATIC,
) -> None:
    """Measure what a release lost against its source.

    In all and by column: gcp is the mean loss of a cell, from 0 (exact) to 1 (nothing left); ncp is that of one column.
    """
    with session_with_progress(engine) as session:
        shared: dict[str, Any] = {
            "src": session.open(read_source("SRC", source), "source"),
            "rel": session.open(read_source("REL", release), "release"),
            "qi": read_columns("qi", qi),
            "taxonomy": read_taxonomies(session, taxonomy),
        }
        whole = round_figures(session.call("info_loss", **shared, sa=read_sensitive(sa)).only)
        measured = session.call("attribute_loss", **shared)
    columns = [round_figures(record) for record in measured.records]
    if json:
        print_json({**whole, "columns": columns})
    else:
        print_pairs(whole)
        print_table(measured.names, [tuple(record.values()) for record in columns], "By column:")


def round_figures(figures: Mapping[str, Any]) -> dict[str, Any]:
    """The figures, with those against the source in as many digits as their owner is shown."""
    return {
        name: to_owner_digits(value) if name in AGAINST_SOURCE and value is not None else value
        for name, value in figures.items()
    }
