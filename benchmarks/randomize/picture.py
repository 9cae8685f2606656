"""The paper's Figure 7 as a PNG: people by age and occupation, as they are, and as they are reconstructed.

Needs matplotlib, from the extra `benchmarks`.
"""

from __future__ import annotations

from pathlib import Path

from .measures import ADDING, BAYES, LIKELIHOOD, distances
from .rating import Floats
from .results import SHOWN_L, Picture

TITLES = {
    "original": "The source",
    LIKELIHOOD: "Likelihood",
    BAYES: "Bayes",
    ADDING: "ValueAdding",
}
FONT = 11


def draw_picture(picture: Picture, file: Path) -> None:
    """Heat maps side by side, with one scale of colors; frequent occupations on top."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    truth = picture.counts["original"]
    order = truth.sum(axis=1).argsort()[::-1]
    with matplotlib.rc_context({"font.size": FONT}):
        figure, axes = pyplot.subplots(1, len(TITLES), figsize=(15, 5), sharey=True, layout="constrained")
        for axis, (name, title) in zip(axes, TITLES.items(), strict=True):
            counts = picture.counts[name]
            image = axis.imshow(counts[order], cmap="YlGnBu", vmin=0, vmax=truth.max(), aspect="auto")
            axis.set_title(f"{title}\n{caption(truth, counts, name)}", fontsize=FONT + 1)
            axis.set_xticks(range(1, len(picture.ages), 3), [str(age) for age in picture.ages[1::3]])
            axis.set_xlabel("age")
        axes[0].set_yticks(range(len(order)), [picture.occupations[i] for i in order])
        figure.colorbar(image, ax=axes, label="people", fraction=0.03)
        figure.savefig(file, dpi=100)
        pyplot.close(figure)


def caption(truth: Floats, counts: Floats, name: str) -> str:
    """How many people, or how many of them are in a wrong cell."""
    if name == "original":
        return f"{truth.sum():,.0f} people"
    return f"lists of {SHOWN_L}; {distances(truth.ravel(), counts.ravel())[0] / 2:.0%} in a wrong cell"
