"""How far what each method reconstructs is from the truth, and how long that takes, in seconds of the processor."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .data import Table
from .rating import Rated, rate, reconstruct

Floats = npt.NDArray[np.float64]

BAYES, ADDING, RATING, RANDOM = METHODS = ("Bayes", "ValueAdding", "Rating", "Random")
SQL_NAMES = {BAYES: "bayes", ADDING: "value_adding"}
DISTANCES = ("L1", "L2", "Hellinger")

Distances = tuple[float, float, float]
"""L1, L2, Hellinger."""


@dataclass(frozen=True)
class Requirement:
    """One parameter for all attributes: l or t."""

    model: str
    value: float

    def of(self, size: int) -> float:
        """What a column with so many values gets. As in the paper, l is at most their number less one."""
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
        """What randomize_params expects for each column alone."""
        rows = self.table.con.execute(f"SELECT attribute, expected_l2 FROM {self.parameters}").fetchall()
        return {attribute: float(l2) for attribute, l2 in rows if l2 is not None}


def publish(table: Table, requirement: Requirement, columns: Iterable[str], seed: int) -> Release:
    """Randomize these columns; and rate them, which is for l only."""
    columns = sorted(set(columns))
    wanted = {column: requirement.of(table.sizes[column]) for column in columns}
    struct = "{" + ", ".join(f"'{column}': {value}" for column, value in wanted.items()) + "}"
    arguments = f"'{table.name}', {requirement.model} := {struct}"
    started = time.process_time()
    table.con.execute(f"CREATE OR REPLACE TABLE lists AS FROM randomize({arguments}, seed := {seed})")
    seconds = time.process_time() - started
    table.con.execute(f"CREATE OR REPLACE TABLE list_parameters AS FROM randomize_params({arguments})")
    rated, rating_seconds = {}, 0.0
    if requirement.model == "l":
        for column, l in wanted.items():
            codes = table.codes(column)
            started = time.process_time()
            rated[column] = rate(codes, table.sizes[column], int(l), seed)
            rating_seconds += time.process_time() - started
    return Release(table, requirement, rated, seconds, rating_seconds)


def measure(release: Release, attributes: tuple[str, ...], seed: int) -> list[Measured]:
    """Ask every method for one cross tabulation."""
    results = [timed(method, attributes, release) for method in SQL_NAMES]
    truth = release.table.distribution(attributes)
    if release.rated:
        started = time.process_time()
        estimate = reconstruct([release.rated[attribute] for attribute in attributes])
        seconds = time.process_time() - started
        results.append(Measured(RATING, attributes, distances(truth, estimate), seconds))
    guess = np.random.default_rng(seed).random(truth.size)
    return [*results, Measured(RANDOM, attributes, distances(truth, guess), 0.0)]


def timed(method: str, attributes: tuple[str, ...], release: Release) -> Measured:
    """What a method of `reconstruct` is worth."""
    started = time.process_time()
    [row] = release.table.con.execute(
        f"FROM distribution_distance('{release.table.name}', '{release.lists}', '{release.parameters}', "
        f"{list(attributes)}, method := '{SQL_NAMES[method]}')"
    ).fetchall()
    return Measured(method, attributes, (float(row[0]), float(row[1]), float(row[2])), time.process_time() - started)


def distances(truth: Floats, estimate: Floats) -> Distances:
    """Of two distributions, as distribution_distance has them. They are scaled to a sum of 1."""
    p, q = truth / truth.sum(), estimate / estimate.sum()
    l2 = float(np.sqrt(((p - q) ** 2).sum()))
    return float(np.abs(p - q).sum()), l2, float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2))


def reconstructed(release: Release, method: str, attributes: Sequence[str]) -> Floats:
    """A cross tabulation itself, in counts, the last attribute running fastest."""
    if method == RATING:
        return reconstruct([release.rated[attribute] for attribute in attributes])
    order = ", ".join(f'"{attribute}"' for attribute in attributes)
    counts = release.table.con.execute(
        f"""SELECT "count" FROM reconstruct('{release.lists}', '{release.parameters}', {list(attributes)},
            method := '{SQL_NAMES[method]}') ORDER BY {order}"""
    ).fetchnumpy()["count"]
    return np.asarray(counts, np.float64)
