"""Algorithms that publish levels of taxonomies: incognito, tds and taudiverse, in one process.

python -m benchmarks.levels [ROWS]      ROWS of the census, 1,000,000 if none are given

Times are the best of some runs of CREATE TABLE AS, warm, planning and recoding included. Adult has the built-in
taxonomies; ages have bins.
"""

from __future__ import annotations

import sys

import duckdb

import sqlanon
from sqlanon.cli.output import print_table

from .queries import builtin_taxonomies, read_loss
from .timing import warm_seconds

ADULT_QI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"]
CENSUS_QI = ["age", "gender", "marital", "country"]


def main(rows: int) -> None:
    """Measure and print."""
    con = sqlanon.connect()
    con.execute("CREATE TABLE adult_45k AS FROM adult(complete := true)")
    con.execute("CREATE TABLE adult_30k AS FROM adult_45k LIMIT 30162")
    con.execute(f"CREATE TABLE people AS FROM census({rows})")
    lines = [*adult_lines(con), *census_lines(con, rows)]
    print_table(["rows", "release", "seconds", "x hilbert", "rows kept", "GCP", "information"], lines)
    con.close()


def adult_lines(con: duckdb.DuckDBPyConnection) -> list[list[object]]:
    """Eight quasi-identifiers of Adult."""
    levels, of_qi = taxonomies("adult", ADULT_QI)
    lines = []
    for suppress in (0, 0.05):
        options = f"algo := 'incognito', taxonomy := {of_qi}, options := {{'suppress': {suppress}}}"
        name = f"incognito, k = 5, suppress {suppress}"
        lines.append(
            line(con, "adult_30k", ADULT_QI, name, f"kanonymous('adult_30k', {ADULT_QI}, 5, {options})", of_qi)
        )
    for algo in ("incognito", "tds"):
        call = f"ldiverse('adult_30k', {ADULT_QI}, 'occupation', 3, algo := '{algo}', taxonomy := {of_qi})"
        lines.append(line(con, "adult_30k", ADULT_QI, f"{algo}, l = 3", call, of_qi))
    for tau, l in ((0.5, 2), (0.3, 5), (0.15, 8)):
        options = f"taxonomy := {levels}, options := {{'bins': 16}}"
        call = f"taudiverse('adult_45k', {ADULT_QI}, 'occupation', {tau}, {l}, {options})"
        lines.append(line(con, "adult_45k", ADULT_QI, f"taudiverse ({tau}, {l})", call, levels, sa="occupation"))
    return lines


def census_lines(con: duckdb.DuckDBPyConnection, rows: int) -> list[list[object]]:
    """Four quasi-identifiers of the census, and ldiverse with hilbert to compare with."""
    levels, of_qi = taxonomies("census", CENSUS_QI)
    call = f"ldiverse('people', {CENSUS_QI}, 'occupation', 5, taxonomy := {of_qi})"
    hilbert = line(con, "people", CENSUS_QI, "hilbert, l = 5", call, of_qi)
    lines = [hilbert]
    for tau, l in ((0.5, 2), (0.2, 6)):
        options = f"taxonomy := {levels}, options := {{'bins': 16}}"
        call = f"taudiverse('people', {CENSUS_QI}, 'occupation', {tau}, {l}, {options})"
        lines.append(line(con, "people", CENSUS_QI, f"taudiverse ({tau}, {l})", call, levels, sa="occupation"))
    call = f"kanonymous('people', {CENSUS_QI}, 10, algo := 'incognito', taxonomy := {of_qi})"
    lines.append(line(con, "people", CENSUS_QI, "incognito, k = 10", call, of_qi))
    for one in lines:
        one[3] = round(float(str(one[2])) / float(str(hilbert[2])), 2)
    return lines


def taxonomies(data: str, qi: list[str]) -> tuple[str, str]:
    """The built-in taxonomies of all columns but age, and those of the quasi-identifiers alone."""
    columns = [column for column in qi if column != "age"]
    return builtin_taxonomies(data, [*columns, "occupation"]), builtin_taxonomies(data, columns)


def line(
    con: duckdb.DuckDBPyConnection, table: str, qi: list[str], name: str, call: str, levels: str, sa: str | None = None
) -> list[object]:
    """Run a release some times, and measure it."""
    seconds = warm_seconds(con, call)
    columns = "source_rows, release_rows, round(gcp, 4), round(information, 4)"
    rows, kept, gcp, information = read_loss(con, columns, table, "release", qi, sa, levels)
    return [rows, name, round(seconds, 2), None, kept, gcp, information]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
