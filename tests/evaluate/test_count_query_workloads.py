"""count_query_error: which queries are drawn or given, how they are written, and what is refused."""

from __future__ import annotations

import random

import pytest
from connections import Row, TestConnection, store

QI = ["age", "sex", "job"]


@pytest.fixture(scope="module")
def people(con: TestConnection) -> TestConnection:
    con.execute(
        """
        CREATE OR REPLACE TABLE people AS
        SELECT
            hash(i) % 60 AS age, ['m', 'f'][i % 2 + 1] AS sex,
            'j' || hash(i * 7) % 9 AS job, 'd' || hash(i + 1) % 11 AS sa
        FROM range(900) AS t(i)
        """
    )
    con.execute("CREATE OR REPLACE TABLE town_levels AS SELECT 'a' AS town, 'north' AS region, '*' AS everywhere")
    con.execute(f"CREATE OR REPLACE TABLE fine AS FROM ldiverse('people', {QI}, 'sa', 2)")
    con.execute(f"CREATE OR REPLACE TABLE coarse AS FROM ldiverse('people', {QI}, 'sa', 6, algo := 'mondrian')")
    return con


def ask(con: TestConnection, arguments: str, src: str = "people", rel: str = "fine") -> list[Row]:
    return con.rows(f"FROM count_query_error('{src}', '{rel}', {QI}, 'sa', {arguments})")


def test_the_same_seed_asks_the_same_whatever_the_order_of_rows_and_the_threads(people: TestConnection) -> None:
    first = ask(people, "3, queries := 40, seed := 7")
    assert len(first) == 40
    people.execute("CREATE OR REPLACE TABLE turned AS FROM people ORDER BY hash(age, sex, job, sa, 3)")
    people.execute("CREATE OR REPLACE TABLE fine_turned AS FROM fine ORDER BY hash(age, sex, job, sa, 3)")
    people.execute("SET threads = 4")
    try:
        assert ask(people, "3, queries := 40, seed := 7", "turned", "fine_turned") == first
    finally:
        people.execute("SET threads = 1")
    assert [row[1] for row in ask(people, "3, queries := 40, seed := 8")] != [row[1] for row in first]


def test_every_release_of_a_source_meets_the_same_queries(people: TestConnection) -> None:
    fine, coarse = (ask(people, "[2, 4], queries := 30", rel=rel) for rel in ("fine", "coarse"))
    assert [row[:3] for row in fine] == [row[:3] for row in coarse]
    assert [row[3] for row in fine] != [row[3] for row in coarse]


def test_asking_more_queries_or_other_dimensions_changes_none(people: TestConnection) -> None:
    few, many = ask(people, "3, queries := 5"), ask(people, "[1, 3], queries := 25")
    assert few == [(query_id - 25, *row) for query_id, *row in many if query_id in range(26, 31)]
    assert [row[5] for row in many] == [1] * 25 + [3] * 25


def test_selectivity_is_about_the_share_of_rows_that_a_query_finds(people: TestConnection) -> None:
    for selectivity in (0.05, 0.3, 1.0):
        found = [row[2] for row in ask(people, f"2, queries := 200, selectivity := {selectivity}")]
        assert sum(found) / len(found) / 900 == pytest.approx(selectivity, rel=0.25)


def test_one_dimension_is_the_sensitive_attribute_alone(people: TestConnection) -> None:
    answers = ask(people, "1, queries := 20")
    assert all(row[1].startswith('"sa" IN (') and row[4] == 0 for row in answers)


def test_all_dimensions_ask_every_column(people: TestConnection) -> None:
    for row in ask(people, "4, queries := 20"):
        assert '"age" BETWEEN ' in row[1]
        assert all(f'"{column}" IN (' in row[1] for column in ("sex", "job", "sa"))


def test_a_query_that_no_row_satisfies_is_drawn_anew_and_given_up_at_last(con: TestConnection) -> None:
    rows = [(i, str(i), f"s{i}") for i in range(40)]
    random.Random(0).shuffle(rows)
    store(con, "sparse", {"a": "INTEGER", "b": "VARCHAR", "sa": "VARCHAR"}, rows)
    call = "FROM count_query_error('sparse', 'sparse', ['a', 'b'], 'sa', 3, queries := 60, selectivity := 1e-4)"
    answers = con.rows(call)
    assert 0 < len(answers) < 60
    assert all(row[2] == row[3] == 1 for row in answers)
    assert [row[0] for row in answers] == list(range(1, len(answers) + 1))


