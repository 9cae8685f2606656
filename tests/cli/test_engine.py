"""Threads, memory and temporary files are the user's to set; out of memory is no bug."""

from __future__ import annotations

import signal
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from cli.running import QI, SA, answer, copy, refusal, run, succeed
from sqlanon import policy, udfs
from sqlanon.cli.commands import COMMANDS
from sqlanon.errors import BrokenPromise, Guard, OutOfMemory, SqlanonError, from_duckdb
from sqlanon.publishing import engine
from sqlanon.publishing.engine import Engine, read_engine, temporary_folder

SETTINGS = """
    SELECT name, value FROM duckdb_settings() WHERE name IN ('threads', 'max_memory', 'temp_directory') ORDER BY name
"""
LARGE = "SELECT count(*) AS n FROM (SELECT list(i) FROM range(20000000) AS numbers(i) GROUP BY i % 7000000)"
TOO_LARGE = "SELECT len(list(i)) AS n FROM range(20000000) AS numbers(i)"
NO_STATEMENT = {"functions", "compile", "sign"}


def test_sql_takes_the_threads_the_memory_and_the_folder_that_it_is_given(tmp_path: Path) -> None:
    settings = answer(
        "sql", "-c", SETTINGS, "--threads", 1, "--memory-limit", "512MiB", "--temp-directory", tmp_path
    )  # fmt: skip
    memory, folder, threads = (record["value"] for record in settings)
    assert (memory, threads) == ("512.0 MiB", "1")
    assert Path(folder).parent == tmp_path
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - NO_STATEMENT))
def test_every_command_that_runs_statements_has_the_options(command: str) -> None:
    shown = run(command, "--help").stdout
    assert all(option in shown for option in ("--threads", "--memory-limit", "--temp-directory"))


@pytest.mark.parametrize(
    ("option", "value"),
    [("--threads", 0), ("--memory-limit", "much"), ("--memory-limit", "-1GB"), ("--temp-directory", "nowhere")],
)
def test_settings_that_make_no_sense_are_refused(option: str, value: object) -> None:
    assert refusal(2, "sql", "-c", "SELECT 1", option, value).startswith("error: [SA10")


def test_a_statement_without_enough_memory_ends_with_4_and_a_code(tmp_path: Path) -> None:
    complaint = refusal(4, "sql", "-c", TOO_LARGE, "--memory-limit", "40MB", "--threads", 1)
    assert complaint.startswith("error: [SA401] the memory does not suffice.")
    assert "bug" not in complaint


def test_a_release_without_enough_memory_ends_with_4_and_leaves_nothing(tmp_path: Path) -> None:
    copy(tmp_path / "people.parquet", "SELECT i AS age, i AS zip, 'd' || i % 5 AS disease FROM range(400000) AS n(i)")
    paths = [tmp_path / "people.parquet", tmp_path / "out.parquet"]
    complaint = refusal(4, "release", *paths, *QI, *SA, "-l", 2, "--memory-limit", "12MB", "--threads", 1)
    assert "[SA401]" in complaint
    assert [path.name for path in tmp_path.iterdir()] == ["people.parquet"]


@pytest.mark.parametrize(
    "error", [MemoryError(), np._core._exceptions._ArrayMemoryError((9,), np.dtype(int)), pa.ArrowMemoryError("")]
)  # type: ignore[attr-defined]
def test_a_function_of_ours_without_enough_memory_says_so(error: MemoryError) -> None:
    with pytest.raises(OutOfMemory), Guard("grouping rows"):
        raise error
    with pytest.raises(BrokenPromise), Guard("grouping rows"):
        raise ValueError


NO_ROOM = OSError("libllvmlite.so: failed to map segment from shared object")


def llvmlite_without_room(module: str) -> None:
    """Fail as llvmlite does: it says that its library was not found, instead of what the system has said."""
    try:
        raise NO_ROOM
    except OSError:
        raise OSError("Could not find/load shared object file") from None


def test_a_library_that_finds_no_room_is_out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlanon.udfs.import_module", llvmlite_without_room)
    with pytest.raises(OutOfMemory):
        udfs.call_module("sqlanon.udfs.not_imported_yet", ())
    with pytest.raises(OutOfMemory), Guard("grouping rows"):
        llvmlite_without_room("numba")
    monkeypatch.setattr("sqlanon.udfs.import_module", Mock(side_effect=ImportError("no such module")))
    with pytest.raises(ImportError):
        udfs.call_module("sqlanon.udfs.not_imported_yet", ())


