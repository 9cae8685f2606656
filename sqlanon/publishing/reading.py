"""Files become tables and views of a session: Parquet as it is, CSV strictly, parts only if they are alike."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import duckdb

from ..arguments import fold
from ..certificate import file_reference
from ..errors import InvalidParameter, UnsupportedType, WrongColumn
from ..phases import phase
from . import csv_files
from .column_types import KINDS
from .paths import CSV, PARQUET, File
from .spelling import literal, quote

if TYPE_CHECKING:
    from .session import Session

Types = Mapping[str, str]
"""Words for the types of columns: see `column_types`."""

PART = "part_of_table"


def read_files(session: Session, files: Sequence[File], name: str, types: Types, guess_types: bool) -> None:
    """Make a table or a view of the parts of a table, of which there is one at least.

    Parquet becomes a view. CSV becomes a table: it is read once, as guessing its types takes a whole pass.
    """
    for file in files:
        if not file.path.is_file():
            raise WrongColumn(f"there is no file {file.name}.")
    if files[0].format is PARQUET:
        view_parquet(session, files, name)
        return
    with phase(f"reading {files[0].path.name}") as reading:
        reading.rows = read_csv(session, files[0], name, types, guess_types)
    for file in files[1:]:
        with phase(f"reading {file.path.name}") as reading:
            reading.rows = read_csv(session, file, PART, types, guess_types)
            refuse_unlike(files[0], session.describe(quote(name)), file, session.describe(PART))
            session.run(f"INSERT INTO {quote(name)} BY NAME FROM {PART}")
            session.run(f"DROP TABLE {PART}")


def view_parquet(session: Session, files: Sequence[File], name: str) -> None:
    """Make a view of Parquet files whose columns are alike; a table if their names look like patterns."""
    first: list[tuple[str, str]] = []
    for file in files:
        try:
            part = session.con.read_parquet(file.pattern, hive_partitioning=False)
        except duckdb.InvalidInputException:  # its text may show what is in the file
            raise InvalidParameter(f"{file.name} cannot be read as Parquet.") from None
        columns = list(zip(part.columns, map(str, part.dtypes), strict=True))
        refuse_unlike(files[0], first or columns, file, columns)
        first = first or columns
    patterns = ", ".join(literal(file.pattern) for file in files)
    by_name = "true" if len(files) > 1 else "false"
    parts = f"read_parquet([{patterns}], hive_partitioning := false, union_by_name := {by_name})"
    # where DuckDB 1 copies a plan, it takes marks in the names of files for wildcards after all
    kind = "VIEW" if all(file.pattern == str(file.path) for file in files) else "TABLE"
    session.run(f"CREATE {kind} {quote(name)} AS FROM {parts}")


def refuse_unlike(
    first: File, columns: Sequence[tuple[str, str]], other: File, other_columns: Sequence[tuple[str, str]]
) -> None:
    """Parts of one table have the same columns, of the same types, in any order."""
    types, other_types = ({fold(name): kind for name, kind in one} for one in (columns, other_columns))
    for name, _ in (*columns, *other_columns):
        if fold(name) not in types or fold(name) not in other_types:
            raise WrongColumn(f"of {first.name} and {other.name}, only one has the column {name!r}.")
        if types[fold(name)] != other_types[fold(name)]:
            raise WrongColumn(
                f"column {name!r} has one type in {first.name} and another in {other.name}.",
                "For CSV, a policy can pin its type.",
            )


def read_csv(session: Session, file: File, name: str, types: Types, guess_types: bool) -> int:
    """Make a table of all rows of a CSV file, or refuse it; return their number."""
    header = csv_files.read_header(file, file.format.delimiter or (None if guess_types else ","))
    rows = csv_files.count_rows(file, header)
    words = {fold(column): word for column, word in types.items()}
    pinned = {column: words[fold(column)] for column in header.names if fold(column) in words}
    forced = {column: KINDS[word].column for column, word in pinned.items() if KINDS[word].read}
    table = f"CREATE OR REPLACE TABLE {quote(name)} AS FROM"
    try:
        session.run(f"{table} {reader(file, header, forced, guess_types)}")
        if unclear := columns_of_unclear_days(session, file, header, name):
            refuse_unclear_days(file, [column for column in unclear if column in pinned])
            forced |= dict.fromkeys(unclear, KINDS["text"].column)
            session.run(f"{table} {reader(file, header, forced, guess_types)}")
    except (duckdb.InvalidInputException, duckdb.ConversionException):  # their text shows the line
        refuse_unlike_cells(file, header, {column: pinned[column] for column in forced})
        raise csv_files.unreadable_file_error(file) from None
    csv_files.refuse_lost_rows(file, rows, session.count_rows(quote(name)))
    pin_types(session, file, header, name, pinned)
    return rows


def reader(file: File, header: csv_files.Header, forced: Types, guess_types: bool) -> str:
    """The table function that reads a file."""
    if not guess_types:
        return file_reference(file.pattern)
    columns = ", ".join(f"{literal(column)}: {literal(type_name)}" for column, type_name in forced.items())
    types = f", types := {{{columns}}}" if forced else ""
    return f"read_csv({literal(file.pattern)}, delim := {literal(header.delimiter)}, {csv_files.STRICT}{types})"


def refuse_unlike_cells(file: File, header: csv_files.Header, pinned: Types) -> None:
    """Say which cell could not be read as the type of its column."""
    for column, word in pinned.items():
        line = csv_files.find_unlike_line(file, header, header.names.index(column), KINDS[word].pattern)
        if line is not None:
            raise UnsupportedType.unlike(column, "VARCHAR", word, file.name, line)


def columns_of_unclear_days(session: Session, file: File, header: csv_files.Header, name: str) -> list[str]:
    """The columns of days in which month and day could be taken for each other, as 05/06/2026 in every row.

    DuckDB reads all columns of a type alike, so that one day after the 12th makes them clear.
    """
    unclear: list[str] = []
    described = session.describe(quote(name))
    for kind in ("DATE", "TIMESTAMP"):
        positions = [position for position, (_, type_name) in enumerate(described) if type_name == kind]
        positions = [one for one in positions if not YEAR_FIRST.match(csv_files.first_cell(file, header, one))]
        latest = ", ".join(f"max(day({quote(described[position][0])}))" for position in positions)
        if positions and session.run(f"SELECT greatest({latest}) AS day FROM {quote(name)}").only["day"] <= MONTHS:
            unclear += [header.names[position] for position in positions]
    return unclear


YEAR_FIRST, MONTHS = re.compile(r"\s*\d{4}\D|$"), 12


def refuse_unclear_days(file: File, columns: Sequence[str]) -> None:
    """A column that is pinned as days has days that are clear."""
    for column in columns:
        raise InvalidParameter(
            f"column {column!r} of {file.name}: which number is the day, and which the month, cannot be told.",
            'Write days as 2026-05-06, or pin type = "text".',
        )


def pin_types(session: Session, file: File, header: csv_files.Header, name: str, pinned: Types) -> None:
    """The columns of a CSV file have the types that are pinned. One without a value takes any type."""
    for position, (column, type_name) in enumerate(session.describe(quote(name))):
        word = pinned.get(header.names[position])
        if word is None or KINDS[word].takes(type_name):
            continue
        if session.run(f"SELECT count({quote(column)}) AS n FROM {quote(name)}").only["n"]:
            line = csv_files.find_unlike_line(file, header, position, KINDS[word].pattern)
            raise UnsupportedType.unlike(column, type_name, word, file.name, line)
        session.run(f"ALTER TABLE {quote(name)} ALTER {quote(column)} TYPE {KINDS[word].column}")


@contextmanager
def standard_input(folder: Path) -> Iterator[File]:
    """Give standard input as a file that its owner alone can read, and that is gone afterwards."""
    if sys.stdin is None or sys.stdin.isatty() or not hasattr(sys.stdin, "buffer"):
        raise InvalidParameter("nothing is piped into standard input.", "Write sqlanon release - OUT … < people.csv.")
    with TemporaryDirectory(dir=folder) as private:
        path = Path(private) / "input.csv"
        path.touch(mode=0o600)
        with path.open("wb") as copy:
            copyfileobj(sys.stdin.buffer, copy)
        yield File(path, CSV, "standard input")
