"""Where data comes from and goes to: a file, or a table of a DuckDB database.

>>> place = read_place("IN", "clinic.duckdb:visits")
>>> place.database.name, place.schema, place.table
('clinic.duckdb', 'main', 'visits')
>>> read_name("IN", 'archive."visits.2024"')
('archive', 'visits.2024')
>>> read_place("IN", "visits.csv.gz").format.name
'csv'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import InvalidParameter

DATABASE_TABLE = re.compile(r"(.+?\.(?:duckdb|ddb|db)):(.+)", re.DOTALL | re.IGNORECASE)
NAME_PART = r'"(?:[^"]|"")+"|[^".]+'
TABLE_NAME = re.compile(rf"(?:({NAME_PART})\.)?({NAME_PART})")


@dataclass(frozen=True)
class Format:
    """A kind of file. `copy` and `read` are options of DuckDB's COPY and of its reader."""

    name: str
    endings: tuple[str, ...]
    copy: str
    read: str


CSV_READER = "header := true, sample_size := -1"
"""The first line names columns; all lines are looked at before types are guessed."""

FORMATS = (
    Format("parquet", (".parquet", ".pq"), "FORMAT parquet", ""),
    Format("csv", (".csv",), "FORMAT csv, HEADER true", CSV_READER),
    Format("csv", (".tsv",), "FORMAT csv, HEADER true, DELIMITER '\t'", f"{CSV_READER}, delim := '\t'"),
    Format(
        "csv", (".csv.gz",), "FORMAT csv, HEADER true, COMPRESSION gzip", f"{CSV_READER}, compression := 'gzip'"
    ),
)  # fmt: skip

ENDINGS = tuple(ending for format in FORMATS for ending in format.endings)


@dataclass(frozen=True)
class File:
    """A file, by its full path, so that DuckDB takes no name for an address on the network."""

    path: Path
    format: Format

    @property
    def pattern(self) -> str:
        """The path for DuckDB's readers, which take *, ? and [ for wildcards."""
        return re.sub(r"([*?\[])", r"[\1]", str(self.path))


@dataclass(frozen=True)
class Table:
    """A table of a database."""

    database: Path
    schema: str
    table: str


Place = File | Table


def read_place(argument: str, text: str) -> Place:
    """Tell a file by its ending, and a table by the database before it; SA102 for anything else."""
    for format in FORMATS:
        if text.lower().endswith(format.endings):
            return File(full_path(argument, text), format)
    if match := DATABASE_TABLE.fullmatch(text):
        return Table(full_path(argument, match[1]), *read_name(argument, match[2]))
    raise InvalidParameter(
        f"{argument}: {text!r} is neither a file that sqlanon knows nor a table of a database.",
        f"A file ends in one of {', '.join(ENDINGS)}; a table is written clinic.duckdb:visits.",
    )


def file_of(place: Place) -> Path:
    """The file, or that of the database."""
    return place.path if isinstance(place, File) else place.database


def is_place(text: str) -> bool:
    """Whether a text is a file or a table of a database, and not something else."""
    return text.lower().endswith(ENDINGS) or DATABASE_TABLE.fullmatch(text) is not None


def table_text(text: str) -> str | None:
    """What a place says behind its database; None if it is a file."""
    match = None if text.lower().endswith(ENDINGS) else DATABASE_TABLE.fullmatch(text)
    return match and match[2]


def full_path(argument: str, text: str) -> Path:
    """The path from the root of the file system, links followed."""
    if "\0" in text:
        raise InvalidParameter(f"{argument}: a path has no zero byte.")
    path = Path(text).resolve()
    if "\\" in str(path) and re.search(r"[*?\[]", str(path)) and path.drive == "":
        raise InvalidParameter(
            f"{argument}: a path with a backslash cannot have *, ? or [ as well.", "Rename the file."
        )
    return path


def read_name(argument: str, text: str) -> tuple[str, str]:
    """Schema and table, main if there is none. A name with a dot or a quote goes in double quotes, as in SQL."""
    match = TABLE_NAME.fullmatch(text)
    if match is None:
        raise InvalidParameter(f"{argument}: {text!r} is no name of a table.", "Write table, or schema.table.")
    schema, table = (part[1:-1].replace('""', '"') if part[0] == '"' else part for part in match.groups("main"))
    return schema, table
