"""Ctrl-C in the middle of a kernel: control is back soon, once, nothing is published, and the connection works."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest
from sqlanon.udfs.kernels.runtime.interrupt import STOP
from sqlanon.udfs.kernels.runtime.signals import INTERRUPT_WATCHER

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT for one process")]

PROGRAM = """
import signal
import threading
import time
import duckdb
import numpy as np
import sqlanon
from sqlanon.udfs.kernels.{family} import {module}

signal.signal(signal.SIGINT, {handler})
con = sqlanon.connect(config={{"threads": {threads}}})
con.execute("SET enable_progress_bar = false")
con.execute("CREATE TABLE few AS FROM census(500)")
con.execute("CREATE TABLE many AS FROM census({rows})")
release = "CREATE TABLE release AS FROM {function}('{{}}', ['age', 'race', 'country'], {promise}, algo := '{algo}')"
con.execute(release.format("few"))
con.execute("DROP TABLE release")
kernel, filled = {module}.{kernel}, []

def announce():
    while not (filled[0] >= 0).any():
        time.sleep(0.001)
    print("running", flush=True)

def run_kernel(*arguments):
    filled.append(arguments[-2])
    filled[0][:] = -1
    threading.Thread(target=announce).start()
    return kernel(*arguments)

{module}.{kernel} = run_kernel
try:
    con.execute(release.format("many"))
    print("published")
except (RuntimeError, duckdb.InvalidInputException) as error:
    print("nterrupt" in str(error), sqlanon.errors.from_duckdb(error))
time.sleep(0.01)  # a second exception would come here
print(signal.getsignal(signal.SIGINT) == {handler})
{module}.{kernel} = kernel
print(con.execute("SELECT table_name FROM duckdb_tables() ORDER BY ALL").fetchall())
con.execute(release.format("few"))
print(con.execute("SELECT count(*) FROM release").fetchall())
print(np.count_nonzero(filled[0] >= 0) < {rows})
con.close()
"""
ENDS_EARLY = ["True None", "True", "[('few',), ('many',)]", "[(500,)]", "True"]
RUNS_ON = ["published", "True", "[('few',), ('many',), ('release',)]"]


def interrupt(threads: int, handler: str = "signal.default_int_handler", **details: object) -> list[str]:
    """Send SIGINT to a program when its kernel runs; return what it prints after that."""
    code = PROGRAM.format(threads=threads, handler=handler, **details)
    with subprocess.Popen([sys.executable, "-P", "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate()
    return printed.splitlines()


TOPDOWN = {
    "family": "halving", "module": "topdown", "kernel": "halve",
    "function": "kanonymous", "promise": "2", "algo": "topdown",
    "rows": 1_000_000,
}  # fmt: skip
BSGI = {
    "family": "bsgi", "module": "bsgi", "kernel": "select",
    "function": "ldiverse", "promise": "'occupation', 5", "algo": "bsgi",
    "rows": 400_000,
}  # fmt: skip


@pytest.mark.parametrize("details", [TOPDOWN, BSGI], ids=["topdown", "bsgi"])
@pytest.mark.parametrize("threads", [1, 4])
def test_control_c_ends_a_kernel_halfway_with_one_exception_and_the_connection_works(
    threads: int, details: dict[str, object]
) -> None:
    assert interrupt(threads, **details) == ENDS_EARLY


@pytest.mark.parametrize("handler", ["signal.SIG_IGN", "print"])
def test_a_program_with_a_handler_decides_itself(handler: str) -> None:
    small = {**TOPDOWN, "rows": 50_000}
    printed = interrupt(4, handler, **small)
    assert [line for line in printed if line in RUNS_ON] == RUNS_ON


def test_a_flag_that_was_set_is_forgotten_by_the_next_call() -> None:
    with INTERRUPT_WATCHER:
        STOP[0] = 1
        with INTERRUPT_WATCHER:
            assert STOP[0] == 1, "one call inside another, or beside it, is stopped with it"
    with INTERRUPT_WATCHER:
        assert STOP[0] == 0


def test_every_call_leaves_signals_as_they_were() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    try:
        threads = threading.active_count()
        for _ in range(20):
            with INTERRUPT_WATCHER:
                pass
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert threading.active_count() <= threads + 1
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
