"""t-closeness by a taxonomy, against the earth mover's distance on a tree."""

from __future__ import annotations

import random
from fractions import Fraction

import duckdb
import pytest
from connections import TestConnection

PATHS = {
    "gastritis": ("stomach", "digestive", "*"),
    "gastric ulcer": ("stomach", "digestive", "*"),
    "colitis": ("colon", "digestive", "*"),
    "flu": ("respiratory infection", "respiratory", "*"),
    "pneumonia": ("respiratory infection", "respiratory", "*"),
    "bronchitis": ("bronchi", "respiratory", "*"),
}
HEIGHT = 3


Masses = dict[str | None, Fraction]


def masses(values: list[str | None], everywhere: list[str | None]) -> Masses:
    """The share of each leaf. A label counts alike for the leaves below it; a star for all of them, and NULL."""
    shares: Masses = dict.fromkeys([*PATHS, None], Fraction(0))
    for value in values:
        below: list[str | None] = [leaf for leaf, above in PATHS.items() if value in (leaf, *above)]
        below += [None] if value is None or (value == "*" and None in everywhere) else []
        for leaf in below:
            shares[leaf] += Fraction(1, len(below) * len(values))
    return shares


def tree_distance(inside: list[str | None], everywhere: list[str | None]) -> Fraction:
    """The sum of the mass that crosses each edge of the tree, times its length. A step up is 1/(2 · height), so two
    values are as far apart as the level of their lowest common ancestor over the height; NULL hangs from the root by
    one long edge.
    """
    nodes: dict[tuple[object, ...], tuple[Fraction, list[str | None]]] = {}
    for leaf, (low, middle, _) in PATHS.items():
        for node in ((0, leaf), (1, low), (2, middle)):
            nodes.setdefault(node, (Fraction(1, 2 * HEIGHT), []))[1].append(leaf)
    nodes[("NULL",)] = (Fraction(1, 2), [None])
    q, p = masses(inside, everywhere), masses(everywhere, everywhere)
    return sum(
        (length * abs(sum(q[leaf] - p[leaf] for leaf in leaves)) for length, leaves in nodes.values()),
        Fraction(0),
    )


@pytest.fixture(scope="module", autouse=True)
def levels(con: TestConnection) -> None:
    con.execute("CREATE TABLE levels (leaf VARCHAR, low VARCHAR, middle VARCHAR, root VARCHAR)")
    con.executemany("INSERT INTO levels VALUES (?, ?, ?, ?)", [(leaf, *above) for leaf, above in PATHS.items()])


@pytest.fixture(autouse=True)
def t(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE t (class INTEGER, disease VARCHAR)")


LABELS = sorted({label for above in PATHS.values() for label in above})


@pytest.mark.parametrize("labels", [[], LABELS], ids=["leaves", "labels"])
@pytest.mark.parametrize("seed", range(12))
def test_hierarchical_t_is_the_earth_movers_distance_on_the_tree(
    con: TestConnection, seed: int, labels: list[str]
) -> None:
    draw = random.Random(seed)
    values: list[str | None] = [*PATHS, *labels, None] if seed % 2 else [*PATHS, *labels]
    rows = [(draw.randrange(4), draw.choice(values)) for _ in range(draw.randrange(1, 25))]
    con.executemany("INSERT INTO t VALUES (?, ?)", rows)
    everywhere = [value for _, value in rows]
    classes = {c: [value for d, value in rows if d == c] for c, _ in rows}
    expected = max(tree_distance(inside, everywhere) for inside in classes.values())
    found = con.execute(
        "SELECT t_hierarchical FROM privacy('t', ['class'], 'disease', taxonomy := {'disease': 'levels'})"
    )
    assert found.fetchall()[0][0] == pytest.approx(float(expected), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    "taxonomy",
    [
        "(FROM levels WHERE leaf <> ''flu'')",
        "(SELECT leaf, low, middle, leaf FROM levels)",
        "(SELECT leaf, low, CASE leaf WHEN ''flu'' THEN ''else'' ELSE middle END, root FROM levels)",
    ],
    ids=["a leaf is missing", "two roots", "two parents"],
)
def test_a_taxonomy_that_is_no_tree_or_lacks_a_leaf_is_sa105(con: TestConnection, taxonomy: str) -> None:
    con.executemany("INSERT INTO t VALUES (?, ?)", [(1, "flu"), (1, "colitis")])
    with pytest.raises(duckdb.Error, match=r"\[SA105\]"):
        con.execute(f"FROM privacy('t', ['class'], 'disease', taxonomy := {{'disease': '{taxonomy}'}})").fetchall()
