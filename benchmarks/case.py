"""One size: the sort, then each release; a JSON line per measurement."""

from __future__ import annotations

import sys

from .queries import CENSUS_QI as QI
from .queries import builtin_taxonomies, connect_to_people, read_loss
from .timing import measure_run, print_line

NUMBERS = ("age", "education")
TAXONOMY = builtin_taxonomies("census", (column for column in QI if column not in NUMBERS))
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
    con = connect_to_people(path, rows)
    for release in RELEASES.values():  # warm: every kernel compiled, every module imported
        con.execute("CREATE OR REPLACE TEMP TABLE small AS FROM people LIMIT 2000")
        small = release.replace("'people'", "'small'")
        con.execute(f"FROM {small}").fetchall()
    sort, peak = measure_run(lambda: con.execute(f"CREATE TABLE sorted AS FROM people ORDER BY {', '.join(QI)}"))
    con.execute("DROP TABLE sorted")
    report(rows, "CREATE TABLE AS … ORDER BY qi", sort, sort, peak, None)
    for name, release in RELEASES.items():
        if rows > ONLY_SMALL and ("typed" in name or "taxonomies" in name or "l = 10" in name):
            continue
        seconds, peak = measure_run(lambda release=release: con.execute(f"CREATE TABLE release AS FROM {release}"))
        plain = "typed" not in name and "taxonomies" not in name
        report(
            rows,
            name,
            seconds,
            sort,
            peak,
            read_loss(con, "round(gcp, 4)", "people", "release", QI)[0] if plain else None,
        )
        con.execute("DROP TABLE release")
    con.close()


def report(rows: int, name: str, seconds: float, sort: float, peak: float, loss: float | None) -> None:
    """Print one line."""
    print_line(rows, name, round(seconds, 2), round(seconds / sort, 2), round(rows / seconds), round(peak, 2), loss)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
