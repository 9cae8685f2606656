"""The SQL functions, printed: for the command and for the shell."""

from __future__ import annotations

from ..reference import Described, describe, described_functions
from .output import output, print_json, print_table, print_text


def print_functions(name: str | None = None, json: bool = False) -> None:
    """All functions, or one of them with its examples."""
    chosen = [describe(name)] if name else list(described_functions())
    if json:
        print_json([function._asdict() for function in chosen])
    elif name:
        print_function(chosen[0])
    else:
        print_table(
            ("function", "what comes back"), [(one.name, first_clause(one.text)) for one in chosen], folded=True
        )


def first_clause(text: str) -> str:
    """A description up to its first full stop or semicolon.

    >>> first_clause("one row: c, the infimum of c; NULL = none.")
    'one row: c, the infimum of c'
    """
    ends = [end for mark in (". ", "; ") if (end := text.find(mark)) > 0]
    return text[: min(ends)] if ends else text.rstrip(".")


def print_function(function: Described) -> None:
    """A function: its parameters, what it answers, examples."""
    print_text(f"{function.name}({', '.join(function.parameters)})\n\n{function.text}")
    for example in function.examples:
        output().print(f"\n{example}", soft_wrap=True)
