"""Print tables: each release against DuckDB's own sort of the same table, in the same process.

python -m benchmarks                     30k, 1M and 10M rows
python -m benchmarks 30000 200000        other sizes

Verification and evaluation are measured against a plain GROUP BY, the best of some runs each; pycanon, where it is
installed, against privacy. Each size runs in a process of its own, so that peak memory means something. Times are of
CREATE TABLE AS, warm: the first call of a new process, with kernels cached or not, is measured apart.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from sqlanon.cli.output import print_table

SIZES = (30_000, 1_000_000, 10_000_000)
PUBLISH = ("rows", "publish", "seconds", "x sort", "rows/s", "peak GB", "GCP")
VERIFY = ("rows", "verify", "seconds", "x GROUP BY", "peak GB")
EVALUATE = ("rows", "evaluate", "seconds", "x GROUP BY", "peak GB")
MODULES = {"benchmarks.case": PUBLISH, "benchmarks.verify": VERIFY, "benchmarks.evaluate": EVALUATE}


def main(sizes: list[int]) -> None:
    """Measure and print."""
    os.environ.setdefault("COLUMNS", "140")  # a line of a table is a line, in a file, too
    with tempfile.TemporaryDirectory() as cache:
        cold = first_call({"NUMBA_CACHE_DIR": cache})
        warm = first_call({"NUMBA_CACHE_DIR": cache})
    print(f"first call in a new process: {warm:.2f} s; on a new machine, compiling: {cold:.1f} s\n", flush=True)
    for rows in sizes:
        for module, columns in MODULES.items():
            with tempfile.TemporaryDirectory() as folder:
                output = run(module, str(Path(folder) / "census.duckdb"), str(rows))
            print_table(columns, [json.loads(line) for line in output.splitlines()])
            print(flush=True)


def first_call(environment: dict[str, str]) -> float:
    """Seconds that the first release of a new process takes, imports included."""
    return float(run("benchmarks.first_call", environment=environment))


def run(module: str, *arguments: str, environment: dict[str, str] | None = None) -> str:
    """Run a module in a process of its own and return what it prints."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})}
    )
    return done.stdout


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or list(SIZES))
