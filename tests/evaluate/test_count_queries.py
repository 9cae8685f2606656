"""count_query_error: what a query answers on the source, and what the release lets expect.

The oracle takes a release apart into every row that it may stand for, each with its weight, and lets DuckDB run the
predicate on those.
"""

from __future__ import annotations

import datetime
import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lent import Lent, Row, store

checked = settings(max_examples=60, deadline=None, database=None)

TYPES = {
    "num": "BIGINT",
    "real": "DOUBLE",
    "day": "DATE",
    "cat": "VARCHAR",
    "flag": "BOOLEAN",
    "town": "VARCHAR",
    "floor": "SMALLINT",
}
READ = {"num": int, "real": float, "day": datetime.date.fromisoformat}
TREES = {"town": ["a", "b", "c", "d", "e"], "floor": ["-1", "0", "1", "2"]}
"""Columns with a taxonomy, and its leaves, in two branches: x has the first two."""

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "num": st.sampled_from([None, -3, 0, 4, 5, 10**12]),
    "real": st.sampled_from([None, -1.5, 0.1, 2.0, 1e300]),
    "day": st.sampled_from([None, *(datetime.date(2024, 2, 27) + datetime.timedelta(days) for days in (0, 1, 2, 9))]),
    "cat": st.sampled_from([None, "x", "it's", "a, b", "?", "NULL"]),
    "flag": st.sampled_from([None, True, False]),
    "town": st.sampled_from([None, "a", "b", "c", "d"]),
    "floor": st.sampled_from([None, -1, 0, 2]),
}


@pytest.fixture(scope="module", autouse=True)
def taxonomies(con: Lent) -> None:
    for column, leaves in TREES.items():
        paths = [(leaf, "x" if i < 2 else "y", "all") for i, leaf in enumerate(leaves)]
        store(con, f"{column}_levels", {"a": "VARCHAR", "b": "VARCHAR", "c": "VARCHAR"}, paths)


def covered(column: str, cell: Any, domain: Sequence[Any]) -> Sequence[Any]:
    """The values of the domain that a published cell may stand for."""
    known = [value for value in domain if value is not None]
    if cell is None:
        return [None]
    if isinstance(cell, dict):
        return domain if cell["lo"] is None else [value for value in known if cell["lo"] <= value <= cell["hi"]]
    if cell in ("*", ["*"]):
        return domain
    if isinstance(cell, list):
        return [value for value in domain if (None if value is None else text(value)) in cell]
    if column in TREES:
        leaves = [TREES[column].index(text(value)) for value in known]
        branch = {"x": leaves and [i for i in leaves if i < 2], "y": [i for i in leaves if i >= 2], "all": leaves}
        if cell in branch:
            return [value for value, i in zip(known, leaves, strict=True) if i in branch[cell]]
    if column in READ and cell.startswith("["):
        low, high = map(READ[column], cell[1:-1].split(", "))
        return [value for value in known if low <= value <= high]
    return [value for value in known if text(value) == cell]


def text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def listed(cell: Any) -> list[Any]:
    """The sensitive values that a row may have: its own, or those that its group lists."""
    if isinstance(cell, list):
        return cell
    if isinstance(cell, str) and cell.startswith("{"):
        return [None if item == "NULL" else item for item in cell[1:-1].split(", ")]
    return [cell]


def take_apart(con: Lent, qi: Sequence[str], types: dict[str, str]) -> None:
    """Table `apart`: every row that a row of the release may stand for, with its weight."""
    names = ", ".join(f'"{column}"' for column in qi)
    domains = []
    for column in qi:
        domain = [value for (value,) in con.rows(f'SELECT DISTINCT "{column}" FROM src ORDER BY 1 NULLS LAST')]
        if column in TREES:
            kind = int if column == "floor" else str
            domain = [kind(leaf) for leaf in TREES[column]] + ([None] if None in domain else [])
        domains.append(domain)
    parts = []
    for *cells, secret in con.rows(f"SELECT {names}, sa FROM rel"):
        choices = [covered(*one) for one in zip(qi, cells, domains, strict=True)] + [listed(secret)]
        every = list(itertools.product(*choices))
        parts += [(*row, 1 / len(every)) for row in every]
    store(con, "apart", {**types, "weight": "DOUBLE"}, parts)


