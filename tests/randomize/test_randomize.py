"""randomize: what it publishes, what it draws, and what its order tells."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

import pytest
from connections import TestConnection, store

from sqlanon.statement.planning import statement, statement_text

pytestmark = pytest.mark.oldest

L, T = "{'city': 3}", "{'city': 0.3}"


@pytest.fixture(autouse=True)
def people(con: TestConnection, scratch: None) -> None:
    con.execute("SET threads = 1")
    con.execute("""
        CREATE TABLE people AS SELECT
            i AS id, 20 + i * i % 7 AS age, CASE WHEN i % 10 < 3 THEN NULL ELSE 'c' || i * i % 6 END AS city,
            DATE '2024-01-01' + CAST(i % 5 AS INTEGER) AS seen, 'n' || i AS name
        FROM range(2000) AS numbers(i)
    """)


def test_each_protected_column_is_a_list_of_its_own_type_and_the_rest_is_dropped(con: TestConnection) -> None:
    con.execute(
        "CREATE TABLE r AS FROM randomize('people', l := {'seen': 2, 'age': 3}, t := {'city': 0.2}, keep := ['id'])"
    )
    described = con.rows("SELECT column_name, column_type FROM (DESCRIBE r)")
    assert described == [("seen", "DATE[]"), ("age", "BIGINT[]"), ("city", "VARCHAR[]"), ("id", "BIGINT")]
    assert con.rows("SELECT count(*), count(DISTINCT id) FROM r") == [(2000, 2000)]
    assert con.rows("SELECT DISTINCT len(seen), len(age) FROM r") == [(2, 3)]


def test_with_l_alone_every_list_holds_its_value_and_l_different_ones(con: TestConnection) -> None:
    con.execute("CREATE TABLE r AS FROM randomize('people', l := {'city': 3, 'age': 2}, keep := ['id'])")
    rows = con.rows("SELECT p.city, r.city, p.age, r.age FROM people AS p JOIN r USING (id)")
    assert len(rows) == 2000
    for city, cities, age, ages in rows:
        assert city in cities and len(cities) == len(set(cities)) == 3
        assert age in ages and len(ages) == len(set(ages)) == 2


def test_lists_are_sorted_with_null_last(con: TestConnection) -> None:
    for cities, ages in con.rows("FROM randomize('people', l := {'city': 3, 'age': 2})"):
        assert ages == sorted(ages)
        assert None not in cities[:-1]
        assert cities == sorted(cities, key=lambda city: (city is None, city))
    assert con.rows(f"SELECT count(*) FROM randomize('people', l := {L}) WHERE city IS NULL") == [(0,)]


def test_the_same_seed_gives_the_same_release_whatever_the_threads_and_the_order_of_the_source(
    con: TestConnection,
) -> None:
    con.execute("CREATE TABLE large AS SELECT i % 11 AS a, i * i % 13 AS b, i % 3 AS k FROM range(150000) AS n(i)")
    release = "randomize('{}', l := {{'a': 3}}, t := {{'b': 0.2}}, keep := ['k'], seed := 8)"
    expected = con.rows(f"FROM {release.format('large')}")
    con.execute("CREATE TABLE mixed AS FROM large ORDER BY hash(a, b, k, 5), random()")
    con.execute("SET threads = 4")
    assert con.rows(f"FROM {release.format('mixed')}") == expected
    other = con.rows(f"FROM {release.format('large').replace('8', '9')}")
    assert other != expected
    assert len(other) == len(expected)


def test_without_a_seed_every_release_is_drawn_anew(con: TestConnection) -> None:
    con.execute(f"PREPARE again AS FROM randomize('people', l := {L}, keep := ['id'])")
    first, second = con.rows("EXECUTE again"), con.rows("EXECUTE again")
    assert sorted(first, key=lambda row: row[1]) != sorted(second, key=lambda row: row[1])
    assert [row[1] for row in first] != [row[1] for row in second]


def rank_correlation(positions: list[int]) -> float:
    """How much a permutation of 0 … n − 1 goes up or down."""
    middle = (len(positions) - 1) / 2
    spread = sum((position - middle) ** 2 for position in range(len(positions)))
    return sum((i - middle) * (position - middle) for i, position in enumerate(positions)) / spread


@pytest.mark.parametrize("seed", ["NULL", "1", "2", "3"])
def test_the_order_of_rows_tells_nothing_of_the_source(con: TestConnection, seed: str) -> None:
    con.execute("CREATE TABLE steady AS SELECT i AS id, i // 500 AS a FROM range(2000) AS n(i)")
    ids = [id for _, id in con.rows(f"FROM randomize('steady', l := {{'a': 2}}, keep := ['id'], seed := {seed})")]
    assert sorted(ids) == list(range(2000))
    assert abs(rank_correlation(ids)) < 5 / math.sqrt(2000)
    follows = sum(after == before + 1 for before, after in pairwise(ids))
    assert follows < 12, "as often as by chance: once"


def test_a_value_is_at_any_position_of_its_list_as_often_as_its_decoys_allow(con: TestConnection) -> None:
    """Of 5 values in lists of 2, the middle one comes first as often as last."""
    con.execute(
        "CREATE TABLE middle AS SELECT CASE WHEN i % 2 = 0 THEN 2 ELSE i % 5 END AS a, i FROM range(8000) AS n(i)"
    )
    rows = con.rows("""
        SELECT list_position(r.a, 2), count(*) FROM randomize('middle', l := {'a': 2}, keep := ['i'], seed := 4) AS r
        JOIN middle ON r.i = middle.i WHERE middle.a = 2 GROUP BY 1 ORDER BY 1
    """)
    (_, first), (_, second) = rows
    assert abs(first - second) < 4 * math.sqrt(first + second)


@pytest.mark.parametrize("t", [0.1, 0.3, 0.6])
def test_lists_hold_values_as_often_as_the_paper_says(con: TestConnection, t: float) -> None:
    con.execute("CREATE TABLE many AS SELECT i, i * i % 13 AS a FROM range(40000) AS n(i)")
    both = f"l := {{'a': 3}}, t := {{'a': {t}}}"
    ((size, eta, p),) = con.rows(f"SELECT domain_size, eta, p FROM randomize_params('many', {both})")
    assert p < 1
    rows = con.rows(f"""
        SELECT list_contains(r.a, many.a), list_contains(r.a, (many.a + 1) % 13)
        FROM randomize('many', {both}, keep := ['i'], seed := 6) AS r JOIN many ON r.i = many.i
        WHERE (many.a + 1) % 13 IN (SELECT a FROM many)
    """)
    chances = p + (1 - p) * eta / size, p * (eta - 1) / (size - 1) + (1 - p) * eta / size
    for position, chance in enumerate(chances):
        share = sum(row[position] for row in rows) / len(rows)
        assert abs(share - chance) < 4.5 * math.sqrt(chance * (1 - chance) / len(rows))


def test_every_list_is_as_likely_as_any_other_seed_after_seed(con: TestConnection) -> None:
    """P values of chi-square tests with 4 degrees of freedom are uniform: Kolmogorov's distance over 200 seeds."""
    con.execute("CREATE TABLE sixes AS SELECT 3 AS a FROM range(200) UNION ALL SELECT i FROM range(6) AS n(i)")
    chances = []
    for seed in range(200):
        lists = con.rows(f"FROM randomize('sixes', l := {{'a': 2}}, seed := {seed})")
        drawn = Counter(sum(one) - 3 for (one,) in lists if 3 in one and sum(one) != 3 + 3)
        total = sum(drawn.values())
        square = sum((drawn[decoy] - total / 5) ** 2 / (total / 5) for decoy in (0, 1, 2, 4, 5))
        chances.append(math.exp(-square / 2) * (1 + square / 2))
    chances.sort()
    distance = max(abs(chance - position / 200) for position, chance in enumerate(chances))
    assert distance < 1.63 / math.sqrt(200)


