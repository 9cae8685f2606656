"""sqlanon init: what it writes runs as it is, says why, and has no value of the data."""

from __future__ import annotations

import tomllib
from pathlib import Path

import duckdb
import pytest
from cli.running import PEOPLE, answer, copy, refused, succeed

from .tables import names

SECRET = "SELECT 'secret' || i % 3 AS city, 'hidden' || i % 4 AS diagnosis, 'x' || i || '@example.org' AS mail, i AS id"


@pytest.mark.parametrize("query", [PEOPLE, f"{SECRET} FROM range(60) AS r(i)"], ids=["people", "secret"])
def test_what_it_writes_runs_as_it_is(query: str, tmp_path: Path) -> None:
    source = copy(tmp_path / "people.csv", query)
    assert "sqlanon run --check" in succeed("init", source, "--out", tmp_path / "release.toml")
    written = (tmp_path / "release.toml").read_text(encoding="utf-8")
    suggested = {one["column"]: one for one in answer("columns", source)}
    policy = tomllib.loads(written)
    assert policy["columns"] == {name: one["role"] for name, one in suggested.items()}
    for one in suggested.values():
        assert f"# {one['reason']}" in written
    assert policy["release"] == {"l": 3}
    assert answer("run", tmp_path / "release.toml")["achieved_l"] >= 3
    assert names(tmp_path) == ["people.csv", "release.parquet", "release.parquet.certificate.json", "release.toml"]


def test_it_has_no_value_of_the_data(tmp_path: Path) -> None:
    source = copy(tmp_path / "people.parquet", f"{SECRET} FROM range(60) AS r(i)")
    succeed("init", source, "--out", tmp_path / "release.toml")
    written = (tmp_path / "release.toml").read_text(encoding="utf-8")
    assert not [value for value in ("secret", "hidden", "example.org") if value in written]


def test_several_sensitive_columns_are_protected_at_once(tmp_path: Path) -> None:
    columns = "i % 60 AS age, 'd' || i % 5 AS disease, i * 7 % 11 AS salary"
    source = copy(tmp_path / "a.csv", f"SELECT {columns} FROM range(200) AS r(i)")
    succeed("init", source, "--out", tmp_path / "release.toml")
    assert answer("run", tmp_path / "release.toml")["algo"] == "bsgi"


def test_without_a_sensitive_column_it_is_k_anonymity(tmp_path: Path) -> None:
    source = copy(tmp_path / "release.csv", "SELECT i % 50 AS age, 'c' || i % 5 AS city FROM range(200) AS r(i)")
    succeed("init", source, "--out", tmp_path / "release.toml")
    assert "no column looks sensitive" in (tmp_path / "release.toml").read_text(encoding="utf-8")
    assert answer("run", tmp_path / "release.toml")["achieved_k"] >= 5
    assert "published.parquet" in names(tmp_path)


NUMBERS = "FROM range(50) AS r(i)"
UNFIT = {
    "not eligible": (
        f"SELECT i % 9 AS age, if(i < 40, 'flu', 'd') AS disease {NUMBERS}",
        3,
        "[SA201]",
    ),
    "no rows": ("SELECT i AS age, i AS disease FROM range(0) AS r(i)", 2, "no quasi-identifier"),
    "no quasi-identifier": (f"SELECT 'x' || i || '@example.org' AS mail {NUMBERS}", 2, "no quasi-identifier"),
}


@pytest.mark.parametrize("what", UNFIT)
def test_what_cannot_run_says_what_to_fill_in(what: str, tmp_path: Path) -> None:
    query, code, message = UNFIT[what]
    source = copy(tmp_path / "a.parquet", query)
    succeed("init", source, "--out", tmp_path / "release.toml")
    written = (tmp_path / "release.toml").read_text(encoding="utf-8")
    assert ("no l-diverse release exists" if code == 3 else "name one at least") in written
    assert message in refused(code, "run", tmp_path / "release.toml")
    assert names(tmp_path) == ["a.parquet", "release.toml"]


def test_names_of_every_kind_become_keys(tmp_path: Path) -> None:
    columns = ", ".join(
        f'{value} AS "{name}"'
        for name, value in {
            'a.b ""c""': "i % 7",
            "größe = 3 # x": "i % 9",
            "new\nline\x7f\x1b": "i % 5",
            "[columns]": "i",
            "disease'": "i % 4",
            "Group_ID": "i % 3",
            "list": "[i]",
        }.items()
    )
    source = copy(tmp_path / "a.parquet", f"SELECT {columns} FROM range(80) AS r(i)")
    succeed("init", source, "--out", tmp_path / "release.toml")
    policy = tomllib.loads((tmp_path / "release.toml").read_text(encoding="utf-8"))
    assert list(policy["columns"]) == [
        'a.b "c"', "größe = 3 # x", "new\nline\x7f\x1b", "[columns]", "disease'", "Group_ID", "list",
    ]  # fmt: skip
    assert policy["columns"]["Group_ID"] == policy["columns"]["list"] == "identifier"
    assert answer("run", tmp_path / "release.toml", "--check")["function"] == "ldiverse"


def test_the_source_is_named_as_seen_from_the_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "policies").mkdir()
    with duckdb.connect(str(tmp_path / "data" / "clinic.duckdb")) as con:
        con.execute(f'CREATE TABLE "v.1" AS {PEOPLE}')
    monkeypatch.chdir(tmp_path / "data")
    succeed("init", 'clinic.duckdb:"v.1"', "--out", "../policies/x.toml")
    policy = tomllib.loads((tmp_path / "policies" / "x.toml").read_text(encoding="utf-8"))
    assert policy["source"] == '../data/clinic.duckdb:"v.1"'
    monkeypatch.chdir(tmp_path)
    assert answer("run", "policies/x.toml", "--check")["source_rows"] == 300


def test_a_policy_is_not_overwritten_unless_it_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    copy(tmp_path / "people.csv")
    (tmp_path / "release.toml").write_text("mine")
    assert "already there" in refused(2, "init", "people.csv")
    assert (tmp_path / "release.toml").read_text() == "mine"
    succeed("init", "people.csv", "--force")
    assert tomllib.loads((tmp_path / "release.toml").read_text())["source"] == "people.csv"
    assert "no file" in refused(2, "init", "nothing.csv", "--force")