def check_answers(con: Lent, answers: Sequence[Row]) -> None:
    """Each predicate selects what is said on the source, and about as much of what the release may stand for."""
    for _, predicate, actual, estimate, error, _ in answers:
        assert con.rows(f"SELECT count(*) FROM src WHERE {predicate}") == [(actual,)], predicate
        ((expected,),) = con.rows(f"SELECT coalesce(sum(weight), 0) FROM apart WHERE {predicate}")
        assert estimate == pytest.approx(expected), predicate
        assert error == (pytest.approx(abs(actual - estimate) / actual) if actual else None)


@st.composite
def sources(draw: st.DrawFn) -> tuple[list[str], list[Row]]:
    qi = draw(st.lists(st.sampled_from(list(TYPES)), min_size=1, max_size=3, unique=True))
    rows = draw(st.lists(st.tuples(*(VALUES[column] for column in qi)), min_size=6, max_size=14))
    return qi, [(*row, [None, "flu", "cold"][i % 3]) for i, row in enumerate(rows)]


@st.composite
def calls(draw: st.DrawFn) -> tuple[list[str], list[Row], str, str]:
    """Quasi-identifiers, rows, the arguments of the release, and the taxonomies."""
    qi, rows = draw(sources())
    trees = draw(st.lists(st.sampled_from([c for c in qi if c in TREES] or ["-"]), unique=True))
    tables = ", ".join(f"'{column}': '{column}_levels'" for column in trees if column != "-")
    taxonomy = f"taxonomy := {{{tables}}}" if tables else "taxonomy := NULL"
    recode, form = draw(st.sampled_from(["generalize", "suppress", "none"])), draw(st.sampled_from(["text", "typed"]))
    return qi, rows, f"{taxonomy}, recode := '{recode}', format := '{form}'", taxonomy


def publish(con: Lent, qi: list[str], rows: list[Row], arguments: str) -> dict[str, str]:
    types = {column: TYPES[column] for column in qi} | {"sa": "VARCHAR"}
    store(con, "src", types, rows)
    con.execute(f"CREATE OR REPLACE TABLE rel AS FROM ldiverse('src', {qi}, 'sa', 2, {arguments})")
    return types


def without_tree(qi: list[str], taxonomy: str) -> bool:
    """Whether a column of the oracle's trees has no taxonomy in this call."""
    return any(column in TREES and f"'{column}'" not in taxonomy for column in qi)


@checked
@given(calls(), st.data())
def test_random_queries_answer_what_duckdb_answers_and_estimate_what_the_release_stands_for(
    con: Lent, call: tuple[list[str], list[Row], str, str], data: st.DataObject
) -> None:
    qi, rows, arguments, taxonomy = call
    if without_tree(qi, taxonomy):
        qi_types = [column for column in qi if column not in TREES] or ["cat"]
        rows = [(*(data.draw(VALUES[column]) for column in qi_types), row[-1]) for row in rows]
        qi, arguments, taxonomy = qi_types, arguments.replace(taxonomy, "taxonomy := NULL"), "taxonomy := NULL"
    types = publish(con, qi, rows, arguments)
    if data.draw(st.booleans()):  # rows that were suppressed
        con.execute("DELETE FROM rel WHERE group_id = 1")
    take_apart(con, qi, types)
    dims = data.draw(st.integers(1, len(qi) + 1))
    selectivity = data.draw(st.sampled_from([0.01, 0.3, 1.0]))
    answers = con.rows(
        f"""FROM count_query_error('src', 'rel', {qi}, 'sa', {dims}, queries := 6, selectivity := {selectivity},
            {taxonomy})"""
    )
    check_answers(con, answers)
    assert [answer[0] for answer in answers] == list(range(1, len(answers) + 1))
    assert all(answer[2] > 0 and answer[5] == dims for answer in answers)


