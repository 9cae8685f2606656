"""The commands, and what they have in common: errors, exit codes, warnings and progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter, signature
from signal import SIGINT
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ..version import __version__
from .commands import COMMANDS
from .failures import report_failure
from .messages import wants_json
from .narration import be_verbose, listen
from .options import with_options


class Commands(TyperGroup):
    """All commands: whatever goes wrong in one ends as a message and an exit code, never as a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was chosen; Typer must not take Ctrl-C for an exit."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Abort from None

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command, and end the program. Typer is told not to, as it would print errors in a way of its own."""
        with listen(wants_json(args)):
            try:
                code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
                if code == 128 + SIGINT:  # some versions of Typer keep Ctrl-C for themselves
                    raise KeyboardInterrupt
            except (Exception, KeyboardInterrupt) as error:
                code = report_failure(error)
        sys.exit(code if isinstance(code, int) else 0)


Verbose = Annotated[bool, typer.Option("--verbose", help="Print what is done, for how many rows, and how long.")]


def add_verbose_option(command: Callable[..., None]) -> Callable[..., None]:
    """A command with one more option, which all have."""

    @wraps(command)
    def run(*, verbose: bool = False, **arguments: object) -> None:
        be_verbose(verbose)
        command(**arguments)

    taken = signature(command, eval_str=True)
    verbose = Parameter("verbose", Parameter.KEYWORD_ONLY, default=False, annotation=Verbose)
    run.__signature__ = taken.replace(parameters=[*taken.parameters.values(), verbose])  # type: ignore[attr-defined]
    run.__annotations__ = {**command.__annotations__, "verbose": Verbose}
    return run


app = typer.Typer(cls=Commands, add_completion=False, no_args_is_help=False, rich_markup_mode=None)
for name, function in COMMANDS.items():
    app.command(name)(add_verbose_option(with_options(function)))


def print_version(wanted: bool) -> None:
    """Print the version, and nothing else."""
    if wanted:
        typer.echo(f"sqlanon {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def describe(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """DuckDB as an anonymizer: publish, verify and evaluate microdata.

    Files are Parquet (.parquet), CSV (.csv, .csv.gz, .tsv) or tables of a DuckDB database (x.duckdb:table).

    Exit codes: 0 fine, 1 a promise or a bound is broken, 2 wrong use, 3 not eligible, 4 out of memory, 129, 130 or 143
    interrupted.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
