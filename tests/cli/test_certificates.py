"""Certificates on the command line: written with a release, made for one that is there, and checked."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from cli.running import QI, SA, WARNINGS, answer, copy, refusal, reused, run, succeed
from sqlanon.certificate import Certificate
from sqlanon.publishing import release
from sqlanon.publishing.session import Session

ROWS = ("--allow-unproven",)
"""Nothing was promised for people in the table of these tests, who have several rows each."""


@pytest.fixture(scope="module")
def publication(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A table and its 3-diverse release, with its certificate beside it."""
    folder = tmp_path_factory.mktemp("publication")
    source, out = copy(folder / "people.parquet"), folder / "out.parquet"
    succeed("release", source, out, *QI, *SA, "-l", 3)
    return source, out


def certificate_of(out: Path) -> Path:
    return out.with_name(f"{out.name}.certificate.json")


def read(path: Path) -> Certificate:
    return Certificate.from_json(path.read_bytes())


def test_a_release_has_a_certificate_that_tells_how_it_was_made(publication: tuple[Path, Path]) -> None:
    source, out = publication
    certificate = read(certificate_of(out))
    assert (certificate.function, certificate.arguments) == ("ldiverse", {"l": 3, "algo": "hilbert"})
    assert (certificate.holds, certificate.rows, certificate.source_rows) == (True, 300, 300)
    [(prosecutor, marketer)] = (
        reused().execute(f"SELECT prosecutor, marketer FROM risk('(FROM ''{out}'')', ['age', 'zip'])").fetchall()
    )
    assert certificate.risk["prosecutor"] == prosecutor <= 1 / 3
    assert certificate.risk["marketer"] == pytest.approx(marketer)
    assert source.name not in certificate_of(out).read_text()


@pytest.mark.parametrize(
    "out", ["out.parquet", "out.pq", "out.csv", "out.tsv", "out.csv.gz", "year=2024/out.csv", "x.db:out"]
)
def test_releases_of_every_kind_keep_their_certificates(
    publication: tuple[Path, Path], out: str, tmp_path: Path
) -> None:
    (tmp_path / "year=2024").mkdir()
    written = answer("release", publication[0], tmp_path / out, *QI, *SA, "-l", 3, "--keep", "person")
    call = ("verify", tmp_path / out, "--certificate", written["certificate"], "--json")
    assert run(*call).exit_code == 1, "person is nearly unique"
    checked = answer(*call[:-1], "--identifying", "person", "--allow-unproven")
    assert checked["holds"] is True
    verdicts = {line["line"]: line["verdict"] for line in checked["lines"]}
    assert verdicts["content_hash"] == verdicts["risk marketer"] == "agrees"
    assert verdicts["bound l"] == "holds"
    assert verdicts["kept"] == verdicts["kept person: identifies"] == "agrees"
    assert verdicts["source_rows"] == "unproven"


def test_the_hash_is_the_same_whatever_the_format(tmp_path: Path) -> None:
    """A reader of CSV that guesses types would take 1.50 for 1.5, and empty text for nothing."""
    price, note = "'1.5' || i % 2", "CASE i % 3 WHEN 0 THEN '' WHEN 1 THEN 'x' END"
    source = copy(
        tmp_path / "a.parquet", f"SELECT i % 9 AS age, {price} AS price, {note} AS note FROM range(90) AS r(i)"
    )
    hashes = set()
    for out in ("out.parquet", "out.csv", "out.tsv", "x.duckdb:out"):
        written = answer("release", source, tmp_path / out, "--qi", "age", "--keep", "price,note", "-k", 3)
        hashes.add(read(Path(written["certificate"])).content_hash)
    assert len(hashes) == 1


