"""Full-domain recoding through SQL: one level per column, the least loss there is, rows left out as allowed."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from connections import Row, TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

TYPES = {"id": "INTEGER", "age": "INTEGER", "city": "VARCHAR", "sa": "VARCHAR"}
AGES = {age: (str(age), "young" if age < 3 else "old", "any") for age in range(6)}
CITIES = {city: (city, city[0], "*") for city in ("n1", "n2", "s1", "s2")}
LEVELS = {"age": AGES, "city": CITIES}
TAXONOMY = "taxonomy := {'age': 'ages', 'city': 'cities'}"

people = st.lists(
    st.tuples(st.sampled_from([*AGES]), st.sampled_from([*CITIES]), st.sampled_from("abcd")), min_size=2, max_size=30
)


@pytest.fixture(scope="module", autouse=True)
def taxonomies(con: TestConnection) -> None:
    store(con, "ages", {"age": "VARCHAR", "half": "VARCHAR", "top": "VARCHAR"}, [*AGES.values()])
    store(con, "cities", {"city": "VARCHAR", "side": "VARCHAR", "top": "VARCHAR"}, [*CITIES.values()])


def keep(con: TestConnection, rows: list[Row]) -> list[Row]:
    numbered = [(i, *row) for i, row in enumerate(rows)]
    store(con, "people", TYPES, numbered)
    return numbered


def holds(values: list[str], k: int | None, l: int | None) -> bool:
    return len(values) >= (k or 1) and max(Counter(values).values()) * (l or 1) <= len(values)


def lost(column: str, label: str) -> float:
    """The NCP of a label, by hand: the share of the leaves below it."""
    paths = LEVELS[column].values()
    below = sum(label in path for path in paths)
    return 0.0 if below == 1 else below / len(paths)


def best(rows: list[Row], k: int | None, l: int | None, suppress: float) -> float | None:
    """The least GCP of all levels that hold, tried one by one."""
    losses = []
    for levels in product(range(3), range(3)):
        classes: dict[tuple[str, ...], list[str]] = {}
        for _, age, city, sa in rows:
            classes.setdefault((AGES[age][levels[0]], CITIES[city][levels[1]]), []).append(sa)
        failing = [label for label, values in classes.items() if not holds(values, k, l)]
        left_out = sum(len(classes.pop(label)) for label in failing)
        if left_out <= suppress * len(rows) + 1e-9 and classes:
            kept = sum(len(values) * (lost("age", a) + lost("city", c)) for (a, c), values in classes.items())
            losses.append((kept + 2 * left_out) / (2 * len(rows)))
    return min(losses, default=None)


def publish(con: TestConnection, call: str) -> tuple[list[Row], float]:
    con.execute(f"CREATE OR REPLACE TABLE release AS FROM {call}")
    [(gcp,)] = con.rows(f"SELECT gcp FROM info_loss('people', 'release', ['age', 'city'], {TAXONOMY})")
    return con.rows("SELECT id, age, city FROM release"), float(gcp)


@settings(max_examples=examples(25))
@given(people, st.integers(1, 4), st.sampled_from([0, 0.1, 0.3]), st.sampled_from(["text", "typed"]))
def test_no_other_levels_lose_less_for_k(
    con: TestConnection, drawn: list[Row], k: int, suppress: float, format: str
) -> None:
    rows = keep(con, drawn)
    if len(rows) < k:
        return
    options = f"options := {{'suppress': {suppress}}}, format := '{format}', keep := ['id']"
    call = f"kanonymous('people', ['age', 'city'], {k}, algo := 'incognito', {TAXONOMY}, {options})"
    expected = best(rows, k, None, suppress)
    if expected is None:
        assert con.refusal(f"FROM {call}").startswith("[SA201] no levels")
        return
    released, gcp = publish(con, call)
    assert gcp == pytest.approx(expected)
    assert len(released) >= len(rows) * (1 - suppress) - 1e-9
    if format == "text":
        assert_one_level_per_column(rows, released)


@settings(max_examples=examples(25))
@given(people, st.integers(2, 3), st.sampled_from(["incognito", "tds"]))
def test_a_value_is_recoded_in_one_way_and_every_class_is_diverse(
    con: TestConnection, drawn: list[Row], l: int, algo: str
) -> None:
    rows = keep(con, drawn)
    if len(rows) < l or max(Counter(row[3] for row in rows).values()) * l > len(rows):
        return
    call = f"ldiverse('people', ['age', 'city'], 'sa', {l}, algo := '{algo}', {TAXONOMY}, keep := ['id'])"
    released, gcp = publish(con, call)
    assert_one_level_per_column(rows, released)
    least = best(rows, None, l, 0)
    assert least is not None
    assert gcp == pytest.approx(least) if algo == "incognito" else gcp >= least - 1e-9
    assert con.rows(f"SELECT frequency_l >= {l}, rows FROM privacy('release', ['age', 'city'], 'sa')") == [
        (True, len(rows))
    ]


def assert_one_level_per_column(rows: list[Row], released: list[Row]) -> None:
    of_id = {row[0]: row for row in rows}
    for number, levels in enumerate(LEVELS.values(), 1):
        assert any(
            all(row[number] == levels[of_id[row[0]][number]][level] for row in released) for level in range(3)
        ), "one level explains every cell"


@settings(max_examples=examples(15))
@given(people, st.integers(1, 3))
def test_levels_are_listed_best_first_and_the_first_is_published(con: TestConnection, drawn: list[Row], k: int) -> None:
    rows = keep(con, drawn)
    if len(rows) < k:
        return
    listed = con.rows(
        f"SELECT levels.age, levels.city, gcp, suppressed_rows "
        f"FROM full_domain_levels('people', ['age', 'city'], k := {k}, {TAXONOMY})"
    )
    assert [gcp for *_, gcp, _ in listed] == pytest.approx(sorted(gcp for *_, gcp, _ in listed))
    for age_level, city_level, _, left_out in listed:
        sizes = Counter((AGES[row[1]][age_level], CITIES[row[2]][city_level]) for row in rows)
        assert min(sizes.values()) >= k
        assert left_out == 0
    released, gcp = publish(
        con, f"kanonymous('people', ['age', 'city'], {k}, algo := 'incognito', {TAXONOMY}, keep := ['id'])"
    )
    age_level, city_level, least, _ = listed[0]
    assert gcp == pytest.approx(least)
    of_id = {row[0]: row for row in rows}
    assert all(
        (age, city) == (AGES[of_id[i][1]][age_level], CITIES[of_id[i][2]][city_level]) for i, age, city in released
    )


def test_numbers_without_a_taxonomy_get_bins_and_categories_the_flat_tree(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i AS age, 'c' || i AS city FROM range(32) AS r(i)")
    release = "kanonymous('t', ['age', 'city'], 4, algo := 'incognito', options := {'bins': 4})"
    assert con.rows(f"SELECT age, city, count(*) FROM {release} GROUP BY ALL ORDER BY min(group_id)") == [
        ("[0, 7]", "*", 8),
        ("[16, 23]", "*", 8),
        ("[24, 31]", "*", 8),
        ("[8, 15]", "*", 8),
    ]
    typed = release.removesuffix(")") + ", format := 'typed')"
    assert con.rows(f"SELECT DISTINCT age, city FROM {typed} ORDER BY age.lo") == [
        ({"lo": low, "hi": low + 7}, ["*"]) for low in (0, 8, 16, 24)
    ]


@settings(max_examples=examples(8))
@given(st.lists(st.tuples(st.integers(-300, 300), st.dates()), min_size=3, max_size=25), st.integers(1, 3))
def test_the_loss_of_bins_is_that_of_the_ranges_that_are_published(
    con: TestConnection, drawn: list[Row], k: int
) -> None:
    store(con, "t", {"number": "BIGINT", "day": "DATE"}, drawn)
    for type_name in ("BIGINT", "DOUBLE", "DECIMAL(9, 2)"):
        table = f"(SELECT number::{type_name} AS number, day FROM t)"
        arguments = f"'{table}', ['number', 'day'], k := {k}, options := {{'bins': 5}}"
        con.execute(f"CREATE OR REPLACE TABLE release AS FROM kanonymous({arguments}, algo := 'incognito')")
        [(expected,)] = con.rows(f"SELECT gcp FROM info_loss('{table}', 'release', ['number', 'day'])")
        [(listed,)] = con.rows(f"SELECT min(gcp) FROM full_domain_levels({arguments})")
        assert listed == pytest.approx(expected)


def test_who_is_left_out_leaves_no_trace_in_the_labels(con: TestConnection) -> None:
    """The bin of the one old person is published for others, without that person's age."""
    con.execute(
        "CREATE OR REPLACE TABLE t AS SELECT CASE WHEN i < 30 THEN i % 10 ELSE 99 END AS age FROM range(31) AS r(i)"
    )
    release = "kanonymous('t', ['age'], 3, algo := 'incognito', options := {'suppress': 0.1, 'bins': 4})"
    assert con.rows(f"SELECT max(age), count(*) FROM {release} WHERE age LIKE '%99%'") == [(None, 0)]
    con.execute("INSERT INTO t VALUES (98), (98), (98)")
    labels = {label for (label,) in con.rows(f"SELECT DISTINCT age FROM {release}")}
    assert not any("99" in label for label in labels)


