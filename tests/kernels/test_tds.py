"""Top-down specialisation: the steps of the twin, and a promise kept at the end."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st
from sqlanon.udfs.kernels.lattice import tds
from sqlanon.udfs.kernels.space import Generalization
from twins import lattice as lattice_twin
from twins import naive
from twins import tds as twin

from .full_domain import Case, cases, classes_of, levels_of
from .tables import quickly


def specialize(case: Case, learned: list[int] | None) -> Generalization:
    """The answer of the function for the promise of a case."""
    data, promise = case.microdata(learned), case.promise
    if promise.c is not None:
        return tds.recursive_groups(data, promise.ranks, float(promise.c))
    return tds.l_groups(data, promise.l)


@st.composite
def diverse_cases(draw: st.DrawFn) -> tuple[Case, list[int] | None]:
    """A case about sensitive values, and maybe a class to learn."""
    case = draw(cases())
    assume(case.promise.k == 1)
    rows = len(case.table.codes)
    return case, draw(st.none() | st.lists(st.integers(0, 2), min_size=rows, max_size=rows))


@quickly
@given(diverse_cases())
def test_the_levels_are_those_of_the_twin(drawn: tuple[Case, list[int] | None]) -> None:
    case, learned = drawn
    result = specialize(case, learned)
    assert levels_of(result) == twin.levels(case.table, case.person, case.promise, learned)
    assert sorted(classes_of(result)) == sorted(lattice_twin.classes_at(case.table, levels_of(result)))


@quickly
@given(diverse_cases())
def test_every_class_keeps_the_promise_and_no_column_can_go_down(drawn: tuple[Case, list[int] | None]) -> None:
    case, learned = drawn
    result = specialize(case, learned)
    assert (result.group_of >= 0).all()
    assert all(lattice_twin.holds(case.table, case.person, case.promise, rows) for rows in classes_of(result))
    levels = levels_of(result)
    for c, level in enumerate(levels):
        lower = (*levels[:c], level - 1, *levels[c + 1 :])
        assert level == 0 or not all(
            lattice_twin.holds(case.table, case.person, case.promise, rows)
            for rows in lattice_twin.classes_at(case.table, lower)
        )


@quickly
@given(diverse_cases(), st.data())
def test_classes_do_not_depend_on_the_order_of_arrival(
    drawn: tuple[Case, list[int] | None], data: st.DataObject
) -> None:
    case, learned = drawn
    order = data.draw(st.permutations(range(len(case.table.codes))))
    one = specialize(case, learned)
    two = specialize(case.rearrange(order), None if learned is None else [learned[row] for row in order])
    assert levels_of(one) == levels_of(two)
    assert one.group_of[order].tolist() == two.group_of.tolist()


def test_the_column_that_tells_classes_apart_goes_down() -> None:
    """Either column could; together they would leave rows alone. The second says all about what is learned."""
    leaves = (("a", "*"), ("b", "*"))
    tree = naive.Tree(leaves, leaves)
    codes = ((0, 0), (0, 1), (1, 0), (1, 1))
    table = naive.Table((tree, tree), codes, (0, 1, 1, 0), ((0,),) * 4)
    case = Case(table, None, lattice_twin.Promise(l=2))
    assert levels_of(specialize(case, [code for _, code in codes])) == (1, 0)
    assert levels_of(specialize(case, [code for code, _ in codes])) == (0, 1)
    assert levels_of(specialize(case, None)) == (0, 1), "of equal scores, the first column"


def test_a_column_may_go_down_later_if_people_are_counted() -> None:
    """Two people have each other's value in the other half: in the whole first row of halves, both have both."""
    leaves = (("a", "*"), ("b", "*"))
    tree = naive.Tree(leaves, leaves)
    codes = ((0, 0), (0, 0), (0, 1), (0, 1), (1, 0), (1, 0), (1, 1), (1, 1))
    table = naive.Table((tree, tree), codes, (0, 1, 1, 0, 2, 3, 2, 3), ((0,),) * 8)
    case = Case(table, (0, 1, 0, 1, 2, 3, 4, 5), lattice_twin.Promise(l=2))
    assert not lattice_twin.holds(table, case.person, case.promise, range(4))
    assert levels_of(specialize(case, None)) == (0, 0)