def test_the_seed_is_not_in_it(publication: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SQLANON_SEED", "987654321")
    succeed("release", publication[0], tmp_path / "out.csv", *QI, *SA, "-l", 3, "--algo", "anatomy")
    written = certificate_of(tmp_path / "out.csv").read_text()
    assert "anatomy" in written
    assert "987654321" not in written and "seed" not in written


def test_where_it_goes_can_be_chosen(publication: tuple[Path, Path], tmp_path: Path) -> None:
    source, out, paper = publication[0], tmp_path / "out.csv", tmp_path / "c.json"
    assert answer("release", source, out, *QI, "-k", 3, "--no-certificate")["certificate"] is None
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    printed = succeed("release", source, out, *QI, "-k", 3, "--certificate", paper, "--force")
    assert f"Its certificate is {paper}." in printed
    assert read(paper).bounds == {"k": 3}
    assert "do not go together" in refusal(
        2, "release", source, out, *QI, "-k", 3, "--certificate", paper, "--no-certificate"
    )
    for taken in (source, out):
        assert "two things" in refusal(2, "release", source, out, *QI, "-k", 3, "--certificate", taken, "--force")
    assert "Say where the certificate goes" in refusal(2, "release", source, f"{tmp_path}/x.db:a/b", *QI, "-k", 3)


def test_no_certificate_of_an_older_release_stays_beside_a_new_one(
    publication: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    succeed("release", publication[0], out, *QI, "-k", 3)
    before = out.read_bytes()
    for elsewhere in (("--no-certificate",), ("--certificate", tmp_path / "c.json")):
        error = refusal(2, "release", publication[0], out, *QI, "-k", 5, "--force", *elsewhere)
        assert "is the certificate of an older release" in error
    assert out.read_bytes() == before
    certificate_of(out).unlink()
    succeed("release", publication[0], out, *QI, "-k", 5, "--force", "--no-certificate")


def test_a_certificate_is_not_overwritten_unless_it_is_wanted(publication: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    certificate_of(out).write_text("mine")
    assert "already there" in refusal(2, "release", publication[0], out, *QI, "-k", 3)
    assert not out.exists() and certificate_of(out).read_text() == "mine"
    succeed("release", publication[0], out, *QI, "-k", 3, "--force")
    assert read(certificate_of(out)).bounds == {"k": 3}
    assert len(list(tmp_path.iterdir())) == 2


def test_what_fails_at_the_last_moment_leaves_the_old_release_and_its_certificate(
    publication: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.parquet"
    arguments = ("release", publication[0], out, *QI, "-k")
    succeed(*arguments, 3)
    before = certificate_of(out).read_text()

    def fail(*_: object) -> None:
        assert not certificate_of(out).exists(), "no certificate is beside a release that it is not about"
        raise KeyboardInterrupt

    monkeypatch.setattr("sqlanon.publishing.destinations.take_name", fail)
    assert refusal(130, *arguments, 5, "--force") == "error: interrupted\n"
    assert certificate_of(out).read_text() == before
    assert answer("verify", out, "--certificate", certificate_of(out), *ROWS)["holds"] is True
    assert len(list(tmp_path.iterdir())) == 2


def test_a_table_that_cannot_be_committed_leaves_the_old_one_and_its_certificate(
    publication: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = f"{tmp_path}/x.duckdb:out"
    arguments = ("release", publication[0], out, *QI, "-k")
    paper = Path(answer(*arguments, 3)["certificate"])
    before, run_statement = paper.read_text(), Session.run

    def fail_to_commit(session: Session, sql: str) -> object:
        if sql != "COMMIT":
            return run_statement(session, sql)
        assert not paper.exists()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Session, "run", fail_to_commit)
        assert refusal(130, *arguments, 5, "--force") == "error: interrupted\n"
    assert paper.read_text() == before
    assert answer("verify", out, "--certificate", paper, *ROWS)["holds"] is True


def test_a_release_that_breaks_its_promise_is_not_published(
    publication: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certify = release.certify
    monkeypatch.setattr(release, "certify", lambda *a, **k: replace(certify(*a, **k), holds=False, broken=("k",)))
    assert "[SA901]" in refusal(1, "release", publication[0], tmp_path / "out.csv", *QI, "-k", 3)
    assert list(tmp_path.iterdir()) == []


CHANGES = {
    "a changed cell": "SELECT * REPLACE (CASE WHEN file_row_number = 3 THEN '0' ELSE zip END AS zip)",
    "a removed row": "SELECT * WHERE file_row_number <> 3",
    "a removed column": "SELECT * EXCLUDE (zip)",
    "another sensitive value": "SELECT * REPLACE (CASE WHEN file_row_number = 3 THEN 'd9' ELSE disease END AS disease)",
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_was_changed_is_exit_code_1(change: str, publication: tuple[Path, Path], tmp_path: Path) -> None:
    """A changed cell, a removed row."""
    select = CHANGES[change]
    source = f"(FROM read_parquet('{publication[1]}', file_row_number = true))"
    changed = copy(tmp_path / "changed.parquet", f"SELECT * EXCLUDE (file_row_number) FROM (FROM {source} {select})")
    result = run("verify", changed, "--certificate", certificate_of(publication[1]))
    assert (result.exit_code, WARNINGS.sub("", result.stderr)) == (1, "")
    first, *others = [line for line in result.stdout.splitlines()[2:] if re.search("differs|is broken", line)]
    assert first.split()[0] == "content_hash"
    as_json = run("verify", changed, "--certificate", certificate_of(publication[1]), "--json")
    assert as_json.exit_code == 1
    lines = json.loads(as_json.stdout)["lines"]
    assert sum(line["verdict"] in ("differs", "is broken") for line in lines) == 1 + len(others)


def test_the_certificate_of_another_release_is_exit_code_1(publication: tuple[Path, Path], tmp_path: Path) -> None:
    other = tmp_path / "other.parquet"
    succeed("release", publication[0], other, *QI, *SA, "-l", 4)
    assert run("verify", other, "--certificate", certificate_of(publication[1])).exit_code == 1
    assert run("verify", other, "--certificate", certificate_of(other), *ROWS).exit_code == 0


def test_what_needs_a_taxonomy_is_checked_with_it(tmp_path: Path) -> None:
    source = copy(tmp_path / "people.csv")
    tree = copy(tmp_path / "tree.csv", "SELECT 'd' || i AS disease, 'some' AS kind, '*' AS every FROM range(5) AS r(i)")
    taxonomy = ("--taxonomy", f"disease={tree}")
    out = tmp_path / "out.csv"
    succeed("release", source, out, *QI, *SA, "-l", 3, "--tau", 0.5, *taxonomy)
    checked = ("verify", out, "--certificate", certificate_of(out))
    assert run(*checked).exit_code == 1, "the bound is unproven"
    without, lines = answer(*checked, *ROWS), answer(*checked, *taxonomy, *ROWS)
    reasons = {line["line"]: line.get("reason") for line in without["lines"]}
    assert reasons["bound tau"] == "it needs the taxonomy that was certified"
    assert {line["line"]: line["verdict"] for line in lines["lines"]}["bound tau"] == "holds"
    assert "[SA102]" in refusal(2, *checked, "--taxonomy", f"zip={tree}")


def test_certify_makes_a_certificate_of_what_is_there(publication: tuple[Path, Path], tmp_path: Path) -> None:
    source, out = publication
    paper = tmp_path / "c.json"
    arguments = ("certify", out, *QI, *SA, "-k", 3, "-l", 3, "--source", source)
    assert "every bound holds" in succeed(*arguments, "--out", paper)
    assert read(paper).content_hash == read(certificate_of(out)).content_hash
    assert (read(paper).promised, read(paper).source_rows) == (("k", "l"), 300)
    printed = Certificate.from_json(succeed(*arguments))
    assert printed.content_hash == answer(*arguments)["content_hash"] == read(paper).content_hash
    assert "already there" in refusal(2, *arguments, "--out", paper)
    succeed(*arguments, "--out", paper, "--force")
    assert "take the place of data" in refusal(2, *arguments, "--out", source, "--force")


def test_a_certificate_of_a_broken_bound_says_so_and_is_exit_code_1(
    publication: tuple[Path, Path], tmp_path: Path
) -> None:
    paper = tmp_path / "c.json"
    result = run("certify", publication[0], *QI, *SA, "-k", 3, "--out", paper)
    assert result.exit_code == 1
    assert "broken: k" in result.stdout
    assert read(paper).broken == ("k",)
    assert run("verify", publication[0], "--certificate", paper).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "--qi or --certificate is missing"),
        (("--certificate", "c.json", *QI), "Leave them out"),
        (("--certificate", "c.json", "-k", 3), "Leave them out"),
        (("--certificate", "nothing.json"), "[SA101] there is no file"),
    ],
    ids=str,
)
def test_wrong_use_is_refused(
    arguments: tuple[object, ...],
    message: str,
    publication: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.json").write_text("{}")
    assert message in refusal(2, "verify", publication[1], *arguments)
    assert "[SA303]" in refusal(1, "verify", publication[1], "--certificate", "c.json")


@pytest.mark.parametrize("edit", [{"qi": ["nobody"]}, {"entity": "id"}], ids=str)
def test_a_certificate_that_names_a_column_that_is_not_there_is_exit_code_1(
    publication: tuple[Path, Path], tmp_path: Path, edit: dict[str, object]
) -> None:
    plain = json.loads(certificate_of(publication[1]).read_text())
    (tmp_path / "c.json").write_text(json.dumps({**plain, **edit}))
    assert "[SA303]" in refusal(1, "verify", publication[1], "--certificate", tmp_path / "c.json")


def test_the_source_proves_what_the_release_cannot(publication: tuple[Path, Path]) -> None:
    source, out = publication
    checked = ("verify", out, "--certificate", certificate_of(out))
    printed = succeed(*checked, *ROWS)
    assert "are unproven: source_rows, repeating_identifiers, " in " ".join(printed.split())
    assert answer(*checked, *ROWS, "--source", source)["unproven"] == ["promise for people", "version", "created"]


def test_verify_is_not_green_where_rows_are_not_people(publication: tuple[Path, Path]) -> None:
    source, out = publication
    for more in ((), ("--source", source)):
        result = run("verify", out, "--certificate", certificate_of(out), *more, "--json")
        assert result.exit_code == 1
        reasons = {line["line"]: line.get("reason", "") for line in json.loads(result.stdout)["lines"]}
        assert reasons["promise for people"].startswith("rows were counted, not people: 'person' of the source")


def test_people_who_are_not_published_are_an_unproven_bound(publication: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    succeed("release", publication[0], out, *QI, "-k", 3, "--entity", "person")
    checked = ("verify", out, "--certificate", certificate_of(out))
    result = run(*checked)
    assert result.exit_code == 1 and "A bound is among them." in result.stdout
    assert "bound k of people" in answer(*checked, "--allow-unproven")["unproven"]
    proven = answer(*checked, "--source", publication[0])
    assert proven["unproven"] == ["version", "created"], "it was made again, with people"


def test_a_release_with_bins_keeps_its_certificate(tmp_path: Path) -> None:
    source, out = copy(tmp_path / "people.parquet"), tmp_path / "out.parquet"
    succeed("release", source, out, "--qi", "age", "--sa", "note", "-l", 3, "--tau", 0.5, "--option", "bins=4")
    checked = ("verify", out, "--certificate", certificate_of(out))
    lines = answer(*checked, "--allow-unproven")["lines"]
    assert not {"differs", "is broken"} & {line["verdict"] for line in lines}
    assert answer(*checked, "--source", source)["holds"] is True
