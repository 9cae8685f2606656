"""One size: the sort, then each release; a JSON line per measurement."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

import sqlanon

QI = ["age", "gender", "education", "marital", "race", "workclass", "country"]
NUMBERS = ("age", "education")
TAXONOMY = (
    "{" + ", ".join(f"'{c}': 'census_taxonomy(''{c}'')'" for c in QI if c not in NUMBERS) + "}"
)  # fmt: skip
RELEASES = {
    "ldiverse hilbert, l = 5": f"ldiverse('people', {QI}, 'occupation', 5)",
    "ldiverse hilbert, l = 10": f"ldiverse('people', {QI}, 'occupation', 10)",
    "ldiverse hilbert, l = 5, taxonomies": f"ldiverse('people', {QI}, 'occupation', 5, taxonomy := {TAXONOMY})",
    "ldiverse hilbert, l = 5, typed": f"ldiverse('people', {QI}, 'occupation', 5, format := 'typed')",
    "kanonymous hilbert, k = 10": f"kanonymous('people', {QI}, 10)",
    "kanonymous hilbert, k = 50": f"kanonymous('people', {QI}, 50)",
    "kanonymous hilbert_fast, k = 10": f"kanonymous('people', {QI}, 10, algo := 'hilbert_fast')",
}
ONLY_SMALL = 1_000_000
"""Beyond this many rows, only the statements with a figure to reach."""


def main(path: str, rows: int) -> None:
    """Measure one size in a database file."""
    con = sqlanon.connect(path)
    con.execute(f"CREATE TABLE people AS FROM census({rows})")
    for release in RELEASES.values():  # warm: every kernel compiled, every module imported
        con.execute("CREATE OR REPLACE TEMP TABLE small AS FROM people LIMIT 2000")
        small = release.replace("'people'", "'small'")
        con.execute(f"FROM {small}").fetchall()
    sort, peak = measured(lambda: con.execute(f"CREATE TABLE sorted AS FROM people ORDER BY {', '.join(QI)}"))
    con.execute("DROP TABLE sorted")
    report(rows, "CREATE TABLE AS … ORDER BY qi", sort, sort, peak, None)
    for name, release in RELEASES.items():
        if rows > ONLY_SMALL and ("typed" in name or "taxonomies" in name or "l = 10" in name):
            continue
        seconds, peak = measured(lambda release=release: con.execute(f"CREATE TABLE release AS FROM {release}"))
        plain = "typed" not in name and "taxonomies" not in name
        report(rows, name, seconds, sort, peak, gcp(con) if plain else None)
        con.execute("DROP TABLE release")
    con.close()


def report(rows: int, name: str, seconds: float, sort: float, peak: float, loss: float | None) -> None:
    """Print one line."""
    cells = [rows, name, round(seconds, 2), round(seconds / sort, 2), round(rows / seconds), round(peak, 2), loss]
    print(json.dumps(cells), flush=True)


def measured(run: Callable[[], object]) -> tuple[float, float]:
    """Seconds, and the largest resident memory in GB while it ran."""
    peak, done = [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            peak[0] = max(peak[0], int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e9)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    started = time.perf_counter()
    run()
    seconds = time.perf_counter() - started
    done.set()
    watcher.join()
    return seconds, peak[0]


def gcp(con: duckdb.DuckDBPyConnection, qi: list[str] = QI) -> float:
    """The global certainty penalty of a release, without taxonomies."""
    [(found,)] = con.execute(f"SELECT gcp FROM info_loss('people', 'release', {qi})").fetchall()
    return round(float(found), 4)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
