"""The loss of a release, worked by hand: info_loss and attribute_loss, wherever the tables come from."""

from __future__ import annotations

import pytest
from connections import TestConnection, store
from oracles.loss import Attribute

from .losses import LEVELS, PATIENTS, answers, attribute, check, one, table


@pytest.fixture
def patients(con: TestConnection) -> None:
    table(con, "t", "age INTEGER, city VARCHAR, sa VARCHAR", *PATIENTS)


def test_a_small_release_costs_what_was_worked_out_by_hand(con: TestConnection, patients: None) -> None:
    release = [("[20, 25]", "a", "flu"), ("[20, 25]", "a", "gout"), ("[40, 60]", "*", "flu"), ("[40, 60]", "*", "cold")]
    table(con, "r", "age VARCHAR, city VARCHAR, sa VARCHAR", *release)
    # ages 20 … 60: [20, 25] loses 5/40, [40, 60] 20/40; of 4 ages each covers 2. `*` covers a, b, c and NULL.
    # One of 5 rows is suppressed: it loses 1 of every column, and adds 5 to dm.
    age = {"attribute": "age", "ncp": (2 * 5 / 40 + 2 * 20 / 40 + 1) / 5, "stars": 0, "information": (4 * 1 / 2) / 5}
    city = {"attribute": "city", "ncp": (2 * 0 + 2 * 1 + 1) / 5, "stars": 2, "information": (2 * 1 + 2 * 1 / 4) / 5}
    each = answers(con, "FROM attribute_loss('t', 'r', ['age', 'city'])")
    assert each == [pytest.approx(age), pytest.approx(city)]
    assert one(con, "FROM info_loss('t', 'r', ['age', 'city'])") == {
        "source_rows": 5,
        "release_rows": 4,
        "suppressed_rows": 1,
        "classes": 2,
        "avg_class_size": 2.0,
        "dm": 2**2 + 2**2 + 5,
        "gcp": pytest.approx((0.45 + 0.6) / 2),
        "stars": 2,
        "starred_rows": 2,
        "information": pytest.approx((0.4 + 0.5) / 2),
    }
    # 4 of 5 rows tell their own sensitive value
    with_sa = one(con, "SELECT information FROM info_loss('t', 'r', ['age', 'city'], sa := 'sa')")
    assert with_sa["information"] == pytest.approx((0.4 + 0.5 + 0.8) / 3)


def test_the_same_release_typed_costs_the_same(con: TestConnection, patients: None) -> None:
    low, high = {"lo": 20, "hi": 25}, {"lo": 40, "hi": 60}
    types = "STRUCT(lo INTEGER, hi INTEGER)"
    for star in (["*"], ["a", "b", "c", None]):
        store(con, "r", {"age": types, "city": "VARCHAR[]"}, [(low, ["a"]), (low, ["a"]), *[(high, star)] * 2])
        answer = one(con, "SELECT gcp, stars, starred_rows, information FROM info_loss('t', 'r', ['age', 'city'])")
        assert answer == pytest.approx({"gcp": 0.525, "stars": 2, "starred_rows": 2, "information": 0.45})


def test_a_release_that_is_its_source_costs_nothing(con: TestConnection, patients: None) -> None:
    answer = one(con, "FROM info_loss('t', 't', ['age', 'city'], sa := 'sa')")
    assert (answer["gcp"], answer["stars"], answer["information"], answer["dm"]) == (0, 0, 1, 5)


def test_a_range_may_end_between_and_beyond_the_values_of_the_source(con: TestConnection) -> None:
    table(con, "t", "age INTEGER", (21,), (25,), (33,), (61,))
    table(con, "r", "age VARCHAR", ("[20, 29]",), ("[20, 29]",), ("[30, 39]",), ("[60, 69]",))
    # of the 40 years from 21 to 61, each range takes 9; they hold 2, 2, 1 and 1 ages of the source
    answer = one(con, "FROM info_loss('t', 'r', ['age'])")
    assert answer["gcp"] == pytest.approx(9 / 40)
    assert answer["information"] == pytest.approx((1 / 2 + 1 / 2 + 1 + 1) / 4)
    check(con, [Attribute("age", [21, 25, 33, 61], int)], {}, None)


def test_a_range_loses_at_most_everything_and_nothing_if_there_is_one_value(con: TestConnection) -> None:
    table(con, "r", "age VARCHAR", ("[0, 100]",), ("[0, 100]",))
    for second, gcp in ((22, 1), (21, 0)):
        table(con, "t", "age INTEGER", (21,), (second,))
        assert one(con, "FROM info_loss('t', 'r', ['age'])")["gcp"] == gcp


def test_classes_are_told_apart_by_what_is_published_alone(con: TestConnection) -> None:
    table(con, "t", "age INTEGER", *[(age,) for age in (1, 1, 9, 9)])
    table(con, "r", "group_id INTEGER, age VARCHAR", (1, "[1, 9]"), (1, "[1, 9]"), (2, "[1, 9]"), (2, "[1, 9]"))
    answer = one(con, "FROM info_loss('t', 'r', ['age'])")
    assert (answer["classes"], answer["avg_class_size"], answer["dm"]) == (1, 4.0, 16)


