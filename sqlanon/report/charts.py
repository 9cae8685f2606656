"""A chart of a report: a drawing, and a sentence that says what to read off it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .drawing import AFTER, BEFORE, bars
from .words import label, percent

Legend = Sequence[tuple[str, str]]
"""Colours and what they stand for."""

BOTH: Legend = ((BEFORE, "source"), (AFTER, "release"))


@dataclass(frozen=True)
class Chart:
    """A drawing, or the reason why there is none; `sentence` is what to read off, `help` how."""

    name: str
    title: str
    sentence: str
    help: str = ""
    svg: str = ""
    legend: Legend = ()
    wide: bool = False


def missing_chart(name: str, title: str, reason: str) -> Chart:
    """A chart that cannot be drawn."""
    return Chart(name, title, f"It cannot be drawn: {reason}")


def draw_pairs(
    labels: Sequence[str],
    before: Sequence[float] | None,
    after: Sequence[float],
    whole: bool = False,
    marked: Sequence[int] = (),
) -> str:
    """Bars of shares: before, if there is a source, and after."""
    series = {AFTER: after} if before is None else {BEFORE: before, AFTER: after}
    texts = {color: [percent(share) for share in shares] for color, shares in series.items()}
    return bars([label(each) for each in labels], series, texts, whole=whole, marked=marked)
