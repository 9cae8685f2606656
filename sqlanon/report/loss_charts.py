"""Charts of what a release cost: detail lost by column, errors of counts, other settings."""

from __future__ import annotations

from itertools import pairwise

from .charts import Chart, draw_pairs
from .drawing import LINES, curves
from .frontiers import Frontier
from .losses import ERRORS, Loss, QueryErrors
from .words import label, one_in, percent


def loss_by_column(loss: Loss) -> Chart:
    """A chart of the loss of each column."""
    rows = sorted(loss.columns, key=lambda row: -row["ncp"])
    most = rows[0]
    return Chart(
        "loss",
        "What did each column lose?",
        f"{percent(loss.whole['gcp'])} of the detail is lost on average; most of it in {label(most['attribute'])} "
        f"({percent(most['ncp'])})."
        if most["ncp"]
        else "Nothing is lost in the rows that are there: every value is as exact as in the source.",
        "0%: every value is as exact as in the source. 100%: nothing is left of the column.",
        draw_pairs([row["attribute"] for row in rows], None, [row["ncp"] for row in rows], whole=True),
    )


def count_errors(position: int, errors: QueryErrors, several: bool) -> Chart:
    """A chart of the errors of counts."""
    between = [f"{percent(low).removesuffix('%')} – {percent(high)}" for low, high in pairwise(ERRORS)]
    return Chart(
        f"errors-{position}",
        f"How far are counts of {label(errors.column)} off?" if several else "How far are counts off?",
        f"Half of the counts are off by {percent(errors.median)} or less, nine of ten by {percent(errors.nine_tenths)} "
        "or less.",
        f"{errors.queries} random queries, SELECT count(*) with conditions on {errors.dims} columns, "
        f"{label(errors.column)} always among them, that select about 5% of the rows: bars count queries by their "
        "error against the source.",
        draw_pairs([f"up to {percent(ERRORS[0])}", *between, f"more than {percent(ERRORS[-1])}"], None, errors.shares),
    )


def trade_off(frontier: Frontier) -> Chart:
    """A chart of risk and loss under other settings."""
    points = [{"name": each.algo, "across": each.loss, "up": each.risk} for each in frontier.points]
    chosen = frontier.chosen
    marked = {"across": chosen.loss, "up": chosen.risk} if chosen else None
    safer = (
        "how likely a row is found again" if frontier.parameter == "k" else "the largest share of a value in a class"
    )
    names = list(dict.fromkeys(each.algo for each in frontier.points))
    return Chart(
        "frontier",
        "What would other settings have cost?",
        describe_better_settings(frontier),
        f"Each point is a release that was tried and not published. Lower is safer ({safer}), further left "
        "is more exact: the best place is the lower left corner. "
        + (
            f"All were tried on {frontier.sampled:,} rows drawn at random; with all rows, losses would be smaller. "
            if frontier.sampled
            else ""
        )
        + (
            ""
            if chosen
            else "The setting of this release is not known, or cannot be tried on a sample: it is not marked."
        ),
        curves(points, marked, {"across": "detail lost", "chosen": "this release"}),
        [(LINES[position % len(LINES)], label(name)) for position, name in enumerate(names)],
        wide=True,
    )


def describe_better_settings(frontier: Frontier) -> str:
    """Whether something that is at least as safe would have lost less."""
    chosen = frontier.chosen
    if chosen is None:
        best = min(frontier.points, key=lambda each: each.loss)
        return f"The smallest loss is {percent(best.loss)}, with {best.algo} and {one_in(best.risk)}."
    what = "On the sample, the setting of this release" if frontier.sampled else "This release"
    start = f"{what} ({one_in(chosen.risk)}) loses {percent(chosen.loss)}"
    safe = [each for each in frontier.points if each.risk <= chosen.risk * 1.000001]
    best = min([*safe, chosen], key=lambda each: each.loss)
    if best.loss >= chosen.loss * 0.99:
        return f"{start}. Nothing that was tried and is as safe loses less."
    return f"{start}. With {best.algo}, a release that is as safe would lose {percent(best.loss)}."
