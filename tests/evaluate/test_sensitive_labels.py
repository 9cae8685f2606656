"""A release that generalizes sensitive values too, the paper's Fig. 3(a): every function that reads it, exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from connections import TestConnection, store
from hospital import MICRODATA, RELEASE, TREES
from oracles.divergence import Shares, cell_masses, divergence

QI = "['age', 'zip']"
TAXONOMY = "taxonomy := {'age': 'ages', 'zip': 'zips', 'disease': 'diseases'}"
NAMES = ("age", "zip", "disease")
LISTED = {"hemal disease": "['anemia', 'hepatitis']", "*": "['*']"}
HIDDEN = tuple((*qi, "*" if disease == "hemal disease" else disease) for *qi, disease in RELEASE)
ROOT = tuple((*qi, "any disease" if disease == "hemal disease" else disease) for *qi, disease in RELEASE)
RELEASES = {"labels": RELEASE, "stars": HIDDEN, "root": ROOT}
each_release = pytest.mark.parametrize(
    ("rel", "rows"),
    [("labels", RELEASE), ("typed", RELEASE), ("stars", HIDDEN), ("typed_stars", HIDDEN), ("root", ROOT)],
    ids=lambda each: each if isinstance(each, str) else "",
)
Rows = Sequence[tuple[str, ...]]


@pytest.fixture(scope="module", autouse=True)
def hospital(con: TestConnection) -> None:
    columns = dict.fromkeys(NAMES, "VARCHAR")
    store(con, "source", columns, MICRODATA)
    for name, rows in RELEASES.items():
        store(con, name, columns, rows)
    for name, tree in TREES.items():
        store(con, f"{name}s", dict.fromkeys(("leaf", "label", "root"), "VARCHAR"), tree)
    for typed, plain in (("typed", "labels"), ("typed_stars", "stars")):
        whens = " ".join(f"WHEN '{label}' THEN {items}" for label, items in LISTED.items())
        con.execute(
            f"CREATE TABLE {typed} AS SELECT age, zip, CASE disease {whens} ELSE [disease] END AS disease FROM {plain}"
        )


def told(row: tuple[str, ...]) -> list[Shares]:
    """The beliefs that a row allows, column by column: all leaves below its label alike."""
    each: list[Shares] = []
    for name, label in zip(NAMES, row, strict=True):
        leaves = [path[0] for path in TREES[name] if label in (*path, "*")]
        each.append({leaf: Fraction(1, len(leaves)) for leaf in leaves})
    return each


def expect(rows: Rows, **allowed: Sequence[str]) -> Fraction:
    """The rows that a release lets expect whose columns have one of the values."""
    total = Fraction(0)
    for row in rows:
        share = Fraction(1)
        for name, values in allowed.items():
            shares = told(row)[NAMES.index(name)]
            share *= sum((shares.get(value, Fraction(0)) for value in values), Fraction(0))
        total += share
    return total


def near(measure: Fraction | float | None) -> Any:
    return pytest.approx(float(measure or 0), rel=1e-9)


@each_release
def test_example_15_information_counts_the_leaves_of_sensitive_labels(
    con: TestConnection, rel: str, rows: Rows
) -> None:
    ((gcp, information),) = con.rows(
        f"SELECT gcp, information FROM info_loss('source', '{rel}', {QI}, sa := 'disease', {TAXONOMY})"
    )
    kept = sum((Fraction(1, len(shares)) for row in rows for shares in told(row)), Fraction(0))
    assert information == near(kept / (12 * 3))
    if rows is RELEASE:
        assert kept == 13
        assert round(information, 2) == 0.36
    assert gcp == near(Fraction(8 * (10 + 10) + 4 * (20 + 20), 12 * 2 * 20))


@each_release
def test_kl_spreads_a_sensitive_label_over_its_leaves(con: TestConnection, rel: str, rows: Rows) -> None:
    ((kl,),) = con.rows(f"FROM kl_divergence('source', '{rel}', {QI}, 'disease', {TAXONOMY})")
    actual = Counter(MICRODATA)
    believed = cell_masses([*map(told, rows)], set(actual), range(3))
    assert kl == near(divergence(actual, believed, Fraction(12), None))


@each_release
@pytest.mark.parametrize("level", [1, 2, 3])
def test_cube_kl_does_so_in_every_group_by(con: TestConnection, rel: str, rows: Rows, level: int) -> None:
    found = con.rows(f"FROM cube_kl('source', '{rel}', {QI}, 'disease', {level}, {TAXONOMY})")
    assert [names for names, _ in found] == [[*names] for names in combinations(NAMES, level)]
    for names, kl in found:
        chosen = [NAMES.index(name) for name in names]
        actual = Counter(tuple(row[column] for column in chosen) for row in MICRODATA)
        believed = cell_masses([*map(told, rows)], set(actual), chosen)
        assert kl == near(divergence(actual, believed, Fraction(12), Fraction(1, 2)))


@each_release
@pytest.mark.parametrize("disease", ["anemia", "hepatitis", "flu"])
def test_cube_kl_of_one_sensitive_value_counts_its_share_of_labels(
    con: TestConnection, rel: str, rows: Rows, disease: str
) -> None:
    found = con.rows(f"FROM cube_kl('source', '{rel}', {QI}, 'disease', 1, value := '{disease}', {TAXONOMY})")
    for (name,), kl in found:
        chosen = (NAMES.index(name), 2)
        actual = Counter(tuple(row[column] for column in chosen) for row in MICRODATA if row[2] == disease)
        believed = cell_masses([*map(told, rows)], set(actual), chosen)
        assert kl == near(divergence(actual, believed, expect(rows, disease=[disease]), Fraction(1, 2)))


CONDITIONS: dict[str, dict[str, Sequence[str]]] = {
    "disease = 'anemia'": {"disease": ["anemia"]},
    "disease IN ('anemia', 'tuberculosis')": {"disease": ["anemia", "tuberculosis"]},
    "disease <> 'hepatitis' AND age < '25'": {
        "disease": ["anemia", "flu", "tuberculosis"],
        "age": ["20", "21", "22", "23", "24"],
    },
    "disease = 'hepatitis' AND zip = '10001'": {"disease": ["hepatitis"], "zip": ["10001"]},
}


@each_release
@pytest.mark.parametrize("condition", CONDITIONS)
def test_counts_expect_the_share_of_a_label(con: TestConnection, rel: str, rows: Rows, condition: str) -> None:
    estimate = near(expect(rows, **CONDITIONS[condition]))
    asked = f"(SELECT $${condition}$$ AS predicate)"
    arguments = f"'source', '{rel}', {QI}, 'disease', predicates := {quote(asked)}, {TAXONOMY}"
    found = con.rows(f"SELECT estimate FROM count_query_error({arguments})")
    assert found == [(estimate,)]
    asked = f"SELECT count(*) FROM patients WHERE {condition}"
    assert con.rows(f"SELECT estimate FROM estimate('{rel}', {quote(asked)}, {TAXONOMY})") == [(estimate,)]


def quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@each_release
def test_random_queries_read_labels_as_well(con: TestConnection, rel: str, rows: Rows) -> None:
    for predicate, estimate in con.rows(
        f"""SELECT predicate, estimate FROM count_query_error('source', '{rel}', {QI}, 'disease', 1, queries := 20,
        selectivity := 0.5, {TAXONOMY})"""
    ):
        asked = [path[0] for path in TREES["disease"] if f"'{path[0]}'" in predicate]
        assert estimate == near(expect(rows, disease=asked))


@each_release
def test_estimate_groups_by_the_leaves(con: TestConnection, rel: str, rows: Rows) -> None:
    found = con.rows(
        f"""SELECT disease, estimate FROM estimate('{rel}', 'SELECT disease, count(*) FROM p GROUP BY disease',
        {TAXONOMY}) ORDER BY disease"""
    )
    assert found == [
        (leaf, near(expect(rows, disease=[leaf]))) for leaf in sorted(path[0] for path in TREES["disease"])
    ]


@each_release
def test_estimate_says_between_which_counts_it_must_be(con: TestConnection, rel: str, rows: Rows) -> None:
    asked = quote("SELECT count(*) FROM p WHERE disease = 'anemia'")
    ((lower, upper),) = con.rows(f"SELECT lower, upper FROM estimate('{rel}', {asked}, {TAXONOMY})")
    shares = [told(row)[2].get("anemia", Fraction(0)) for row in rows]
    assert (lower, upper) == (shares.count(Fraction(1)), sum(share > 0 for share in shares))


@each_release
def test_privacy_takes_labels_for_values_and_their_leaves_for_the_distance(
    con: TestConnection, rel: str, rows: Rows
) -> None:
    arguments = f"'{rel}', {QI}, 'disease', taxonomy := {{'disease': 'diseases'}}"
    ((distinct, by_tree),) = con.rows(f"SELECT distinct_l, t_hierarchical FROM privacy({arguments})")
    assert distinct == 3
    classes = {row[:2]: [other for other in rows if other[:2] == row[:2]] for row in rows}
    assert by_tree == near(max(tree_distance(inside, rows) for inside in classes.values()))


def tree_distance(inside: Rows, everywhere: Rows) -> Fraction:
    """The mass that crosses edges, times 1/4, their length: diseases of two kinds are 1 apart, two of a kind 1/2."""
    branches = [[path[0]] for path in TREES["disease"]]
    branches += [[path[0] for path in TREES["disease"] if path[1] == kind] for kind in {p[1] for p in TREES["disease"]}]
    return (
        sum(
            (
                abs(expect(inside, disease=below) / len(inside) - expect(everywhere, disease=below) / len(everywhere))
                for below in branches
            ),
            Fraction(0),
        )
        / 4
    )