def test_tables_without_rows_and_with_one(con: TestConnection) -> None:
    types = {"a": "INTEGER", "sa": "VARCHAR"}
    store(con, "src", types, [])
    store(con, "rel", types, [])
    call = "FROM count_query_error('src', 'rel', ['a'], 'sa', 2, queries := 3)"
    assert con.rows(call) == []
    store(con, "src", types, [(None, None)])
    predicate = '"a" IS NULL AND "sa" IS NULL'
    assert con.rows(call) == [(i, predicate, 1, 0.0, 1.0, 2) for i in (1, 2, 3)]
    store(con, "rel", types, [(None, None)])
    assert con.rows(call) == [(i, predicate, 1, 1.0, 0.0, 2) for i in (1, 2, 3)]


HOSTILE = {
    'a"b': ("VARCHAR", ["it's", '"', "a\\b", "--", "x'; DROP TABLE src; --", ""]),
    "select": ("DECIMAL(9,3)", ["1.250", "-0.001", "12.000"]),
    "ünï": ("FLOAT", ["0.1", "-0.0", "nan", "inf", "3e38"]),
    "at": ("TIMESTAMPTZ", ["2024-03-31 01:30:00+00", "2024-03-31 00:30:00+00", "infinity"]),
    "long": ("INTERVAL", ["1 month", "40 days", "1 second"]),
    "id": ("UUID", ["00000000-0000-0000-0000-000000000001", "ffffffff-0000-0000-0000-000000000001"]),
    "size": ("ENUM('s', 'm', 'l')", ["m", "s", "l"]),
    "huge": ("HUGEINT", ["170141183460469231731687303715884105727", "-5", "9007199254740993"]),
    "clock": ("TIME", ["00:00:00", "12:30:00.5"]),
    "ok": ("BOOLEAN", ["true", "false"]),
}


@pytest.mark.parametrize("secret", ["x", "n"])
@pytest.mark.parametrize("column", HOSTILE)
def test_predicates_on_any_name_type_and_value_can_be_run(con: TestConnection, column: str, secret: str) -> None:
    kind, values = HOSTILE[column]
    rows = [(values[i % len(values)] if i % 5 else None, f"x{i % 4}", i % 3) for i in range(24)]
    store(con, "src", {column: kind, "x": "VARCHAR", "n": "INTEGER"}, rows)
    name = column.replace("'", "''")
    for form in ("text", "typed"):
        con.execute(
            f"CREATE OR REPLACE TABLE rel AS FROM ldiverse('src', ['{name}'], '{secret}', 2, format := '{form}')"
        )
        answers = con.rows(
            f"FROM count_query_error('src', 'rel', ['{name}'], '{secret}', 2, queries := 12, selectivity := 0.2)"
        )
        assert len(answers) == 12
        for _, predicate, actual, *_ in answers:
            assert con.rows(f"SELECT count(*) FROM src WHERE {predicate}") == [(actual,)]


def test_a_run_of_an_enums_values_can_be_run_too(con: TestConnection) -> None:
    """DuckDB compares an ENUM with text by its text, whatever the order of its labels."""
    con.execute("CREATE OR REPLACE TABLE labels AS SELECT 'v' || i * 7919 % 3000 AS label FROM range(3000) AS r(i)")
    con.execute("DROP TYPE IF EXISTS label; CREATE TYPE label AS ENUM (SELECT label FROM labels)")
    con.execute("CREATE OR REPLACE TABLE src AS SELECT label::label AS x, 's' || rowid % 3 AS sa FROM labels")
    con.execute("CREATE OR REPLACE TABLE rel AS FROM ldiverse('src', ['x'], 'sa', 2)")
    ask = "FROM count_query_error('src', 'rel', ['x'], 'sa', 2, queries := 3, selectivity := 0.4)"
    for _, predicate, actual, *_ in con.rows(ask):
        assert "BETWEEN" in predicate
        assert con.rows(f"SELECT count(*) FROM src WHERE {predicate}") == [(actual,)]
    con.execute("DROP TABLE src; DROP TYPE label")


