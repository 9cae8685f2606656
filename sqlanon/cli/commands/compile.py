"""sqlanon compile: compile every algorithm ahead."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..arguments import Json
from ..narration import show_progress
from ..output import print_json, print_table


def compile_all(
    to: Annotated[Path | None, typer.Option("--to", help="A directory; otherwise your cache directory.")] = None,
    json: Json = False,
) -> None:
    """Compile every algorithm ahead, for images and CI.

    It takes about a minute. Processes find them in a directory of their own if NUMBA_CACHE_DIR names it.
    """
    from ...compiling import VARIABLE, compile_kernels
    from ...phases import phase

    compiled: list[dict[str, object]] = []
    with show_progress(), phase("compiling"):
        compile_kernels(to, lambda name, seconds: compiled.append({"name": name, "seconds": seconds}))
    if json:
        print_json(compiled)
        return
    print_table(("compiled", "seconds"), [list(one.values()) for one in compiled])
    if to:
        typer.echo(f"\nSet {VARIABLE}={to.resolve()} to use them.")
