"""The exposure of people, before and after: class sizes, risk, and chances to guess a sensitive value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from ..calling import ANSWER, Record, call
from ..errors import InvalidParameter, TooFewRows
from .subject import Subject

SIZES = (1, 2, 3, 5, 10, 20, 50, 100, 1000)
"""The starts of bins of class sizes, beside the k that was promised."""

CHANCES = (Fraction(1, 10), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), Fraction(99, 100))
"""The ends of bins of chances, beside the 1/l that was promised; the last one is for certainty, or nearly."""

THRESHOLD = 0.2
"""The risk that is too high, as in `risk`."""


@dataclass(frozen=True)
class Exposure:
    """A table, source or release: what `risk`, `risk_by_size` and `privacy` say, and the chances to guess.

    `sizes` has shares of people by the lower end of their bin; `chances`, for each sensitive attribute, by the upper.
    """

    risk: Record
    sizes: Mapping[int, float]
    privacy: Sequence[Record]
    chances: Mapping[str, Mapping[Fraction, float]]


def measure_exposure(subject: Subject, table: str) -> Exposure:
    """Measure one table."""
    shared = {"tbl": table, **subject.counting_arguments}
    risk = call(subject.con, "risk", {**shared, "threshold": THRESHOLD}).only
    if not risk["people"]:
        refuse_empty_table(subject)
    by_size = call(subject.con, "risk_by_size", shared).records
    listed = list(subject.sa) or None
    trees = subject.taxonomy_of(*subject.sa) if not subject.public else None
    return Exposure(
        risk=risk,
        sizes=shares_by_bin(by_size, size_bins(subject)),
        privacy=call(subject.con, "privacy", {**shared, "sa": listed, "taxonomy": trees}).records,
        chances={} if subject.hides_values else {name: guess(subject, shared, name) for name in subject.sa},
    )


def refuse_empty_table(subject: Subject) -> NoReturn:
    """A table without anybody in it has no risk."""
    if subject.certificate.nulls != "exclude":
        raise TooFewRows.empty()
    raise InvalidParameter(
        "nulls = 'exclude' leaves nobody to judge: a quasi-identifier is missing in every row.",
        "Certify the release with nulls := 'value'.",
    )


def size_bins(subject: Subject) -> list[int]:
    """The lower ends of bins of class sizes."""
    promised = subject.certificate.bounds.get("k")
    return sorted({*SIZES, *([int(promised)] if promised else [])})


def shares_by_bin(by_size: Sequence[Record], starts: Sequence[int]) -> dict[int, float]:
    """The share of people in each bin; a bin that has nobody is there, too."""
    shares = dict.fromkeys(starts, 0.0)
    for row in by_size:
        shares[max(start for start in starts if start <= row["size"])] += row["share"]
    return shares


def chance_bins(subject: Subject) -> list[Fraction]:
    """The upper ends of bins of chances, up to 1."""
    return sorted({*CHANCES, Fraction(1), promised_chance(subject)})


def promised_chance(subject: Subject) -> Fraction:
    """The largest chance that an l allows; 1 without one. Small whole numbers: SQL multiplies counts by them."""
    l = subject.certificate.bounds.get("l", 1)
    return 1 / Fraction(max(l, 1)).limit_denominator(1000)


def guess(subject: Subject, shared: Mapping[str, object], sa: str) -> dict[Fraction, float]:
    """Shares of people by the chance that their class's most frequent value is theirs; classes are binned in SQL."""
    ends = chance_bins(subject)
    # top_count / size <= end, without division: both sides are whole numbers
    branches = " ".join(
        f"WHEN top_count * {end.denominator} <= size * {end.numerator} THEN {position}"
        for position, end in enumerate(ends)
    )
    query = (
        f"SELECT CASE {branches} END AS bin, system.main.sum(size)::DOUBLE AS people "
        f"FROM {ANSWER} GROUP BY 1 ORDER BY 1"
    )
    rows = call(subject.con, "equivalence_classes", {**shared, "sa": sa}, query).records
    whole = sum(row["people"] for row in rows)
    people = {row["bin"]: row["people"] for row in rows}
    return {end: people.get(position, 0.0) / whole if whole else 0.0 for position, end in enumerate(ends)}
