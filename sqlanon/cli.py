"""The command line: sqlanon demo."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from .version import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="sqlanon", description="DuckDB as an anonymizer, in plain SQL.")
    parser.add_argument("--version", action="version", version=f"sqlanon {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("demo", help="publish the built-in Adult data and look at what came out")
    parser.parse_args(arguments)

    from .demo import run

    run()
    return 0
