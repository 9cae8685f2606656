"""The made-up census of 68 columns: its shape, its seed, and that SQL and Python give the same rows."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from connections import TestConnection
from sqlanon.udfs.synthetic.blocks import BLOCK_ROWS, BLOCKS_PER_CALL
from sqlanon.udfs.wide_census import CHAIN, NAMES, SIZES, wide_census_blocks

from sqlanon import datasets
from sqlanon.errors import InvalidParameter


@pytest.fixture(scope="module")
def people() -> pa.Table:
    return datasets.wide_census(50_000)


def codes(people: pa.Table, column: int) -> np.ndarray:
    return people.column(column).to_numpy()


def dependence(people: pa.Table, first: int, second: int) -> float:
    """Half the L1 distance of a cross tabulation from that of independent columns."""
    table = np.zeros((SIZES[first], SIZES[second]))
    np.add.at(table, (codes(people, first), codes(people, second)), 1 / people.num_rows)
    return float(np.abs(table - np.outer(table.sum(axis=1), table.sum(axis=0))).sum() / 2)


def test_there_are_68_columns_of_2_to_18_values() -> None:
    assert (len(SIZES), min(SIZES), max(SIZES)) == (68, 2, 18)
    assert NAMES[0] == "c01"
    assert NAMES[-1] == "c68"


def test_every_column_has_all_values_of_its_domain(people: pa.Table) -> None:
    assert people.column_names == list(NAMES)
    assert set(people.schema.types) == {pa.uint8()}
    for column, size in enumerate(SIZES):
        assert np.unique(codes(people, column)).tolist() == list(range(size))


def test_some_columns_are_nearly_level_and_in_others_one_value_dominates(people: pa.Table) -> None:
    # the share of the most frequent value, times the number of values: 1 if all are as frequent
    tops = [np.bincount(codes(people, column)).max() / people.num_rows * size for column, size in enumerate(SIZES)]
    assert min(tops) < 1.5
    assert max(tops) > 4


def test_neighbours_go_together_and_chains_a_little(people: pa.Table) -> None:
    within = [dependence(people, column, column + 1) for column in range(len(SIZES) - 1) if (column + 1) % CHAIN]
    across = [dependence(people, column, column + CHAIN) for column in range(0, len(SIZES) - CHAIN, CHAIN)]
    assert min(within) > 0.02
    assert np.median(within) > 0.1
    assert 0.02 < np.median(across) < np.median(within)


@pytest.mark.parametrize("rows", [0, 1, BLOCK_ROWS, 2049])
def test_sql_equals_python_and_a_longer_census_starts_with_a_shorter_one(
    con: TestConnection, people: pa.Table, rows: int
) -> None:
    result = con.sql(f"FROM wide_census({rows})")
    assert result.columns == list(NAMES)
    shown = [tuple(row.values()) for row in people.slice(0, rows).to_pylist()]
    assert result.fetchall() == shown
    assert datasets.wide_census(rows).equals(people.slice(0, rows))


def test_the_seed_decides() -> None:
    assert datasets.wide_census(1000, seed=7).equals(datasets.wide_census(1000, seed=7))
    assert not datasets.wide_census(1000, seed=7).equals(datasets.wide_census(1000, seed=8))
    assert not wide_census_blocks([(0, BLOCK_ROWS, 0)]).equals(wide_census_blocks([(1, BLOCK_ROWS, 0)]))


def test_the_people_of_a_seed_stay_the_same_across_versions() -> None:
    [row] = datasets.wide_census(1, seed=0).to_pylist()
    assert list(row.values())[:12] == [0, 1, 1, 0, 0, 1, 1, 0, 11, 6, 1, 0]


def test_sql_spans_several_calls(con: TestConnection) -> None:
    rows = BLOCK_ROWS * BLOCKS_PER_CALL + 1
    assert con.sql(f"SELECT count(*), count(c68) FROM wide_census({rows})").fetchall() == [(rows, rows)]


@pytest.mark.parametrize(("rows", "seed"), [(-1, 0), (10, -1), (0, -1)])
def test_negative_arguments_are_refused(rows: int, seed: int) -> None:
    with pytest.raises(InvalidParameter, match=r"\[SA102\] .*wide_census"):
        datasets.wide_census(rows, seed)


@pytest.mark.parametrize("arguments", ["-1", "NULL", "'many'", "10, seed := -1", "10, seed := NULL", "0, seed := -1"])
def test_sql_refuses_what_is_not_a_number(con: TestConnection, arguments: str) -> None:
    with pytest.raises(duckdb.Error, match=r"\[SA102\] (rows|seed) of wide_census"):
        con.sql(f"FROM wide_census({arguments})").fetchall()
