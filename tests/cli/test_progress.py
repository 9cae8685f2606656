"""How far a statement is: DuckDB says so, and a terminal shows it."""

from __future__ import annotations

import logging
import sys
import threading
import time
from pathlib import Path
from types import ModuleType

import duckdb
import numpy as np
import pytest
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from sqlanon.udfs.kernels.runtime.signals import INTERRUPT_WATCHER

from cli.running import QI, SA, copy, run
from sqlanon import udfs
from sqlanon.cli import narration
from sqlanon.phases import PROGRESS, phase
from sqlanon.publishing.engine import Engine
from sqlanon.publishing.session import connection

pytestmark = pytest.mark.oldest


def test_a_terminal_shows_a_percentage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(narration, "PATIENCE", 0)
    monkeypatch.setattr(PROGRESS, "percentage", lambda: 42.4)
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes that for a terminal
    result = run("release", copy(tmp_path / "people.parquet"), tmp_path / "out.parquet", *QI, *SA, "-l", 3)
    assert "publishing with ldiverse  42 %" in result.stderr
    assert "42 %" not in result.stdout


def test_duckdb_says_how_far_a_statement_is_until_the_connection_is_closed() -> None:
    # One thread: DuckDB 1.4 does not say how far a task is that another thread has taken.
    with connection(":memory:", Engine(threads=1)) as con:

        def work() -> None:
            with pytest.raises(duckdb.InterruptException):
                con.execute("SELECT sum(hash(i)) FROM range(100_000_000_000) AS r(i)")

        worker = threading.Thread(target=work)
        worker.start()
        done = None
        patience = time.monotonic() + 60
        while done is None and time.monotonic() < patience:
            time.sleep(0.01)
            done = PROGRESS.percentage()  # now and then unknown again, while DuckDB begins the next pipeline
        while worker.is_alive():  # an interrupt before the statement has begun is lost
            con.interrupt()
            worker.join(0.01)
        assert done is not None
        assert 0 <= done <= 100
    assert PROGRESS.percentage() is None


def test_rows_are_counted_only_if_somebody_listens(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="sqlanon"), phase("silent", lambda: pytest.fail("rows were counted")):
        pass
    with caplog.at_level(logging.INFO, logger="sqlanon"), phase("heard", lambda: 9) as heard:
        heard.rows = 10
    assert [record.getMessage() for record in caplog.records] == ["heard: 9 rows", "heard: 10 rows in 0.0 s"]


def test_ctrl_c_while_an_algorithm_is_imported_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The signal comes before the function is there to raise_if_interrupted it."""
    late = ModuleType("late")
    seen: list[int] = []

    def call() -> None:
        with INTERRUPT_WATCHER:
            seen.extend(np.asarray(STOP).tolist())

    late.call = call  # type: ignore[attr-defined]

    def import_late(name: str) -> ModuleType:
        STOP[0] = 1
        return late

    monkeypatch.setattr(udfs, "import_module", import_late)
    assert "late" not in sys.modules
    try:
        udfs.call_module("late", ())
    finally:
        STOP[0] = 0
    assert seen == [1]
