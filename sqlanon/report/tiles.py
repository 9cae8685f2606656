"""The figures at the top of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .losses import Loss
from .risks import Exposure
from .subject import Subject
from .words import label, number, percent, singular


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
    """The figures that a privacy officer looks at first, and those of the loss."""
    risk = before and before.risk
    smallest = risk and count(risk["smallest_class"])
    highest, average = risk and share(risk["prosecutor"]), risk and share(risk["marketer"])
    one = singular(subject.noun)
    alike = f"{subject.noun} that look alike"
    yield Tile("k", "Smallest class", count(after.risk["smallest_class"]), smallest or None, alike)
    yield Tile(
        "prosecutor", "Highest risk", share(after.risk["prosecutor"]), highest or None, f"to find the easiest {one}"
    )
    yield Tile("marketer", "Average risk", share(after.risk["marketer"]), average or None, f"to find a {one}")
    yield from guess_tiles(subject, before, after)
    yield from loss_tiles(subject, loss)


def guess_tiles(subject: Subject, before: Exposure | None, after: Exposure) -> Iterator[Tile]:
    """Tiles with the largest share of a sensitive value in a class."""
    for position, sa in enumerate(subject.sa):
        meaning = f"of one value of {label(sa)}, in the least mixed class"
        worst = before and share(before.privacy[position]["alpha"])
        if subject.hides_values:
            tau = subject.certificate.measures[position]["tau"]
            if isinstance(tau, int | float):
                yield Tile(
                    f"tau-{position}",
                    "Largest share",
                    share(tau),
                    worst or None,
                    f"{meaning}, labels and lists in equal parts",
                )
        else:
            yield Tile(
                f"alpha-{position}", "Largest share", share(after.privacy[position]["alpha"]), worst or None, meaning
            )


def loss_tiles(subject: Subject, loss: Loss | None) -> Iterator[Tile]:
    """The loss of the release: measured, or, without the source, as the certificate says."""
    certificate = subject.certificate
    if loss and isinstance(loss.whole["gcp"], int | float):
        yield Tile("gcp", "Detail lost", share(loss.whole["gcp"]), None, "on average over all cells")
    if loss and loss.errors:
        error = loss.errors[0]
        yield Tile(
            "median_error", "Typical count is off", share(error.median), None, f"median of {error.queries} queries"
        )
    left_out = loss.whole["suppressed_rows"] if loss else certificate.suppressed_rows
    if isinstance(left_out, int):
        rows, of = (loss.whole["source_rows"], "") if loss else (certificate.source_rows, ", says the certificate")
        yield Tile("suppressed_rows", "Rows left out", count(left_out), None, f"of {number(rows)}{of}")


def measures(
    before: Exposure | None, after: Sequence[Mapping[str, object]], position: int
) -> Iterator[tuple[str, Figure | None, Figure]]:
    """All measures of one sensitive attribute: name, before, after."""
    for name, value in after[position].items():
        earlier = before.privacy[position].get(name) if before else None
        yield name, (Figure(earlier, number(earlier)) if before else None), Figure(value, number(value))
