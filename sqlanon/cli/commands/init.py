"""sqlanon init: a first policy."""

from __future__ import annotations

from typing import Annotated

import typer

from ...policy.draft import draft_policy, relative_source, relative_taxonomy
from ...publishing.destinations import Text, refuse_existing, write_text
from ...publishing.engine import AUTOMATIC, Engine
from ...publishing.paths import follow, full_path, read_source
from ..arguments import Taxonomies, read_pairs
from ..output import output, printable
from ..session import session_with_progress


def init(
    table: Annotated[str, typer.Argument(metavar="FILE", help="The table to publish.")],
    out: Annotated[str, typer.Option("--out", help="Where the policy goes.", metavar="PATH")] = "release.toml",
    taxonomy: Taxonomies = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the policy.")] = False,
    engine: Engine = AUTOMATIC,
) -> None:
    """Write a first policy for a table.

    It has what the columns look like, with the reasons as comments, and no values of the table. Read it before you run
    it.
    """
    source, path = read_source("FILE", table), full_path("out", out)
    refuse_existing(path, force)
    trees = read_pairs("taxonomy", taxonomy)
    folder = follow(path).parent
    taxonomies = {column: relative_taxonomy(tree, folder) for column, tree in trees.items()}
    with session_with_progress(engine) as session:
        text = draft_policy(session, source, relative_source(table, folder), folder, taxonomies)
    write_text(path, Text(text), force)
    output().print(f"Written to {printable(out)}. Read it, then: sqlanon run --check {printable(out)}", soft_wrap=True)
