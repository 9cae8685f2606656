"""Where tables come from and go to: symlinks, several files, standard input and output, names with the day."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

from cli.running import PEOPLE, QI, SA, answer, copy, open_session, refusal, run, succeed
from sqlanon.publishing.paths import read_source

ARGUMENTS = [*QI, *SA, "-l", 3]
LONG = "n" * 200


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


def parts(folder: Path, ending: str = "parquet") -> None:
    """Two files with half of the people each."""
    folder.mkdir(exist_ok=True)
    for number in range(2):
        copy(folder / f"part{number}.{ending}", f"SELECT * FROM ({PEOPLE}) WHERE note % 2 = {number}")


def count_rows(source: str) -> int:
    """How many rows a source has."""
    with open_session() as session:
        table = session.open(read_source("IN", source), "source")
        return int(session.run(f"SELECT count(*) AS n FROM {table}").only["n"])


def test_an_output_through_a_symlink_replaces_what_it_leads_to(tmp_path: Path) -> None:
    source = copy(tmp_path / "people.parquet")
    Path("real").mkdir()
    Path("latest.parquet").symlink_to("real/release.parquet")
    for force in ([], ["--force"]):
        assert answer("release", source, "latest.parquet", *ARGUMENTS, *force)["written"] == "latest.parquet"
        assert Path("latest.parquet").is_symlink() and not Path("real/release.parquet").is_symlink()
        assert list(Path("real").iterdir()) == [Path("real/release.parquet")]
    succeed("verify", "latest.parquet", "--certificate", "latest.parquet.certificate.json", "--allow-unproven")
    Path("real/release.parquet.certificate.json").touch()
    assert "older release" in refusal(2, "release", source, "latest.parquet", *ARGUMENTS, "--force")


def test_a_certificate_through_a_symlink_replaces_what_it_leads_to(tmp_path: Path) -> None:
    source = copy(tmp_path / "people.parquet")
    Path("real.json").touch()
    Path("link.json").symlink_to("real.json")
    succeed("release", source, "out.parquet", *ARGUMENTS, "--certificate", "link.json", "--force")
    assert Path("link.json").is_symlink() and json.loads(Path("real.json").read_text())["rows"] == 300


def test_the_source_is_not_overwritten_whatever_name_it_goes_by(tmp_path: Path) -> None:
    source = copy(tmp_path / "people.parquet")
    Path("link.parquet").symlink_to(source)
    for pair in (("people.parquet", "link.parquet"), ("link.parquet", "people.parquet")):
        assert "is the source itself" in refusal(2, "release", *pair, *ARGUMENTS, "--force")
    with duckdb.connect("clinic.duckdb") as con:
        con.execute(f"CREATE TABLE visits AS {PEOPLE}")
    Path("link.duckdb").symlink_to("clinic.duckdb")
    error = refusal(2, "release", "clinic.duckdb:visits", "link.duckdb:VISITS", *ARGUMENTS, "--force")
    assert "is the source itself" in error
    succeed("release", "clinic.duckdb:visits", "link.duckdb:released", *ARGUMENTS)


def test_symlinks_that_lead_nowhere_are_told(tmp_path: Path) -> None:
    source = copy(tmp_path / "people.parquet")
    Path("circle.parquet").symlink_to("circle.parquet")
    Path("away.parquet").symlink_to("nowhere/release.parquet")
    assert "leads back to itself" in refusal(2, "release", source, "circle.parquet", *ARGUMENTS)
    assert "there is no folder" in refusal(2, "release", source, "away.parquet", *ARGUMENTS)
    assert "there is no file" in refusal(2, "columns", "away.parquet")


@pytest.mark.parametrize("source", ["data", "data/", "data/*.parquet", "data/part[01].parquet", "**/part?.parquet"])
def test_several_files_are_one_table(source: str) -> None:
    parts(Path("data"))
    Path("data/_SUCCESS").touch()
    Path("data/.part2.parquet").touch()
    assert count_rows(source) == 300


def test_several_files_of_csv_are_one_table_and_each_is_read_strictly() -> None:
    parts(Path("data"), "csv")
    assert count_rows("data/*.csv") == 300
    with Path("data/part1.csv").open("a") as file:
        file.write("1,2\n")
    assert "part1.csv' cannot be read as CSV. Line 152" in refusal(2, "columns", "data/*.csv")


def test_a_file_with_just_that_name_is_no_pattern() -> None:
    parts(Path("data"))
    copy(Path("data/part*.parquet"), f"SELECT * FROM ({PEOPLE}) LIMIT 7")
    assert count_rows("data/part*.parquet") == 7


@pytest.mark.parametrize(
    ("query", "says"),
    [
        (f"SELECT *, 1 AS more FROM ({PEOPLE})", "only one has the column 'more'"),
        (f"SELECT * EXCLUDE (zip) FROM ({PEOPLE})", "only one has the column 'zip'"),
        (f"SELECT * REPLACE (CAST(age AS VARCHAR) AS age) FROM ({PEOPLE})", "column 'age' has one type"),
    ],
)
def test_parts_that_differ_are_no_table(query: str, says: str) -> None:
    parts(Path("data"))
    copy(Path("data/part2.parquet"), query)
    assert "[SA101]" in (error := refusal(2, "columns", "data")) and says in error


def test_folders_and_patterns_that_would_miss_files_are_refused() -> None:
    parts(Path("data"))
    Path("empty").mkdir()
    assert "no Parquet file" in refusal(2, "columns", "empty")
    assert "no file matches" in refusal(2, "columns", "empty/*.parquet")
    parts(Path("data/year=2026"))
    assert "folders below it" in refusal(2, "columns", "data")
    assert count_rows("data/**/*.parquet") == 600
    Path("data/year=2026").rename("data/spark.parquet")
    assert "matches the folder" in refusal(2, "columns", "data/*.parquet")


def test_a_release_never_becomes_a_part_of_its_source() -> None:
    parts(Path("data"))
    for source in ("data", "data/*.parquet", "**/*.parquet"):
        assert "a part of it" in refusal(2, "release", source, "data/out.parquet", *ARGUMENTS)
    error = refusal(2, "release", "data/part0.parquet", "x.csv", *ARGUMENTS, "--certificate", "data/part0.parquet")
    assert "wanted for two things" in error
    succeed("release", "data/*.parquet", "data/out.pq", *ARGUMENTS)


def test_what_is_no_parquet_is_told(tmp_path: Path) -> None:
    Path("people.parquet").write_text("secret value")
    assert "[SA102]" in (error := refusal(2, "columns", "people.parquet")) and "secret" not in error


def test_the_day_stands_in_names_of_outputs(tmp_path: Path) -> None:
    source, day = copy(tmp_path / "people.parquet"), dt.date.today().isoformat()
    written = answer("release", source, "out-{date}.parquet", *ARGUMENTS)
    assert written["written"] == f"out-{day}.parquet" and Path(f"out-{day}.parquet.certificate.json").is_file()
    answer("release", source, "days.duckdb:visits_{date}", *ARGUMENTS, "--certificate", "{date}.json")
    with duckdb.connect("days.duckdb") as con:
        assert con.execute(f'SELECT count(*) FROM "visits_{day}"').fetchall() == [(300,)]
    assert Path(f"{day}.json").is_file()


def pipe(*arguments: object, code: int = 0) -> Any:
    """Run a command with the people on standard input."""
    result = run(*arguments, given=copy(Path("people.csv")).read_bytes())
    assert result.exit_code == code, result.output
    return result


def test_csv_goes_through_standard_input_and_output() -> None:
    result = pipe("release", "-", "-", *ARGUMENTS)
    assert result.stdout.splitlines()[0] == "group_id,age,zip,disease" and len(result.stdout.splitlines()) == 301
    assert "source_rows" in result.stderr and "certificate" not in result.stderr
    assert [path.name for path in Path().iterdir()] == ["people.csv"]


def test_what_goes_to_standard_output_can_have_a_certificate() -> None:
    result = pipe("release", "-", "-", *ARGUMENTS, "--certificate", "c.json", "--json")
    Path("out.csv").write_bytes(result.stdout_bytes)
    assert json.loads(result.stderr.splitlines()[-1])["written"] == "-"
    succeed("verify", "out.csv", "--certificate", "c.json", "--allow-unproven")


def test_nothing_goes_to_standard_output_if_it_is_refused() -> None:
    assert pipe("release", "-", "-", *QI, *SA, "-l", 6, code=3).stdout == ""
    assert pipe("release", "-", "-", *ARGUMENTS, "--format", "typed", code=2).stdout == ""
    assert "no header line" in refusal(2, "columns", "-")


def test_a_reader_that_goes_away_gets_no_certificate() -> None:
    with (
        patch("sqlanon.publishing.destinations.copyfileobj", side_effect=BrokenPipeError),
        patch("sqlanon.publishing.destinations.drop_output"),
    ):
        assert "not whole" in pipe("release", "people.csv", "-", *ARGUMENTS, "--certificate", "c.json", code=2).stderr
    assert not Path("c.json").exists()


def test_names_of_200_characters_work() -> None:
    copy(Path(f"{LONG}.csv"), PEOPLE.replace("AS age", f"AS {LONG}"))
    columns = ["--qi", f"{LONG},zip", *SA, "-l", 3]
    answer("release", f"{LONG}.csv", f"out{LONG}.parquet", *columns)
    answer("release", f"{LONG}.csv", f"clinic.duckdb:{LONG}", *columns)
    succeed("verify", f"out{LONG}.parquet", "--certificate", f"out{LONG}.parquet.certificate.json", "--allow-unproven")
    succeed("init", f"{LONG}.csv")
    succeed("run", "release.toml", "--check")


def test_names_that_no_file_can_have_are_told(tmp_path: Path) -> None:
    source = copy(tmp_path / "people.parquet")
    assert "Say where the certificate goes" in refusal(2, "release", source, f"{'n' * 245}.csv", *ARGUMENTS)
    assert "more than 255 bytes" in refusal(2, "release", source, f"{'n' * 255}.csv", *ARGUMENTS)


def test_a_certificate_named_like_what_is_moved_away_is_the_new_one(tmp_path: Path) -> None:
    source = copy(tmp_path / "people.parquet")
    Path("replaced").write_text("{}")
    succeed("release", source, "out.parquet", *ARGUMENTS, "--certificate", "replaced", "--force")
    succeed("verify", "out.parquet", "--certificate", "replaced", "--allow-unproven")