def test_columns_are_drawn_independently(con: TestConnection) -> None:
    con.execute("CREATE TABLE twins AS SELECT i % 4 AS a, i % 4 AS b FROM range(4000) AS n(i)")
    rows = con.rows("SELECT a = b FROM randomize('twins', l := {'a': 2, 'b': 2}, seed := 3)")
    same = sum(same for (same,) in rows)
    assert abs(same - 4000 / 3) < 4 * math.sqrt(4000 * 2 / 9)


def test_no_seed_is_shown() -> None:
    arguments = {"tbl": "people", "l": {"age": 2}, "seed": 123454321}
    assert "123454321" in statement("randomize", arguments)
    assert "123454321" not in statement_text("randomize", arguments)


@pytest.mark.parametrize(
    "name", ['a"b', "group_id", "select", "drawn", "position", "number", "codes", "kept", "Größe", "n"]
)
def test_any_name_will_do(con: TestConnection, name: str) -> None:
    kept = f"{name} 2"
    store(con, "odd", {name: "INTEGER", kept: "INTEGER"}, [(i % 3, i) for i in range(12)])
    con.execute("CREATE TABLE arguments AS SELECT $name AS name, $kept AS kept", {"name": name, "kept": kept})
    written = "MAP {$$" + name + "$$: 2}"
    released = con.execute(f"FROM randomize('odd', l := {written}, keep := [$${kept}$$])")
    assert [column[0] for column in released.description] == [name, kept]
    assert sorted(row[1] for row in released.fetchall()) == list(range(12))
    con.execute(f"CREATE TABLE r AS FROM randomize('odd', l := {written})")
    con.execute(f"CREATE TABLE p AS FROM randomize_params('odd', l := {written})")
    assert math.isclose(sum(row[1] for row in con.rows(f"FROM reconstruct('r', 'p', [$${name}$$])")), 12)
    assert con.rows(f"SELECT l1 < 2 FROM distribution_distance('odd', 'r', 'p', [$${name}$$])") == [(True,)]
    assert con.rows("SELECT attribute, l FROM randomization_privacy('r', 'p')") == [(name, 2)]


