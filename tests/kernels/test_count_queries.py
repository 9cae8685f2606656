"""The kernels of count queries against their twin, and what is read from a release on the way to them."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.measure import count_queries as kernels
from sqlanon.udfs.measuring.predicates import Reader
from sqlanon.udfs.measuring.workload import Attribute, draw_query
from twins import count_queries as twin

from sqlanon.errors import InvalidParameter

from .tables import quickly

SIZES = (4, 1, 7)
FIRST = np.concatenate([[0], np.cumsum(SIZES)]).astype(np.int64)

queries = st.fixed_dictionaries({}, optional={c: st.sets(st.integers(0, size - 1)) for c, size in enumerate(SIZES)})
rows = st.lists(st.tuples(*(st.integers(0, size - 1) for size in SIZES)), max_size=20)
intervals = [st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).map(sorted).map(tuple) for size in SIZES]
cell = [st.lists(each, min_size=1, max_size=3) for each in intervals]
classes = st.lists(
    st.builds(twin.Class, st.tuples(*cell), st.dictionaries(st.integers(0, 2), st.integers(1, 9), min_size=1)),
    max_size=6,
)


def flags(query: twin.Query) -> tuple[np.ndarray, np.ndarray]:
    wanted = np.zeros(FIRST[-1], np.uint8)
    for column, codes in query.items():
        for code in codes:
            wanted[FIRST[column] + code] = 1
    return np.array(list(query), np.int64), wanted


@quickly
@given(rows, queries, st.integers(1, 3))
def test_the_rows_counted_are_those_that_satisfy_the_query(
    found: list[tuple[int, ...]], query: twin.Query, weight: int
) -> None:
    codes = np.array(found, np.int32).reshape(-1, len(SIZES)).T.copy()
    weights = np.full(len(found), weight, np.int64)
    assert kernels.count_rows(codes, weights, *flags(query), FIRST) == weight * twin.count_rows(found, query)


def test_rows_beyond_one_block_are_counted_too() -> None:
    size = 2 * kernels.BLOCK + 5
    codes = np.zeros((len(SIZES), size), np.int32)
    codes[0] = np.arange(size) % 4
    counted = kernels.count_rows(codes, np.ones(size, np.int64), *flags({0: {1, 3}, 2: {0}}), FIRST)
    assert counted == sum(i % 4 in (1, 3) for i in range(size))


@quickly
@given(classes, queries, st.sets(st.integers(0, 2)))
def test_a_class_counts_for_the_share_of_its_values_that_is_wanted(
    found: list[twin.Class], query: twin.Query, secret: set[int]
) -> None:
    asked, wanted = flags(query)
    held = [(value, number) for one in found for value, number in sorted(one.held.items())]
    # a cell of its own for each class and column, then one for each of three sensitive values
    numbered = enumerate(one.cells[c] for c in range(len(SIZES)) for one in found)
    parts = [(number, *ends, 1 / len(cell)) for number, cell in numbered for ends in cell]
    number, low, high, weight = map(np.array, zip(*parts, strict=True)) if parts else [np.empty(0)] * 4
    lengths = [sum(len(one.cells[c]) for one in found) for c in range(len(SIZES))]
    sensitive = len(SIZES) * len(found)
    share = np.array([0.0] * sensitive + [float(value in secret) for value in range(3)])
    kernels.fill_shares(
        asked,
        wanted,
        FIRST,
        np.cumsum([0, *lengths], dtype=np.int64),
        *(line.astype(np.int32) for line in (number, low, high)),
        weight.astype(np.float64),
        share,
    )
    estimate = kernels.estimate_rows(
        np.arange(sensitive, dtype=np.int32).reshape(len(SIZES), len(found)),
        asked,
        share,
        np.cumsum([0, *(len(one.held) for one in found)], dtype=np.int64),
        np.array([sensitive + value for value, _ in held], np.int32),
        np.array([number for _, number in held], np.int64),
    )
    assert estimate == pytest.approx(float(twin.estimate_rows(found, query, secret)))


def attribute(labels: list[str | None], type_name: str = "VARCHAR", measured: bool = False) -> Attribute:
    return Attribute("sa", type_name, measured, False, labels, np.arange(len(labels)))


def test_more_values_than_one_would_list_become_a_run_where_the_type_has_an_order() -> None:
    many: list[str | None] = [f"{i:05}" for i in range(5000)]
    for type_name, way in [("VARCHAR", " BETWEEN "), ("BOOLEAN", " IN (")]:
        query = draw_query([attribute(many, type_name)], 1, 0.5, np.random.Generator(np.random.PCG64(0)))
        assert way in query.predicate
        assert query.wanted[0].sum() == 2500


@pytest.mark.parametrize(
    ("type_name", "ascending"),
    [
        ("INTEGER", ["-3", "0", "12"]),
        ("DECIMAL(18,3)", ["-0.500", "0.100", "0.101"]),
        ("HUGEINT", ["-170141183460469231731687303715884105728", "9007199254740992", "9007199254740993"]),
        ("DOUBLE", ["-inf", "-1.5", "1e-300", "2.0", "inf", "nan"]),
        ("FLOAT", ["0.1", "0.2"]),
        ("DATE", ["-infinity", "0044-03-15 (BC)", "0001-01-01", "2023-12-31", "2024-02-29", "12024-01-01", "infinity"]),
        ("TIMESTAMP", ["1999-12-31 23:59:59.999999", "2000-01-01 00:00:00", "2000-01-01 00:00:00.1"]),
        ("TIMESTAMP WITH TIME ZONE", ["2024-01-01 01:00:00+02", "2024-01-01 00:30:00+01", "2023-12-31 20:00:00-04:30"]),
        ("TIME", ["00:00:00", "09:30:00", "09:30:00.000001", "24:00:00"]),
        ("BOOLEAN", ["false", "true"]),
        ("VARCHAR", ["", "B", "a", "é"]),
    ],
)
def test_values_sort_as_duckdb_sorts_them(type_name: str, ascending: list[str]) -> None:
    shuffled = [*ascending[::2], None, *ascending[1::2]]
    for position, text in enumerate(ascending):
        assert select(shuffled, type_name, f"x < {quote(text)}") == set(ascending[:position])
        assert select(shuffled, type_name, f"x >= {quote(text)}") == set(ascending[position:])
        assert select(shuffled, type_name, f"x = {quote(text)}") == {text}


@pytest.mark.parametrize(
    ("type_name", "labels", "condition", "expected"),
    [
        ("INTEGER", ["3", "4"], "x = '3.7'", {"4"}),
        ("DECIMAL(4,1)", ["0.1", "0.2"], "x = '0.15'", {"0.2"}),
        ("FLOAT", ["0.1", "0.5"], "x = 1e-1", set()),
        ("FLOAT", ["0.1", "0.5"], "x = 0.1", {"0.1"}),
        ("DATE", ["2023-02-27", "2023-02-28"], "x >= '2023-02-28 10:00:00'", {"2023-02-28"}),
        ("DATE", ["2023-02-27", "2023-02-28"], "x > TIMESTAMP '2023-02-27 10:00:00'", {"2023-02-28"}),
        ("TIMESTAMP", ["2023-02-28 10:00:00"], "x = '2023-02-28 10:00:00+01'", {"2023-02-28 10:00:00"}),
        ("VARCHAR", ["4711", "04711", "12"], "x = 4711", {"4711", "04711"}),
        ("VARCHAR", ["2", "02"], "x = 2 OR x = '2'", {"2", "02"}),
        ("VARCHAR", ["1", "01", "2", "02"], "x = 1 OR x = '2'", {"1", "01", "2"}),
        ("VARCHAR", ["1", "01", "2", "02"], "x IN (1, '2')", {"1", "01", "2", "02"}),
        ("INTEGER", ["5"], "x = '5.4'", {"5"}),
        ("INTEGER", ["5"], "x IN ('5.4', 4.5)", set()),
        ("INTERVAL", ["1 month", "40 days"], "x > '30 days'", {"40 days"}),
        ("BOOLEAN", ["false", "true"], "x = 1", {"true"}),
        ("ENUM('10', '9')", ["10", "9"], "x = 9", {"9"}),
        ("ENUM('10', '9')", ["10", "9"], "x > '10'", {"9"}),
    ],
)
def test_constants_of_other_types_mean_what_they_mean_in_duckdb(
    type_name: str, labels: list[str], condition: str, expected: set[str]
) -> None:
    """A Python imitation of DuckDB's literals refused most of these."""
    assert select([*labels, None], type_name, condition) == expected
    rows = ", ".join(f"(CAST({quote(label)} AS {type_name}))" for label in labels)
    found = duckdb.sql(f"SELECT CAST(x AS VARCHAR) FROM (VALUES {rows}) AS t(x) WHERE {condition}").fetchall()
    assert {text for (text,) in found} == expected