OWN: list[tuple[str, list[str], list[str]]] = [
    (
        "TIMESTAMP",
        ["2024-01-01 10:00:00", "2024-01-02 00:00:00", "2024-01-02 00:00:00.5", "1066-10-14 09:00:00", "infinity"],
        ["> '2024-01-01 10:00:00'", "<= TIMESTAMP '2024-01-02 00:00:00'", ">= DATE '2024-01-02'", "< 'infinity'"],
    ),
    (
        "TIMESTAMPTZ",
        ["2024-01-01 10:00:00+00", "2024-01-01 11:30:00+01", "2024-01-01 05:45:00-04:30"],
        ["= '2024-01-01 10:00:00+00'", "> '2024-01-01 12:00:00+02'", "<= TIMESTAMPTZ '2024-01-01 12:15:00+02:00'"],
    ),
    ("TIME", ["00:00:00", "09:30:00", "09:30:00.25"], ["> '09:30:00'", "<= TIME '09:30:00'", "= '09:30:00.250'"]),
    ("DECIMAL(9,2)", ["0.10", "0.15", "-3.00"], ["= 0.1", "> 0.1499", "<= '0.15'", "< -2"]),
    ("FLOAT", ["0.1", "0.3", "nan", "-inf"], ["= 0.1", ">= '0.3'", "> 0.2", "= 'nan'", "< 1"]),
    ("UBIGINT", ["18446744073709551615", "9007199254740993", "0"], ["= 9007199254740993", "> 9007199254740992"]),
    (
        "UUID",
        ["00000000-0000-0000-0000-00000000000a"],
        ["= '00000000-0000-0000-0000-00000000000A'", "<> '" + "0" * 32 + "'"],
    ),
    ("ENUM('s', 'm', 'l')", ["s", "m", "l"], ["= 'm'", "> 'm'", "IN ('s', 'l')", "<> 'l'"]),
    ("BOOLEAN", ["true", "false"], ["= TRUE", "<> 'false'", "IS NOT NULL", "< TRUE"]),
    ("INTERVAL", ["1 day", "1 month"], ["IS NULL", "IS NOT NULL"]),
]


@pytest.mark.parametrize(("kind", "values", "asked"), OWN, ids=[kind for kind, _, _ in OWN])
def test_literals_are_read_as_the_columns_type_has_them(
    con: TestConnection, kind: str, values: list[str], asked: list[str]
) -> None:
    store(con, "src", {"x": kind, "sa": "INTEGER"}, [(value, i) for i, value in enumerate([*values, None] * 3)])
    store(con, "mine", {"predicate": "VARCHAR"}, [(f"x {condition}",) for condition in asked])
    answers = con.rows(
        """FROM count_query_error(
            'src', 'SELECT CAST(x AS VARCHAR) AS x, sa FROM src', ['x'], 'sa', predicates := 'mine')"""
    )
    assert len(answers) == len(asked)
    for _, predicate, actual, estimate, *_ in answers:
        assert con.rows(f"SELECT count(*) FROM src WHERE {predicate}") == [(actual,)], predicate
        assert estimate == actual


def test_a_boolean_column_is_a_condition_itself(con: TestConnection) -> None:
    store(con, "src", {"x": "BOOLEAN", "sa": "INTEGER"}, [(True, 1), (True, 2), (False, 1), (None, 4)])
    own = "SELECT 'x AND sa = 1' AS predicate UNION ALL SELECT 'NOT x'".replace("'", "''")
    answers = con.rows(f"FROM count_query_error('src', 'src', ['x'], 'sa', predicates := '{own}')")
    assert sorted(row[2:4] for row in answers) == [(1, 1.0), (1, 1.0)]


def test_the_column_itself_can_be_released_exactly_and_then_nothing_is_lost(people: TestConnection) -> None:
    assert all(row[4] == 0 for row in ask(people, "3, queries := 30", rel="people"))


def test_sources_releases_and_conditions_come_as_views_selects_and_ctes(people: TestConnection) -> None:
    expected = ask(people, "3, queries := 10")
    assert ask(people, "3, queries := 10", "(SELECT * FROM people)", "SELECT age, sex, job, sa FROM fine") == expected
    inside = f"""WITH source AS (FROM people), cells_sa_1 AS (FROM fine), coded AS (SELECT 'age < 9' AS predicate)
        FROM count_query_error('source', 'cells_sa_1', {QI}, 'sa', predicates := 'coded')"""
    assert people.rows(inside)[0][2] == people.rows("SELECT count(*) FROM people WHERE age < 9")[0][0]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("0", "[SA102] dims = 0 is out of range."),
        ("5", "[SA102] dims = 5 is out of range. qi and sa are 4 columns."),
        ("[]", "[SA102] dims is an empty list."),
        ("[2, 2]", "[SA102] dims names a number twice."),
        ("[2, NULL]", "[SA102] dims must be a whole number"),
        ("NULL", "[SA102] dims must be a whole number or a list of them, not NULL."),
        ("2.5", "[SA102] dims must be a whole number"),
        ("2, queries := 0", "[SA102] queries = 0 is out of range."),
        ("2, queries := NULL", "[SA102] queries must be a whole number"),
        ("2, selectivity := 0", "[SA102] selectivity is out of range."),
        ("2, selectivity := 1.01", "[SA102] selectivity is out of range."),
        ("2, selectivity := NULL", "[SA102] selectivity is out of range."),
        ("2, seed := -1", "[SA102] seed = -1 is out of range."),
        ("2, predicates := 7", "[SA102] predicates must be text"),
        ("2, predicates := 'DROP TABLE people'", "[SA103] predicates is not a table reference"),
        ("2, taxonomy := {'income': 'town_levels'}", "[SA101] taxonomy names column 'income'"),
        ("2, taxonomy := {'job': 'town_levels'}", "[SA105] the taxonomy of column 'job' does not cover the data"),
        ("2, taxonomy := {'sa': 'town_levels'}", "[SA105] the taxonomy of column 'sa' does not cover the data"),
        ("NULL, predicates := 'SELECT 1 AS query_id'", "[SA101] there is no column 'predicate' in predicates."),
        ("NULL, predicates := 'SELECT NULL AS predicate'", "[SA102] predicates: query 1 is NULL."),
        ("NULL, predicates := 'SELECT ''q'' AS query_id, ''age = 1'' AS predicate'", "[SA102] predicates: query_id"),
        ("NULL, predicates := 'SELECT 1.5 AS query_id, ''age = 1'' AS predicate'", "[SA102] predicates: query_id"),
    ],
)
def test_arguments_out_of_range_are_refused(people: TestConnection, arguments: str, error: str) -> None:
    assert people.refusal(f"FROM count_query_error('people', 'fine', {QI}, 'sa', {arguments})").startswith(error)


