"""One size: what a release cost, against a plain GROUP BY of its quasi-identifiers, and estimates of its source.

An estimate's line is times the same query on the source. The measures that look at every value of the domain, and
frontier, run up to 200,000 rows, once each.
"""

from __future__ import annotations

import sys

import duckdb

from .case import ONLY_SMALL, TAXONOMY
from .queries import CENSUS_QI as QI
from .queries import connect_to_people, literal
from .timing import measure_run
from .verify import report, run_in_turns

RELEASES = {
    "text": "",
    "text, taxonomies": f", taxonomy := {TAXONOMY}",
    "typed": ", format := 'typed'",
}

QUERIES = (
    "SELECT count(*) FROM people WHERE age BETWEEN 30 AND 45",
    "SELECT count(*) FROM people WHERE age BETWEEN 30 AND 45 AND occupation = 'Cashier'",
    "SELECT count(*) FROM people WHERE age < 40 AND education > 5 AND gender = 'Female' AND occupation = 'Cashier'",
    "SELECT gender, count(*) FROM people WHERE age BETWEEN 30 AND 45 GROUP BY gender",
    "SELECT age, gender, count(*) FROM people GROUP BY age, gender",
)
THOROUGH = {
    "kl_divergence": "kl_divergence('people', 'release', {qi}, 'occupation')",
    "cube_kl, level 2": "cube_kl('people', 'release', {qi}, 'occupation', level := 2)",
    "1,000 count queries": "count_query_error('people', 'release', {qi}, 'occupation', dims := 3, queries := 1000)",
    "frontier, 12 settings": "frontier('people', {qi}, 'occupation')",
}
ONLY_SMALLER = 200_000
SHORT_RUNS = 25
"""Of statements that take milliseconds."""


def main(path: str, rows: int) -> None:
    """Measure one size in a database file; a JSON line per measurement."""
    con = connect_to_people(path, rows)
    for name, how in RELEASES.items():
        if rows > ONLY_SMALL and name != "text":
            continue
        con.execute(f"CREATE OR REPLACE TABLE release AS FROM ldiverse('people', {QI}, 'occupation', 5{how})")
        plain = f"SELECT count(*) FROM (SELECT {', '.join(QI)}, count(*) FROM release GROUP BY ALL)"
        taxonomy = TAXONOMY if "taxonomies" in name else "NULL"
        tables = f"'people', 'release', {QI}, taxonomy := {taxonomy}"
        evaluate = {
            "info_loss": f"FROM info_loss({tables})",
            "info_loss, sa": f"FROM info_loss({tables}, sa := 'occupation')",
            "attribute_loss": f"FROM attribute_loss({tables})",
        }
        (base, peak), *others = run_in_turns(con, plain, *evaluate.values())
        report(rows, f"GROUP BY qi of release ({name})", base, base, peak)
        for function, (seconds, peak) in zip(evaluate, others, strict=True):
            report(rows, f"{function} ({name})", seconds, base, peak)
        if name != "text, taxonomies":
            estimates(con, rows, name)
        if rows <= ONLY_SMALLER and name == "text":
            for function, call in THOROUGH.items():
                seconds, peak = measure_run(lambda call=call: con.execute(f"FROM {call.format(qi=QI)}").fetchall())
                report(rows, function, seconds, base, peak)
    con.close()


def estimates(con: duckdb.DuckDBPyConnection, rows: int, release: str) -> None:
    """Measure each query on the source and its estimate, and all of them together."""
    total, total_base = 0.0, 0.0
    for query in QUERIES:
        (base, _), (seconds, peak) = run_in_turns(
            con, query, f"FROM estimate('release', {literal(query)})", runs=SHORT_RUNS
        )
        report(rows, f"estimate ({release}): {query.partition(' FROM people ')[2]}", seconds, base, peak)
        total, total_base = total + seconds, total_base + base
    report(rows, f"estimate ({release}): these {len(QUERIES)} queries", total, total_base, None)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
