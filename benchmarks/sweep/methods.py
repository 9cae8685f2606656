"""SWEEP, CLD and 1DLD: their releases, and the search for the one that protects a requirement least excessively."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import duckdb

import sqlanon
from benchmarks.queries import struct
from benchmarks.timing import Stopwatch

from .data import Experiment, Setting, eligible_range

SWEEP, ONE_D, CLD = METHODS = ("SWEEP", "1DLD", "CLD")
ROUNDING = 1e-9


@dataclass(frozen=True)
class Release:
    """A release in a table; `fingerprint` is the same for all that publish the same."""

    method: str
    label: str
    table: str
    seconds: float
    fingerprint: int


@dataclass(frozen=True)
class Choice:
    """The least excessive release of a method for a requirement, if it has one, and the time of the search."""

    release: Release | None
    excess: float | None
    tried: int
    search_seconds: float


@dataclass
class Laboratory:
    """One experiment on one connection. Releases, and what is said about them, are kept."""

    con: duckdb.DuckDBPyConnection
    experiment: Experiment
    c_values: Sequence[float]
    kept_columns: tuple[str, ...] = ("id",)
    releases: dict[str, Release | None] = field(default_factory=dict)
    excesses: dict[tuple[int, Setting], float | None] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    counter: Iterator[int] = field(default_factory=itertools.count)

    def choices(self, setting: Setting) -> dict[str, Choice]:
        """The least excessive release of each method."""
        return {method: self.choose(method, setting) for method in METHODS}

    def choose(self, method: str, setting: Setting) -> Choice:
        """Try every setting of a method; time is counted as in the paper: 1DLD stops at the first l that holds."""
        best: tuple[float, Release] | None = None
        tried, seconds, stopped = 0, 0.0, False
        for label, call in self.calls(method, setting):
            release = self.publish(method, label, call)
            if not stopped:
                tried, seconds = tried + 1, seconds + self.seconds[label]
            excess = None if release is None else self.excess(release, setting)
            if release is not None and excess is not None:
                stopped = stopped or method == ONE_D
                if best is None or excess < best[0] - ROUNDING:
                    best = excess, release
        return Choice(best and best[1], best and best[0], tried, seconds)

    def calls(self, method: str, setting: Setting) -> Iterator[tuple[str, str]]:
        """The calls of a method to try for a requirement, each with its label."""
        experiment = self.experiment
        values, max_l = eligible_range(self.con, experiment.table, experiment.sa)
        table = f"'{experiment.table}', {list(experiment.qi)}, '{experiment.sa}'"
        kept = f"keep := {list(self.kept_columns)}"
        public = f"taxonomy := {struct(experiment.public_taxonomy)}"
        if method == SWEEP:
            tau, l = setting
            everything = f"taxonomy := {experiment.sql_taxonomy}"
            yield f"τ = {tau:g}, ℓ = {l}", f"taudiverse({table}, {tau}, {l}, {everything}, {kept})"
        elif method == ONE_D:
            for l in range(2, max_l + 1):
                yield f"ℓ = {l}", f"ldiverse({table}, {l}, {public}, {kept})"
        else:
            for l in range(2, values + 1):
                for c in self.eligible_c(l):
                    more = f"algo := 'incognito', options := {{'c': {c}}}"
                    yield f"c = {c:g}, ℓ = {l}", f"ldiverse({table}, {l}, {more}, {public}, {kept})"

    def eligible_c(self, l: int) -> list[float]:
        """The values of c that the table allows; first one that it only just allows, the strongest there is."""
        arguments = {"table": self.experiment.table, "sa": self.experiment.sa, "l": l}
        [(infimum,)] = self.con.execute("SELECT c FROM eligible_c($table, $sa, $l)", arguments).fetchall()
        if infimum is None:
            return []
        strongest = float(f"{infimum * 1.01:.3g}") + 0.001
        return [strongest, *(c for c in self.c_values if c > strongest)]

    def publish(self, method: str, label: str, call: str) -> Release | None:
        """Run a release once; None where the table is not eligible."""
        if label not in self.releases:
            self.releases[label] = self.run(method, label, call)
        return self.releases[label]

    def run(self, method: str, label: str, call: str) -> Release | None:
        """Make a release, and note its time; None where the table is not eligible."""
        table = f"{self.experiment.table}_{next(self.counter)}"
        refused = None
        with Stopwatch() as publishing:
            try:
                self.con.execute(f"CREATE TABLE {table} AS FROM {call}")
            except duckdb.Error as error:
                refused = sqlanon.errors.from_duckdb(error)
                if refused is None or refused.code != "SA201":
                    raise
        self.seconds[label] = publishing.seconds
        return None if refused else Release(method, label, table, publishing.seconds, self.fingerprint(table))

    def fingerprint(self, table: str) -> int:
        """A number that depends on what every row publishes."""
        columns = ", ".join(f'"{column}"' for column in (*self.experiment.qi, self.experiment.sa, "id"))
        [(number,)] = self.con.execute(f"SELECT bit_xor(hash({columns})) FROM {table}").fetchall()
        return int(number)

    def excess(self, release: Release, setting: Setting) -> float | None:
        """The excessive protection of a release; None where it does not satisfy the requirement."""
        known = release.fingerprint, setting
        if known not in self.excesses:
            tau, l = setting
            reached = self.verify("tau_privacy", release, f"{l}")
            holds = reached is not None and reached <= tau + ROUNDING
            self.excesses[known] = self.verify("excessive_protection", release, f"{tau}, {l}") if holds else None
        return self.excesses[known]

    def verify(self, function: str, release: Release, arguments: str) -> float | None:
        """The one number that a function finds in a release."""
        experiment = self.experiment
        trees = struct(experiment.sensitive_taxonomy)
        table = f"'{release.table}', {list(experiment.qi)}, '{experiment.sa}'"
        [(number,)] = self.con.execute(f"FROM {function}({table}, {arguments}, taxonomy := {trees})").fetchall()
        return None if number is None else float(number)

    def distinct_releases(self, *methods: str) -> list[Release]:
        """The releases of some methods so far, each once."""
        known = {
            release.fingerprint: release
            for release in self.releases.values()
            if release is not None and release.method in methods
        }
        return list(known.values())
