"""All kernels compiled ahead, for processes that cannot keep what they compile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from sqlanon.udfs.kernels.runtime import cache

from sqlanon import compiling
from sqlanon.errors import InvalidParameter
from sqlanon.release.algorithms import ALGORITHMS

RUN_ALL = """
    import importlib, json, pkgutil
    from sqlanon.udfs import kernels
    from sqlanon.udfs.kernels.runtime import jit

    inside, from_python, helpers, depth = set(), set(), set(), [0]

    def kernel(function):
        name = f"{function.__module__}.{function.__name__}"
        inside.add(name)
        helpers.update(function.__code__.co_names)
        def call(*arguments):
            if not depth[0]:
                from_python.add(name)
            depth[0] += 1
            try:
                return function(*arguments)
            finally:
                depth[0] -= 1
        return call

    jit.kernel = jit.frugal_kernel = jit.inner_kernel = kernel
    for module in pkgutil.walk_packages(kernels.__path__, f"{kernels.__name__}."):
        importlib.import_module(module.name)
    import sqlanon
    from sqlanon.release.algorithms import ALGORITHMS
    from sqlanon.compiling import compile_here

    names = [name for name, _ in compile_here()]
    ahead = from_python.copy()
    con = sqlanon.connect()
    con.execute("SET enable_progress_bar = false")
    con.execute("CREATE TABLE t AS SELECT i * 7 % 50 AS a, i % 3 AS b, i % 2 AS s FROM range(60) AS r(i)")
    for algorithm in ALGORITHMS:
        arguments = {"kanonymous": "2", "taudiverse": "'s', 0.5, 2"}.get(algorithm.function, "'s', l := 2")
        con.execute(f"FROM {algorithm.function}('t', ['a', 'b'], {arguments}, algo := '{algorithm.name}')").fetchall()
    con.close()
    missed = [name for name in sorted(inside - ahead) if name.rpartition(".")[2] not in helpers]
    print(json.dumps([names, missed, sorted(from_python - ahead)]))
"""
COMPILE_ONE = """
    import numpy as np
    from sqlanon.udfs.kernels import heap
    heap.push(np.zeros(4, np.int64), 0, 1)
    print("the only kernel, algo heap 0.25")
"""


def program(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", textwrap.dedent(code))


def test_no_kernel_is_missed_and_no_table_needs_another_one() -> None:
    """Run as plain Python, which takes less time; four rows reach all that larger tables do."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    process = subprocess.run(program(RUN_ALL), check=True, stdout=subprocess.PIPE, text=True, env=environment)
    names, missed, needed_later = json.loads(process.stdout)
    assert names == [f"{one.model}, algo {one.name}" for one in ALGORITHMS] + list(compiling.STATEMENTS)
    assert (missed, needed_later) == ([], [])


def test_what_is_compiled_is_in_the_directory_for_any_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "COMMAND", program(COMPILE_ONE))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    reported: list[tuple[str, float]] = []
    compiling.compile_kernels(tmp_path / "new", lambda name, seconds: reported.append((name, seconds)))
    assert reported == [("the only kernel, algo heap", 0.25)]
    (kept,) = (tmp_path / "new").rglob("*.nbc")
    assert kept.parent == tmp_path / "new" / "sqlanon" / cache.directory().name
    assert kept.stat().st_mode & 0o777 == 0o644
    assert kept.parent.stat().st_mode & 0o777 == 0o755


def test_a_process_that_fails_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "COMMAND", program("raise SystemExit(3)"))
    with pytest.raises(subprocess.CalledProcessError):
        compiling.compile_kernels(tmp_path, lambda *_: None)


def test_a_directory_that_cannot_be_written_is_refused_before_anything_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidParameter, match="cannot be written there: not a directory") as refused:
        compiling.compile_kernels(tmp_path / "file", lambda *_: pytest.fail("something was compiled"))
    assert str(tmp_path) not in str(refused.value)
