"""randomize and its options: bins, ordered distances, columns that are not protected."""

from __future__ import annotations

import logging
import math
import re
from fractions import Fraction

import duckdb
import pytest
from connections import TestConnection
from twins import randomize as twin

PEOPLE = """
    CREATE TABLE people AS SELECT
        i AS id, 20 + i * i % 47 AS age, CASE WHEN i % 10 < 3 THEN NULL ELSE 'c' || i * i % 6 END AS city,
        CASE WHEN i % 9 > 0 THEN DATE '2024-01-01' + CAST(i * i % 500 AS INTEGER) END AS seen
    FROM range(400) AS numbers(i)
"""


@pytest.fixture(autouse=True)
def people(con: TestConnection, scratch: None) -> None:
    con.execute("SET threads = 1")
    con.execute(PEOPLE)


@pytest.mark.parametrize("column", ["age", "seen"])
def test_bins_are_those_of_numeric_taxonomy_in_order_and_null_is_last(con: TestConnection, column: str) -> None:
    call = f"randomize_params('people', l := {{'{column}': 2}}, options := {{'bins': {{'{column.upper()}': 6}}}})"
    ((domain, size),) = con.rows(f"SELECT domain, domain_size FROM {call}")
    levels = con.rows(f"SELECT DISTINCT level_1 FROM numeric_taxonomy('people', '{column}', bins := 6)")
    labels = [label for label in domain if label is not None]
    assert set(labels) == {label for (label,) in levels}
    assert labels == sorted(labels)
    assert size == len(domain)
    assert (domain[-1] is None) == (column == "seen")


def test_each_list_holds_the_bin_of_its_row(con: TestConnection) -> None:
    con.execute("""
        CREATE TABLE r AS
        FROM randomize('people', l := {'age': 2, 'seen': 3}, keep := ['id'], options := {'bins': {'age': 6, 'seen': 4}})
    """)
    described = con.rows("SELECT column_name, column_type FROM (DESCRIBE r)")
    assert described == [("age", "VARCHAR[]"), ("seen", "VARCHAR[]"), ("id", "BIGINT")]
    assert con.rows("""
        SELECT count(*), count(*) FILTER (WHERE list_contains(r.age, level_1) AND len(r.age) = 2)
        FROM r JOIN people USING (id)
        JOIN numeric_taxonomy('people', 'age', bins := 6) ON leaf = CAST(people.age AS VARCHAR)
    """) == [(400, 400)]
    assert con.rows("""
        SELECT count(*), count(*) FILTER (WHERE NOT r.seen[2] IS NULL AND r.seen[3] IS NULL)
        FROM r JOIN people USING (id) WHERE people.seen IS NULL
    """) == [(45, 45)]  # fmt: skip


def test_binned_releases_are_read_like_others(con: TestConnection) -> None:
    arguments = "'people', l := {'age': 2, 'city': 1}, options := {'bins': {'age': 6}}"
    con.execute(f"CREATE TABLE r AS FROM randomize({arguments}, seed := 4)")
    con.execute(f"CREATE TABLE p AS FROM randomize_params({arguments})")
    estimates = con.rows("FROM reconstruct('r', 'p', ['age', 'city'])")
    assert len(estimates) == 6 * 5
    assert sum(count for _, _, count in estimates) == pytest.approx(400)
    ((l1,),) = con.rows("SELECT l1 FROM distribution_distance('people', 'r', 'p', ['age'])")
    assert 0 < l1 < 0.3
    assert con.rows("SELECT l1 FROM distribution_distance('people', 'r', 'p', ['city'])") == [(pytest.approx(0),)]
    refused = con.refusal("FROM distribution_distance('(SELECT age + 900 AS age FROM people)', 'r', 'p', ['age'])")
    assert "[SA301]" in refused


def test_the_domain_of_fewer_values_than_bins_is_the_values(con: TestConnection) -> None:
    call = "randomize_params('(FROM range(3))', l := {'range': 2}, options := {'bins': {'range': 50}})"
    assert con.rows(f"SELECT domain FROM {call}") == [(["0", "1", "2"],)]


@pytest.mark.parametrize("numbers", ["'NaN', 'Infinity', '-Infinity', '1', '2', '3'", "'1e308', '-1e308', '0'"])
def test_the_ends_of_the_axis_have_bins_as_well(con: TestConnection, numbers: str) -> None:
    con.execute(f"CREATE TABLE far AS SELECT CAST(unnest([{numbers}]) AS DOUBLE) AS x")
    rows = con.rows("FROM randomize('far', l := {'x': 2}, options := {'bins': {'x': 3}})")
    assert len(rows) == numbers.count(",") + 1
    assert {len(set(listed)) for (listed,) in rows} == {2}