TYPES = {
    "BOOLEAN": ["true", "false"],
    "TINYINT": ["1", "-2", "3"],
    "HUGEINT": ["170141183460469231731687303715884105727", "0"],
    "UBIGINT": ["18446744073709551615", "7"],
    "DECIMAL(30, 10)": ["1.5", "2.25"],
    "DOUBLE": ["0.1", "nan", "inf", "-1e300"],
    "FLOAT": ["0.1", "3.4e38"],
    "DATE": ["2024-02-29", "1999-01-01"],
    "TIME": ["10:00:00", "11:30:00.5"],
    "TIMESTAMP": ["2024-02-29 10:00:00", "1999-01-01 00:00:00.000001"],
    "TIMESTAMPTZ": ["2024-02-29 10:00:00+00", "1999-01-01 00:00:00+00"],
    "INTERVAL": ["1 day", "2 months"],
    "UUID": ["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"],
    "VARCHAR": ["", "*", "a, b", "NULL", "[x]", "it's"],
    "ENUM('b', 'a', 'unused')": ["a", "b"],
}


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_goes_out_and_comes_back(con: TestConnection, kind: str) -> None:
    store(con, "typed", {"a": kind}, [(value,) for value in (*TYPES[kind], None) for _ in range(20)])
    con.execute("CREATE TABLE r AS FROM randomize('typed', l := {'a': 2})")
    con.execute("CREATE TABLE p AS FROM randomize_params('typed', l := {'a': 2})")
    published = "VARCHAR" if kind.startswith("ENUM") else kind.replace("DECIMAL(30, 10)", "DECIMAL(30,10)")
    published = {"TIMESTAMPTZ": "TIMESTAMP WITH TIME ZONE"}.get(published, published)
    assert con.rows("SELECT DISTINCT typeof(a) FROM r") == [(f"{published}[]",)]
    con.execute("CREATE TABLE back AS FROM reconstruct('r', 'p', ['a'])")
    assert con.rows("SELECT DISTINCT typeof(a) FROM back") == [(published,)]
    missing = con.rows("SELECT count(*) FROM typed ANTI JOIN back ON typed.a IS NOT DISTINCT FROM back.a")
    assert missing == [(0,)]
    assert con.rows('SELECT count(*), round(sum("count")) FROM back') == [
        (len(TYPES[kind]) + 1, 20 * (len(TYPES[kind]) + 1))
    ]


