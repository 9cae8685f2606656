"""A fault of a taxonomy is said in one way, whichever function reads it."""

from __future__ import annotations

import pytest
from connections import TestConnection, store

FAULTS: list[tuple[list[list[str | None]], str]] = [
    ([["secret"], ["b"]], "has one column only. It needs the leaf first"),
    (
        [["secret", "A", "*"], ["secret", "B", "*"]],
        "is not a tree: one label of level 0 lies below two different ones of level 1",
    ),
    (
        [["a", "secret", "*"], ["b", "secret", "+"]],
        "is not a tree: one label of level 1 lies below two different ones of level 2",
    ),
    ([["secret", None, "*"]], "is not a tree: a label is NULL. Fill every level of every row."),
    ([[None, "secret"]], "is not a tree: a label is NULL."),
    ([["secret", None]], "is not a tree: a label is NULL."),
    ([["a", "secret"], ["b", "other"]], "is not a tree: its last level has more than one value."),
    ([["a", "*"]], "does not cover the data: 1 distinct value has no leaf. Leaves are matched by their text."),
    ([["c", "*"]], "does not cover the data: 2 distinct values have no leaf. Leaves are matched by their text."),
]

CALLS = {
    "kanonymous": "kanonymous('t', ['x'], 1, taxonomy := {'x': 'levels'})",
    "best_k": "best_k('t', ['x'], max_gcp := 0.5, taxonomy := {'x': 'levels'})",
    "attribute_loss": "attribute_loss('t', 't', ['x'], taxonomy := {'x': 'levels'})",
    "info_loss, sensitive": "info_loss('t', 't', ['y'], sa := 'x', taxonomy := {'x': 'levels'})",
    "count_query_error": "count_query_error('t', 't', ['x'], 'y', 1, taxonomy := {'x': 'levels'})",
    "privacy": "privacy('t', ['y'], 'x', taxonomy := {'x': 'levels'})",
}


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
@pytest.mark.parametrize(("paths", "fault"), FAULTS, ids=[fault[:40] for _, fault in FAULTS])
def test_what_is_not_a_tree_or_lacks_leaves_is_refused_without_a_word_on_its_labels(
    con: TestConnection, call: str, paths: list[list[str | None]], fault: str
) -> None:
    store(con, "t", {"x": "VARCHAR", "y": "VARCHAR"}, [("a", "y"), ("secret" if paths == [["a", "*"]] else "b", "y")])
    store(con, "levels", {f"level_{i}": "VARCHAR" for i in range(len(paths[0]))}, [tuple(path) for path in paths])
    message = con.refusal(f"FROM {call}")
    assert f"[SA105] the taxonomy of column 'x' {fault}" in message
    assert "secret" not in message


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_no_taxonomy_at_all_is_an_empty_one(con: TestConnection, call: str) -> None:
    store(con, "t", {"x": "VARCHAR", "y": "VARCHAR"}, [("a", "y")])
    store(con, "levels", {"leaf": "VARCHAR", "top": "VARCHAR"}, [])
    assert "[SA105] the taxonomy of column 'x' is empty." in con.refusal(f"FROM {call}")


def test_a_label_may_be_on_two_levels(con: TestConnection) -> None:
    paths = [["a", "a", "*"], ["b", "a", "*"], ["c", "*", "*"]]
    assert con.execute("SELECT _sqlanon._sqlanon_tree_fault(CAST(? AS VARCHAR[][]))", [paths]).fetchall() == [(None,)]


@pytest.mark.parametrize(("paths", "fault"), [each for each in FAULTS if not each[1].startswith("does not cover")])
def test_estimate_which_has_no_source_refuses_what_is_not_a_tree(
    con: TestConnection, paths: list[list[str | None]], fault: str
) -> None:
    store(con, "t", {"x": "VARCHAR"}, [("a",), ("b",)])
    store(con, "levels", {f"level_{i}": "VARCHAR" for i in range(len(paths[0]))}, [tuple(path) for path in paths])
    query = "SELECT count(*) FROM source WHERE x = ''a''"
    message = con.refusal(f"FROM estimate('t', '{query}', taxonomy := {{'x': 'levels'}})")
    assert f"[SA105] the taxonomy of column 'x' {fault}" in message
