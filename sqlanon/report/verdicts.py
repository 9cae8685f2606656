"""The verdict of a report: the certificate line by line, and whether each line holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..calling import ANSWER, call
from ..certificate import Certificate, Line, check
from ..certificate.lines import NOBODY_IS_FOUND, compare_sides
from ..certificate.record import CREATED
from ..next_steps import GENERALIZED
from .losses import Loss
from .risks import Exposure
from .subject import Subject
from .words import label, number, percent, promise_sentence

ROWS_COUNTED = (
    "Rows were counted, not people. Whoever has several rows may stand alone in a class of their own; name the column "
    "that tells people apart (entity), and people are counted."
)
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
    """Check the certificate against the release, and the rows of the source if that is there."""
    certificate = subject.certificate
    lines = check_lines(subject, loss) if subject.certified else []
    kind, headline = outcome(subject, lines)
    return Verdict(
        kind,
        headline,
        explain(subject, lines),
        [(promise_sentence(certificate, bound), bound not in certificate.broken) for bound in certificate.promised],
        list(cautions(subject, after)),
        lines,
    )


def cautions(subject: Subject, after: Exposure) -> Iterator[str]:
    """Promises that could not be checked, and people who stand alone though all that was promised holds."""
    certificate = subject.certificate
    for unchecked in certificate.unchecked:
        yield f"Not checked: {label(unchecked)}."
    if certificate.identifying_columns:
        yield (
            f"Published as they are, these columns lead to people: {names(certificate.identifying_columns)}. Whoever "
            "knows values of theirs finds the person."
        )
    if certificate.narrowing_columns:
        yield (
            f"Published as they are, these columns tell most rows apart in their class: "
            f"{names(certificate.narrowing_columns)}. Whoever knows values of theirs beside the quasi-identifiers "
            "finds the row. Columns that others may know are quasi-identifiers."
        )
    if subject.repeating_identifiers:
        yield (
            "Rows were counted, not people. These columns of the source look like identifiers, and repeat: "
            f"{names(subject.repeating_identifiers)}. A class may be the rows of one person."
        )
    elif certificate.people is None:
        yield ROWS_COUNTED
    if certificate.people is not None and subject.people is None:
        yield certified_people(certificate)
    alone = after.risk["unique_people"]
    if alone and "k" not in certificate.promised:
        yield f"{alone:,} {subject.noun} stand alone in the release, and can be found. No k was promised."
    if "tau" in certificate.promised:
        yield from weak_labels(subject)


def certified_people(certificate: Certificate) -> str:
    """The certificate's figures about people, whom nobody can count in the release."""
    people = certificate.people
    assert people is not None
    smallest, highest = people["measures"][0]["k"], people["risk"]["prosecutor"]
    return (
        f"The certificate counted {people['count']:,} people, by a column that the release lacks: the smallest class "
        f"has {number(smallest)} of them, and the highest risk is {percent(highest)}. What stands below counts rows."
    )


def names(columns: Sequence[str]) -> str:
    """Names of columns."""
    return ", ".join(map(label, columns))


def weak_labels(subject: Subject) -> Iterator[str]:
    """Cautions where a value is more frequent than tau in the source: labels hide less than tau says."""
    if subject.src is None:
        yield f"Labels were counted in equal parts: {GENERALIZED}"
        return
    tau = float(subject.certificate.bounds["tau"])
    for sa in subject.sa:
        top = f"SELECT share FROM {ANSWER} WHERE rank = 1 LIMIT 1"
        rows = call(subject.con, "buckets", {"tbl": subject.src, "sa": sa}, top).records
        if rows and rows[0]["share"] > tau:
            yield (
                f"One value of {label(sa)} takes {percent(rows[0]['share'])} of the source, more than tau: "
                f"{GENERALIZED} What stands here of tau is not the chance of their guess."
            )


def check_lines(subject: Subject, loss: Loss | None) -> list[Line]:
    """The lines of `check`; what it leaves open for lack of the source is compared here, if the source is there."""
    trees = {column: table for column, table in subject.taxonomy.items() if column in subject.certificate.taxonomies}
    lines = check(
        subject.con, subject.rel, subject.certificate, trees or None, people=subject.people, measured=subject.measured
    )
    if loss is None:
        return lines
    measured = {"source_rows": loss.whole["source_rows"], "repeating_identifiers": subject.repeating_identifiers}
    return [
        compare_sides(line.what, line.certified, measured[line.what]) if line.what in measured else line
        for line in lines
    ]


def outcome(subject: Subject, lines: Sequence[Line]) -> tuple[str, str]:
    """The verdict in a line."""
    certificate = subject.certificate
    if differences(lines):
        return BAD, "The release and its certificate do not agree"
    if certificate.broken:
        return BAD, f"A promise is broken: {', '.join(certificate.broken)}"
    if certificate.identifying_columns:
        return BAD, f"People can be found by what is published as it is: {names(certificate.identifying_columns)}"
    if certificate.holds is None:
        return OPEN, "Nothing was promised that could be checked"
    if subject.repeating_identifiers:
        return OPEN, "Every promise holds for rows, but rows are not people"
    if open_bounds := [label(line.what) for line in lines if line.is_bound and line.holds is None]:
        return OPEN, f"What could be checked holds; this could not: {', '.join(open_bounds)}"
    return GOOD, "Every promise holds"


def differences(lines: Sequence[Line]) -> list[str]:
    """The lines in which release and certificate differ; not the bounds that are broken by both."""
    return [
        label(line.what)
        for line in lines
        if line.holds is False and not (line.is_bound or line.what == NOBODY_IS_FOUND)
    ]


def explain(subject: Subject, lines: Sequence[Line]) -> str:
    """The evidence for the verdict on a line."""
    if not subject.certified:
        return "There was no certificate. What stands here was measured on the release when this report was made."
    when = subject.certificate.created.strftime(CREATED)
    if subject.measured is not None:
        return (
            f"The certificate of {when} was made with this report, and what stands here was measured for both on the "
            "release that was published. sqlanon verify computes it again."
        )
    if differs := differences(lines):
        return f"The certificate of {when} was computed again from the release. It differs in: {', '.join(differs)}."
    held, left = (sum(line.holds is kind for line in lines) for kind in (True, None))
    rest = f", and {left} could not be checked" if left else ""
    return f"The certificate of {when} was computed again from the release: {held} lines agree, none differs{rest}."
