"""CSV files, read as they are: one header line, then rows of as many cells; no line is skipped or taken for a comment.

DuckDB would guess all that, and pass over what does not fit its guess.
"""

from __future__ import annotations

import csv
import gzip
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, NamedTuple

from ..arguments import fold
from ..errors import InvalidParameter
from .paths import File

DELIMITERS = ",;\t|"
NUMBER = re.compile(r"\s*[+-]?[\d.,]*\d[\d.,]*(?:[eE][+-]?\d+)?\s*")
DAY = re.compile(r"\s*\d{1,4}([-/.])\d{1,2}\1\d{1,4}\b.*")
CHUNK = 1 << 22
LONGEST_LINE = 2_000_000
"""Bytes of a line that DuckDB reads."""

STRICT = """
    header := true, quote := '"', escape := '"', comment := '', skip := 0, null_padding := false, sample_size := -1,
    hive_partitioning := false
"""
"""The options for DuckDB to read a file: all that it would guess otherwise, but for types, for which it looks at all
lines, and the ends of lines.
"""


class Header(NamedTuple):
    """The first line of a file: the names of columns, as DuckDB has them, and the delimiter."""

    names: list[str]
    delimiter: str


def read_header(file: File, delimiter: str | None) -> Header:
    """Read the first line; without a delimiter that is known, it is the one that makes the most columns, or a comma."""
    headers = [Header(first_record(file, one), one) for one in (delimiter or DELIMITERS)]
    header = max(headers, key=lambda one: len(one.names))
    if not any(header.names):
        raise InvalidParameter(f"{file.name} has no header line.", "The first line names the columns.")
    refuse_header(file, header.names)
    return header


def first_record(file: File, delimiter: str) -> list[str]:
    """The names in the first line, as far as this delimiter makes sense; one may have a line break in quotes."""
    with open_text(file) as lines, long_cells(), suppress(csv.Error):
        for record in csv.reader(lines, delimiter=delimiter, strict=True):
            return [name.strip() for name in record]
    return []


def refuse_header(file: File, names: Sequence[str]) -> None:
    """Refuse a first line that names no columns. It may be one of data, so nothing of it is shown."""
    if any("\0" in name or "\ufffd" in name for name in names):
        raise InvalidParameter(f"line 1 of {file.name} is not text in UTF-8.", SAVE_AS_UTF_8)
    folded = [fold(name) for name in names]
    twice = [str(position) for position, name in enumerate(folded, 1) if Counter(folded)[name] > 1]
    if twice and any(folded):
        raise InvalidParameter(
            f"line 1 of {file.name} names a column twice: see columns {', '.join(twice)}.", "Give each its own name."
        )
    if any(not name or NUMBER.fullmatch(name) or DAY.fullmatch(name) for name in names):
        raise InvalidParameter(
            f"line 1 of {file.name} is no header: a name in it is empty, or a number, or a day.",
            "The first line names the columns.",
        )


SAVE_AS_UTF_8 = "Save it as UTF-8."


def count_rows(file: File, header: Header) -> int:
    """Count the rows. A row of more or fewer cells than the header has, or with broken quotes, is an error."""
    return sum(1 for _ in (read_records(file, header) if has_quotes(file) else read_lines(file, header)))


def read_lines(file: File, header: Header) -> Iterator[str]:
    """The lines after the header, of a file without quotes. One without a cell counts only if there is one column."""
    delimiters = len(header.names) - 1
    with open_text(file) as lines:
        next(lines)
        for number, line in enumerate(lines, 2):
            if line.count(header.delimiter) != delimiters:
                if line.strip("\r\n"):
                    raise ragged_row_error(file, number)
            else:
                yield line