def test_one_row_can_be_published_where_its_value_is_the_only_one(con: TestConnection) -> None:
    assert con.rows("FROM randomize('(SELECT 5 AS a, 6 AS b)', t := {'a': 0.2}, keep := ['b'])") == [([5], 6)]
    assert con.rows("SELECT * EXCLUDE (domain) FROM randomize_params('(SELECT 5 AS a)', t := {'a': 0.2})") == [
        ("a", 1, 1, 1.0, 0.0, "equal")
    ]


def test_a_list_may_be_the_whole_domain(con: TestConnection) -> None:
    assert con.rows("SELECT DISTINCT age FROM randomize('people', l := {'age': 4})") == [([20, 21, 22, 24],)]
    assert con.rows("SELECT eta, p, expected_l2 FROM randomize_params('people', l := {'age': 4})") == [(4, 1.0, None)]


def test_both_bounds_hold_at_once(con: TestConnection) -> None:
    ((eta, p),) = con.rows("SELECT eta, p FROM randomize_params('people', l := {'city': 2}, t := {'CITY': 0.1})")
    assert eta >= 2
    assert 0 < p < 1
    assert con.rows("SELECT DISTINCT len(city) FROM randomize('people', l := {'city': 2}, t := {'CITY': 0.1})") == [
        (eta,)
    ]


def test_parameters_are_the_same_each_time_and_name_their_domain(con: TestConnection) -> None:
    call = f"FROM randomize_params('people', l := {{'age': 2}}, t := {T})"
    first = con.execute(call)
    assert [column[0] for column in first.description] == [
        "attribute", "domain", "domain_size", "eta", "p", "expected_l2", "ground",
    ]  # fmt: skip
    rows = first.fetchall()
    assert rows == con.rows(call)
    assert [row[:3] for row in rows] == [
        ("age", ["20", "21", "22", "24"], 4),
        ("city", ["c0", "c1", "c3", "c4", None], 5),
    ]


def test_a_given_domain_brings_decoys_that_do_not_occur(con: TestConnection) -> None:
    con.execute(
        "CREATE TABLE cities AS FROM (VALUES ('c9', 'x'), ('c0', 'x'), ('c1', 'x'), ('c3', 'y'), ('c4', 'y')) AS v"
    )
    more = "options := {'domain': {'CITY': 'cities'}}"
    ((domain, size),) = con.rows(f"SELECT domain, domain_size FROM randomize_params('people', l := {L}, {more})")
    assert (domain, size) == (["c0", "c1", "c3", "c4", "c9", None], 6)
    con.execute(f"CREATE TABLE r AS FROM randomize('people', l := {L}, seed := 3, {more})")
    con.execute(f"CREATE TABLE p AS FROM randomize_params('people', l := {L}, {more})")
    assert con.rows("SELECT count(*) > 500 FROM r WHERE list_contains(city, 'c9')") == [(True,)]
    estimates = dict(con.rows("FROM reconstruct('r', 'p', ['city'])"))
    assert len(estimates) == 6
    assert estimates["c9"] < 60
    assert con.rows(f"SELECT p < 1 FROM randomize_params('people', t := {T}, {more})") == [(True,)]
    con.execute(f"FROM randomize('people', t := {T}, {more})").fetchall()


def test_a_given_domain_has_the_type_of_its_column(con: TestConnection) -> None:
    years = "options := {'domain': {'age': '(SELECT 19 + i AS age FROM range(8) AS n(i))'}}"
    con.execute(f"CREATE TABLE r AS FROM randomize('people', l := {{'age': 4}}, {years})")
    assert con.rows("SELECT DISTINCT typeof(age) FROM r") == [("BIGINT[]",)]
    assert con.rows("SELECT min(age[1]), max(age[4]) FROM r") == [(19, 26)]


def test_one_row_hides_among_a_given_domain(con: TestConnection) -> None:
    few = "options := {'domain': {'a': '(SELECT i FROM range(9) AS n(i))'}}"
    ((listed,),) = con.rows(f"FROM randomize('(SELECT 5 AS a)', l := {{'a': 3}}, {few})")
    assert 5 in listed and len(listed) == 3


