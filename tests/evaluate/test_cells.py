"""Every reader of releases reads the cells of the corpus as the corpus says."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest
from connections import TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.cells import CASES, Case, Text
from thorough import examples

import sqlanon

EACH = [pytest.param(case, role, id=f"{case.name}, {role}") for case in CASES for role in case.roles]
each = pytest.mark.parametrize(("case", "role"), EACH)


@pytest.fixture(scope="module", autouse=True)
def in_utc(con: TestConnection) -> None:
    con.execute("SET TimeZone = 'UTC'")


def quote(value: Text) -> str:
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def arguments(con: TestConnection, case: Case, role: str) -> tuple[str, str]:
    """Make the source, a row for each value, and the release, one row; return their arguments, qi and sa each."""
    rows = ", ".join(f"(CAST({quote(value)} AS {case.kind}), 's')" for value in case.values)
    con.execute(f"CREATE OR REPLACE TABLE src AS SELECT * FROM (VALUES {rows}) AS t(x, s)")
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT {case.cell} AS x, 's' AS s")
    taxonomy = ""
    if case.paths:
        store(con, "levels", {f"level_{i}": "VARCHAR" for i in range(len(case.paths[0]))}, case.paths)
        taxonomy = ", taxonomy := {'x': 'levels'}"
    qi, sa = ("x", "s") if role == "qi" else ("s", "x")
    return f"'src', 'rel', ['{qi}'], '{sa}'", taxonomy


def shares(case: Case) -> dict[Text, Fraction]:
    """How likely each value is that the cell covers."""
    assert case.covers is not None
    return {value: Fraction(count, len(case.covers)) for value, count in Counter(case.covers).items()}


def divergence(case: Case, unseen: float) -> float:
    """Of one row of the release from the source."""
    total, rows = 0.0, len(case.values)
    added = sum(unseen for value in case.values if value not in shares(case))
    for value in case.values:
        believed = float(shares(case).get(value, unseen))
        total += math.log((1 / rows) / (believed / (1 + added))) / rows if believed else math.inf
    return total


def answer(con: TestConnection, case: Case, statement: str) -> list[tuple[object, ...]] | None:
    """The answer of a function, or None after it refused the cell, as it has to."""
    if case.covers is not None:
        return con.rows(statement)
    message = con.refusal(statement)
    assert "[SA301] column 'x' of rel has a value that lies outside the domain of src." in message
    return None


@each
def test_info_loss_and_attribute_loss_count_what_it_covers(con: TestConnection, case: Case, role: str) -> None:
    call, taxonomy = arguments(con, case, role)
    told = 0.0 if case.covers is None else 1 / len(set(case.covers))
    rows = answer(con, case, f"SELECT information, stars, starred_rows FROM info_loss({call}{taxonomy})")
    if rows is not None:
        stars = int(case.star and role == "qi")
        assert rows == [(pytest.approx((1 + told) / 2 / len(case.values)), stars, stars)]
    if role == "qi":
        rows = answer(con, case, f"SELECT information, stars FROM attribute_loss('src', 'rel', ['x']{taxonomy})")
        assert rows is None or rows == [(pytest.approx(told / len(case.values)), int(case.star))]


@each
def test_divergences_share_the_row_out_among_what_it_covers(con: TestConnection, case: Case, role: str) -> None:
    call, taxonomy = arguments(con, case, role)
    rows = answer(con, case, f"FROM kl_divergence({call}{taxonomy})")
    assert rows is None or rows == [(pytest.approx(divergence(case, unseen=0)),)]
    rows = answer(con, case, f"SELECT kl FROM cube_kl({call}, 1{taxonomy}) WHERE attributes = ['x']")
    assert rows is None or rows == [(pytest.approx(divergence(case, unseen=0.5), abs=1e-12),)]


@each
def test_count_queries_expect_as_much_of_each_value_as_it_gets(con: TestConnection, case: Case, role: str) -> None:
    call, taxonomy = arguments(con, case, role)
    asked = [f"x = {quote(value)}" if value is not None else "x IS NULL" for value in case.domain]
    store(con, "asked", {"predicate": "VARCHAR"}, [(one,) for one in asked])
    rows = answer(
        con, case, f"SELECT estimate FROM count_query_error({call}, predicates := 'asked'{taxonomy}) ORDER BY query_id"
    )
    if rows is not None:
        expected = [float(shares(case).get(value, 0)) for value in case.domain]
        assert [estimate for (estimate,) in rows] == pytest.approx(expected)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_privacy_takes_for_a_wildcard_what_may_be_anything(con: TestConnection, case: Case) -> None:
    con.execute(f"CREATE OR REPLACE TABLE rel AS SELECT {case.cell} AS x, 's' AS s")
    assert con.rows("SELECT rows FROM privacy('rel', ['x'], 's', nulls := 'exclude')") == [(0 if case.wild else 1,)]
    con.execute(f"INSERT INTO rel SELECT {other(case)}, 's'")
    merged = con.rows("SELECT k FROM privacy('rel', ['x'], 's', nulls := 'wildcard')")
    assert merged == [(2 if case.wild else 1,)]


def other(case: Case) -> str:
    """A cell of the same type that is another one, and no wildcard."""
    if case.cell.startswith("{") or "STRUCT" in case.cell:
        return (
            "{'lo': 77, 'hi': 78}" if "DATE" not in case.cell else "{'lo': DATE '1999-01-01', 'hi': DATE '1999-01-01'}"
        )
    if "[" in case.cell.split("'")[0] or "[]" in case.cell:
        return "['77']" if "'" in case.cell or "VARCHAR" in case.cell else "[77]"
    return "'77'" if "'" in case.cell or "VARCHAR" in case.cell else "77"


def literal(case: Case, value: str) -> str:
    """A constant as an analyst writes it."""
    if case.kind in ("INTEGER", "DOUBLE"):
        return value
    return f"DATE {quote(value)}" if case.kind == "DATE" else quote(value)


def questions(case: Case) -> list[tuple[str, float]]:
    """Queries for each value, and the rows to expect."""
    return [
        (
            f"SELECT count(*) FROM src WHERE x {'IS NULL' if value is None else f'= {literal(case, value)}'}",
            float(shares(case).get(value, 0)),
        )
        for value in case.domain
        if value is None or not (", " in value or (case.kind == "DOUBLE" and value[-1].isalpha()))
    ]


@pytest.mark.parametrize("case", [case for case in CASES if case.alone], ids=lambda case: case.name)
def test_estimate_reads_it_so_without_the_source(con: TestConnection, case: Case) -> None:
    _, taxonomy = arguments(con, case, "qi")
    taxonomy = taxonomy or ", taxonomy := {'x': NULL}"  # a value that is not there is not below a label
    for question, expected in questions(case):
        assert con.rows(f"SELECT estimate FROM estimate('rel', {quote(question)}{taxonomy})") == [
            (pytest.approx(expected),)
        ], question


@pytest.mark.parametrize("case", [case for case in CASES if case.plainly], ids=lambda case: case.name)
def test_rewrite_reads_it_so_without_sqlanon(con: TestConnection, case: Case) -> None:
    arguments(con, case, "qi")
    for question, expected in questions(case):
        ((estimate, *_),) = con.rows(sqlanon.rewrite(question, release="rel", taxonomy={"x": None}))
        assert estimate == pytest.approx(expected), question


def test_a_list_of_numbers_loses_the_range_that_it_spans(con: TestConnection) -> None:
    store(con, "src", {"x": "INTEGER"}, [(0,), (2,), (6,), (10,)])
    for cell, lost in (("{2, 6}", 0.4), ("{0, 10}", 1.0), ("{2, 2}", 0.0), ("{6}", 0.0)):
        store(con, "rel", {"x": "VARCHAR"}, [(cell,)] * 4)
        assert con.rows("SELECT ncp FROM attribute_loss('src', 'rel', ['x'])") == [(pytest.approx(lost),)]


def test_leaves_of_several_branches_lose_their_share_of_all_leaves(con: TestConnection) -> None:
    store(con, "src", {"x": "VARCHAR"}, [("a",), ("b",)])
    store(con, "levels", {"leaf": "VARCHAR", "top": "VARCHAR"}, [(leaf, "top") for leaf in "abcde"])
    store(con, "rel", {"x": "VARCHAR[]"}, [(["a", "c", "e"],)] * 2)
    assert con.rows("SELECT ncp FROM attribute_loss('src', 'rel', ['x'], taxonomy := {'x': 'levels'})") == [
        (pytest.approx(3 / 5),)
    ]


@settings(max_examples=examples(100), database=None)
@given(st.sets(st.sampled_from(["a", "b", "a, b", "b, c", "c, ", "", "{", "x}", "NULL"]), min_size=1), st.data())
def test_a_list_written_as_text_is_read_back_even_if_values_hold_commas(
    con: TestConnection, values: set[str], data: st.DataObject
) -> None:
    labels = sorted(values)
    listed = data.draw(st.lists(st.sampled_from(labels), min_size=1, max_size=4))
    cell = "{" + ", ".join(listed) + "}"
    ((parts,),) = con.execute(
        "SELECT _sqlanon._sqlanon_cell_parts('category', CAST(? AS VARCHAR[]), CAST(? AS VARCHAR))", [labels, cell]
    ).fetchall()
    assert all(part[0] in values for part in parts)
    assert "{" + ", ".join(part[0] for part in parts) + "}" == cell