@pytest.mark.parametrize(
    ("type_name", "label", "condition"),
    [
        ("INTEGER", "1", "x = 'nan'"),
        ("INTEGER", "1", "x = 'many'"),
        ("INTEGER", "1", "x = TRUE"),
        ("INTEGER", "1", "x"),
        ("INTEGER", "1", "x = DATE '2023-02-28'"),
        ("DATE", "2023-02-28", "x = '2023-02-29'"),
        ("DATE", "2023-02-28", "x = 20230228"),
        ("DATE", "2023-02-28", "x < TIMESTAMPTZ '2023-02-28 10:00:00+00'"),
        ("TIMESTAMP", "2023-02-28 10:00:00", "x < TIMESTAMPTZ '2023-02-28 10:00:00+00'"),
        ("VARCHAR", "2023-02-28 10:00:00", "x < TIMESTAMPTZ '2023-02-28 10:00:00+00'"),
        ("TIMESTAMP WITH TIME ZONE", "2023-02-28 10:00:00+00", "x = '2023-02-28 10:00:00'"),
        ("TIMESTAMP WITH TIME ZONE", "2023-02-28 10:00:00+00", "x = TIMESTAMPTZ '2023-02-28 10:00:00'"),
        ("TIMESTAMP WITH TIME ZONE", "2023-02-28 10:00:00+00", "x IN ('infinity', '2023-02-28')"),
        ("TIMESTAMP WITH TIME ZONE", "2023-02-28 10:00:00+00", "x > DATE '2023-02-28'"),
        ("TIMESTAMP WITH TIME ZONE", "2023-02-28 10:00:00+00", "x > TIMESTAMP '2023-02-28 10:00:00'"),
        ("BOOLEAN", "true", "x = 'maybe'"),
        ("VARCHAR", "m", "x = 4711"),
        ("VARCHAR", "m", "x = TRUE"),
        ("VARCHAR", "12", "x > 9"),
        ("VARCHAR", "12", "x BETWEEN '1' AND 3"),
        ("UUID", "00000000-0000-0000-0000-000000000001", "x = '1'"),
        ("TIMESTAMP", "2023-02-28 10:00:00", "x = TIMESTAMP(3) '2023-02-28 10:00:00'"),
    ],
)
def test_a_constant_that_duckdb_does_not_compare_or_only_a_session_can_read_is_refused(
    type_name: str, label: str, condition: str
) -> None:
    with pytest.raises(InvalidParameter) as raised:
        select([label, None], type_name, condition)
    assert not any(word in str(raised.value) for word in ("2023", "4711", "many", "maybe"))


def test_a_constant_is_read_even_if_there_is_no_value_to_compare_it_with() -> None:
    with pytest.raises(InvalidParameter):
        select([], "INTEGER", "x = 'many'")
    assert select([], "INTEGER", "x IS NULL") == set()


def test_a_leaf_that_the_columns_type_cannot_hold_equals_nothing_and_is_not_null() -> None:
    labels = ["1", "ground", None]
    assert select(labels, "INTEGER", "x = 1") == {"1"}
    assert select(labels, "INTEGER", "x <> 1") == {"ground"}
    assert select(labels, "INTEGER", "NOT (x > 0 OR x IS NULL)") == {"ground"}
    assert select(labels, "INTEGER", "x IS NULL") == {None}


def select(labels: list[str | None], type_name: str, condition: str) -> set[str | None]:
    """The values of a column, x, that satisfy a condition."""
    with Reader([Attribute("x", type_name, False, False, labels, np.arange(len(labels)))]) as reader:
        wanted = reader.read(condition, 1).wanted[0]
    return {label for label, flag in zip(labels, wanted, strict=True) if flag}


def quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
