"""best_k and best_l: the strongest privacy within a loss budget, against publishing and measuring every k or l."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import pytest
from connections import Row, TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs import strongest as udf
from thorough import examples

QI = "['age', 'weight', 'city']"
BUDGETS = [0, 0.15, 0.35, 0.6, 0.9, 1]


@dataclass(frozen=True)
class Search:
    """A function that searches, and the function whose parameter it searches for."""

    name: str
    publish: str
    sa: str
    """The sensitive attribute, as the next argument after qi."""
    algos: tuple[str, ...]

    def largest(self, rows: list[Row]) -> int:
        """The largest k, or the largest l, of the rows; the last of their columns is sensitive."""
        if not self.sa:
            return len(rows)
        values = [row[-1] for row in rows]
        return len(rows) // max(values.count(value) for value in values)


BEST_K = Search(
    "best_k", "kanonymous", "", ("hilbert", "hilbert_fast", "idistance", "idistance_fast", "mondrian", "topdown")
)
BEST_L = Search(
    "best_l", "ldiverse", ", 'disease'", ("hilbert", "idistance", "mondrian", "anatomy", "tp", "tp_plus", "bsgi")
)
either = pytest.mark.parametrize("best", [BEST_K, BEST_L], ids=lambda best: best.name)


@pytest.fixture(scope="module", autouse=True)
def city_levels(con: TestConnection) -> None:
    paths = [("a", "north", "all"), ("b", "north", "all"), ("c", "south", "all"), ("d", "south", "all")]
    store(con, "city_levels", {"city": "VARCHAR", "side": "VARCHAR", "everywhere": "VARCHAR"}, paths)


def store_ages(con: TestConnection, *rows: Row) -> None:
    store(con, "t", {"age": "INTEGER", "disease": "VARCHAR"}, rows)


def losses(con: TestConnection, best: Search, largest: int, how: str, taxonomy: str) -> dict[int, float]:
    """The gcp of every k or l, published and measured one by one."""
    lost = {}
    for setting in range(2, largest + 1):
        release = f"{best.publish}('t', {QI}{best.sa}, {setting}, {how}, recode := 'generalize')"
        con.execute(f"CREATE OR REPLACE TABLE r AS FROM {release}")
        [(lost[setting],)] = con.rows(f"SELECT gcp FROM info_loss('t', 'r', {QI}, taxonomy := {taxonomy})")
    return lost


cell = st.tuples(
    st.sampled_from([None, 1, 2, 3, 9, 27]),
    st.sampled_from([None, -0.0, 0.0, 0.5, 8.0, math.inf, math.nan]),
    st.sampled_from([None, "*", "a", "b", "c", "d"]),
    st.sampled_from([None, "p", "q", "r", "s", "u"]),
)


@either
@settings(deadline=None, max_examples=examples(20))
@given(
    draw=st.data(),
    budget=st.sampled_from(BUDGETS),
    nulls=st.sampled_from(["value", "wildcard"]),
    seed=st.sampled_from([0, 3]),
    tree=st.booleans(),
)
def test_it_is_the_largest_whose_release_is_within_the_budget(
    con: TestConnection, best: Search, draw: st.DataObject, budget: float, nulls: str, seed: int, tree: bool
) -> None:
    rows = draw.draw(st.lists(cell, min_size=2, max_size=14) if best.sa else st.lists(cell, min_size=1, max_size=9))
    algo = draw.draw(st.sampled_from(best.algos))
    if tree:  # which has no leaf for a star
        rows = [tuple(None if value == "*" else value for value in row) for row in rows]
    store(con, "t", {"age": "INTEGER", "weight": "DOUBLE", "city": "VARCHAR", "disease": "VARCHAR"}, rows)
    taxonomy = "{'city': 'city_levels'}" if tree else "NULL"
    how = f"algo := '{algo}', nulls := '{nulls}', seed := {seed}, taxonomy := {taxonomy}"
    largest = best.largest(rows)
    lost = losses(con, best, largest, how, taxonomy)
    strongest = max((setting for setting, gcp in lost.items() if gcp <= budget + 1e-9), default=None)
    gcp = None if strongest is None else pytest.approx(lost[strongest], abs=1e-9)
    tried = len(lost) if strongest is None else largest - strongest + 1
    answer = con.rows(f"FROM {best.name}('t', {QI}{best.sa}, max_gcp := {budget}, {how})")
    assert answer == [(strongest, gcp, largest, tried)]


@either
def test_a_table_worked_by_hand(con: TestConnection, best: Search) -> None:
    store_ages(con, (0, "a"), (10, "b"), (20, "c"), (30, "d"))
    ask = f"FROM {best.name}('t', ['age']{best.sa}%s)"
    # two pairs lose a third each; with 3 or 4 there is one group, which loses everything
    assert con.rows(ask % ", 0.5") == [(2, pytest.approx(1 / 3), 4, 3)]
    assert con.rows(ask % ", max_gcp := 1") == [(4, 1.0, 4, 1)]
    assert con.rows(ask % ", max_gcp := 0.3") == con.rows(ask % "") == [(None, None, 4, 3)]


def test_a_single_row_can_hide_among_nobody(con: TestConnection) -> None:
    store_ages(con, (7, "a"))
    assert con.rows("FROM best_k('t', ['age'], max_gcp := 1)") == [(None, None, 1, 0)]


def test_no_l_is_allowed_where_one_value_is_too_frequent(con: TestConnection) -> None:
    store_ages(con, (1, "a"), (2, "a"), (3, "b"))
    assert con.rows("FROM best_l('t', ['age'], 'disease', max_gcp := 1)") == [(None, None, 1, 0)]


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


@given(st.integers(2, 400), st.integers(0, 400))
def test_bisecting_finds_the_border_in_few_steps(most: int, border: int) -> None:
    tried: list[int] = []

    def holds(l: int) -> bool:
        tried.append(l)
        return l <= border

    assert udf.largest_within(holds, most) == (min(most, border) if border >= 2 else None)
    assert len(tried) == len(set(tried))
    assert len(tried) <= (most - 1 if most <= udf.EVERY else most.bit_length())


def test_up_to_32_a_loss_that_rises_and_falls_hides_nothing() -> None:
    assert udf.largest_within(lambda l: l in (2, 7, 31), 32) == 31
    assert udf.largest_within(lambda l: l == 2, 32) == 2


def test_a_large_table_is_searched_in_few_steps_and_the_answer_keeps_the_budget(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i % 97 AS age, i % 31 AS zip FROM range(12028) AS r(i)")
    answers = [con.rows(f"FROM best_k('t', ['age', 'zip'], {budget})")[0] for budget in (0, 0.1, 0.3, 1)]
    for (k, gcp, max_k, tried), budget in zip(answers, (0, 0.1, 0.3, 1), strict=True):
        assert max_k == 12028 and tried <= 28 and gcp <= budget
        con.execute(f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['age', 'zip'], {k})")
        assert con.rows("SELECT gcp FROM info_loss('t', 'r', ['age', 'zip'])") == [(pytest.approx(gcp, abs=1e-9),)]
        assert con.rows(f"SELECT assert_private('r', ['age', 'zip'], k := {k})") == [(True,)]
    assert [k for k, *_ in answers] == sorted({k for k, *_ in answers})
    assert (answers[0][0], answers[-1][0]) == (4, 12028)  # every row is there four times


def test_a_table_for_many_l_is_bisected_and_the_answer_keeps_the_budget(con: TestConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE t AS SELECT i % 97 AS age, i % 31 AS zip, i % 200 AS disease FROM range(4000) r(i)"
    )
    budgets = (0.1, 0.3, 0.6, 1)
    answers = [con.rows(f"FROM best_l('t', ['age', 'zip'], 'disease', {budget})")[0] for budget in budgets]
    for (l, gcp, max_l, tried), budget in zip(answers, budgets, strict=True):
        assert max_l == 200 and tried <= 8 and gcp <= budget
        con.execute(f"CREATE OR REPLACE TABLE r AS FROM ldiverse('t', ['age', 'zip'], 'disease', {l})")
        assert con.rows("SELECT gcp FROM info_loss('t', 'r', ['age', 'zip'])") == [(pytest.approx(gcp, abs=1e-9),)]
    strongest = [l for l, *_ in answers]
    assert all(less <= more for less, more in pairwise(strongest))
    assert strongest[0] < strongest[-1] == 200


@pytest.mark.parametrize(("best", "answer"), [(BEST_K, (2, 0.0, 4, 3)), (BEST_L, (2, 0.0, 2, 1))], ids=["k", "l"])
def test_rows_that_nulls_exclude_are_no_part_of_the_search(con: TestConnection, best: Search, answer: Row) -> None:
    store_ages(con, (0, "a"), (0, "b"), (None, "b"), (5, "a"), (5, "b"))
    ask = f"FROM {best.name}('%s', ['age']{best.sa}, nulls := '%s')"
    assert con.rows(ask % ("(SELECT * FROM t WHERE age IS NOT NULL)", "value")) == [answer]
    assert con.rows(ask % ("t", "exclude")) == [answer]
    assert con.rows("FROM best_l('t', ['age'], 'disease', nulls := 'value')") == [(None, None, 1, 0)]


@pytest.mark.parametrize(
    "tbl", ["seen", "(SELECT * FROM seen)", "(FROM ldiverse(''seen'', [''a\"b''], ''SELECT'', 2))"]
)
def test_a_table_of_any_kind_and_names_of_any_kind(con: TestConnection, tbl: str) -> None:
    seen = """WITH seen AS (SELECT i AS "a""b", i % 3 AS "SELECT" FROM range(9) AS r(i)) """
    assert con.rows(f"""{seen} SELECT l FROM best_l('{tbl}', ['a"b'], 'SELECT', max_gcp := 1)""") == [(3,)]


@either
def test_the_order_of_rows_changes_nothing(con: TestConnection, best: Search) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT * RENAME (salary AS disease) FROM census(600, seed := 3)")
    con.execute("CREATE OR REPLACE TABLE u AS FROM t ORDER BY hash(age, disease), disease")
    for algo in best.algos:
        how = f"['age', 'education']{best.sa}, algo := '{algo}', seed := 1"
        ask = f"SELECT * REPLACE (round(gcp, 9) AS gcp) FROM {best.name}('%s', {how})"
        assert con.rows(ask % "t") == con.rows(ask % "u"), algo


@either
@pytest.mark.parametrize(
    ("tbl", "qi", "more", "code", "says"),
    [
        ("t", "['age']", "max_gcp := 1.5", "SA102", "max_gcp = 1.5 is out of range"),
        ("t", "['age']", "max_gcp := -0.1", "SA102", "from 0 to 1"),
        ("t", "['age']", "max_gcp := NULL", "SA102", "not NULL"),
        ("t", "['age']", "max_gcp := 'much'", "SA102", "max_gcp must be a number"),
        ("t", "['age']", "max_gcp := 'nan'::DOUBLE", "SA102", "max_gcp must be a number"),
        ("t", "['age']", "algo := 'best'", "SA102", "Choose one of: hilbert"),
        ("t", "['age']", "nulls := 'none'", "SA102", "nulls"),
        ("t", "['age']", "seed := -1", "SA102", "seed"),
        ("t", "[]", "seed := 0", "SA102", "qi is empty"),
        ("t", "['age', 'AGE']", "seed := 0", "SA101", "twice in qi"),
        ("t", "['years']", "seed := 0", "SA101", "no column 'years'"),
        ("t", "['age']", "taxonomy := {'zip': 'x'}", "SA101", "not in qi"),
        ("DROP TABLE t", "['age']", "seed := 0", "SA103", "tbl"),
        ("(SELECT [age] AS age, disease FROM t)", "['age']", "seed := 0", "SA104", "'age'"),
        ("(FROM t LIMIT 0)", "['age']", "seed := 0", "SA202", "empty"),
    ],
)
def test_what_cannot_be_answered_says_why(
    con: TestConnection, best: Search, tbl: str, qi: str, more: str, code: str, says: str
) -> None:
    refusal(con, f"{best.name}('{tbl}', {qi}{best.sa}, {more})", code, says)


@pytest.mark.parametrize(
    ("call", "code", "says"),
    [
        ("best_k('t', ['age'], algo := 'bsgi')", "SA102", "Choose one of: hilbert"),
        ("best_k('(FROM best_k(''t'', [''age'']))', ['k'])", "SA103", "inside itself"),
        ("best_l('t', ['age'], 'disease', algo := 'matching')", "SA102", "l = 2 only"),
        ("best_l('t', ['age'], ['disease', 'age'], algo := 'bsgi')", "SA102", "sa names 2 columns"),
        ("best_l('t', ['age', 'disease'], 'disease')", "SA101", "in both qi and sa"),
        ("best_l('t', ['age'], 'illness')", "SA101", "no column 'illness'"),
        ("best_l('(FROM best_l(''t'', [''age''], ''disease''))', ['l'], 'gcp')", "SA103", "inside itself"),
        ("best_l('(FROM t LIMIT 1)', ['age'], 'disease')", "SA202", "1 row"),
    ],
)
def test_what_one_of_them_cannot_answer_says_why(con: TestConnection, call: str, code: str, says: str) -> None:
    refusal(con, call, code, says)


def refusal(con: TestConnection, call: str, code: str, says: str) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i AS age, i % 4 AS disease FROM range(20) AS r(i)")
    error = con.refusal(f"FROM {call}")
    assert error.startswith(f"[{code}]")
    assert says in error
