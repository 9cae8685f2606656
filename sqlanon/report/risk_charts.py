"""Charts of risk: who stands out, who can be found, and how mixed sensitive values are."""

from __future__ import annotations

import math
from fractions import Fraction

from .charts import BOTH, Chart, draw_pairs
from .risks import THRESHOLD, Exposure, promised_chance
from .subject import Subject
from .words import BETTER_GUESSES, EQUALLY_LIKELY, label, one_in, percent, singular


def class_sizes(subject: Subject, before: Exposure | None, after: Exposure) -> Chart:
    """A chart of class sizes."""
    noun = subject.noun
    every = list(after.sizes)
    used = [start for start in every if after.sizes[start] or (before and before.sizes[start])]
    starts = [start for start in every if used[0] <= start <= used[-1]]
    ends = dict(zip(every, [*every[1:], None], strict=True))
    promised = subject.certificate.bounds.get("k", 0)
    return Chart(
        "class-sizes",
        f"How many {noun} look alike?",
        describe_small_classes(noun, before, after),
        f"{noun.capitalize()} are counted by the size of their class: all {noun} that look alike in the published "
        f"columns. Bars near the top are {noun} in small classes, which stand out."
        + (f" Red: fewer than the {promised:,} that were promised." if promised else ""),
        draw_pairs(
            [size_label(noun, start, ends[start]) for start in starts],
            [before.sizes[start] for start in starts] if before else None,
            [after.sizes[start] for start in starts],
            marked=[position for position, start in enumerate(starts) if start < promised],
        ),
        BOTH if before else (),
    )


def describe_small_classes(noun: str, before: Exposure | None, after: Exposure) -> str:
    """A sentence about the people who stand alone, or the smallest class."""
    smallest, unique = after.risk["smallest_class"], after.risk["unique_people"]
    now = (
        f"{unique:,} of {after.risk['people']:,} {noun} stand alone in the release."
        if unique
        else f"No {singular(noun)} stands alone in the release: the smallest class has {smallest:,} {noun}."
    )
    if before is None:
        return now
    return f"{now} In the source, {before.risk['unique_people']:,} of {before.risk['people']:,} did."


def size_label(noun: str, start: int, end: int | None) -> str:
    """A bin of class sizes.

    >>> size_label("rows", 1, 2), size_label("rows", 2, 3), size_label("people", 3, 5), size_label("rows", 1000, None)
    ('alone', '2 rows', '3 – 4 people', '1,000 or more')
    """
    if end is None:
        return f"{start:,} or more"
    if end == start + 1:
        return "alone" if start == 1 else f"{start:,} {noun}"
    return f"{start:,} – {end - 1:,} {noun}"


def reidentification(noun: str, before: Exposure | None, after: Exposure) -> Chart:
    """A chart of the chance that a row or a person is identified."""
    kinds = {"highest": "prosecutor", "average": "marketer", f"risk above {percent(THRESHOLD)}": "above_threshold"}
    one = singular(noun)
    chances = (
        f"Whoever looks for the easiest {one} in the release is right {chance_words(after.risk['prosecutor'])}; for "
        f"an average {one}, {percent(after.risk['marketer'])} of the time."
    )
    return Chart(
        "risk",
        f"How likely is a {one} found again?",
        " ".join(filter(None, (chances, describe_higher_risks(noun, before, after)))),
        f"The risk of a {one} is 1 / the number of {noun} that look alike, for somebody who knows all "
        f"quasi-identifiers. The last line is the share of {noun} whose risk is above {percent(THRESHOLD)}.",
        draw_pairs(
            list(kinds),
            [before.risk[kind] for kind in kinds.values()] if before else None,
            [after.risk[kind] for kind in kinds.values()],
            whole=True,
        ),
        BOTH if before else (),
    )


