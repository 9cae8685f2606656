"""The figures at the top of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .losses import Loss
from .risks import Exposure
from .subject import Subject
from .words import label, number, percent


@dataclass(frozen=True)
class Figure:
    """A number of a SQL function: its exact `value`, and how it is written."""

    value: object
    text: str


@dataclass(frozen=True)
class Tile:
    """A figure of the release, with that of the source if there is one."""

    name: str
    title: str
    after: Figure
    before: Figure | None
    meaning: str


def share(value: float | None) -> Figure:
    """A share, in per cent."""
    return Figure(value, percent(value))


def count(value: int | None) -> Figure:
    """A whole number."""
    return Figure(value, number(value))


def tiles(subject: Subject, before: Exposure | None, after: Exposure, loss: Loss | None) -> Iterator[Tile]:
    """What a privacy officer looks at first, and what the release cost."""
    risk = before and before.risk
    smallest = risk and count(risk["smallest_class"])
    highest, average = risk and share(risk["prosecutor"]), risk and share(risk["marketer"])
    yield Tile("k", "Smallest class", count(after.risk["smallest_class"]), smallest or None, "people who look alike")
    yield Tile(
        "prosecutor", "Highest risk", share(after.risk["prosecutor"]), highest or None, "to find the easiest person"
    )
    yield Tile("marketer", "Average risk", share(after.risk["marketer"]), average or None, "to find a person")
    yield from guess_tiles(subject, before, after)
    yield from loss_tiles(subject, loss)


def guess_tiles(subject: Subject, before: Exposure | None, after: Exposure) -> Iterator[Tile]:
    """How well each sensitive value can be guessed, in the worst class."""
    for place, sa in enumerate(subject.sa):
        meaning = f"to guess {label(sa)}, in the worst class"
        worst = before and share(before.privacy[place]["alpha"])
        if subject.hides_values:
            tau = subject.certificate.measures[place]["tau"]
            if isinstance(tau, int | float):
                yield Tile(f"tau-{place}", "Best guess", share(tau), worst or None, meaning)
        else:
            yield Tile(f"alpha-{place}", "Best guess", share(after.privacy[place]["alpha"]), worst or None, meaning)


def loss_tiles(subject: Subject, loss: Loss | None) -> Iterator[Tile]:
    """What the release cost: measured, or, without the source, as the certificate says."""
    certificate = subject.certificate
    said: Mapping[str, object] | None = loss.whole if loss else certificate.loss
    if said is None:
        return
    of = "" if loss else ", says the certificate"
    gcp, left_out = said["gcp"], said["suppressed_rows"]
    rows = loss.whole["source_rows"] if loss else certificate.source_rows
    if isinstance(gcp, int | float):
        yield Tile("gcp", "Detail lost", share(gcp), None, f"on average over all cells{of}")
    if loss and loss.errors:
        error = loss.errors[0]
        yield Tile(
            "median_error", "Typical count is off", share(error.median), None, f"median of {error.queries} queries"
        )
    if isinstance(left_out, int):
        yield Tile("suppressed_rows", "Rows left out", count(left_out), None, f"of {number(rows)}{of}")


def measures(
    before: Exposure | None, after: Sequence[Mapping[str, object]], place: int
) -> Iterator[tuple[str, Figure | None, Figure]]:
    """All measures of one sensitive attribute: name, before, after."""
    for name, value in after[place].items():
        earlier = before.privacy[place].get(name) if before else None
        yield name, (Figure(earlier, number(earlier)) if before else None), Figure(value, number(value))
