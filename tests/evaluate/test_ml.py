"""The worth of a release to a learner: how cells become features, by a plain reading of them, and what trees do."""

from __future__ import annotations

import builtins
import math
from typing import Any

import duckdb
import numpy as np
import pytest
from connections import Row, TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from sqlanon.errors import InvalidParameter, SqlanonError
from sqlanon.evaluate.request import read_evaluation
from sqlanon.ml import ClassificationUtility, classification_utility
from sqlanon.ml.examples import read_examples

pytest.importorskip("sklearn", reason="classification_utility is an extra")

LEAVES = {"north": ["a", "b"], "south": ["c", "d", "e"]}
"""A taxonomy; e does not occur."""


@pytest.fixture(scope="module", autouse=True)
def towns(con: TestConnection) -> None:
    paths = [(leaf, side, "all") for side, leaves in LEAVES.items() for leaf in leaves]
    store(con, "towns", {"leaf": "VARCHAR", "side": "VARCHAR", "everywhere": "VARCHAR"}, paths)


def number_features(cell: str | None, values: list[int | None]) -> list[float]:
    """The middle on a scale from 0 to 1, and the share of NULL, read off what is published as text."""
    known = sorted({value for value in values if value is not None})
    gap = None in values
    if cell is None:
        return [0.5, 1.0]
    if cell == "*":
        low, high, missing = known[0], known[-1], 1 / (len(known) + 1) if gap else 0.0
    else:
        ends = cell.strip("[]").split(", ")
        low, high, missing = int(ends[0]), int(ends[-1]), 0.0
    span = known[-1] - known[0]
    return [((low + high) / 2 - known[0]) / span if span else 0.0, missing]


def category_features(cell: str | None, domain: list[str | None], below: dict[str, list[str]]) -> list[float]:
    """The share of each value of the domain among those covered."""
    covered = domain if cell in ("*", "all") else below.get(str(cell), [cell])
    if cell == "all":
        covered = [value for value in domain if value is not None]
    return [1 / len(covered) if value in covered else 0.0 for value in domain]


def expected_features(rows: list[Row], cells: Row) -> list[float]:
    age, city, town = cells
    cities: list[str | None] = sorted({row[1] for row in rows if row[1] is not None})
    towns: list[str | None] = sorted(leaf for leaves in LEAVES.values() for leaf in leaves)
    features = number_features(age, [row[0] for row in rows])
    features += category_features(city, cities + [None] * any(row[1] is None for row in rows), {})
    return features + category_features(town, towns + [None] * any(row[2] is None for row in rows), LEAVES)


row = st.tuples(
    st.sampled_from([None, 1, 2, 3, 9, 27]),
    st.sampled_from([None, "k", "m", "o"]),
    st.sampled_from([None, "a", "b", "c", "d"]),
    st.sampled_from(["p", "q", "r"]),
)


@settings(deadline=None, max_examples=examples(20))
@given(st.lists(row, min_size=2, max_size=12), st.integers(1, 4), st.sampled_from(["generalize", "suppress"]))
def test_a_cell_becomes_the_mean_of_what_it_covers_in_either_format(
    con: TestConnection, rows: list[Row], k: int, recode: str
) -> None:
    store(con, "t", {"age": "INTEGER", "city": "VARCHAR", "town": "VARCHAR", "sa": "VARCHAR"}, rows)
    how = f"{min(k, len(rows))}, keep := ['sa'], recode := '{recode}', taxonomy := {{'town': 'towns'}}"
    found = {}
    for format in ("text", "typed"):
        con.execute(
            f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['age', 'city', 'town'], {how}, format := '{format}')"
        )
        request = {"src": "t", "rel": "r", "qi": ["age", "city", "town"], "sa": "sa", "taxonomy": {"town": "towns"}}
        source, release = read_examples(con, read_evaluation("info_loss", request), None, 2)
        found[format] = sorted(map(tuple, release.features.tolist()))
        if format == "text":
            cells = con.execute("SELECT age, city, town FROM r").fetchall()
            by_hand = [expected_features(rows, cell) for cell in cells]
            assert found["text"] == [pytest.approx(features, abs=1e-9) for features in sorted(by_hand)]
            exact = [[None if value is None else str(value) for value in row[:3]] for row in rows]
            by_hand = [expected_features(rows, tuple(cell)) for cell in exact]
            of_source = sorted(source.features.tolist())
            assert of_source == [pytest.approx(features, abs=1e-9) for features in sorted(by_hand)]
        _, drawn = read_examples(con, read_evaluation("info_loss", request), None, 2, np.random.default_rng(0))
        categories = slice(2, None)  # a number has two features
        assert set(drawn.features[:, categories].flat) <= {0.0, 1.0}
        assert (drawn.features[:, categories].sum(axis=1) == 2).all(), "one city and one town"
        assert (release.features[:, categories][drawn.features[:, categories] == 1] > 0).all(), "of those covered"
        assert {number for number, _ in drawn.features[:, :2]} <= {number for number, _ in source.features[:, :2]}
    assert found["typed"] == [pytest.approx(features, abs=1e-9) for features in found["text"]]


