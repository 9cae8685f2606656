"""sqlanon init: what it writes runs as it is, says why, and has no value of the data."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import duckdb
import pytest
from cli.running import PEOPLE, answer, copy, refusal, run, succeed

from .tables import names

SECRET = "SELECT 'secret' || i % 3 AS city, 'hidden' || i % 4 AS diagnosis, 'x' || i || '@example.org' AS mail, i AS id"


DRAFTED = {"other": "drop"}


def roles(policy: Any) -> dict[str, str]:
    """The roles of columns, which may have a taxonomy beside them."""
    return {name: one if isinstance(one, str) else one["role"] for name, one in policy["columns"].items()}


@pytest.mark.parametrize("query", [PEOPLE, f"{SECRET} FROM range(60) AS r(i)"], ids=["people", "secret"])
def test_what_it_writes_runs_as_it_is(query: str, tmp_path: Path) -> None:
    source = copy(tmp_path / "people.csv", query)
    assert "sqlanon run --check" in succeed("init", source, "--out", tmp_path / "release.toml")
    written = (tmp_path / "release.toml").read_text(encoding="utf-8")
    suggested = {one["column"]: one for one in answer("columns", source)}
    policy = tomllib.loads(written)
    assert roles(policy) == {name: DRAFTED.get(one["role"], one["role"]) for name, one in suggested.items()}
    for one in suggested.values():
        assert f"# {one['reason']}" in written
    entity = [one["column"] for one in suggested.values() if one["entity"]]
    assert policy["release"] == {"l": 3, **({"entity": entity[0]} if entity else {})}
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
    "no rows": ("SELECT i AS age, i AS disease FROM range(0) AS r(i)", 3, "[SA202]"),
    "no rows and no names": ("SELECT i AS a, i AS b FROM range(0) AS r(i)", 2, "no quasi-identifier"),
    "no quasi-identifier": (f"SELECT 'x' || i || '@example.org' AS mail {NUMBERS}", 2, "no quasi-identifier"),
}


@pytest.mark.parametrize("what", UNFIT)
def test_what_cannot_run_says_what_to_fill_in(what: str, tmp_path: Path) -> None:
    query, code, message = UNFIT[what]
    source = copy(tmp_path / "a.parquet", query)
    succeed("init", source, "--out", tmp_path / "release.toml")
    written = (tmp_path / "release.toml").read_text(encoding="utf-8")
    assert ("no l-diverse release exists" if code == 3 else "name one at least") in written
    assert message in refusal(code, "run", tmp_path / "release.toml")
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
    assert policy["columns"]["Group_ID"] == policy["columns"]["list"] == "drop"
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
    assert "already there" in refusal(2, "init", "people.csv")
    assert (tmp_path / "release.toml").read_text() == "mine"
    succeed("init", "people.csv", "--force")
    assert tomllib.loads((tmp_path / "release.toml").read_text())["source"] == "people.csv"
    assert "no file" in refusal(2, "init", "nothing.csv", "--force")


PATIENTS = """
    SELECT i // 3 AS patient, 20 + i // 3 % 70 AS age, CAST(10000 + i // 3 * 7 % 400 AS VARCHAR) AS zip,
        'd' || i % 12 AS disease
    FROM range(1200) AS visits(i)
"""
OF_CLASS = """
    WITH people AS (SELECT DISTINCT patient, age, zip FROM read_parquet($1)),
    classes AS (SELECT DISTINCT age, zip FROM read_parquet($2))
    SELECT count(*) AS people
    FROM classes JOIN people
    ON starts_with(people.zip, rtrim(classes.zip, '*')) AND people.age BETWEEN
        CAST(regexp_extract(classes.age, '[0-9]+') AS INTEGER)
        AND CAST(regexp_extract(classes.age, '([0-9]+)[^0-9]*$', 1) AS INTEGER)
    GROUP BY classes.age, classes.zip
    ORDER BY people