LITERALS = {
    "num": ["-3", "4", "4.5", "'5'", "NULL", "1e12"],
    "real": ["0.1", "-1.5", "'2.0'", "'nan'", "7"],
    "day": ["'2024-02-28'", "DATE '2024-02-29'", "CAST('2024-03-07' AS DATE)"],
    "cat": ["'x'", "'it''s'", "'a, b'", "''", "'NULL'", "NULL"],
    "flag": ["TRUE", "'false'"],
    "sa": ["'flu'", "'cold'", "'none'"],
}


@st.composite
def conditions(draw: st.DrawFn, column: str, depth: int = 2) -> str:
    """A condition on one column."""
    name = draw(st.sampled_from([column, f'"{column}"', column.upper()]))
    literal = st.sampled_from(LITERALS[column])
    shape = draw(
        st.sampled_from(["compare", "flip", "between", "in", "null", "or", "and", "not"][: 5 if depth == 0 else 8])
    )
    if shape in ("compare", "flip"):
        sign, value = draw(st.sampled_from(["=", "<>", "!=", "<", "<=", ">", ">="])), draw(literal)
        return f"{name} {sign} {value}" if shape == "compare" else f"{value} {sign} {name}"
    if shape == "between":
        return f"{name} {draw(st.sampled_from(['', 'NOT ']))}BETWEEN {draw(literal)} AND {draw(literal)}"
    if shape == "in":
        items = draw(st.lists(literal, min_size=1, max_size=3))
        return f"{name} {draw(st.sampled_from(['', 'NOT ']))}IN ({', '.join(items)})"
    if shape == "null":
        return f"{name} IS {draw(st.sampled_from(['', 'NOT ']))}NULL"
    left, right = draw(conditions(column, depth - 1)), draw(conditions(column, depth - 1))
    return f"NOT ({left})" if shape == "not" else f"({left} {shape.upper()} {right})"


@checked
@given(st.data())
def test_a_users_own_conditions_mean_what_they_mean_in_duckdb(con: Lent, data: st.DataObject) -> None:
    qi = data.draw(
        st.lists(st.sampled_from(["num", "real", "day", "cat", "flag"]), min_size=1, max_size=3, unique=True)
    )
    rows = data.draw(st.lists(st.tuples(*(VALUES[column] for column in qi)), min_size=6, max_size=12))
    recode = data.draw(st.sampled_from(["generalize", "none"]))
    found = [(*row, [None, "flu", "cold"][i % 3]) for i, row in enumerate(rows)]
    types = publish(con, qi, found, f"recode := '{recode}'")
    take_apart(con, qi, types)
    own = []
    for _ in range(8):
        asked = data.draw(st.lists(st.sampled_from([*qi, "sa"]), min_size=1, max_size=3))
        own.append((" AND ".join(data.draw(conditions(column)) for column in asked), len(set(asked))))
    store(con, "mine", {"predicate": "VARCHAR"}, [(predicate,) for predicate, _ in own])
    answers = con.rows(f"FROM count_query_error('src', 'rel', {qi}, 'sa', predicates := 'mine')")
    assert [(answer[0], answer[1], answer[5]) for answer in answers] == [(i, *one) for i, one in enumerate(own, 1)]
    check_answers(con, answers)


