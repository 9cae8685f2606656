"""sqlanon functions: the SQL surface."""

from __future__ import annotations

from typing import Annotated

import typer

from ..arguments import Json
from ..functions import print_functions


def functions(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One function, with its examples.")] = None,
    json: Json = False,
) -> None:
    """List the SQL functions, or describe one.

    Its arguments, what comes back, and examples.
    """
    print_functions(name, json)
