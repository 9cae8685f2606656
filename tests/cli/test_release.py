"""sqlanon release: files and tables in and out, the summary, and what is refused."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from cli.running import PEOPLE, QI, SA, answer, copy, refusal, reused, shown, succeed
from sqlanon.certificate import Certificate
from sqlanon.cli.output import cell


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy(tmp_path_factory.mktemp("people") / "people.parquet")


def rows(path: object) -> list[tuple[object, ...]]:
    """The rows of a file, in its order."""
    return duckdb.connect().execute(f"FROM '{path}'").fetchall()


@pytest.mark.parametrize("ending", ["parquet", "csv", "csv.gz", "tsv"])
def test_files_of_every_kind_go_in_and_out(ending: str, tmp_path: Path) -> None:
    source = tmp_path / f"people.{ending}"
    delimiter = ", DELIMITER '\t'" if ending == "tsv" else ""
    kind = "parquet" if ending == "parquet" else f"csv, HEADER true{delimiter}"
    duckdb.connect().execute(f"COPY ({PEOPLE}) TO '{source}' (FORMAT {kind})")
    out = tmp_path / f"out.{ending}"
    summary = answer("release", source, out, *QI, *SA, "-l", 3)
    assert (summary["release_rows"], summary["promised_l"]) == (300, 3)
    assert summary["achieved_l"] >= 3
    published = rows(out)
    assert len(published) == 300
    assert {len(row) for row in published} == {4}, "group_id, two quasi-identifiers, the sensitive attribute"
    assert max(int(str(row[0])) for row in published) == summary["groups"]
    assert any(str(row[2])[:1] == "0" for row in published), "a ZIP code is no number"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [out.name, f"{out.name}.certificate.json", source.name]
    )


def test_a_release_on_the_command_line_is_the_release_in_sql(people: Path, tmp_path: Path) -> None:
    succeed("release", people, tmp_path / "out.parquet", *QI, *SA, "-l", 3, "--keep", "person", "--format", "typed")
    expected = (
        reused()
        .execute(f"""
            FROM ldiverse('(FROM ''{people}'')', ['age', 'zip'], 'disease', 3, keep := ['person'], format := 'typed')
        """)
        .fetchall()
    )
    assert rows(tmp_path / "out.parquet") == expected


def test_a_release_names_its_certificate_and_the_certificate_its_release(people: Path, tmp_path: Path) -> None:
    """A certificate names a release by the hash of its content; a CSV file has no room for the other name."""
    file, database = tmp_path / "out.parquet", tmp_path / "releases.duckdb"
    succeed("release", people, file, *QI, *SA, "-l", 3)
    for force in ((), ("--force",)):
        succeed("release", people, f"{database}:out", *QI, *SA, "-l", 3, *force)
    with duckdb.connect() as con:
        named = con.execute(f"SELECT decode(key), decode(value) FROM parquet_kv_metadata('{file}')").fetchall()
        con.execute(f"ATTACH '{database}' AS releases")
        comments = con.execute("SELECT comment FROM duckdb_tables() WHERE table_name = 'out'").fetchall()
    assert named == [("sqlanon_certificate", "out.parquet.certificate.json")]
    ((comment,),) = comments
    key, _, name = comment.partition(": ")
    assert key == "sqlanon_certificate"
    for release, certificate in ((file, file.with_name(named[0][1])), (f"{database}:out", tmp_path / name)):
        succeed("verify", release, "--certificate", certificate, "--allow-unproven")
    succeed("release", people, tmp_path / "alone.parquet", *QI, *SA, "-l", 3, "--no-certificate")
    with duckdb.connect() as con:
        alone = tmp_path / "alone.parquet"
        assert con.execute(f"SELECT count(*) FROM parquet_kv_metadata('{alone}')").fetchall() == [(0,)]


def test_tables_of_databases_go_in_and_out(tmp_path: Path) -> None:
    clinic = tmp_path / "clinic.duckdb"
    with duckdb.connect(str(clinic)) as con:
        con.execute(f'CREATE SCHEMA "a b"; CREATE TABLE "a b"."it.s""" AS {PEOPLE}')
    source = f'{clinic}:"a b"."it.s"""'
    succeed("release", source, f"{clinic}:out", *QI, "-k", 4)  # the same database
    succeed("release", source, f"{tmp_path}/new.db:published.out", *QI, "-k", 4)  # one that is not there yet
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "clinic.duckdb", "clinic.duckdb.out.certificate.json", "new.db", "new.db.published.out.certificate.json",
    ]  # fmt: skip
    with duckdb.connect(str(clinic)) as con:
        inside = con.execute("FROM out").fetchall()
    with duckdb.connect(str(tmp_path / "new.db")) as con:
        assert con.execute("FROM published.out").fetchall() == inside
    assert len(inside) == 300
    assert "there is a table 'out' already" in refusal(
        2, "release", source, f"{clinic}:out", *QI, "-k", 5, "--no-certificate"
    )
    assert answer("release", source, f"{clinic}:out", *QI, "-k", 5, "--force")["achieved_k"] >= 5
    assert "It has: " in refusal(2, "release", f"{clinic}:nothing", tmp_path / "x.csv", *QI, "-k", 5)
    assert "OUT is the source" in refusal(2, "release", f"{clinic}:out", f"{clinic}:main.out", *QI, "-k", 5, "--force")