@pytest.mark.parametrize("bins", ["", ", 'bins': {'age': 6}"])
def test_an_ordered_distance_gives_the_parameters_of_every_list_tried(con: TestConnection, bins: str) -> None:
    con.execute("CREATE TABLE few AS FROM people WHERE age IN (20, 21, 24, 29, 36, 45)")
    values = "age" if not bins else "level_1"
    counts = con.rows(f"""
        SELECT count(*) FROM few JOIN numeric_taxonomy('few', 'age', bins := 6) ON leaf = CAST(age AS VARCHAR)
        GROUP BY {values} ORDER BY min(age)
    """)
    options = f"{{'ground': {{'age': 'ordered'}}{bins}}}"
    call = f"randomize_params('few', l := {{'age': 2}}, t := {{'age': 0.15}}, options := {options})"
    ((eta, p, ground),) = con.rows(f"SELECT eta, p, ground FROM {call}")
    expected = twin.chosen_parameters([n for (n,) in counts], 2, Fraction(15, 100), "ordered")
    assert (eta, p, ground) == (expected[0], pytest.approx(expected[1], rel=1e-6), "ordered")
    ((equal,),) = con.rows("SELECT expected_l2 FROM randomize_params('few', l := {'age': 2}, t := {'age': 0.15})")
    assert expected[2] < equal


@pytest.mark.parametrize("bins", ["", ", 'bins': {'age': 6}"])
def test_an_ordered_release_is_checked_and_published(con: TestConnection, bins: str) -> None:
    arguments = f"'people', l := {{'age': 2}}, t := {{'age': 0.2}}, options := {{'ground': {{'age': 'ordered'}}{bins}}}"
    con.execute(f"CREATE TABLE r AS FROM randomize({arguments})")
    con.execute(f"CREATE TABLE p AS FROM randomize_params({arguments})")
    assert con.rows("SELECT count(*), count(DISTINCT len(age)) FROM r") == [(400, 1)]
    ((t, ground),) = con.rows("SELECT t, ground FROM randomization_privacy('r', 'p')")
    assert ground == "ordered"
    assert 0 < t < 0.4, "the prior is an estimate"


def test_a_column_with_an_l_of_one_is_published_and_read_as_it_is(con: TestConnection) -> None:
    con.execute("CREATE TABLE r AS FROM randomize('people', l := {'city': 1, 'age': 3}, keep := ['id'])")
    con.execute("CREATE TABLE p AS FROM randomize_params('people', l := {'city': 1, 'age': 3})")
    assert con.rows("SELECT eta, p, expected_l2 FROM p WHERE attribute = 'city'") == [(1, 1.0, 0.0)]
    assert con.rows("""
        SELECT count(*) FROM r JOIN people USING (id) WHERE r.city IS NOT DISTINCT FROM [people.city]
    """) == [(400,)]  # fmt: skip
    counts = dict(con.rows("FROM reconstruct('r', 'p', ['city'])"))
    assert counts == pytest.approx(dict(con.rows("SELECT city, count(*) FROM people GROUP BY city")))


@pytest.mark.parametrize("options", ["{'bins': {'age': NULL}}", "{'ground': {'age': NULL}}", "{'bins': NULL}", "NULL"])
def test_an_option_that_is_null_is_left_out(con: TestConnection, options: str) -> None:
    call = "randomize_params('people', l := {{'age': 2}}, options := {})"
    assert con.rows(f"FROM {call.format(options)}") == con.rows("FROM randomize_params('people', l := {'age': 2})")


REFUSED = {
    "{'bins': {'age': 0}}": r"\[SA102\] the bins of column 'age' = 0 is out of range",
    "{'bins': {'age': 1}}": r"\[SA102\] the bins of column 'age' = 1 is out of range",
    "{'bins': {'age': 1001}}": r"\[SA102\] the bins of column 'age' = 1001 is out of range",
    "{'bins': {'age': 2.5}}": r"\[SA102\] the bins of column 'age' must be a whole number",
    "{'bins': {'age': 'many'}}": r"\[SA102\] the bins of column 'age' must be a whole number",
    "{'bins': {'city': 5}}": r"\[SA102\] column 'city' has type VARCHAR; bins are for numbers, dates and times",
    "{'bins': {'seen': 5}}": r"\[SA101\] bins names column 'seen', which is not in l or t",
    "{'bins': 5}": r"\[SA102\] bins must be a struct or map from column to whole number",
    "{'bins': {'age': 5}, 'domain': {'AGE': 'people'}}": r"\[SA102\] column 'age' has both domain and bins",
    "{'ground': {'age': 'round'}}": r"\[SA102\] the ground of column 'age': 'round' is not known.*equal, ordered",
    "{'ground': {'city': 'ordered'}}": r"\[SA102\] column 'city' has type VARCHAR; an ordered ground distance is for",
    "{'ground': {'seen': 'ordered'}}": r"\[SA101\] ground names column 'seen', which is not in l or t",
    "{'ground': 'ordered'}": r"\[SA102\] ground must be a struct or map from column to 'equal' or 'ordered'",
    "{'grounds': {'age': 'ordered'}}": r"\[SA102\] options: 'grounds' is not an option.*domain, bins, ground",
}


