"""Rows are not people: k and l over people, for every algorithm, where a column tells them apart."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest
from connections import TestConnection, store
from sqlanon.udfs.grouping import partition

from sqlanon.release.algorithms import Algorithm

from .calls import ONE_TABLE, each_algorithm, release_by

VISITS = """
    CREATE TABLE visits AS
    SELECT
        i AS id, i // 4 AS person, 20 + hash(i // 4) % 50 AS age, 'z' || hash(i // 4 + 1) % 9 AS zip,
        'd' || hash(i * 3) % 24 AS disease, CASE WHEN i // 4 % 2 = 0 THEN 'a' ELSE 'b' END AS half
    FROM range(1200) AS numbers(i)
"""


@pytest.fixture(scope="module", autouse=True)
def visits(con: TestConnection) -> None:
    con.execute(VISITS)


def call(algorithm: Algorithm, more: str = "entity := 'person'", table: str = "visits") -> str:
    more = f"seed := 5, keep := ['id'], {more}"
    return release_by(algorithm, table, "['age', 'zip']", 4, sensitive(algorithm), more)


def sensitive(algorithm: Algorithm) -> tuple[str, int]:
    """The sensitive attribute and l; pairs need two values, equally frequent."""
    return ("half", 2) if algorithm.pairs else ("disease", 3)


PEOPLE = "(SELECT release.group_id, visits.* FROM release JOIN visits ON release.id = visits.id)"


def fewest_people(con: TestConnection) -> int:
    ((fewest,),) = con.rows(
        f"SELECT min(people) FROM (SELECT count(DISTINCT person) AS people FROM {PEOPLE} GROUP BY group_id)"
    )
    return int(fewest)


def weakest_l(con: TestConnection, sa: str) -> float:
    """The smallest number of people per holder of a value, over all groups."""
    ((weakest,),) = con.rows(f"""
        SELECT min(people / holders)
        FROM (SELECT group_id, count(DISTINCT person) AS people FROM {PEOPLE} GROUP BY group_id) AS sizes
        JOIN (SELECT group_id, {sa}, count(DISTINCT person) AS holders FROM {PEOPLE} GROUP BY ALL) AS held
            USING (group_id)
    """)
    return float(weakest)


@each_algorithm
def test_every_group_keeps_its_promise_for_people_and_for_rows(con: TestConnection, algorithm: Algorithm) -> None:
    con.execute(f"CREATE OR REPLACE TABLE release AS FROM {call(algorithm)}")
    columns = [name for name, *_ in con.rows("DESCRIBE release")]
    assert "person" not in columns
    if not algorithm.apart:
        assert con.rows("SELECT count(*) FROM release") == [(1200,)]
    if algorithm.function == "kanonymous":
        assert fewest_people(con) >= 4
    else:
        sa, l = sensitive(algorithm)
        if algorithm.model == "recursive diversity":
            assert con.rows(f"SELECT c < 3 FROM recursive_c('release', ['group_id'], '{sa}', {l})") == [(True,)]
            assert con.rows(
                f"SELECT c < 3 FROM recursive_c('{PEOPLE}', ['group_id'], '{sa}', {l}, entity := 'person')"
            ) == [(True,)]
            return
        assert weakest_l(con, sa) >= l
        if algorithm.recode != "none":
            assert con.rows(f"SELECT frequency_l >= {l} FROM privacy('release', ['group_id'], '{sa}')") == [(True,)]


def test_without_entity_one_person_fills_groups(con: TestConnection) -> None:
    """The point of entity: else the tests above would pass anyway."""
    for algorithm in (ONE_TABLE[0], next(one for one in ONE_TABLE if one.function == "ldiverse")):
        con.execute(f"CREATE OR REPLACE TABLE release AS FROM {call(algorithm, 'entity := NULL')}")
        assert fewest_people(con) == 1


@each_algorithm
def test_neither_threads_nor_the_order_of_rows_matter(con: TestConnection, algorithm: Algorithm) -> None:
    released = con.rows(f"FROM {call(algorithm)}")
    con.execute("CREATE OR REPLACE TABLE shuffled AS FROM visits ORDER BY hash(id + 7)")
    threads = con.rows("SELECT current_setting('threads')")[0][0]
    con.execute("SET threads = 1")
    assert con.rows(f"FROM {call(algorithm, table='shuffled')}") == released
    con.execute(f"SET threads = {threads}")


def test_rows_without_an_entity_are_one_person(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE five AS SELECT * REPLACE (nullif(person % 5, 0) AS person) FROM visits")
    con.execute(
        "CREATE OR REPLACE TABLE release AS FROM kanonymous('five', ['age'], 5, entity := 'person', keep := ['id'])"
    )
    assert con.rows("""
        SELECT min(people) FROM (
            SELECT count(DISTINCT coalesce(person, -1)) AS people
            FROM release JOIN five USING (id) GROUP BY group_id
        )
    """) == [(5,)]
    refused = con.refusal("FROM kanonymous('five', ['age'], 6, entity := 'person')")
    assert refused.startswith("[SA202] the table has 5 people; k = 6 needs at least 6.")


def test_eligibility_counts_people_too(con: TestConnection) -> None:
    # by rows, a fifth has each value; but everybody has value 0 once
    con.execute("""
        CREATE OR REPLACE TABLE everybody AS
        SELECT i // 5 AS person, i AS age, CASE WHEN i % 5 = 0 THEN 'same' ELSE 'd' || hash(i) % 30 END AS disease
        FROM range(200) AS numbers(i)
    """)
    con.rows("FROM ldiverse('everybody', ['age'], 'disease', 4)")
    refused = con.refusal("FROM ldiverse('everybody', ['age'], 'disease', 2, entity := 'person')")
    assert refused.startswith(
        "[SA201] one sensitive value is held by 40 of 40 people; l = 2 allows 20. The largest l is 1."
    )
    assert con.rows("SELECT max_l FROM eligibility('everybody', 'disease')") == [(5,)]
    by_people = "SELECT \"rows\", top_count, max_l FROM eligibility('everybody', 'disease', entity := 'person')"
    assert con.rows(by_people) == [(200, 40, 1)]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("entity := 'nobody'", "[SA101] there is no column 'nobody' in tbl"),
        ("entity := 'age'", "[SA101] column 'age' is given in both qi and entity"),
        ("entity := 'id', keep := ['id']", "[SA101] column 'id' is given in both keep and entity"),
        ("entity := 3", "[SA102] entity must be text, not a int"),
        ("entity := ''", "[SA102] entity is empty"),
        (
            "entity := 'person', algo := 'bsgi', options := {'individual': 'person'}",
            "[SA102] entity and options.individ",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(con: TestConnection, more: str, said: str) -> None:
    assert con.refusal(f"FROM ldiverse('visits', ['age', 'zip'], 'disease', 3, {more})").startswith(said)


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("kanonymous('visits', ['age', 'zip'], 4, entity := 'person')", "a group has fewer than k = 4 people"),
        (
            "ldiverse('visits', ['age', 'zip'], 'disease', 3, entity := 'person')",
            "a sensitive value takes more than 1/3 of the people of a group",
        ),
    ],
)
def test_people_are_recounted_before_a_row_leaves(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, release: str, said: str
) -> None:
    monkeypatch.setattr(partition, "join_for_people", lambda data, person, group_of, *_: group_of)
    with pytest.raises(duckdb.Error, match=rf"\[SA901\] {said}"):
        con.rows(f"FROM {release}")
    monkeypatch.setattr(partition, "join_for_people", lambda data, person, group_of, *_: np.zeros_like(group_of))
    assert con.rows(f"SELECT count(DISTINCT group_id) FROM {release}") == [(1,)]


@pytest.mark.parametrize("algo", ["hilbert", "mondrian", "bsgi", "incognito", "tds"])
def test_the_largest_l_is_what_rows_and_people_allow(con: TestConnection, algo: str) -> None:
    """Rows alone would allow 3; all three people have the same value. The advice is what works for people, too."""
    rows = [(1, "a"), (2, "a"), (3, "a"), (1, "b"), (1, "c"), (2, "d"), (2, "e"), (3, "f"), (3, "g")]
    store(con, "held", {"person": "INTEGER", "s": "VARCHAR"}, rows)
    release = f"ldiverse('(SELECT *, 1 AS q FROM held)', ['q'], 's', 4, algo := '{algo}', entity := 'person')"
    assert con.refusal(f"FROM {release}") == (
        "[SA202] the table has 3 people; l = 4 needs at least 4. Lower l or publish more people."
    )
    said = con.refusal(f"FROM {release.replace('4', '3')}")
    assert said.startswith("[SA201] one sensitive value is held by 3 of 3 people; l = 3 allows 1. The largest l is 1.")
    more = "(SELECT * FROM held UNION ALL SELECT p, 'x' || p FROM range(4, 7) AS r(p))"
    release = f"ldiverse('(SELECT *, 1 AS q FROM {more})'".replace("'x'", "''x''") + release[release.index("',") + 1 :]
    said = con.refusal(f"FROM {release}")
    assert said.startswith("[SA201] one sensitive value is held by 3 of 6 people; l = 4 allows 1. The largest l is 2.")
    assert "taudiverse" not in said, "it counts rows"
    assert con.rows(f"SELECT count(*) FROM {release.replace(', 4,', ', 2,')}") == [(12,)]


def test_the_largest_l_is_what_all_attributes_allow(con: TestConnection) -> None:
    twelve = "(SELECT i AS q, ''s'' || i % 4 AS s, ''w'' || i % 2 AS w FROM range(12) AS r(i))"
    release = f"ldiverse('{twelve}', ['q'], ['s', 'w'], 5, algo := 'bsgi')"
    assert "is in 6 of 12 rows; l = 5 allows 2. The largest l is 2." in con.refusal(f"FROM {release}")


def test_c_is_above_what_rows_and_people_need(con: TestConnection) -> None:
    """Of 6 rows, 2 have the most frequent value and 4 another: c above 0.5; of 3 people, 2 and 3: c above 2 / 3."""
    store(con, "c_held", {"p": "INTEGER", "s": "VARCHAR"}, [(1, "a"), (2, "a"), (1, "b"), (1, "c"), (1, "b"), (3, "d")])
    release = "ldiverse('(SELECT *, 1 AS q FROM c_held)', ['q'], 's', 2, algo := 'incognito', entity := 'p', {})"
    said = con.refusal("FROM " + release.format("options := {'c': 0.4}"))
    assert said.endswith("For l = 2, c must be above 0.666667.")
    assert con.rows("SELECT count(*) FROM " + release.format("options := {'c': 0.67}")) == [(6,)]
