"""connect and load: on any connection, twice, on cursors, without noise at the end."""

from __future__ import annotations

import gc
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

import sqlanon
from sqlanon.statement import writer

pytestmark = pytest.mark.oldest

RELEASE = "SELECT count(*) FROM ldiverse('t', ['a'], 's', 2)"
MAKE = "CREATE TABLE t AS SELECT i AS a, i % 2 AS s FROM range(10) AS r(i)"


QUIET = "SET enable_progress_bar = false"
"""DuckDB shows one to a program without a file, after two seconds."""


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )


def test_an_existing_connection_is_returned_with_everything_loaded() -> None:
    with duckdb.connect() as con:
        con.execute(MAKE).fetchall()
        assert sqlanon.load(con) is con
        assert con.execute(RELEASE).fetchall() == [(10,)]


def test_loading_twice_does_no_harm() -> None:
    with sqlanon.connect() as con:
        con.execute(MAKE).fetchall()
        sqlanon.load(sqlanon.load(con))
        assert con.execute(RELEASE).fetchall() == [(10,)]


def test_a_cursor_that_is_loaded_has_the_functions_under_their_bare_names() -> None:
    with sqlanon.connect() as con:
        con.execute(MAKE).fetchall()
        cursor = sqlanon.load(con.cursor())
        assert cursor.execute(RELEASE).fetchall() == [(10,)]
        assert sqlanon.load(cursor.cursor()).execute(RELEASE).fetchall() == [(10,)]
        assert con.execute(RELEASE).fetchall() == [(10,)]


def test_every_cursor_has_the_functions_in_our_catalog(tmp_path: Path) -> None:
    for path in (":memory:", str(tmp_path / "people.duckdb")):
        with sqlanon.connect(path) as con:
            con.execute(MAKE).fetchall()
            cursor = con.cursor()
            assert cursor.execute(RELEASE.replace("ldiverse", "_sqlanon.ldiverse")).fetchall() == [(10,)]
            assert cursor.execute("SELECT _sqlanon.assert_private('t', ['a'], 's', k := 1)").fetchall() == [(True,)]
            cursor.execute("SET search_path = 'main,_sqlanon.main'")
            assert cursor.execute(RELEASE).fetchall() == [(10,)]
            cursor.close()


def test_functions_outlive_the_cursor_that_was_loaded_first() -> None:
    with duckdb.connect() as con:
        con.execute(MAKE).fetchall()
        sqlanon.load(con.cursor()).close()
        gc.collect()
        assert con.execute(RELEASE.replace("ldiverse", "_sqlanon.ldiverse")).fetchall() == [(10,)]
        assert sqlanon.load(con).execute(RELEASE).fetchall() == [(10,)]


def test_many_cursors_are_loaded_at_once() -> None:
    for _ in range(5):
        with duckdb.connect() as con:
            con.execute(MAKE).fetchall()
            cursors = [con.cursor() for _ in range(8)]
            with ThreadPoolExecutor(8) as pool:
                counts = pool.map(lambda cursor: sqlanon.load(cursor).execute(RELEASE).fetchall(), cursors)
                assert list(counts) == [[(10,)]] * 8
            for cursor in cursors:
                cursor.close()


def test_without_access_to_files_only_the_built_in_files_are_missing() -> None:
    with duckdb.connect() as con:
        con.execute("SET enable_external_access = false")
        sqlanon.load(con).execute(MAKE)
        assert con.execute(RELEASE).fetchall() == [(10,)]
        assert con.execute("SELECT count(*) FROM census(10)").fetchall() == [(10,)]
        with pytest.raises(duckdb.PermissionException):
            con.execute("FROM adult()")


def test_a_database_of_the_user_that_has_our_name_is_not_touched(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "_sqlanon.duckdb")) as con:
        con.execute(MAKE)
        with pytest.raises(sqlanon.errors.InvalidParameter, match=r"SA102.*_sqlanon.*another name"):
            sqlanon.load(con)
        assert con.execute("SELECT count(*) FROM t").fetchall() == [(10,)]


def test_options_of_duckdb_connect_are_passed_on(tmp_path: Path) -> None:
    with sqlanon.connect(str(tmp_path / "x.duckdb"), config={"threads": 1}) as con:
        assert con.execute("SELECT current_setting('threads')").fetchall() == [(1,)]
    with pytest.raises(duckdb.Error):
        sqlanon.connect(str(tmp_path / "absent.duckdb"), read_only=True)
    with pytest.raises(duckdb.Error):
        sqlanon.connect(config={"no_such_option": 1})


def test_a_read_only_database_can_be_published_from_and_is_not_written_to(tmp_path: Path) -> None:
    file = tmp_path / "people.duckdb"
    with duckdb.connect(str(file)) as plain:
        plain.execute(MAKE).fetchall()
    before = file.read_bytes()
    with sqlanon.connect(str(file), read_only=True) as con:
        assert con.execute(RELEASE).fetchall() == [(10,)]
    assert file.read_bytes() == before


def test_nothing_of_ours_stays_in_a_database_file(tmp_path: Path) -> None:
    file = str(tmp_path / "people.duckdb")
    with sqlanon.connect(file) as con:
        con.execute(MAKE).fetchall()
        con.execute(RELEASE).fetchall()
    with duckdb.connect(file) as plain:
        ours = plain.execute(
            "SELECT function_name FROM duckdb_functions() "
            "WHERE function_name LIKE '%sqlanon%' OR function_name = 'ldiverse'"
        )
        assert ours.fetchall() == []
        assert plain.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("t",)]


