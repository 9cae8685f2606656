"""The loss (NCP) of an extent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.loss import extent_loss
from twins import naive

from .tables import code_count, columns, quickly, space_of

COUNTRIES = tuple(
    (country, continent, "World")
    for continent, countries in (("America", ("Canada", "US")), ("Europe", ("France", "Italy", "Spain")))
    for country in countries
)


@quickly
@given(st.lists(columns, min_size=1, max_size=3))
def test_every_extent_loses_what_the_twin_says(described: list[naive.Column]) -> None:
    space = space_of(described)
    for c, column in enumerate(described):
        size = code_count(column)
        for low in range(size):
            for high in range(low, size):
                expected = naive.ncp(column, range(low, high + 1))
                assert extent_loss(space, c, low, high) == pytest.approx(expected, abs=1e-15)


@quickly
@given(columns, st.data())
def test_a_wider_extent_never_loses_less(column: naive.Column, data: st.DataObject) -> None:
    space = space_of([column])
    code = st.integers(0, code_count(column) - 1)
    low, inner_low, inner_high, high = sorted(data.draw(st.tuples(code, code, code, code)))
    assert extent_loss(space, 0, inner_low, inner_high) <= extent_loss(space, 0, low, high) <= 1.0


@pytest.mark.parametrize(
    ("low", "high", "loss"),
    [("France", "Italy", 3 / 5), ("US", "Spain", 1.0), ("Canada", "US", 2 / 5), ("Italy", "Italy", 0.0)],
)
def test_countries_lose_what_figure_11_says(low: str, high: str, loss: float) -> None:
    space = space_of([naive.Tree(COUNTRIES, COUNTRIES)])
    code = {path[0]: i for i, path in enumerate(COUNTRIES)}
    assert extent_loss(space, 0, code[low], code[high]) == loss


def test_leaves_that_the_data_lacks_count_too() -> None:
    space = space_of([naive.Tree((COUNTRIES[2], COUNTRIES[4]), COUNTRIES)])
    assert extent_loss(space, 0, 0, 1) == 3 / 5


def test_null_with_anything_else_loses_everything() -> None:
    space = space_of([naive.Tree((COUNTRIES[0], None), COUNTRIES), naive.Measured((0.0, 1.0, 2.0))])
    assert [extent_loss(space, 0, 0, 1), extent_loss(space, 1, 1, 2), extent_loss(space, 1, 0, 2)] == [1.0] * 3


def test_null_alone_loses_nothing() -> None:
    assert extent_loss(space_of([naive.Tree((COUNTRIES[0], None), COUNTRIES)]), 0, 1, 1) == 0.0
