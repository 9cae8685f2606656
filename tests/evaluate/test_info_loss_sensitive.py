"""The sensitive attribute in info_loss: lists, stars and labels of a taxonomy."""

from __future__ import annotations

import pytest
from connections import TestConnection, store
from hypothesis import given
from hypothesis import strategies as st
from oracles import loss

from .losses import attribute, checked, close, one, table


def test_a_sensitive_list_tells_one_of_its_distinct_values(con: TestConnection) -> None:
    table(con, "t", "q INTEGER, sa INTEGER", (1, 7), (1, 7), (1, 8), (1, None))
    for cell, kind in (("{7, 7, 8, NULL}", "VARCHAR"), ([7, 7, 8, None], "INTEGER[]")):
        table(con, "r", f"q VARCHAR, sa {kind}", *[("1", cell)] * 4)
        # q tells everything, sa 1 of {7, 8, NULL}
        answer = one(con, "FROM info_loss('t', 'r', ['q'], sa := 'sa')")
        assert answer["information"] == pytest.approx((1 + 1 / 3) / 2)


def test_sensitive_values_with_commas_are_found_again_in_a_list_of_text(con: TestConnection) -> None:
    values = ("a", "a, b", "b, c", "a, b, c")
    table(con, "t", "q INTEGER, sa VARCHAR", *enumerate(values))
    for cell, distinct in (("{a, a, b, a, b, a, b, c, b, c}", 4), ("{a, b, a, b}", 1), ("{a, b, b, c}", 2)):
        table(con, "r", "q VARCHAR, sa VARCHAR", *((str(q), cell) for q in range(4)))
        answer = one(con, "FROM info_loss('t', 'r', ['q'], sa := 'sa')")
        assert answer["information"] == pytest.approx((1 + 1 / distinct) / 2)


def test_a_comma_between_two_values_separates_them(con: TestConnection) -> None:
    table(con, "t", "q INTEGER, sa VARCHAR", (1, "a"), (1, "b"), (1, "a, b"))
    table(con, "r", "q VARCHAR, sa VARCHAR", *[("1", "{a, b}")] * 3)
    answer = one(con, "FROM info_loss('t', 'r', ['q'], sa := 'sa')")
    assert answer["information"] == pytest.approx((1 + 1 / 2) / 2)


def test_a_starred_sensitive_value_may_be_any(con: TestConnection) -> None:
    table(con, "t", "q INTEGER, sa VARCHAR", (1, "x"), (1, "y"), (1, None), (1, "{x, y}"))
    table(con, "r", "q INTEGER, sa VARCHAR", (1, "*"), (1, "*"), (1, "x"), (1, "{x, y}"))
    # x, y, NULL and a text that only looks like a list: `*` tells 1/4
    answer = one(con, "FROM info_loss('t', 'r', ['q'], sa := 'sa')")
    assert answer["information"] == pytest.approx((1 + (2 / 4 + 2) / 4) / 2)
    table(con, "r", "q INTEGER, sa VARCHAR[]", (1, ["*"]), (1, ["*"]), (1, ["x"]), (1, ["x", "y"]))
    answer = one(con, "FROM info_loss('t', 'r', ['q'], sa := 'sa')")
    assert answer["information"] == pytest.approx((1 + (2 / 4 + 1 + 1 / 2) / 4) / 2)


@pytest.mark.parametrize("top", ["*", "Any"])
@given(
    st.lists(st.sampled_from([None, "a", "b", "c"]), min_size=1, max_size=6),
    st.lists(
        st.sampled_from(["north", "a", "south", "*", "{a, b}", "{a, c, c}", "{north, a}", "{a, south}", "e"]),
        min_size=6,
    ),
)
@checked
def test_labels_of_the_sensitive_attribute_count_the_leaves_below_them(
    con: TestConnection, top: str, values: list[str | None], cells: list[str]
) -> None:
    paths = [("a", "north", top), ("b", "north", top), ("c", "south", top), ("d", "south", top), ("e", "e", top)]
    store(con, "levels", {"leaf": "VARCHAR", "side": "VARCHAR", "top": "VARCHAR"}, paths)
    rows = [(1, value) for value in values]
    published = [None if value is None and cell == "e" else cell for value, cell in zip(values, cells, strict=False)]
    store(con, "t", {"q": "INTEGER", "sa": "VARCHAR"}, rows)
    for lists in (False, True):
        released = [cell.strip("{}").split(", ") if lists and cell else cell for cell in published]
        released = [None if cell == ["*"] else cell for cell in released]
        if lists and None in released and None not in values:
            continue
        store(con, "r", {"q": "VARCHAR", "sa": "VARCHAR[]" if lists else "VARCHAR"}, [("1", cell) for cell in released])
        answer = one(con, "FROM info_loss('t', 'r', ['q'], sa := 'sa', taxonomy := {'SA': 'levels'})")
        attributes = [attribute("num", [1] * len(rows))]
        assert answer == close(loss.info_loss(attributes, [("1",)] * len(rows), values, released, paths))


def test_a_label_that_the_taxonomy_of_the_sensitive_attribute_lacks_is_a_mismatch(con: TestConnection) -> None:
    store(con, "levels", {"leaf": "VARCHAR", "top": "VARCHAR"}, [("a", "Any"), ("b", "Any")])
    store(con, "t", {"q": "INTEGER", "sa": "VARCHAR"}, [(1, "a")])
    store(con, "r", {"q": "INTEGER", "sa": "VARCHAR"}, [(1, "north")])
    message = con.refusal("FROM info_loss('t', 'r', ['q'], sa := 'sa', taxonomy := {'sa': 'levels'})")
    assert "[SA301] column 'sa' of rel" in message
    store(con, "levels", {"leaf": "VARCHAR", "top": "VARCHAR"}, [("b", "Any")])
    message = con.refusal("FROM info_loss('t', 'r', ['q'], sa := 'sa', taxonomy := {'sa': 'levels'})")
    assert "[SA105] the taxonomy of column 'sa'" in message