"""


def test_people_with_several_rows_are_counted(tmp_path: Path) -> None:
    """400 patients with three visits each, age and ZIP code the same in all visits of one."""
    source = copy(tmp_path / "visits.parquet", PATIENTS)
    succeed("init", source, "--out", tmp_path / "release.toml")
    policy = tomllib.loads((tmp_path / "release.toml").read_text(encoding="utf-8"))
    assert (policy["columns"]["patient"], policy["release"]["entity"]) == ("identifier", "patient")
    succeed("run", tmp_path / "release.toml")
    with duckdb.connect() as con:
        people = con.execute(OF_CLASS, [str(source), str(tmp_path / "release.parquet")]).fetchall()
    assert people[0][0] >= policy["release"]["l"]


def test_whoever_publishes_rows_of_people_with_several_hears_of_it(tmp_path: Path) -> None:
    source = copy(tmp_path / "visits.parquet", PATIENTS)
    arguments = ["release", source, tmp_path / "a.parquet", "--qi", "age,zip", "--sa", "disease", "-l", 3]
    warned = run(*arguments)
    assert (warned.exit_code, warned.stderr.count("warning: rows were counted, not people")) == (0, 1)
    assert run(*arguments, "--force", "--entity", "patient").stderr == ""
    one_row_each = f"FROM ({PATIENTS}) QUALIFY row_number() OVER (PARTITION BY patient) = 1"
    unique = copy(tmp_path / "people.parquet", one_row_each)
    assert run("release", unique, tmp_path / "b.parquet", "--qi", "age", "-k", 2).stderr == ""


def test_a_taxonomy_is_drafted_for_postal_codes_or_taken_as_it_is_given(tmp_path: Path) -> None:
    query = "SELECT 20 + i % 60 AS age, printf('%05d', 1000 + 50 * (i % 17) + i % 5) AS zip, 'd' || i % 9 AS disease"
    source = copy(tmp_path / "people.parquet", f"{query} FROM range(900) AS r(i)")
    (tmp_path / "policies").mkdir()
    written = tmp_path / "policies" / "drafted.toml"
    succeed("init", source, "--out", written)
    zip_column = tomllib.loads(written.read_text(encoding="utf-8"))["columns"]["zip"]
    assert zip_column == {
        "role": "quasi-identifier",
        "type": "text",
        "taxonomy": "prefix_taxonomy('source', 'zip')",
    }
    drafted = answer("run", written)["gcp"]
    succeed("sql", "-c", f"COPY (FROM prefix_taxonomy('{source}', 'zip')) TO '{tmp_path / 'zip.csv'}'")
    given = tmp_path / "policies" / "given.toml"
    succeed("init", source, "--out", given, "--taxonomy", f"zip={tmp_path / 'zip.csv'}")
    policy = tomllib.loads(given.read_text(encoding="utf-8"))
    assert policy["columns"]["zip"]["taxonomy"] == str(tmp_path / "zip.csv")
    assert policy["output"]["release"] == "release_2.parquet"
    assert answer("run", given)["gcp"] == drafted
    released = ["release.parquet", "release.parquet.certificate.json"]
    again = ["release_2.parquet", "release_2.parquet.certificate.json"]
    assert names(tmp_path / "policies") == ["drafted.toml", "given.toml", *released, *again]
    plain = written.read_text(encoding="utf-8").replace(", taxonomy = \"prefix_taxonomy('source', 'zip')\"", "")
    (tmp_path / "plain.toml").write_text(plain, encoding="utf-8")
    assert drafted < answer("run", tmp_path / "plain.toml")["gcp"]
    assert "no column 'ort'" in refusal(2, "init", source, "--out", tmp_path / "x.toml", "--taxonomy", "ort=zip.csv")


def test_a_drafted_taxonomy_reads_a_table_of_a_database(tmp_path: Path) -> None:
    columns = '20 + i % 60 AS age, CAST(10000 + i % 40 AS VARCHAR) AS "zip\'code"'
    with duckdb.connect(str(tmp_path / "clinic.duckdb")) as con:
        con.execute(f"CREATE TABLE v AS SELECT {columns} FROM range(300) AS r(i)")
    succeed("init", f"{tmp_path / 'clinic.duckdb'}:v", "--out", tmp_path / "release.toml")
    policy = tomllib.loads((tmp_path / "release.toml").read_text(encoding="utf-8"))
    assert policy["columns"]["zip'code"]["taxonomy"] == "prefix_taxonomy('source', 'zip''code')"
    assert answer("run", tmp_path / "release.toml")["achieved_k"] >= 5


def test_a_sensitive_column_that_allows_no_l_is_dropped_if_there_are_others(tmp_path: Path) -> None:
    query = "SELECT i % 60 AS age, 'd' || i % 5 AS disease, i % 9 = 0 AS smoker, i / 7 AS x"
    source = copy(tmp_path / "a.parquet", f"{query} FROM range(300) AS r(i)")
    succeed("init", source, "--out", tmp_path / "release.toml")
    policy = tomllib.loads((tmp_path / "release.toml").read_text(encoding="utf-8"))
    assert roles(policy) == {"age": "quasi-identifier", "disease": "sensitive", "smoker": "drop", "x": "drop"}
    assert answer("run", tmp_path / "release.toml")["achieved_l"] >= 3


VISITS = "SELECT i % 60 AS patient, 20 + i % 60 AS age, 'd' || CASE WHEN i % 3 = 0 THEN 0 ELSE i % 7 END AS disease"


@pytest.mark.parametrize("people", [True, False])
def test_it_says_who_is_counted(people: bool, tmp_path: Path) -> None:
    """Each person has several diseases, of which one is in most of them: taudiverse, which counts rows, is no help."""
    columns = VISITS if people else "SELECT 20 + i AS age, CASE WHEN i < 40 THEN 'flu' ELSE 'd' || i END AS disease"
    source = copy(tmp_path / "a.csv", f"{columns} FROM range({600 if people else 60}) AS r(i)")
    succeed("init", source, "--out", tmp_path / "release.toml")
    written = (tmp_path / "release.toml").read_text(encoding="utf-8")
    assert f"every class has at least k {'people' if people else 'rows'}\n" in written
    assert f"of all {'people' if people else 'rows'}, none is found again by quasi-identifiers alone" in written
    assert ("Over half of the people have one sensitive value" in written) == people
    assert ("Give tau = 0.5" in written) == (not people)
    if people:
        said = refusal(3, "run", tmp_path / "release.toml")
        assert "[SA201] one sensitive value is held by" in said
        assert "tau" not in said
