"""Taxonomies that are made from random data: trees with a leaf for every value, which every function can use."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from datetime import date, datetime, timedelta

import pytest
from connections import TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

Path = tuple[str, ...]
few = settings(max_examples=examples(40))

INTEGERS = st.lists(st.one_of(st.none(), st.integers(-1000, 1000)), max_size=30)
DOUBLES = st.lists(st.floats(allow_nan=False) | st.just(math.nan), min_size=1, max_size=30)
"""NaN with a sign left out: DuckDB 2.0.0 writes it in two ways, -nan and, in a DISTINCT, with a zero byte in it."""
CODES = st.lists(st.text(st.sampled_from("01A.äß"), max_size=7), min_size=1, max_size=20)


def assert_tree(con: TestConnection, made: str, col: str = "x") -> list[Path]:
    """The rows of a taxonomy that has a leaf for every value of t, once, and one root; subtrees are together."""
    rows: list[Path] = con.rows(f"FROM {made}")
    values = con.rows(f"SELECT DISTINCT CAST({col} AS VARCHAR) FROM t WHERE NOT {col} IS NULL")
    assert sorted(row[0] for row in rows) == sorted(value for (value,) in values)
    for level in range(1, len(rows[0]) if rows else 0):
        parents = defaultdict(set)
        for row in rows:
            parents[row[level - 1]].add(row[level])
        assert all(len(above) == 1 for above in parents.values())
        labels = [row[level] for row in rows]
        runs = [label for number, label in enumerate(labels) if number == 0 or labels[number - 1] != label]
        assert len(runs) == len(set(runs))
    assert not rows or {row[-1] for row in rows} == {"*"}
    quoted = made.replace("'", "''")
    assert con.rows(f"FROM check_taxonomy('{quoted}', 't', '{col}')") == ([] if rows else EMPTY)
    return rows


EMPTY = [("the taxonomy is empty", None, 0)]


@few
@given(INTEGERS, st.integers(1, 40), st.sampled_from(["width", "frequency"]))
def test_bins_of_whole_numbers_are_a_tree(
    con: TestConnection, values: list[int | None], bins: int, method: str
) -> None:
    store(con, "t", {"x": "BIGINT"}, [(value,) for value in values])
    rows = assert_tree(con, f"numeric_taxonomy('t', 'x', bins := {bins}, method := '{method}')")
    assert all(len(row) == (bins - 1).bit_length() + 2 for row in rows)
    assert len({row[1] for row in rows}) <= bins
    assert all(
        len({row[level] for row in rows}) <= -(-bins // 2 ** (level - 1)) for level in range(1, bins.bit_length())
    )


@few
@given(DOUBLES, st.integers(2, 20), st.sampled_from(["width", "frequency"]))
def test_bins_of_any_doubles_are_a_tree(con: TestConnection, values: list[float], bins: int, method: str) -> None:
    store(con, "t", {"x": "DOUBLE"}, [(value + 0.0,) for value in values])  # −0.0 and 0.0 are one value
    rows = assert_tree(con, f"numeric_taxonomy('t', 'x', bins := {bins}, method := '{method}')")
    assert len({row[1] for row in rows}) <= bins


def test_a_value_just_below_the_end_is_in_the_last_bin(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT unnest(['0', '0.9999999999999999', '1']::DOUBLE[]) AS x")
    rows = con.rows("FROM numeric_taxonomy('t', 'x', bins := 3)")
    assert [row[1] for row in rows] == ["0.0", *["[0.9999999999999999, 1.0]"] * 2]


@few
@given(INTEGERS, st.lists(st.integers(-1100, 1100), min_size=1, max_size=9, unique=True))
def test_cuts_part_whole_numbers_as_they_say(con: TestConnection, values: list[int | None], cuts: list[int]) -> None:
    store(con, "t", {"x": "BIGINT"}, [(value,) for value in values])
    rows = assert_tree(con, f"numeric_taxonomy('t', 'x', cuts := {cuts})")
    bins = defaultdict(set)
    for row in rows:
        bins[row[1]].add(sum(cut <= int(row[0]) for cut in cuts))
    assert all(len(numbers) == 1 for numbers in bins.values())
    assert len({number for numbers in bins.values() for number in numbers}) == len(bins)


@few
@given(st.lists(st.integers(0, 10**6), min_size=8, max_size=60, unique=True), st.integers(2, 8))
def test_bins_of_equal_frequency_differ_by_one_row_if_all_values_do(
    con: TestConnection, values: list[int], bins: int
) -> None:
    store(con, "t", {"x": "BIGINT"}, [(value,) for value in values])
    sizes = Counter(
        row[1] for row in con.rows(f"FROM numeric_taxonomy('t', 'x', bins := {bins}, method := 'frequency')")
    )
    assert len(sizes) == bins
    assert max(sizes.values()) - min(sizes.values()) <= 1


def prefix_path(code: str, codes: set[str], levels: int) -> Path:
    """The path that prefix_taxonomy has for a code, in other words."""
    width = max(map(len, codes))
    labels = [code]
    for level in range(1, levels + 1):
        kept = levels - level if width <= levels else width * (levels - level) // levels
        others = [other for other in codes if other != code and other.startswith(code)]
        if kept == 0:
            labels.append("*")
        elif len(code) < kept or (len(code) == kept and not others):
            labels.append(code)
        else:
            labels.append(code[:kept] + "*" * (width - kept))
    return tuple(labels)


@few
@given(CODES, st.integers(1, 9))
def test_prefixes_are_a_tree(con: TestConnection, codes: list[str], levels: int) -> None:
    store(con, "t", {"x": "VARCHAR"}, [(code,) for code in codes])
    rows = assert_tree(con, f"prefix_taxonomy('t', 'x', levels := {levels})")
    assert rows == [prefix_path(row[0], set(codes), levels) for row in rows]


@few
@given(st.lists(st.one_of(st.none(), st.dates()), min_size=1, max_size=20))
def test_dates_are_a_tree(con: TestConnection, days: list[date | None]) -> None:
    store(con, "t", {"x": "DATE"}, [(day,) for day in days])
    for row in assert_tree(con, "date_taxonomy('t', 'x')"):
        day = date.fromisoformat(row[0])
        year = f"{day.year:04}"
        quarter = f"{year}-Q{(day.month + 2) // 3}"
        assert row[1:] == (f"{year}-{day.month:02}", quarter, year, f"{year[:3]}0s", "*")


@few
@given(st.lists(st.datetimes(), min_size=1, max_size=20))
def test_timestamps_are_a_tree(con: TestConnection, moments: list[datetime]) -> None:
    store(con, "t", {"x": "TIMESTAMP"}, [(moment,) for moment in moments])
    for row in assert_tree(con, "date_taxonomy('t', 'x')"):
        assert row[1] == row[0][:10]
        assert row[2] == row[0][:7]


@st.composite
def forests(draw: st.DrawFn) -> list[tuple[str, str | None]]:
    """Edges of a forest: the parent of a node, if it has one, came before it."""
    size = draw(st.integers(1, 15))
    parents = [draw(st.one_of(st.none(), st.integers(0, max(0, node - 1)))) if node else None for node in range(size)]
    return [(f"n{node}", None if parent is None else f"n{parent}") for node, parent in enumerate(parents)]


def climb(edges: list[tuple[str, str | None]]) -> list[list[str]]:
    """The paths of the leaves of a forest to its roots."""
    parent_of = dict(edges)
    paths = []
    for leaf in parent_of.keys() - set(parent_of.values()):
        path = [leaf]
        while (above := parent_of[path[-1]]) is not None:
            path.append(above)
        paths.append(path)
    return paths


@few
@given(forests(), st.randoms(use_true_random=False))
def test_edges_of_a_forest_are_a_tree(con: TestConnection, edges: list[tuple[str, str | None]], random: object) -> None:
    random.shuffle(edges)  # type: ignore[attr-defined]
    store(con, "edges", {"child": "VARCHAR", "parent": "VARCHAR"}, edges)
    paths = climb(edges)
    if len({path[-1] for path in paths}) > 1:
        paths = [[*path, "*"] for path in paths]
    length = max(2, *(len(path) for path in paths), 2)
    expected = [(path[0],) * (length - len(path)) + tuple(path) for path in paths]
    made = f"edge_taxonomy('edges', 'child', 'parent', levels := {length - 1})"
    assert sorted(con.rows(f"FROM {made}")) == sorted(expected)
    con.execute(f"CREATE OR REPLACE TABLE t AS SELECT leaf AS x FROM {made}")
    quoted = made.replace("'", "''")
    assert con.rows(f"FROM check_taxonomy('{quoted}', 't', 'x')") == []
    if length > 2:
        refused = con.refusal(f"FROM edge_taxonomy('edges', 'child', 'parent', levels := {length - 2})")
        assert f"[SA102] levels = {length - 2}, but there are {length - 1} levels" in refused


@few
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=10))
def test_any_edges_are_a_tree_or_refused(con: TestConnection, edges: list[tuple[int, int]]) -> None:
    store(con, "edges", {"child": "INTEGER", "parent": "INTEGER"}, edges)
    parents = defaultdict(set)
    for child, parent in edges:
        parents[child].add(parent)
    if any(len(above) > 1 for above in parents.values()):
        assert "a child has two parents" in con.refusal("FROM edge_taxonomy('edges', 'child', 'parent', levels := 9)")
    elif any(goes_round(child, parents) for child in parents):
        assert "round in a circle" in con.refusal("FROM edge_taxonomy('edges', 'child', 'parent', levels := 9)")
    else:
        rows = con.rows("FROM edge_taxonomy('edges', 'child', 'parent', levels := 9)")
        above = {parent for (parent,) in parents.values()}
        assert {row[0] for row in rows} == {str(child) for child in parents if child not in above}


def goes_round(node: int, parents: dict[int, set[int]]) -> bool:
    """Whether climbing from a node never ends."""
    for _ in range(len(parents) + 1):
        if node not in parents:
            return False
        (node,) = parents[node]
    return True


@settings(max_examples=examples(20))
@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 999)), min_size=6, max_size=40))
def test_releases_take_what_is_made(con: TestConnection, people: list[tuple[int, int]]) -> None:
    rows = [(age, f"{code:03}", date(2020, 1, 1) + timedelta(days=code)) for age, code in people]
    store(con, "t", {"age": "INTEGER", "zip": "VARCHAR", "seen": "DATE"}, rows)
    taxonomy = (
        "{'age': 'numeric_taxonomy(''t'', ''age'', bins := 4)', 'zip': 'prefix_taxonomy(''t'', ''zip'', levels := 3)',"
        " 'seen': 'date_taxonomy(''t'', ''seen'')'}"
    )
    released = con.rows(f"FROM kanonymous('t', ['age', 'zip', 'seen'], 2, taxonomy := {taxonomy})")
    assert len(released) == len(people)
    for number, made in (
        (1, "numeric_taxonomy('t', 'age', bins := 4)"),
        (2, "prefix_taxonomy('t', 'zip', levels := 3)"),
        (3, "date_taxonomy('t', 'seen')"),
    ):
        labels = {label for row in con.rows(f"FROM {made}") for label in row}
        assert {row[number] for row in released} <= labels


@pytest.mark.parametrize("threads", [1, 4])
def test_rows_come_in_order_whatever_the_number_of_threads(con: TestConnection, threads: int) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT i * 7919 % 10007 AS x FROM range(10000) AS r(i)")
    con.execute(f"SET threads = {threads}")
    leaves = [int(leaf) for (leaf,) in con.rows("SELECT leaf FROM numeric_taxonomy('t', 'x', bins := 64)")]
    con.execute("SET threads = 1")
    assert leaves == sorted(leaves)
