"""All that is measured, in one run."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np

from benchmarks.timing import processor_time

from .data import Table, adult, wide_census
from .measures import (
    ADDING,
    BAYES,
    LIKELIHOOD,
    RATING,
    Distances,
    Measured,
    Release,
    Requirement,
    cross_tabulate,
    mean_distances,
    measure,
    publish,
)
from .rating import Floats

SEED = 1
PICTURED = ("occupation", "age")
SHOWN_L = 5
"""The l of the picture and of growing tables, as in the paper's Fig. 7."""
COMPARED_L = 3
"""The l at which numbers of attributes are compared: one that all of them are tried with."""


@dataclass(frozen=True)
class Extent:
    """How much is done: rows of the tables, and for each number of attributes the queries and the requirements."""

    adult_rows: int | None
    census_rows: int
    queries: Mapping[int, int]
    l_values: Mapping[int, Sequence[int]]
    t_values: Mapping[int, Sequence[float]]
    growth_rows: Sequence[int]
    timed_l: Sequence[int]
    timed_columns: int | None = None


@dataclass(frozen=True)
class Expectation:
    """The L2 distance that randomize_params expects for one attribute, and the measured one."""

    expected: float
    measured: float


@dataclass(frozen=True)
class TableResults:
    """The measurements on one table, by requirement and number of attributes."""

    title: str
    rows: int
    columns: int
    points: Mapping[tuple[Requirement, int], Sequence[Measured]]
    expectations: Sequence[Expectation]

    def requirements(self, model: str) -> list[Requirement]:
        """Those of one model, in order."""
        return sorted({each for each, _ in self.points if each.model == model}, key=lambda each: each.value)

    def mean(self, requirement: Requirement, attributes: int, method: str) -> Distances | None:
        """The mean distances over the queries; None where nothing was measured."""
        return mean_distances(self.points.get((requirement, attributes), ()), method)

    def seconds(self, requirement: Requirement, attributes: int, method: str) -> float | None:
        """The mean time of a reconstruction."""
        some = [each.seconds for each in self.points.get((requirement, attributes), ()) if each.method == method]
        return float(np.mean(some)) if some else None


@dataclass(frozen=True)
class Growth:
    """Distances by the number of rows: of one attribute, and of two."""

    rows: Sequence[int]
    measured: Mapping[int, Sequence[Sequence[Measured]]]

    def mean(self, attributes: int, method: str) -> list[Distances]:
        """By number of rows."""
        means = (mean_distances(each, method) for each in self.measured[attributes])
        return [mean for mean in means if mean is not None]


@dataclass(frozen=True)
class Anonymization:
    """Seconds to anonymize all columns, by l: with randomize, and with Rating."""

    rows: int
    columns: int
    randomize: Mapping[int, float]
    rating: Mapping[int, float]


@dataclass(frozen=True)
class Picture:
    """A cross tabulation, occupations by age, by method, the truth first."""

    ages: Sequence[int]
    occupations: Sequence[str]
    counts: Mapping[str, Floats]


@dataclass(frozen=True)
class Report:
    """All there is to write."""

    tables: Sequence[TableResults]
    growth: Growth
    anonymization: Anonymization
    picture: Picture
    note: str = ""


def run(con: duckdb.DuckDBPyConnection, extent: Extent, note: str = "") -> Report:
    """Run all experiments."""
    people, wide = adult(con, extent.adult_rows), wide_census(con, extent.census_rows)
    warm_up(con)
    return Report(
        tables=[table_results(people, extent), table_results(wide, extent)],
        growth=growth(con, wide, extent),
        anonymization=anonymization(wide, extent),
        picture=picture(people),
        note=note,
    )


def warm_up(con: duckdb.DuckDBPyConnection) -> None:
    """Compile every kernel on few rows."""
    few = wide_census(con, 300)
    columns = tuple(few.protectable[:2])
    for requirement in (Requirement("t", 0.3), Requirement("l", 3)):
        measure(publish(few, requirement, columns, SEED), columns, SEED)


def table_results(table: Table, extent: Extent) -> TableResults:
    """One table, requirement by requirement."""
    queries = {q: table.queries(q, count, SEED) for q, count in extent.queries.items()}
    wanted: dict[Requirement, list[int]] = {}
    for model, values in (("l", extent.l_values), ("t", extent.t_values)):
        for attributes, some in values.items():
            for value in some:
                wanted.setdefault(Requirement(model, value), []).append(attributes)
    points: dict[tuple[Requirement, int], Sequence[Measured]] = {}
    expectations: list[Expectation] = []
    for requirement, numbers in wanted.items():
        with processor_time() as whole:
            release = publish(table, requirement, {c for n in numbers for query in queries[n] for c in query}, SEED)
            for n in numbers:
                points[requirement, n] = measure_all(release, queries[n])
            expectations += compare_expected(release, points.get((requirement, 1), ()))
        print(f"{table.title}, {requirement}: {whole.seconds:.0f} s", file=sys.stderr, flush=True)
    return TableResults(table.title, table.rows, len(table.sizes), points, expectations)


def measure_all(release: Release, queries: Sequence[tuple[str, ...]]) -> list[Measured]:
    """Ask every method for these cross tabulations."""
    return [each for query in queries for each in measure(release, query, SEED)]


def compare_expected(release: Release, singles: Sequence[Measured]) -> list[Expectation]:
    """For each attribute that was reconstructed alone; not where lists are the values themselves."""
    expected = release.expected_l2()
    return [
        Expectation(expected[each.attributes[0]], each.distances[1])
        for each in singles
        if each.method == BAYES and expected.get(each.attributes[0], 0.0) > 0
    ]


def growth(con: duckdb.DuckDBPyConnection, wide: Table, extent: Extent) -> Growth:
    """The same cross tabulations of ever more rows, at one l."""
    queries = {q: wide.queries(q, extent.queries[q], SEED) for q in (1, 2)}
    measured: dict[int, list[Sequence[Measured]]] = {1: [], 2: []}
    for rows in extent.growth_rows:
        table = wide_census(con, rows)
        columns = {column for some in queries.values() for query in some for column in query}
        release = publish(table, Requirement("l", SHOWN_L), columns, SEED)
        for q, some in queries.items():
            measured[q].append(measure_all(release, some))
    return Growth(tuple(extent.growth_rows), measured)


def anonymization(wide: Table, extent: Extent) -> Anonymization:
    """All columns that can be protected (or some of them), at once."""
    columns = wide.protectable[: extent.timed_columns]
    releases = {l: publish(wide, Requirement("l", l), columns, SEED) for l in extent.timed_l}
    return Anonymization(
        wide.rows,
        len(columns),
        {l: release.seconds for l, release in releases.items()},
        {l: release.rating_seconds for l, release in releases.items()},
    )


def picture(people: Table) -> Picture:
    """Age and occupation, as they are and as they are reconstructed."""
    release = publish(people, Requirement("l", SHOWN_L), PICTURED, SEED)
    shape = tuple(people.sizes[column] for column in PICTURED)
    counts = {"original": people.distribution(PICTURED) * people.rows}
    counts |= {method: cross_tabulate(release, method, PICTURED) for method in (LIKELIHOOD, BAYES, ADDING, RATING)}
    return Picture(
        ages=[int(str(age)) for age in people.domains["age"]],
        occupations=[str(value) for value in people.domains["occupation"]],
        counts={name: values.reshape(shape) for name, values in counts.items()},
    )
