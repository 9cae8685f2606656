"""Charts of risk: who stands out, who can be found, and what can be guessed."""

from __future__ import annotations

from fractions import Fraction

from .charts import BOTH, Chart, paired
from .risks import THRESHOLD, Exposure
from .subject import Subject
from .words import label, one_in, percent


def class_sizes(subject: Subject, before: Exposure | None, after: Exposure) -> Chart:
    """How many people look alike."""
    every = list(after.sizes)
    used = [start for start in every if after.sizes[start] or (before and before.sizes[start])]
    starts = [start for start in every if used[0] <= start <= used[-1]]
    ends = dict(zip(every, [*every[1:], None], strict=True))
    promised = subject.certificate.bounds.get("k", 0)
    return Chart(
        "class-sizes",
        "How many people look alike?",
        alone(before, after),
        "People are counted by the size of their class: all those who look alike in the published columns. Bars near "
        "the top are people in small classes, who stand out."
        + (f" Red: fewer than the {promised:,} that were promised." if promised else ""),
        paired(
            [size_label(start, ends[start]) for start in starts],
            [before.sizes[start] for start in starts] if before else None,
            [after.sizes[start] for start in starts],
            marked=[place for place, start in enumerate(starts) if start < promised],
        ),
        BOTH if before else (),
    )


def alone(before: Exposure | None, after: Exposure) -> str:
    """What the chart of class sizes says."""
    smallest, unique = after.risk["smallest_class"], after.risk["unique_people"]
    now = (
        f"{unique:,} of {after.risk['people']:,} people stand alone in the release."
        if unique
        else f"Nobody stands alone in the release: the smallest class has {smallest:,} people."
    )
    if before is None:
        return now
    return f"{now} In the source, {before.risk['unique_people']:,} of {before.risk['people']:,} did."


def size_label(start: int, end: int | None) -> str:
    """A bin of class sizes.

    >>> size_label(1, 2), size_label(2, 3), size_label(3, 5), size_label(1000, None)
    ('alone', '2 people', '3 – 4 people', '1,000 or more')
    """
    if end is None:
        return f"{start:,} or more"
    if end == start + 1:
        return "alone" if start == 1 else f"{start:,} people"
    return f"{start:,} – {end - 1:,} people"


def reidentification(before: Exposure | None, after: Exposure) -> Chart:
    """How likely a person is found again."""
    kinds = {"highest": "prosecutor", "average": "marketer", f"risk above {percent(THRESHOLD)}": "above_threshold"}
    return Chart(
        "risk",
        "How likely is a person found again?",
        f"Whoever looks for the easiest person in the release is right {chance_words(after.risk['prosecutor'])}; for "
        f"an average person, {percent(after.risk['marketer'])} of the time.",
        "The risk of a person is 1 / the number of people who look alike, for somebody who knows all "
        f"quasi-identifiers. The last line is the share of people whose risk is above {percent(THRESHOLD)}.",
        paired(
            list(kinds),
            [before.risk[kind] for kind in kinds.values()] if before else None,
            [after.risk[kind] for kind in kinds.values()],
            whole=True,
        ),
        BOTH if before else (),
    )


def chance_words(chance: float) -> str:
    """How often a guess is right.

    >>> chance_words(0.25), chance_words(1.0), chance_words(0.3)
    ('one time in 4', 'every time', '30% of the time')
    """
    if chance >= 1:
        return "every time"
    said = one_in(chance)
    return said.replace("1 in", "one time in") if " in " in said else f"{said} of the time"


def guesses(subject: Subject, sa: str, before: Exposure | None, after: Exposure) -> Chart:
    """How well a sensitive value can be guessed."""
    place = subject.sa.index(sa)
    name, title = f"guess-{place}", f"How surely can {label(sa)} be guessed?"
    if sa not in after.chances:
        return Chart(name, title, hidden(subject, place), "Lists or labels leave no class to draw.")
    promised = subject.certificate.bounds.get("l")
    limit = 1 / Fraction(promised) if promised else Fraction(1)
    every = list(after.chances[sa])
    shown = [after.chances[sa], *([before.chances[sa]] if before else [])]
    first = min(number for number, end in enumerate(every) if any(shares[end] for shares in shown))
    starts, ends = [Fraction(0), *every][first:-1], every[first:]
    sentence = (
        f"In the worst class of the release, the best guess is right for {percent(after.privacy[place]['alpha'])} of "
        "the people."
    )
    if before:
        certain = percent(before.chances[sa][Fraction(1)])
        sentence += f" In the source, {certain} of the people could be guessed for certain or nearly."
    return Chart(
        name,
        title,
        sentence,
        "People are counted by the share of the most frequent value in their class: the chance of the best guess about "
        "them." + (f" Red: above the 1/{promised:g} that was promised." if promised else ""),
        paired(
            [chance_label(start, end) for start, end in zip(starts, ends, strict=True)],
            [before.chances[sa][end] for end in ends] if before else None,
            [after.chances[sa][end] for end in ends],
            marked=[number for number, end in enumerate(ends) if end > limit],
        ),
        BOTH if before else (),
    )


def hidden(subject: Subject, place: int) -> str:
    """How well a value can be guessed that is published in a list, or as a label."""
    tau = subject.certificate.measures[place]["tau"]
    if not isinstance(tau, int | float):
        return "The release publishes lists or labels in place of values; the chance to guess one was not measured."
    return (
        "The release publishes lists or labels in place of values. A single value is guessed with a chance of "
        f"{percent(tau)} at most."
    )


def chance_label(start: Fraction, end: Fraction) -> str:
    """A bin of chances.

    >>> chance_label(Fraction(0), Fraction(1, 10)), chance_label(Fraction(1, 5), Fraction(1, 3))
    ('up to 10%', '20 – 33%')
    >>> chance_label(Fraction(99, 100), Fraction(1))
    'certain, or nearly'
    """
    low, high = (int(share * 100) for share in (start, end))
    if end == 1:
        return "certain, or nearly"
    return f"{low} – {high}%" if start else f"up to {high}%"
