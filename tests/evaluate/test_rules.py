"""Classification rules of tables and releases: against a plain search, and by hand."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest
from connections import Row, TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from sqlanon.errors import SqlanonError
from sqlanon.ml import PreservedRules, Rule, preserved_rules, rules

COLUMNS = {"age": "INTEGER", "city": "VARCHAR", "sex": "VARCHAR", "illness": "VARCHAR"}
QI = list(COLUMNS)[:-1]
ILLNESSES = [("flu", "lungs", "*"), ("cough", "lungs", "*"), ("ulcer", "belly", "*"), ("never", "belly", "*")]


@pytest.fixture(scope="module", autouse=True)
def illnesses(con: TestConnection) -> None:
    store(con, "illnesses", {"leaf": "VARCHAR", "part": "VARCHAR", "everything": "VARCHAR"}, ILLNESSES)


def searched_rules(rows: list[Row], accuracy: float, cover: int, conditions: int) -> set[Any]:
    """All conjunctions that are rules, one by one, without those that have a part which is one."""
    holding = {}
    for size in range(1, conditions + 1):
        for columns in combinations(range(len(QI)), size):
            for values in product(*({row[column] for row in rows} for column in columns)):
                covered = [row for row in rows if tuple(row[column] for column in columns) == values]
                for target in {row[-1] for row in covered}:
                    hits = sum(row[-1] == target for row in covered)
                    if len(covered) >= cover and hits / len(covered) >= accuracy:
                        texts = (None if value is None else str(value) for value in values)
                        named = zip((QI[column] for column in columns), texts, strict=True)
                        holding[tuple(named), target] = hits / len(covered), len(covered)
    return {
        (conditions, target, *figures)
        for (conditions, target), figures in holding.items()
        if not any((part, target) in holding for n in range(1, len(conditions)) for part in combinations(conditions, n))
    }


def written_out(found: tuple[Rule, ...]) -> set[Any]:
    return {(rule.conditions, rule.target, rule.accuracy, rule.cover) for rule in found}


person = st.tuples(
    st.sampled_from([None, 1, 2, 3]),
    st.sampled_from([None, "k", "m"]),
    st.sampled_from(["f", "m"]),
    st.sampled_from([None, "flu", "cough"]),
)


@settings(deadline=None, max_examples=examples(25))
@given(st.lists(person, min_size=1, max_size=24), st.sampled_from([0.5, 0.7, 1]), st.integers(1, 4), st.integers(1, 4))
def test_the_rules_of_a_table_are_those_of_a_plain_search(
    con: TestConnection, rows: list[Row], accuracy: float, cover: int, conditions: int
) -> None:
    store(con, "people", COLUMNS, rows)
    found = rules(con, "people", QI, "illness", accuracy=accuracy, cover=cover, conditions=conditions)
    assert written_out(found) == searched_rules(rows, accuracy, cover, min(conditions, len(QI)))
    assert [len(rule.conditions) for rule in found] == sorted(len(rule.conditions) for rule in found)
    exact = preserved_rules(
        con, "people", "people", QI, "illness", accuracy=accuracy, cover=cover, conditions=conditions
    )
    assert exact.source == exact.release == exact.preserved == found
    if accuracy > 0.5:
        assert exact.upheld == found


PEOPLE: list[Row] = [(30 + i % 4, "k" if i < 40 else "m", "fm"[i % 2], "flu" if i < 40 else "ulcer") for i in range(80)]


def learn(con: TestConnection, release: str, **how: Any) -> PreservedRules:
    store(con, "people", COLUMNS, PEOPLE)
    con.execute(f"CREATE OR REPLACE TABLE r AS {release}")
    how = {"accuracy": 0.8, "cover": 20, **how}
    return preserved_rules(con, "people", "r", QI, "illness", **how)


def test_a_rule_reads_as_people_write_it_and_is_itself_whatever_its_figures(con: TestConnection) -> None:
    found = learn(con, "FROM people")
    assert [str(rule) for rule in found.preserved] == ["city = k ⇒ flu", "city = m ⇒ ulcer"]
    assert [(rule.accuracy, rule.cover) for rule in found.preserved] == [(1, 40), (1, 40)]
    other = Rule((("city", "k"),), "flu", 0.7, 3)
    assert other == found.preserved[0]
    assert str(Rule((("city", None), ("age", "3")), None, 1, 1)) == "city = NULL and age = 3 ⇒ NULL"


def test_a_release_that_tells_nothing_of_a_column_has_no_rule_about_it(con: TestConnection) -> None:
    found = learn(con, "SELECT * REPLACE ('*' AS city) FROM people")
    assert len(found.source) == 2
    assert found.release == found.preserved == ()


def test_a_rule_is_upheld_where_its_class_is_still_the_most_frequent(con: TestConnection) -> None:
    blurred = "CASE WHEN age = 30 THEN '*' ELSE illness END AS illness"
    found = learn(con, f"SELECT * REPLACE ({blurred}) FROM people", accuracy=0.99)
    assert found.preserved == ()
    assert found.upheld == found.source
    assert all(0.5 < rule.accuracy < 0.99 for rule in found.upheld)
    swapped = "SELECT * REPLACE (CASE illness WHEN 'flu' THEN 'ulcer' ELSE 'flu' END AS illness) FROM people"
    assert learn(con, swapped).upheld == ()


@pytest.mark.parametrize("format", ["text", "typed"])
def test_ranges_and_labels_are_replaced_by_values_that_they_cover(con: TestConnection, format: str) -> None:
    found = learn(
        con, f"FROM kanonymous('people', ['age', 'city', 'sex'], 10, keep := ['illness'], format := '{format}')"
    )
    assert set(found.preserved) == set(found.source)


def test_a_label_of_the_target_counts_for_the_values_below_it_that_occur(con: TestConnection) -> None:
    taxonomy = {"illness": "illnesses"}
    one_leaf = "SELECT * REPLACE (replace(illness, 'ulcer', 'belly') AS illness) FROM people"
    assert len(learn(con, one_leaf, taxonomy=taxonomy).preserved) == 2
    two_leaves = "SELECT * REPLACE (CASE WHEN age = 30 THEN '*' ELSE illness END AS illness) FROM people"
    found = learn(con, two_leaves, taxonomy=taxonomy)
    assert [rule.accuracy for rule in found.preserved] == pytest.approx([7 / 8, 7 / 8])
    assert [rule.cover for rule in found.preserved] == pytest.approx([40, 40])
    assert learn(con, two_leaves, accuracy=0.9).preserved == (), "without a taxonomy, * covers all"


def test_rules_about_values_that_the_source_does_not_have_are_left_out(con: TestConnection) -> None:
    store(con, "cities", {"leaf": "VARCHAR", "everywhere": "VARCHAR"}, [(city, "*") for city in "kmx"])
    found = learn(con, "SELECT * REPLACE ('*' AS city) FROM people", taxonomy={"city": "cities"}, accuracy=0.1)
    assert {value for rule in found.release for column, value in rule.conditions if column == "city"} == {"k", "m"}


def test_the_same_seed_draws_the_same(con: TestConnection) -> None:
    release = "SELECT * REPLACE ('*' AS city) FROM people"
    found = [learn(con, release, accuracy=0.5, cover=5, seed=seed).release for seed in (1, 1, 2)]
    figures = [[(rule, rule.accuracy, rule.cover) for rule in each] for each in found]
    assert figures[0] == figures[1] != figures[2]


@pytest.mark.parametrize(
    ("how", "code", "says"),
    [
        ({"accuracy": 1.5}, "SA102", "accuracy = 1.5"),
        ({"cover": 0}, "SA102", "cover = 0"),
        ({"conditions": 0}, "SA102", "conditions = 0"),
        ({"seed": -1}, "SA102", "seed"),
        ({"target": None}, "SA102", "target must be a column name"),
        ({"target": "age"}, "SA101", "'age'"),
        ({"qi": [f"c{i}" for i in range(60)]}, "SA102", "sets of columns"),
        ({"rel": "(FROM people LIMIT 0)"}, "SA301", "no rows to learn from"),
        ({"rel": "(SELECT * REPLACE ('none' AS illness) FROM people)"}, "SA301", "outside the domain of src"),
    ],
)
def test_what_cannot_be_learned_says_why(con: TestConnection, how: dict[str, Any], code: str, says: str) -> None:
    store(con, "people", COLUMNS, PEOPLE)
    arguments = {"src": "people", "rel": "people", "qi": QI, "target": "illness", **how}
    with pytest.raises(SqlanonError) as caught:
        preserved_rules(con, **arguments)
    assert caught.value.code == code
    assert says in str(caught.value)


def test_an_empty_table_has_no_rules(con: TestConnection) -> None:
    store(con, "people", COLUMNS, [])
    assert rules(con, "people", QI, "illness") == ()
