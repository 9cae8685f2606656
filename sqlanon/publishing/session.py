"""A connection for one piece of work: places become tables that SQL functions take, and calls become statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from ..certificate import file_reference
from ..connection import connect
from ..errors import InvalidParameter, WrongColumn
from ..functions import signature
from ..phases import phase
from .places import File, Place, Table


class Rows(NamedTuple):
    """What a statement answers."""

    names: list[str]
    rows: list[tuple[Any, ...]]

    @property
    def only(self) -> dict[str, Any]:
        """The one row, by column."""
        (row,) = self.rows
        return dict(zip(self.names, row, strict=True))

    @property
    def records(self) -> list[dict[str, Any]]:
        """Every row, by column."""
        return [dict(zip(self.names, row, strict=True)) for row in self.rows]


class Session:
    """A connection with sqlanon loaded, and the databases that are attached to it."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con = con
        self._attached: dict[Path, str] = {}

    def run(self, sql: str, parameters: Sequence[object] = ()) -> Rows:
        """Run a statement."""
        result = self.con.execute(sql, list(parameters))
        return Rows([column[0] for column in result.description or []], result.fetchall())

    def call(self, function: str, **arguments: object) -> Rows:
        """Call a SQL function."""
        sql, parameters = call(function, **arguments)
        return self.run(sql, parameters)

    def open(self, place: Place, name: str) -> str:
        """Make a place readable, under a name if it is a file; return the text that SQL functions take as a table."""
        if isinstance(place, Table):
            return self.open_table(place)
        return self.open_file(place, name)

    def open_release(self, place: Place, name: str) -> str:
        """The same for a release, whose cells in CSV are taken as the text they are."""
        if isinstance(place, Table):
            return self.open_table(place)
        return self.open_file(place, name, guess_types=False)

    def open_file(self, file: File, name: str, guess_types: bool = True) -> str:
        """Parquet becomes a view. CSV becomes a table: it is read once, as guessing its types takes a whole pass."""
        if not file.path.is_file():
            raise WrongColumn(f"there is no file {str(file.path)!r}.")
        if file.format.name == "parquet":
            self.con.read_parquet(file.pattern, hive_partitioning=False).create_view(name)
            return quoted(name)
        guessing = f"read_csv({literal(file.pattern)}, hive_partitioning := false, {file.format.read})"
        reader = guessing if guess_types else file_reference(file.pattern)
        try:
            with phase(f"reading {file.path.name}"):
                self.run(f"CREATE TABLE {quoted(name)} AS FROM {reader}")
        except duckdb.InvalidInputException as error:  # its text shows the line
            line = re.search(r"CSV Error on Line: (\d+)", str(error))
            where = f" Line {line[1]} is the first that does not fit." if line else ""
            raise InvalidParameter(f"{str(file.path)!r} cannot be read as CSV.{where}") from None
        return quoted(name)

    def open_table(self, table: Table) -> str:
        """The full name of a table of a database, which is attached to be read, unless it is attached already."""
        if not table.database.is_file():
            raise WrongColumn(f"there is no database {str(table.database)!r}.")
        alias = self.attach(table.database, "READ_ONLY")
        if not self.has_table(alias, table):
            known = ", ".join(f"{quoted(schema)}.{quoted(name)}" for schema, name in self.tables(alias))
            raise WrongColumn(
                f"there is no table {table.table!r} in schema {table.schema!r} of {str(table.database)!r}.",
                f"It has: {known}." if known else "It has no tables.",
            )
        return ".".join(map(quoted, (alias, table.schema, table.table)))

    def columns(self, table: str) -> list[str]:
        """The names of a table's columns."""
        return self.run(f"FROM {table} LIMIT 0").names

    def has_table(self, alias: str, table: Table) -> bool:
        """Whether a database has a table; names differ by more than upper and lower case."""
        wanted = (table.schema.lower(), table.table.lower())
        return any((schema.lower(), name.lower()) == wanted for schema, name in self.tables(alias))

    def tables(self, alias: str) -> list[tuple[str, str]]:
        """The tables and views of a database, with their schemas."""
        found = self.run(
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ? AND NOT internal UNION ALL "
            "SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ? AND NOT internal ORDER BY ALL",
            [alias, alias],
        )
        return [(schema, name) for schema, name in found.rows]

    def attach(self, database: Path, access: str) -> str:
        """Attach a database, once; return the name that it goes by here."""
        if database not in self._attached:
            alias = f"database_{len(self._attached) + 1}"
            self.run(f"ATTACH {literal(str(database))} AS {alias} ({access})")
            self._attached[database] = alias
        return self._attached[database]

    def detach(self, database: Path) -> None:
        """Let go of a database, if it is attached."""
        if database in self._attached:
            self.run(f"DETACH {self._attached.pop(database)}")


@contextmanager
def opened(database: str = ":memory:") -> Iterator[Session]:
    """A session that is closed in the end."""
    with connection(database) as con:
        yield Session(con)


@contextmanager
def connection(database: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that sees no variable of this program, and is closed in the end."""
    con = connect(database)
    try:
        con.execute("SET python_enable_replacements = false; SET enable_progress_bar = false")
        yield con
    finally:
        con.close()


def call(function: str, **arguments: object) -> tuple[str, list[object]]:
    """The statement that calls a SQL function, and its parameters; an argument that is None is left out."""
    named = {name: value for name, value in arguments.items() if value is not None}
    for name in named:
        if name not in signature(function):
            raise InvalidParameter(f"{function} takes no {name}.", f"It takes: {', '.join(signature(function))}.")
    listed = ", ".join(f"{quoted(name)} := ?" for name in named)
    return f"FROM {quoted(function)}({listed})", list(named.values())


def quoted(name: str) -> str:
    """A name as an identifier."""
    from ..planner.template import identifier  # here, because it brings sqlglot

    return identifier(name).sql("duckdb")


def literal(value: str) -> str:
    """A text as a literal."""
    from ..planner.template import text

    return text(value).sql("duckdb")
