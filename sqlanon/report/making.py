"""From a release to its report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import duckdb

from ..approval import ApprovalRecord
from ..certificate import Certificate
from ..phases import phase
from .charts import Chart, missing_chart
from .distributions import distribution
from .frontiers import measure_frontier
from .loss_charts import count_errors, loss_by_column, trade_off
from .losses import Loss, measure_loss
from .page import Content, render
from .record import Report
from .risk_charts import class_sizes, guesses, reidentification
from .risks import Exposure, measure_exposure
from .subject import Subject, read_subject
from .tiles import tiles
from .value_charts import sensitive_values
from .verdicts import judge


def report(
    con: duckdb.DuckDBPyConnection,
    rel: str,
    qi: Sequence[str],
    sa: str | Sequence[str] | None = None,
    *,
    src: str | None = None,
    certificate: Certificate | None = None,
    measured: Certificate | None = None,
    people: str | None = None,
    taxonomy: Mapping[str, str] | None = None,
    l: int | None = None,
    k: int | None = None,
    algo: str | None = None,
    public: bool = False,
    title: str | None = None,
    record: ApprovalRecord | None = None,
) -> Report:
    """Report on a release: for its owner, who has the source, or to be shared (`public`), from what is public anyway.

    `rel`, `src` and `taxonomy` are what SQL functions take. `people` is, for the owner, a table with the rows of the
    release and the entity of the certificate, which the release itself may lack. With a `certificate`, all that it
    says is computed again, or compared with what was `measured` of this release just now. Without one, `k` or `l` is
    what was promised, and `algo` the algorithm; with one, they are known. `record` is what the owner's page of approval
    says; what it leaves out is a line to write on.
    """
    subject = read_subject(
        con,
        rel,
        qi,
        sa,
        src=src,
        certificate=certificate,
        measured=measured,
        people=people,
        taxonomy=taxonomy,
        l=l,
        k=k,
        algo=algo,
        public=public,
        title=title,
        record=record,
    )
    with phase("measuring risk"):
        before = measure_exposure(subject, subject.src) if subject.src is not None else None
        after = measure_exposure(subject, subject.people or subject.rel)
    with phase("measuring loss"):
        loss = measure_loss(subject) if subject.src is not None else None
    with phase("checking the certificate"):
        verdict = judge(subject, after, loss)
    with phase("drawing"):
        content = Content(
            subject=subject,
            verdict=verdict,
            tiles=list(tiles(subject, before, after, loss)),
            charts=list(draw(subject, before, after, loss)),
            before=before,
            after=after,
            loss=loss,
        )
        return Report(render(content), verdict.holds)


def draw(subject: Subject, before: Exposure | None, after: Exposure, loss: Loss | None) -> Iterator[Chart]:
    """Charts of risk and of sensitive values; then those of loss, which only the owner can measure."""
    yield class_sizes(subject, before, after)
    for sa in subject.sa:
        yield guesses(subject, sa, before, after)
        yield sensitive_values(subject, sa, distribution(subject, sa))
    yield reidentification(subject.noun, before, after)
    if loss is not None:
        yield from loss_charts(subject, loss, after)


def loss_charts(subject: Subject, loss: Loss, after: Exposure) -> Iterator[Chart]:
    """Charts of the loss of the release, and of other releases."""
    yield loss_by_column(loss)
    if not loss.errors:
        yield missing_chart("errors", "How far are counts off?", loss.reason)
    for position, errors in enumerate(loss.errors):
        yield count_errors(position, errors, several=len(loss.errors) > 1)
    frontier = measure_frontier(subject, loss, after)
    if isinstance(frontier, str):
        yield missing_chart("frontier", "What would other settings have cost?", frontier)
    else:
        yield trade_off(frontier)
