"""A kernel that breaks its promise is found out, and nothing is published: SA901, however the release is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from connections import TestConnection
from sqlanon.udfs.grouping import partition

pytestmark = pytest.mark.oldest

Kernel = Callable[[Any, int], Any]


def singles(data: Any, least: int) -> Any:
    """Every row a group of its own."""
    return np.arange(data.sensitive.size, dtype=np.int32)


def one_row_short(data: Any, least: int) -> Any:
    """All rows in one group but one, at the very end."""
    group_of = np.zeros(data.sensitive.size, np.int32)
    group_of[-1] = 1
    return group_of


def by_value(data: Any, least: int) -> Any:
    """Large groups in which everybody has the same sensitive value."""
    return data.sensitive.astype(np.int32)


def too_few_rows(data: Any, least: int) -> Any:
    return np.zeros(data.sensitive.size - 1, np.int32)


def too_many_rows(data: Any, least: int) -> Any:
    return np.zeros(data.sensitive.size + 1, np.int32)


def one_left_over(data: Any, least: int) -> Any:
    """A row without a group: -1 is how kernels say so."""
    group_of = np.zeros(data.sensitive.size, np.int32)
    group_of[0] = -1
    return group_of


def many_left_over(data: Any, least: int) -> Any:
    """So many rows without a group that they would pass for one."""
    group_of = np.zeros(data.sensitive.size, np.int32)
    group_of[: group_of.size // 2] = -1
    return group_of


def crash(data: Any, least: int) -> Any:
    raise IndexError(f"index {data.sensitive[0]} is out of bounds")


BREAKS = [singles, one_row_short, too_few_rows, too_many_rows, one_left_over, many_left_over, crash]
RELEASES = {
    "kanonymous": "kanonymous('t', ['a', 'b'], 3, keep := ['s'])",
    "ldiverse": "ldiverse('t', ['a', 'b'], 's', 3)",
    "exact": "ldiverse('t', ['a', 'b'], 's', 3, recode := 'none')",
    "typed": "ldiverse('t', ['a', 'b'], 's', 3, format := 'typed')",
}
READS = [
    "FROM {}",
    "SELECT group_id FROM {}",
    "SELECT a FROM {}",
    "SELECT b FROM {} LIMIT 1",
    "FROM {} LIMIT 1",
    "FROM {} LIMIT 0 OFFSET 0",
    "SELECT count(*) FROM {}",
    "SELECT max(group_id) FROM {}",
    "SELECT 1 FROM {}",
    "SELECT DISTINCT a FROM {}",
    "SELECT EXISTS (FROM {})",
    "FROM {} WHERE group_id = 1",
    "FROM {} WHERE a IS NULL",
    "SELECT a, count(*) FROM {} GROUP BY a ORDER BY 2 DESC LIMIT 1",
    "FROM {} USING SAMPLE 1 ROWS",
    "SELECT r.a FROM {} AS r JOIN t ON r.group_id = t.a LIMIT 1",
]
FREE = {"FROM {} LIMIT 0 OFFSET 0"}
"""Reads no row at all: DuckDB need not run the statement, and nothing can leak."""


@pytest.fixture(autouse=True)
def t(con: TestConnection, scratch: None) -> None:
    con.execute("RESET threads")  # as users read
    con.execute("CREATE TABLE t AS SELECT i AS a, i % 2 AS b, i % 6 AS s FROM range(60) AS r(i)")


def sabotage(monkeypatch: pytest.MonkeyPatch, kernel: Kernel) -> None:
    """Let every algorithm be this one."""
    monkeypatch.setattr(partition, "load_kernel", lambda name: kernel)
    monkeypatch.setattr(partition, "warm_up", lambda *arguments, **options: None)


def test_an_honest_kernel_passes_the_same_road(con: TestConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    sabotage(monkeypatch, lambda data, least: np.zeros(data.sensitive.size, np.int32))
    for release in RELEASES.values():
        for read in READS:
            con.execute(read.format(release)).fetchall()


@pytest.mark.parametrize("kernel", BREAKS, ids=[kernel.__name__ for kernel in BREAKS])
@pytest.mark.parametrize("name", RELEASES)
def test_a_broken_promise_is_sa901(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, kernel: Kernel, name: str
) -> None:
    sabotage(monkeypatch, kernel)
    with pytest.raises(duckdb.Error, match=r"\[SA901\].*Nothing was published.*bug in sqlanon"):
        con.execute(f"FROM {RELEASES[name]}").fetchall()


@pytest.mark.parametrize("name", ["ldiverse", "exact", "typed"])
def test_groups_that_are_large_but_not_diverse_are_sa901(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    sabotage(monkeypatch, by_value)
    with pytest.raises(duckdb.Error, match=r"\[SA901\] a sensitive value takes more than 1/3 of the rows of a group"):
        con.execute(f"FROM {RELEASES[name]}").fetchall()


@pytest.mark.parametrize("kernel", [singles, one_row_short], ids=["singles", "one_row_short"])
@pytest.mark.parametrize("read", [read for read in READS if read not in FREE])
def test_no_way_of_reading_gets_around_the_promise(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, kernel: Kernel, read: str
) -> None:
    sabotage(monkeypatch, kernel)
    for release in RELEASES.values():
        with pytest.raises(duckdb.Error, match=r"\[SA901\]"):
            con.execute(read.format(release)).fetchall()


def test_fetching_one_row_at_a_time_gives_no_row(con: TestConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    con.execute("INSERT INTO t SELECT i, i % 2, i % 6 FROM range(60, 6000) AS r(i)").fetchall()
    sabotage(monkeypatch, one_row_short)
    with pytest.raises(duckdb.Error, match=r"\[SA901\]"):
        con.execute(f"FROM {RELEASES['ldiverse']}").fetchone()


@pytest.mark.parametrize("release", RELEASES.values(), ids=RELEASES)
def test_no_table_is_left_behind(con: TestConnection, monkeypatch: pytest.MonkeyPatch, release: str) -> None:
    sabotage(monkeypatch, singles)
    with pytest.raises(duckdb.Error, match=r"\[SA901\]"):
        con.execute(f"CREATE TABLE published AS FROM {release}")
    assert con.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("t",)]


def test_a_table_that_was_there_stays_as_it_was(con: TestConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    con.execute(f"CREATE TABLE published AS FROM {RELEASES['ldiverse']}").fetchall()
    before = con.execute("FROM published").fetchall()
    sabotage(monkeypatch, one_row_short)
    for write in ("INSERT INTO published FROM {}", "CREATE OR REPLACE TABLE published AS FROM {}"):
        with pytest.raises(duckdb.Error, match=r"\[SA901\]"):
            con.execute(write.format(RELEASES["ldiverse"]))
        assert con.execute("FROM published").fetchall() == before


@pytest.mark.parametrize("form", ["parquet", "csv", "json"])
def test_no_file_with_rows_is_left_behind(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, form: str
) -> None:
    if (
        form == "json"
        and not con.execute("SELECT loaded FROM duckdb_extensions() WHERE extension_name = 'json'").fetchone()
    ):
        pytest.skip("this DuckDB comes without json")
    sabotage(monkeypatch, one_row_short)
    file = tmp_path / f"published.{form}"
    with pytest.raises(duckdb.Error, match=r"\[SA901\]"):
        con.execute(f"COPY (FROM {RELEASES['ldiverse']}) TO '{file.as_posix()}' (FORMAT {form})")
    assert not file.exists() or rows_in(con, file) == 0


def rows_in(con: TestConnection, file: Path) -> int:
    """How many rows can be read back; a file that cannot be read holds none."""
    try:
        (count,) = con.execute(f"SELECT count(*) FROM '{file.as_posix()}'").fetchall()[0]
    except duckdb.Error:
        return 0
    return int(count)


def test_a_transaction_that_ends_in_sa901_publishes_nothing(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    sabotage(monkeypatch, singles)
    con.execute("BEGIN")
    with pytest.raises(duckdb.Error, match=r"\[SA901\]"):
        con.execute(f"CREATE TABLE published AS FROM {RELEASES['kanonymous']}")
    try:
        con.execute("COMMIT")
    except duckdb.Error:
        con.execute("ROLLBACK")
    assert con.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("t",)]


def test_what_a_crashing_kernel_says_is_not_passed_on(con: TestConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    sabotage(monkeypatch, crash)
    with pytest.raises(duckdb.Error, match=r"\[SA901\] IndexError") as caught:
        con.execute(f"FROM {RELEASES['ldiverse']}").fetchall()
    assert "out of bounds" not in str(caught.value)
