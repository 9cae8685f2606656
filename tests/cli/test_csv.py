"""CSV files are read as they are, or refused: no row is passed over, and none is taken for the header."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from cli.running import answer, open_session, refusal, succeed
from sqlanon.errors import InvalidParameter
from sqlanon.publishing.paths import read_file_or_table

pytestmark = pytest.mark.oldest

HEADER, ROWS = "age,zip,disease\n", [f"{20 + i % 50},0{1000 + i // 60},d{i % 5}\n" for i in range(300)]


def write(path: Path, text: str) -> Path:
    """A file of text, compressed if its name says so."""
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def rows_of(path: Path, tmp_path: Path) -> int:
    """How many rows are published."""
    out = tmp_path / "out.parquet"
    made = answer("release", path, out, "--qi", "age,zip", "--sa", "disease", "-l", 2, "--force")
    return int(made["source_rows"])


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
def test_a_row_that_begins_with_a_hash_is_a_row(ending: str, tmp_path: Path) -> None:
    rows = [*ROWS]
    rows[7] = f"#{rows[7]}"
    rows[9] = f"#{rows[9]}"
    assert rows_of(write(tmp_path / f"people.{ending}", HEADER + "".join(rows)), tmp_path) == 300


@pytest.mark.parametrize("delimiter", [",", ";", "|", "\t"])
def test_the_header_tells_the_delimiter(delimiter: str, tmp_path: Path) -> None:
    text = (HEADER + "".join(ROWS)).replace(",", delimiter)
    assert rows_of(write(tmp_path / "people.csv", text), tmp_path) == 300


@pytest.mark.parametrize("change", ["{},more", "{},", "7,01000"])
@pytest.mark.parametrize("line", [2, 102, 301])
def test_a_row_of_more_or_fewer_cells_is_an_error_with_its_line(line: int, change: str, tmp_path: Path) -> None:
    rows = [*ROWS]
    rows[line - 2] = change.format(rows[line - 2].strip()) + "\n"
    path = write(tmp_path / "people.csv", HEADER + "".join(rows))
    for command in ("columns", "init"):
        error = refusal(2, command, path)
        assert "[SA102]" in error and f"Line {line} is the first" in error
        assert "d3" not in error and "0100" not in error


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("age,zip,age\n", "twice: see columns 1, 3"),
        ("age,zip,AGE\n", "twice"),
        ("21,01000,d1\n", "is no header"),
        ("2024-02-01,ward,d1\n", "is no header"),
        ("age, age,disease\n", "twice"),
        ("age,,disease\n", "is no header"),
        ("", "is no header"),
        ('"age,zip,disease\n', "no header line"),
        ("\n", "no header line"),
    ],
)
def test_the_first_line_has_to_name_the_columns(header: str, says: str, tmp_path: Path) -> None:
    error = refusal(2, "columns", write(tmp_path / "people.csv", header + "".join(ROWS)))
    assert "[SA102]" in error and says in error
    assert "01000" not in error


def test_an_empty_file_has_no_header(tmp_path: Path) -> None:
    assert "no header line" in refusal(2, "columns", write(tmp_path / "people.csv", ""))


def test_quotes_breaks_and_blank_lines_count_as_they_should(tmp_path: Path) -> None:
    rows = [*ROWS[:-1], '70,"01\n000","a ""b"""\n', "\n", '71,5" or 6",d1\n', "\n"]
    assert rows_of(write(tmp_path / "people.csv", HEADER + "".join(rows)), tmp_path) == 301


