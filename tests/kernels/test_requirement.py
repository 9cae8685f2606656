"""The requirement of a class, against the oracle of privacy: never more lenient, whatever the rounding."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import privacy as oracle
from sqlanon.udfs.kernels.requirement.holds import rows_hold
from sqlanon.udfs.kernels.requirement.requirement import Requirement, fewest_rows, make_tally, read_values
from sqlanon.udfs.kernels.space import Microdata
from twins import naive

from .tables import microdata, quickly

LINE = naive.Measured((0.0,))

Counts = list[tuple[int, int]]
"""By value, its rows in the class and in the rest of the table."""

counts = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=5).filter(
    lambda drawn: any(n for n, _ in drawn)
)


def table_of(drawn: Sequence[tuple[int, int]]) -> tuple[Microdata, np.ndarray, oracle.Class]:
    """The rows of a table in codes, those of a class, and the class as the oracle knows it."""
    rows = [(value, place) for value, pair in enumerate(drawn) for place in (0, 1) for _ in range(pair[place])]
    codes = np.unique([value for value, _ in rows], return_inverse=True)[1]
    table = naive.Table((LINE,), ((0,),) * len(rows), tuple(codes.tolist()), ((0,),) * len(rows))
    found = oracle.classes([oracle.Row((place,), value) for value, place in rows])
    inside = np.flatnonzero([place == 0 for _, place in rows])
    return microdata(table), inside, next(one for one in found if one.qi == (0,))


def holds(drawn: Sequence[tuple[int, int]], requirement: Requirement) -> bool:
    data, inside, _ = table_of(drawn)
    values = read_values(data, requirement)
    tally = make_tally(values)
    answer = rows_hold(values, inside, requirement, tally)
    assert not tally.count_of.any(), "the tally is left empty"
    return answer


def enhanced_beta(one: oracle.Class) -> Fraction | None:
    return oracle.enhanced_beta([one])


MEASURES: dict[str, tuple[Callable[[oracle.Class], float | Fraction | None], Callable[[float], Requirement], bool]] = {
    "k": (lambda one: one.size, lambda bound: Requirement(size=math.ceil(bound)), True),
    "l": (lambda one: Fraction(one.size, one.top_count), lambda bound: Requirement(frequency=bound), True),
    "distinct_l": (lambda one: len(one.counts), lambda bound: Requirement(distinct=math.ceil(bound)), True),
    "entropy_l": (lambda one: one.entropy_l, lambda bound: Requirement(entropy=bound), True),
    "t": (lambda one: one.t, lambda bound: Requirement(t=bound), False),
    "beta": (enhanced_beta, lambda bound: Requirement(beta=bound), False),
    "delta": (lambda one: one.delta, lambda bound: Requirement(delta=bound), False),
}
"""By bound: the measure of a class, the requirement of a value of the bound, and whether larger is stronger."""

EXACT = ("k", "l", "distinct_l", "t")
"""Bounds without logarithms."""


CHANGES = (-1e-3, -1e-9, 0.0, 1e-9, 1e-3)
"""By how much bounds are stronger than what a class has."""


@pytest.mark.parametrize("bound", MEASURES)
@quickly
@given(counts)
def test_a_class_holds_if_the_oracle_says_so_and_not_even_nearly_if_it_does_not(bound: str, drawn: Counts) -> None:
    measure, requirement_of, larger_is_stronger = MEASURES[bound]
    measured = measure(table_of(drawn)[2])
    if measured is None or math.isinf(measured):
        assert not holds(drawn, requirement_of(1e9)), "no value of the bound holds"
        return
    for change in CHANGES:
        asked = max(float(measured) * (1 + change), 1.0) if larger_is_stronger else float(measured) * (1 - change)
        answer = holds(drawn, requirement_of(asked))
        if change < -1e-4 or (bound in EXACT and change <= 0):
            assert answer, "what clearly holds is not refused"
        if change > 0 and (asked > measured if larger_is_stronger else asked < measured):
            assert not answer


@quickly
@given(counts, st.integers(1, 4), st.sampled_from(("1/2", "1", "3/2", "2", "5")))
def test_recursive_diversity_is_that_of_the_oracle(drawn: Counts, l: int, c: str) -> None:
    bound = table_of(drawn)[2].c(l)
    asked = Requirement(ranks=l, c=float(Fraction(c)))
    assert holds(drawn, asked) == (bound is not None and bound < Fraction(c))


BOUNDS = st.fixed_dictionaries(
    {},
    optional={
        "k": st.integers(1, 6),
        "l": st.sampled_from((1.5, 2.0, 3.0)),
        "distinct_l": st.sampled_from((1.0, 2.0, 2.5, 3.0)),
        "entropy_l": st.sampled_from((1.5, 2.0, 2.5, 3.0)),
        "t": st.sampled_from((0.1, 0.25, 0.5, 1.0)),
        "beta": st.sampled_from((0.25, 0.5, 1.0, 2.0)),
        "delta": st.sampled_from((0.5, math.log(2), 1.0, 2.0)),
    },
)


def combined(bounds: dict[str, float]) -> Requirement:
    """The requirement of several bounds."""
    requirement = Requirement()
    for name, bound in bounds.items():
        alone = MEASURES[name][1](bound)
        changed = {field: value for field, value in alone._asdict().items() if value != getattr(Requirement(), field)}
        requirement = requirement._replace(**changed)
    return requirement


@quickly
@given(counts, BOUNDS)
def test_several_bounds_hold_if_each_does(drawn: Counts, bounds: dict[str, float]) -> None:
    broken = oracle.violations([table_of(drawn)[2]], **bounds)  # type: ignore[arg-type]
    answer = holds(drawn, combined(bounds))
    assert not (answer and broken), "what is refused before a row leaves, no class may be"
    logarithms = {"entropy_l", "delta"} & bounds.keys()
    if not logarithms:
        assert answer == (not broken)


@quickly
@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=4), BOUNDS)
def test_the_union_of_classes_that_hold_holds(drawn: list[tuple[int, int, int]], bounds: dict[str, float]) -> None:
    requirement = combined(bounds)
    if not any(a for a, _, _ in drawn) or not any(b for _, b, _ in drawn):
        return
    one = holds([(a, b + c) for a, b, c in drawn], requirement)
    other = holds([(b, a + c) for a, b, c in drawn], requirement)
    if one and other:
        assert holds([(a + b, c) for a, b, c in drawn], requirement)


@pytest.mark.parametrize(
    ("requirement", "fewest"),
    [
        (Requirement(), 1),
        (Requirement(size=5, frequency=3.0), 5),
        (Requirement(frequency=2.5), 3),
        (Requirement(entropy=3.0), 3),
        (Requirement(entropy=2.1), 3),
        (Requirement(ranks=4, c=2.0), 4),
        (Requirement(distinct=3, t=0.2), 3),
    ],
)
def test_the_fewest_rows_of_a_class(requirement: Requirement, fewest: int) -> None:
    assert fewest_rows(requirement) == fewest


def test_each_of_several_attributes_has_to_hold() -> None:
    table = naive.Table((LINE,), ((0,),) * 4, (0, 0, 1, 1), ((0,),) * 4)
    for others, diverse in (((0, 1, 0, 1), True), ((0, 0, 0, 1), False)):
        data = microdata(table)._replace(apart=np.array([others], np.int32))
        values = read_values(data, Requirement(frequency=2.0))
        assert rows_hold(values, np.arange(4), Requirement(frequency=2.0), make_tally(values)) == diverse
