"""How a command starts: with little to import, and whenever Ctrl-C comes, it ends with its exit code and one line."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import duckdb
import pytest

WITHOUT_TERMINAL = "import os, signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""A program that is started in the background ignores Ctrl-C."""
INTERRUPTED_BY_AN_IMPORT = """
import sys
class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
from sqlanon.cli import main
print("started", flush=True)
sys.exit(main(sys.argv[2:]))
"""
STARTED = """
import sys
from sqlanon.cli import main
print("started", flush=True)
sys.exit(main())
"""
SELECT = ("sql", "-c", "SELECT 1")
GROUP = ("sql", "-c", "FROM kanonymous('(SELECT i AS a FROM range(9) AS r(i))', ['a'], 3)")


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-c", WITHOUT_TERMINAL + code, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT for one process")
@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("sqlanon.cli.app", SELECT),
        ("typer", SELECT),
        ("rich.console", SELECT),
        ("duckdb", SELECT),
        ("sqlanon.cli.commands.verify", SELECT),
        ("numpy", SELECT),
        ("sqlglot", SELECT),
        ("sqlanon.udfs.groups", GROUP),
        ("numba", GROUP),
    ],
)
def test_ctrl_c_while_something_is_imported_is_exit_code_130(module: str, command: tuple[str, ...]) -> None:
    process = start(INTERRUPTED_BY_AN_IMPORT, module, *command)
    printed, complaints = process.communicate()
    assert (process.returncode, printed, complaints) == (130, "started\n", "error: interrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT for one process")
def test_ctrl_c_while_json_is_half_imported_is_one_line_of_json() -> None:
    process = start(INTERRUPTED_BY_AN_IMPORT, "json.decoder", *SELECT, "--json")
    _, complaints = process.communicate()
    assert (process.returncode, complaints) == (130, '{"code": null, "message": "interrupted", "hint": ""}\n')


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT for one process")
@pytest.mark.parametrize("delay", [0.02, 0.05, 0.1, 0.2, 0.4, 0.8])
def test_ctrl_c_at_any_time_prints_one_line_or_comes_too_late(delay: float) -> None:
    with start(STARTED, *SELECT, "--json") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        printed, complaints = process.communicate()
    interrupted = '{"code": null, "message": "interrupted", "hint": ""}\n'
    assert (process.returncode, complaints) in ((130, interrupted), (0, ""))
    assert process.returncode == 130 or printed == '[{"1": 1}]\n'


def test_a_statement_without_an_algorithm_imports_none() -> None:
    code = """
import sys
from sqlanon.cli import main
main(sys.argv[1:])
print([name for name in ("numba", "llvmlite", "pyarrow", "scipy", "pandas") if name in sys.modules])
"""
    process = start(code, *SELECT, "--json")
    printed, complaints = process.communicate()
    older = duckdb.__version__.startswith("1.")  # DuckDB then imports them itself
    theirs = ["pyarrow", "pandas"] if older else []
    assert (printed, complaints) == (f'[{{"1": 1}}]\n{theirs}\n', "")


def test_importing_sqlanon_imports_nothing_before_it_is_used() -> None:
    code = """
import sys
import sqlanon
print([name for name in ("duckdb", "sqlanon.errors", "sqlanon.connection", "sqlanon.policy") if name in sys.modules])
print(sqlanon.errors.SqlanonError.code, sqlanon.run.__name__, "rewrite" in dir(sqlanon), hasattr(sqlanon, "no_such"))
"""
    printed, complaints = start(code).communicate()
    assert (printed, complaints) == ("[]\nSA000 run True False\n", "")