def test_an_example_worked_by_hand(con: Lent) -> None:
    con.execute(
        """CREATE OR REPLACE TABLE src AS
        SELECT * FROM (VALUES (20, 'flu'), (30, 'flu'), (40, 'cold'), (60, 'cold')) AS t(age, sa)"""
    )
    con.execute(
        """CREATE OR REPLACE TABLE rel AS
        SELECT * FROM (VALUES ('[20, 40]', 'flu'), ('[20, 40]', 'flu'), ('[40, 60]', 'cold')) AS t(age, sa)"""
    )
    con.execute(
        """
        CREATE OR REPLACE TABLE mine AS SELECT * FROM (VALUES
            (7, 'age <= 30 AND sa = ''flu'''),
            (9, 'age BETWEEN 31 AND 50'),
            (8, 'sa = ''cold'''),
            (5, 'age > 100')
        ) AS t(query_id, predicate)
        """
    )
    answers = con.rows("FROM count_query_error('src', 'rel', ['age'], 'sa', NULL, predicates := 'mine')")
    assert answers == [
        (
            7,
            "age <= 30 AND sa = 'flu'",
            2,
            pytest.approx(2 * 2 / 3),
            pytest.approx(1 / 3),
            2,
        ),  # 20 and 30 of 20, 30, 40
        (9, "age BETWEEN 31 AND 50", 1, pytest.approx(2 * 1 / 3 + 1 / 2), pytest.approx(1 / 6), 1),
        (8, "sa = 'cold'", 2, 1.0, 0.5, 1),  # a row was suppressed
        (5, "age > 100", 0, 0.0, None, 1),
    ]


def test_a_list_stands_for_what_it_names_and_the_queries_are_those_of_any_other_release(con: Lent) -> None:
    rows = [(1, "a", "flu"), (2, "c", "cold"), (3, "a", "flu"), (4, "c", "cold"), (None, "b", "flu")]
    types = {"num": "BIGINT", "cat": "VARCHAR", "sa": "VARCHAR"}
    store(con, "src", types, rows)
    asked = "['num', 'cat'], 'sa', 3, queries := 20, selectivity := 0.3"
    found = {}
    for form in ("text", "typed"):
        publish = f"ldiverse('src', ['num', 'cat'], 'sa', 2, format := '{form}', nulls := 'exclude')"
        con.execute(f"CREATE OR REPLACE TABLE rel AS FROM {publish}")
        if form == "typed":
            con.execute("UPDATE rel SET cat = ['a', 'c'] WHERE cat = ['*']")
        take_apart(con, ["num", "cat"], types)
        found[form] = con.rows(f"FROM count_query_error('src', 'rel', {asked})")
        check_answers(con, found[form])
    assert con.rows("SELECT DISTINCT cat FROM rel WHERE len(cat) > 1") == [(["a", "c"],)]
    assert [answer[1:3] for answer in found["text"]] == [answer[1:3] for answer in found["typed"]]


def test_a_release_in_one_spelling_of_equal_values_is_read(con: Lent) -> None:
    con.execute("CREATE OR REPLACE TABLE loose (age INTEGER, ill VARCHAR COLLATE NOCASE)")
    con.execute("INSERT INTO loose VALUES (1, 'flu'), (2, 'Flu'), (3, 'gout'), (4, 'Gout')")
    con.execute("CREATE OR REPLACE TABLE published AS FROM ldiverse('loose', ['age'], 'ill', 2)")
    own = "(SELECT 'age < 5' AS predicate)"
    [(actual, estimate)] = con.rows(
        f"SELECT actual, estimate FROM count_query_error('loose', 'published', ['age'], 'ill', predicates := $${own}$$)"
    )
    assert (actual, estimate) == (4, 4)


