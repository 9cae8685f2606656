"""Run the experiments of Tian and Zhang (2011), section 5, and write docs/sweep.md with its pictures.

python -m benchmarks.sweep              some ten minutes
python -m benchmarks.sweep --quick      about a minute: few rows, few settings; into a new folder, which it names
python -m benchmarks.sweep --to folder  elsewhere
"""

from __future__ import annotations

import itertools
import logging
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

import duckdb

import sqlanon
from benchmarks.paper import read_options
from benchmarks.timing import Stopwatch

from .data import Experiment, Setting, Skewed, adult, count_values, eligible_ranges, nursery, skewed_tables
from .measures import Effort
from .methods import METHODS, Laboratory
from .page import Report, SkewedRelease, write
from .results import Results, run


@dataclass(frozen=True)
class Extent:
    """How much is done: rows of each table (None: all), requirements, values of c, and what is measured."""

    rows: int | None
    settings: int | None
    c_values: tuple[float, ...]
    effort: Effort


FULL = Extent(None, None, (0.35, 0.5, 0.7, 1, 2, 3, 5, 10, 100, 10_000), Effort(folds=2, queries=200))
QUICK = Extent(2_000, 2, (10_000,), Effort(folds=2, queries=20))


def main(arguments: list[str]) -> None:
    """Run everything and write the page."""
    quick, folder = read_options("sweep", arguments)
    print(write(run_experiments(QUICK if quick else FULL), folder))


def run_experiments(extent: Extent) -> Report:
    """Run all experiments."""
    logging.getLogger("sqlanon").setLevel(logging.ERROR)  # row numbers are kept, to match rows
    con = sqlanon.connect()
    tables = [adult(con, extent.rows), nursery(con, extent.rows)]
    results = [run_experiment(con, each, extent) for each in tables if each is not None]
    size = "" if extent.rows is None else f"**A quick run, of at most {extent.rows:,} rows of each table.**\n\n"
    size += "; ".join(f"{each.experiment.name}: {each.rows:,} rows" for each in results) + "."
    return Report(results, list(skewed_releases(con, extent)), list(eligible_ranges(con)), size)


def run_experiment(con: duckdb.DuckDBPyConnection, experiment: Experiment, extent: Extent) -> Results:
    """Warm up, then run one experiment. Rules cover as large a share of fewer rows."""
    if extent.rows is not None:
        rules = replace(experiment.rules, cover=max(5, experiment.rules.cover // 10))
        values = count_values(con, experiment.table, experiment.sa)
        possible = tuple(setting for setting in experiment.settings if setting[1] <= values)
        experiment = replace(experiment, settings=select_settings(possible, extent.settings), rules=rules)
        experiment = replace(experiment, shown=experiment.settings[len(experiment.settings) // 2])
    kept = tuple(dict.fromkeys(("id", *({experiment.rules.target} - {experiment.sa}))))
    lab = Laboratory(con, experiment, extent.c_values, kept)
    warm_up(lab)
    with Stopwatch() as whole:
        results = run(lab, extent.effort)
    print(f"{experiment.name}: {whole.seconds:.0f} s", file=sys.stderr)
    return results


def select_settings(settings: tuple[Setting, ...], most: int | None) -> tuple[Setting, ...]:
    """Some of the requirements, the first and the last among them."""
    if most is None or len(settings) <= most:
        return settings
    return tuple(settings[i * (len(settings) - 1) // (most - 1)] for i in range(most))


def warm_up(lab: Laboratory) -> None:
    """Compile every kernel on some rows."""
    small = replace(lab.experiment, table="few")
    lab.con.execute(f"CREATE OR REPLACE TABLE few AS FROM {lab.experiment.table} ORDER BY hash(id) LIMIT 1000")
    warm = Laboratory(lab.con, small, (10_000,), lab.kept_columns)
    for method in METHODS:
        for label, call in itertools.islice(warm.calls(method, lab.experiment.settings[0]), 1):
            if (release := warm.publish(method, label, call)) is not None:
                lab.con.execute(f"DROP TABLE {release.table}")


def skewed_releases(con: duckdb.DuckDBPyConnection, extent: Extent) -> Iterator[SkewedRelease]:
    """The releases of SWEEP for tables with max l = 1, for (0.5, 2) and, with three values or more, (0.4, 3)."""
    for each in skewed_tables(con, extent.rows):
        for setting in ((0.5, 2), (0.4, 3))[: min(each.values, 3) - 1]:
            yield skewed_release(con, each, setting)


def skewed_release(con: duckdb.DuckDBPyConnection, each: Skewed, setting: Setting) -> SkewedRelease:
    """One release, and what it keeps."""
    tau, l = setting
    arguments = f"'{each.table}', {list(each.qi)}, '{each.sa}', {tau}, {l}, taxonomy := {each.sql_taxonomy}, {BINNED}"
    with Stopwatch() as publishing:
        con.execute(f"CREATE OR REPLACE TABLE skewed_release AS FROM taudiverse({arguments})")
    information, rows = each.read_loss(con, "skewed_release", "information, source_rows")
    value = f'CAST("{each.sa}" AS VARCHAR)'
    [(exact,)] = con.execute(
        f"SELECT avg(CAST({value} IN (SELECT {value} FROM {each.table}) AS INTEGER)) FROM skewed_release"
    ).fetchall()
    columns = len(each.qi)
    return SkewedRelease(each.name, int(rows), columns, each.values, setting, information, exact, publishing.seconds)


BINNED = "options := {'bins': 4}"
"""Numbers have 8 values at most: two neighbours, four, all."""


if __name__ == "__main__":
    main(sys.argv[1:])
