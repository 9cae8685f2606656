"""reconstruct, distribution_distance and randomization_privacy, against the twin."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import product

import pytest
from connections import Row, TestConnection
from twins import randomize as twin

pytestmark = pytest.mark.oldest


@pytest.fixture(autouse=True)
def people(con: TestConnection, scratch: None) -> None:
    con.execute("""
        CREATE TABLE people AS SELECT
            i AS id, i * i % 7 AS age, CASE WHEN i % 7 > 4 THEN NULL ELSE 'c' || i % 7 // 2 END AS city
        FROM range(1500) AS numbers(i)
    """)
    for name, call in (("r", "randomize('people', {}, seed := 5)"), ("p", "randomize_params('people', {})")):
        con.execute(f"CREATE TABLE {name} AS FROM {call.format(BOTH)}")


BOTH = "l := {'age': 2, 'city': 2}, t := {'city': 0.15}"


def describe(con: TestConnection, *names: str) -> list[tuple[int, int, float]]:
    """Size, eta and p of attributes."""
    known = {name: tuple(rest) for name, *rest in con.rows("SELECT attribute, domain_size, eta, p FROM p")}
    return [known[name] for name in names]  # type: ignore[misc]


def coded_lists(con: TestConnection, *names: str) -> list[list[list[int]]]:
    """The lists of each row, in codes."""
    domains = dict(con.rows("SELECT attribute, domain FROM p"))
    lists = con.rows(f"SELECT {', '.join(f'CAST({name} AS VARCHAR[])' for name in names)} FROM r")
    return [
        [[domains[name].index(item) for item in one] for name, one in zip(names, row, strict=True)] for row in lists
    ]


def observe(con: TestConnection, *names: str) -> list[int]:
    """By the twin, for each cell the rows whose lists hold its values."""
    return twin.observed_counts(describe(con, *names), coded_lists(con, *names))


def reconstruct(con: TestConnection, names: list[str], more: str = "") -> list[Row]:
    return con.rows(f"FROM reconstruct('r', 'p', {names}{more})")


@pytest.mark.parametrize("names", [["age"], ["city"], ["age", "city"], ["city", "age"]])
def test_one_more_step_of_the_twin_moves_nothing(con: TestConnection, names: list[str]) -> None:
    rows = reconstruct(con, names, ", method := 'bayes'")
    counts = [row[-1] for row in rows]
    attributes = describe(con, *names)
    again = twin.bayes_step(
        counts, observe(con, *names), twin.dense_chances(attributes), math.prod(eta for _, eta, _ in attributes)
    )
    assert max(abs(one - other) for one, other in zip(counts, again, strict=True)) <= 1e-6 * 1500
    assert math.isclose(sum(counts), 1500)
    assert min(counts) >= 0


@pytest.mark.parametrize("name", ["age", "city"])
def test_one_more_step_over_whole_lists_moves_nothing(con: TestConnection, name: str) -> None:
    counts = [row[-1] for row in reconstruct(con, [name], ", method := 'likelihood'")]
    shares = [Fraction(count) / 1500 for count in counts]
    again = twin.whole_lists_step(describe(con, name), coded_lists(con, name), shares)
    assert sum(abs(one - float(other)) for one, other in zip(counts, again, strict=True)) <= 2e-6 * 1500
    assert math.isclose(sum(counts), 1500)
    assert min(counts) >= 0


def test_the_method_is_the_likelihood_unless_another_one_is_named(con: TestConnection) -> None:
    plain, named, other = (
        reconstruct(con, ["age", "city"], more) for more in ("", ", method := 'likelihood'", ", method := 'bayes'")
    )
    assert plain == named
    assert plain != other


@pytest.mark.parametrize("names", [["age"], ["city"], ["age", "city"]])
def test_value_adding_is_that_of_the_twin(con: TestConnection, names: list[str]) -> None:
    counts = [row[-1] for row in reconstruct(con, names, ", method := 'value_adding'")]
    expected = twin.value_adding(observe(con, *names), describe(con, *names), 1500)
    assert all(math.isclose(one, other) for one, other in zip(counts, expected, strict=True))
    assert math.isclose(sum(counts), 1500)


def test_there_is_a_row_for_every_combination_in_the_order_of_the_domains(con: TestConnection) -> None:
    rows = reconstruct(con, ["city", "age"])
    assert [row[:2] for row in rows] == list(product(["c0", "c1", "c2", None], [0, 1, 2, 4]))


def test_attributes_are_named_in_any_case_and_as_they_were_asked_for(con: TestConnection) -> None:
    answer = con.execute("FROM reconstruct('r', 'p', ['AGE'])")
    assert [column[0] for column in answer.description] == ["AGE", "count"]


def test_the_source_comes_out_closer_than_by_bayes_and_much_closer_than_by_value_adding(con: TestConnection) -> None:
    con.execute("CREATE TABLE large AS SELECT i * i % 11 AS a, i * i % 11 // 2 AS b FROM range(60000) AS n(i)")
    con.execute("CREATE TABLE lr AS FROM randomize('large', l := {'a': 3, 'b': 2}, seed := 2)")
    con.execute("CREATE TABLE lp AS FROM randomize_params('large', l := {'a': 3, 'b': 2})")
    distance = "SELECT l1, l2, hellinger FROM distribution_distance('large', 'lr', 'lp', ['a', 'b']{})"
    likely, bayes, adding = (
        con.rows(distance.format(f", method := '{method}'"))[0] for method in ("likelihood", "bayes", "value_adding")
    )
    assert all(2 * one < other for one, other in zip(likely, bayes, strict=True))
    assert all(5 * one < other for one, other in zip(bayes, adding, strict=True))
    ((expected,),) = con.rows("SELECT expected_l2 FROM lp WHERE attribute = 'a'")
    ((l2,),) = con.rows("SELECT l2 FROM distribution_distance('large', 'lr', 'lp', ['a'])")
    assert expected / 5 < l2 < 3 * expected


def test_more_rows_bring_the_source_closer(con: TestConnection) -> None:
    distances = []
    for rows in (400, 40000):
        con.execute(f"CREATE OR REPLACE TABLE s AS SELECT i * i % 11 AS a FROM range({rows}) AS n(i)")
        con.execute("CREATE OR REPLACE TABLE sr AS FROM randomize('s', l := {'a': 3}, seed := 2)")
        con.execute("CREATE OR REPLACE TABLE sp AS FROM randomize_params('s', l := {'a': 3})")
        distances += con.rows("FROM distribution_distance('s', 'sr', 'sp', ['a'])")
    assert all(few > 2 * many for few, many in zip(*distances, strict=True))


def test_distances_are_those_of_the_definitions(con: TestConnection) -> None:
    rows = reconstruct(con, ["city"])
    counts = dict(con.rows("SELECT city, count(*) FROM people GROUP BY city"))
    pairs = [(counts[city] / 1500, estimate / 1500) for city, estimate in rows]
    ((l1, l2, hellinger),) = con.rows("FROM distribution_distance('people', 'r', 'p', ['city'])")
    assert math.isclose(l1, sum(abs(one - other) for one, other in pairs))
    assert math.isclose(l2, math.sqrt(sum((one - other) ** 2 for one, other in pairs)))
    roots = sum((math.sqrt(one) - math.sqrt(other)) ** 2 for one, other in pairs)
    assert math.isclose(hellinger, math.sqrt(roots / 2))


def test_privacy_tells_the_values_left_possible_and_the_worst_belief(con: TestConnection) -> None:
    rows = {row[0]: row[1:] for row in con.rows("FROM randomization_privacy('r', 'p')")}
    assert set(rows) == {"age", "city"}
    for name, (size, eta, p, l, t, *_) in rows.items():
        assert [(size, eta, p)] == describe(con, name)
        assert l == eta >= 2
        prior = {str(value): estimate / 1500 for value, estimate in reconstruct(con, [name])}
        worst = 0.0
        for (listed,) in con.rows(f"SELECT DISTINCT {name} FROM r"):
            mass = sum(prior[str(item)] for item in listed)
            weight = p * size / eta
            worst = max(worst, 1 - mass if p == 1 else weight * mass * (1 - mass) / (weight * mass + 1 - p))
        assert math.isclose(t, worst, rel_tol=1e-6)
    assert rows["city"][4] < 0.15 * 1.5, "as the release lets one see it: the prior is an estimate"


def test_what_was_a_file_can_be_read_again(con: TestConnection) -> None:
    con.execute("CREATE TABLE texts AS SELECT CAST(age AS VARCHAR) AS age FROM r")
    con.execute("CREATE TABLE text_params AS SELECT CAST(COLUMNS(*) AS VARCHAR) FROM p")
    expected = [(str(age), count) for age, count in reconstruct(con, ["age"])]
    assert con.rows("FROM reconstruct('texts', 'text_params', ['age'])") == expected


def test_an_empty_release_has_no_rows_to_estimate(con: TestConnection) -> None:
    assert con.rows("SELECT sum(\"count\"), count(*) FROM reconstruct('(FROM r LIMIT 0)', 'p', ['age'])") == [(0, 4)]
    assert con.rows("FROM distribution_distance('people', '(FROM r LIMIT 0)', 'p', ['age'])") == [(None, None, None)]
    assert con.rows("SELECT l, t FROM randomization_privacy('(FROM r LIMIT 0)', 'p')") == [(None, None)] * 2


REFUSED = {
    "reconstruct('r', 'p', [])": r"\[SA102\] attributes is empty",
    "reconstruct('r', 'p', ['a', 'b', 'c', 'd', 'e', 'f', 'g'])": r"\[SA102\] attributes names 7 columns",
    "reconstruct('r', 'p', ['age', 'AGE'])": r"\[SA101\] column 'AGE' is given twice",
    "reconstruct('r', 'p', ['age'], method := 'guess')": r"'guess' is not known.*likelihood, bayes, value_adding",
    "reconstruct('(SELECT *, 1 AS id FROM r)', 'p', ['id'])": r"\[SA101\] params has no attribute 'id'",
    "reconstruct('people', 'p', ['age'])": r"\[SA301\] column 'age' of rel has a value that is not a list of 2",
    "reconstruct('(SELECT [1] AS age)', 'p', ['age'])": r"\[SA301\]",
    "reconstruct('(SELECT [1, 1] AS age)', 'p', ['age'])": r"\[SA301\]",
    "reconstruct('(SELECT [1, 77] AS age)', 'p', ['age'])": r"\[SA301\]",
    "reconstruct('(SELECT [1, NULL] AS age)', 'p', ['age'])": r"\[SA301\]",
    "reconstruct('(SELECT ''x'' AS age)', 'p', ['age'])": r"\[SA301\]",
    "reconstruct('(SELECT 1 AS other)', 'p', ['age'])": r"\[SA301\] there is no column 'age' in rel",
    "reconstruct('r', 'r', ['age'])": r"\[SA101\] there is no column 'attribute' in params",
    "reconstruct('r', '(FROM p UNION ALL FROM p)', ['age'])": r"\[SA101\] params has attribute 'age' twice",
    "reconstruct('r', '(SELECT * REPLACE (0 AS eta) FROM p)', ['age'])": r"\[SA102\] params: eta of attribute 'age'",
    "reconstruct('r', '(SELECT * REPLACE (0.0 AS p) FROM p)', ['age'])": r"\[SA102\] params: p of attribute 'age'",
    "reconstruct('r', '(SELECT * REPLACE (1 AS domain) FROM p)', ['age'])": r"\[SA102\] params: the domain",
    "reconstruct('(SELECT age AS \"count\" FROM r)', 'p', ['count'])": r"\[SA101\] attributes: ",
    "distribution_distance('(SELECT 77 AS age)', 'r', 'p', ['age'])": r"\[SA301\] src has a value",
    "distribution_distance('(SELECT 1 AS b)', 'r', 'p', ['age'])": r"\[SA101\] there is no column 'age' in src",
    "randomization_privacy('(SELECT age FROM r)', 'p')": r"\[SA301\] there is no column 'city' in rel",
    "randomization_privacy('people', 'p')": r"\[SA301\] column 'age' of rel has a value that is not a list",
    "randomization_privacy('(FROM r UNION ALL SELECT NULL, NULL)', 'p')": r"\[SA301\]",
}


@pytest.mark.parametrize("call", REFUSED)
def test_what_cannot_be_is_refused_with_its_code(con: TestConnection, call: str) -> None:
    refused = con.refusal(f"FROM {call}")
    assert re.search(REFUSED[call], refused)
    assert "77" not in refused


def test_too_many_cells_are_refused(con: TestConnection) -> None:
    con.execute("CREATE TABLE wide AS SELECT i AS a, i AS b FROM range(2300) AS n(i)")
    con.execute("CREATE TABLE wr AS FROM randomize('wide', l := {'a': 2, 'b': 2})")
    con.execute("CREATE TABLE wp AS FROM randomize_params('wide', l := {'a': 2, 'b': 2})")
    refused = con.refusal("FROM reconstruct('wr', 'wp', ['a', 'b'])")
    assert refused.startswith("[SA102] attributes: their cross tabulation has 5,290,000 cells; up to 5,000,000")
