"""A column without a taxonomy gets one: bins of equal width if it has an order, else the flat tree."""

from __future__ import annotations

from fractions import Fraction

import pytest
from connections import TestConnection
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp
from thorough import examples

from sqlanon.statement.template import identifier, query, with_steps
from sqlanon.statement.writer import write_statement
from sqlanon.taxonomies.automatic import automatic_paths


def automatic(con: TestConnection, values: str, bins: int) -> list[list[str]]:
    """The paths for a list of values, in the order of these."""
    con.execute(f"CREATE OR REPLACE TABLE listed AS SELECT unnest({values}) AS x")
    source = exp.select(exp.alias_(exp.column(identifier("x")), "qi_1")).from_(exp.Table(this=identifier("listed")))
    statement = with_steps(query("SELECT path FROM paths"), {"source": source, "paths": automatic_paths("qi_1", bins)})
    ordered = con.rows("SELECT CAST(x AS VARCHAR) FROM listed WHERE NOT x IS NULL GROUP BY x ORDER BY x")
    path_of = {path[0]: path for (path,) in con.rows(write_statement(statement))}
    assert sorted(path_of) == sorted(text for (text,) in ordered)
    return [path_of[text] for (text,) in ordered]


def test_bins_are_halved_up_to_the_root(con: TestConnection) -> None:
    assert automatic(con, "[0, 1, 2, 3, NULL, 3]", 4) == [
        ["0", "0", "[0, 1]", "*"],
        ["1", "1", "[0, 1]", "*"],
        ["2", "2", "[2, 3]", "*"],
        ["3", "3", "[2, 3]", "*"],
    ]


def test_bins_are_as_wide_as_each_other_and_empty_ones_vanish(con: TestConnection) -> None:
    assert automatic(con, "[1, 2, 3, 90, 100]", 4) == [
        ["1", "[1, 3]", "[1, 3]", "*"],
        ["2", "[1, 3]", "[1, 3]", "*"],
        ["3", "[1, 3]", "[1, 3]", "*"],
        ["90", "[90, 100]", "[90, 100]", "*"],
        ["100", "[90, 100]", "[90, 100]", "*"],
    ]


@pytest.mark.parametrize(
    "values",
    [
        "[1::TINYINT, 9]",
        "[1::HUGEINT, 170141183460469231731687303715884105727]",
        "[1.25::DECIMAL(38, 2), 9]",
        "[DATE '2024-01-01', DATE '2024-02-01']",
        "[TIME '01:00:00', TIME '02:00:00']",
        "[TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-02-01 00:00:00']",
        "[TIMESTAMPTZ '2024-01-01 00:00:00+00', TIMESTAMPTZ '2024-02-01 00:00:00+00']",
        "[INTERVAL 1 DAY, INTERVAL 1 MONTH]",
    ],
)
def test_every_type_with_an_order_has_bins(con: TestConnection, values: str) -> None:
    low, high = automatic(con, values, 2)
    assert (low, high) == ([low[0], low[0], "*"], [high[0], high[0], "*"])


@pytest.mark.parametrize("values", ["['b', 'a', '*']", "[TRUE, FALSE]", "['b', 'a']::ENUM('b', 'a')[]", "[[1], [2]]"])
def test_other_types_are_flat(con: TestConnection, values: str) -> None:
    paths = automatic(con, values, 16)
    assert len(paths) >= 2
    assert all(path == [path[0], "*"] for path in paths)


def test_no_bins_are_the_flat_tree(con: TestConnection) -> None:
    assert automatic(con, "[1, 2]", 0) == [["1", "*"], ["2", "*"]]


def test_no_values_have_no_paths(con: TestConnection) -> None:
    assert automatic(con, "[]::INTEGER[]", 16) == automatic(con, "[NULL]::DOUBLE[]", 16) == []


def test_infinity_and_nan_are_in_the_outer_bins(con: TestConnection) -> None:
    assert automatic(con, "['-inf', '0', '10', 'inf', 'nan']::DOUBLE[]", 2) == [
        ["-inf", "[-inf, 0.0]", "*"],
        ["0.0", "[-inf, 0.0]", "*"],
        ["10.0", "[10.0, nan]", "*"],
        ["inf", "[10.0, nan]", "*"],
        ["nan", "[10.0, nan]", "*"],
    ]
    assert [path[1] for path in automatic(con, "['-inf', 'inf']::DOUBLE[]", 2)] == ["-inf", "inf"]


def test_the_widest_axis_does_not_overflow(con: TestConnection) -> None:
    paths = automatic(con, "[-1.7e308, -1.6e308, 1.6e308, 1.7e308]::DOUBLE[]", 4)
    assert [path[2] for path in paths] == ["[-1.7e+308, -1.6e+308]"] * 2 + ["[1.6e+308, 1.7e+308]"] * 2
    assert [path[0] for path in automatic(con, "[0, 5e-324, 1e-323]::DOUBLE[]", 4)] == ["0.0", "5e-324", "1e-323"]


@settings(max_examples=examples(100))
@given(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=30), st.integers(2, 70))
def test_whole_numbers_are_in_the_bin_that_exact_fractions_say(
    con: TestConnection, values: list[int], bins: int
) -> None:
    values = sorted(set(values))
    low, high = values[0], values[-1]
    bins_of = [min(int(Fraction((value - low) * bins, max(high - low, 1))), bins - 1) for value in values]
    paths = automatic(con, f"{values}::BIGINT[]", bins)
    levels = (bins - 1).bit_length()
    for value, i, path in zip(values, bins_of, paths, strict=True):
        labels = [str(value)]
        for level in range(levels):
            together = [other for other, its in zip(values, bins_of, strict=True) if its >> level == i >> level]
            single = together[0] == together[-1]
            labels.append(str(together[0]) if single else f"[{together[0]}, {together[-1]}]")
        assert path == [*labels, "*"]
