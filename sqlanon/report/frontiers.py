"""The trade-off: what other settings would lose, and where the release stands among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..calling import call
from ..errors import SqlanonError
from ..release.algorithms import ALGORITHMS, Publishes
from ..search.request import SETTINGS
from .losses import Loss
from .risks import Exposure
from .subject import Subject

MOST_ROWS = 10_000
"""A larger table is tried on a sample of so many rows."""


@dataclass(frozen=True)
class Point:
    """A setting and its loss. `risk` is 1/l, the largest share of a value in a class, or 1/k, the risk of a row."""

    algo: str
    risk: float
    loss: float


@dataclass(frozen=True)
class Frontier:
    """The rows of `frontier`; `parameter` is k or l. `chosen` is None where a sample cannot show the release.

    `sampled`: the rows of the sample, None if all rows were taken.
    """

    parameter: str
    points: Sequence[Point]
    chosen: Point | None
    sampled: int | None


def measure_frontier(subject: Subject, loss: Loss, after: Exposure) -> Frontier | str:
    """The frontier, or the reason why there is none."""
    promised = subject.certificate.promised
    by_k = not subject.sa or ("k" in promised and "l" not in promised and "tau" not in promised)
    parameter, function = ("k", "kanonymous") if by_k else ("l", "ldiverse")
    if not by_k and len(subject.sa) > 1:
        return "Settings are tried for one sensitive attribute, and this release has several."
    strength = subject.certificate.bounds.get(parameter) if parameter in promised else None
    tried = {*SETTINGS[function][parameter], *([int(strength)] if strength and strength >= 2 else [])}
    sampled = loss.whole["source_rows"] > MOST_ROWS
    arguments: dict[str, Any] = {
        "tbl": sample(subject) if sampled else subject.src,
        "qi": list(subject.qi),
        "sa": None if by_k else subject.sa[0],
        parameter: sorted(tried, key=int),
        "algos": algorithms(subject, function),
        "taxonomy": subject.taxonomy_of(*subject.qi),
        "seed": 0,  # of random queries and draws that are measured and forgotten
    }
    try:
        rows = call(subject.con, "frontier", arguments).records
    except SqlanonError as error:
        return error.message
    points = [Point(row["algo"], 1 / row[parameter], row["gcp"]) for row in rows if row["gcp"] is not None]
    if not points:
        return "The source allows none of the settings that were tried."
    if sampled:
        chosen = next(
            (each for each in points if strength and each.algo == subject.algo and each.risk == 1 / strength), None
        )
    else:
        chosen = Point(subject.algo or "", release_risk(subject, after, by_k), loss.whole["gcp"])
    return Frontier(parameter, points, chosen, MOST_ROWS if sampled else None)


def release_risk(subject: Subject, after: Exposure, by_k: bool) -> float:
    """The chance that the release leaves: what was promised, or, if that is of another kind, what was measured."""
    promised, bounds = subject.certificate.promised, subject.certificate.bounds
    if by_k:
        return 1 / float(bounds["k"]) if "k" in promised else float(after.risk["prosecutor"])
    if "tau" in promised:
        return float(bounds["tau"])
    return 1 / float(bounds["l"]) if "l" in promised else float(after.privacy[0]["alpha"])


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

    from ..statement.source import read_table
    from ..statement.writer import write_statement

    rows = write_statement(exp.select("*").from_(read_table(str(subject.src), "src")))
    return f"(FROM ({rows}) AS source USING SAMPLE reservoir({MOST_ROWS} ROWS) REPEATABLE (0))"
