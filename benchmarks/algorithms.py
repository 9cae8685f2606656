"""Every algorithm against hilbert, in one process.

python -m benchmarks.algorithms                  100k and 1M rows
python -m benchmarks.algorithms 30000            other sizes

Times are the best of some runs of CREATE TABLE AS, warm. topdown is measured at 50,000 rows, matching at 2 x 2,000;
bsgi's loss is set against that of its exact search. GCP is that of each algorithm's own recode.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import duckdb

import sqlanon
from sqlanon.cli.output import print_table
from sqlanon.release.algorithms import ALGORITHMS

from .queries import CENSUS_QI as QI
from .queries import read_loss
from .timing import warm_seconds

K, L = 10, 5
SLOW = {"topdown", "matching"}


def main(sizes: list[int]) -> None:
    """Measure and print."""
    con = sqlanon.connect()
    lines: list[list[object]] = []
    for rows in sizes:
        con.execute(f"CREATE OR REPLACE TABLE people AS FROM census({rows})")
        for model, function in (("k-anonymity", "kanonymous"), ("l-diversity", "ldiverse")):
            names = [one.name for one in ALGORITHMS if one.model == model and one.name not in SLOW]
            base = 0.0
            for name in names:
                seconds, loss = measure(con, release(function, name))
                base = base or seconds
                lines.append([rows, function, name, round(seconds, 2), round(seconds / base, 2), loss])
    con.execute("CREATE OR REPLACE TABLE people AS FROM census(50000)")
    seconds, loss = measure(con, release("kanonymous", "topdown"))
    lines.append([50_000, "kanonymous", "topdown", round(seconds, 2), None, loss])
    con.execute("CREATE OR REPLACE TABLE people AS FROM census(100000)")
    seconds, loss = measure(con, release("ldiverse", "bsgi", "seed := 0, options := {'exact': true}"))
    lines.append([100_000, "ldiverse", "bsgi, exact", round(seconds, 2), None, loss])
    con.execute("""
        CREATE OR REPLACE TABLE people AS FROM census(10000)
        QUALIFY row_number() OVER (PARTITION BY gender ORDER BY age, country, occupation, salary, education) <= 2000
    """)
    qi = [name for name in QI if name != "gender"] + ["salary"]
    seconds, loss = measure(con, f"ldiverse('people', {qi}, 'gender', 2, algo := 'matching')", qi)
    lines.append([4_000, "ldiverse", "matching, l = 2", round(seconds, 2), None, loss])
    print_table(["rows", "function", "algo", "seconds", "x hilbert", "GCP"], lines)
    con.close()


def release(function: str, algo: str, more: str = "seed := 0") -> str:
    """A call on the census."""
    arguments = f"'occupation', {L}" if function == "ldiverse" else f"{K}"
    return f"{function}('people', {QI}, {arguments}, algo := '{algo}', {more})"


def measure(con: duckdb.DuckDBPyConnection, call: str, qi: Sequence[str] = QI) -> tuple[float, float]:
    """Seconds of the fastest run, and the loss."""
    seconds = warm_seconds(con, call)
    [gcp] = read_loss(con, "gcp", "people", "release", qi)
    return seconds, round(gcp, 4)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [100_000, 1_000_000])
