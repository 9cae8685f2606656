"""anonymize: any bounds together, judged by the oracle of privacy on what is published."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import duckdb
import numpy as np
import pytest
from connections import TestConnection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles import privacy as oracle
from sqlanon.udfs.grouping import partition
from thorough import examples

from sqlanon.release.algorithms import ALGORITHMS

ALGOS = [algorithm.name for algorithm in ALGORITHMS if algorithm.function == "anonymize"]

carefully = settings(
    deadline=None, max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture]
)

BOUNDS = st.fixed_dictionaries(
    {},
    optional={
        "k": st.integers(1, 5),
        "l": st.sampled_from((1, 1.5, 2, 3)),
        "distinct_l": st.sampled_from((1, 2, 2.5)),
        "entropy_l": st.sampled_from((1, 1.5, 2, 2.25)),
        "c": st.sampled_from((0.5, 1, 2, 5)),
        "t": st.sampled_from((0, 0.2, 0.4, 1)),
        "beta": st.sampled_from((0, 0.5, 1, 3)),
        "delta": st.sampled_from((0, 0.7, 1.5)),
    },
).filter(lambda bounds: bounds.keys() - {"c"} and ("c" not in bounds or bounds.get("l") in (1, 2, 3)))

ROWS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 3), st.integers(0, 6)), min_size=1, max_size=24
)
"""A number, a category, a sensitive value and a person."""


def call(algo: str, bounds: Mapping[str, float], more: str = "") -> str:
    """A release of the table t."""
    about_values = ", sa := 's'" if bounds.keys() - {"k"} else ""
    written = "".join(f", {name} := {value}" for name, value in bounds.items())
    return f"anonymize('t', ['a', 'b']{about_values}{written}, algo := '{algo}', seed := 1, keep := ['id']{more})"


def fill(con: TestConnection, rows: list[tuple[int, ...]]) -> None:
    con.execute("CREATE OR REPLACE TABLE t (id INTEGER, a INTEGER, b VARCHAR, s INTEGER, who INTEGER)")
    con.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", [(i, *row) for i, row in enumerate(rows)])


def broken(bounds: Mapping[str, float], rows: list[oracle.Row], by_person: bool) -> set[str]:
    """The bounds that some class breaks, by rows or by people. With c, l is a rank and no bound."""
    names = set()
    for people in {False, by_person}:
        violations = oracle.violations(oracle.classes(rows, by_person=people), **bounds)  # type: ignore[arg-type]
        names |= {name for each, _ in violations.values() for name in each}
    return names - ({"l"} if "c" in bounds else set())


def publish(con: TestConnection, release: str) -> list[tuple[Any, ...]] | str:
    """The rows of a release, or what it is refused for."""
    try:
        return con.execute(f"FROM {release}").fetchall()
    except duckdb.Error as error:
        return str(error)


@carefully
@given(ROWS, BOUNDS, st.sampled_from(ALGOS), st.booleans())
def test_every_published_class_and_group_keeps_every_bound_if_the_whole_table_does(
    con: TestConnection, rows: list[tuple[int, ...]], bounds: dict[str, float], algo: str, people: bool
) -> None:
    fill(con, rows)
    answer = publish(con, call(algo, bounds, ", entity := 'who'" if people else ""))
    whole = broken(bounds, [oracle.Row((), row[2], row[3]) for row in rows], people)
    if isinstance(answer, str):
        assert whole and re.search(r"\[SA20[12]\]", answer), answer
        return
    assert not whole
    assert sorted(row[-1] for row in answer) == list(range(len(rows)))
    for columns in (slice(1, 3), slice(0, 1)):
        published = [oracle.Row(row[columns], rows[row[-1]][2], rows[row[-1]][3]) for row in answer]
        assert broken(bounds, published, people) == set()


@carefully
@given(ROWS, st.sampled_from(("l", "distinct_l", "entropy_l", "c")), st.booleans())
def test_what_cannot_be_kept_is_sa201_with_the_best_value_that_can(
    con: TestConnection, rows: list[tuple[int, ...]], bound: str, people: bool
) -> None:
    fill(con, rows)
    entity = ", entity := 'who'" if people else ""
    whole = [oracle.Row((), row[2], row[3]) for row in rows]
    impossible = {"l": 2, "c": 1e-9} if bound == "c" else {bound: 2 * len(rows) if bound != "l" else len(rows) + 0.5}
    size = len({row[3] for row in rows} if people else rows)
    if bound == "l" or size < 2:
        impossible = {**impossible, "l": min(size, 2)} if bound == "c" else {bound: size}
    if not broken(impossible, whole, people):
        return
    answer = publish(con, call("mondrian", impossible, entity))
    assert isinstance(answer, str) and "[SA201]" in answer
    best = re.search(rf"Try {bound} := ([\d.]+)\.", answer)
    if best is None:
        assert "the only value" in answer or "lower l" in answer
        return
    stronger = 0.99999 if bound == "c" else 1.00001
    assert not broken({**impossible, bound: float(best[1])}, whole, people)
    assert broken({**impossible, bound: float(best[1]) * stronger}, whole, people)
    assert not isinstance(publish(con, call("mondrian", {**impossible, bound: best[1]}, entity)), str)


def test_every_bound_that_fails_is_named_with_its_best_value(con: TestConnection) -> None:
    fill(con, [(i, 0, value, i) for i, value in enumerate((0, 0, 0, 0, 1, 1, 1, 2, 2))])
    with pytest.raises(
        duckdb.Error, match=r"l = 3 and entropy_l = 4 cannot be kept.*Try l := 2.25, entropy_l := 2.888"
    ):
        con.execute(f"FROM {call('topdown', {'k': 2, 'l': 3, 'entropy_l': 4, 't': 0})}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "SA102.*anonymize needs a bound"),
        ("l := 2", "SA102.*l needs sa"),
        ("k := 2, t := 0.5", "SA102.*t needs sa"),
        ("sa := 's', k := 2", "SA102.*k alone protects no sensitive attribute"),
        ("sa := 's', c := 2", "SA102.*c is given without l"),
        ("sa := 's', c := 2, l := 2.5", "SA102.*l must be a whole number"),
        ("sa := 's', l := 0.5", "SA102.*l = 0.5 is out of range"),
        ("sa := 's', t := 1.5", "SA102.*t = 1.5 is out of range"),
        ("sa := 's', l := 2, algo := 'anatomy'", "SA102.*algo: 'anatomy' is not known"),
        ("sa := 's', l := 2, recode := 'none'", "SA102.*keeps bounds of classes"),
        ("sa := 's', l := 2, t := 0.5, algo := 'incognito', options := {'suppress': 0.1}", "SA102.*t compare"),
        ("sa := 's', k := 7, l := 2", "SA202.*the table has 6 rows; k = 7"),
        ("sa := 's', l := 2, tbl := '(SELECT * FROM t WHERE id < 0)'", "SA202.*the table is empty"),
        ("sa := 's', t := 0.1, tbl := '(SELECT * FROM t WHERE id < 0)'", "SA202.*the table is empty"),
    ],
)
def test_what_is_wrong_is_said(con: TestConnection, arguments: str, message: str) -> None:
    fill(con, [(i, i, i % 3, i) for i in range(6)])
    table = "" if "tbl" in arguments else "'t', "
    with pytest.raises(duckdb.Error, match=message):
        con.execute(f"FROM anonymize({table}qi := ['a'], {arguments or 'seed := 1'})")


def test_with_c_l_is_no_bound_where_all_bounds_are_given_either(con: TestConnection) -> None:
    fill(con, [(0, 0, value, i) for i, value in enumerate((0, 0, 0, 0, 1, 1, 1))])
    bounds = {"k": 1, "l": 2, "distinct_l": 1, "entropy_l": 1, "c": 2, "t": 0, "beta": 0, "delta": 0}
    for algo in ("topdown", "refined"):
        assert len(publish(con, call(algo, bounds))) == 7


def test_rows_may_be_left_out_where_no_bound_compares_with_the_whole(con: TestConnection) -> None:
    fill(con, [(i % 2, 0, i % 4, i) for i in range(40)] + [(9, 0, 0, 90), (9, 0, 0, 91)])
    bounds = {"k": 3, "l": 2, "entropy_l": 2, "distinct_l": 2}
    answer = publish(con, call("incognito", bounds, ", options := {'suppress': 0.05, 'bins': 0}"))
    assert {row[1] for row in answer} == {"0", "1"}
    assert len(answer) == 40


def test_each_of_several_sensitive_attributes_keeps_every_bound(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE pairs AS SELECT i AS a, i % 5 AS s, i // 7 % 4 AS z FROM range(120) AS r(i)")
    for algo in ALGOS:
        release = f"anonymize('pairs', ['a'], ['s', 'z'], k := 4, l := 2, t := 0.3, algo := '{algo}', seed := 1)"
        con.execute(f"CREATE OR REPLACE TABLE release AS FROM {release}")
        for attribute in ("s", "z"):
            measures = con.execute(f"SELECT k, frequency_l, t FROM privacy('release', ['a'], '{attribute}')")
            ((k, l, t),) = measures.fetchall()
            assert k >= 4 and l >= 2 and t <= 0.3


BREAKS = {
    "k": ("k := 2, l := 1", "fewer than k = 2 rows"),
    "l": ("l := 1.5", "takes more than 1/1.5 of the rows"),
    "distinct_l": ("distinct_l := 2", "fewer than 2 sensitive values"),
    "entropy_l": ("entropy_l := 1.5", "less mixed than entropy_l = 1.5"),
    "t": ("t := 0.2", "farther than t = 0.2"),
    "c": ("l := 2, c := 2", "too many rows for c = 2"),
    "beta": ("beta := 0.5", "more than beta = 0.5 allows"),
    "delta": ("delta := 0.5", "more than delta = 0.5 allows"),
}


def sabotage(monkeypatch: pytest.MonkeyPatch, group_of: list[int]) -> None:
    """Let every algorithm make these groups."""
    monkeypatch.setattr(partition, "load_kernel", lambda name: lambda *_, **__: np.array(group_of, np.int32))
    monkeypatch.setattr(partition, "warm_up", lambda *arguments, **options: None)


@pytest.mark.parametrize("bound", BREAKS)
def test_a_kernel_that_breaks_a_bound_publishes_nothing(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    """Of each bound by itself: others, which the groups keep, do not hide it."""
    groups = [0, 1, 2, 2, 2, 2] if bound == "k" else [0, 0, 1, 1, 1, 1]
    fill(con, [(group, 0, value, i) for i, (group, value) in enumerate(zip(groups, (0, 0, 1, 2, 1, 2), strict=True))])
    sabotage(monkeypatch, groups)
    bounds, words = BREAKS[bound]
    with pytest.raises(duckdb.Error, match=rf"\[SA901\].*{re.escape(words)}"):
        con.execute(f"FROM anonymize('t', ['a'], 's', {bounds}, algo := 'mondrian')").fetchall()


def test_groups_that_hold_for_people_and_are_a_class_that_does_not_publish_nothing(
    con: TestConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(con, [(0, 0, 0, 1), (1, 0, 1, 2), (0, 0, 1, 1), (1, 0, 0, 2), (5, 0, 2, 3), (6, 0, 3, 4)])
    sabotage(monkeypatch, [0, 0, 1, 1, 2, 2])
    monkeypatch.setattr(partition, "joined_for_people", lambda group_of, *others: group_of)
    with pytest.raises(duckdb.Error, match=r"SA901.*a sensitive value takes more than 1/2 of the people of a class"):
        con.execute("FROM anonymize('t', ['a'], 's', k := 2, l := 2, t := 0.9, entity := 'who')").fetchall()