def test_values_that_a_sensitive_label_stands_for_count_in_parts(con: Lent) -> None:
    con.execute(
        """CREATE OR REPLACE TABLE src AS
        SELECT i % 2 AS age, ['a', 'b', 'c', 'd'][i % 4 + 1] AS sa FROM range(8) AS t(i)"""
    )
    con.execute(
        "CREATE OR REPLACE TABLE rel AS SELECT '*' AS age, CASE WHEN sa < 'c' THEN 'x' ELSE sa END AS sa FROM src"
    )
    own = "(SELECT 'sa = ''a''' AS predicate UNION ALL SELECT 'sa >= ''b'' AND age = 1')"
    answers = con.rows(
        f"""FROM count_query_error('src', 'rel', ['age'], 'sa', predicates := '{own.replace("'", "''")}',
            taxonomy := {{'sa': 'town_levels'}})"""
    )
    assert [answer[2:4] for answer in answers] == [(2, 2.0), (4, 3.0)]
    assert "[SA301]" in con.refused(
        f"""FROM count_query_error('src', 'rel', ['age'], 'sa', predicates := '{own.replace("'", "''")}')"""
    )


def test_a_star_that_is_the_root_of_a_sensitive_taxonomy_covers_null(con: Lent) -> None:
    con.execute("CREATE OR REPLACE TABLE sides AS SELECT unnest(['a', 'b', 'c']) AS leaf, '*' AS top")
    con.execute("CREATE OR REPLACE TABLE src AS SELECT 1 AS age, unnest(['a', 'b', 'c', NULL]) AS sa")
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT '1' AS age, '*' AS sa FROM src")
    [(actual, estimate)] = con.rows(
        """SELECT actual, estimate FROM count_query_error('src', 'rel', ['age'], 'sa', taxonomy := {'sa': 'sides'},
            predicates := '(SELECT ''sa IS NULL'' AS predicate)')"""
    )
    assert (actual, estimate) == (1, 1.0)


QI = ["age", "sex", "job"]


@pytest.fixture(scope="module")
def people(con: Lent) -> Lent:
    con.execute(
        """
        CREATE OR REPLACE TABLE people AS
        SELECT
            hash(i) % 60 AS age, ['m', 'f'][i % 2 + 1] AS sex,
            'j' || hash(i * 7) % 9 AS job, 'd' || hash(i + 1) % 11 AS sa
        FROM range(900) AS t(i)
        """
    )
    con.execute(f"CREATE OR REPLACE TABLE fine AS FROM ldiverse('people', {QI}, 'sa', 2)")
    con.execute(f"CREATE OR REPLACE TABLE coarse AS FROM ldiverse('people', {QI}, 'sa', 6, algo := 'mondrian')")
    return con


def ask(con: Lent, arguments: str, src: str = "people", rel: str = "fine") -> list[Row]:
    return con.rows(f"FROM count_query_error('{src}', '{rel}', {QI}, 'sa', {arguments})")


def test_the_same_seed_asks_the_same_whatever_the_order_of_rows_and_the_threads(people: Lent) -> None:
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


def test_every_release_of_a_source_meets_the_same_queries(people: Lent) -> None:
    fine, coarse = (ask(people, "[2, 4], queries := 30", rel=rel) for rel in ("fine", "coarse"))
    assert [row[:3] for row in fine] == [row[:3] for row in coarse]
    assert [row[3] for row in fine] != [row[3] for row in coarse]


def test_asking_more_queries_or_other_dimensions_changes_none(people: Lent) -> None:
    few, many = ask(people, "3, queries := 5"), ask(people, "[1, 3], queries := 25")
    assert few == [(query_id - 25, *row) for query_id, *row in many if query_id in range(26, 31)]
    assert [row[5] for row in many] == [1] * 25 + [3] * 25


def test_selectivity_is_about_the_share_of_rows_that_a_query_finds(people: Lent) -> None:
    for selectivity in (0.05, 0.3, 1.0):
        found = [row[2] for row in ask(people, f"2, queries := 200, selectivity := {selectivity}")]
        assert sum(found) / len(found) / 900 == pytest.approx(selectivity, rel=0.25)


def test_one_dimension_is_the_sensitive_attribute_alone(people: Lent) -> None:
    answers = ask(people, "1, queries := 20")
    assert all(row[1].startswith('"sa" IN (') and row[4] == 0 for row in answers)


