"""The order of rows and the numbers of groups tell nothing, and a release is the same wherever it is made."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from connections import TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlanon.udfs.grouping import partition
from thorough import examples

import sqlanon

from .contract import TYPES, Rows, check_groups, few, largest_l, release, tables, text_key

pytestmark = pytest.mark.oldest


@few
@given(tables(), st.sampled_from(["text", "typed"]))
def test_groups_are_numbered_and_rows_are_written_in_the_order_of_what_is_published(
    con: TestConnection, rows: Rows, form: str
) -> None:
    store(con, "t", TYPES, rows)
    con.execute(
        f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['num', 'cat'], 2, format := '{form}', keep := ['sa'])"
    )
    written = release(con, "FROM r")
    assert written == release(con, "FROM r ORDER BY group_id, num NULLS LAST, cat NULLS LAST, sa NULLS LAST")
    numbers = release(con, "SELECT group_id FROM r ORDER BY num NULLS LAST, cat NULLS LAST, group_id")
    assert numbers == sorted(numbers)
    if form == "text":
        shown = [(text_key(row[1]), text_key(row[2])) for row in written]
        assert shown == sorted(shown)


@settings(few, max_examples=examples(12))
@given(tables(smallest=3), st.randoms(use_true_random=False))
def test_the_source_s_row_order_changes_nothing(con: TestConnection, rows: Rows, dice: random.Random) -> None:
    shuffled = rows[:]
    dice.shuffle(shuffled)
    store(con, "t", TYPES, rows)
    store(con, "u", TYPES, shuffled)
    for keep in ("[]", "['id']"):
        for sql in (
            f"FROM kanonymous('$', ['num', 'cat'], 3, keep := {keep})",
            f"FROM kanonymous('$', ['num', 'cat'], 2, algo := 'hilbert_fast', keep := {keep})",
            f"FROM ldiverse('$', ['cat', 'num'], 'sa', 2, keep := {keep})",
            f"FROM ldiverse('$', ['cat', 'num'], 'sa', 2, recode := 'none', keep := {keep})",
        ):
            if "ldiverse" not in sql or largest_l(rows) >= 2:
                assert release(con, sql.replace("$", "t")) == release(con, sql.replace("$", "u"))


def by_rank(size: int) -> Callable[[Any, int], Any]:
    """A kernel that looks at quasi-identifiers only: runs of `size` rows in the order of the first one."""

    def partition(data: Any, least: int) -> Any:
        group_of = np.empty(data.codes.shape[1], np.int32)
        group_of[np.argsort(data.codes[0], kind="stable")] = np.arange(group_of.size) // size
        return group_of

    return partition


def use_kernel(monkeypatch: pytest.MonkeyPatch, kernel: Callable[[Any, int], Any]) -> None:
    monkeypatch.setattr(partition, "load_kernel", lambda name: kernel)


@pytest.mark.parametrize("form", ["text", "typed"])
@pytest.mark.parametrize("recode", ["none", "generalize", "suppress"])
def test_who_holds_which_value_within_a_group_cannot_be_told_from_the_release(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, recode: str, form: str
) -> None:
    use_kernel(monkeypatch, by_rank(3))
    dice = random.Random(1)
    rows = [(i, i, "ab"[i % 2], (i % 3) * 7 % 5) for i in range(30)]
    keep = ", keep := ['id']" if recode == "none" else ""
    sql = f"FROM ldiverse('t', ['num', 'cat'], 'sa', 3, recode := '{recode}', format := '{form}'{keep})"
    seen = set()
    for _ in range(6):
        for start in range(0, 30, 3):
            values = [row[3] for row in rows[start : start + 3]]
            dice.shuffle(values)
            rows[start : start + 3] = [
                (*row[:3], value) for row, value in zip(rows[start : start + 3], values, strict=True)
            ]
        store(con, "t", TYPES, rows)
        seen.add(repr(release(con, sql)))
    assert len(seen) == 1


def test_the_kernel_s_own_group_numbers_leave_no_trace(con: TestConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    store(con, "t", TYPES, [(i, i * 37 % 30, "ab"[i % 2], i % 3) for i in range(30)])
    sql = "FROM ldiverse('t', ['num', 'cat'], 'sa', 2, recode := '{}')"
    plain = by_rank(6)
    for recode in ("generalize", "none"):
        seen = set()
        for seed in range(4):
            names = np.random.default_rng(seed).permutation(5000).astype(np.int32)
            use_kernel(monkeypatch, lambda data, least, names=names: names[plain(data, least)])
            seen.add(repr(release(con, sql.format(recode))))
        assert len(seen) == 1


def test_threads_connections_and_reopened_files_change_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "people.duckdb")
    statements = [
        "FROM ldiverse('people', ['age', 'gender', 'country'], 'occupation', 4, keep := ['salary'])",
        "FROM ldiverse('people', ['age', 'country'], 'occupation', 4, recode := 'none')",
        "FROM kanonymous('people', ['age', 'gender', 'education'], 7, format := 'typed')",
    ]
    with sqlanon.connect(path) as con:
        con.execute("CREATE TABLE people AS FROM census(6000)").fetchall()
        con.execute("SET threads = 1").fetchall()
        first = [release(con, sql) for sql in statements]
        con.execute("SET threads = 4").fetchall()
        assert [release(con, sql) for sql in statements] == first
        con.execute("CREATE TABLE mixed AS FROM people ORDER BY hash(age, salary, country)").fetchall()
        assert [release(con, sql.replace("people", "mixed")) for sql in statements] == first
        other = sqlanon.load(con.cursor())
        assert [release(other, sql) for sql in statements] == first
    with sqlanon.connect(path, read_only=True) as con:
        assert [release(con, sql) for sql in statements] == first
    with sqlanon.connect() as con:
        con.execute("CREATE TABLE people AS FROM census(6000)").fetchall()
        assert [release(con, sql) for sql in statements] == first


def test_a_large_release_comes_out_in_order_from_many_threads(con: TestConnection) -> None:
    con.execute("SET threads = 4").fetchall()
    con.execute(
        "CREATE OR REPLACE TABLE r AS FROM ldiverse('census(150000)', ['age', 'gender'], 'occupation', 5)"
    ).fetchall()
    con.execute("SET threads = 1").fetchall()
    (wrong,) = con.execute(
        "SELECT count(*) FROM (SELECT group_id < lag(group_id) OVER (ORDER BY rowid) OR "
        "(group_id = lag(group_id) OVER (ORDER BY rowid) AND occupation < lag(occupation) OVER (ORDER BY rowid)) "
        "AS wrong FROM r) WHERE wrong"
    ).fetchall()[0]
    assert wrong == 0


def test_keep_breaks_ties_between_equal_rows(con: TestConnection) -> None:
    rows = [(i, i // 6, "x", i % 3) for i in range(24)]
    store(con, "t", TYPES, rows)
    store(con, "u", TYPES, rows[::-1])
    sql = "FROM ldiverse('{}', ['num', 'cat'], 'sa', 3, keep := ['id'])"
    assert release(con, sql.format("t")) == release(con, sql.format("u"))


def test_groups_that_publish_the_same_are_told_apart_by_number_only(con: TestConnection) -> None:
    rows = [(i, 1, "x", i) for i in range(12)]
    store(con, "t", TYPES, rows)
    released = release(con, "FROM ldiverse('t', ['num', 'cat'], 'sa', 2, keep := ['id'])")
    groups = check_groups(rows, released)
    assert {row[1:3] for row in released} == {("1", "x")}
    assert len(groups) > 1
    contents = [[row[3] for row in groups[number]] for number in sorted(groups)]
    assert contents == sorted(contents), "among equals, the order is that of the sensitive values"


@pytest.mark.parametrize(
    ("kind", "one", "other"), [("VARCHAR COLLATE NOCASE", "'a'", "'A'"), ("INTERVAL", "'30 days'", "'1 month'")]
)
def test_of_equal_values_the_same_one_is_published_in_whatever_order_they_come(
    con: TestConnection, kind: str, one: str, other: str
) -> None:
    releases = []
    for values in (f"({one}), ({other})", f"({other}), ({one})"):
        con.execute(f"CREATE OR REPLACE TABLE spelled (x {kind}, kept {kind}, sa INTEGER)")
        con.execute(f"INSERT INTO spelled SELECT x, x, i FROM (VALUES {values}) AS t(x) CROSS JOIN range(2) AS r(i)")
        releases.append(release(con, "FROM ldiverse('spelled', ['x'], 'sa', 2, keep := ['kept'])"))
    assert releases[0] == releases[1]


def test_a_release_is_stored_in_order_even_where_duckdb_need_not_preserve_it(tmp_path: Path) -> None:
    """Three row groups, which several threads write."""
    with sqlanon.connect() as con:
        con.execute("SET threads = 4; SET preserve_insertion_order = false")
        con.execute("CREATE TABLE t AS SELECT i * 7919 % 300007 AS a FROM range(300000) AS r(i)")
        con.execute("CREATE TABLE stored AS FROM kanonymous('t', ['a'], 50, algo := 'mondrian')")
        con.execute(f"COPY (FROM kanonymous('t', ['a'], 50, algo := 'mondrian')) TO '{tmp_path}/written.parquet'")
        read = f"read_parquet('{tmp_path}/written.parquet', file_row_number = true)"
        written = f"(SELECT *, file_row_number AS position FROM {read})"
        for table in ("(SELECT *, rowid AS position FROM stored)", written):
            falls = f"SELECT lag(group_id) OVER (ORDER BY position) > group_id AS falls FROM {table}"
            assert con.execute(f"SELECT count(*), count_if(falls) FROM ({falls})").fetchall() == [(300000, 0)]
