"""Options that several commands have, and that stand for one parameter of their functions: bounds, and the engine."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any

import typer

from ..bounds import BOUNDS, Bound
from ..publishing.engine import SETTINGS, read_engine


@dataclass(frozen=True)
class OptionGroup:
    """The options, by name, that stand for a parameter, and what makes its value of those that were given."""

    parameter: str
    options: Mapping[str, Any]
    read: Callable[[dict[str, Any]], Any]


def flag_of(parameter: str) -> str:
    """The option of a parameter: a letter, or a word."""
    return f"-{parameter}" if len(parameter) == 1 else f"--{parameter.replace('_', '-')}"


def option_of_bound(bound: Bound) -> Any:
    """The option of a bound."""
    return Annotated[(int if bound.is_whole else float) | None, typer.Option(flag_of(bound.name), help=bound.help)]


Threads = Annotated[int | None, typer.Option("--threads", help="Threads to use: all of the machine.")]
MemoryLimit = Annotated[
    str | None,
    typer.Option("--memory-limit", help="Memory of DuckDB: 80% of the machine's.", metavar="SIZE"),
]
TempDirectory = Annotated[
    str | None, typer.Option("--temp-directory", help="Where to put what is too large for memory.", metavar="FOLDER")
]

GROUPS = (
    OptionGroup("bounds", {bound.name: option_of_bound(bound) for bound in BOUNDS}, dict),
    OptionGroup("engine", dict(zip(SETTINGS, (Threads, MemoryLimit, TempDirectory), strict=True)), read_engine),
)


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the options of each group in the place of the parameter that they stand for, if it has that."""
    for group in GROUPS:
        command = add_group(command, group)
    return command


def add_group(command: Callable[..., None], group: OptionGroup) -> Callable[..., None]:
    """A command with the options of one group."""
    signature = inspect.signature(command, eval_str=True)
    if group.parameter not in signature.parameters:
        return command
    options = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=option)
        for name, option in group.options.items()
    ]

    @wraps(command)
    def run(**arguments: Any) -> None:
        values = {name: arguments.pop(name) for name in group.options}
        stated = {name: value for name, value in values.items() if value is not None}
        command(**arguments, **{group.parameter: group.read(stated)})

    shown = [
        each
        for name, parameter in signature.parameters.items()
        for each in (options if name == group.parameter else [parameter])
    ]
    run.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return run