def test_all_dimensions_ask_every_column(people: Lent) -> None:
    for row in ask(people, "4, queries := 20"):
        assert '"age" BETWEEN ' in row[1]
        assert all(f'"{column}" IN (' in row[1] for column in ("sex", "job", "sa"))


def test_a_query_that_no_row_satisfies_is_drawn_anew_and_given_up_at_last(con: Lent) -> None:
    rows = [(i, str(i), f"s{i}") for i in range(40)]
    random.Random(0).shuffle(rows)
    store(con, "sparse", {"a": "INTEGER", "b": "VARCHAR", "sa": "VARCHAR"}, rows)
    call = "FROM count_query_error('sparse', 'sparse', ['a', 'b'], 'sa', 3, queries := 60, selectivity := 1e-4)"
    answers = con.rows(call)
    assert 0 < len(answers) < 60
    assert all(row[2] == row[3] == 1 for row in answers)
    assert [row[0] for row in answers] == list(range(1, len(answers) + 1))


def test_tables_without_rows_and_with_one(con: Lent) -> None:
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
def test_predicates_on_any_name_type_and_value_can_be_run(con: Lent, column: str, secret: str) -> None:
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


def test_a_run_of_an_enums_values_can_be_run_too(con: Lent) -> None:
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
    con: Lent, kind: str, values: list[str], asked: list[str]
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


def test_a_boolean_column_is_a_condition_itself(con: Lent) -> None:
    store(con, "src", {"x": "BOOLEAN", "sa": "INTEGER"}, [(True, 1), (True, 2), (False, 1), (None, 4)])
    own = "SELECT 'x AND sa = 1' AS predicate UNION ALL SELECT 'NOT x'".replace("'", "''")
    answers = con.rows(f"FROM count_query_error('src', 'src', ['x'], 'sa', predicates := '{own}')")
    assert sorted(row[2:4] for row in answers) == [(1, 1.0), (1, 1.0)]


def test_the_column_itself_can_be_released_exactly_and_then_nothing_is_lost(people: Lent) -> None:
    assert all(row[4] == 0 for row in ask(people, "3, queries := 30", rel="people"))


def test_sources_releases_and_conditions_come_as_views_selects_and_ctes(people: Lent) -> None:
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
def test_arguments_out_of_range_are_refused(people: Lent, arguments: str, error: str) -> None:
    assert people.refused(f"FROM count_query_error('people', 'fine', {QI}, 'sa', {arguments})").startswith(error)


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
    people: Lent, predicate: str, error: str
) -> None:
    store(people, "mine", {"predicate": "VARCHAR"}, [(predicate,)])
    raised = people.refused(f"FROM count_query_error('people', 'fine', {QI}, 'sa', predicates := 'mine')")
    assert raised.startswith(error)
    assert "many" not in raised


def test_releases_that_do_not_match_are_refused_without_a_value(people: Lent) -> None:
    def refused(rel: str, src: str = "people", sa: str = "'sa'") -> str:
        return people.refused(f"FROM count_query_error('{src}', '{rel}', {QI}, {sa}, 2)")

    assert refused("SELECT * EXCLUDE sa FROM fine").startswith("[SA301] there is no column 'sa' in rel.")
    assert refused("fine", "SELECT * EXCLUDE sa FROM people").startswith("[SA101] there is no column 'sa' in src.")
    assert refused("SELECT * REPLACE (''nobody'' AS sa) FROM fine").startswith("[SA301] column 'sa' of rel")
    assert refused("SELECT * REPLACE (''nobody'' AS sex) FROM fine").startswith("[SA301] column 'sex' of rel")
    assert refused("FROM fine UNION ALL FROM fine").startswith("[SA301] rel has more rows than src.")
    assert refused("fine", "SELECT * REPLACE ([sa] AS sa) FROM people").startswith("[SA104] column 'sa' has type")
    assert refused("fine", sa="NULL").startswith("[SA102] sa must be")
    assert refused("fine", sa="'age'").startswith("[SA101] column 'age'")
