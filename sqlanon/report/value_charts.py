"""Charts of sensitive attributes: how often each value occurs."""

from __future__ import annotations

from .charts import BOTH, Chart, draw_pairs, missing_chart
from .distributions import Distribution
from .subject import Subject
from .words import EQUALLY_LIKELY, label, percent

EXPECTED = (
    f"The release publishes lists or labels. What is drawn is expected of them {EQUALLY_LIKELY}, which may be far from "
    "the truth: nothing in the release says so. "
)


def sensitive_values(subject: Subject, sa: str, distribution: Distribution | str) -> Chart:
    """A chart of the frequencies of sensitive values."""
    name, title = f"values-{subject.sa.index(sa)}", f"How is {label(sa)} distributed?"
    if isinstance(distribution, str):
        return missing_chart(name, title, distribution)
    order = "in the order of their numbers" if distribution.in_order else "the most frequent value first"
    return Chart(
        name,
        title,
        describe_changes(distribution),
        (EXPECTED if distribution.estimated else "") + f"Bars are shares of all rows, {order}.",
        draw_pairs(distribution.labels, distribution.before, distribution.after),
        BOTH if distribution.before is not None else (),
    )


def describe_changes(distribution: Distribution) -> str:
    """A sentence about the distribution."""
    said = difference(distribution)
    return f"I{EQUALLY_LIKELY[1:]}, {said[0].lower()}{said[1:]}" if distribution.estimated else said


def difference(distribution: Distribution) -> str:
    """The most frequent value, or how far the release is from the source."""
    before, after = distribution.before, distribution.after
    if before is None:
        position = max(range(len(after)), key=lambda each: after[each]) if distribution.in_order else 0
        what = "range" if distribution.in_order else "value"
        return (
            f"The most frequent {what} is {distribution.labels[position]}, in {percent(after[position])} of the rows."
        )
    moved = max(abs(one - other) for one, other in zip(before, after, strict=True))
    if moved < 0.0005:
        return "The release has the same shares as the source."
    return f"No share differs from the source by more than {moved * 100:.1f} percentage points."
