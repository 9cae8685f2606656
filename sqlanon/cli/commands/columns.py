"""sqlanon columns: which columns lead to people."""

from __future__ import annotations

from typing import Annotated

import typer

from ...publishing.places import read_place
from ..arguments import Json
from ..output import print_json, print_table
from ..session import opened

SHOWN = ("column", "type", "distinct_values", "unique_share", "looks_like", "role")
"""What fits in a row; the reason stands below."""


def columns(
    table: Annotated[str, typer.Argument(metavar="FILE", help="A table.")],
    json: Json = False,
) -> None:
    """Look at each column: what it holds, and the role that it may have in a release, with the reason."""
    with opened() as session:
        described = session.call("columns", tbl=session.open(read_place("FILE", table), "source"))
    if json:
        print_json(described.records)
        return
    print_table(SHOWN, [[record[name] for name in SHOWN] for record in described.records], folded=True)
    reasons = [(record["column"], record["reason"]) for record in described.records]
    print_table(("column", "reason"), reasons, "Why:", folded=True)
