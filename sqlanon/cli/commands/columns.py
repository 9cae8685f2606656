"""sqlanon columns: which columns lead to people."""

from __future__ import annotations

from typing import Annotated

import typer

from ...publishing.engine import AUTOMATIC, Engine
from ...publishing.paths import read_source
from ..arguments import Json
from ..output import print_json, print_table
from ..session import session_with_progress

SHOWN = ("column", "type", "distinct_values", "unique_share", "role")
"""The columns of the table."""
WHY = ("column", "looks_like", "reason")
"""The columns of the list below the table."""


def columns(
    table: Annotated[str, typer.Argument(metavar="FILE", help="A table.")],
    json: Json = False,
    engine: Engine = AUTOMATIC,
) -> None:
    """Suggest the role of each column, with the reason."""
    with session_with_progress(engine) as session:
        described = session.call("columns", tbl=session.open(read_source("FILE", table), "source"))
    if json:
        print_json(described.records)
        return
    print_table(SHOWN, [[record[name] for name in SHOWN] for record in described.records], folded=True)
    print_table(WHY, [[record[name] for name in WHY] for record in described.records], "Why:", folded=True)
