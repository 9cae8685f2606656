"""Running commands in this process, and tables for them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
from typer.testing import CliRunner

import sqlanon
from sqlanon.publishing.session import Session

PEOPLE = """
    SELECT i % 40 AS person, 20 + i * 7 % 50 AS age, '0' || (1000 + i // 100) AS zip, 'd' || i % 5 AS disease, i AS note
    FROM range(300) AS numbers(i)
"""
WARNINGS = re.compile(
    r"""(?:warning: |\{"warning": ")(?:rows were counted, not people|published as they are).*'person'.*\n"""
)
"""The people above have several rows each: whoever publishes them without --entity, or keeps `person`, hears of it."""
QI, SA = ["--qi", "age,zip"], ["--sa", "disease"]


class Reused:
    """A connection for one command after the other: loading sqlanon takes longer than most. Closed, it is empty."""

    def __init__(self) -> None:
        self.connection = sqlanon.connect()
        self.connection.execute("SET threads = 1")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def close(self) -> None:
        """Detach what was attached, and drop what was made."""
        for (name,) in self.connection.execute(ATTACHED).fetchall():
            self.connection.execute(f'DETACH "{name}"')
        for kind, name in self.connection.execute(MADE).fetchall():
            self.connection.execute(f'DROP {kind} "{name}"')


ATTACHED = (
    "SELECT database_name FROM duckdb_databases() WHERE NOT internal AND database_name NOT IN ('memory', '_sqlanon')"
)
MADE = """
    SELECT 'TABLE', table_name FROM duckdb_tables() WHERE database_name = 'memory' UNION ALL
    SELECT 'VIEW', view_name FROM duckdb_views() WHERE database_name = 'memory' AND NOT internal
"""
reused = cache(Reused)


def run(*arguments: object, given: bytes | None = None) -> Any:
    """Run a command, which is given something on standard input; the result has exit_code, stdout, stderr."""
    from sqlanon.cli.app import app

    def connect(database: str, config: dict[str, str]) -> Any:
        plain = database == ":memory:" and config.keys() == {"temp_directory"}
        if not plain:
            return sqlanon.connect(database, config=config)
        reused().connection.execute("SET temp_directory = ?", [config["temp_directory"]])
        return reused()

    silent = patch("sqlanon.udfs.grouping.compiling.PATIENCE", 3600)  # kernels may compile, without a word
    with silent, patch("sqlanon.publishing.session.connect", connect):
        return CliRunner().invoke(app, [str(argument) for argument in arguments], given)


@contextmanager
def open_session() -> Iterator[Session]:
    """A session that is empty in the end."""
    try:
        yield Session(reused())  # type: ignore[arg-type]
    finally:
        reused().close()


def succeed(*arguments: object) -> str:
    """The output of a command, which must not fail."""
    result = run(*arguments)
    assert (result.exit_code, WARNINGS.sub("", result.stderr)) == (0, ""), result.output
    return str(result.stdout)


def answer(*arguments: object) -> Any:
    """The output of a command with --json."""
    return json.loads(succeed(*arguments, "--json"))


def refusal(code: int, *arguments: object) -> str:
    """The error of a command that ends with this code: one, on stderr, without a traceback."""
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.output
    return str(result.stderr)


def copy(path: Path, query: str = PEOPLE) -> Path:
    """Write a file with DuckDB alone."""
    duckdb.connect().execute(f"COPY ({query}) TO '{str(path).replace(chr(39), chr(39) * 2)}'")
    return path


def shown(table: str) -> dict[str, str]:
    """A printed table of measures: value by name."""
    lines = [line.split() for line in table.splitlines()]
    return {line[0]: line[1] for line in lines if len(line) >= 2}
