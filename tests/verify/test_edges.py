"""Empty tables, names of any kind, tables of any kind."""

from __future__ import annotations

import pytest
from connections import TestConnection

from .tables import answers, load, measures, text

pytestmark = pytest.mark.oldest


def test_an_empty_table_has_no_rows_and_null_measures(con: TestConnection) -> None:
    load(con, [])
    found = measures(con, "'(SELECT 1 AS q, 2 AS s WHERE false)'")
    assert (found.pop("rows"), found.pop("classes")) == (0, 0)
    assert set(found.values()) == {None}
    arguments = "'t', ['city', 'room'], 'word'"
    assert con.execute(f"FROM equivalence_classes({arguments})").fetchall() == []
    assert con.execute(f"FROM recursive_c({arguments}, 2)").fetchall() == [(None,)]
    assert con.execute(f"FROM violations({arguments}, k := 2)").fetchall() == []
    assert con.execute(f"SELECT assert_private({arguments}, k := 2)").fetchall() == [(True,)]
    assert con.execute("FROM risk('t', ['city'])").fetchall() == [(0, 0, None, None, None, None, 0)]
    assert con.execute("FROM risk_by_size('t', ['city'])").fetchall() == []
    assert con.execute(
        "SELECT \"rows\", distinct_values, top_count, max_l FROM eligibility('t', 'word')"
    ).fetchall() == [(0, 0, None, None)]
    assert con.execute("FROM eligible_c('t', 'word', 2)").fetchall() == [(0, 0, None, None)]
    assert con.execute("FROM buckets('t', 'word')").fetchall() == []
    assert con.execute("FROM k_anonymity('t', ['city'])").fetchall() == [(None,)]


HOSTILE = [
    "select", "a b", 'double"quote', "semi;colon", "Ünï", "qi_1", "value", "person", "class", "size", "n", "records",
    "keys", "people", "place", "tbl", "*", "rowid", "entropy", "l",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_columns_may_have_any_name(con: TestConnection, name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    qi, sa = f"(SELECT a AS {quoted}, b AS other FROM ", f"(SELECT a AS other, b AS {quoted} FROM "
    rows = "(VALUES (1, 'x'), (1, 'y'), (2, 'x')) AS v(a, b))"
    plain = measures(con, text("(SELECT a AS q, b AS s FROM " + rows))
    assert answers(con, f"FROM privacy({text(qi + rows)}, [{text(name)}], 'other')") == [plain]
    assert answers(con, f"FROM privacy({text(sa + rows)}, ['other'], {text(name)})") == [plain]
    (first, *_) = answers(con, f"FROM equivalence_classes({text(qi + rows)}, [{text(name)}], 'other')")
    assert next(iter(first)) == name
    found = con.execute(f"FROM violations({text(qi + rows)}, [{text(name)}], 'other', k := 2)").fetchall()
    assert found == [(2, 1, 1, 1, ["k"], [1.0])]


def test_names_are_found_in_any_case_and_printed_as_given(con: TestConnection) -> None:
    load(con, [("a", 1, "flu", 1, None, 1)])
    (found,) = answers(con, "FROM equivalence_classes('T', ['CITY'], 'Word')")
    assert (found["CITY"], found["size"]) == ("a", 1)


def test_tables_may_be_views_ctes_and_selects(con: TestConnection) -> None:
    load(con, [("a", 1, "flu", 1, None, 1), ("a", 1, "gout", 2, None, 1)])
    con.execute("CREATE OR REPLACE VIEW seen AS FROM t")
    sql = "SELECT k, distinct_l FROM privacy(%s, ['city'], 'word')"
    for tbl in ("'t'", "'seen'", "'main.t'", "'(SELECT city, word FROM t)'"):
        assert con.execute(sql % tbl).fetchall() == [(2, 2)]
    assert con.execute(f"WITH cte AS (FROM t LIMIT 1) {sql % text('cte')}").fetchall() == [(1, 1)]


def test_answers_of_several_tables_can_be_joined_by_union(con: TestConnection) -> None:
    load(con, [("a", 1, "flu", 1, None, 1), ("a", 1, "gout", 2, None, 1), ("b", 1, "flu", 2, None, 2)])
    found = con.execute("""
        SELECT 'word' AS sa, * EXCLUDE next_step FROM eligibility('t', 'word')
        UNION ALL SELECT 'number', * EXCLUDE next_step FROM eligibility('(FROM t WHERE city = ''a'')', 'number')
        UNION ALL SELECT 'room', * EXCLUDE next_step FROM eligibility('t', 'room')
        ORDER BY sa
    """).fetchall()
    assert found == [("number", 2, 2, 1, 2, 2), ("room", 3, 1, 3, 1, 2), ("word", 3, 2, 2, 1, 2)]


def test_adult_salaries_allow_no_diversity_and_no_c_below_four(con: TestConnection) -> None:
    (salaries,) = answers(con, "FROM eligibility('adult()', 'salary-class')")
    assert (salaries["max_l"], salaries["optimal_l"]) == (1, 2)
    (eligible,) = answers(con, "FROM eligible_c('adult()', 'salary-class', 2)")
    assert eligible["min_c"] == 4
    (known,) = answers(con, "FROM eligibility('(FROM adult() WHERE occupation IS NOT NULL)', 'occupation')")
    assert known["max_l"] == 7
