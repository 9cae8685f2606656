"""The algorithms side by side: writes docs/comparison.md, from the words of comparison_page.md and what it measures.

python -m benchmarks.comparison          some minutes

Loss is measured by info_loss on the release, never by an algorithm itself. So that all are measured alike, gcp is that
of the groups published with recode := 'generalize', stars are those with recode := 'suppress'; seconds are of the
latter, warm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

import sqlanon

from .pages import table, write_page
from .queries import CENSUS_QI, builtin_taxonomies, read_loss
from .timing import Stopwatch

WORDS = Path(__file__).with_name("comparison_page.md")
PAGE = Path(__file__).parents[1] / "docs" / "comparison.md"
LDIVERSE = ("hilbert", "idistance", "bsgi", "mondrian", "tp_plus", "tp", "anatomy")
OF_LEVELS = ("hilbert", "mondrian", "incognito", "tds")
KANONYMOUS = ("hilbert", "hilbert_fast", "idistance", "idistance_fast", "mondrian", "topdown")
PAPER_SIZES = {
    "bsgi": (2.00, 3.00, 4.00, 5.00, 6.00, 7.00),
    "mondrian": (2.47, 4.32, 6.71, 9.81, 13.79, 18.73),
}
"""Average class sizes for l = 2 … 7 that seed paper 000, table 5, gives for its own runs on Adult."""


@dataclass(frozen=True)
class Data:
    """A table, its quasi-identifiers, its sensitive attribute, and taxonomies, as SQL."""

    table: str
    qi: tuple[str, ...]
    sa: str
    taxonomy: str = "NULL"


CENSUS = Data(
    "census",
    tuple(CENSUS_QI),
    "occupation",
)
ADULT = Data(
    "adult",
    ("age", "fnlwgt", "education-num", "hours-per-week", "marital-status", "race", "sex"),
    "occupation",
)
CENSUS_LEVELS = replace(
    CENSUS,
    taxonomy=builtin_taxonomies("census", ("gender", "marital", "race", "workclass", "country")),
)
ADULT_LEVELS = Data(
    "adult",
    ("age", "education", "marital-status", "race", "sex", "workclass", "native-country"),
    "occupation",
    builtin_taxonomies("adult", ("education", "marital-status", "race", "sex", "workclass", "native-country")),
)
PAIRS = Data(
    "pairs",
    ADULT.qi,
    "salary-class",
)


@dataclass(frozen=True)
class Measured:
    """The figures of info_loss for a release, and the seconds that it took."""

    gcp: float
    dm: int
    avg_class_size: float
    stars: int
    seconds: float


def main() -> None:
    """Measure everything and write the page."""
    con = sqlanon.connect()
    con.execute("CREATE TABLE census AS FROM census(30000)")
    # the training half of Adult, rows without a gap, is what the literature means by its 30,162 people
    con.execute("CREATE TABLE numbered AS SELECT row_number() OVER () AS row, * FROM adult()")
    con.execute("""
        CREATE TABLE adult AS SELECT * EXCLUDE (row) FROM numbered
        WHERE row <= 32561 AND NOT (workclass IS NULL OR occupation IS NULL OR "native-country" IS NULL)
    """)
    con.execute("""
        CREATE TABLE pairs AS FROM adult
        QUALIFY row_number() OVER (PARTITION BY "salary-class" ORDER BY fnlwgt, age, "hours-per-week") <= 2000
    """)
    parts: dict[str, Iterable[str]] = {}
    for data in (CENSUS, ADULT):
        figures = {(algo, l): measure(con, data, "ldiverse", algo, l) for algo in LDIVERSE for l in range(2, 8)}
        parts[f"{data.table} l"] = tables(figures, range(2, 8), "l", LDIVERSE)
        if data is ADULT:
            parts["paper"] = [beside_the_paper(figures)]
        figures = {(algo, k): measure(con, data, "kanonymous", algo, k) for algo in KANONYMOUS for k in (5, 10, 50)}
        parts[f"{data.table} k"] = tables(figures, (5, 10, 50), "k", KANONYMOUS)
    figures = {(algo, 2): measure(con, PAIRS, "ldiverse", algo, 2) for algo in ("matching", *LDIVERSE)}
    parts["pairs"] = tables(figures, (2,), "l", ("matching", *LDIVERSE))
    parts |= level_tables(con)
    write_page(PAGE, WORDS, {name: "\n\n".join(each) for name, each in parts.items()})
    con.close()


def level_tables(con: duckdb.DuckDBPyConnection) -> dict[str, Iterable[str]]:
    """Algorithms with one level for each column, beside two without, all with the same taxonomies."""
    parts: dict[str, Iterable[str]] = {}
    for data in (CENSUS_LEVELS, ADULT_LEVELS):
        measured = {(algo, l): measure(con, data, "ldiverse", algo, l) for algo in OF_LEVELS for l in range(2, 8)}
        rows = [[f"`{algo}`", *(f"{measured[algo, l].gcp:.3f}" for l in range(2, 8))] for algo in OF_LEVELS]
        parts[f"{data.table} levels"] = [table(["GCP", *(f"l = {l}" for l in range(2, 8))], rows)]
    return parts


def measure(con: duckdb.DuckDBPyConnection, data: Data, function: str, algo: str, strength: int) -> Measured:
    """Publish with both recodes and ask info_loss."""
    qi = list(data.qi)
    sa = f"'{data.sa}', " if function == "ldiverse" else ""
    call = f"FROM {function}('{data.table}', {qi}, {sa}{strength}, algo := '{algo}', seed := 0, "
    call += f"taxonomy := {data.taxonomy}, recode := "
    con.execute(f"CREATE OR REPLACE TABLE generalized AS {call}'generalize')")
    with Stopwatch() as run:
        con.execute(f"CREATE OR REPLACE TABLE suppressed AS {call}'suppress')")
    gcp, dm, size = read_loss(con, "gcp, dm, avg_class_size", data.table, "generalized", qi, taxonomy=data.taxonomy)
    [stars] = read_loss(con, "stars", data.table, "suppressed", qi, taxonomy=data.taxonomy)
    print(f"{data.table} {algo} {strength}: gcp {gcp:.4f}, {run.seconds:.2f} s", flush=True)
    return Measured(gcp, int(dm), size, int(stars), run.seconds)


MEASURES: dict[str, Callable[[Measured], str]] = {
    "GCP": lambda one: f"{one.gcp:.3f}",
    "Average class size": lambda one: f"{one.avg_class_size:.2f}",
    "Discernibility (DM)": lambda one: f"{one.dm:,}",
    "Stars": lambda one: f"{one.stars:,}",
    "Seconds": lambda one: f"{one.seconds:.2f}",
}
Figures = dict[tuple[str, int], Measured]


def tables(figures: Figures, settings: Sequence[int], letter: str, algos: Sequence[str]) -> Iterable[str]:
    """One table per measure, algorithms down, settings across; for one setting, measures across."""
    if len(settings) == 1:
        rows = [[f"`{algo}`", *(write(figures[algo, settings[0]]) for write in MEASURES.values())] for algo in algos]
        yield table(["", *MEASURES], rows)
        return
    for name, write in MEASURES.items():
        rows = [[f"`{algo}`", *(write(figures[algo, setting]) for setting in settings)] for algo in algos]
        yield table([name, *(f"{letter} = {setting}" for setting in settings)], rows)


def beside_the_paper(figures: Figures) -> str:
    """Average class sizes and the ratio of losses, the paper's and ours."""
    rows = []
    for algo, published in PAPER_SIZES.items():
        rows.append([f"`{algo}`, paper", *(f"{size:.2f}" for size in published)])
        rows.append([f"`{algo}`, ours", *(f"{figures[algo, l].avg_class_size:.2f}" for l in range(2, 8))])
    ratio = [f"{figures['bsgi', l].gcp / figures['mondrian', l].gcp:.2f}" for l in range(2, 8)]
    rows.append(["loss of `bsgi` / `mondrian`, paper", "", "", "", "", "", "0.70"])
    rows.append(["loss of `bsgi` / `mondrian`, ours", *ratio])
    return table(["", *(f"l = {l}" for l in range(2, 8))], rows)


if __name__ == "__main__":
    main()
