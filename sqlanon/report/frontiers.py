"""The trade-off: what other settings would lose, and where the release stands among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..algorithms import ALGORITHMS, Publishes
from ..errors import SqlanonError
from ..request.search import SETTINGS
from .asking import Record, ask
from .losses import Loss
from .subject import Subject

MOST_ROWS = 10_000
"""A larger table is tried on a sample of so many rows."""


@dataclass(frozen=True)
class Point:
    """A setting and its loss: no value, or no person, is guessed with a better chance than `risk`."""

    algo: str
    strength: int
    loss: float

    @property
    def risk(self) -> float:
        """One in k people, or one in l values."""
        return 1 / self.strength


@dataclass(frozen=True)
class Frontier:
    """What `frontier` says of settings; `parameter` is k or l. `chosen` is None where the setting is not known."""

    parameter: str
    points: Sequence[Point]
    chosen: Point | None
    sampled: int | None


def measure_frontier(subject: Subject, loss: Loss) -> Frontier | str:
    """The frontier, or the reason why there is none."""
    by_k = not subject.sa or ("k" in subject.certificate.bounds and "l" not in subject.certificate.bounds)
    parameter, function = ("k", "kanonymous") if by_k else ("l", "ldiverse")
    if not by_k and len(subject.sa) > 1:
        return "Settings are tried for one sensitive attribute, and this release has several."
    strength = chosen_strength(subject, parameter)
    whole, sampled = loss.whole["source_rows"], loss.whole["source_rows"] > MOST_ROWS
    arguments: dict[str, Any] = {
        "tbl": sample(subject) if sampled else subject.src,
        "qi": list(subject.qi),
        "sa": None if by_k else subject.sa[0],
        parameter: sorted({*SETTINGS[function][parameter], *([strength] if strength else [])}),
        "algos": algorithms(subject, function),
        "taxonomy": subject.taxonomy_of(*subject.qi),
        "seed": 0,  # of random queries and draws that are measured and forgotten
    }
    try:
        rows = ask(subject.con, "frontier", arguments)
    except SqlanonError as error:
        return error.message
    points = [point(row, parameter) for row in rows if row["gcp"] is not None]
    if not points:
        return "The source allows none of the settings that were tried."
    if not sampled and strength:
        chosen: Point | None = Point(subject.algo or "", strength, loss.whole["gcp"])
    else:
        chosen = next((each for each in points if (each.algo, each.strength) == (subject.algo, strength)), None)
    return Frontier(parameter, points, chosen, min(whole, MOST_ROWS) if sampled else None)


def point(row: Record, parameter: str) -> Point:
    """A row of `frontier`."""
    return Point(row["algo"], row[parameter], row["gcp"])


def chosen_strength(subject: Subject, parameter: str) -> int | None:
    """The k or l of the release: what was promised."""
    bounds, arguments = subject.certificate.bounds, subject.certificate.arguments
    value = bounds.get(parameter, arguments.get(parameter))
    return int(value) if isinstance(value, int | float) and value >= 2 else None


def algorithms(subject: Subject, function: str) -> list[object]:
    """Those that `frontier` tries by itself, and the one that was chosen, if it can be tried."""
    usual = SETTINGS[function]["algos"]
    tried = any(
        algorithm.name == subject.algo
        and algorithm.function == function
        and algorithm.publishes is Publishes.EXTENTS
        and not algorithm.pairs
        and algorithm.recode != "none"
        for algorithm in ALGORITHMS
    )
    return [*usual, subject.algo] if tried and subject.algo not in usual else usual


def sample(subject: Subject) -> str:
    """Some rows of the source, as a table that functions take; the same rows each time, if the source has an order."""
    from sqlglot import exp

    from ..planner.source import read_table
    from ..planner.writer import write_statement

    rows = write_statement(exp.select("*").from_(read_table(str(subject.src), "src")))
    return f"(FROM ({rows}) AS source USING SAMPLE reservoir({MOST_ROWS} ROWS) REPEATABLE (0))"