def read_records(file: File, header: Header) -> Iterator[tuple[int, list[str]]]:
    """The rows after the header, with the number of the line where each begins, of any file."""
    with open_text(file) as lines, long_cells():
        records = csv.reader(lines, delimiter=header.delimiter, strict=True)
        line = 1
        try:
            for record in records:
                if record and len(record) != len(header.names):
                    raise ragged_row_error(file, line)
                if line > 1 and (record or len(header.names) == 1):
                    yield line, record
                line = records.line_num + 1
        except csv.Error:
            raise InvalidParameter(
                f"{file.name} cannot be read as CSV: quotes are wrong in the row that begins on line {line}.",
                'A quote within quotes is written twice: "5"" wide".',
            ) from None


def ragged_row_error(file: File, line: int) -> InvalidParameter:
    """The error about a row of another length."""
    return InvalidParameter(
        f"{file.name} cannot be read as CSV. Line {line} is the first that has more or fewer cells than the header."
    )


def unreadable_file_error(file: File) -> InvalidParameter:
    """The error about a file that DuckDB refuses, with what is wrong in it."""
    return InvalidParameter(f"{file.name} cannot be read as CSV.", " ".join(problems(file)))


def problems(file: File) -> Iterator[str]:
    """Things in a file that DuckDB may refuse, with their lines."""
    ends: set[bytes] = set()
    with open_bytes(file) as lines:
        for number, line in enumerate(lines, 1):
            ends.add(b"\r\n" if line.endswith(b"\r\n") else line[-1:])
            if len(line) > LONGEST_LINE:
                yield f"Line {number} has more than {LONGEST_LINE:,} bytes."
                return
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                yield f"Line {number} is not text in UTF-8. {SAVE_AS_UTF_8}"
                return
    if {b"\r\n", b"\n"} <= ends:
        yield "Some lines end with a carriage return, others do not: make them all alike."


def refuse_lost_rows(file: File, records: int, rows: int) -> None:
    """As many rows were read as there are in the file."""
    if records != rows:
        raise InvalidParameter(
            f"{file.name} has {records:,} rows, of which {rows:,} could be read.", "Look for quotes that never end."
        )


def find_unlike_line(file: File, header: Header, column: int, shape: re.Pattern[str]) -> int | None:
    """The number of the first line whose cell in a column has another shape, and is not empty."""
    for line, record in read_records(file, header):
        if record and record[column] and not shape.fullmatch(record[column].strip()):
            return line
    return None


def first_cell(file: File, header: Header, column: int) -> str:
    """The first cell in a column that is not empty; an empty text if all are."""
    return next((record[column] for _, record in read_records(file, header) if record and record[column]), "")


def has_quotes(file: File) -> bool:
    """Whether a quote is anywhere in a file: without any, a line is a row."""
    with open_bytes(file) as data:
        return any(b'"' in chunk for chunk in iter(lambda: data.read(CHUNK), b""))


@contextmanager
def long_cells() -> Iterator[None]:
    """Python's reader of CSV takes cells of any length meanwhile."""
    usual = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        yield
    finally:
        csv.field_size_limit(usual)


@contextmanager
def open_text(file: File) -> Iterator[IO[str]]:
    """The lines of a file, whose bytes may be anything."""
    opener = gzip.open if is_compressed(file) else open
    with refuse_cut_off(file), opener(file.path, "rt", encoding="utf-8-sig", errors="replace", newline="") as lines:
        yield lines


@contextmanager
def open_bytes(file: File) -> Iterator[IO[bytes]]:
    """The bytes of a file, which may be compressed."""
    opener = gzip.open if is_compressed(file) else open
    with refuse_cut_off(file), opener(file.path, "rb") as data:
        yield data  # type: ignore[misc]


@contextmanager
def refuse_cut_off(file: File) -> Iterator[None]:
    """Say of a compressed file if it is none, or ends too early."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise InvalidParameter(f"{file.name} is not whole, or not compressed by gzip.") from None


def is_compressed(file: File) -> bool:
    """Whether a file's name says that it is compressed."""
    return file.path.suffix.lower() == ".gz"
