"""One size: privacy against a plain GROUP BY qi, sa of the same table, and against pycanon where it is installed."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

import sqlanon

from .case import QI, measured

PEER_ROWS = 1_000
"""pycanon's measures take time with the square of the rows: 5,000 rows took it 270 seconds."""


def main(path: str, rows: int) -> None:
    """Measure one size in a database file; a JSON line per measurement."""
    con = sqlanon.connect(path)
    con.execute(f"CREATE TABLE people AS FROM census({rows})")
    con.execute(f"CREATE TABLE release AS FROM ldiverse('people', {QI}, 'occupation', 5, keep := ['salary'])")
    for table in ("people", "release"):
        plain = f"SELECT count(*) FROM (SELECT {', '.join(QI)}, occupation, count(*) FROM {table} GROUP BY ALL)"
        con.execute(plain).fetchall()
        base, peak = measured(lambda plain=plain: con.execute(plain).fetchall())
        report(rows, f"GROUP BY qi, sa of {table}", base, base, peak)
        for sa in ("occupation", "salary"):
            verify = f"FROM privacy('{table}', {QI}, '{sa}')"
            seconds, peak = measured(lambda verify=verify: con.execute(verify).fetchall())
            report(rows, f"privacy({table}, qi, {sa})", seconds, base, peak)
    if find_spec("pycanon") and rows >= PEER_ROWS:
        con.execute(f"CREATE TABLE few AS FROM people LIMIT {PEER_ROWS}")
        frame = con.execute("FROM few").df()
        ours = timed(lambda: con.execute(f"FROM privacy('few', {QI}, 'occupation')").fetchall())
        report(PEER_ROWS, "privacy(people, qi, occupation)", ours, ours, 0)
        report(PEER_ROWS, "pycanon, the same measures", timed(lambda: all_of_pycanon(frame)), ours, 0)
    con.close()


def all_of_pycanon(frame: object) -> None:
    """Every measure of privacy that pycanon has."""
    from pycanon import anonymity

    anonymity.k_anonymity(frame, QI)
    for measure in (
        anonymity.alpha_k_anonymity, anonymity.l_diversity, anonymity.entropy_l_diversity,
        anonymity.recursive_c_l_diversity, anonymity.basic_beta_likeness, anonymity.enhanced_beta_likeness,
        anonymity.t_closeness, anonymity.delta_disclosure,
    ):  # fmt: skip
        measure(frame, QI, ["occupation"])


def timed(run: Callable[[], object]) -> float:
    """Seconds."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def report(rows: int, name: str, seconds: float, base: float, peak: float) -> None:
    """Print one line."""
    print(json.dumps([rows, name, round(seconds, 3), round(seconds / base, 1), round(peak, 2)]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