def test_json_has_the_numbers_of_the_table(people: Path, tmp_path: Path) -> None:
    arguments = ["release", people, tmp_path / "out.csv", *QI, *SA, "-l", 3, "--force"]
    summary, table = answer(*arguments), shown(succeed(*arguments))
    assert summary.keys() - {"written", "certificate"} == table.keys() - {"measure", "Written", "Its"}
    for name in summary.keys() - {"seconds", "written", "certificate"}:
        assert table[name] == cell(summary[name])


def test_every_argument_arrives(people: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    taxonomy = copy(
        tmp_path / "zip.csv", "SELECT '0' || (1000 + i) AS zip, '01*' AS area, '*' AS everything FROM range(30) AS r(i)"
    )
    succeed("release", people, out, *QI, *SA, "-l", 2, "--algo", "incognito", "--taxonomy", f"zip={taxonomy}",
        "--option", "suppress=0.3", "--option", "bins=4", "--recode", "generalize", "--nulls", "value")  # fmt: skip
    assert {row[2] for row in rows(out)} <= {"01*", "*", *(f"0{1000 + i}" for i in range(30))}
    twice = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for path in twice:
        succeed("release", people, path, *QI, *SA, "-l", 3, "--algo", "anatomy", "--seed", 7)
    assert twice[0].read_bytes() == twice[1].read_bytes()
    assert answer("release", people, out, *QI, *SA, "-l", 3, "--entity", "person", "--force")["groups"] > 1
    swept = answer("release", people, out, *QI, *SA, "-l", 3, "--tau", 0.5, "--option", "bins=4", "--force")
    assert (swept["function"], swept["promised_tau"]) == ("taudiverse", 0.5)
    assert swept["achieved_tau"] <= 0.5
    assert "taudiverse takes no seed" in refusal(
        2, "release", people, out, *QI, *SA, "-l", 3, "--tau", 0.5, "--seed", 7, "--force"
    )


def test_nothing_is_overwritten_unless_it_is_wanted(people: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("mine")
    assert "[SA102]" in refusal(2, "release", people, out, *QI, "-k", 3)
    assert out.read_text() == "mine"
    succeed("release", people, out, *QI, "-k", 3, "--force")
    assert out.read_text().startswith("group_id,age,zip\n")
    assert "OUT is the source" in refusal(2, "release", out, out, *QI, "-k", 3, "--force")
    assert "already there" in refusal(2, "release", people, folder(tmp_path / "f.csv"), *QI, "-k", 3, "--force")
    assert "no folder" in refusal(2, "release", people, tmp_path / "no" / "out.csv", *QI, "-k", 3)


def folder(path: Path) -> Path:
    path.mkdir()
    return path


@pytest.mark.parametrize("out", ["out.parquet", "out.csv", "new.duckdb:out", "old.duckdb:out"])
def test_what_fails_halfway_leaves_nothing_behind(
    out: str, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    duckdb.connect(str(tmp_path / "old.duckdb")).close()
    seen: list[str] = []

    def break_down(*_: object) -> None:
        seen.extend(path.name for path in tmp_path.rglob("*"))
        raise KeyboardInterrupt

    monkeypatch.setattr("sqlanon.publishing.release.certify_release", break_down)
    assert refusal(130, "release", people, tmp_path / out, *QI, *SA, "-l", 3) == "error: interrupted\n"
    assert out.partition(":")[0] in seen, "it was there already, in a folder of its own"
    assert out not in [path.name for path in tmp_path.iterdir()]
    assert [path.name for path in tmp_path.iterdir()] == ["old.duckdb"]
    with duckdb.connect(str(tmp_path / "old.duckdb")) as con:
        assert con.execute("FROM duckdb_tables()").fetchall() == []


NAMES = ["it's.parquet", 'a"b.csv', "a*b.csv", "a?b[1].parquet", "{a,b}.csv", "a;DROP TABLE x.csv", "year=2024.csv"]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files_are_taken_as_they_are(name: str, tmp_path: Path) -> None:
    inside = folder(tmp_path / "month=5")
    for decoy in ("axb.csv", "axb1.parquet", "a.csv", "b.csv"):
        copy(inside / decoy, "SELECT 1 AS wrong")
    source, out = copy(inside / name), inside / f"out {name}"
    assert answer("release", source, out, *QI, *SA, "-l", 3)["release_rows"] == 300
    measured = answer("verify", out, *QI, *SA)["measures"][0]
    assert (measured["rows"], "month" in measured) == (300, False)


def test_a_name_that_cannot_be_taken_as_it_is_is_refused(tmp_path: Path) -> None:
    source = copy(tmp_path / "a\\b*.csv")
    assert "Rename the file" in refusal(2, "release", source, tmp_path / "out.csv", *QI, "-k", 3)
    assert "Rename the file" in refusal(
        2, "release", copy(tmp_path / "a.csv"), tmp_path / "out.csv", *QI, "-k", 3, "--taxonomy", "zip=it's.csv"
    )


def test_names_of_columns_are_taken_as_they_are(tmp_path: Path) -> None:
    source = copy(tmp_path / "a.parquet", 'SELECT i AS "a,""b", i % 3 AS "[red]\x1b[31m" FROM range(9) AS r(i)')
    succeed("release", source, tmp_path / "b.parquet", "--qi", '"a,""b"', "--sa", "[red]\x1b[31m", "-l", 3)
    error = refusal(2, "verify", source, "--qi", "\x1b[31m")
    assert "\x1b" not in error


def test_what_to_try_is_told_as_arguments(tmp_path: Path) -> None:
    source = copy(
        tmp_path / "a.csv",
        "SELECT i AS age, CASE WHEN i < 41 THEN 'flu' ELSE 'd' || i % 5 END AS disease FROM range(100) AS r(i)",
    )
    arguments = ["release", source, tmp_path / "out.csv", "--qi", "age", *SA]
    error = refusal(3, *arguments, "-l", 3)
    assert "Try -l 2. Or --tau 0.5 -l 3, which" in error
    assert "--algo incognito --option suppress=0.12, or more" in error
    succeed(*arguments, "-l", 2)
    succeed(*arguments, "--tau", 0.5, "-l", 3, "--force")


def test_several_bounds_go_together(people: Path, tmp_path: Path) -> None:
    bounds = ("-k", 11, "-l", 2, "--entropy-l", 2, "--distinct-l", 3, "-t", 0.5, "--beta", 9)
    summary = answer("release", people, tmp_path / "out.parquet", *QI, *SA, *bounds, "--algo", "mondrian")
    assert (summary["function"], summary["algo"], summary["promised_t"]) == ("anonymize", "mondrian", 0.5)
    assert summary["achieved_k"] >= 11 and summary["achieved_l"] >= 2 and summary["achieved_t"] <= 0.5
    assert summary["achieved_entropy_l"] >= 2 and summary["achieved_distinct_l"] >= 3 and summary["achieved_beta"] <= 9
    assert "Every class keeps every bound." in succeed("verify", tmp_path / "out.parquet", *QI, *SA, *bounds)
    certificate = tmp_path / "out.parquet.certificate.json"
    succeed("verify", tmp_path / "out.parquet", "--certificate", certificate, "--source", people, "--allow-unproven")
    assert Certificate.from_json(certificate.read_text()).promised == ("k", "l", "distinct_l", "entropy_l", "t", "beta")
    recursive = answer("release", people, tmp_path / "c.parquet", *QI, *SA, "-l", 2, "-c", 3)
    assert (recursive["function"], recursive["achieved_c"] < 3, "achieved_l" in recursive) == ("anonymize", True, False)


def test_the_best_values_are_told_as_arguments(people: Path, tmp_path: Path) -> None:
    arguments = ["release", people, tmp_path / "out.csv", *QI, *SA, "-k", 3]
    error = refusal(3, *arguments, "-l", 50, "--entropy-l", 40)
    best = error.partition("Try ")[2].strip().removesuffix(".").split()
    assert best[::2] == ["-l", "--entropy-l"]
    succeed(*arguments, *best)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((*QI, *SA, "-l", 9), 3, "[SA201]"),
        ((*QI, "-k", 999), 3, "[SA202]"),
        (("--qi", "nobody", "-k", 3), 2, "[SA101]"),
        ((*QI, "-k", 0), 2, "[SA102]"),
        ((*QI, *SA, "-k", 5, "--tau", 0.5), 2, "do not go together"),
        (QI, 2, "k, l or another bound is missing"),
        ((*QI, "-k", "three"), 2, "-k"),
        ((*QI, "-k", 3, "--frobnicate"), 2, "--frobnicate"),
        ((*QI, "-k", 3, "--option", "suppress"), 2, "name=value"),
        (("-k", 3), 2, "--qi"),
        ((*QI, "-k", 3, "--format", "typed"), 2, "a CSV file has no types"),
    ],
    ids=lambda value: str(value)[-30:],
)
def test_errors_have_a_code_and_an_exit_code(
    arguments: tuple[object, ...], code: int, message: str, people: Path, tmp_path: Path
) -> None:
    assert message in refusal(code, "release", people, tmp_path / "out.csv", *arguments)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_table_is_refused_without_its_values(people: Path, tmp_path: Path) -> None:
    odd = tmp_path / "odd.csv"
    odd.write_text("age,zip\n1,2\n3,4,5,secret\n")
    assert "secret" not in refusal(2, "release", odd, tmp_path / "out.csv", *QI, "-k", 3)
    assert "[SA101] there is no file" in refusal(2, "release", tmp_path / "no.csv", tmp_path / "o.csv", *QI, "-k", 3)
    assert "neither a file" in refusal(2, "release", "people.xlsx", tmp_path / "out.csv", *QI, "-k", 3)
    assert "there is no database" in refusal(2, "release", "no.duckdb:t", tmp_path / "out.csv", *QI, "-k", 3)
    with duckdb.connect(str(tmp_path / "x.db")) as con:
        con.execute("CREATE TABLE s AS SELECT 'secret' AS a; CREATE VIEW v AS SELECT CAST(a AS INTEGER) AS age FROM s")
    error = refusal(2, "release", f"{tmp_path}/x.db:v", tmp_path / "out.csv", "--qi", "age", "-k", 1)
    assert "Conversion Error" in error and "secret" not in error
