"""The kernels of count queries against their twin, and what is read from a release on the way to them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.measure import count_queries as kernels
from sqlanon.udfs.measuring.literals import key_reader
from sqlanon.udfs.measuring.workload import Attribute, draw_query
from twins import count_queries as twin

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
def test_the_keys_of_a_type_sort_as_its_values(type_name: str, ascending: list[str]) -> None:
    keys = [key_reader(type_name)(text, False) for text in ascending]
    assert all(left < right for left, right in pairwise(keys))


@pytest.mark.parametrize(
    ("type_name", "text", "bare"),
    [
        ("INTEGER", "3.7", False),
        ("INTEGER", "nan", False),
        ("DECIMAL(4,1)", "0.15", False),
        ("FLOAT", "1e-1", True),
        ("DATE", "2023-02-29", False),
        ("DATE", "2023-02-28 10:00:00", False),
        ("DATE", "20230228", True),
        ("TIMESTAMP", "2023-02-28 10:00:00+01", False),
        ("TIMESTAMP WITH TIME ZONE", "2023-02-28 10:00:00", False),
        ("BOOLEAN", "maybe", False),
        ("VARCHAR", "4711", True),
        ("INTERVAL", "1 day", False),
    ],
)
def test_a_text_that_duckdb_would_read_in_another_way_is_not_read(type_name: str, text: str, bare: bool) -> None:
    with pytest.raises(ValueError):
        key_reader(type_name)(text, bare)
