"""SWEEP: (τ,l)-diverse classes, with sensitive values generalized where need be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels import sweep
from twins import sweep as twin

from .sweep_tables import microdata, outcome, requirements, tables
from .tables import quickly


def assert_as_the_twin(table: twin.Table, tau: float, l: int) -> None:
    expected = twin.release(table, tau, l)
    result = sweep.tau_groups(microdata(table), tau, l)
    if expected is None or result is None:
        assert expected is None and result is None
        return
    assert outcome(table, result) == sorted((row, *what) for row, what in zip(table.rows, expected, strict=True))


@quickly
@given(st.data())
def test_rows_are_grouped_and_generalized_as_the_twin_does(data: st.DataObject) -> None:
    table = data.draw(tables())
    assert_as_the_twin(table, *data.draw(requirements(table)))


@quickly
@given(st.data())
def test_two_sensitive_attributes_are_handled_as_the_twin_does(data: st.DataObject) -> None:
    table = data.draw(tables(attributes=2))
    assert_as_the_twin(table, *data.draw(requirements(table)))
