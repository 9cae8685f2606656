"""Functions whose work grows with classes, not rows: tau_privacy with stars in all of them, compare_releases.

Run as `python -m benchmarks.classes`: a JSON line per measurement: its name, CPU seconds, and the peak of memory in GB.
"""

from __future__ import annotations

import duckdb

import sqlanon

from .timing import measure_run, print_line, processor_time

CLASSES, VALUES = 5_000, 20_000
"""Classes with stars, and values that each star stands for."""

PEOPLE = 120_000
"""So many make some 20,000 classes of five values each by these columns:"""

QI = ["age", "gender", "education", "salary"]


def main() -> None:
    """Measure both, on a database in memory."""
    con = sqlanon.connect()
    measure_tau(con)
    measure_comparison(con)
    con.close()


def measure_tau(con: duckdb.DuckDBPyConnection) -> None:
    """A quarter of the rows of every class are stars."""
    con.execute(
        f"""
        CREATE TABLE starred AS
        SELECT
            i % {CLASSES} AS q,
            CASE WHEN i // {CLASSES} % 4 = 0 THEN '*' ELSE 'v' || hash(i) % {VALUES} END AS s
        FROM range({20 * CLASSES}) AS numbers(i)
        """
    )
    arguments = "'starred', ['q'], 's'"
    report(con, "tau_privacy", f"FROM tau_privacy({arguments}, 5)")
    report(con, "violations, tau", f"FROM violations({arguments}, tau := 0.5, l := 5)")
    report(con, "excessive_protection", f"FROM excessive_protection({arguments}, 0.5, 5)")


def measure_comparison(con: duckdb.DuckDBPyConnection) -> None:
    """Two releases of people of whom a tenth have gone in between."""
    con.execute(f"CREATE TABLE people AS SELECT row_number() OVER () AS id, * FROM census({PEOPLE}, seed := 3)")
    for name, rows in (("one", "people"), ("two", "(FROM people WHERE id % 10 > 0)")):
        con.execute(f"CREATE TABLE {name} AS FROM ldiverse('{rows}', {QI}, 'occupation', 5)")
    report(con, "compare_releases", f"FROM compare_releases('one', 'two', {QI}, 'occupation')")


def report(con: duckdb.DuckDBPyConnection, name: str, statement: str) -> None:
    """Print one line: the second run counts, as the first compiles."""
    con.execute(statement).fetchall()
    with processor_time() as run:
        _, peak = measure_run(lambda: con.execute(statement).fetchall())
    print_line(name, round(run.seconds, 2), round(peak, 2))


if __name__ == "__main__":
    main()
