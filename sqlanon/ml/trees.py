"""A decision tree learned from a release, against one learned from its source.

Needs scikit-learn: `pip install sqlanon[ml]`. After the experiment of Tian and Zhang (2011), section 5.3.2, where each
general value is replaced by one that it covers, drawn at random (`cells="draw"`). Their mean leaves nothing to chance,
but a tree that has seen only means of many values may misread single ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np

from sqlanon.arguments import choice, refuse_repeats, text, whole
from sqlanon.errors import InvalidParameter

from .examples import read_examples, read_learner_arguments

CELLS = ("draw", "mean")


@dataclass(frozen=True)
class ClassificationUtility:
    """Shares of the source's rows that are classified correctly when they are held out.

    By a tree learned from the source, by one learned from the release, and by always naming the most frequent class.
    """

    source_accuracy: float
    release_accuracy: float
    baseline: float
    folds: int

    @property
    def ratio(self) -> float:
        """The accuracy that the release keeps: that of the release over that of the source."""
        return self.release_accuracy / self.source_accuracy if self.source_accuracy else float("nan")


def classification_utility(
    con: duckdb.DuckDBPyConnection,
    src: str,
    rel: str,
    qi: Sequence[str],
    target: str,
    *,
    taxonomy: Mapping[str, str] | None = None,
    key: str | None = None,
    cells: str = "draw",
    folds: int = 10,
    min_rows: int = 20,
    seed: int = 0,
) -> ClassificationUtility:
    """Learn `target` from the columns `qi`, of the source and of the release; test both on held-out source rows.

    `target` is the sensitive attribute or a column that the release keeps. `key` is a column that both have and that
    tells rows apart (publish with `keep`): then the rows held out are left out of the release too. Without it nobody
    knows which they are; as many rows of the release are left out by chance, which flatters it a little. `cells` says
    how a tree sees a published value: one of the values covered, by a `draw`, or the `mean` of these. Leaves of a
    tree hold at least `min_rows` rows.
    """
    learner = tree_learner()
    request = read_learner_arguments(src, rel, qi, target, taxonomy)
    if key is not None:
        refuse_repeats({"qi": request.qi, "target": (target,), "key": (text("key", key),)}, reserved=())
    folds, seed = whole("folds", folds, 2), whole("seed", seed, 0)
    min_rows = whole("min_rows", min_rows, 1)
    draw_of_cells = np.random.default_rng([seed, 1]) if choice("cells", cells, CELLS) == "draw" else None
    source, release = read_examples(con, request, key, folds, draw_of_cells)
    rows = source.classes.size
    draw = np.random.default_rng(seed)  # whatever the release, the source's rows fall into the same folds
    fold_of = draw.permutation(rows) % folds
    left_out = draw.permutation(release.row.max() + 1) % folds if key is None else fold_of
    hits = np.zeros(3)
    for fold in range(folds):
        held_out = fold_of == fold
        truth = source.classes[held_out]
        seen, learned = source.only(~held_out), release.only(left_out[release.row] != fold)
        common = np.bincount(seen.classes).argmax()
        for i, learned_from in enumerate((seen, learned)):
            guess = common
            if learned_from.classes.size:
                tree = learner(criterion="entropy", min_samples_leaf=min_rows, random_state=seed)
                tree.fit(learned_from.features, learned_from.classes, learned_from.weights)
                guess = tree.predict(source.features[held_out])
            hits[i] += np.count_nonzero(guess == truth)
        hits[2] += np.count_nonzero(common == truth)
    from_source, from_release, guessed = (hits / rows).tolist()
    return ClassificationUtility(from_source, from_release, guessed, folds)


def tree_learner() -> Any:
    """The decision tree of scikit-learn, which is an extra."""
    try:
        from sklearn.tree import DecisionTreeClassifier
    except ImportError:
        raise InvalidParameter(
            "classification_utility needs scikit-learn, which is not installed.", "pip install 'sqlanon[ml]'"
        ) from None
    return DecisionTreeClassifier