def test_loading_works_inside_an_open_transaction() -> None:
    with duckdb.connect() as con:
        con.execute("BEGIN").fetchall()
        con.execute(MAKE).fetchall()
        sqlanon.load(con)
        assert con.execute(RELEASE).fetchall() == [(10,)]
        con.execute("COMMIT").fetchall()
        assert con.execute(RELEASE).fetchall() == [(10,)]


def test_loading_again_helps_after_the_transaction_it_was_done_in_is_rolled_back() -> None:
    with duckdb.connect() as con:
        con.execute(MAKE).fetchall()
        con.execute("BEGIN").fetchall()
        con.execute("INSERT INTO t VALUES (1, 0), (1, 1)").fetchall()
        sqlanon.load(con)
        assert con.execute(RELEASE).fetchall() == [(12,)]
        con.execute("ROLLBACK").fetchall()
        assert sqlanon.load(con).execute(RELEASE).fetchall() == [(10,)]
        assert con.cursor().execute(RELEASE.replace("ldiverse", "_sqlanon.ldiverse")).fetchall() == [(10,)]


def test_two_connections_publish_at_the_same_time() -> None:
    results: list[object] = []

    def publish() -> None:
        with sqlanon.connect() as con:
            results.append(con.execute("FROM ldiverse('census(3000)', ['age', 'gender'], 'occupation', 4)").fetchall())

    threads = [threading.Thread(target=publish) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(result == results[0] for result in results)


@pytest.fixture(scope="module")
def compile_kernels() -> None:
    """Kernels on disk: compiling them takes long enough for a word to the user."""
    run_python(
        f"""
        import sqlanon
        con = sqlanon.connect()
        con.execute("{QUIET}").fetchall()
        con.execute("{MAKE}").fetchall()
        con.execute("FROM kanonymous('t', ['a'], 2)").fetchall()
        """
    )


@pytest.mark.usefixtures("compile_kernels")
@pytest.mark.parametrize(
    "ending",
    [
        "",
        "con.close()",
        "cursor = con.cursor()",
        "cursor = sqlanon.load(con.cursor())",
        "cursor = sqlanon.load(con.cursor()); con.close()",
        "del con",
        "rows = con.execute(\"FROM kanonymous('t', ['a'], 2)\")",
        "relation = con.sql(\"FROM kanonymous('t', ['a'], 2)\")",
        "import sys; sys.exit(0)",
        "other = sqlanon.connect()",
        "import duckdb; other = duckdb.connect(); other.execute('BEGIN; CREATE TABLE u (i INT)'); sqlanon.load(other)",
        "import atexit; atexit.register(lambda: con.execute('SELECT 1').fetchall())",
    ],
)
def test_a_process_that_exits_prints_nothing(ending: str) -> None:
    done = run_python(
        f"""
        import sqlanon
        con = sqlanon.connect()
        con.execute("{QUIET}").fetchall()
        con.execute("{MAKE}").fetchall()
        con.execute("FROM kanonymous('t', ['a'], 2)").fetchall()
        {ending}
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_importing_sqlanon_is_light() -> None:
    done = run_python(
        """
        import sys, sqlanon
        print(sorted({"numba", "pyarrow", "sqlglot", "pandas", "numpy"} & set(sys.modules)))
        """
    )
    assert done.stderr == ""
    found = set(done.stdout.strip("[]\n").replace("'", "").split(", ")) - {""}
    assert found.isdisjoint({"numba", "pyarrow", "sqlglot", "pandas"})


def test_an_interrupted_release_leaves_all_of_its_table_or_none() -> None:
    rows = 60_000
    with sqlanon.connect() as con:
        con.execute(f"CREATE TABLE big AS FROM census({rows})").fetchall()
        con.execute("FROM ldiverse('census(100)', ['age'], 'occupation', 2)").fetchall()
        interrupted = 0
        for delay in (0.0, 0.02, 0.05, 0.1, 0.2, 0.4):
            watch = threading.Thread(target=lambda delay=delay: (time.sleep(delay), con.interrupt()))
            watch.start()
            try:
                con.execute(
                    "CREATE OR REPLACE TABLE r AS FROM ldiverse('big', ['age', 'gender', 'country'], 'occupation', 5)"
                ).fetchall()
            except (duckdb.InterruptException, duckdb.Error, KeyboardInterrupt) as error:
                assert "SA901" not in str(error)
                interrupted += 1
            watch.join()
            tables = con.execute("SELECT table_name FROM duckdb_tables() WHERE table_name = 'r'").fetchall()
            if tables:
                assert con.execute("SELECT count(*) FROM r").fetchall() == [(rows,)]
                con.execute("DROP TABLE r").fetchall()
        assert con.execute("SELECT count(*) FROM big").fetchall() == [(rows,)], "the connection is as good as before"


def test_the_compiled_build_of_sqlglot_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_subclass(*_: object) -> None:
        raise TypeError("interpreted classes cannot inherit from compiled")

    monkeypatch.setattr(writer.SafeDuckDB, "generator_class", refuse_subclass)
    with pytest.raises(ImportError, match="Uninstall sqlglotc"):
        sqlanon.connect()
