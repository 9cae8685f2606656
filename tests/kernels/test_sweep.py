"""SWEEP: (τ,l)-diverse classes, with sensitive values generalized where need be."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.grouping.compiling import four_rows
from sqlanon.udfs.kernels.space import Generalization
from sqlanon.udfs.kernels.sweep import keys as sweep_keys
from sqlanon.udfs.kernels.sweep import sweep
from sqlanon.udfs.kernels.sweep import variety as sweep_variety
from twins import naive
from twins import sweep as twin

from .sweep_tables import flat_tree, microdata, outcome, random_requirement, random_table, requirements, tables
from .tables import quickly


def assert_as_the_twin(table: twin.Table, tau: float, l: int) -> Generalization | None:
    expected = twin.release(table, tau, l)
    result = sweep.tau_groups(microdata(table), tau, l)
    if expected is None or result is None:
        assert expected is None
        assert result is None
        return None
    assert outcome(table, result) == sorted((row, *what) for row, what in zip(table.rows, expected, strict=True))
    return result


@quickly
@given(st.data())
def test_rows_are_grouped_and_generalized_as_the_twin_does(data: st.DataObject) -> None:
    table = data.draw(tables())
    assert_as_the_twin(table, *data.draw(requirements(table)))


@quickly
@given(st.data())
def test_several_sensitive_attributes_are_handled_as_the_twin_does(data: st.DataObject) -> None:
    table = data.draw(tables(attributes=data.draw(st.integers(2, 3))))
    assert_as_the_twin(table, *data.draw(requirements(table)))


@pytest.mark.parametrize("attributes", [1, 2, 3])
def test_larger_tables_come_out_as_the_twin_has_them(attributes: int) -> None:
    seen = Counter[str]()
    for seed in range(60):
        draw = random.Random(seed)
        table = random_table(draw, draw.randint(5, 120), attributes)
        result = assert_as_the_twin(table, *random_requirement(draw, table))
        if result is not None:
            seen["groups"] += result.group_of.max() > 0
            seen["sensitive values"] += result.levels[len(table.qi) :].any()
    assert seen["groups"] > 30
    assert seen["sensitive values"] > 30


@pytest.mark.parametrize("counts", [(200, 9, 8, 7), (90, 90, 3, 2, 1), (60, 59, 58, 57), (150, 40, 40, 5, 5)])
@pytest.mark.parametrize(("tau", "l"), [(0.5, 2), (0.4, 3), (0.26, 4)])
def test_what_is_shed_in_leaps_is_what_goes_row_by_row(counts: tuple[int, ...], tau: float, l: int) -> None:
    tree = flat_tree(len(counts))
    few = [(0, value) for value, count in enumerate(counts) for _ in range(count)]
    others = [(1, value) for value, count in enumerate(reversed(counts)) for _ in range(count)]
    rows = tuple(((point,), (value,), (0,)) for point, value in few + others)
    table = twin.Table((flat_tree(2),), (tree,), ((Fraction(1),) * len(counts),), rows)
    assert_as_the_twin(table, tau, l)


@pytest.mark.parametrize(("module", "name"), [(sweep_keys, "ROOM"), (sweep_variety, "BITS")])
def test_what_saves_time_changes_nothing(module: object, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, name, 0)
    for seed in range(20):
        draw = random.Random(seed)
        table = random_table(draw, 60, draw.randint(1, 2))
        assert_as_the_twin(table, *random_requirement(draw, table))


def test_keys_of_several_words_tell_points_apart() -> None:
    wide = flat_tree(2**16)
    rows = tuple(((2**16 - 1 - i // 2,) * 8, (i % 2,), (0,)) for i in range(6))
    table = twin.Table((wide,) * 8, (flat_tree(2),), ((Fraction(1),) * 2,), rows)
    result = sweep.tau_groups(microdata(table), 0.5, 2)
    assert result is not None
    assert result.group_of.tolist() == [2, 2, 1, 1, 0, 0]
    assert not result.levels.any()


# Properties


@quickly
@given(st.data())
def test_every_class_of_a_release_is_diverse_and_publishes_one_value(data: st.DataObject) -> None:
    table = data.draw(tables(attributes=data.draw(st.integers(1, 2))))
    tau, l = data.draw(requirements(table))
    result = sweep.tau_groups(microdata(table), tau, l)
    if result is None:
        return
    columns = len(table.qi)
    assert sorted(set(result.group_of.tolist())) == list(range(result.group_of.max() + 1))
    for group in range(result.group_of.max() + 1):
        rows = np.flatnonzero(result.group_of == group).tolist()
        for column, tree in enumerate(table.qi):
            levels = {int(level) for level in result.levels[column, rows]}
            assert len(levels) == 1
            level = levels.pop()
            assert level <= twin.height(tree)
            assert level == 0 or len({twin.node(tree, table.rows[row][0][column], level) for row in rows}) == 1
            assert level > 0 or len({table.rows[row][0][column] for row in rows}) == 1
        for i, (tree, weights) in enumerate(zip(table.sa, table.weights, strict=True)):
            published = [
                twin.cover(tree, weights, table.rows[row][1][i], int(result.levels[columns + i, row])) for row in rows
            ]
            assert twin.holds(twin.frequencies(published, weights), tau, l)


@quickly
@given(st.data())
def test_the_order_of_rows_does_not_matter(data: st.DataObject) -> None:
    table = data.draw(tables(attributes=data.draw(st.integers(1, 2))))
    tau, l = data.draw(requirements(table))
    result = sweep.tau_groups(microdata(table), tau, l)
    again = twin.Table(table.qi, table.sa, table.weights, tuple(data.draw(st.permutations(table.rows))))
    other = sweep.tau_groups(microdata(again), tau, l)
    if result is None or other is None:
        assert result is other
    else:
        assert outcome(table, result) == outcome(again, other)


@quickly
@given(st.data())
def test_equal_weights_allow_a_release_for_every_legal_requirement(data: st.DataObject) -> None:
    table = data.draw(tables(attributes=data.draw(st.integers(1, 2))))
    equal = tuple(tuple(Fraction(weight > 0) for weight in weights) for weights in table.weights)
    table = twin.Table(table.qi, table.sa, equal, table.rows)
    tau, l = data.draw(requirements(table))
    assert sweep.tau_groups(microdata(table), tau, l) is not None


def test_beliefs_that_are_too_strong_allow_no_release() -> None:
    rows = tuple(((0,), (value,), (0,)) for value in (0, 1, 2))
    table = twin.Table((flat_tree(1),), (flat_tree(3),), ((Fraction(4), Fraction(1), Fraction(1)),), rows)
    assert sweep.tau_groups(microdata(table), 0.5, 2) is None
    assert sweep.tau_groups(microdata(table), 0.7, 2) is not None
    assert not sweep.prior_holds(microdata(table).trees, 0.5, 2)


def test_more_values_than_there_are_cannot_be_required() -> None:
    rows = tuple(((0,), (value,), (0,)) for value in (0, 1))
    table = twin.Table((flat_tree(1),), (flat_tree(2),), ((Fraction(1),) * 2,), rows)
    assert sweep.tau_groups(microdata(table), 0.5, 3) is None


def test_the_four_rows_suit_sweep() -> None:
    result = sweep.tau_groups(four_rows(trees=True), 0.5, 2)
    assert result is not None
    assert result.levels[1].any(), "a sensitive value is generalized"


# Worked examples


def test_example_31_the_next_class_generalizes_the_other_column() -> None:
    a, b = flat_tree(2), flat_tree(2)
    rows = (((0, 0), (0,), (0,)), ((0, 1), (0,), (0,)), ((1, 0), (1,), (0,)), ((1, 1), (1,), (0,)))
    result = assert_as_the_twin(twin.Table((a, b), (flat_tree(2),), ((Fraction(1),) * 2,), rows), 0.5, 2)
    assert result is not None
    assert result.group_of.tolist() == [0, 1, 0, 1]
    assert result.levels.tolist() == [[1] * 4, [0] * 4, [0] * 4]


HEPATITIS, AIDS, FLU, TUBERCULOSIS = range(4)
DISEASES = naive.Tree(
    (("Hepatitis", "hemal", "*"), ("AIDS", "hemal", "*"), ("Flu", "respiratory", "*"), ("TB", "respiratory", "*")),
    (("Hepatitis", "hemal", "*"), ("AIDS", "hemal", "*"), ("Flu", "respiratory", "*"), ("TB", "respiratory", "*")),
)


def patients(*diseases: list[int]) -> twin.Table:
    """A list of diseases for each value of the quasi-identifier."""
    rows = tuple(((point,), (disease,), (0,)) for point, those in enumerate(diseases) for disease in those)
    return twin.Table((flat_tree(len(diseases)),), (DISEASES,), ((Fraction(1),) * 4,), rows)


def test_example_33_two_of_the_rows_with_hepatitis_become_hemal() -> None:
    table = patients([HEPATITIS] * 6 + [TUBERCULOSIS] * 4 + [AIDS, FLU])
    result = assert_as_the_twin(table, 0.5, 3)
    assert result is not None
    assert result.levels[1].tolist().count(1) == 2
    assert {table.rows[row][1] for row in np.flatnonzero(result.levels[1])} == {(HEPATITIS,)}
    assert result.levels[1].max() == 1


def test_example_34_one_row_with_tuberculosis_is_shed() -> None:
    table = patients([HEPATITIS, *[TUBERCULOSIS] * 3, FLU], [HEPATITIS, AIDS, FLU, TUBERCULOSIS])
    result = assert_as_the_twin(table, 0.5, 3)
    assert result is not None
    assert result.group_of.tolist() == [0, 0, 0, 2, 0, 1, 1, 1, 1]
    assert result.levels[1].tolist() == [0, 0, 0, 2, 0, 0, 0, 0, 0], "alone, it may be any disease"
