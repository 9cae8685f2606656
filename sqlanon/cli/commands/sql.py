"""sqlanon sql: a script, a statement, or a shell."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import duckdb
import typer

from ...errors import InvalidParameter
from ...publishing.engine import AUTOMATIC, Engine
from ...publishing.session import connection
from ..arguments import Json
from ..failures import is_interrupt, report_failure
from ..shell import Shell
from ..statements import run_script


def sql(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A script; - is stdin.")] = None,
    command: Annotated[str | None, typer.Option("-c", help="Statements to run.", metavar="SQL")] = None,
    db: Annotated[Path | None, typer.Option("--db", help="A DuckDB database; otherwise one in memory.")] = None,
    rows: Annotated[int, typer.Option("--rows", min=1, help="Rows of a result to print; JSON has all.")] = 40,
    json: Json = False,
    engine: Engine = AUTOMATIC,
) -> None:
    """Run SQL with sqlanon loaded. Without FILE and -c, on a terminal, a shell."""
    if file and command is not None:
        raise InvalidParameter("FILE and -c do not go together.")
    with connection(str(db.absolute()) if db else ":memory:", engine) as con:
        if not file and command is None and sys.stdin.isatty():
            Shell(con, rows).run()
            return
        script = command if command is not None else read_script(file)
        try:
            run_script(con, script, rows, json)
        except (duckdb.Error, RuntimeError, MemoryError) as error:
            if is_interrupt(error):
                raise
            raise typer.Exit(report_failure(error, whole=True)) from None


def read_script(file: Path | None) -> str:
    """The text of a file, or of stdin."""
    if file is None or str(file) == "-":
        return sys.stdin.read()
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InvalidParameter(f"{str(file)!r} is not text in UTF-8.") from None
