"""The contract of a release, recounted in plain Python: nothing of sqlanon judges sqlanon here."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lent import Lent, Row, store
from sqlanon.udfs import groups as groups_udf

import sqlanon

Connection = duckdb.DuckDBPyConnection
Rows = list[Row]

few = settings(max_examples=40, deadline=None, database=None)
TYPES = {"id": "INTEGER", "num": "BIGINT", "cat": "VARCHAR", "sa": "SMALLINT"}
COLUMNS = list(TYPES)


def release(con: Lent | Connection, sql: str) -> Rows:
    rows: Rows = con.execute(sql).fetchall()
    return rows


def by_group(released: Rows) -> dict[int, Rows]:
    grouped: dict[int, Rows] = defaultdict(list)
    for row in released:
        grouped[row[0]].append(row)
    return dict(grouped)


def range_of(values: Sequence[int | None]) -> str | None:
    """What a group publishes for a number."""
    present = [value for value in values if value is not None]
    if not present:
        return None
    if len(present) < len(values):
        return "*"
    low, high = min(present), max(present)
    return str(low) if low == high else f"[{low}, {high}]"


def star_of(values: Sequence[object]) -> object:
    """What a group publishes for a category, and for anything with recode 'suppress'."""
    first = values[0]
    return (None if first is None else str(first)) if len(set(values)) == 1 else "*"


def text_key(value: str | None) -> tuple[bool, bytes]:
    return (value is None, (value or "").encode())


def largest_l(rows: Sequence[Row]) -> int:
    return len(rows) // max(Counter(row[3] for row in rows).values())


def check_groups(source: Sequence[Row], released: Rows, num: Callable[..., Any] = range_of) -> dict[int, Rows]:
    """Check (group_id, num, cat, sa, id) row by row against the source; return the groups."""
    of_id = {row[0]: row for row in source}
    assert sorted(row[4] for row in released) == sorted(of_id), "each source row is there exactly once"
    groups = by_group(released)
    assert sorted(groups) == list(range(1, len(groups) + 1)), "numbers run from 1 without gaps"
    for members in groups.values():
        originals = [of_id[member[4]] for member in members]
        assert {member[1] for member in members} == {num([row[1] for row in originals])}
        assert {member[2] for member in members} == {star_of([row[2] for row in originals])}
        assert all(member[3] == of_id[member[4]][3] for member in members), "a row has its own sensitive value"
    return groups


numbers = st.one_of(st.none(), st.integers(-5, 5), st.integers(-(2**60), 2**60))
categories = st.one_of(st.none(), st.sampled_from(["a", "b", "ü", "*", "[1, 2]", "", "NULL"]))
secrets = st.one_of(st.none(), st.integers(0, 4))


@st.composite
def tables(draw: st.DrawFn, smallest: int = 2) -> Rows:
    rows = draw(st.lists(st.tuples(numbers, categories, secrets), min_size=smallest, max_size=40))
    return [(i, *row) for i, row in enumerate(rows)]


# ---- the promises themselves


@few
@given(tables(), st.integers(1, 6), st.sampled_from(["hilbert", "hilbert_fast"]), st.booleans())
def test_every_kanonymous_group_has_k_rows_and_publishes_the_extent_of_its_rows(
    con: Lent, rows: Rows, k: int, algo: str, suppress: bool
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
def test_in_no_ldiverse_group_does_a_value_take_more_than_its_share(con: Lent, rows: Rows, suppress: bool) -> None:
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
def test_recode_none_publishes_exact_rows_beside_the_values_of_their_group(con: Lent, rows: Rows) -> None:
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
def test_a_typed_release_says_the_same_as_a_text_release(con: Lent, rows: Rows) -> None:
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


def test_columns_are_group_id_then_qi_as_given_then_sa_then_keep_and_nothing_else(con: Lent) -> None:
    store(con, "t", TYPES, [(i, i, "x", i % 2) for i in range(4)])
    result = con.execute("FROM ldiverse('t', ['cat', 'num'], 'sa', 2, keep := ['id'])")
    assert [name for name, *_ in result.description] == ["group_id", "cat", "num", "sa", "id"]
    assert [str(kind) for _, kind, *_ in result.description] == ["INTEGER", "VARCHAR", "VARCHAR", "SMALLINT", "INTEGER"]
    result.fetchall()
    result = con.execute("FROM kanonymous('t', ['num'], 2)")
    assert [name for name, *_ in result.description] == ["group_id", "num"]
    result.fetchall()


# ---- order and group numbers tell nothing


@few
@given(tables(), st.sampled_from(["text", "typed"]))
def test_groups_are_numbered_and_rows_are_written_in_the_order_of_what_is_published(
    con: Lent, rows: Rows, form: str
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


@settings(few, max_examples=12)
@given(tables(smallest=3), st.randoms(use_true_random=False))
def test_the_source_s_row_order_changes_nothing(con: Lent, rows: Rows, dice: random.Random) -> None:
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
    monkeypatch.setattr(groups_udf, "load_kernel", lambda name: kernel)


@pytest.mark.parametrize("form", ["text", "typed"])
@pytest.mark.parametrize("recode", ["none", "generalize", "suppress"])
def test_who_holds_which_value_within_a_group_cannot_be_told_from_the_release(
    con: Lent, monkeypatch: pytest.MonkeyPatch, recode: str, form: str
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


def test_the_kernel_s_own_group_numbers_leave_no_trace(con: Lent, monkeypatch: pytest.MonkeyPatch) -> None:
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


# ---- the same release wherever it is made


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


def test_a_large_release_comes_out_in_order_from_many_threads(con: Lent) -> None:
    con.execute("SET threads = 4").fetchall()
    con.execute(
        "CREATE OR REPLACE TABLE r AS FROM ldiverse('census(150000)', ['age', 'gender'], 'occupation', 5)"
    ).fetchall()
    con.execute("RESET threads").fetchall()
    (wrong,) = con.execute(
        "SELECT count(*) FROM (SELECT group_id < lag(group_id) OVER (ORDER BY rowid) OR "
        "(group_id = lag(group_id) OVER (ORDER BY rowid) AND occupation < lag(occupation) OVER (ORDER BY rowid)) "
        "AS wrong FROM r) WHERE wrong"
    ).fetchall()[0]
    assert wrong == 0


def test_keep_breaks_ties_between_equal_rows(con: Lent) -> None:
    rows = [(i, i // 6, "x", i % 3) for i in range(24)]
    store(con, "t", TYPES, rows)
    store(con, "u", TYPES, rows[::-1])
    sql = "FROM ldiverse('{}', ['num', 'cat'], 'sa', 3, keep := ['id'])"
    assert release(con, sql.format("t")) == release(con, sql.format("u"))


def test_groups_that_publish_the_same_are_told_apart_by_number_only(con: Lent) -> None:
    rows = [(i, 1, "x", i) for i in range(12)]
    store(con, "t", TYPES, rows)
    released = release(con, "FROM ldiverse('t', ['num', 'cat'], 'sa', 2, keep := ['id'])")
    groups = check_groups(rows, released)
    assert {row[1:3] for row in released} == {("1", "x")}
    assert len(groups) > 1
    contents = [[row[3] for row in groups[number]] for number in sorted(groups)]
    assert contents == sorted(contents), "among equals, the order is that of the sensitive values"


# ---- sizes and shapes


@pytest.mark.parametrize("size", [1, 2, 3, 2047, 2048, 2049, 5000])
def test_tables_of_any_size_keep_their_rows(con: Lent, size: int) -> None:
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
def test_values_as_many_as_l_and_rows_that_do_not_divide(con: Lent, size: int, values: int, l: int) -> None:
    rows = [(i, i * 13 % 97, "abc"[i % 2], i % values) for i in range(size)]
    store(con, "t", TYPES, rows)
    groups = check_groups(rows, release(con, f"FROM ldiverse('t', ['num', 'cat'], 'sa', {l}, keep := ['id'])"))
    for members in groups.values():
        assert max(Counter(member[3] for member in members).values()) * l <= len(members)


def test_all_rows_equal_and_all_rows_distinct(con: Lent) -> None:
    rows = [(i, 5, "x", 1) for i in range(50)]
    store(con, "t", TYPES, rows)
    released = release(con, "FROM kanonymous('t', ['num', 'cat'], 5, keep := ['sa', 'id'])")
    assert {row[1:3] for row in released} == {("5", "x")}
    check_groups(rows, released)
    rows = [(i, i, f"c{i}", i) for i in range(50)]
    store(con, "t", TYPES, rows)
    check_groups(rows, release(con, "FROM ldiverse('t', ['num', 'cat'], 'sa', 5, keep := ['id'])"))


def test_twenty_quasi_identifiers(con: Lent) -> None:
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


# ---- sources that are not tables


def test_files_are_sources_by_their_path(con: Lent, tmp_path: Path) -> None:
    for number in (1, 2):
        con.execute(f"COPY (SELECT i % 5 AS age FROM range(20) AS r(i)) TO '{tmp_path}/part{number}.parquet'")
    for path in (f"{tmp_path}/part1.parquet", f"{tmp_path}/*.parquet", f"''{tmp_path}/part1.parquet''"):
        [(rows,)] = con.rows(f"SELECT count(*) FROM kanonymous('{path}', ['age'], 2)")
        assert rows == (40 if "*" in path else 20)
    for path in (f"{tmp_path}/part1.parquet; DROP TABLE t", f"{tmp_path}/part1"):
        assert "[SA103]" in con.refused(f"FROM kanonymous('{path}', ['age'], 2)")


def test_data_frames_and_arrow_tables_are_sources(con: Lent) -> None:
    rows = [(i, i, "ab"[i % 2], i % 3) for i in range(30)]
    store(con, "t", TYPES, rows)
    expected = release(con, "FROM ldiverse('t', ['num', 'cat'], 'sa', 3)")
    columns = dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))
    frame = pd.DataFrame(columns)
    arrow = pa.table(columns)
    reader = pa.RecordBatchReader.from_batches(arrow.schema, arrow.to_batches(max_chunksize=7))
    assert len(frame) == arrow.num_rows == 30
    assert con.execute("FROM ldiverse('frame', ['num', 'cat'], 'sa', 3)").fetchall() == expected
    assert con.execute("FROM ldiverse('arrow', ['num', 'cat'], 'sa', 3)").fetchall() == expected
    assert reader is not None
    assert con.execute("FROM ldiverse('reader', ['num', 'cat'], 'sa', 3)").fetchall() == expected, "read once"


def test_a_pandas_category_is_a_category(con: Lent) -> None:
    frame = pd.DataFrame({"grade": pd.Categorical(["low", "high", "low", None]), "n": [1, 1, 1, 1]})
    assert len(frame) == 4
    released = con.execute(
        "SELECT DISTINCT grade FROM kanonymous('frame', ['grade', 'n'], 4, format := 'typed')"
    ).fetchall()
    assert released == [(["*"],)]


def test_a_volatile_source_is_read_once(con: Lent) -> None:
    dice = "SELECT CAST(random() * 1e9 AS BIGINT) AS r, i % 4 AS s FROM range(3000) AS t(i)"
    source = f"(SELECT r, r AS same, s FROM ({dice}))"
    for _ in range(3):
        released = release(con, f"FROM ldiverse('{source}', ['r'], 's', 4, format := 'typed', keep := ['same'])")
        assert len(released) == 3000
        for members in by_group(released).values():
            values = [member[3] for member in members]
            assert {(member[1]["lo"], member[1]["hi"]) for member in members} == {(min(values), max(values))}
            assert max(Counter(member[2] for member in members).values()) * 4 <= len(members)


@pytest.mark.parametrize(
    ("kind", "one", "other"), [("VARCHAR COLLATE NOCASE", "'a'", "'A'"), ("INTERVAL", "'30 days'", "'1 month'")]
)
def test_of_equal_values_the_same_one_is_published_in_whatever_order_they_come(
    con: Lent, kind: str, one: str, other: str
) -> None:
    releases = []
    for values in (f"({one}), ({other})", f"({other}), ({one})"):
        con.execute(f"CREATE OR REPLACE TABLE spelled (x {kind}, kept {kind}, sa INTEGER)")
        con.execute(f"INSERT INTO spelled SELECT x, x, i FROM (VALUES {values}) AS t(x) CROSS JOIN range(2) AS r(i)")
        releases.append(release(con, "FROM ldiverse('spelled', ['x'], 'sa', 2, keep := ['kept'])"))
    assert releases[0] == releases[1]
