"""sqlanon frontier: privacy against loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from ...errors import InvalidParameter
from ...publishing.engine import AUTOMATIC, Engine
from ...publishing.paths import read_source
from ..arguments import Columns, Json, Sensitive, Taxonomies, read_columns, read_sensitive, read_taxonomies
from ..output import print_json, print_table
from ..session import session_with_progress

Numbers = list[str] | None


def frontier(
    table: Annotated[str, typer.Argument(metavar="FILE", help="The table to publish.")],
    qi: Columns,
    sa: Sensitive = None,
    l: Annotated[Numbers, typer.Option("-l", help="The l to try, with --sa.", metavar="NUMBERS")] = None,
    k: Annotated[Numbers, typer.Option("-k", help="The k to try, without --sa.", metavar="NUMBERS")] = None,
    algo: Annotated[Numbers, typer.Option("--algo", help="The algorithms to try.", metavar="NAMES")] = None,
    taxonomy: Taxonomies = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Of algorithms and queries that are drawn.")] = None,
    json: Json = False,
    engine: Engine = AUTOMATIC,
) -> None:
    """Try algorithms and parameters, publishing nothing.

    What would their releases lose?
    """
    with session_with_progress(engine) as session:
        tried = session.call(
            "frontier",
            tbl=session.open(read_source("FILE", table), "source"),
            qi=read_columns("qi", qi),
            sa=read_sensitive(sa),
            l=read_numbers("l", l),
            k=read_numbers("k", k),
            algos=read_columns("algo", algo) or None,
            taxonomy=read_taxonomies(session, taxonomy),
            seed=seed,
        )
    if json:
        print_json(tried.records)
    else:
        print_table(tried.names, tried.rows)


def read_numbers(argument: str, texts: Sequence[str] | None) -> list[int] | None:
    """Whole numbers, with commas between."""
    try:
        return [int(text) for text in read_columns(argument, texts)] or None
    except ValueError:
        raise InvalidParameter(f"{argument} must be whole numbers, with commas between.") from None
