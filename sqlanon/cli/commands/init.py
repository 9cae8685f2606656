"""sqlanon init: a first policy."""

from __future__ import annotations

from typing import Annotated

import typer

from ...policy.draft import draft_policy, source_beside
from ...publishing.destinations import refuse_existing, write_text
from ...publishing.places import full_path, read_place
from ..output import output, printable
from ..session import opened


def init(
    table: Annotated[str, typer.Argument(metavar="FILE", help="The table to publish.")],
    out: Annotated[str, typer.Option("--out", help="Where the policy goes.", metavar="PATH")] = "release.toml",
    force: Annotated[bool, typer.Option("--force", help="Overwrite the policy.")] = False,
) -> None:
    """Write a first policy for a table.

    It has what the columns look like, with the reasons as comments, and no values of the table. Read it before you run
    it.
    """
    source, path = read_place("FILE", table), full_path("out", out)
    refuse_existing(path, force)
    with opened() as session:
        text = draft_policy(session, source, source_beside(table, source, path.parent))
    write_text(path, text, force)
    output().print(f"Written to {printable(out)}. Read it, then: sqlanon run --check {printable(out)}", soft_wrap=True)