@pytest.fixture
def people(con: TestConnection) -> str:
    """Whose income follows from age and job, but for one in eleven."""
    con.execute(
        """
        CREATE OR REPLACE TABLE people AS
        SELECT i AS id, 20 + i * 7 % 50 AS age, ['clerk', 'nurse', 'smith'][1 + i * 5 % 3] AS job,
            CASE WHEN (20 + i * 7 % 50 > 45) <> (i % 11 = 3) THEN 'high' ELSE 'low' END AS income
        FROM range(600) AS r(i)
        """
    )
    return "people"


def publish(con: TestConnection, k: int, more: str = "") -> None:
    publish = f"kanonymous('people', ['age', 'job'], {k}, keep := ['income', 'id'] {more})"
    con.execute(f"CREATE OR REPLACE TABLE r AS FROM {publish}")


def measure(con: TestConnection, **how: Any) -> ClassificationUtility:
    return classification_utility(con, "people", "r", ["age", "job"], "income", **how)


@pytest.mark.parametrize("format", ["text", "typed"])
def test_a_release_that_tells_all_is_worth_as_much_as_its_source(con: TestConnection, people: str, format: str) -> None:
    publish(con, 1, f", format := '{format}'")
    found = measure(con, key="id")
    assert found.release_accuracy == found.source_accuracy == pytest.approx(10 / 11, abs=0.02)
    assert (found.ratio, found.folds) == (1.0, 10)
    assert measure(con, key="id", cells="draw").release_accuracy == found.release_accuracy
    assert measure(con).release_accuracy == pytest.approx(10 / 11, abs=0.02)


@pytest.mark.parametrize("format", ["text", "typed"])
def test_a_release_that_tells_nothing_is_worth_a_guess(con: TestConnection, people: str, format: str) -> None:
    publish(con, 600, f", format := '{format}'")
    found = measure(con, key="id", cells="mean")
    (frequent,) = con.execute("SELECT max(n) / 600 FROM (SELECT count(*) AS n FROM people GROUP BY income)").fetchall()[
        0
    ]
    assert found.baseline == frequent
    assert found.release_accuracy == found.baseline < found.source_accuracy
    drawn = measure(con, key="id", cells="draw")
    assert abs(drawn.release_accuracy - found.baseline) < 0.1, "a tree finds patterns in any noise"


def test_without_a_key_the_rows_tested_have_been_learned_from(con: TestConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE people AS SELECT i id, i AS age, 0 AS job, hash(i) % 2 AS income FROM range(400) r(i)"
    )
    publish(con, 1)
    found, leaked = measure(con, key="id", min_rows=1), measure(con, min_rows=1)
    assert found.release_accuracy < 0.6, "noise cannot be told"
    assert leaked.release_accuracy > 0.8, "but it can be remembered"


def test_trees_that_see_draws_are_no_worse_than_a_guess_where_groups_are_large(
    con: TestConnection, people: str
) -> None:
    publish(con, 100)
    found = measure(con, key="id", cells="draw")
    assert found.baseline + 0.1 < found.release_accuracy < found.source_accuracy


def test_the_same_seed_gives_the_same_answer_whatever_the_order_of_rows(con: TestConnection, people: str) -> None:
    publish(con, 20)
    found = [measure(con, key="id", seed=3, folds=4), measure(con, seed=3, folds=4)]
    con.execute("CREATE OR REPLACE TABLE people AS FROM people ORDER BY hash(id)")
    con.execute("CREATE OR REPLACE TABLE r AS FROM r ORDER BY hash(id)")
    assert found == [measure(con, key="id", seed=3, folds=4), measure(con, seed=3, folds=4)]
    assert found[0].folds == 4


def test_the_rows_of_the_source_come_in_one_order_whatever_values_a_release_lists(
    con: TestConnection, people: str
) -> None:
    con.execute("UPDATE people SET age = NULL WHERE job = 'nurse'")
    request = {"src": "people", "rel": "r", "qi": ["job", "age"], "sa": "income"}
    ages = []
    for format in ("text", "typed"):
        publish(con, 400, f", nulls := 'exclude', format := '{format}'")
        if format == "typed":
            con.execute("UPDATE r SET job = (SELECT list(DISTINCT job ORDER BY job) FROM people WHERE NOT age IS NULL)")
        source, release = read_examples(con, read_evaluation("info_loss", request), None, 2)
        ages.append(source.features[:, -2:].tolist())
        assert release.features[0, :3].tolist() == ([1 / 3] * 3 if format == "text" else [1 / 2, 0, 1 / 2])
    assert ages[0] == ages[1]


def test_of_values_that_are_listed_one_is_drawn(con: TestConnection, people: str) -> None:
    publish(con, 400, ", format := 'typed'")
    con.execute("UPDATE r SET job = ['clerk', 'smith']")
    request = read_evaluation("info_loss", {"src": "people", "rel": "r", "qi": ["job", "age"], "sa": "income"})
    _, release = read_examples(con, request, None, 2, np.random.default_rng(4))
    jobs = release.features[:, :3]
    assert jobs.shape == (600, 3)
    assert set(map(tuple, jobs.tolist())) == {(1, 0, 0), (0, 0, 1)}
    assert 0.4 < jobs[:, 0].mean() < 0.6


