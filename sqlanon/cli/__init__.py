"""The command line: `sqlanon`, or `python -m sqlanon`. docs/cli.md describes every command.

Typer and rich are imported here and nowhere else in sqlanon.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .messages import interrupted_line, wants_json
from .signals import exit_code, ignore_signals, leave_on_signals, stop_on_signals


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, by default that of the command line; return the exit code."""
    leave_on_signals()
    from .app import app  # here, because it brings Typer and rich, and most of sqlanon

    try:
        stop_on_signals()
        app(arguments, prog_name="sqlanon")
    except KeyboardInterrupt:  # while a command begins, or ends
        print(interrupted_line(wants_json(arguments)), file=sys.stderr)
        return exit_code()
    except SystemExit as exit:
        return int(exit.code or 0)
    finally:
        if arguments is None:
            ignore_signals()
    return 0
