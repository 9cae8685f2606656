"""Charts of sensitive attributes: how often each value occurs."""

from __future__ import annotations

from collections.abc import Sequence

from .charts import BOTH, Chart, missing, paired
from .distributions import Distribution
from .subject import Subject
from .words import label, percent


def sensitive_values(subject: Subject, sa: str, distribution: Distribution | str) -> Chart:
    """How often each sensitive value occurs."""
    name, title = f"values-{subject.sa.index(sa)}", f"How is {label(sa)} distributed?"
    if isinstance(distribution, str):
        return missing(name, title, distribution)
    others = distribution.others > 0
    labels = [*map(label, distribution.values), *([f"{distribution.others:,} others"] if others else [])]
    after = [*distribution.after, *([distribution.others_after] if others else [])]
    before = None
    if distribution.before is not None:
        before = [*distribution.before, *([distribution.others_before] if others else [])]
    return Chart(
        name,
        title,
        changed(labels, before, after),
        ("What the release lets expect, as it publishes lists or labels. " if distribution.estimated else "")
        + "Bars are shares of all rows, the most frequent value first.",
        paired(labels, before, after),
        BOTH if before is not None else (),
    )


def changed(labels: Sequence[str], before: Sequence[float] | None, after: Sequence[float]) -> str:
    """What the distribution says."""
    if before is None:
        place = max(range(len(after)), key=lambda each: after[each])
        return f"The most frequent value is {labels[place]}, in {percent(after[place])} of the rows."
    moved = max(abs(one - other) for one, other in zip(before, after, strict=True))
    if moved < 0.0005:
        return "The release has the same shares as the source."
    return f"No share differs from the source by more than {moved * 100:.1f} percentage points."