@pytest.mark.parametrize("options", REFUSED)
def test_options_that_cannot_be_are_refused_with_their_code(con: TestConnection, options: str) -> None:
    for function in ("randomize", "randomize_params"):
        refused = con.refusal(f"FROM {function}('people', l := {{'age': 2, 'city': 2}}, options := {options})")
        assert re.search(REFUSED[options], refused)


def warnings(con: TestConnection, caplog: pytest.LogCaptureFixture, call: str) -> list[str]:
    with caplog.at_level(logging.WARNING, logger="sqlanon"):
        con.execute(f"FROM {call}").fetchall()
    return [record.getMessage() for record in caplog.records]


def test_columns_that_tell_rows_apart_and_are_published_as_they_are_get_a_warning(
    con: TestConnection, caplog: pytest.LogCaptureFixture
) -> None:
    told = warnings(con, caplog, "randomize('people', l := {'age': 2, 'id': 1}, keep := ['seen'])")
    assert told == ["column 'id' has a value of its own in 100 % of the rows: whoever knows it knows the row"]
    caplog.clear()
    assert "'id'" in warnings(con, caplog, "randomize('people', l := {'age': 2}, keep := ['id', 'city'])")[0]


def test_hidden_columns_and_small_tables_get_no_warning(con: TestConnection, caplog: pytest.LogCaptureFixture) -> None:
    assert warnings(con, caplog, "randomize('people', l := {'id': 2}, keep := ['age', 'city'])") == []
    assert warnings(con, caplog, "randomize('(FROM people LIMIT 19)', l := {'age': 2}, keep := ['id'])") == []


def test_bins_are_in_as_many_lists_as_the_parameters_say(con: TestConnection) -> None:
    arguments = "'people', l := {'age': 2}, options := {'bins': {'age': 4}}"
    bins = "numeric_taxonomy('people', 'age', bins := 4)"
    binned = f"people JOIN {bins} ON leaf = CAST(age AS VARCHAR)"
    counts = dict(con.rows(f"SELECT level_1, count(*) FROM {binned} GROUP BY level_1"))
    unnested = f"SELECT unnest(age) AS bin FROM randomize({arguments}, seed := 9)"
    listed = dict(con.rows(f"SELECT bin, count(*) FROM ({unnested}) GROUP BY bin"))
    for label, n in counts.items():
        as_decoy = Fraction(1, 3)  # (eta − 1) / (d − 1)
        expected, spread = n + (400 - n) * as_decoy, math.sqrt((400 - n) * as_decoy * (1 - as_decoy))
        assert abs(listed[label] - expected) < 5 * spread


def test_an_ordered_distance_of_very_many_values_asks_for_bins(con: TestConnection) -> None:
    options = "t := {'i': 0.2}, options := {'ground': {'i': 'ordered'}}"
    with pytest.raises(duckdb.Error, match=r"\[SA102\] column 'i' has 5,001 values; .* up to 5,000. Put it into bins"):
        con.execute(f"FROM randomize_params('(SELECT i FROM range(5001) AS n(i))', {options})")


def test_a_column_of_nothing_but_null_is_published_and_read(con: TestConnection) -> None:
    """It has no type of its own. DuckDB 1 takes it for numbers."""
    blank = "(SELECT id % 3 AS a, NULL AS n FROM people)"
    con.execute("CREATE TABLE names AS FROM (VALUES (1), (2)) AS v(n)")
    owned = "l := {'n': 2, 'a': 2}, options := {'domain': {'n': 'names'}}"
    assert {len(items) for (items,) in con.rows(f"SELECT n FROM randomize('{blank}', {owned})")} == {2}
    con.execute(f"CREATE TABLE p AS FROM randomize_params('{blank}', l := {{'n': 1, 'a': 2}})")
    con.execute(f"CREATE TABLE r AS FROM randomize('{blank}', l := {{'n': 1, 'a': 2}}, seed := 1)")
    assert con.rows("FROM reconstruct('r', 'p', ['n'])") == [(None, 400.0)]
    assert con.rows(f"FROM distribution_distance('{blank}', 'r', 'p', ['n'])") == [(0.0, 0.0, 0.0)]
    asked = "SELECT n, count(*) FROM blank GROUP BY n"
    assert con.rows(f"SELECT estimate FROM estimate('r', '{asked}', params := 'p')") == [(400.0,)]
