"""The loss of a release: in all and by column, and the errors of counts. All of it needs the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..calling import ANSWER, Record, call
from ..errors import SqlanonError
from .subject import Subject

QUERIES = 200
"""Random count queries for each sensitive attribute."""

ERRORS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0)
"""The ends of bins of errors; the last one is open."""


@dataclass(frozen=True)
class QueryErrors:
    """The errors of random count queries on the release: their number, quantiles, and the share in each bin.

    Each asks `dims` columns, `column` always among them.
    """

    column: str
    dims: int
    queries: int
    median: float
    nine_tenths: float
    shares: Sequence[float]


@dataclass(frozen=True)
class Loss:
    """The answers of `info_loss`, `attribute_loss` and `count_query_error`. `reason`: why there are no `errors`."""

    whole: Record
    columns: Sequence[Record]
    errors: Sequence[QueryErrors]
    reason: str = ""


def measure_loss(subject: Subject) -> Loss:
    """Compare a release with its source."""
    shared = {"src": subject.src, "rel": subject.rel, "qi": list(subject.qi)}
    trees = subject.taxonomy_of(*subject.qi)
    whole = round_losses(call(subject.con, "info_loss", {**shared, "taxonomy": trees}).only)
    columns = [*map(round_losses, call(subject.con, "attribute_loss", {**shared, "taxonomy": trees}).records)]
    # without a sensitive attribute, the last quasi-identifier takes its place
    *others, last = subject.qi
    pairs = [(list(subject.qi), sa) for sa in subject.sa] or ([(others, last)] if others else [])
    if not pairs:
        return Loss(whole, columns, (), "Count queries ask at least two columns.")
    try:
        drawn = [query_errors(subject, qi, sa) for qi, sa in pairs]
    except SqlanonError as error:
        return Loss(whole, columns, (), error.message)
    errors = [each for each in drawn if each.queries]
    return Loss(whole, columns, errors, "" if errors else "No random query has an answer.")


def round_losses(record: Record) -> Record:
    """Losses against the source, to three digits: more would tell of single rows."""
    return {name: float(f"{value:.3g}") if isinstance(value, float) else value for name, value in record.items()}


def query_errors(subject: Subject, qi: list[str], sa: str) -> QueryErrors:
    """Ask random queries, always on `sa`."""
    dims = min(3, len(qi) + 1)
    starts = (None, *ERRORS)
    bins = ", ".join(
        f"system.main.count(*) FILTER (relative_error > {start or -1}{f' AND relative_error <= {end}' if end else ''})"
        for start, end in zip(starts, (*ERRORS, None), strict=True)
    )
    query = (
        "SELECT system.main.count(*) AS queries, system.main.quantile_cont(relative_error, 0.5) AS median, "
        f"system.main.quantile_cont(relative_error, 0.9) AS nine_tenths, [{bins}] AS bins "
        f"FROM {ANSWER} WHERE relative_error IS NOT NULL"
    )
    arguments = {
        "src": subject.src,
        "rel": subject.rel,
        "qi": qi,
        "sa": sa,
        "dims": dims,
        "queries": QUERIES,
        "taxonomy": subject.taxonomy_of(*qi, sa),
    }
    row = call(subject.con, "count_query_error", arguments, query).only
    shares = [count / row["queries"] for count in row["bins"]] if row["queries"] else []
    return QueryErrors(sa, dims, row["queries"], row["median"], row["nine_tenths"], shares)