def test_missing_values_stay_missing_below_the_root_and_are_stars_at_it(con: TestConnection) -> None:
    con.execute("""
        CREATE OR REPLACE TABLE t AS
        SELECT CASE WHEN i % 4 > 0 THEN 'n' || i % 2 + 1 END AS city, i % 5 AS age FROM range(40) AS r(i)
    """)
    kept = "kanonymous('t', ['city'], 10, algo := 'incognito', taxonomy := {'city': 'cities'})"
    assert con.rows(f"SELECT DISTINCT city FROM {kept} ORDER BY city") == [("n1",), ("n2",), (None,)]
    mixed = "kanonymous('t', ['city'], 11, algo := 'incognito', taxonomy := {'city': 'cities'})"
    assert con.rows(f"SELECT DISTINCT city FROM {mixed}") == [("*",)]


def test_recursive_diversity_is_kept(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i % 8 AS age, hash(i) % 10 // 3 AS sa FROM range(400) AS r(i)")
    for algo in ("incognito", "tds"):
        release = f"ldiverse('t', ['age'], 'sa', 2, algo := '{algo}', options := {{'c': 1.2}})"
        con.execute(f"CREATE OR REPLACE TABLE release AS FROM {release}")
        assert con.rows("SELECT c < 1.2 FROM recursive_c('release', ['age'], 'sa', 2)") == [(True,)]
    refused = con.refusal("FROM ldiverse('t', ['age'], 'sa', 4, algo := 'incognito', options := {'c': 1})")
    assert refused.startswith("[SA201] the most frequent sensitive value has")
    assert "c must be above" in refused


def test_a_class_to_learn_decides_which_column_goes_down(con: TestConnection) -> None:
    """Either column could stay as it is, both together could not."""
    con.execute("""
        CREATE OR REPLACE TABLE t AS
        SELECT i // 2 % 8 AS a, i // 16 % 8 AS b, i % 2 AS sa, i // 2 % 8 AS easy, i // 16 % 8 AS hard
        FROM range(128) AS r(i)
        WHERE i % 2 = (i // 2 % 8 + i // 16 % 8) % 2
    """)
    for label, precise in (("easy", "a"), ("hard", "b")):
        release = f"ldiverse('t', ['a', 'b'], 'sa', 2, algo := 'tds', options := {{'class': '{label}', 'bins': 0}})"
        [(a, b)] = con.rows(f"SELECT count(DISTINCT a), count(DISTINCT b) FROM {release}")
        assert (a, b) == ((8, 1) if precise == "a" else (1, 8))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("kanonymous('t', ['age'], 2, algo := 'incognito', options := {'c': 2})", "SA102"),
        ("ldiverse('t', ['age'], 'sa', 2, algo := 'hilbert', options := {'c': 2})", "SA102"),
        ("ldiverse('t', ['age'], 'sa', 2, algo := 'incognito', options := {'c': 0})", "SA102"),
        ("ldiverse('t', ['age'], 'sa', 2, algo := 'incognito', options := {'suppress': 1.5})", "SA102"),
        ("ldiverse('t', ['age'], 'sa', 2, algo := 'tds', options := {'suppress': 0.5})", "SA102"),
        ("kanonymous('t', ['age'], 41, algo := 'incognito', options := {'suppress': 1})", "SA202"),
        ("kanonymous('(FROM t LIMIT 0)', ['age'], 1, algo := 'incognito', options := {'suppress': 1})", "SA202"),
        (
            "ldiverse('(SELECT age, 1 AS b FROM t)', ['age'], 'b', 2, algo := 'incognito', options := {'suppress': 1})",
            "SA201",
        ),
        ("ldiverse('t', ['age'], 'sa', 2, algo := 'tds', options := {'class': 'nothing'})", "SA101"),
        ("kanonymous('t', ['age'], 2, algo := 'incognito', options := {'bins': 1001})", "SA102"),
        ("kanonymous('t', ['age'], 2, algo := 'tds')", "SA102"),
        ("full_domain_levels('t', ['age'], l := 2)", "SA102"),
        ("full_domain_levels('t', ['age'], 'sa', k := 2)", "SA102"),
        ("full_domain_levels('t', ['age'])", "SA102"),
        ("best_k('t', ['age'], algo := 'incognito')", "SA102"),
        ("frontier('t', ['age'], 'sa', algos := ['tds'])", "SA102"),
    ],
)
def test_wrong_arguments_are_refused(con: TestConnection, call: str, message: str) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i AS age, i % 4 AS sa FROM range(40) AS r(i)")
    assert con.refusal(f"FROM {call}").startswith(f"[{message}]")


