"""The contract of a release, recounted in plain Python: nothing of sqlanon judges sqlanon here."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import duckdb
import pytest
from connections import Row, TestConnection, store
from hypothesis import given
from hypothesis import strategies as st

from .contract import TYPES, Rows, by_group, check_groups, few, largest_l, range_of, release, star_of, tables, text_key


@few
@given(tables(), st.integers(1, 6), st.sampled_from(["hilbert", "hilbert_fast"]), st.booleans())
def test_every_kanonymous_group_has_k_rows_and_publishes_the_extent_of_its_rows(
    con: TestConnection, rows: Rows, k: int, algo: str, suppress: bool
) -> None:
    store(con, "t", TYPES, rows)
    k = min(k, len(rows))
    recode = "suppress" if suppress else "generalize"
    sql = f"FROM kanonymous('t', ['num', 'cat'], {k}, algo := '{algo}', recode := '{recode}', keep := ['sa', 'id'])"
    groups = check_groups(rows, release(con, sql), star_of if suppress else range_of)
    assert all(len(members) >= k for members in groups.values())
    published = Counter((members[0][1], members[0][2]) for members in groups.values() for _ in members)
    assert all(size >= k for size in published.values()), "k rows share every published combination"


@few
@given(tables(), st.booleans())
def test_in_no_ldiverse_group_does_a_value_take_more_than_its_share(
    con: TestConnection, rows: Rows, suppress: bool
) -> None:
    store(con, "t", TYPES, rows)
    top = largest_l(rows)
    if top < 2:
        with pytest.raises(duckdb.Error, match=r"\[SA201\]"):
            release(con, "FROM ldiverse('t', ['num', 'cat'], 'sa', 2)")
        return
    recode = "suppress" if suppress else "generalize"
    for l in {2, top}:
        sql = f"FROM ldiverse('t', ['num', 'cat'], 'sa', {l}, recode := '{recode}', keep := ['id'])"
        groups = check_groups(rows, release(con, sql), star_of if suppress else range_of)
        published: dict[Row, list[Any]] = defaultdict(list)
        for members in groups.values():
            assert max(Counter(member[3] for member in members).values()) * l <= len(members)
            published[members[0][1:3]] += [member[3] for member in members]
        for values in published.values():
            assert max(Counter(values).values()) * l <= len(values), "… nor among rows that look alike"


@few
@given(tables())
def test_recode_none_publishes_exact_rows_beside_the_values_of_their_group(con: TestConnection, rows: Rows) -> None:
    store(con, "t", TYPES, rows)
    if largest_l(rows) < 2:
        return
    released = release(
        con, "FROM ldiverse('t', ['num', 'cat'], 'sa', 2, recode := 'none', format := 'typed', keep := ['id'])"
    )
    of_id = {row[0]: row for row in rows}
    assert sorted(row[4] for row in released) == sorted(of_id)
    for members in by_group(released).values():
        originals = [of_id[member[4]] for member in members]
        values = sorted((row[3] for row in originals), key=lambda value: (value is None, value or 0))
        assert all(member[3] == values for member in members)
        for member, row in zip(members, originals, strict=True):
            assert member[1] == (None if row[1] is None else {"lo": row[1], "hi": row[1]})
            assert member[2] == (None if row[2] is None else [row[2]])


@few
@given(tables())
def test_a_typed_release_says_the_same_as_a_text_release(con: TestConnection, rows: Rows) -> None:
    store(con, "t", TYPES, rows)
    typed = release(con, "FROM kanonymous('t', ['num', 'cat'], 2, format := 'typed', keep := ['sa', 'id'])")
    text = release(con, "FROM kanonymous('t', ['num', 'cat'], 2, keep := ['sa', 'id'])")
    domain = sorted({row[2] for row in rows}, key=text_key)
    look = {row[4]: row for row in typed}
    for row in text:
        num, cat = look[row[4]][1:3]
        assert row[1] == (
            None
            if num is None
            else "*"
            if num["lo"] is None
            else str(num["lo"])
            if num["lo"] == num["hi"]
            else f"[{num['lo']}, {num['hi']}]"
        )
        assert cat == (None if row[2] is None else domain if len(cat) > 1 else [row[2]])


def test_columns_are_group_id_then_qi_as_given_then_sa_then_keep_and_nothing_else(con: TestConnection) -> None:
    store(con, "t", TYPES, [(i, i, "x", i % 2) for i in range(4)])
    result = con.execute("FROM ldiverse('t', ['cat', 'num'], 'sa', 2, keep := ['id'])")
    assert [name for name, *_ in result.description] == ["group_id", "cat", "num", "sa", "id"]
    assert [str(kind) for _, kind, *_ in result.description] == ["INTEGER", "VARCHAR", "VARCHAR", "SMALLINT", "INTEGER"]
    result.fetchall()
    result = con.execute("FROM kanonymous('t', ['num'], 2)")
    assert [name for name, *_ in result.description] == ["group_id", "num"]
    result.fetchall()


@pytest.mark.parametrize("size", [1, 2, 3, 2047, 2048, 2049, 5000])
def test_tables_of_any_size_keep_their_rows(con: TestConnection, size: int) -> None:
    rows = [(i, i * 7919 % 1009, "abcdefg"[i * 31 % 7], i % 5) for i in range(size)]
    store(con, "t", TYPES, rows)
    least = min(size, 4)
    sql = f"FROM kanonymous('t', ['num', 'cat'], {least}, keep := ['sa', 'id'])"
    groups = check_groups(rows, release(con, sql))
    assert all(len(members) >= least for members in groups.values())
    if size >= 2:
        l = min(size, 3)
        groups = check_groups(rows, release(con, f"FROM ldiverse('t', ['num', 'cat'], 'sa', {l}, keep := ['id'])"))
        for members in groups.values():
            assert max(Counter(member[3] for member in members).values()) * l <= len(members)


@pytest.mark.parametrize(
    ("size", "values", "l"),
    [(12, 3, 3), (13, 5, 3), (14, 7, 2), (300, 3, 3), (301, 10, 9), (100, 100, 100), (99, 50, 49)],
)
def test_values_as_many_as_l_and_rows_that_do_not_divide(con: TestConnection, size: int, values: int, l: int) -> None:
    rows = [(i, i * 13 % 97, "abc"[i % 2], i % values) for i in range(size)]
    store(con, "t", TYPES, rows)
    groups = check_groups(rows, release(con, f"FROM ldiverse('t', ['num', 'cat'], 'sa', {l}, keep := ['id'])"))
    for members in groups.values():
        assert max(Counter(member[3] for member in members).values()) * l <= len(members)


def test_all_rows_equal_and_all_rows_distinct(con: TestConnection) -> None:
    rows = [(i, 5, "x", 1) for i in range(50)]
    store(con, "t", TYPES, rows)
    released = release(con, "FROM kanonymous('t', ['num', 'cat'], 5, keep := ['sa', 'id'])")
    assert {row[1:3] for row in released} == {("5", "x")}
    check_groups(rows, released)
    rows = [(i, i, f"c{i}", i) for i in range(50)]
    store(con, "t", TYPES, rows)
    check_groups(rows, release(con, "FROM ldiverse('t', ['num', 'cat'], 'sa', 5, keep := ['id'])"))


def test_twenty_quasi_identifiers(con: TestConnection) -> None:
    names = [f"q{i}" for i in range(20)]
    columns = ", ".join(f"CAST(hash(i, {n}) % {n + 2} AS INTEGER) AS {name}" for n, name in enumerate(names))
    con.execute(
        f"CREATE OR REPLACE TABLE wide AS SELECT i AS id, i % 6 AS sa, {columns} FROM range(600) AS r(i)"
    ).fetchall()
    source = {row[0]: row[1:] for row in release(con, "FROM wide")}
    released = release(con, f"FROM ldiverse('wide', {names}, 'sa', 3, keep := ['id'])")
    assert sorted(row[-1] for row in released) == sorted(source)
    for members in by_group(released).values():
        assert max(Counter(member[21] for member in members).values()) * 3 <= len(members)
        for column in range(20):
            values = [source[member[-1]][column + 1] for member in members]
            assert {member[column + 1] for member in members} == {range_of(values)}
