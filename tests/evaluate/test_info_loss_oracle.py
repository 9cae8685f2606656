"""info_loss and attribute_loss against the oracle, on random releases; and what the algorithm minimised."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import duckdb
import pytest
from connections import TestConnection, store
from hypothesis import given
from hypothesis import strategies as st
from oracles.loss import Attribute

from .losses import attribute, check, checked, one

TYPES = {
    "num": "BIGINT",
    "real": "DOUBLE",
    "day": "DATE",
    "at": "TIMESTAMP",
    "cat": "VARCHAR",
    "flag": "BOOLEAN",
    "town": "VARCHAR",
    "floor": "SMALLINT",
    "sa": "VARCHAR",
}


TREES = {"town": ["a", "b", "c", "d", "e"], "floor": ["-1", "0", "1", "2"]}
"""Columns with a taxonomy, and its leaves; not all of them occur."""
source_row = st.tuples(
    st.one_of(st.none(), st.integers(-5, 5), st.integers(-(2**60), 2**60), st.sampled_from([2**60, 2**60 + 1])),
    st.one_of(st.none(), st.sampled_from([-0.0, 0.0, 0.1, 2.5, -1e300, 1e300]), st.floats(-100, 100)),
    st.one_of(st.none(), st.dates(datetime.date(2020, 1, 1), datetime.date(2020, 3, 1))),
    st.one_of(st.none(), st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2100, 1, 1))),
    st.sampled_from([None, "a", "b", "", "*", "[1, 2]", "x, y", "q\"o'te", "{a}", "NULL", "ü\n\\"]),
    st.sampled_from([None, True, False]),
    st.sampled_from([None, "a", "b", "c"]),
    st.sampled_from([None, -1, 0, 2]),
    st.sampled_from([None, "flu", "gout", "*", "{x}", "a}"]),
)


@st.composite
def taxonomies(draw: st.DrawFn, leaves: Sequence[str]) -> list[tuple[str, ...]]:
    """Merge labels level by level. A label with one child may be called like it, or otherwise: a chain."""
    level = list(leaves)
    levels = [level]
    for height in range(draw(st.integers(0, 2))):
        parts = {label: draw(st.integers(0, 2)) for label in sorted(set(level))}
        named = {}
        for part in set(parts.values()):
            children = [label for label in parts if parts[label] == part]
            alone = len(children) == 1 and draw(st.booleans())
            named[part] = children[0] if alone else f"level {height}, part {part}"
        level = [named[parts[label]] for label in level]
        levels.append(level)
    levels.append([draw(st.sampled_from(["*", "Any"]))] * len(leaves))
    return list(zip(*levels, strict=True))


@st.composite
def publications(draw: st.DrawFn) -> dict[str, Any]:
    names = [name for name in TYPES if name != "sa"]
    return {
        "rows": draw(st.lists(source_row, min_size=2, max_size=24)),
        "qi": draw(st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True)),
        "paths": {name: draw(taxonomies(leaves)) for name, leaves in TREES.items()},
        "recode": draw(st.sampled_from(["generalize", "suppress", "none"])),
        "format": draw(st.sampled_from(["text", "typed"])),
        "nulls": draw(st.sampled_from(["value", "value", "wildcard", "exclude"])),
        "least": draw(st.integers(2, 4)),
        "deleted": draw(st.sets(st.integers(0, 23), max_size=3)),
    }


def publish(con: TestConnection, case: dict[str, Any], private: str) -> bool:
    """Publish the random table as r; whether it could be."""
    store(con, "t", TYPES, case["rows"])
    for name, paths in case["paths"].items():
        store(con, f"{name} levels", {f"level{i}": "VARCHAR" for i in range(len(paths[0]))}, paths)
    case["taxonomy"] = {name: f'"{name} levels"' for name in case["qi"] if name in TREES}
    how = f"recode := '{case['recode']}', format := '{case['format']}', nulls := '{case['nulls']}'"
    trees = f"taxonomy := {case['taxonomy']}" if case["taxonomy"] else "taxonomy := NULL"
    try:
        con.execute(f"CREATE OR REPLACE TABLE r AS FROM {private}, {trees}, {how})")
    except duckdb.Error as error:
        assert "[SA201]" in str(error) or "[SA202]" in str(error)
        return False
    deleted = ", ".join(map(str, case["deleted"]))
    if deleted:
        con.execute(f"DELETE FROM r WHERE rowid IN ({deleted})")
    return True


def attributes_of(case: dict[str, Any]) -> list[Attribute]:
    at = list(TYPES)
    return [
        attribute(name, [row[at.index(name)] for row in case["rows"]], case["paths"].get(name)) for name in case["qi"]
    ]


@checked
@given(publications())
def test_a_kanonymous_release_costs_what_the_definitions_say(con: TestConnection, case: dict[str, Any]) -> None:
    case["recode"] = case["recode"].replace("none", "generalize")
    if publish(con, case, f"kanonymous('t', {case['qi']}, {case['least']}, keep := ['sa']"):
        check(con, attributes_of(case), case["taxonomy"], None)
        check(con, attributes_of(case), case["taxonomy"], [row[-1] for row in case["rows"]])


@checked
@given(publications())
def test_an_ldiverse_release_costs_what_the_definitions_say(con: TestConnection, case: dict[str, Any]) -> None:
    secrets = ["flu", "gout", "*", "{x}", "a}", None]
    case["rows"] = [(*row[:-1], secrets[i % 6]) for i, row in enumerate(case["rows"])]
    if publish(con, case, f"ldiverse('t', {case['qi']}, 'sa', 2"):
        answer = check(con, attributes_of(case), case["taxonomy"], [row[-1] for row in case["rows"]])
        assert 0 <= answer["gcp"] <= 1
        assert 0 <= answer["information"] <= 1


@checked
@given(publications())
def test_stars_cost_the_same_in_both_formats(con: TestConnection, case: dict[str, Any]) -> None:
    case |= {"nulls": "value", "recode": "suppress", "deleted": set()}
    found = []
    for format in ("text", "typed"):
        if not publish(con, case | {"format": format}, f"kanonymous('t', {case['qi']}, {case['least']}"):
            return
        trees = {name: f'"{name} levels"' for name in case["qi"] if name in TREES}
        found.append(one(con, f"FROM info_loss('t', 'r', {case['qi']}, taxonomy := {trees or 'NULL'})"))
    assert found[0] == {name: pytest.approx(value) for name, value in found[1].items()}


def test_the_cost_is_what_the_algorithm_minimised(con: TestConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlanon.udfs.grouping import partition
    from sqlanon.udfs.kernels.along_curve.swaps import total_loss

    con.execute("CREATE OR REPLACE TABLE t AS FROM census(2000)")
    qi = ["age", "gender", "education", "marital", "race", "workclass", "country"]
    trees = {name: f"census_taxonomy('{name}')" for name in qi if name not in ("age", "education")}
    taxonomy = "{" + ", ".join(f"'{name}': 'census_taxonomy(''{name}'')'" for name in trees) + "}"
    seen: list[float] = []
    load_kernel = partition.load_kernel

    def watch(kernel: str) -> Any:
        partition = load_kernel(kernel)

        def run(data: Any, least: int, **options: Any) -> Any:
            group_of = partition(data, least, **options)
            count = int(group_of.max()) + 1
            seen.append(total_loss(data.codes.T.copy(), data.space, group_of, count) / data.codes.size)
            return group_of

        return run

    monkeypatch.setattr(partition, "load_kernel", watch)
    monkeypatch.setattr(partition, "warm_up", lambda *arguments, **options: None)
    for release in ("ldiverse('t', {}, 'occupation', 4", "kanonymous('t', {}, 10"):
        for format in ("text", "typed"):
            sql = f"FROM {release.format(qi)}, taxonomy := {taxonomy}, format := '{format}')"
            con.execute(f"CREATE OR REPLACE TABLE r AS {sql}")
            answer = one(con, f"FROM info_loss('t', 'r', {qi}, taxonomy := {taxonomy})")
            assert answer["gcp"] == pytest.approx(seen[-1], rel=1e-12)
    assert len(seen) == 4
