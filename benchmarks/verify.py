"""One size: privacy against a plain GROUP BY qi, sa of the same table, and against pycanon where it is installed.

pycanon's lines are times privacy's, at a size that it can finish, and at the size asked for until it is stopped.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.connection import Connection

import duckdb

from .case import ONLY_SMALL
from .queries import CENSUS_QI as QI
from .queries import connect_to_people
from .timing import Stopwatch, measure_run, print_line

PEER_ROWS = 1_000
"""pycanon's measures take time with the square of the rows: 5,000 rows took it 270 seconds."""

RUNS = 5
"""The fastest counts."""

PATIENCE = 110
"""pycanon is stopped after so many times the seconds of privacy."""


def main(path: str, rows: int) -> None:
    """Measure one size in a database file; a JSON line per measurement."""
    con = connect_to_people(path, rows)
    con.execute(f"CREATE TABLE release AS FROM ldiverse('people', {QI}, 'occupation', 5, keep := ['salary'])")
    for table in ("people", "release"):
        plain = f"SELECT count(*) FROM (SELECT {', '.join(QI)}, occupation, count(*) FROM {table} GROUP BY ALL)"
        verify = {sa: f"FROM privacy('{table}', {QI}, '{sa}')" for sa in ("occupation", "salary")}
        (base, peak), *others = run_in_turns(con, plain, *verify.values())
        report(rows, f"GROUP BY qi, sa of {table}", base, base, peak)
        for sa, (seconds, peak) in zip(verify, others, strict=True):
            report(rows, f"privacy({table}, qi, {sa})", seconds, base, peak)
    if find_spec("pycanon") and PEER_ROWS <= rows <= ONLY_SMALL:
        con.execute(f"CREATE TABLE few AS FROM people LIMIT {PEER_ROWS}")
        compare_with_pycanon(con, path, "few", PEER_ROWS)
        compare_with_pycanon(con, path, "people", rows)
    con.close()


def compare_with_pycanon(con: duckdb.DuckDBPyConnection, path: str, table: str, rows: int) -> None:
    """Measure privacy and pycanon on a table; only at few rows is pycanon waited for."""
    con.execute(f"COPY {table} TO '{path}.parquet'")
    ((ours, peak),) = run_in_turns(con, f"FROM privacy('{table}', {QI}, 'occupation')")
    report(rows, "privacy(people, qi, occupation)", ours, ours, peak)
    theirs = pycanon_seconds(f"{path}.parquet", None if rows == PEER_ROWS else PATIENCE * ours)
    if theirs is None:
        report(rows, f"pycanon, stopped: more than {PATIENCE} x privacy", PATIENCE * ours, ours, None)
    else:
        report(rows, "pycanon, the same measures, x privacy", theirs, ours, None)


def pycanon_seconds(parquet: str, limit: float | None) -> float | None:
    """Seconds of pycanon in a process of its own, without those to load the table; None if the limit was reached."""
    processes = get_context("spawn")
    ours, theirs = processes.Pipe()
    process = processes.Process(target=run_pycanon, args=(parquet, theirs))
    process.start()
    theirs.close()
    try:
        ours.recv()
        return ours.recv() if ours.poll(limit) else None
    finally:
        process.kill()
        process.join()


def run_pycanon(parquet: str, answer: Connection) -> None:
    """Load a table, say so, measure it, and send the seconds."""
    frame = duckdb.read_parquet(parquet).df()
    answer.send("loaded")
    with Stopwatch() as run:
        measure_with_pycanon(frame)
    answer.send(run.seconds)


def measure_with_pycanon(frame: object) -> None:
    """Ask for every measure of privacy that pycanon has."""
    from pycanon import anonymity

    anonymity.k_anonymity(frame, QI)
    for measure in (
        anonymity.alpha_k_anonymity, anonymity.l_diversity, anonymity.entropy_l_diversity,
        anonymity.recursive_c_l_diversity, anonymity.basic_beta_likeness, anonymity.enhanced_beta_likeness,
        anonymity.t_closeness, anonymity.delta_disclosure,
    ):  # fmt: skip
        measure(frame, QI, ["occupation"])


def run_in_turns(con: duckdb.DuckDBPyConnection, *queries: str, runs: int = RUNS) -> list[tuple[float, float]]:
    """Seconds and memory of the fastest run of each query; they take turns, so that all meet the same noise."""
    rounds = [
        [measure_run(lambda query=query: con.execute(query).fetchall()) for query in queries] for _ in range(runs)
    ]
    return [min(runs) for runs in zip(*rounds, strict=True)]


def report(rows: int, name: str, seconds: float, base: float, peak: float | None) -> None:
    """Print one line."""
    memory = None if peak is None else round(peak, 2)
    print_line(rows, name, round(seconds, 3), round(seconds / base, 1), memory)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
