"""Lists that are not as they must be are found out, and nothing is published: SA901."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pytest
from connections import TestConnection
from sqlanon.udfs import decoys, randomization
from sqlanon.udfs.randomizing.parameters import Parameters

HONEST = decoys.decoys
READS = ("FROM {}", "SELECT a FROM {} LIMIT 1", "SELECT count(a) FROM {}", "SELECT a[1] FROM {}")
BY_L, BY_T = "randomize('t', l := {'a': 2}, keep := ['i'])", "randomize('t', t := {'a': 0.2})"


@pytest.fixture(autouse=True)
def t(con: TestConnection, scratch: None) -> None:
    con.execute("CREATE TABLE t AS SELECT i % 5 AS a, i FROM range(100) AS n(i)")


def repeats(lists: Any) -> None:
    lists[-1, 1] = lists[-1, 0]


def outside(lists: Any) -> None:
    lists[-1, -1] = 6


def below(lists: Any) -> None:
    lists[-1, 0] = 0


def unsort(lists: Any) -> None:
    lists[-1] = lists[-1, ::-1].copy()


def without_the_value(lists: Any) -> None:
    lists[:] = [1, 2]


BREAKS = {
    repeats: "is not one of eta different values",
    outside: "is not one of eta different values",
    below: "is not one of eta different values",
    unsort: "the order of a list of protected column 1 tells something",
    without_the_value: "does not hold its value",
}


@pytest.mark.parametrize("sabotage", BREAKS, ids=lambda sabotage: sabotage.__name__)
@pytest.mark.parametrize("read", READS)
def test_a_broken_list_is_sa901_however_it_is_read(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, sabotage: Any, read: str
) -> None:
    def broken(*arguments: Any) -> Any:
        lists = HONEST(*arguments)
        sabotage(lists)
        return lists

    monkeypatch.setattr(decoys, "decoys", broken)
    with pytest.raises(duckdb.Error, match=rf"\[SA901\] .*{BREAKS[sabotage]}.*Nothing was published"):
        con.execute(read.format(BY_L)).fetchall()


def test_an_honest_kernel_passes_the_same_road(con: TestConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoys, "decoys", lambda *arguments: HONEST(*arguments))
    for read in READS:
        con.execute(read.format(BY_L)).fetchall()


def test_lists_that_are_too_short_are_sa901(con: TestConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(randomization, "choose", lambda *_: Parameters(1, 1.0, 0.0))
    with pytest.raises(duckdb.Error, match=r"\[SA901\] a list of column 'a' has fewer than l = 2 values"):
        con.execute(f"FROM {BY_L}").fetchall()


@pytest.mark.parametrize("p", [1.0, 0.5, 0.3])
def test_lists_that_tell_more_than_t_are_sa901(con: TestConnection, monkeypatch: pytest.MonkeyPatch, p: float) -> None:
    monkeypatch.setattr(randomization, "choose", lambda *_: Parameters(1, p, 0.0))
    with pytest.raises(duckdb.Error, match=r"\[SA901\] a list of column 'a' tells more than t = 0.2 allows"):
        con.execute(f"FROM {BY_T}").fetchall()


@pytest.mark.parametrize(("p", "holds"), [(0.2, True), (0.6, False)])
def test_lists_that_tell_more_than_t_by_an_ordered_distance_are_sa901(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, p: float, holds: bool
) -> None:
    monkeypatch.setattr(randomization, "choose", lambda *_: Parameters(1, p, 0.0))
    release = "FROM randomize('t', t := {'a': 0.2}, options := {'ground': {'a': 'ordered'}})"
    if holds:
        assert len(con.rows(release)) == 100
        return
    with pytest.raises(duckdb.Error, match=r"\[SA901\] a list of column 'a' tells more than t = 0.2 allows"):
        con.execute(release).fetchall()


def test_what_a_crashing_kernel_says_is_not_passed_on(con: TestConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*arguments: Any) -> Any:
        raise IndexError(f"value {np.int64(77)}")

    monkeypatch.setattr(decoys, "decoys", crash)
    with pytest.raises(duckdb.Error, match=r"\[SA901\] IndexError") as caught:
        con.execute(f"FROM {BY_L}").fetchall()
    assert "value 77" not in str(caught.value)
