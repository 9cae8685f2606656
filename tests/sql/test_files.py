"""SQL tested with SQL: runs every tests/sql/*.test.

A file is a list of records, with blank lines between them. `#` starts a comment line.

    statement ok                    the SQL below runs
    statement error <regex>         it fails, and the message matches
    query                           it returns the rows after ----, in this order; values apart by |
    query unordered                 … in any order
    foreach <name> | <name>         the records up to `endloop`, for each of the lines of values below, apart by |;
                                    `$name` stands for the value
    endloop

`$tmp` in SQL is an empty directory. A file has a connection of its own and makes its own tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pytest

import sqlanon

pytestmark = pytest.mark.oldest

FILES = sorted(Path(__file__).parent.glob("*.test"))


@dataclass
class Record:
    """One statement or query, and where it starts."""

    line: int
    kind: str
    argument: str
    sql: str = ""
    rows: list[list[str]] = field(default_factory=list)


Block = list[tuple[int, str]]
"""Lines without a blank one between them, and their numbers."""


def read_blocks(text: str) -> list[Block]:
    """The blocks of a file, without comments."""
    blocks: list[Block] = [[]]
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        if line.strip():
            blocks[-1].append((number, line.rstrip()))
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


def unroll(blocks: list[Block]) -> Iterator[Block]:
    """Every block as often as it runs: those of a loop once for each line of values."""
    inside: list[Block] | None = None
    bindings: list[dict[str, str]] = []
    for block in blocks:
        (number, head), *rest = block
        if head == "endloop":
            assert inside and bindings and not rest, f"line {number}: {head!r}"
            for binding in bindings:
                for each in inside:
                    yield [(position, fill(line, binding)) for position, line in each]
            inside = None
        elif head.startswith("foreach "):
            assert inside is None, f"line {number}: {head!r}"
            names = cells(head.removeprefix("foreach "))
            bindings = [dict(zip(names, cells(line), strict=True)) for _, line in rest]
            inside = []
        elif inside is None:
            yield block
        else:
            inside.append(block)
    assert inside is None, "a loop does not end"


def cells(line: str) -> list[str]:
    """The values of a line."""
    return [cell.strip() for cell in line.split("|")]


def fill(line: str, binding: dict[str, str]) -> str:
    """A line of a loop with the values of one turn."""
    return re.sub(r"\$(\w+)", lambda name: binding.get(name[1], name[0]), line)


def read_records(text: str) -> Iterator[Record]:
    """Split a file into records; whoever misspells a keyword hears of it."""
    for block in unroll(read_blocks(text)):
        first, (number, head) = [line for _, line in block[1:]], block[0]
        kind, _, rest = head.partition(" ")
        if kind == "statement":
            outcome, _, argument = rest.partition(" ")
            assert outcome == "ok" or (outcome == "error" and argument), f"line {number}: {head!r}"
            yield Record(number, f"statement {outcome}", argument, "\n".join(first))
        else:
            assert kind == "query" and rest in ("", "unordered") and "----" in first, f"line {number}: {head!r}"
            cut = first.index("----")
            rows = [cells(row) for row in first[cut + 1 :]]
            yield Record(number, kind, rest, "\n".join(first[:cut]), rows)


def shown(value: object) -> str:
    """A value as it is written in a .test file."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {shown(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(shown(item) for item in value) + "]"
    return str(value)


def complaint(con: duckdb.DuckDBPyConnection, record: Record, sql: str) -> str | None:
    """Run a record; say what is wrong with the outcome."""
    try:
        rows = [[shown(value) for value in row] for row in con.execute(sql).fetchall()]
    except duckdb.Error as error:
        if record.kind != "statement error":
            return f"it failed: {error}"
        return None if re.search(record.argument, str(error), re.DOTALL) else f"it failed otherwise: {error}"
    if record.kind == "statement error":
        return f"it did not fail, but gave {len(rows)} rows"
    if record.kind == "query":
        expected = record.rows
        if record.argument == "unordered":
            rows, expected = sorted(rows), sorted(expected)
        if rows != expected:
            return "it gave\n" + "\n".join("  " + " | ".join(row) for row in rows)
    return None


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_every_record_has_its_expected_outcome(path: Path, tmp_path: Path) -> None:
    con = sqlanon.connect()
    complaints = []
    try:
        for record in read_records(path.read_text(encoding="utf-8")):
            said = complaint(con, record, record.sql.replace("$tmp", tmp_path.as_posix()))
            if said is not None:
                complaints.append(f"{path.name}:{record.line}\n{record.sql}\n{said}")
    finally:
        con.close()
    assert not complaints, "\n\n".join(["", *complaints])


def test_there_are_sql_files() -> None:
    assert len(FILES) >= 9


def test_the_runner_notices_wrong_rows_wrong_errors_and_missing_errors() -> None:
    con = duckdb.connect()
    text = """
query
SELECT 1, NULL
----
1 | 2

statement error SA102
SELECT error('[SA101] other')

statement error SA102
SELECT 1

statement ok
SELECT error('no')
"""
    assert all(complaint(con, record, record.sql) for record in read_records(text))
    con.close()
    with pytest.raises(AssertionError):
        list(read_records("statement fine\nSELECT 1"))


def test_a_loop_runs_its_records_for_each_line_of_values() -> None:
    text = """
foreach a | b
1 | x y
2 |

query
SELECT $a, '$b', $c
----
$a | [$b]

statement ok
SELECT '$tmp'

endloop
"""
    records = [(record.line, record.sql, record.rows) for record in read_records(text)]
    assert records == [
        (6, "SELECT 1, 'x y', $c", [["1", "[x y]"]]),
        (11, "SELECT '$tmp'", []),
        (6, "SELECT 2, '', $c", [["2", "[]"]]),
        (11, "SELECT '$tmp'", []),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "foreach a\n1\n\nstatement ok\nSELECT $a",
        "statement ok\nSELECT 1\n\nendloop",
        "foreach a\n1\n\nforeach b\n1\n\nstatement ok\nSELECT 1\n\nendloop\n\nendloop",
        "foreach a\n\nstatement ok\nSELECT 1\n\nendloop",
        "foreach a\n1\n\nendloop",
    ],
    ids=["no end", "no beginning", "a loop in a loop", "no values", "no records"],
)
def test_a_loop_that_cannot_be_meant_is_noticed(text: str) -> None:
    with pytest.raises(AssertionError):
        list(read_records(text))


def test_a_line_with_too_few_values_is_noticed() -> None:
    with pytest.raises(ValueError, match="shorter"):
        list(read_records("foreach a | b\n1\n\nstatement ok\nSELECT $a\n\nendloop"))
