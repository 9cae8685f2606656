"""Random tables, and what a group of rows must publish, recounted in plain Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import duckdb
from connections import Row, TestConnection
from hypothesis import settings
from hypothesis import strategies as st
from thorough import examples

Rows = list[Row]
few = settings(max_examples=examples(40), deadline=None, database=None)
TYPES = {"id": "INTEGER", "num": "BIGINT", "cat": "VARCHAR", "sa": "SMALLINT"}
COLUMNS = list(TYPES)


def release(con: TestConnection | duckdb.DuckDBPyConnection, sql: str) -> Rows:
    rows: Rows = con.execute(sql).fetchall()
    return rows


def by_group(released: Rows) -> dict[int, Rows]:
    grouped: dict[int, Rows] = defaultdict(list)
    for row in released:
        grouped[row[0]].append(row)
    return dict(grouped)


def range_of(values: Sequence[int | None]) -> str | None:
    """The cell of a group for a number."""
    present = [value for value in values if value is not None]
    if not present:
        return None
    if len(present) < len(values):
        return "*"
    low, high = min(present), max(present)
    return str(low) if low == high else f"[{low}, {high}]"


def star_of(values: Sequence[object]) -> object:
    """The cell of a group for a category, and for anything with recode 'suppress'."""
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
sensitive = st.one_of(st.none(), st.integers(0, 4))


@st.composite
def tables(draw: st.DrawFn, smallest: int = 2) -> Rows:
    rows = draw(st.lists(st.tuples(numbers, categories, sensitive), min_size=smallest, max_size=40))
    return [(i, *row) for i, row in enumerate(rows)]
