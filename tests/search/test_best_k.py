"""best_k: the strongest k-anonymity within a loss budget, against publishing and measuring every k."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lent import Lent, Row, lend, store
from sqlanon.udfs import budget as udf

ALGOS = ("hilbert", "hilbert_fast", "idistance", "idistance_fast", "mondrian", "topdown")
QI = "['age', 'weight', 'city']"


@pytest.fixture(scope="module")
def con() -> Iterator[Lent]:
    with lend() as lent:
        lent.execute(
            """
            CREATE TABLE city_levels AS FROM (VALUES
                ('a', 'north', 'all'), ('b', 'north', 'all'), ('c', 'south', 'all'), ('d', 'south', 'all')
            ) AS levels(city, side, everywhere)
            """
        )
        yield lent


cell = st.tuples(
    st.sampled_from([None, 1, 2, 3, 9, 27]),
    st.sampled_from([None, -0.0, 0.0, 0.5, 8.0, math.inf, math.nan]),
    st.sampled_from([None, "*", "a", "b", "c", "d"]),
)


@settings(deadline=None, max_examples=30)
@given(
    st.lists(cell, min_size=1, max_size=9),
    st.sampled_from(ALGOS),
    st.sampled_from([0, 0.15, 0.35, 0.6, 0.9, 1]),
    st.sampled_from(["value", "wildcard"]),
    st.booleans(),
)
def test_it_is_the_largest_k_whose_release_is_within_the_budget(
    con: Lent, rows: list[Row], algo: str, most: float, nulls: str, tree: bool
) -> None:
    if tree:  # which has no leaf for a star
        rows = [tuple(None if value == "*" else value for value in row) for row in rows]
    store(con, "t", {"age": "INTEGER", "weight": "DOUBLE", "city": "VARCHAR"}, rows)
    taxonomy = "{'city': 'city_levels'}" if tree else "NULL"
    how = f"algo := '{algo}', nulls := '{nulls}', seed := 3, taxonomy := {taxonomy}"
    lost: dict[int, float] = {}
    for k in range(2, len(rows) + 1):
        con.execute(f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', {QI}, {k}, {how})")
        [(lost[k],)] = con.rows(f"SELECT gcp FROM info_loss('t', 'r', {QI}, taxonomy := {taxonomy})")
    best = max((k for k, gcp in lost.items() if gcp <= most + 1e-9), default=None)
    tried = len(lost) if best is None else len(rows) - best + 1
    gcp = None if best is None else pytest.approx(lost[best], abs=1e-9)
    assert con.rows(f"FROM best_k('t', {QI}, max_gcp := {most}, {how})") == [(best, gcp, len(rows), tried)]


def test_a_table_worked_by_hand(con: Lent) -> None:
    store(con, "t", {"age": "INTEGER"}, [(0,), (10,), (20,), (30,)])
    # two pairs lose a third each; with k = 3 or 4 there is one group, which loses everything
    assert con.rows("FROM best_k('t', ['age'], 0.5)") == [(2, pytest.approx(1 / 3), 4, 3)]
    assert con.rows("FROM best_k('t', ['age'], max_gcp := 1)") == [(4, 1.0, 4, 1)]
    assert con.rows("FROM best_k('t', ['age'])") == [(None, None, 4, 3)]


def test_a_single_row_can_hide_among_nobody(con: Lent) -> None:
    store(con, "t", {"age": "INTEGER"}, [(7,)])
    assert con.rows("FROM best_k('t', ['age'], max_gcp := 1)") == [(None, None, 1, 0)]


@given(st.integers(1, 5000), st.integers(0, 5000))
def test_doubling_and_bisecting_meet_the_border_in_few_steps(most: int, border: int) -> None:
    tried: list[int] = []

    def holds(k: int) -> bool:
        tried.append(k)
        return k <= border

    assert udf.largest_by_doubling(holds, most) == (min(most, border) if min(most, border) >= 2 else None)
    assert len(tried) == len(set(tried))
    assert all(2 <= k <= most for k in tried)
    assert len(tried) <= (most - 1 if most <= udf.EVERY else 2 * min(most, border + 1).bit_length())


def test_a_large_table_is_searched_in_few_steps_and_the_answer_keeps_the_budget(con: Lent) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i % 97 AS age, i % 31 AS zip FROM range(12028) AS r(i)")
    answers = [con.rows(f"FROM best_k('t', ['age', 'zip'], {most})")[0] for most in (0, 0.1, 0.3, 1)]
    for (k, gcp, max_k, tried), most in zip(answers, (0, 0.1, 0.3, 1), strict=True):
        assert max_k == 12028 and tried <= 28 and gcp <= most
        con.execute(f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['age', 'zip'], {k})")
        assert con.rows("SELECT gcp FROM info_loss('t', 'r', ['age', 'zip'])") == [(pytest.approx(gcp, abs=1e-9),)]
        assert con.rows(f"SELECT assert_private('r', ['age', 'zip'], k := {k})") == [(True,)]
    assert [k for k, *_ in answers] == sorted({k for k, *_ in answers})
    assert (answers[0][0], answers[-1][0]) == (4, 12028)  # every row is there four times


def test_rows_that_nulls_exclude_are_no_part_of_the_search(con: Lent) -> None:
    store(con, "t", {"age": "INTEGER"}, [(0,), (0,), (None,), (5,), (5,)])
    known = con.rows("FROM best_k('(FROM t WHERE age IS NOT NULL)', ['age'])")
    assert con.rows("FROM best_k('t', ['age'], nulls := 'exclude')") == known == [(2, 0.0, 4, 3)]


def test_the_order_of_rows_changes_nothing(con: Lent) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS FROM census(500, seed := 3)")
    con.execute("CREATE OR REPLACE TABLE u AS FROM t ORDER BY hash(age, salary), salary")
    for algo in ALGOS:
        ask = f"* REPLACE (round(gcp, 9) AS gcp) FROM best_k('%s', ['age', 'education'], algo := '{algo}', seed := 1)"
        assert con.rows(f"SELECT {ask % 't'}") == con.rows(f"SELECT {ask % 'u'}"), algo


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ("'t', ['age'], max_gcp := 1.5", "SA102", "max_gcp = 1.5 is out of range"),
        ("'t', ['age'], max_gcp := NULL", "SA102", "not NULL"),
        ("'t', ['age'], algo := 'bsgi'", "SA102", "Choose one of: hilbert"),
        ("'t', ['age'], nulls := 'none'", "SA102", "nulls"),
        ("'t', ['age'], seed := -1", "SA102", "seed"),
        ("'t', []", "SA102", "qi is empty"),
        ("'t', ['age', 'AGE']", "SA101", "twice in qi"),
        ("'t', ['years']", "SA101", "no column 'years'"),
        ("'t', ['age'], taxonomy := {'zip': 'x'}", "SA101", "not in qi"),
        ("'DROP TABLE t', ['age']", "SA103", "tbl"),
        ("'(FROM best_k(''t'', [''age'']))', ['k']", "SA103", "inside itself"),
        ("'(SELECT [age] AS age FROM t)', ['age']", "SA104", "'age'"),
        ("'(FROM t LIMIT 0)', ['age']", "SA202", "empty"),
    ],
)
def test_what_cannot_be_answered_says_why(con: Lent, arguments: str, code: str, says: str) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i AS age FROM range(20) AS r(i)")
    error = con.refused(f"FROM best_k({arguments})")
    assert error.startswith(f"[{code}]")
    assert says in error
