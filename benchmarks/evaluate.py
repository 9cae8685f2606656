"""One size: what a release cost, against a plain GROUP BY of its quasi-identifiers."""

from __future__ import annotations

import sys

import sqlanon

from .case import ONLY_SMALL, QI, TAXONOMY
from .verify import fastest, report

RELEASES = {
    "text": "",
    "text, taxonomies": f", taxonomy := {TAXONOMY}",
    "typed": ", format := 'typed'",
}


def main(path: str, rows: int) -> None:
    """Measure one size in a database file; a JSON line per measurement."""
    con = sqlanon.connect(path)
    con.execute(f"CREATE TABLE people AS FROM census({rows})")
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
        (base, peak), *others = fastest(con, plain, *evaluate.values())
        report(rows, f"GROUP BY qi of release ({name})", base, base, peak)
        for function, (seconds, peak) in zip(evaluate, others, strict=True):
            report(rows, f"{function} ({name})", seconds, base, peak)
    con.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
