"""A connection for one piece of work: files become tables that SQL functions take, and calls become statements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb

from ..calling import Rows, call, run
from ..connection import connect
from ..errors import WrongColumn
from ..phases import PROGRESS, phase
from .engine import AUTOMATIC, Engine, configure
from .paths import Files, Source, Stream, Table, follow
from .reading import Types, read_files, standard_input
from .spelling import literal as literal
from .spelling import quote as quote

SOURCE = "source"
"""The name of the source in a session: taxonomies in SQL can name it."""


NO_TYPES: Types = {}


class Session:
    """A connection with sqlanon loaded, and the databases that are attached to it."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con = con
        self._attached: dict[Path, str] = {}

    def run(self, statement: str) -> Rows:
        """Run a statement."""
        return run(self.con, statement)

    def call(self, function: str, **arguments: object) -> Rows:
        """Call a SQL function."""
        with phase(function, lambda: self.count_rows(str(arguments["rel" if "rel" in arguments else "tbl"]))):
            return call(self.con, function, arguments)

    def count_rows(self, table: str) -> int:
        """The number of rows of a table."""
        rows: int = self.run(f"SELECT count(*) AS n FROM {table}").only["n"]
        return rows

    def open(self, source: Source, name: str, types: Types = NO_TYPES, guess_types: bool = True) -> str:
        """Make a source readable, under a name unless it is a table; return it as SQL functions take tables.

        `types` has words for the types of columns.
        """
        if isinstance(source, Table):
            return self.open_table(source)
        if isinstance(source, Stream):
            with standard_input(self.temporary_folder) as file:
                read_files(self, [file], name, types, guess_types)
        else:
            read_files(self, source.parts if isinstance(source, Files) else [source], name, types, guess_types)
        return quote(name)

    def open_release(self, release: Source, name: str) -> str:
        """Make a release readable, whose cells in CSV are taken as the text they are."""
        return self.open(release, name, guess_types=False)

    def open_table(self, table: Table) -> str:
        """The full name of a table of a database, which is attached to be read, unless it is attached already."""
        if not table.database.is_file():
            raise WrongColumn(f"there is no database {str(table.database)!r}.")
        alias = self.attach(table.database, "READ_ONLY")
        if not self.has_table(alias, table):
            known = ", ".join(f"{quote(schema)}.{quote(name)}" for schema, name in self.tables(alias))
            raise WrongColumn(
                f"there is no table {table.table!r} in schema {table.schema!r} of {str(table.database)!r}.",
                f"It has: {known}." if known else "It has no tables.",
            )
        return ".".join(map(quote, (alias, table.schema, table.table)))

    @property
    def temporary_folder(self) -> Path:
        """The folder for temporary files: its owner alone can enter it, and it is gone in the end."""
        return Path(self.run("SELECT current_setting('temp_directory') AS folder").only["folder"])

    def describe(self, table: str) -> list[tuple[str, str]]:
        """The names of a table's columns, and their types."""
        described = self.run(f"DESCRIBE FROM {table}")
        return [(record["column_name"], record["column_type"]) for record in described.records]

    def columns(self, table: str) -> list[str]:
        """The names of a table's columns."""
        return self.run(f"FROM {table} LIMIT 0").names

    def has_table(self, alias: str, table: Table) -> bool:
        """Whether a database has a table; names differ by more than upper and lower case."""
        wanted = (table.schema.lower(), table.table.lower())
        return any((schema.lower(), name.lower()) == wanted for schema, name in self.tables(alias))

    def tables(self, alias: str) -> list[tuple[str, str]]:
        """The tables and views of a database, with their schemas."""
        there = f"WHERE database_name = {literal(alias)} AND NOT internal"
        answer = self.run(
            f"SELECT schema_name, table_name FROM duckdb_tables() {there} UNION ALL "
            f"SELECT schema_name, view_name FROM duckdb_views() {there} ORDER BY ALL"
        )
        return [(schema, name) for schema, name in answer.rows]

    def attach(self, database: Path, access: str) -> str:
        """Attach a database, once, whatever links lead to it; return the name that it goes by here."""
        database = follow(database)
        if database not in self._attached:
            alias = f"database_{len(self._attached) + 1}"
            self.run(f"ATTACH {literal(str(database))} AS {alias} ({access})")
            self._attached[database] = alias
        return self._attached[database]

    def detach(self, database: Path) -> None:
        """Let go of a database, if it is attached."""
        database = follow(database)
        if database in self._attached:
            self.run(f"DETACH {self._attached.pop(database)}")


@contextmanager
def open_session(engine: Engine = AUTOMATIC) -> Iterator[Session]:
    """A session that is closed in the end."""
    with connection(":memory:", engine) as con:
        yield Session(con)


@contextmanager
def connection(database: str, engine: Engine = AUTOMATIC) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that sees no variable of this program, and is closed in the end."""
    with configure(engine) as config, closing(connect(database, config=config)) as con:
        con.execute("SET python_enable_replacements = false; SET enable_progress_bar_print = false")
        con.execute("SET enable_progress_bar = true; SET progress_bar_time = 0")  # others draw it
        with PROGRESS.poll(con.query_progress):
            yield con
