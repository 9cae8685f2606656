"""Sources and targets of data: a file, several files, a table of a DuckDB database, or standard input and output.

A symlink stays as it was written; whoever compares two paths, or writes to one, follows it then.

>>> target = read_file_or_table("IN", "clinic.duckdb:visits")
>>> target.database.name, target.schema, target.table
('clinic.duckdb', 'main', 'visits')
>>> read_name("IN", 'archive."visits.2024"')
('archive', 'visits.2024')
>>> read_source("IN", "visits/2026-*.csv.gz").format.name
'csv'
>>> read_target("OUT", "-")
Stream(name='-')
"""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from ..errors import InvalidParameter, WrongColumn

DATABASE_TABLE = re.compile(r"(.+?\.(?:duckdb|ddb|db)):(.+)", re.DOTALL | re.IGNORECASE)
NAME_PART = r'"(?:[^"]|"")+"|[^".]+'
ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
TABLE_NAME = re.compile(rf"(?:({NAME_PART})\.)?({NAME_PART})")
WILDCARD = re.compile(r"[*?\[]")
STANDARD = "-"
DATE = "{date}"


@dataclass(frozen=True)
class Format:
    """A kind of file. `copy` has options of DuckDB's COPY, `delimiter` that of its cells, if the ending tells."""

    name: str
    endings: tuple[str, ...]
    copy: str
    delimiter: str | None = None


FORMATS = (
    Format("parquet", (".parquet", ".pq"), "FORMAT parquet"),
    Format("csv", (".csv",), "FORMAT csv, HEADER true"),
    Format("csv", (".tsv",), "FORMAT csv, HEADER true, DELIMITER '\t'", "\t"),
    Format("csv", (".csv.gz",), "FORMAT csv, HEADER true, COMPRESSION gzip"),
)

PARQUET, CSV, *_ = FORMATS
ENDINGS = tuple(ending for format in FORMATS for ending in format.endings)


@dataclass(frozen=True)
class File:
    """A file, by its full path, so that DuckDB takes no name for an address on the network.

    `title` is the name for messages, if that is not its path.
    """

    path: Path
    format: Format
    title: str = ""

    @property
    def name(self) -> str:
        """The name for messages."""
        return self.title or repr(str(self.path))

    @property
    def pattern(self) -> str:
        """The path for DuckDB's readers, which take *, ? and [ for wildcards."""
        return re.sub(r"([*?\[])", r"[\1]", str(self.path))


@dataclass(frozen=True)
class Files:
    """The parts of one table: all files that a pattern matches, or all Parquet files in a folder."""

    path: Path
    format: Format
    is_folder: bool = False

    @property
    def parts(self) -> list[File]:
        """The files, in the order of their paths. Those with a name that begins with a dot are none of them."""
        if not self.paths:
            kind = "no Parquet file is in the folder" if self.is_folder else "no file matches"
            raise WrongColumn(f"{kind} {str(self.path)!r}.")
        return [File(path, self.format) for path in self.paths]

    @property
    def paths(self) -> list[Path]:
        """The paths of the files that are there."""
        return sorted(self.find_in_folder() if self.is_folder else self.find_matches())

    def find_in_folder(self) -> Iterator[Path]:
        """The files of a folder, but for those that begin with _. Below it, there must be none."""
        for path in self.path.rglob("*"):
            names = path.relative_to(self.path).parts
            if any(name.startswith((".", "_")) for name in names) or not ends_as(path.name, self.format):
                continue
            if len(names) > 1 or path.is_dir():
                raise InvalidParameter(
                    f"the folder {str(self.path)!r} has Parquet files in folders below it.",
                    f"To read them, write {str(self.path / '**' / '*.parquet')!r}. Names of folders become no columns.",
                )
            yield path

    def find_matches(self) -> Iterator[Path]:
        """The files that the pattern matches."""
        literal, wild = split_pattern(self.path)
        try:
            matches = [path for path in literal.glob(str(Path(*wild))) if not is_hidden(path.relative_to(literal))]
        except ValueError:
            raise InvalidParameter(f"{str(self.path)!r} is no pattern.", "** stands for folders, alone.") from None
        for path in matches:
            if path.is_dir():
                raise InvalidParameter(
                    f"{str(self.path)!r} matches the folder {str(path)!r}.", "Write a pattern of the files in it."
                )
            yield path

    def matches(self, path: Path) -> bool:
        """Whether a file would be one of the parts, even if it is not there yet."""
        real, wanted = follow(path), follow(self.path)
        if real in map(follow, self.paths):
            return True
        if self.is_folder:
            return real.parent == wanted and ends_as(real.name, self.format)
        if "**" in wanted.parts:
            return fnmatchcase(str(real), str(wanted).replace("**/", "*"))
        return len(real.parts) == len(wanted.parts) and all(map(fnmatchcase, real.parts, wanted.parts))


@dataclass(frozen=True)
class Table:
    """A table of a database."""

    database: Path
    schema: str
    table: str


@dataclass(frozen=True)
class Stream:
    """Standard input, or standard output: CSV."""

    name: str = STANDARD


Target = File | Table | Stream
Source = Target | Files


