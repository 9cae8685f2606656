"""sqlanon.run and sqlanon run: what is written, what stops it, and that both are the same."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import duckdb
import pytest
from cli.running import PEOPLE, answer, copy, refusal, succeed

from sqlanon import errors
from sqlanon.certificate import Certificate

from .tables import FILES, POLICY, edit_policy, make, names, run


def test_a_policy_publishes_the_release_and_its_certificate(tmp_path: Path) -> None:
    result = run(make(tmp_path))
    assert names(tmp_path) == FILES
    assert (result.published, result.release) == (True, str(tmp_path / "release.parquet"))
    assert result.paths == {"certificate": tmp_path / "certificate.json"}
    assert Certificate.from_json((tmp_path / "certificate.json").read_bytes()) == result.certificate
    assert result.certificate.holds is True
    assert result.measures["achieved_l"] >= 3  # type: ignore[operator]
    with duckdb.connect() as con:
        published = con.execute(f"FROM '{tmp_path}/release.parquet'")
        assert [column[0] for column in published.description] == ["group_id", "age", "zip", "disease"]
    checked = ("verify", tmp_path / "release.parquet", "--certificate", tmp_path / "certificate.json")
    assert answer(*checked, "--allow-unproven")["holds"]


def test_python_the_command_line_and_release_publish_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path)
    result = run(path)
    printed = answer("run", path, "--force")
    written = Certificate.from_json((tmp_path / "certificate.json").read_bytes())
    monkeypatch.chdir(tmp_path)
    of_dict = run(tomllib.loads(POLICY), force=True)
    released = answer("release", "people.parquet", "x.parquet", "--qi", "age,zip", "--sa", "disease", "-l", 3)
    by_arguments = Certificate.from_json((tmp_path / "x.parquet.certificate.json").read_bytes())
    certificates = (result.certificate, written, of_dict.certificate, by_arguments)
    assert len({certificate.content_hash for certificate in certificates}) == 1
    assert len({str(certificate.arguments) for certificate in certificates}) == 1
    for name, value in result.measures.items():
        assert printed[name] == released[name] == value
    assert printed["published"] is True
    assert "certificate: certificate.json" in succeed("run", path, "--force")


def test_paths_are_relative_to_the_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    make(tmp_path)
    monkeypatch.chdir(tmp_path / "elsewhere")
    run("../policy.toml")
    assert names(tmp_path / "elsewhere") == []
    assert names(tmp_path) == sorted([*FILES, "elsewhere"])


def test_a_new_column_in_the_source_stops_the_run(tmp_path: Path) -> None:
    path = make(tmp_path)
    copy(tmp_path / "people.parquet", f'SELECT *, age AS "home address", 1 AS more FROM ({PEOPLE})')
    for check in (False, True):
        with pytest.raises(errors.WrongColumn, match="no role for columns 'home address', 'more' of the source"):
            run(path, check=check)
    assert "[SA101]" in refusal(2, "run", path)
    assert names(tmp_path) == ["people.parquet", "policy.toml"]


def test_a_column_that_the_source_lacks_stops_the_run(tmp_path: Path) -> None:
    path = make(tmp_path, edit_policy(("note =", "notes =")))
    with pytest.raises(errors.WrongColumn, match="names column 'notes', which the source lacks"):
        run(path)


BROKEN = {
    "k = 200": "the release breaks k = 200: it is 3",
    "t = 0.01": "t = 0.01",
    "entropy_l = 4.9": "entropy_l = 4.9",
    "max_risk = 0.1": "risk <= 0.1: it is 0.333",
    "max_gcp = 0.001": "gcp <= 0.001",
    "l = 3\nc = 0.1": "c = 0.1",
    "l = 3\ntau = 0.334\nk = 200": "k = 200",
}


@pytest.mark.parametrize("bounds", BROKEN)
def test_a_broken_bound_publishes_nothing(bounds: str, tmp_path: Path) -> None:
    path = make(tmp_path, f"{POLICY}[bounds]\n{bounds}\n")
    for check in (False, True):
        with pytest.raises(errors.NotPrivate) as raised:
            run(path, check=check)
        assert BROKEN[bounds] in str(raised.value)
    assert names(tmp_path) == ["people.parquet", "policy.toml"]


def test_a_broken_bound_is_exit_code_1(tmp_path: Path) -> None:
    path = make(tmp_path, f"{POLICY}[bounds]\nmax_risk = 0.1\n")
    assert "[SA302]" in refusal(1, "run", path)
    assert "[SA302]" in refusal(1, "run", path, "--check")


def test_bounds_that_hold_are_in_the_certificate(tmp_path: Path) -> None:
    path = make(tmp_path, f"{POLICY}[bounds]\nk = 3\nl = 2\nt = 0.9\nmax_risk = 0.34\nmax_gcp = 0.9\n")
    certificate = run(path).certificate
    assert (certificate.promised, certificate.bounds) == (("k", "l", "t"), {"k": 3, "l": 3, "t": 0.9})


def test_a_check_writes_nothing(tmp_path: Path) -> None:
    path = make(tmp_path)
    result = run(path, check=True)
    assert (result.published, result.certificate.holds) == (False, True)
    assert "Nothing was published" in succeed("run", path, "--check")
    assert answer("run", path, "--check")["published"] is False
    assert names(tmp_path) == ["people.parquet", "policy.toml"]
    assert run(path).certificate.content_hash == result.certificate.content_hash


def test_nothing_is_overwritten_unless_it_is_wanted(tmp_path: Path) -> None:
    path = make(tmp_path)
    (tmp_path / "certificate.json").write_text("mine")
    with pytest.raises(errors.InvalidParameter, match="already there"):
        run(path)
    assert (tmp_path / "certificate.json").read_text() == "mine"
    run(path, force=True)
    assert names(tmp_path) == FILES


@pytest.mark.parametrize("failing", ["certify_release", "refuse_broken", "companion_texts"])
def test_what_is_interrupted_leaves_nothing(failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path)
    seen: list[str] = []

    def interrupt(*_: object) -> None:
        seen.extend(names(tmp_path))
        raise KeyboardInterrupt

    monkeypatch.setattr(f"sqlanon.publishing.release.{failing}", interrupt)
    assert refusal(130, "run", path) == "error: interrupted\n"
    assert [name for name in seen if not name.startswith(".")] == ["people.parquet", "policy.toml"]
    assert names(tmp_path) == ["people.parquet", "policy.toml"]


def test_tables_and_taxonomies_and_kept_columns_and_options(tmp_path: Path) -> None:
    copy(
        tmp_path / "zip.csv", "SELECT '0' || (1000 + i) AS zip, '01*' AS area, '*' AS everything FROM range(30) AS r(i)"
    )
    changes = (
        ('source = "people.parquet"', 'source = "clinic.duckdb:archive.people"'),
        ('zip = "quasi-identifier"', 'zip = { role = "quasi-identifier", taxonomy = "zip.csv" }'),
        ('note = "identifier"', 'note = { role = "keep", identifies = true }'),
        ("l = 3", 'l = 2\nalgo = "incognito"\noptions = { suppress = 0.3, bins = 4 }'),
        ('people = "rows"', 'entity = "person"'),
        ('"release.parquet"', '"clinic.duckdb:released"'),
        ('certificate = "certificate.json"', ""),
    )
    path = make(tmp_path, edit_policy(*changes))
    with duckdb.connect(str(tmp_path / "clinic.duckdb")) as con:
        con.execute(f"CREATE SCHEMA archive; CREATE TABLE archive.people AS {PEOPLE}")
    result = run(path)
    assert result.paths == {"certificate": tmp_path / "clinic.duckdb.released.certificate.json"}
    assert result.certificate.arguments["options"] == {"suppress": 0.3, "bins": 4}
    assert set(result.certificate.taxonomies) == {"zip"}
    with duckdb.connect(str(tmp_path / "clinic.duckdb")) as con:
        [row] = con.execute("FROM released LIMIT 1").fetchall()
        assert len(row) == 5
        zips = con.execute("SELECT DISTINCT zip FROM released").fetchall()
        assert {zip for (zip,) in zips} <= {"01*", "*", *(f"0{1000 + i}" for i in range(30))}


def test_the_seed_comes_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path, edit_policy(("l = 3", 'l = 3\nalgo = "anatomy"')))
    hashes = []
    for seed in ("987654321", "987654321", "5"):
        monkeypatch.setenv("SQLANON_SEED", seed)
        hashes.append(run(path, force=True).certificate.content_hash)
    assert hashes[0] == hashes[1] != hashes[2]
    assert "seed" not in (tmp_path / "certificate.json").read_text()
    monkeypatch.setenv("SQLANON_SEED", "secret7")
    with pytest.raises(errors.InvalidParameter) as raised:
        run(path, force=True)
    assert "secret7" not in str(raised.value)


def test_what_to_try_is_told_in_the_words_of_a_policy(tmp_path: Path) -> None:
    disease = "CASE WHEN i < 123 THEN 'flu' ELSE 'd' || i % 5 END AS disease"
    path = make(tmp_path)
    people = PEOPLE.replace("'d' || i % 5 AS disease", disease)
    assert people != PEOPLE
    copy(tmp_path / "people.parquet", people)
    with pytest.raises(errors.NotEligible) as raised:
        run(path)
    assert "Try l = 2 in [release]. Or tau = 0.5 and l = 3 in [release], which" in str(raised.value)
    assert "[SA201]" in refusal(3, "run", path)


def test_several_bounds_are_promised_together(tmp_path: Path) -> None:
    bounds = "k = 11\nl = 2\nt = 0.5\nentropy_l = 2.4"
    report = 'certificate = "certificate.json"\nreport = "report.html"'
    path = make(tmp_path, edit_policy(("l = 3", bounds), ('certificate = "certificate.json"', report)))
    result = run(path)
    assert result.certificate.function == "anonymize"
    assert result.certificate.promised == ("k", "l", "entropy_l", "t")
    assert result.certificate.holds
    assert [result.measures[f"promised_{name}"] for name in ("k", "l", "entropy_l", "t")] == [11, 2, 2.4, 0.5]
    page = result.paths["report"].read_text(encoding="utf-8")
    for sentence in ("each class has 11 rows or more (k = 11)", "(l = 2)", "(entropy l = 2.4)", "(t = 0.5)"):
        assert sentence in page
    with pytest.raises(errors.InvalidParameter, match=r"promises t = 0\.5"):
        run(make(tmp_path, edit_policy(("l = 3", bounds), ("[output]", "[bounds]\nt = 0.2\n\n[output]"))), check=True)


def test_the_best_values_are_told_as_keys(tmp_path: Path) -> None:
    with pytest.raises(errors.NotEligible, match=r"Try l = \d+(\.\d+)? and entropy_l = \d+(\.\d+)? in \[release\]"):
        run(make(tmp_path, edit_policy(("l = 3", "l = 90\nentropy_l = 80"))))


def test_reports_are_written_beside_the_certificate(tmp_path: Path) -> None:
    both = 'certificate = "certificate.json"\nreport = "report.html"\npublic_report = "public.html"'
    path = make(tmp_path, edit_policy(('certificate = "certificate.json"', both)))
    result = run(path)
    assert list(result.paths) == ["certificate", "report", "public_report"]
    for name in ("report.html", "public.html"):
        assert result.certificate.content_hash in (tmp_path / name).read_text(encoding="utf-8")


def test_reports_do_not_measure_again_what_the_certificate_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("sqlanon.certificate.checking.certify_again", fail)
    both = 'certificate = "certificate.json"\nreport = "report.html"\npublic_report = "public.html"'
    result = run(make(tmp_path, edit_policy(('certificate = "certificate.json"', both))))
    assert all(result.certificate.content_hash in path.read_text() for path in result.paths.values())


def test_reports_appear_with_the_release_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = edit_policy(('certificate = "certificate.json"', 'report = "report.html"'))
    path = make(tmp_path, wanted)
    with monkeypatch.context() as patched:
        patched.setattr("sqlanon.publishing.release.refuse_without_reports", lambda _: None)
        patched.setattr("sqlanon.publishing.release.report_text", lambda *_: "the page")
        assert run(path).paths["report"] == tmp_path / "report.html"
    assert (tmp_path / "report.html").read_text() == "the page"

    def fail(*_: object) -> str:
        raise KeyboardInterrupt

    (tmp_path / "other").mkdir()
    path = make(tmp_path / "other", wanted)
    monkeypatch.setattr("sqlanon.publishing.release.refuse_without_reports", lambda _: None)
    monkeypatch.setattr("sqlanon.publishing.release.report_text", fail)
    with pytest.raises(KeyboardInterrupt):
        run(path)
    assert names(tmp_path / "other") == ["people.parquet", "policy.toml"]


def test_reports_that_cannot_be_made_are_refused_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise errors.InvalidParameter("sqlanon.report needs an extra.")

    monkeypatch.setattr("sqlanon.publishing.reports.report_maker", refuse)
    path = make(tmp_path, edit_policy(('certificate = "certificate.json"', 'report = "report.html"')))
    (tmp_path / "people.parquet").unlink()
    for check in (False, True):
        with pytest.raises(errors.InvalidParameter, match="needs an extra"):
            run(path, check=check)


def test_running_a_policy_brings_neither_typer_nor_rich(tmp_path: Path) -> None:
    make(tmp_path)
    code = "import sys, sqlanon; sqlanon.run('policy.toml', check=True); print({'typer', 'rich'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert (ran.stdout, ran.returncode) == ("set()\n", 0), ran.stderr
