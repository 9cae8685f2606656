"""The loss of algorithms and efforts, in the setting of ARX: Adult, eight quasi-identifiers, its hierarchies.

python -m benchmarks.loss                     all algorithms; refined with its default effort
python -m benchmarks.loss --efforts 1 4 10    refined with these efforts, too: 10 takes one to two minutes a line

GCP is that of info_loss on the release. Seconds are of the processor, for the whole statement, warm. The hierarchies of
ARX are no part of the project: they are looked for in shared/data beside it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb

import sqlanon
from sqlanon.cli.output import print_table

from .queries import read_loss, struct
from .sweep.data import HIERARCHIES
from .timing import processor_time

QI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class")
NUMBER = "age"
"""The column that has no hierarchy here: its loss is the width of a range."""
K, L = (5, 10, 50), (2, 3, 5, 7)
KANONYMOUS = ("hilbert", "mondrian", "topdown", "refined")
LDIVERSE = ("hilbert", "mondrian", "bsgi", "refined")
COLUMNS = ("promise", "algo", "effort", "GCP", "CPU seconds")


class Case(NamedTuple):
    """What to publish: the function, with k, or with the sensitive attribute and l; how."""

    function: str
    privacy: str
    algo: str
    effort: int | None


def main(efforts: Sequence[int], hierarchies: Path) -> None:
    """Measure and print."""
    taxonomy = struct({column: str(hierarchies / f"{column}.csv") for column in QI if column != NUMBER})
    con = sqlanon.connect()
    con.execute("SET enable_progress_bar = false")
    con.execute("CREATE TABLE numbered AS SELECT row_number() OVER () AS row, * FROM adult()")
    con.execute("""
        CREATE TABLE adult AS SELECT * EXCLUDE (row) FROM numbered
        WHERE row <= 32561 AND NOT (workclass IS NULL OR occupation IS NULL OR "native-country" IS NULL)
    """)
    con.execute("CREATE TABLE few AS FROM adult LIMIT 500")
    for algo in KANONYMOUS:
        con.execute(publish("few", Case("kanonymous", "2", algo, None), taxonomy))
    for algo in LDIVERSE:
        con.execute(publish("few", Case("ldiverse", "'occupation', 2", algo, None), taxonomy))
    print_table(COLUMNS, [measure(con, case, taxonomy) for case in each_case(efforts)])


def each_case(efforts: Sequence[int]) -> Iterator[Case]:
    """Yield all algorithms with each k and l, then refined with each effort."""
    privacy = [("kanonymous", str(k), KANONYMOUS) for k in K]
    privacy += [("ldiverse", f"'occupation', {l}", LDIVERSE) for l in L]
    for function, arguments, algos in privacy:
        yield from (Case(function, arguments, algo, None) for algo in algos)
        yield from (Case(function, arguments, "refined", effort) for effort in efforts)


def publish(table: str, case: Case, taxonomy: str) -> str:
    """Return the statement."""
    options = "NULL" if case.effort is None else struct({"effort": case.effort})
    how = f"algo := '{case.algo}', taxonomy := {taxonomy}, seed := 0, options := {options}"
    return f"CREATE OR REPLACE TABLE release AS FROM {case.function}('{table}', {list(QI)}, {case.privacy}, {how})"


def measure(con: duckdb.DuckDBPyConnection, case: Case, taxonomy: str) -> list[object]:
    """Return a line of the table."""
    with processor_time() as run:
        con.execute(publish("adult", case, taxonomy))
    [gcp] = read_loss(con, "gcp", "adult", "release", QI, taxonomy=taxonomy)
    promise = f"{'k' if case.function == 'kanonymous' else 'l'} = {case.privacy.split()[-1]}"
    return [promise, case.algo, case.effort, round(gcp, 4), round(run.seconds, 1)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.loss")
    parser.add_argument("--efforts", type=int, nargs="*", default=())
    parser.add_argument("--hierarchies", type=Path, default=HIERARCHIES)
    options = parser.parse_args()
    main(options.efforts, options.hierarchies)