def read_file_or_table(argument: str, text: str, folder: Path | None = None) -> File | Table:
    """Read a text: a file by its ending, a table by the database before it; SA102 for anything else.

    Paths are relative to a folder, or to the current one.
    """
    refuse_address(argument, text)
    for format in FORMATS:
        if ends_as(text, format):
            return File(full_path(argument, text, folder), format)
    if match := DATABASE_TABLE.fullmatch(text):
        return Table(full_path(argument, match[1], folder), *read_name(argument, match[2]))
    raise InvalidParameter(
        f"{argument}: {text!r} is neither a file that sqlanon knows nor a table of a database.",
        f"A file ends in one of {', '.join(ENDINGS)}; a table is written clinic.duckdb:visits.",
    )


def read_source(argument: str, text: str, folder: Path | None = None) -> Source:
    """A source: as above, and also -, a folder, and a pattern, unless a file has just that name."""
    if text == STANDARD:
        return Stream()
    refuse_address(argument, text)
    if DATABASE_TABLE.fullmatch(text) and not text.lower().endswith(ENDINGS):
        return read_file_or_table(argument, text, folder)
    path = full_path(argument, text, folder)
    if path.is_dir():
        return Files(path, PARQUET, is_folder=True)
    source = read_file_or_table(argument, text, folder)
    if isinstance(source, File) and WILDCARD.search(text) and not path.exists():
        return Files(path, source.format)
    return source


def read_target(argument: str, text: str, folder: Path | None = None) -> Target:
    """A target: a file, a table, or -."""
    return Stream() if text == STANDARD else read_file_or_table(argument, text, folder)


def fill_date(text: str) -> str:
    """A text in which {date} is the day, as 2026-11-18."""
    return text.replace(DATE, dt.date.today().isoformat())


def ends_as(name: str, format: Format) -> bool:
    """Whether a file's name has an ending of a format."""
    return name.lower().endswith(format.endings)


def has_file(source: Source, path: Path) -> bool:
    """Whether a source or a target is a file, symlinks followed."""
    if isinstance(source, Files):
        return source.matches(path)
    location = file_of(source)
    return location is not None and follow(location) == follow(path)


def is_same(source: Source, other: Source) -> bool:
    """Whether two are the same, symlinks followed; names of tables differ by more than upper and lower case."""
    if isinstance(source, Table) and isinstance(other, Table):
        names = [(one.schema.lower(), one.table.lower()) for one in (source, other)]
        return has_file(source, other.database) and names[0] == names[1]
    path = file_of(other)
    return isinstance(source, File | Files) and isinstance(other, File) and path is not None and has_file(source, path)


def follow(path: Path) -> Path:
    """The path that symlinks lead to, whether anything is there or not."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        raise InvalidParameter(f"the symlink {str(path)!r} leads back to itself.", "Remove it.") from None


def file_of(source: Source) -> Path | None:
    """The file, or that of the database; a pattern or a folder; None for standard input and output."""
    if isinstance(source, Stream):
        return None
    return source.database if isinstance(source, Table) else source.path


def is_file_or_table(text: str) -> bool:
    """Whether a text is a file or a table of a database, and not something else."""
    return text.lower().endswith(ENDINGS) or DATABASE_TABLE.fullmatch(text) is not None


def table_text(text: str) -> str | None:
    """The text of a table, behind its database; None if it is a file."""
    match = None if text.lower().endswith(ENDINGS) else DATABASE_TABLE.fullmatch(text)
    return match and match[2]


def refuse_address(argument: str, text: str) -> None:
    """Refuse addresses: nothing is read from the network, nor written to it."""
    if ADDRESS.match(text):
        raise InvalidParameter(f"{argument}: sqlanon reads and writes no addresses on the network.", "Copy it first.")


def full_path(argument: str, text: str, folder: Path | None = None) -> Path:
    """The path from the root of the file system, symlinks as they were written."""
    refuse_address(argument, text)
    if "\0" in text:
        raise InvalidParameter(f"{argument}: a path has no zero byte.")
    path = (Path.cwd() if folder is None else folder) / text
    if len(os.fsencode(path.name)) > LONGEST_NAME:
        raise InvalidParameter(f"{argument}: the name of the file has more than {LONGEST_NAME} bytes.", "Shorten it.")
    if "\\" in str(path) and WILDCARD.search(str(path)) and path.drive == "":
        raise InvalidParameter(
            f"{argument}: a path with a backslash cannot have *, ? or [ as well.", "Rename the file."
        )
    return path


LONGEST_NAME = 255
"""Bytes that a file's name has at most, on nearly every system."""


def split_pattern(path: Path) -> tuple[Path, tuple[str, ...]]:
    """The folder before the first wildcard of a path, and the rest."""
    first = next(number for number, part in enumerate(path.parts) if WILDCARD.search(part))
    return Path(*path.parts[:first]), path.parts[first:]


def is_hidden(path: Path) -> bool:
    """Whether a part of a path begins with a dot."""
    return any(part.startswith(".") for part in path.parts)


def read_name(argument: str, text: str) -> tuple[str, str]:
    """Schema and table, main if there is none. A name with a dot or a quote goes in double quotes, as in SQL."""
    match = TABLE_NAME.fullmatch(text)
    if match is None:
        raise InvalidParameter(f"{argument}: {text!r} is no name of a table.", "Write table, or schema.table.")
    schema, table = (part[1:-1].replace('""', '"') if part[0] == '"' else part for part in match.groups("main"))
    return schema, table
