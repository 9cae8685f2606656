"""Algorithms that decide what is published are held to their word, too: SA901, and nothing leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pytest
from connections import TestConnection
from sqlanon.udfs.grouping import partition
from sqlanon.udfs.kernels.space import Generalization

TAU = "taudiverse('t', ['a', 'b'], 's', 0.4, 4)"
FULL_DOMAIN = "ldiverse('t', ['a', 'b'], 's', 3, algo := 'incognito')"
RELEASES = [TAU, FULL_DOMAIN]


@pytest.fixture(autouse=True)
def t(con: TestConnection, scratch: None) -> None:
    con.execute("CREATE TABLE t AS SELECT i AS a, 'b' || i % 2 AS b, i % 6 AS s FROM range(60) AS r(i)")


def sabotage(monkeypatch: pytest.MonkeyPatch, kernel: Callable[..., Any]) -> None:
    monkeypatch.setattr(partition, "load_kernel", lambda name: kernel)
    monkeypatch.setattr(partition, "warm_up", lambda *arguments, **options: None)


def together(data: Any, *, levels_down: int = 0, columns: int | None = None) -> Generalization:
    """All rows in one group, at the roots, or so many levels below; sensitive values as they are."""
    heights = data.space.levels[:, np.newaxis] - levels_down
    trees = 0 if data.trees is None else data.trees.codes.shape[0]
    levels = np.repeat(heights, data.sensitive.size, axis=1).astype(np.uint8)
    levels = np.vstack([levels, np.zeros((trees, data.sensitive.size), np.uint8)])[:columns]
    return Generalization(np.zeros(data.sensitive.size, np.int32), levels)


@pytest.mark.parametrize("release", RELEASES)
def test_an_honest_algorithm_passes_the_same_road(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, release: str
) -> None:
    sabotage(monkeypatch, lambda data, *parameters: together(data))
    assert con.rows(f"SELECT count(*), min(a), max(b) FROM {release}") == [(60, "*", "*")]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (lambda data, *_: together(data, levels_down=1), "rows of a group would publish different labels"),
        (lambda data, *_: together(data, levels_down=-1), "the algorithm gave levels that are none"),
        (lambda data, *_: together(data, columns=1), "the algorithm gave levels that are none"),
        (
            lambda data, *_: Generalization(np.arange(data.sensitive.size, dtype=np.int32), together(data).levels),
            "of a group|that a group induces",
        ),
        (
            lambda data, *_: Generalization(data.sensitive.astype(np.int32), together(data).levels),
            "of a group|that a group induces",
        ),
        (
            lambda data, *_: Generalization(np.full(data.sensitive.size, -1, np.int32), together(data).levels),
            "gave 0 of 60 rows a group",
        ),
    ],
    ids=["mixed labels", "levels above the root", "too few levels", "single rows", "one value", "no rows"],
)
def test_a_broken_promise_is_sa901(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, release: str, kernel: Callable[..., Any], message: str
) -> None:
    sabotage(monkeypatch, kernel)
    with pytest.raises(duckdb.Error, match=rf"\[SA901\] .*({message}).*Nothing was published"):
        con.rows(f"FROM {release}")


def test_more_rows_left_out_than_may_be_are_sa901(con: TestConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaves_half_out(data: Any, *parameters: Any, suppress: float) -> Generalization:
        kept = together(data)
        kept.group_of[: kept.group_of.size // 2] = -1
        return kept

    sabotage(monkeypatch, leaves_half_out)
    release = FULL_DOMAIN.removesuffix(")") + ", options := {'suppress': %s})"
    assert con.rows(f"SELECT count(*) FROM {release % 0.5}") == [(30,)]
    with pytest.raises(duckdb.Error, match=r"\[SA901\] the algorithm gave 30 of 60 rows a group"):
        con.rows(f"FROM {release % 0.49}")


def test_generalized_values_that_still_tell_too_much_are_sa901(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shares of base values are recounted from the labels that would be published."""
    con.execute(
        "CREATE TABLE s_levels AS SELECT i AS s, 's' || i // 2 AS pair, '*' AS everything FROM range(6) AS r(i)"
    )

    def generalizes(data: Any, tau: float, l: int) -> Generalization:
        answer = together(data)
        few = data.trees.codes[0] < 2
        return Generalization(few.astype(np.int32), np.vstack([answer.levels[:2], np.ones((1, 60), np.uint8)]))

    sabotage(monkeypatch, generalizes)
    call = "taudiverse('t', ['a', 'b'], 's', {}, {}, taxonomy := {{'s': 's_levels'}})"
    con.rows(f"FROM {call.format(0.5, 2)}")  # two values, each in half
    with pytest.raises(duckdb.Error, match=r"\[SA901\] the values that a group induces take more than tau = 0.5"):
        con.rows(f"FROM {call.format(0.5, 3)}")
