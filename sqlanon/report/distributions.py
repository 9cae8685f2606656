"""How often each sensitive value occurs, in the source and in the release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..errors import SqlanonError
from .asking import ANSWER, ask
from .subject import Subject

SHOWN = 12
"""Values that are named, the most frequent ones; the others are one bar."""


@dataclass(frozen=True)
class Distribution:
    """Shares of the values of one sensitive attribute, the most frequent first; None stands for NULL.

    `others`: how many values are not named. `estimated`: what the release lets expect, as it publishes lists or labels.
    """

    values: Sequence[str | None]
    before: Sequence[float] | None
    after: Sequence[float]
    others: int
    others_before: float
    others_after: float
    estimated: bool


def distribution(subject: Subject, sa: str) -> Distribution | str:
    """The distribution, or the reason why there is none."""
    try:
        after = expected(subject, sa) if subject.hides_values else counted(subject, subject.rel, sa)
    except SqlanonError as error:
        return error.message
    before = counted(subject, subject.src, sa) if subject.src is not None else None
    ranked = sorted({**after, **(before or {})}, key=lambda value: -(before or after).get(value, 0))
    named = ranked[:SHOWN] if len(ranked) > SHOWN + 1 else ranked
    shares = [after.get(value, 0.0) for value in named]
    shares_before = None if before is None else [before.get(value, 0.0) for value in named]
    return Distribution(
        values=named,
        before=shares_before,
        after=shares,
        others=len(ranked) - len(named),
        others_before=sum((before or {}).values()) - sum(shares_before or ()),
        others_after=sum(after.values()) - sum(shares),
        estimated=subject.hides_values,
    )


def counted(subject: Subject, table: str | None, sa: str) -> Mapping[str | None, float]:
    """The share of each value, as it stands in the table."""
    query = f"SELECT value::VARCHAR AS value, share FROM {ANSWER} ORDER BY rank"
    return {row["value"]: row["share"] for row in ask(subject.con, "buckets", {"tbl": table, "sa": sa}, query)}


def expected(subject: Subject, sa: str) -> Mapping[str | None, float]:
    """The share of each value that lists and labels let expect. A public report names nothing below a label."""
    from ..planner.template import identifier

    column = identifier(sa).sql("duckdb")
    arguments = {
        "rel": subject.rel,
        "query": f"SELECT {column}, count(*) FROM release GROUP BY {column}",
        "taxonomy": None if subject.public else subject.taxonomy_of(sa),
    }
    query = f"SELECT {column}::VARCHAR AS value, estimate FROM {ANSWER} ORDER BY estimate DESC NULLS LAST, value"
    rows = ask(subject.con, "estimate", arguments, query)
    whole = sum(row["estimate"] or 0.0 for row in rows)
    return {row["value"]: (row["estimate"] or 0.0) / whole for row in rows} if whole else {}
