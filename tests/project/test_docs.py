"""What the documentation shows works: every SQL and Python block, every example, every doctest."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import runpy
from pathlib import Path

import pytest

import sqlanon

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WITHOUT_SQL = ("comparison.md", "architecture.md", "dbt.md")
"""Pages without statements that a connection runs. What dbt.md shows is run by tests/dbt_projects."""
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    con = sqlanon.connect()
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert any(language == "sql" for language, _ in blocks) or page.name in (
        "comparison.md",
        "architecture.md",
        "dbt.md",
        "containers.md",
    )
    for language, code in blocks:
        if language == "sql":
            for statement in con.extract_statements(code):
                con.execute(statement).fetchall()
        elif language == "toml":
            Path("release.toml").write_text(code, encoding="utf-8")
        elif language == "python":
            exec(compile(code, page.name, "exec"), {})
    con.close()


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.sql")), ids=lambda script: script.name)
def test_every_sql_example_runs_and_its_last_check_finds_nothing(script: Path) -> None:
    con = sqlanon.connect()
    for statement in con.extract_statements(script.read_text(encoding="utf-8")):
        rows = con.execute(statement).fetchall()
    assert rows == []
    con.close()


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.py")), ids=lambda script: script.name)
def test_every_python_example_runs(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out


def modules() -> list[str]:
    """All modules but those that run when they are imported, and the one that only dbt can import."""
    names = [name for _, name, _ in pkgutil.walk_packages(sqlanon.__path__, "sqlanon.")]
    return [name for name in names if not name.endswith("__main__") and name != "sqlanon.dbt"]


@pytest.mark.parametrize("name", ["sqlanon", *modules()])
def test_every_doctest_holds(name: str) -> None:
    options = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    assert doctest.testmod(importlib.import_module(name), optionflags=options).failed == 0


def test_every_public_function_is_documented() -> None:
    documented = (ROOT / "docs" / "functions.md").read_text(encoding="utf-8")
    con = sqlanon.connect()
    macros = con.execute(
        "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type LIKE '%macro' AND NOT internal"
    ).fetchall()
    public = {name for (name,) in macros if not name.startswith("_")}
    assert {"kanonymous", "ldiverse", "adult", "census"} <= public
    assert {name for name in public if name not in documented} == set()
    con.close()


def test_the_demo_tells_its_story(capsys: pytest.CaptureFixture[str]) -> None:
    from sqlanon.cli import main

    assert main(["demo"]) == 0
    told = capsys.readouterr().out
    assert "FROM ldiverse('people'" in told
    assert "frequency_l" in told
    bounds = re.findall(r"^ (?:Female|Male) +[\d.,]+ +([\d,]+) +([\d,]+)$", told, re.MULTILINE)
    truths = re.findall(r"^ (?:Female|Male) +([\d,]+)$", told, re.MULTILINE)
    assert len(bounds) == len(truths) == 2
    for (lower, upper), truth in zip(bounds, truths, strict=True):
        assert number(lower) <= number(truth) <= number(upper)


def number(shown: str) -> int:
    return int(shown.replace(",", ""))


def test_the_comparison_is_the_one_that_its_script_writes() -> None:
    page = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
    words = (ROOT / "benchmarks" / "comparison_page.md").read_text(encoding="utf-8")
    pieces = re.split(r"<!-- [\w ]+ -->", words)
    assert len(pieces) == 7
    place = 0
    for piece in pieces:
        place = page.index(piece, place) + len(piece)
    assert "<!--" not in page
