"""Values of rows that are left out show nowhere: not in ranges, not in lists, whoever made the taxonomy."""

from __future__ import annotations

import duckdb
import pytest
from connections import Row, TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from sqlanon.release.algorithms import Algorithm

from .calls import ONE_TABLE, release_by

OUTLIER = "987654"


@pytest.fixture(scope="module", autouse=True)
def s(con: TestConnection) -> None:
    """One row has an age, a ZIP code and a day that no other comes near."""
    con.execute(f"""
        CREATE TABLE s AS
        SELECT
            20 + i % 12 AS age, '10' || i % 3 AS zip, DATE '2024-03-01' + CAST(i % 9 AS INTEGER) AS day, i % 6 AS sick
        FROM range(120) AS numbers(i);
        INSERT INTO s VALUES ({OUTLIER}, '{OUTLIER}', DATE '9876-05-04', 1);
        ALTER TABLE s ADD COLUMN mark VARCHAR;
        UPDATE s SET mark = CASE WHEN age <> {OUTLIER} THEN 'a' ELSE 'b' END;
        CREATE TABLE with_gap AS SELECT *, nullif(mark, 'b') AS gap FROM s
    """)


@pytest.mark.parametrize("form", ["text", "typed"])
@pytest.mark.parametrize(
    ("column", "taxonomy"),
    [
        ("age", "numeric_taxonomy('s', 'age', bins := 4)"),
        ("age", "numeric_taxonomy('s', 'age', bins := 4, method := 'frequency')"),
        ("age", "(SELECT * FROM numeric_taxonomy('s', 'age', cuts := [26]))"),
        ("zip", "prefix_taxonomy('s', 'zip')"),
        ("zip", "(SELECT DISTINCT zip, zip[:1] || 'x', '*' FROM s)"),
        ("day", "date_taxonomy('s', 'day')"),
        ("day", "numeric_taxonomy('s', 'day', bins := 4)"),
        ("age", None),
    ],
)
@pytest.mark.parametrize("way", ["suppress", "exclude", "exclude by extents"])
def test_a_value_of_a_row_left_out_is_in_no_cell(
    con: TestConnection, column: str, taxonomy: str | None, form: str, way: str
) -> None:
    made = "NULL" if taxonomy is None else f"{{'{column}': $tx${taxonomy}$tx$}}"
    if way == "suppress":
        call = f"ldiverse('s', ['{column}', 'mark'], 'sick', 3, algo := 'incognito', options := {{'suppress': 0.01}}"
    else:
        algo = "incognito" if way == "exclude" else "hilbert"
        call = f"ldiverse('with_gap', ['{column}', 'gap'], 'sick', 3, nulls := 'exclude', algo := '{algo}'"
    released = con.rows(f"SELECT {column}::VARCHAR FROM {call}, format := '{form}', taxonomy := {made})")
    assert len(released) == 120
    told = "".join(cell for (cell,) in released)
    assert OUTLIER not in told
    assert "9876" not in told


def test_ranges_of_a_made_taxonomy_are_those_of_the_published_rows(con: TestConnection) -> None:
    call = (
        "ldiverse('s', ['age', 'mark'], 'sick', 3, algo := 'incognito', options := {'suppress': 0.01}, "
        "taxonomy := {'age': $$numeric_taxonomy('s', 'age', cuts := [26])$$})"
    )
    assert con.rows(f"SELECT DISTINCT age FROM {call} ORDER BY age") == [("[20, 25]",), ("[26, 31]",)]


def test_a_stored_taxonomy_is_published_as_it_is(con: TestConnection) -> None:
    """It is taken for public knowledge."""
    con.execute("CREATE OR REPLACE TABLE stored AS FROM numeric_taxonomy('s', 'age', cuts := [26])")
    call = (
        "ldiverse('s', ['age', 'mark'], 'sick', 3, algo := 'incognito', options := {'suppress': 0.01}, "
        "taxonomy := {'age': 'stored'})"
    )
    assert con.rows(f"SELECT DISTINCT age FROM {call} ORDER BY age") == [("[20, 25]",), (f"[26, {OUTLIER}]",)]


