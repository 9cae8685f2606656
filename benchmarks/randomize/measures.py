"""How far what each method reconstructs is from the truth, and how long that takes, in seconds of the processor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.queries import struct
from benchmarks.timing import processor_time

from .data import Table
from .rating import Floats, Rated, rate, reconstruct

LIKELIHOOD, BAYES, ADDING, RATING, RANDOM = METHODS = ("Likelihood", "Bayes", "ValueAdding", "Rating", "Random")
SQL_NAMES = {LIKELIHOOD: "likelihood", BAYES: "bayes", ADDING: "value_adding"}
DISTANCES = ("L1", "L2", "Hellinger")

Distances = tuple[float, float, float]
"""L1, L2, Hellinger."""


@dataclass(frozen=True)
class Requirement:
    """One parameter for all attributes: l or t."""

    model: str
    value: float

    def of(self, size: int) -> float:
        """The parameter of a column with so many values. As in the paper, l is at most their number less one."""
        return min(int(self.value), size - 1) if self.model == "l" else self.value

    def __str__(self) -> str:
        """As the page writes it."""
        return f"{self.model} = {self.value:g}"


@dataclass(frozen=True)
class Measured:
    """A method, asked for one cross tabulation."""

    method: str
    attributes: tuple[str, ...]
    distances: Distances
    seconds: float


@dataclass(frozen=True)
class Release:
    """A randomized release and its parameters, as tables, and the IDs of Rating; how long making them took."""

    table: Table
    requirement: Requirement
    rated: Mapping[str, Rated]
    seconds: float
    rating_seconds: float
    lists: str = "lists"
    parameters: str = "list_parameters"

    def expected_l2(self) -> dict[str, float]:
        """The L2 distance that randomize_params expects for each column alone."""
        rows = self.table.con.execute(f"SELECT attribute, expected_l2 FROM {self.parameters}").fetchall()
        return {attribute: float(l2) for attribute, l2 in rows if l2 is not None}


def publish(table: Table, requirement: Requirement, columns: Iterable[str], seed: int) -> Release:
    """Randomize these columns; and rate them, which is for l only."""
    columns = sorted(set(columns))
    wanted = {column: requirement.of(table.sizes[column]) for column in columns}
    arguments = f"'{table.name}', {requirement.model} := {struct(wanted)}"
    with processor_time() as randomizing:
        table.con.execute(f"CREATE OR REPLACE TABLE lists AS FROM randomize({arguments}, seed := {seed})")
    table.con.execute(f"CREATE OR REPLACE TABLE list_parameters AS FROM randomize_params({arguments})")
    rated, rating_seconds = {}, 0.0
    if requirement.model == "l":
        for column, l in wanted.items():
            codes = table.codes(column)
            with processor_time() as rating:
                rated[column] = rate(codes, table.sizes[column], int(l), seed)
            rating_seconds += rating.seconds
    return Release(table, requirement, rated, randomizing.seconds, rating_seconds)


def measure(release: Release, attributes: tuple[str, ...], seed: int) -> list[Measured]:
    """Ask every method for one cross tabulation."""
    truth = release.table.distribution(attributes)
    results = [measure_reconstruct(method, attributes, release) for method in SQL_NAMES]
    if release.rated:
        with processor_time() as reconstruction:
            estimate = reconstruct([release.rated[attribute] for attribute in attributes])
        results.append(Measured(RATING, attributes, distances(truth, estimate), reconstruction.seconds))
    guess = np.random.default_rng(seed).random(truth.size)
    return [*results, Measured(RANDOM, attributes, distances(truth, guess), 0.0)]


def measure_reconstruct(method: str, attributes: tuple[str, ...], release: Release) -> Measured:
    """Ask a method of `reconstruct`."""
    with processor_time() as reconstruction:
        [(l1, l2, hellinger, *_)] = release.table.con.execute(
            f"FROM distribution_distance('{release.table.name}', '{release.lists}', '{release.parameters}', "
            f"{list(attributes)}, method := '{SQL_NAMES[method]}')"
        ).fetchall()
    return Measured(method, attributes, (float(l1), float(l2), float(hellinger)), reconstruction.seconds)


def mean_distances(measured: Iterable[Measured], method: str) -> Distances | None:
    """The mean distances of a method; None where it was not measured."""
    some = [each.distances for each in measured if each.method == method]
    if not some:
        return None
    l1, l2, hellinger = np.mean(some, axis=0)
    return float(l1), float(l2), float(hellinger)


def distances(truth: Floats, estimate: Floats) -> Distances:
    """Of two distributions, as distribution_distance has them. They are scaled to a sum of 1."""
    p, q = truth / truth.sum(), estimate / estimate.sum()
    l2 = float(np.sqrt(((p - q) ** 2).sum()))
    return float(np.abs(p - q).sum()), l2, float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2))


def cross_tabulate(release: Release, method: str, attributes: Sequence[str]) -> Floats:
    """A cross tabulation itself, in counts, the last attribute running fastest."""
    if method == RATING:
        return reconstruct([release.rated[attribute] for attribute in attributes])
    order = ", ".join(f'"{attribute}"' for attribute in attributes)
    counts = release.table.con.execute(
        f"""SELECT "count" FROM reconstruct('{release.lists}', '{release.parameters}', {list(attributes)},
            method := '{SQL_NAMES[method]}') ORDER BY {order}"""
    ).fetchnumpy()["count"]
    return np.asarray(counts, np.float64)
