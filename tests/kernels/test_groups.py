"""The UDF that groups rows: what it refuses, and what it does with a kernel that breaks its word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from sqlanon.udfs import groups
from sqlanon.udfs.kernels.hilbert import hilbert
from sqlanon.udfs.kernels.space import Ints, Microdata

from sqlanon.errors import BrokenPromise, InvalidParameter, NotEligible, TooFewRows, UnsupportedType

KANONYMOUS = {
    "function": "kanonymous",
    "algo": "hilbert",
    "parameters": {"k": 2},
    "seed": 0,
    "recode": "generalize",
    "options": None,
}
LDIVERSE = {
    "function": "ldiverse",
    "algo": "hilbert",
    "parameters": {"l": 2},
    "seed": 0,
    "recode": "generalize",
    "options": None,
}


def rows_of(codes: Sequence[int], sensitive: Sequence[int] | None = None, **kept: Sequence[int]) -> pa.StructArray:
    """A table of one quasi-identifier in codes, as DuckDB hands it over."""
    fields = {"qi_1": codes, **({} if sensitive is None else {"sa_1": sensitive}), **kept}
    arrays = [pa.array(values, pa.int32()) for values in fields.values()]
    return pa.StructArray.from_arrays(arrays, names=list(fields))


def describe(size: int, sa: str | None = None, kind: str = "range", kept: Sequence[str] = ()) -> pa.StructScalar:
    """The quasi-identifier `age` with the values 0 … size − 1, and maybe a sensitive attribute."""
    age = {"column": "age", "role": "qi", "type": "INTEGER", "kind": kind, "domain": list(range(size))}
    disease = {} if sa is None else {"sa_1": {"column": "disease", "role": "sa", "type": "VARCHAR", "kind": sa}}
    notes = {name: {"column": name, "role": "keep", "type": "VARCHAR", "kind": "kept"} for name in kept}
    return pa.scalar({"qi_1": age, **disease, **notes})


def test_rows_near_each_other_share_a_group() -> None:
    found = groups.groups(rows_of([0, 2, 1, 3]), describe(4), KANONYMOUS).tolist()
    assert found[0] == found[2] != found[1] == found[3]


def test_groups_are_diverse_when_there_is_a_sensitive_attribute() -> None:
    found = groups.groups(rows_of([0, 1, 2, 3], [0, 0, 1, 1]), describe(4, "category"), LDIVERSE).tolist()
    assert found[0] != found[1]
    assert found[2] != found[3]


@pytest.mark.parametrize("function", [KANONYMOUS, LDIVERSE])
def test_kept_columns_decide_between_rows_that_are_alike(function: dict[str, object]) -> None:
    sensitive = [0, 0, 0, 1, 1, 1] if function is LDIVERSE else None
    columns = describe(1, "category" if function is LDIVERSE else None, kept=["keep_1"])
    kept = [5, 3, 4, 0, 1, 2]
    found = groups.groups(rows_of([0] * 6, sensitive, keep_1=kept), columns, function).tolist()
    backwards = groups.groups(
        rows_of([0] * 6, None if sensitive is None else sensitive[::-1], keep_1=kept[::-1]), columns, function
    )
    assert found == backwards.tolist()[::-1]


@pytest.mark.parametrize(("rows", "said"), [(None, "is empty"), (0, "is empty"), (1, "has 1 row;"), (4, "has 4 rows;")])
def test_too_few_rows_are_refused(rows: int | None, said: str) -> None:
    table = None if rows is None else rows_of([0] * rows)
    with pytest.raises(TooFewRows, match=rf"\[SA202\] the table {said}.*k = 5"):
        groups.groups(table, describe(1), {**KANONYMOUS, "parameters": {"k": 5}})


def test_as_many_rows_as_k_are_enough() -> None:
    assert groups.groups(rows_of([0, 1, 2]), describe(3), {**KANONYMOUS, "parameters": {"k": 3}}).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("sensitive", "largest"),
    [([0, 0, 0, 1, 2, 3, 4, 5], 2), ([0, 0, 0, 1, 2, 3, 4], 2), ([0, 0, 0, 0, 1, 2], 1), ([0] * 5, 1)],
)
def test_a_sensitive_value_that_is_too_frequent_is_refused_with_the_largest_l(
    sensitive: list[int], largest: int
) -> None:
    table = rows_of(range(len(sensitive)), sensitive)
    with pytest.raises(NotEligible, match=rf"\[SA201\] one sensitive value is in .* The largest l is {largest}\."):
        groups.groups(table, describe(len(sensitive), "category"), {**LDIVERSE, "parameters": {"l": 3}})


def test_the_largest_l_is_not_refused() -> None:
    table = rows_of(range(7), [0, 0, 0, 1, 2, 3, 4])
    assert groups.groups(table, describe(7, "category"), LDIVERSE).size == 7


@pytest.mark.parametrize(("qi", "sa", "column"), [("refused", "category", "age"), ("range", "refused", "disease")])
def test_a_type_that_cannot_be_grouped_is_refused(qi: str, sa: str, column: str) -> None:
    with pytest.raises(UnsupportedType, match=rf"\[SA104\] column '{column}' has type"):
        groups.groups(rows_of([0, 1], [0, 1]), describe(2, sa, qi), LDIVERSE)


def test_a_type_is_refused_before_rows_are_counted() -> None:
    with pytest.raises(UnsupportedType):
        groups.groups(None, describe(1, kind="refused"), KANONYMOUS)


def test_an_algorithm_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="algo: 'magic' is not known"):
        groups.groups(rows_of([0, 1]), describe(2), {**KANONYMOUS, "algo": "magic"})


@pytest.mark.parametrize(
    ("given", "grouped"), [([], 0), ([0, 0], 2), ([0, 0, 0, 0], 4), ([0, -1, 0], 2), ([0, 0, 0, -1], 3)]
)
def test_a_kernel_that_forgets_rows_or_makes_some_up_publishes_nothing(
    given: list[int], grouped: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sabotage(data: Microdata, k: int) -> Ints:
        return np.array(given, np.int32)

    monkeypatch.setattr(hilbert, "k_groups", sabotage)
    with pytest.raises(BrokenPromise, match=rf"\[SA901\] the algorithm gave {grouped} of 3 rows a group"):
        groups.groups(rows_of([0, 1, 2]), describe(3), KANONYMOUS)


def test_one_call_answers_each_request_it_is_given() -> None:
    request = pa.chunked_array([pa.array([KANONYMOUS, KANONYMOUS])])
    tables = [rows_of([0, 2, 1, 3]), rows_of([3, 3, 0, 0, 0])]
    rows = pa.chunked_array([pa.ListArray.from_arrays([0, 4, 9], pa.concat_arrays(tables))])
    columns = pa.chunked_array([pa.array([describe(4).as_py()] * 2, describe(4).type)])
    found = groups.call(request, rows, columns)
    assert [len(answer["groups"]) for answer in found] == [4, 5]
    for answer, table in zip(found.to_pylist(), tables, strict=True):
        assert answer == {"groups": groups.groups(table, describe(4), KANONYMOUS).tolist(), "levels": None}


def test_our_own_errors_pass_through_a_call() -> None:
    table = pa.chunked_array([pa.array([None], pa.list_(rows_of([0]).type))])
    columns = pa.chunked_array([pa.array([describe(1).as_py()])])
    with pytest.raises(TooFewRows, match="is empty"):
        groups.call(pa.chunked_array([pa.array([KANONYMOUS])]), table, columns)


def test_any_other_error_is_told_without_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def sabotage(data: Microdata, k: int) -> Ints:
        raise ValueError("patient Smith")

    monkeypatch.setattr(hilbert, "k_groups", sabotage)
    rows = pa.chunked_array([pa.ListArray.from_arrays([0, 2], rows_of([0, 1]))])
    columns = pa.chunked_array([pa.array([describe(2).as_py()])])
    with pytest.raises(BrokenPromise, match="ValueError while grouping rows") as raised:
        groups.call(pa.chunked_array([pa.array([KANONYMOUS])]), rows, columns)
    assert "Smith" not in str(raised.value)
