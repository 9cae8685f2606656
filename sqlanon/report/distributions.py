"""The frequencies of sensitive values, in the source and in the release.

Values are counted and put into bins in SQL: a column may have a million of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..calling import ANSWER, Record, call
from ..errors import SqlanonError
from .subject import Subject
from .words import MISSING, label

SHOWN = 12
"""Values that are named, the most frequent ones; the others are one bar."""

BINS = 10
"""Of numbers that have more values than that."""

NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True)
class Distribution:
    """Shares of the values of one sensitive attribute, the most frequent first, or of bins of numbers in order.

    `estimated`: what the release lets expect, as it publishes lists or labels.
    """

    labels: Sequence[str]
    before: Sequence[float] | None
    after: Sequence[float]
    in_order: bool
    estimated: bool


@dataclass(frozen=True)
class Range:
    """The numbers of a column, from the smallest to the largest."""

    low: float
    high: float

    @property
    def labels(self) -> list[str]:
        """The bins of equal width, in words."""
        edges = [self.low + (self.high - self.low) * position / BINS for position in range(BINS + 1)]
        return [f"{edge(low)} – {edge(high)}" for low, high in pairwise(edges)]


def edge(number: float) -> str:
    """The end of a bin. Thousands have no separator, as 2014 may be a year.

    >>> edge(2014.0), edge(12345.6), edge(0.12345), edge(20.0)
    ('2014', '12346', '0.1235', '20')
    """
    return f"{number:.0f}" if abs(number) >= 1000 else f"{number:.4g}"


def distribution(subject: Subject, sa: str) -> Distribution | str:
    """The distribution, or the reason why there is none."""
    try:
        return measure(subject, sa)
    except SqlanonError as error:
        return error.message


def measure(subject: Subject, sa: str) -> Distribution:
    """Name the values of the source, or of the release if there is none, and count them in both."""
    if not subject.hides_values and (numbers := number_range(subject, sa)):
        return distribution_of_bins(subject, sa, numbers)
    published = estimate_values if subject.hides_values else count_values
    if subject.src is None:
        before, (after, values) = None, published(subject, subject.rel, sa)
        named = list(after)
    else:
        before, values = count_values(subject, subject.src, sa)
        named = list(before)
        after, _ = published(subject, subject.rel, sa, named)
    others = values - len(named)
    columns = [None if shares is None else [shares.get(value, 0.0) for value in named] for shares in (before, after)]
    if others:
        columns = [None if shares is None else [*shares, max(0.0, 1 - sum(shares))] for shares in columns]
    labels = [*map(label, named), *([f"{others:,} others"] if others else [])]
    return Distribution(labels, columns[0], columns[1] or [], in_order=False, estimated=subject.hides_values)


def count_values(
    subject: Subject, table: str, sa: str, named: Sequence[str | None] | None = None
) -> tuple[dict[str | None, float], int]:
    """The shares of the most frequent values, or of those that are named; and how many values there are."""
    query = f"SELECT value::VARCHAR AS value, share, rank AS value_rank FROM {ANSWER}"
    return shares_by_value(call(subject.con, "buckets", {"tbl": table, "sa": sa}, choice(query, named)).records)


def estimate_values(
    subject: Subject, table: str, sa: str, named: Sequence[str | None] | None = None
) -> tuple[dict[str | None, float], int]:
    """Shares and their number, estimated from lists and labels. A public report names nothing below a label."""
    from ..statement.template import identifier

    column = identifier(sa).sql("duckdb")
    arguments = {
        "rel": table,
        "query": f"SELECT {column}, count(*) FROM release GROUP BY {column}",
        "taxonomy": None if subject.public else subject.taxonomy_of(sa),
    }
    query = (
        f"SELECT {column}::VARCHAR AS value, estimate / system.main.sum(estimate) OVER () AS share, "
        f"system.main.row_number() OVER (ORDER BY estimate DESC NULLS LAST, {column}::VARCHAR) AS value_rank "
        f"FROM {ANSWER}"
    )
    return shares_by_value(call(subject.con, "estimate", arguments, choice(query, named)).records)


def choice(query: str, named: Sequence[str | None] | None) -> str:
    """The first values of a query, or those that are named, each with the number of all."""
    from ..statement.template import text

    if named is None:  # one bar for one value would not be worth it
        which = f"value_rank <= {SHOWN} OR values <= {SHOWN + 1}"
    else:
        which = " OR ".join(
            f"value IS NOT DISTINCT FROM {text(name).sql('duckdb') if name is not None else 'NULL'}" for name in named
        )
    counting = f"SELECT *, system.main.count(*) OVER () AS values FROM ({query})"
    return f"SELECT value, share, values FROM ({counting}) WHERE {which} ORDER BY value_rank, value"


def shares_by_value(rows: Sequence[Record]) -> tuple[dict[str | None, float], int]:
    """Shares by value, and how many values there are."""
    return {row["value"]: row["share"] or 0.0 for row in rows}, rows[0]["values"] if rows else 0


def number_range(subject: Subject, sa: str) -> Range | None:
    """The range of a column of numbers that has too many values to name them all."""
    query = (
        "SELECT system.main.count(*) AS values, system.main.typeof(system.main.any_value(value)) AS type, "
        "system.main.min(number) FILTER (system.main.isfinite(number)) AS low, "
        "system.main.max(number) FILTER (system.main.isfinite(number)) AS high "
        f"FROM (SELECT value, TRY_CAST(value AS DOUBLE) AS number FROM {ANSWER})"
    )
    row = call(subject.con, "buckets", {"tbl": subject.src or subject.rel, "sa": sa}, query).only
    is_number = row["type"].removeprefix("U").startswith(NUMBERS)
    if not is_number or row["values"] <= SHOWN + 1 or row["low"] is None or row["low"] == row["high"]:
        return None
    return Range(row["low"], row["high"])


def distribution_of_bins(subject: Subject, sa: str, numbers: Range) -> Distribution:
    """The shares of bins of equal width; what is in none of them is missing."""

    def shares(table: str) -> list[float]:
        width = (numbers.high - numbers.low) / BINS
        position = f"system.main.floor((number - {numbers.low!r}) / {width!r})"
        query = (
            "SELECT CASE WHEN system.main.isfinite(number) "
            f"THEN system.main.least({BINS - 1}, system.main.greatest(0, {position}))::INTEGER END AS bin, "
            "system.main.sum(share) AS share "
            f"FROM (SELECT share, TRY_CAST(value AS DOUBLE) AS number FROM {ANSWER}) GROUP BY 1"
        )
        rows = call(subject.con, "buckets", {"tbl": table, "sa": sa}, query).records
        bins = {row["bin"]: row["share"] for row in rows}
        return [bins.get(position, 0.0) for position in (*range(BINS), None)]

    before, after = shares(subject.src) if subject.src is not None else None, shares(subject.rel)
    shown = BINS + bool(after[-1] or (before and before[-1]))
    labels = [*numbers.labels, MISSING][:shown]
    return Distribution(labels, before and before[:shown], after[:shown], in_order=True, estimated=False)