@pytest.mark.parametrize(
    ("predicate", "error"),
    [
        ("age = 1 OR sex = 'm'", "[SA102] predicates: query 1: OR across several columns"),
        ("NOT (age = 1 AND sex = 'm')", "[SA102] predicates: query 1: NOT across several columns"),
        ("age = sex", "[SA102] predicates: query 1: a comparison of two columns"),
        ("age = age", "[SA102] predicates: query 1: a comparison of two columns"),
        ("age + 1 = 2", "[SA102] predicates: query 1: ADD"),
        ("sex LIKE 'm%'", "[SA102] predicates: query 1: LIKE"),
        ("sex = lower('M')", "[SA102] predicates: query 1: lower()"),
        ("sex = secret_function('M')", "[SA102] predicates: query 1: secret_function()"),
        ("age IN (SELECT 1)", "[SA102] predicates: query 1: IN"),
        ("age BETWEEN SYMMETRIC 3 AND 1", "[SA102] predicates: query 1: BETWEEN"),
        ("TRUE", "[SA102] predicates: query 1: BOOLEAN without a column"),
        ("age", "[SA102] predicates: query 1: a constant that is not read as"),
        ("age = 'many'", "[SA102] predicates: query 1: a constant that is not read as"),
        ("sex = 1", "[SA102] predicates: query 1: a constant that is not read as VARCHAR"),
        ("sex = TRUE", "[SA102] predicates: query 1: a constant that is not read as VARCHAR"),
        ("income > 3", "[SA101] predicates: query 1 has column 'income', which is not in qi or sa."),
        ("people.age > 3", "[SA101] predicates: query 1 has column 'people.age', which is not in qi or sa."),
        ("age >", "[SA102] predicates: query 1 is not one condition."),
        ("age > 1; DROP TABLE people", "[SA102] predicates: query 1 is not one condition."),
        ("", "[SA102] predicates: query 1 "),
        ("(" * 3000 + "age > 1" + ")" * 3000, "[SA102] predicates: query 1 is not one condition."),
    ],
)
def test_a_condition_that_cannot_be_estimated_is_named_without_its_values(
    people: TestConnection, predicate: str, error: str
) -> None:
    store(people, "mine", {"predicate": "VARCHAR"}, [(predicate,)])
    raised = people.refusal(f"FROM count_query_error('people', 'fine', {QI}, 'sa', predicates := 'mine')")
    assert raised.startswith(error)
    assert "many" not in raised


def test_releases_that_do_not_match_are_refused_without_a_value(people: TestConnection) -> None:
    def refusal(rel: str, src: str = "people", sa: str = "'sa'") -> str:
        return people.refusal(f"FROM count_query_error('{src}', '{rel}', {QI}, {sa}, 2)")

    assert refusal("SELECT * EXCLUDE sa FROM fine").startswith("[SA301] there is no column 'sa' in rel.")
    assert refusal("fine", "SELECT * EXCLUDE sa FROM people").startswith("[SA101] there is no column 'sa' in src.")
    assert refusal("SELECT * REPLACE (''nobody'' AS sa) FROM fine").startswith("[SA301] column 'sa' of rel")
    assert refusal("SELECT * REPLACE (''nobody'' AS sex) FROM fine").startswith("[SA301] column 'sex' of rel")
    assert refusal("FROM fine UNION ALL FROM fine").startswith("[SA301] rel has more rows than src.")
    assert refusal("fine", "SELECT * REPLACE ([sa] AS sa) FROM people").startswith("[SA104] column 'sa' has type")
    assert refusal("fine", sa="NULL").startswith("[SA102] sa must be")
    assert refusal("fine", sa="'age'").startswith("[SA101] column 'age'")
