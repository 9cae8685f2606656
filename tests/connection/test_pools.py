"""Bare names on cursors of a pool: by loading them, by the search path, and through SQLAlchemy and JupySQL."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon

pytestmark = pytest.mark.oldest

ROOT = Path(__file__).parents[2]
PATH = "SET search_path = 'main,_sqlanon.main'"
MAKE = "CREATE TABLE t AS SELECT i AS a, i % 2 AS s FROM range(10) AS r(i)"
RELEASE = "SELECT count(*) FROM ldiverse('t', ['a'], 's', 2)"
THEIRS = "CREATE MACRO ldiverse(a, b, c, d) AS TABLE SELECT 'theirs' FROM range(3)"

NOTEBOOK = f"""
from IPython.core.interactiveshell import InteractiveShell

con.execute({MAKE!r})
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "sql")
shell.user_ns["engine"] = engine
shell.run_line_magic("sql", "engine")
print([tuple(row) for row in shell.run_line_magic("sql", {RELEASE!r})], flush=True)
"""


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with sqlanon.connect() as con:
        con.execute(MAKE)
        yield con


def test_the_search_path_gives_any_cursor_the_bare_names(con: duckdb.DuckDBPyConnection) -> None:
    cursor = con.cursor()
    with pytest.raises(duckdb.CatalogException):
        cursor.execute(RELEASE)
    cursor.execute(PATH)
    assert cursor.execute(RELEASE).fetchall() == [(10,)]
    cursor.execute("CREATE TEMP TABLE own AS FROM t LIMIT 4")
    assert cursor.execute(RELEASE.replace("'t'", "'own'")).fetchall() == [(4,)]


def test_new_tables_go_to_the_database_and_not_into_our_catalog(con: duckdb.DuckDBPyConnection) -> None:
    cursor = con.cursor()
    cursor.execute(PATH)
    cursor.execute("CREATE TABLE published AS FROM ldiverse('t', ['a'], 's', 2)")
    assert con.execute("SELECT count(*) FROM memory.main.published").fetchall() == [(10,)]


def test_a_macro_of_the_database_comes_before_the_search_path_but_not_before_a_load(
    con: duckdb.DuckDBPyConnection,
) -> None:
    con.execute(THEIRS.replace("MACRO ", "MACRO memory.main."))
    cursor, loaded = con.cursor(), sqlanon.load(con.cursor())
    cursor.execute(PATH)
    assert cursor.execute(RELEASE).fetchall() == [(3,)]
    assert loaded.execute(RELEASE).fetchall() == [(10,)]


def test_use_takes_the_search_path_away_but_not_a_load(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE SCHEMA other")
    cursor, loaded = con.cursor(), sqlanon.load(con.cursor())
    cursor.execute(PATH)
    for each in (cursor, loaded):
        each.execute("USE memory.other")
    with pytest.raises(duckdb.CatalogException):
        cursor.execute(RELEASE)
    assert loaded.execute(RELEASE.replace("'t'", "'memory.main.t'")).fetchall() == [(10,)]


def engine_lines() -> str:
    """The lines for SQLAlchemy of docs/functions.md."""
    page = (ROOT / "docs" / "functions.md").read_text(encoding="utf-8")
    (lines,) = (block for block in re.findall(r"```text\n(.*?)```", page, re.DOTALL) if "create_engine" in block)
    return str(lines)


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The engine of docs/functions.md, as its lines make it."""
    pytest.importorskip("duckdb_engine", reason="duckdb-engine is not installed")
    if duckdb.__version__ == "1.4.0":
        pytest.skip("duckdb-engine hashes types, which this DuckDB cannot")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(engine_lines(), "functions.md", "exec"), names)
    names["con"].execute(MAKE)
    yield names["engine"]
    names["engine"].dispose()
    names["con"].close()


def test_every_connection_of_an_sqlalchemy_pool_has_the_bare_names(engine: Any) -> None:
    from sqlalchemy import text

    with engine.connect() as one, engine.connect() as other:
        assert [each.execute(text(RELEASE)).fetchall() for each in (one, other)] == [[(10,)], [(10,)]]
    with engine.begin() as writing:
        writing.execute(text("CREATE TABLE published AS FROM ldiverse('t', ['a'], 's', 2)"))
    with engine.connect() as reading:
        assert reading.execute(text("SELECT count(*) FROM published")).fetchall() == [(10,)]


def test_jupysql_takes_the_engine(tmp_path: Path) -> None:
    """In a process of its own, elsewhere: its module is called sql, as a folder of ours is."""
    if duckdb.__version__ == "1.4.0":
        pytest.skip("duckdb-engine hashes types, which this DuckDB cannot")
    for package, name in (("duckdb_engine", "duckdb-engine"), ("IPython", "IPython"), ("jupysql_plugin", "JupySQL")):
        pytest.importorskip(package, reason=f"{name} is not installed")
    done = subprocess.run(
        [sys.executable, "-P", "-c", engine_lines() + NOTEBOOK],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PLOOMBER_STATS_ENABLED": "false"},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "[(10,)]" in done.stdout.splitlines()


def test_the_extra_for_dbt_asks_for_the_versions_that_are_tested() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert [line for line in extras["dbt"] if line.startswith("dbt")] == [
        line for line in extras["dev"] if line.startswith("dbt")
    ]
