"""Policies pin types and bound rows; their sources are whatever the command line reads."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from cli.running import PEOPLE, answer, copy, open_session, refusal, succeed

from sqlanon.errors import InvalidParameter, UnsupportedType
from sqlanon.policy.reading import read_policy
from sqlanon.publishing.column_types import KINDS
from sqlanon.publishing.paths import read_source

from .tables import edit_policy, make

PINNED = ('age = "quasi-identifier"', 'age = { role = "quasi-identifier", type = "integer" }')
SOURCE = ('source = "people.parquet"', 'source = "people.csv"')


def write(folder: Path, *rows: str) -> Path:
    """The people as CSV, with more rows."""
    path = copy(folder / "people.csv")
    path.write_text(path.read_text() + "".join(f"{row}\n" for row in rows))
    return path


def test_a_cell_of_another_kind_stops_the_run_and_says_where(tmp_path: Path) -> None:
    policy = make(tmp_path, edit_policy(SOURCE, PINNED))
    write(tmp_path, '1,30,"01\n000",d1,7', "1,n/a,01000,d1,8", "1,nn/aa,01000,d1,8")
    error = refusal(2, "run", policy)
    assert "[SA104]" in error and "people.csv' has a cell of another kind on line 304" in error and "n/a" not in error
    assert not (tmp_path / "release.parquet").exists()
    write(tmp_path, "1,30.5,01000,d1,7")
    assert "line 302" in refusal(2, "run", policy)
    write(tmp_path, "1,,01000,d1,7")
    assert answer("run", policy)["source_rows"] == 301


@pytest.mark.parametrize("type_name", ["VARCHAR", "DOUBLE", "DATE"])
def test_a_column_of_another_type_stops_the_run(type_name: str, tmp_path: Path) -> None:
    policy = make(tmp_path, edit_policy(PINNED))
    days = "DATE '2000-01-01' + CAST(age AS INTEGER)" if type_name == "DATE" else f"CAST(age AS {type_name})"
    copy(tmp_path / "people.parquet", f"SELECT * REPLACE ({days} AS age) FROM ({PEOPLE})")
    error = refusal(2, "run", policy, "--check")
    assert f"column 'age' is {type_name}; the policy pins type = \"integer\"" in error


CELLS = {
    "integer": ("7", "07", "BIGINT"),
    "number": ("7", "n/a", "DOUBLE"),
    "text": ("7", None, "VARCHAR"),
    "boolean": ("true", "maybe", "BOOLEAN"),
    "date": ("2026-11-18", "soon", "DATE"),
    "time": ("12:30:00", "noon", "TIME"),
    "timestamp": ("2026-11-18 12:30:00", "soon", "TIMESTAMP"),
    "timestamptz": ("2026-11-18 12:30:00+02", "soon", "TIMESTAMP WITH TIME ZONE"),
}


@pytest.mark.parametrize("word", KINDS)
@pytest.mark.parametrize("empty", [False, True])
def test_csv_is_read_as_the_types_that_are_pinned(word: str, empty: bool, tmp_path: Path) -> None:
    good, bad, expected = CELLS[word]
    path = tmp_path / "a.csv"
    rows = ["x,"] * 5 if empty else [f"x,{good}"] * 5
    path.write_text("\n".join(["name,Value", *rows]))
    with open_session() as session:
        table = session.open(read_source("IN", str(path)), "source", {"value": word, "missing": "text"})
        assert dict(session.describe(table))["Value"] == expected
    if bad is not None:
        path.write_text("\n".join(["name,Value", f"x,{good}", "y,", f"z,{bad}", f"z,{bad}"]))
        with open_session() as session, pytest.raises(UnsupportedType, match="on line 4"):
            session.open(read_source("IN", str(path)), "source", {"value": word})


def test_several_files_of_csv_have_the_types_that_are_pinned(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("zip,n\n01000,1\n")
    (tmp_path / "2.csv").write_text("zip,n\n21000,2\n")
    files = read_source("IN", str(tmp_path / "*.csv"))
    assert "'zip' has one type" in refusal(2, "columns", tmp_path / "*.csv")
    with open_session() as session:
        table = session.open(files, "source", {"zip": "text"})
        assert session.run(f"SELECT zip FROM {table} ORDER BY n").rows == [("01000",), ("21000",)]


@pytest.mark.parametrize(
    ("bounds", "broken"),
    [
        ("min_rows = 301", "min_rows = 301"),
        ("max_rows = 299", "max_rows = 299"),
        ("min_rows = 300\nmax_rows = 300", ""),
    ],
)
def test_the_source_has_as_many_rows_as_the_policy_says(bounds: str, broken: str, tmp_path: Path) -> None:
    policy = make(tmp_path, edit_policy(("[output]", f"[bounds]\n{bounds}\n\n[output]")))
    if broken:
        error = refusal(1, "run", policy)
        assert f"[SA302] the source has 300 rows; [bounds] has {broken}" in error
        assert not (tmp_path / "release.parquet").exists()
    else:
        assert answer("run", policy, "--check")["source_rows"] == 300


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ((PINNED[0], PINNED[1].replace("integer", "int")), "'int' is not known. Choose one of: integer, number"),
        (("[output]", "[bounds]\nmin_rows = -1\n[output]"), "out of range"),
        (("[output]", "[bounds]\nmin_rows = 2.5\n[output]"), "whole number"),
        (("[output]", "[bounds]\nmin_rows = 3\nmax_rows = 2\n[output]"), "above its max_rows"),
        (('"people.parquet"', '"https://example.org/people.parquet"'), "addresses on the network"),
        (('"release.parquet"', '"-"'), "neither a file"),
    ],
)
def test_wrong_policies_are_told(change: tuple[str, str], says: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        read_policy(tomllib.loads(edit_policy(change)))
    assert says in str(caught.value)


@pytest.mark.parametrize("source", ["data", "data/*.parquet"])
def test_sources_of_policies_are_folders_and_patterns_beside_them(source: str, tmp_path: Path) -> None:
    policy = make(tmp_path, edit_policy(('"people.parquet"', f'"{source}"'), ('"release.parquet"', '"{date}.parquet"')))
    (tmp_path / "data").mkdir()
    for number in range(2):
        copy(tmp_path / "data" / f"{number}.parquet", f"SELECT * FROM ({PEOPLE}) WHERE note % 2 = {number}")
    made = answer("run", policy)
    assert made["source_rows"] == 300 and "{date}" not in made["release"] and Path(made["release"]).is_file()


def draft(*arguments: object) -> Any:
    """The policy that init writes."""
    succeed("init", *arguments, "--force")
    return tomllib.loads(Path("release.toml").read_text(encoding="utf-8"))


def test_init_pins_the_types_of_what_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    policy = draft(copy(tmp_path / "people.csv"))
    assert policy["columns"]["age"] == {"role": "quasi-identifier", "type": "integer"}
    assert policy["columns"]["disease"] == {"role": "sensitive", "type": "text"}
    assert policy["columns"]["person"] == "identifier"
    write(tmp_path, "1,n/a,01000,d1,8")
    assert "line 302" in refusal(2, "run", "release.toml")


def test_init_keeps_symlinks_folders_and_patterns_as_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    Path("days").mkdir()
    copy(tmp_path / "data" / "1.parquet")
    Path("today.parquet").symlink_to("data/1.parquet")
    Path("current").symlink_to("data")
    for source in ("today.parquet", "current/1.parquet", "data", "data/*.parquet"):
        assert draft(source)["source"] == source
        assert draft(source, "--out", "days/release.toml") and Path("days/release.toml").is_file()
        assert tomllib.loads(Path("days/release.toml").read_text())["source"] == f"../{source}"
        succeed("run", "days/release.toml", "--check")
    Path("linked.toml").symlink_to("days/release.toml")
    assert draft("today.parquet", "--out", "linked.toml") and Path("linked.toml").is_symlink()
    assert tomllib.loads(Path("linked.toml").read_text())["source"] == "../today.parquet"
    assert draft("*.parquet")["output"]["release"] == "release.csv"
    succeed("run", "release.toml", "--check")