def test_that_a_row_left_out_has_no_value_shows_nowhere(con: TestConnection) -> None:
    """A root with a name of its own is `*` where published values are missing, and only there."""
    con.execute("""
        CREATE OR REPLACE TABLE towns AS FROM (VALUES ('x', 'anywhere'), ('y', 'anywhere'));
        CREATE OR REPLACE TABLE t AS SELECT CASE WHEN i % 2 = 0 THEN 'x' ELSE 'y' END AS town, 20 AS age, i % 2 AS s
        FROM range(60) AS numbers(i);
        INSERT INTO t VALUES (NULL, 99, 1)
    """)
    call = (
        "ldiverse('t', ['town', 'age'], 's', 2, algo := 'incognito', "
        "options := {'suppress': 0.02, 'bins': 0}, taxonomy := {'town': 'towns'})"
    )
    assert con.rows(f"SELECT town, age, count(*) FROM {call} GROUP BY ALL") == [("anywhere", "20", 60)]


TYPES = {"id": "INTEGER", "age": "INTEGER", "day": "DATE", "city": "VARCHAR", "person": "INTEGER", "s": "VARCHAR"}
values = st.tuples(
    st.sampled_from([1, 2, 3, 50, 10**6, -7]),
    st.sampled_from(["1900-01-01", "2020-02-29", "2020-03-01", "2999-12-31"]),
    st.sampled_from(["a", "b", "c", "zz"]),
    st.integers(0, 9),
    st.sampled_from("ABCDEF"),
)
holes = st.integers(0, 2)


@st.composite
def tables_twice(draw: st.DrawFn) -> tuple[list[Row], list[Row]]:
    """Rows, of which some miss a quasi-identifier; and the same with other values in all else of these."""
    published = draw(st.lists(values, min_size=6, max_size=16))
    both: list[list[Row]] = []
    for _ in range(2):
        without = [list(one) for one in draw(st.lists(values, min_size=3, max_size=3))]
        for one, hole in zip(without, draw(st.lists(holes, min_size=3, max_size=3)), strict=True):
            one[hole] = None
        both.append([(number, *one) for number, one in enumerate([*published, *without])])
    return both[0], both[1]


@settings(max_examples=examples(60), deadline=None)
@given(
    tables_twice(),
    st.sampled_from([algorithm for algorithm in ONE_TABLE if not algorithm.pairs]),
    st.sampled_from(["text", "typed"]),
    st.sampled_from(["", ", entity := 'person'"]),
)
def test_nothing_that_is_published_depends_on_values_of_rows_left_out(
    con: TestConnection, tables: tuple[list[Row], list[Row]], algorithm: Algorithm, form: str, people: str
) -> None:
    qi = "['age', 'day', 'city']"
    seed = ", seed := 1" if "seed" in algorithm.takes else ""
    more = f"format := '{form}', nulls := 'exclude', keep := ['id']{people}{seed}"
    published = []
    for rows in tables:
        con.execute("DROP TABLE IF EXISTS gaps")
        store(con, "gaps", TYPES, rows)
        try:
            con.execute(f"CREATE OR REPLACE TABLE shown AS FROM {release_by(algorithm, 'gaps', qi, 2, ('s', 2), more)}")
        except duckdb.Error as error:
            published.append([str(error)])
            continue
        certificate = "SELECT columns(* EXCLUDE created)::VARCHAR FROM certify('shown', ['age', 'day', 'city'], 's')"
        if algorithm.function == "kanonymous":
            certificate = certificate.replace(", 's')", ")")
        published.append(["", con.rows("FROM shown"), con.rows(certificate)])
    assert published[0] == published[1]