@pytest.mark.parametrize(
    "error",
    [
        duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate data of size 16.0 MiB"),
        duckdb.InvalidInputException(
            "Invalid Input Error: Python exception: ArrowMemoryError: malloc of size 9 failed"
        ),
        RuntimeError("std::bad_alloc"),
        MemoryError(),
    ],
)
def test_each_way_to_say_that_memory_is_short_has_the_code(error: Exception) -> None:
    assert isinstance(from_duckdb(error), OutOfMemory)


def test_a_policy_has_the_settings_and_the_command_line_comes_before_it(tmp_path: Path) -> None:
    stated = policy.reading.read_policy(policy_of(tmp_path, {"threads": 1, "memory_limit": "1GB"})).engine
    assert stated == Engine(1, "1GB", None)
    assert stated.override(read_engine({"threads": 2})) == Engine(2, "1GB", None)
    assert policy.run(
        policy_of(tmp_path, {"threads": 1, "temp_directory": str(tmp_path)}), check=True
    ).certificate.holds


@pytest.mark.parametrize("table", [{"thread": 1}, {"threads": 0}, {"memory_limit": 4}, {"temp_directory": "nowhere"}])
def test_a_wrong_table_of_the_engine_is_refused(table: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(SqlanonError, match=r"\[SA10\d\]"):
        policy.run(policy_of(tmp_path, table), check=True)


def policy_of(folder: Path, engine: dict[str, object]) -> dict[str, object]:
    """A policy for people, with settings."""
    roles = {"person": "identifier", "age": "quasi-identifier", "zip": "quasi-identifier", "disease": "sensitive"}
    return {
        "source": str(copy(folder / "people.parquet")),
        "columns": {**roles, "note": "drop"},
        "release": {"l": 2, "entity": "person"},
        "output": {"release": str(folder / "out.parquet")},
        "engine": engine,
    }


def test_the_folder_for_temporary_files_is_its_owners_alone_and_gone_in_the_end(tmp_path: Path) -> None:
    with temporary_folder(tmp_path) as folder, temporary_folder(tmp_path) as other:
        assert {stat.S_IMODE(path.stat().st_mode) for path in (folder, other)} == {0o700}
        (folder / "spilled").touch()
    assert not any(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="has no locks of folders")
def test_what_a_kill_left_is_removed_by_the_next_run_but_not_what_a_run_still_uses(tmp_path: Path) -> None:
    abandoned = tmp_path / f"{engine.FOLDER}a"
    abandoned.mkdir(mode=0o700)
    with temporary_folder(tmp_path) as used, temporary_folder(tmp_path):
        assert (abandoned.exists(), used.exists()) == (False, True)


def test_runs_that_begin_and_end_together_do_not_remove_what_another_still_uses(tmp_path: Path) -> None:
    def use(_: int) -> bool:
        with temporary_folder(tmp_path) as folder:
            (folder / "spilled").touch()
            return (folder / "spilled").is_file()

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(use, range(200)))
    assert not any(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals, and no locks of folders")
def test_what_came_by_standard_input_lies_in_that_folder_and_is_gone_after_a_kill_and_another_run(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-m", "sqlanon", "columns", "-", "--temp-directory", str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdin is not None
        process.stdin.write(b"name,disease\n" * 10_000)  # a name, and so no answer, before the end of the file
        process.stdin.flush()
        deadline = time.monotonic() + 60
        while not any(tmp_path.rglob("input.csv")) and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.05)
        process.kill()
    assert [stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("input.csv")] == [0o600]
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o700}
    succeed("sql", "-c", "SELECT 1", "--temp-directory", tmp_path)
    assert not any(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_leaves_no_temporary_file(number: signal.Signals, code: int, tmp_path: Path) -> None:
    arguments = ["sql", "-c", f"SET preserve_insertion_order = false; {LARGE.replace('7000000', '70000')} ; {LARGE}"]
    with subprocess.Popen(
        [sys.executable, "-m", "sqlanon", *arguments, "--memory-limit", "300MB", "--temp-directory", str(tmp_path)],
        stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
        deadline = time.monotonic() + 60
        while not any(tmp_path.rglob("duckdb_temp*")) and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.05)
        assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o700}
        process.send_signal(number)
        process.communicate()
    assert process.returncode == code
    assert not any(tmp_path.iterdir())