@pytest.mark.parametrize("root", ["*", "Any"])
def test_labels_lose_the_share_of_their_leaves(con: TestConnection, root: str) -> None:
    paths = [(*path[:-1], root) for path in LEVELS]
    values, labels = ["a", "b", "a", None, "c"], ["A", "AB", root, "a", "C"]
    store(con, "levels", {f"l{i}": "VARCHAR" for i in range(4)}, paths)
    table(con, "t", "town VARCHAR", *[(value,) for value in values])
    table(con, "r", "town VARCHAR", *[(label,) for label in labels])
    answer = check(con, [attribute("town", values, paths)], {"town": "levels"}, None)
    # A has one leaf, AB two of four, the root all, C two: one of them does not occur, and counts. `*` covers NULL too.
    assert answer["gcp"] == pytest.approx((0 + 2 / 4 + 1 + 0 + 2 / 4) / 5)
    assert answer["stars"] == (1 if root == "*" else 0)
    assert answer["information"] == pytest.approx((1 + 1 / 2 + (1 / 5 if root == "*" else 1 / 4) + 1 + 1 / 2) / 5)


def test_a_list_that_stops_short_of_the_domain_is_no_star(con: TestConnection) -> None:
    store(con, "levels", {f"l{i}": "VARCHAR" for i in range(4)}, LEVELS)
    table(con, "t", "town VARCHAR", ("a",), ("b",), ("c",), (None,))
    release = [(["a", "b", "c", "d"],), (["a", "b", "c", "d", None],), (["c", "d"],), (["a"],)]
    table(con, "r", "town VARCHAR[]", *release)
    answer = check(con, [attribute("town", ["a", "b", "c", None], LEVELS)], {"town": "levels"}, None)
    assert answer["stars"] == 1
    assert answer["gcp"] == pytest.approx((1 + 1 + 2 / 4 + 0) / 4)


def test_columns_are_found_by_name_wherever_they_stand(con: TestConnection, patients: None) -> None:
    con.execute("CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['age', 'city'], 2)")
    straight = one(con, "FROM info_loss('t', 'r', ['age', 'city'])")
    con.execute("CREATE OR REPLACE TABLE turned AS SELECT 1 AS extra, city, group_id, age AS AGE, [1] AS more FROM r")
    assert one(con, "FROM info_loss('t', 'turned', ['age', 'city'])") == straight
    assert one(con, "FROM info_loss('(SELECT * FROM t)', 'SELECT * FROM turned', ['age', 'city'])") == straight
    assert one(con, "WITH c AS (FROM r) FROM info_loss('t', 'c', ['age', 'city'])") == straight
    backwards = one(con, "FROM info_loss('t', 'r', ['city', 'age'])")
    assert backwards == {name: pytest.approx(value) for name, value in straight.items()}
    each = answers(con, "FROM attribute_loss('t', 'r', ['city', 'age'])")
    assert [answer["attribute"] for answer in each] == ["city", "age"]


HOSTILE = ["n", "cell", "qi_1", "source", "select", 'a"b', "it's", "; DROP TABLE t; --", "domain_size", "ünï 字", "tbl"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_column_may_be_called_anything(con: TestConnection, name: str) -> None:
    quoted, text = '"' + name.replace('"', '""') + '"', name.replace("'", "''")
    for source in ("t", "source", "classes"):
        con.execute(f"CREATE OR REPLACE TABLE {source} ({quoted} INTEGER, other INTEGER)")
        con.execute(f"INSERT INTO {source} VALUES (1, 1), (2, 2), (3, 3), (5, 4)")
        con.execute(f"CREATE OR REPLACE TABLE released AS FROM kanonymous('{source}', ['{text}'], 2)")
        [answer] = answers(con, f"FROM attribute_loss('{source}', 'released', ['{text}'])")
        assert answer["attribute"] == name
        assert answer["ncp"] == pytest.approx((1 + 1 + 2 + 2) / 4 / 4)
        con.execute(f"DROP TABLE {source}; DROP TABLE released")


def test_without_rows_there_are_counts_and_no_measures(con: TestConnection) -> None:
    table(con, "t", "age INTEGER, town VARCHAR, sa VARCHAR")
    table(con, "r", "age VARCHAR, town VARCHAR, sa VARCHAR")
    store(con, "levels", {f"l{i}": "VARCHAR" for i in range(4)}, LEVELS)
    attributes = [attribute("age", [])], [attribute("town", [], LEVELS)]
    for [each], trees in zip(attributes, ({}, {"town": "levels"}), strict=True):
        answer = check(con, [each], trees, [])
        assert (answer["dm"], answer["gcp"], answer["information"]) == (0, None, None)


def test_an_empty_release_has_lost_everything(con: TestConnection, patients: None) -> None:
    table(con, "r", "age VARCHAR, city VARCHAR, sa VARCHAR")
    answer = one(con, "FROM info_loss('t', 'r', ['age', 'city'], sa := 'sa')")
    assert (answer["suppressed_rows"], answer["classes"], answer["avg_class_size"]) == (5, 0, None)
    assert (answer["dm"], answer["gcp"], answer["stars"], answer["information"]) == (25, 1, 0, 0)
    each = answers(con, "FROM attribute_loss('t', 'r', ['age', 'city'])")
    assert [answer["ncp"] for answer in each] == [1, 1]


def test_a_list_covers_what_it_names_whatever_rows_left_out_have_in_between(con: TestConnection) -> None:
    table(con, "t", "city VARCHAR", ("a",), ("a",), ("b",), ("c",), ("c",), ("d",), (None,))
    table(con, "r", "city VARCHAR[]", *[(["a", "c"],)] * 4, (["d"],))
    # of 7 rows, 2 are suppressed: they lose everything, and so do 4 cells of two values without a taxonomy
    [answer] = answers(con, "FROM attribute_loss('t', 'r', ['city'])")
    city = {"attribute": "city", "ncp": (2 + 4) / 7, "stars": 0, "information": (4 * 1 / 2 + 1) / 7}
    assert answer == pytest.approx(city)
