"""The examples of the documentation work: every SQL and Python block, every example, every doctest."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from cli.running import succeed

import sqlanon

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WITHOUT_SQL = ("architecture.md", "comparison.md", "containers.md", "dbt.md", "index.md", "speed.md")
"""Pages without statements that a connection runs. What dbt.md shows is run by tests/dbt_projects."""
NARROW = (
    "choosing.md",
    "concepts.md",
    "functions.md",
    "index.md",
    "recipes.md",
    "speed.md",
    "threat-model.md",
    "README.md",
)
"""Pages whose lines have at most 120 characters."""
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

WITHOUT_PANDAS = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pandas":
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing())
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    con = sqlanon.connect()
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert any(language == "sql" for language, _ in blocks) == (page.name not in WITHOUT_SQL)
    for language, code in blocks:
        if language == "sql":
            for statement in con.extract_statements(code):
                con.execute(statement).fetchall()
        elif language == "toml":
            Path("release.toml").write_text(code, encoding="utf-8")
        elif language == "python":
            exec(compile(code, page.name, "exec"), {})
    con.close()


def test_the_python_of_the_readme_runs_without_pandas(tmp_path: Path) -> None:
    """The packages that the README installs bring none."""
    blocks = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    (code,) = (code for language, code in blocks if language == "python")
    script = WITHOUT_PANDAS + code
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "rows, the first is" in ended.stdout


def anchors(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them from its headings; code is no heading."""
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if not target.startswith(("http:", "https:")):
            path, _, anchor = target.partition("#")
            linked = (page.parent / path).resolve() if path else page
            assert linked.exists(), target
            assert not anchor or anchor in anchors(linked), target


def test_the_index_has_every_page() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {page.name for page in PAGES} - {"README.md", "index.md"}
    assert {name for name in pages if f"({name})" not in index} == set()


def test_every_example_is_listed() -> None:
    listed = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    examples = {path.name for path in (ROOT / "examples").iterdir() if not path.name.startswith((".", "_"))}
    assert {name for name in examples - {"README.md"} if f"]({name}" not in listed} == set()


@pytest.mark.parametrize("page", [page for page in PAGES if page.name in NARROW], ids=lambda page: page.name)
def test_lines_are_not_too_long(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 120] == []


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.sql")), ids=lambda script: script.name)
def test_every_sql_example_runs_and_its_last_check_finds_nothing(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the command line; each begins with a comment that says what it shows."""
    assert script.read_text(encoding="utf-8").startswith("-- ")
    monkeypatch.chdir(tmp_path)
    *_, last_result = succeed("sql", script, "--json").splitlines()
    assert last_result == "[]"


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


@pytest.mark.parametrize("module", ["sqlanon", "sqlanon.certificate", "sqlanon.datasets", "sqlanon.ml"])
def test_every_public_function_of_python_is_documented(module: str) -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    public = importlib.import_module(module)
    for name in public.__all__:
        if callable(getattr(public, name)) and name[0].islower():
            assert re.search(rf"\b{name}\(", pages), name


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
    assert len(pieces) == 9
    position = 0
    for piece in pieces:
        position = page.index(piece, position) + len(piece)
    assert "<!--" not in page
