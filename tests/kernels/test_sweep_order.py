"""The order of level vectors: the most informative first."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.sweep import order as sweep_order
from twins import sweep as twin

from .sweep_tables import flat_tree, trees
from .tables import quickly, space_of


@quickly
@given(st.lists(trees((1, 6)), min_size=1, max_size=3))
def test_level_vectors_are_in_the_order_of_the_twin(columns: list[twin.Tree]) -> None:
    vectors = sweep_order.order_vectors(space_of(columns))
    assert [tuple(vector) for vector in vectors.tolist()] == twin.level_vectors(columns)
    assert len(vectors) == sweep_order.count_vectors(space_of(columns))


def test_example_27_of_the_paper() -> None:
    space = space_of([flat_tree(2), flat_tree(2)])
    assert sweep_order.level_information(space, 0) == [Fraction(1), Fraction(1, 2)]
    assert sweep_order.order_vectors(space).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_example_29_the_column_named_first_is_generalized_last() -> None:
    space = space_of([flat_tree(3), flat_tree(3), flat_tree(3)])
    order = [tuple(vector) for vector in sweep_order.order_vectors(space).tolist()]
    assert order.index((0, 0, 1)) < order.index((0, 1, 0)) < order.index((1, 0, 0))


def test_information_whose_fractions_have_no_common_unit_is_rounded() -> None:
    primes = [p for p in range(2, 200) if all(p % q for q in range(2, p))]
    information = [[Fraction(1), Fraction(1, p)] for p in primes]
    scaled, step = sweep_order.whole_numbers(information)
    assert step > 1
    assert [numbers[0] for numbers in scaled] == [sweep_order.SCALE] * len(primes)
    assert [numbers[1] for numbers in scaled] == sorted((numbers[1] for numbers in scaled), reverse=True)
