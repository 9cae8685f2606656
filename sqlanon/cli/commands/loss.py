"""sqlanon loss: what a release cost."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ...publishing.engine import AUTOMATIC, Engine
from ...publishing.places import read_source
from ..arguments import Columns, Json, Sensitive, Taxonomies, read_columns, read_sensitive, read_taxonomies
from ..output import print_json, print_pairs, print_table
from ..session import opened


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
    with opened(engine) as session:
        shared: dict[str, Any] = {
            "src": session.open(read_source("SRC", source), "source"),
            "rel": session.open(read_source("REL", release), "release"),
            "qi": read_columns("qi", qi),
            "taxonomy": read_taxonomies(session, taxonomy),
        }
        whole = session.call("info_loss", **shared, sa=read_sensitive(sa)).only
        columns = session.call("attribute_loss", **shared)
    if json:
        print_json({**whole, "columns": columns.records})
    else:
        print_pairs(whole)
        print_table(columns.names, columns.rows, "By column:")
