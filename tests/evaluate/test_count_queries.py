"""count_query_error: what a query answers on the source, and what the release lets expect.

The oracle takes a release apart into every row that it may stand for, each with its weight, and lets DuckDB run the
predicate on those.
"""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Sequence
from typing import Any

import pytest
from connections import Row, TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

checked = settings(max_examples=examples(60), deadline=None, database=None)

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
def taxonomies(con: TestConnection) -> None:
    for column, leaves in TREES.items():
        paths = [(leaf, "x" if i < 2 else "y", "all") for i, leaf in enumerate(leaves)]
        store(con, f"{column}_levels", {"a": "VARCHAR", "b": "VARCHAR", "c": "VARCHAR"}, paths)


def cover(column: str, cell: Any, domain: Sequence[Any]) -> Sequence[Any]:
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


def list_items(cell: Any) -> list[Any]:
    """The sensitive values that a row may have: its own, or those that its group lists."""
    if isinstance(cell, list):
        return cell
    if isinstance(cell, str) and cell.startswith("{"):
        return [None if item == "NULL" else item for item in cell[1:-1].split(", ")]
    return [cell]


def take_apart(con: TestConnection, qi: Sequence[str], types: dict[str, str]) -> None:
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
        choices = [cover(*one) for one in zip(qi, cells, domains, strict=True)] + [list_items(secret)]
        every = list(itertools.product(*choices))
        parts += [(*row, 1 / len(every)) for row in every]
    store(con, "apart", {**types, "weight": "DOUBLE"}, parts)


def check_answers(con: TestConnection, answers: Sequence[Row]) -> None:
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


def publish(con: TestConnection, qi: list[str], rows: list[Row], arguments: str) -> dict[str, str]:
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
    con: TestConnection, call: tuple[list[str], list[Row], str, str], data: st.DataObject
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
def test_a_users_own_conditions_mean_what_they_mean_in_duckdb(con: TestConnection, data: st.DataObject) -> None:
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


def test_an_example_worked_by_hand(con: TestConnection) -> None:
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


def test_a_list_stands_for_what_it_names_and_the_queries_are_those_of_any_other_release(con: TestConnection) -> None:
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


def test_a_release_in_one_spelling_of_equal_values_is_read(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE loose (age INTEGER, ill VARCHAR COLLATE NOCASE)")
    con.execute("INSERT INTO loose VALUES (1, 'flu'), (2, 'Flu'), (3, 'gout'), (4, 'Gout')")
    con.execute("CREATE OR REPLACE TABLE published AS FROM ldiverse('loose', ['age'], 'ill', 2)")
    own = "(SELECT 'age < 5' AS predicate)"
    [(actual, estimate)] = con.rows(
        f"SELECT actual, estimate FROM count_query_error('loose', 'published', ['age'], 'ill', predicates := $${own}$$)"
    )
    assert (actual, estimate) == (4, 4)


def test_values_that_a_sensitive_label_stands_for_count_in_parts(con: TestConnection) -> None:
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
    assert "[SA301]" in con.refusal(
        f"""FROM count_query_error('src', 'rel', ['age'], 'sa', predicates := '{own.replace("'", "''")}')"""
    )


def test_a_star_that_is_the_root_of_a_sensitive_taxonomy_covers_null(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE sides AS SELECT unnest(['a', 'b', 'c']) AS leaf, '*' AS top")
    con.execute("CREATE OR REPLACE TABLE src AS SELECT 1 AS age, unnest(['a', 'b', 'c', NULL]) AS sa")
    con.execute("CREATE OR REPLACE TABLE rel AS SELECT '1' AS age, '*' AS sa FROM src")
    [(actual, estimate)] = con.rows(
        """SELECT actual, estimate FROM count_query_error('src', 'rel', ['age'], 'sa', taxonomy := {'sa': 'sides'},
            predicates := '(SELECT ''sa IS NULL'' AS predicate)')"""
    )
    assert (actual, estimate) == (1, 1.0)