HOSTILE = {
    "quotes that never end": (b'70,"never,d1\n', "row that begins on line 52"),
    "text after quotes": (b'70,"5" wide,d1\n', "row that begins on line 52"),
    "latin-1": ("70,Grün,d1\n".encode("latin-1"), "Line 52 is not text in UTF-8"),
    "another line end": (b"70,01000,d1\r\n", "Some lines end with a carriage return"),
    "a line too long": (b"70," + b"x" * 2_000_001 + b",d1\n", "Line 52 has more than 2,000,000 bytes"),
    "quotes, later a row too short": (b'70,"a\nb",d1\n7,01000\n', "Line 54 is the first"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_cannot_be_read_is_an_error_that_says_where(what: str, tmp_path: Path) -> None:
    row, says = HOSTILE[what]
    text = HEADER.encode() + "".join(ROWS[:50]).encode() + row + "".join(ROWS[50:]).encode()
    (tmp_path / "people.csv").write_bytes(text)
    error = refusal(2, "columns", tmp_path / "people.csv")
    assert "[SA102]" in error and says in error


def test_a_file_in_utf_16_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_bytes((HEADER + "".join(ROWS)).encode("utf-16"))
    assert "line 1 of" in (error := refusal(2, "columns", tmp_path / "people.csv")) and "UTF-8" in error


def test_a_compressed_file_is_whole_and_compressed(tmp_path: Path) -> None:
    path = tmp_path / "people.csv.gz"
    for data in (b"age,zip\n1,2\n", gzip.compress((HEADER + "".join(ROWS)).encode())[:-9]):
        path.write_bytes(data)
        assert "[SA102]" in (error := refusal(2, "columns", path)) and "is not whole" in error


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("\ufeffage,zip\n1,2\n", 1),  # the mark of Windows
        ("age,zip\r\n1,2\r\n3,4", 2),
        ("age,zip\r1,2\r", 1),
        ('age,5" wide\n1,2\n', 1),
        ('age,"a\nb",""""\n1,2,3\n', 1),
        ("age,zip\n", 0),
        ("age\n1\n\n3\n", 3),
        ('age\n"1"\n\n"3"\n', 3),
        ("age,zip\n1,\x00\n", 1),
        ("age,zip\n,\n", 1),
        ("age,zip\n1," + "x" * 200_000 + '\n2,"y"\n', 2),
    ],
)
def test_every_row_is_read(text: str, rows: int, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(text.encode())
    with open_session() as session:
        table = session.open(read_file_or_table("IN", str(path)), "source")
        assert session.columns(table)[0] == "age"
        assert session.run(f"SELECT count(*) AS n FROM {table}").only["n"] == rows


@pytest.mark.parametrize(
    ("days", "type_name"),
    [
        (["05/06/2026", "07/08/2026"], "VARCHAR"),
        (["05/06/2026", "07/13/2026"], "DATE"),
        (["05.06.2026", "", "13.07.2026"], "DATE"),
        (["2026-05-06", "2026-07-08"], "DATE"),
        (["05/06/2026 10:00:00", "07/08/2026 11:00:00"], "VARCHAR"),
        (["2026-05-06 10:00:00", "2026-07-08 11:00:00"], "TIMESTAMP"),
    ],
)
def test_days_that_could_be_months_stay_text(days: list[str], type_name: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "name,day\n" + "".join(f"x,{day}\n" for day in days))
    with open_session() as session:
        table = session.open(read_file_or_table("IN", str(path)), "source")
        assert dict(session.describe(table))["day"] == type_name
        assert type_name != "VARCHAR" or [day for _, day in session.run(f"FROM {table}").rows] == days


def test_days_that_could_be_months_are_refused_where_a_policy_pins_days(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "name,day\nx,05/06/2026\ny,07/08/2026\n")
    with open_session() as session, pytest.raises(InvalidParameter, match=r"'day' .* cannot be told"):
        session.open(read_file_or_table("IN", str(path)), "source", {"day": "date"})


def test_addresses_on_the_network_are_refused_in_plain_words(tmp_path: Path) -> None:
    for address in ("https://example.org/people.csv", "s3://bucket/people.parquet"):
        assert "addresses on the network" in refusal(2, "columns", address)


def test_a_release_in_csv_is_read_as_strictly(tmp_path: Path) -> None:
    source, out = write(tmp_path / "people.csv", HEADER + "".join(ROWS)), tmp_path / "out.csv"
    succeed("release", source, out, "--qi", "age,zip", "--sa", "disease", "-l", 2)
    out.write_text(out.read_text() + "1,2\n")
    assert "Line 302 is the first" in refusal(2, "verify", out, "--qi", "age,zip", "-k", 2)
