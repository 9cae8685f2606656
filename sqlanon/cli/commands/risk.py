"""sqlanon risk: how likely people can be found again."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ...publishing.engine import AUTOMATIC, Engine
from ...publishing.paths import read_source
from ..arguments import Columns, Entity, Json, NullMeaning, read_columns
from ..output import output, print_json, print_pairs, print_table
from ..session import session_with_progress

SHOWN = 10
"""Class sizes, from the smallest on; JSON has all of them."""


def risk(
    table: Annotated[str, typer.Argument(metavar="FILE", help="A table, a release or not.")],
    qi: Columns,
    threshold: Annotated[float | None, typer.Option("--threshold", help="The risk that is too high.")] = None,
    entity: Entity = None,
    nulls: NullMeaning = None,
    json: Json = False,
    engine: Engine = AUTOMATIC,
) -> None:
    """Measure the risk of re-identification.

    In all, and by the size of classes. The risk of a person is 1 / the number of people with the same
    quasi-identifiers.
    """
    with session_with_progress(engine) as session:
        shared: dict[str, Any] = {
            "tbl": session.open(read_source("FILE", table), "release"),
            "qi": read_columns("qi", qi),
            "entity": entity,
            "nulls": nulls and nulls.value,
        }
        whole = session.call("risk", **shared, threshold=threshold).only
        sizes = session.call("risk_by_size", **shared)
    if json:
        print_json({**whole, "sizes": sizes.records})
        return
    print_pairs(whole)
    print_table(sizes.names, sizes.rows[:SHOWN], "By size of class:")
    if len(sizes.rows) > SHOWN:
        output().print(f"\n{len(sizes.rows) - SHOWN:,} more sizes; --json has all.")
