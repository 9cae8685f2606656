"""Print what `sqlanon release` takes with its certificate, and the statement alone: CPU seconds and peak memory.

python -m benchmarks.command                 1M and 2M rows
python -m benchmarks.command 10000000        other sizes

The statement is CREATE TABLE AS FROM ldiverse(…) and COPY to Parquet. Both run in processes of their own, with what
they take to start. CPU seconds are of user and system together, as others may use the machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from .queries import CENSUS_QI as QI

SIZES = (1_000_000, 2_000_000)
STATEMENT = """
    CREATE TABLE released AS FROM ldiverse('(FROM ''census.parquet'')', {qi}, 'occupation', 4);
    COPY released TO 'statement.parquet';
"""
SQLANON = (sys.executable, "-m", "sqlanon")


class Spent(NamedTuple):
    """CPU seconds, and peak memory in GB."""

    seconds: float
    memory: float


def measure(folder: Path, *arguments: str) -> Spent:
    """Run sqlanon; return what it took."""
    process = subprocess.Popen([*SQLANON, *arguments], cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
    return Spent(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e9)


def main(sizes: list[int]) -> None:
    """Measure and print, as lines of a Markdown table."""
    print("| rows | statement | `sqlanon release` | with its report | |\n|---|---|---|---|---|", flush=True)
    publish = ("--qi", ",".join(QI), "--sa", "occupation", "-l", "4", "--force")
    for rows in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            measure(folder, "sql", "-c", f"COPY (FROM census({rows})) TO 'census.parquet'")
            measure(folder, "release", "census.parquet", "warm.parquet", *publish)  # kernels are compiled here
            alone = measure(folder, "sql", "-c", STATEMENT.format(qi=QI))
            command = measure(folder, "release", "census.parquet", "out.parquet", *publish)
            (folder / "release.toml").write_text(policy(), encoding="utf-8")
            reported = measure(folder, "run", "release.toml")
        times = f"{command.seconds / alone.seconds:.1f} ×"
        columns = (f"{rows:,}", *map(describe, (alone, command, reported)), times)
        print(f"| {' | '.join(columns)} |", flush=True)


def policy() -> str:
    """A policy with the same release, and a report for its owner."""
    roles = "\n".join(f'{name} = "quasi-identifier"' for name in QI)
    return f"""
source = "census.parquet"
[columns]
{roles}
occupation = "sensitive"
salary = "drop"
[release]
l = 4
people = "rows"
[output]
release = "policy.parquet"
report = "report.html"
"""


def describe(spent: Spent) -> str:
    """Seconds and gigabytes."""
    return f"{spent.seconds:.1f} s, {spent.memory:.1f} GB"


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or list(SIZES))