def test_too_many_combinations_of_levels_are_refused_at_once(con: TestConnection) -> None:
    columns = [f"c{i}" for i in range(12)]
    numbers = ", ".join(f"i % {n} AS {column}" for n, column in enumerate(columns, 5))
    con.execute(f"CREATE OR REPLACE TABLE t AS SELECT {numbers} FROM range(60) AS r(i)")
    refused = con.refusal(f"FROM kanonymous('t', {columns}, 2, algo := 'incognito')")
    assert refused.startswith("[SA102] the levels of the taxonomies can be combined in 2,176,782,336 ways")


@pytest.mark.parametrize("more", ["", ", entity := 'id'"])
def test_that_all_rows_may_be_left_out_does_not_mean_that_they_are(con: TestConnection, more: str) -> None:
    """A release of stars loses as much as none at all."""
    store(con, "fives", {"id": "INTEGER", "age": "INTEGER"}, [(i, 2 if i else None) for i in range(5)])
    call = f"('fives', ['age'], k := 5, options := {{'suppress': 1}}{more}"
    assert con.rows(f"SELECT age, count(*) FROM kanonymous{call}, algo := 'incognito') GROUP BY ALL") == [("*", 5)]
    assert con.rows(f"SELECT gcp, suppressed_rows FROM full_domain_levels{call})") == [(1.0, 0)]