REFUSED = {
    "randomize('people', l := {'age': 2}, options := {'domain': {'city': 'x'}})": r"\[SA101\] domain names column",
    "randomize('people', l := {'age': 2}, options := {'domain': 'x'})": r"\[SA102\] domain must be a struct or map",
    "randomize('people', l := {'age': 2}, options := {'domain': {'age': '(SELECT 20)'}})": r"SA102\] .*lacks 3 values",
    "randomize('people', l := {'age': 2}, options := {'domain': {'age': '(SELECT ''x'')'}})": r"SA102\] .*cannot hold",
    "randomize('people')": r"\[SA102\] l and t name no column",
    "randomize('people', l := {'age': NULL})": r"\[SA102\] l and t name no column",
    "randomize('people', l := 3)": r"\[SA102\] l must be a struct or map from column to whole number",
    "randomize('people', t := ['age'])": r"\[SA102\] t must be a struct or map",
    "randomize('people', l := {'age': 0})": r"\[SA102\] the l of column 'age' = 0 is out of range",
    "randomize('people', l := {'age': 2.5})": r"\[SA102\] the l of column 'age' must be a whole number",
    "randomize('people', t := {'age': 0})": r"\[SA102\] the t of column 'age' = 0 is out of range",
    "randomize('people', t := {'age': 1.0})": r"\[SA102\] the t of column 'age' = 1.0 is out of range",
    "randomize('people', t := {'age': 'x'})": r"\[SA102\] the t of column 'age' must be a number",
    "randomize('people', l := {'age': 2}, options := {'bin': {'age': 3}})": r"\[SA102\] options: 'bin' is not an",
    "randomize('people', l := {'age': 2}, seed := -1)": r"\[SA102\] seed is out of range",
    "randomize('people', l := {'agee': 2})": r"\[SA101\] there is no column 'agee' in tbl. Did you mean 'age'\?",
    "randomize('people', l := {'age': 2}, keep := ['AGE'])": r"\[SA101\] column 'AGE' is given in both",
    "randomize('DROP TABLE people', l := {'age': 2})": r"\[SA103\]",
    "randomize('(SELECT [1] AS a)', t := {'a': 0.2})": r"\[SA104\] column 'a' has type INTEGER\[\]",
    "randomize('(SELECT 1 AS a, {''x'': ''v''::ENUM(''v'')} AS k)', t := {'a': 0.2}, keep := ['k'])": r"\[SA104\]",
    "randomize('people', l := {'age': 5})": r"\[SA201\] column 'age' has 4 values; .* The largest l is 4",
    "randomize('(SELECT 1 AS a FROM range(9))', l := {'a': 2})": r"\[SA201\] column 'a' has 1 value;",
    "randomize('(SELECT 1 AS a)', l := {'a': 2})": r"\[SA202\] the table has 1 row; l = 2",
    "randomize('(FROM people LIMIT 0)', l := {'age': 2})": r"\[SA202\] the table is empty; l = 2",
    "randomize('(FROM people LIMIT 0)', t := {'age': 0.2})": r"\[SA202\] the table is empty\.",
    "randomize_params('(FROM people LIMIT 0)', t := {'age': 0.2})": r"\[SA202\] the table is empty\.",
    "randomize_params('people', l := {'age': 5})": r"\[SA201\]",
}


@pytest.mark.parametrize("call", REFUSED)
def test_what_cannot_be_is_refused_with_its_code(con: TestConnection, call: str) -> None:
    assert re.search(REFUSED[call], con.refusal(f"FROM {call}"))


@pytest.mark.parametrize("seed", ["NULL", "4"])
def test_the_values_of_a_row_stay_together_however_many_columns_there_are(con: TestConnection, seed: str) -> None:
    names = [f"c{number}" for number in range(1, 21)]
    columns = ", ".join(f"id * {number} % 7 AS {name}" for number, name in enumerate(names, 1))
    lengths = ", ".join(f"'{name}': 1" for name in names)
    con.execute(f"CREATE TABLE wide AS SELECT id, {columns} FROM people")
    rows = con.rows(f"FROM randomize('wide', l := {{{lengths}}}, keep := ['id'], seed := {seed})")
    assert {row[-1] for row in rows} == set(range(2000))
    for *lists, number in rows:
        assert lists == [[number * factor % 7] for factor in range(1, 21)]
