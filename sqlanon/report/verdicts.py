"""What was promised, and whether it holds: the certificate, computed again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..certificate import Line, check
from ..certificate.checking import compared
from ..certificate.record import CREATED
from .losses import Loss
from .risks import Exposure
from .subject import Subject
from .words import label, promise

GOOD, BAD, OPEN = "good", "bad", "open"


@dataclass(frozen=True)
class Verdict:
    """`kind` is good, bad or open; `promises` are sentences with whether each holds; `lines` what was checked.

    `cautions` are what a reader of the promises alone might overlook.
    """

    kind: str
    headline: str
    explanation: str
    promises: Sequence[tuple[str, bool]]
    cautions: Sequence[str]
    lines: Sequence[Line]

    @property
    def holds(self) -> bool | None:
        """Whether all is well; None if nothing was promised."""
        return {GOOD: True, BAD: False, OPEN: None}[self.kind]


def judge(subject: Subject, after: Exposure, loss: Loss | None) -> Verdict:
    """Check the certificate against the release, and its losses against the source if that is there."""
    certificate = subject.certificate
    lines = checked(subject, loss) if subject.certified else []
    kind, headline = outcome(subject, lines)
    return Verdict(
        kind,
        headline,
        explain(subject, lines),
        [(promise(certificate, bound), bound not in certificate.broken) for bound in certificate.promised],
        list(cautions(subject, after)),
        lines,
    )


def cautions(subject: Subject, after: Exposure) -> Iterator[str]:
    """Promises that could not be checked, and people who stand alone though all that was promised holds."""
    for unchecked in subject.certificate.unchecked:
        yield f"Not checked: {label(unchecked)}."
    alone = after.risk["unique_people"]
    if alone and "k" not in subject.certificate.promised:
        yield f"{alone:,} people stand alone in the release, and can be found. No k was promised."


def checked(subject: Subject, loss: Loss | None) -> list[Line]:
    """The lines of `check`; what it leaves open for lack of the source is compared here, if the source is there."""
    trees = {column: table for column, table in subject.taxonomy.items() if column in subject.certificate.taxonomies}
    lines = check(subject.con, subject.rel, subject.certificate, trees or None)
    if loss is None:
        return lines
    measured = {"source_rows": loss.whole["source_rows"]}
    measured |= {f"loss {name}": value for name, value in loss.whole.items()}
    return [
        compared(line.what, line.certified, measured[line.what]) if line.what in measured else line for line in lines
    ]


def outcome(subject: Subject, lines: Sequence[Line]) -> tuple[str, str]:
    """The verdict in a line."""
    certificate = subject.certificate
    if differing(lines):
        return BAD, "The release and its certificate do not agree"
    if certificate.broken:
        return BAD, f"A promise is broken: {', '.join(certificate.broken)}"
    if certificate.holds is None:
        return OPEN, "Nothing was promised that could be checked"
    return GOOD, "Every promise holds"


def differing(lines: Sequence[Line]) -> list[str]:
    """What the release says otherwise than its certificate. A bound that both say is broken is no such thing."""
    return [label(line.what) for line in lines if line.holds is False and not line.what.startswith("bound ")]


def explain(subject: Subject, lines: Sequence[Line]) -> str:
    """How that is known."""
    if not subject.certified:
        return "There was no certificate. What stands here was measured on the release when this report was made."
    when = subject.certificate.created.strftime(CREATED)
    if differs := differing(lines):
        return f"The certificate of {when} was computed again from the release. It differs in: {', '.join(differs)}."
    held, left = (sum(line.holds is kind for line in lines) for kind in (True, None))
    rest = f", and {left} could not be checked" if left else ""
    return f"The certificate of {when} was computed again from the release: {held} lines agree, none differs{rest}."
