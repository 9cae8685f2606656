"""The command line: `sqlanon`, or `python -m sqlanon`. docs/cli.md describes every command.

Typer and rich are imported here and nowhere else in sqlanon.
"""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit code."""
    from .app import app  # here, because it brings Typer and rich

    try:
        app(arguments, prog_name="sqlanon")
    except SystemExit as exit:
        return int(exit.code or 0)
    return 0