@pytest.mark.parametrize("format", ["text", "typed"])
def test_a_list_of_sensitive_values_counts_as_each_of_them_in_part(con: TestConnection, format: str) -> None:
    con.execute(
        """
        CREATE OR REPLACE TABLE people AS
        SELECT i AS id, i % 2 AS age, 'x' AS job, CASE WHEN i % 8 < 2 THEN NULL ELSE 'v' || i % 4 END AS income
        FROM range(80) AS r(i)
        """
    )
    publish = f"ldiverse('people', ['age', 'job'], 'income', 2, algo := 'anatomy', format := '{format}')"
    con.execute(f"CREATE OR REPLACE TABLE r AS FROM {publish}")
    request = read_evaluation("info_loss", {"src": "people", "rel": "r", "qi": ["age", "job"], "sa": "income"})
    source, release = read_examples(con, request, None, 2)
    told = [0.0] * 5
    for group in con.execute("SELECT list(income) FROM r GROUP BY group_id").fetchall():
        assert len(group[0]) >= 2
    for code, weight in zip(release.classes.tolist(), release.weights.tolist(), strict=True):
        told[code] += weight
    counts = con.execute("SELECT count(*) FROM people GROUP BY income ORDER BY income NULLS LAST").fetchall()
    assert told == [pytest.approx(count) for (count,) in counts]
    assert source.weights.sum() == pytest.approx(80) == release.weights.sum()
    assert 0 <= measure(con, folds=4).release_accuracy <= 1


def test_numbers_without_end_and_rows_left_out(con: TestConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE people AS SELECT i id, i % 3 income, 'x' AS job, i::DOUBLE AS age FROM range(30) r(i)"
    )
    con.execute(
        "INSERT INTO people VALUES (98, 1, 'x', 'inf'), (99, 1, NULL, 'nan'), (97, 2, 'x', '-inf'), (96, 0, 'x', NULL)"
    )
    publish(con, 3)
    con.execute("DELETE FROM r WHERE id < 10")
    found = measure(con, key="id", folds=3)
    assert all(0 <= share <= 1 and not math.isnan(share) for share in (found.release_accuracy, found.source_accuracy))


@pytest.mark.parametrize(
    ("how", "code", "says"),
    [
        ({"folds": 1}, "SA102", "folds = 1"),
        ({"folds": 601}, "SA202", "folds = 601"),
        ({"cells": "median"}, "SA102", "Choose one of: draw, mean"),
        ({"min_rows": 0}, "SA102", "min_rows = 0"),
        ({"seed": -1}, "SA102", "seed"),
        ({"key": "age"}, "SA101", "in both qi and key"),
        ({"key": "job_id"}, "SA101", "no column 'job_id' in src"),
        ({"taxonomy": {"zip": "towns"}}, "SA101", "not in qi"),
        ({"target": None}, "SA102", "target must be a column name"),
        ({"target": "age"}, "SA101", "'age'"),
        ({"qi": []}, "SA102", "qi is empty"),
        ({"src": "people; DROP TABLE people"}, "SA103", "src"),
        ({"rel": "(SELECT age, income FROM r)"}, "SA301", "no column 'job' in rel"),
        ({"rel": "(FROM r LIMIT 0)"}, "SA301", "no rows to learn from"),
        ({"rel": "(SELECT * REPLACE ('none' AS income) FROM r)"}, "SA301", "outside the domain of src"),
        ({"rel": "(SELECT * REPLACE ('99' AS age) FROM r)"}, "SA301", "'age'"),
        ({"rel": "(SELECT * REPLACE (id + 1 AS id) FROM r)", "key": "id"}, "SA301", "key has a value in rel"),
        ({"src": "(SELECT * REPLACE (1 AS id) FROM people)", "key": "id"}, "SA102", "occurs twice"),
    ],
)
def test_what_cannot_be_measured_says_why(
    con: TestConnection, people: str, how: dict[str, Any], code: str, says: str
) -> None:
    publish(con, 5)
    asked = {"src": "people", "rel": "r", "qi": ["age", "job"], "target": "income", **how}
    with pytest.raises(SqlanonError) as caught:
        classification_utility(con, **asked)
    assert caught.value.code == code
    assert says in str(caught.value)


def test_a_table_that_is_not_there_is_an_error_of_duckdb(con: TestConnection) -> None:
    with pytest.raises(duckdb.CatalogException):
        classification_utility(con, "nowhere", "r", ["age"], "income")


def test_without_scikit_learn_the_error_says_what_to_install(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.startswith("sklearn"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(InvalidParameter, match=r"\[SA102\].*pip install 'sqlanon\[ml\]'"):
        classification_utility(con, "people", "r", ["age"], "income")
