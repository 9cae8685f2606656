"""sqlanon report: one file, written whole or not at all."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import pytest

from cli.running import QI, SA, answer, copy, refusal, reused, run, succeed
from sqlanon.certificate import certify, file_reference


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, a 3-diverse release as CSV, and its certificate."""
    folder = tmp_path_factory.mktemp("reported")
    source, out = copy(folder / "people.parquet"), folder / "out.csv"
    succeed("release", source, out, *QI, *SA, "-l", 3)
    call = {"function": "ldiverse", "arguments": {"l": 3}, "src": f"'{source}'"}
    certificate = certify(reused().connection, file_reference(out), ["age", "zip"], "disease", **call)
    (folder / "certificate.json").write_text(certificate.to_json(), encoding="utf-8")
    return folder


def test_a_report_is_written_for_the_owner(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlanon.report.making.measure_frontier", lambda *_: "this test has no time.")
    out, certificate = tmp_path / "owner.html", folder / "certificate.json"
    arguments = ["report", folder / "out.csv", out, *QI, *SA, "--source", folder / "people.parquet"]
    printed = answer(*arguments, "--certificate", certificate, "--title", "Our people")
    assert printed == {"written": str(out), "kind": "owner", "holds": None}
    page = out.read_text(encoding="utf-8")
    assert "<title>Our people</title>" in page
    assert "Every promise holds" in page
    assert "has figures of the source" in page
    assert [path.name for path in tmp_path.iterdir()] == ["owner.html"]


def test_the_record_of_a_policy_is_on_the_page_of_the_owner(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqlanon.report.making.measure_frontier", lambda *_: "this test has no time.")
    policy, out = tmp_path / "policy.toml", tmp_path / "owner.html"
    columns = 'age = "quasi-identifier"\nzip = "quasi-identifier"\ndisease = "sensitive"'
    policy.write_text(
        f'source = "a.csv"\n[columns]\n{columns}\n[release]\nl = 3\n[output]\nrelease = "b.csv"\n'
        '[record]\npurpose = "Planning of beds"',
        encoding="utf-8",
    )
    arguments = ["report", folder / "out.csv", out, *QI, *SA, "-l", 3, "--policy", policy]
    assert "[SA102] a public report takes no record" in refusal(2, *arguments, "--public")
    succeed(*arguments)
    page = out.read_text(encoding="utf-8")
    assert "Planning of beds" in page
    assert sha256(policy.read_bytes()).hexdigest() in page


def test_a_public_report_takes_no_source(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "public.html"
    arguments = ["report", folder / "out.csv", out, *QI, *SA, "--public"]
    assert "[SA102] a public report takes no src" in refusal(2, *arguments, "--source", folder / "people.parquet")
    assert not out.exists()
    assert succeed(*arguments, "--certificate", folder / "certificate.json") == f"Written to {out}.\n"
    assert "To be shared" in out.read_text(encoding="utf-8")


def test_nothing_is_overwritten_unless_it_is_wanted(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    out.write_text("mine", encoding="utf-8")
    arguments = ["report", folder / "out.csv", out, *QI, *SA, "--public"]
    assert "is already there. With --force" in refusal(2, *arguments)
    assert out.read_text(encoding="utf-8") == "mine"
    assert answer(*arguments, "--force")["holds"] is None
    assert out.read_text(encoding="utf-8") != "mine"


def test_a_broken_promise_is_exit_code_1_and_a_report(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    result = run("report", folder / "out.csv", out, *QI, *SA, "--public", "-k", 100)
    assert result.exit_code == 1
    assert "A promise is broken" in result.stdout
    assert "A promise is broken: k" in out.read_text(encoding="utf-8")


def test_wrong_use_is_told_and_leaves_no_file(folder: Path, tmp_path: Path) -> None:
    release, out = folder / "out.csv", tmp_path / "page.html"
    (tmp_path / "broken.json").write_text("{}", encoding="utf-8")
    for code, *arguments in (
        ("[SA101] there is no file", tmp_path / "none.csv", out, *QI),
        ("[SA101] there is no file", release, out, *QI, "--certificate", tmp_path / "none.json"),
        ("[SA101] there is no folder", release, tmp_path / "none" / "page.html", *QI),
        ("[SA102] OUT.html", release, tmp_path / "page.csv", *QI),
        ("[SA102] qi names other columns", release, out, "--qi", "age", "--certificate", folder / "certificate.json"),
        ("[SA303]", release, out, *QI, "--certificate", tmp_path / "broken.json"),
        ("[SA301]", release, out, "--qi", "nothing"),
    ):
        assert code in refusal(1 if code == "[SA303]" else 2, "report", *arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["broken.json"]


def test_without_the_extra_the_command_says_what_to_install(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("sqlanon.report")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    said = refusal(2, "report", folder / "out.csv", tmp_path / "page.html", *QI)
    assert 'pip install "sqlanon[report]"' in said
