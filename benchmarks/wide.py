"""Functions for many columns: randomize and reconstruct, columns and quasi_identifiers, against plain statements.

python -m benchmarks.wide              1M rows, and 2.4M rows of 68 columns
python -m benchmarks.wide 100000       that many rows at the most

Each line is a process of its own, so that peak memory means something. Times are of CREATE TABLE AS, after a warm-up on
a few rows.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import duckdb

import sqlanon
from sqlanon.cli.output import print_table

from .__main__ import run
from .queries import struct
from .timing import measure_run, print_line

COLUMNS = ("rows", "statement", "seconds", "x shuffle", "peak GB")
WIDE = [f"c{number:02}" for number in range(1, 69)]
FOUR = "SELECT i * 7919 % 32 AS a, i * i % 32 AS b, i // 3 % 32 AS c, hash(i) % 32 AS d FROM range({rows}) AS r(i)"
"""Four attributes of 32 values: 1,048,576 combinations."""
CASES = {
    "lists": ("randomize, 8 columns, l = 2", 1_000_000),
    "wide lists": ("randomize, 68 columns, l = 5", 2_400_000),
    "likelihood": ("reconstruct, 4 columns, 2^20 cells", 1_000_000),
    "bayes": ("the same, method := 'bayes'", 1_000_000),
    "columns": ("columns, 15 columns", 1_000_000),
    "combinations": ("quasi_identifiers, 15 columns", 1_000_000),
}


def main(most: int) -> None:
    """Measure and print."""
    lines = []
    for case, (_, rows) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            database = str(Path(folder) / "wide.duckdb")
            lines.append(json.loads(run("benchmarks.wide", "--case", case, str(min(rows, most)), database)))
    print_table(COLUMNS, lines)


def measure(case: str, rows: int, database: str) -> None:
    """One case: a JSON line."""
    con = sqlanon.connect(database)
    for size in (2_000, rows):  # the first compiles every kernel
        shuffle, statement = prepare(con, case, size)
        shuffled, _ = measure_run(lambda: con.execute(f"CREATE OR REPLACE TABLE shuffled AS {shuffle}"))  # noqa: B023
        con.execute("DROP TABLE shuffled")
        seconds, peak = measure_run(lambda: con.execute(f"CREATE OR REPLACE TABLE answer AS {statement}"))  # noqa: B023
    print_line(rows, CASES[case][0], round(seconds, 2), round(seconds / shuffled, 1), round(peak, 2))
    con.close()


def prepare(con: duckdb.DuckDBPyConnection, case: str, rows: int) -> tuple[str, str]:
    """Make the table; return a plain statement to compare with, and the one to measure."""
    if case in ("likelihood", "bayes"):
        protected = "l := {'a': 3, 'b': 3, 'c': 3, 'd': 3}"
        con.execute(f"CREATE OR REPLACE TABLE people AS {FOUR.format(rows=rows)}")
        con.execute(f"CREATE OR REPLACE TABLE lists AS FROM randomize('people', {protected})")
        con.execute(f"CREATE OR REPLACE TABLE params AS FROM randomize_params('people', {protected})")
        statement = f"FROM reconstruct('lists', 'params', ['a', 'b', 'c', 'd'], method := '{case}')"
        return shuffle_columns(["a", "b", "c", "d"]), statement
    con.execute(f"CREATE OR REPLACE TABLE people AS FROM wide_census({rows})")
    if case == "lists":
        return shuffle_columns(WIDE[:8]), f"FROM randomize('people', l := {l_of_each(con, WIDE[:8], 2)})"
    if case == "wide lists":
        return shuffle_columns(WIDE), f"FROM randomize('people', l := {l_of_each(con, WIDE, 5)})"
    con.execute(f"CREATE OR REPLACE TABLE narrow AS SELECT {', '.join(WIDE[:15])} FROM people")
    return shuffle_columns(WIDE[:15]), f"FROM {'columns' if case == 'columns' else 'quasi_identifiers'}('narrow')"


def shuffle_columns(columns: Sequence[str]) -> str:
    """The rows in another order, which any release has to make."""
    return f"SELECT {', '.join(columns)} FROM people ORDER BY random()"


def l_of_each(con: duckdb.DuckDBPyConnection, columns: Sequence[str], l: int) -> str:
    """An l for every column: the same, or as much as its values allow."""
    counts = ", ".join(f"count(DISTINCT {column})" for column in columns)
    sizes = con.execute(f"SELECT {counts} FROM people").fetchall()[0]
    return struct({column: min(l, size) for column, size in zip(columns, sizes, strict=True)})


if __name__ == "__main__":
    if "--case" in sys.argv:
        measure(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_400_000)