def describe_higher_risks(noun: str, before: Exposure | None, after: Exposure) -> str:
    """The risks that are higher than in the source, and why; nothing if none is."""
    if before is None:
        return ""
    names = {
        "prosecutor": "highest risk",
        "marketer": "average risk",
        "above_threshold": f"share of {noun} with a risk above {percent(THRESHOLD)}",
    }
    higher = [
        f"the {name} rises from {percent(before.risk[kind])} to {percent(after.risk[kind])}"
        for kind, name in names.items()
        if percent(before.risk[kind]) != percent(after.risk[kind]) and after.risk[kind] > before.risk[kind]
    ]
    if not higher:
        return ""
    size = math.ceil(1 / THRESHOLD)
    return (
        f"But {', and '.join(higher)}: groups are made as small as the promise allows, so {noun} that look like many "
        f"others in the source share a smaller class in the release. In classes of {size} or more, no risk is above "
        f"{percent(THRESHOLD)}."
    )


def chance_words(chance: float) -> str:
    """The chance that a guess is right, in words.

    >>> chance_words(0.25), chance_words(1.0), chance_words(0.3)
    ('one time in 4', 'every time', '30% of the time')
    """
    if chance >= 1:
        return "every time"
    said = one_in(chance)
    return said.replace("1 in", "one time in") if " in " in said else f"{said} of the time"


def guesses(subject: Subject, sa: str, before: Exposure | None, after: Exposure) -> Chart:
    """A chart of how mixed a sensitive attribute is: the share of the most frequent value in each class."""
    position, noun = subject.sa.index(sa), subject.noun
    name, title = f"guess-{position}", f"How mixed is {label(sa)} within classes?"
    if sa not in after.chances:
        return Chart(name, title, describe_hidden_share(subject, position), "Lists or labels leave no class to draw.")
    promised = subject.certificate.bounds.get("l")
    limit = promised_chance(subject)
    every = list(after.chances[sa])
    shown = [after.chances[sa], *([before.chances[sa]] if before else [])]
    first = min(number for number, end in enumerate(every) if any(shares[end] for shares in shown))
    starts, ends = [Fraction(0), *every][first:-1], every[first:]
    sentence = (
        f"In the least mixed class of the release, one value takes {percent(after.privacy[position]['alpha'])} of the "
        f"{noun}; {BETTER_GUESSES}."
    )
    if before:
        certain = percent(before.chances[sa][Fraction(1)])
        sentence += f" In the source, {certain} of the {noun} are in classes that one value has to itself, or nearly."
    return Chart(
        name,
        title,
        sentence,
        f"{noun.capitalize()} are counted by the share of the most frequent value in their class."
        + (f" Red: above the 1/{promised:g} that was promised." if promised else ""),
        draw_pairs(
            [chance_label(start, end) for start, end in zip(starts, ends, strict=True)],
            [before.chances[sa][end] for end in ends] if before else None,
            [after.chances[sa][end] for end in ends],
            marked=[number for number, end in enumerate(ends) if end > limit],
        ),
        BOTH if before else (),
    )


def describe_hidden_share(subject: Subject, position: int) -> str:
    """A sentence about the share of a value that is published in a list, or as a label."""
    tau = subject.certificate.measures[position]["tau"]
    if not isinstance(tau, int | float):
        return "The release publishes lists or labels in place of values; the share of one was not measured."
    return (
        f"The release publishes lists or labels in place of values. One value takes {percent(tau)} of a class at most, "
        f"{EQUALLY_LIKELY}. Whoever knows which value is frequent may know better."
    )


def chance_label(start: Fraction, end: Fraction) -> str:
    """A bin of shares.

    >>> chance_label(Fraction(0), Fraction(1, 10)), chance_label(Fraction(1, 5), Fraction(1, 3))
    ('up to 10%', '20 – 33%')
    >>> chance_label(Fraction(99, 100), Fraction(1))
    'all, or nearly'
    """
    low, high = (int(share * 100) for share in (start, end))
    if end == 1:
        return "all, or nearly"
    return f"{low} – {high}%" if start else f"up to {high}%"
