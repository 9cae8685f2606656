"""What a release cost: info_loss and attribute_loss against the plain-Python oracle, and by hand at the edges."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lent import Lent, Row, store
from oracles import loss
from oracles.loss import Attribute

checked = settings(max_examples=30, deadline=None, database=None)

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
READ = {"num": int, "real": float, "day": datetime.date.fromisoformat, "at": datetime.datetime.fromisoformat}
TREES = {"town": ["a", "b", "c", "d", "e"], "floor": ["-1", "0", "1", "2"]}
"""Columns with a taxonomy, and its leaves; not all of them occur."""


def answers(con: Lent, sql: str, *parameters: object) -> list[dict[str, Any]]:
    result = con.execute(sql, list(parameters))
    names = [column[0] for column in result.description]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def one(con: Lent, sql: str) -> dict[str, Any]:
    [answer] = answers(con, sql)
    return answer


def close(answer: dict[str, Any]) -> dict[str, Any]:
    """Measures equal up to rounding; counts, texts and NULL exactly."""
    return {
        name: pytest.approx(float(measure), rel=1e-9, abs=1e-12) if isinstance(measure, Fraction) else measure
        for name, measure in answer.items()
    }


def text_of(value: Any) -> Any:
    """As DuckDB writes categories."""
    return value if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def attribute(name: str, values: Sequence[Any], paths: Sequence[tuple[str, ...]] | None = None) -> Attribute:
    if name in READ:
        return Attribute(name, values, READ[name])
    return Attribute(name, [text_of(value) for value in values], paths=paths)


def check(
    con: Lent, attributes: list[Attribute], taxonomy: dict[str, str], source_sa: Sequence[Any] | None, rel: str = "r"
) -> dict[str, Any]:
    """Both functions against the oracle, for the release as it is now; returns what info_loss answered."""
    qi = [each.name for each in attributes]
    columns = ", ".join(f'"{name}"' for name in qi)
    release = con.execute(f"SELECT {columns} FROM {rel}").fetchall()
    trees = f"taxonomy := {taxonomy}" if taxonomy else "taxonomy := NULL"
    released_sa: list[Any] = []
    if source_sa is not None:
        released_sa = [row[0] for row in con.execute(f"SELECT sa FROM {rel}").fetchall()]
    given_sa = "" if source_sa is None else ", sa := 'sa'"
    answer = one(con, f"FROM info_loss('t', '{rel}', {qi}, {trees}{given_sa})")
    assert answer == close(loss.info_loss(attributes, release, source_sa, released_sa))
    each = answers(con, f"FROM attribute_loss('t', '{rel}', {qi}, {trees})")
    assert each == [close(expected) for expected in loss.attribute_loss(attributes, release)]
    return answer


# ---- random tables and taxonomies, as they are published

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


def publish(con: Lent, case: dict[str, Any], private: str) -> bool:
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
def test_a_kanonymous_release_costs_what_the_definitions_say(con: Lent, case: dict[str, Any]) -> None:
    case["recode"] = case["recode"].replace("none", "generalize")
    if publish(con, case, f"kanonymous('t', {case['qi']}, {case['least']}, keep := ['sa']"):
        check(con, attributes_of(case), case["taxonomy"], None)
        check(con, attributes_of(case), case["taxonomy"], [row[-1] for row in case["rows"]])


@checked
@given(publications())
def test_an_ldiverse_release_costs_what_the_definitions_say(con: Lent, case: dict[str, Any]) -> None:
    secrets = ["flu", "gout", "*", "{x}", "a}", None]
    case["rows"] = [(*row[:-1], secrets[i % 6]) for i, row in enumerate(case["rows"])]
    if publish(con, case, f"ldiverse('t', {case['qi']}, 'sa', 2"):
        answer = check(con, attributes_of(case), case["taxonomy"], [row[-1] for row in case["rows"]])
        assert 0 <= answer["gcp"] <= 1
        assert 0 <= answer["information"] <= 1


@checked
@given(publications())
def test_stars_cost_the_same_in_both_formats(con: Lent, case: dict[str, Any]) -> None:
    case |= {"nulls": "value", "recode": "suppress", "deleted": set()}
    found = []
    for format in ("text", "typed"):
        if not publish(con, case | {"format": format}, f"kanonymous('t', {case['qi']}, {case['least']}"):
            return
        trees = {name: f'"{name} levels"' for name in case["qi"] if name in TREES}
        found.append(one(con, f"FROM info_loss('t', 'r', {case['qi']}, taxonomy := {trees or 'NULL'})"))
    assert found[0] == {name: pytest.approx(value) for name, value in found[1].items()}


# ---- worked by hand


def table(con: Lent, name: str, columns: str, *rows: Row) -> None:
    """A table of a few rows, its columns with their types."""
    store(con, name, dict(column.split(maxsplit=1) for column in columns.split(", ")), rows)


PATIENTS = [(20, "a", "flu"), (25, "a", "gout"), (40, "b", "flu"), (60, "c", "cold"), (60, None, "gout")]


@pytest.fixture
def patients(con: Lent) -> None:
    table(con, "t", "age INTEGER, city VARCHAR, sa VARCHAR", *PATIENTS)


def test_a_small_release_costs_what_was_worked_out_by_hand(con: Lent, patients: None) -> None:
    release = [("[20, 25]", "a", "flu"), ("[20, 25]", "a", "gout"), ("[40, 60]", "*", "flu"), ("[40, 60]", "*", "cold")]
    table(con, "r", "age VARCHAR, city VARCHAR, sa VARCHAR", *release)
    # ages 20 … 60: [20, 25] loses 5/40, [40, 60] 20/40; of 4 ages each covers 2. `*` covers a, b, c and NULL.
    # One of 5 rows is suppressed: it loses 1 of every column, and adds 5 to dm.
    age = {"attribute": "age", "ncp": (2 * 5 / 40 + 2 * 20 / 40 + 1) / 5, "stars": 0, "information": (4 * 1 / 2) / 5}
    city = {"attribute": "city", "ncp": (2 * 0 + 2 * 1 + 1) / 5, "stars": 2, "information": (2 * 1 + 2 * 1 / 4) / 5}
    each = answers(con, "FROM attribute_loss('t', 'r', ['age', 'city'])")
    assert each == [pytest.approx(age), pytest.approx(city)]
    assert one(con, "FROM info_loss('t', 'r', ['age', 'city'])") == {
        "source_rows": 5,
        "release_rows": 4,
        "suppressed_rows": 1,
        "classes": 2,
        "avg_class_size": 2.0,
        "dm": 2**2 + 2**2 + 5,
        "gcp": pytest.approx((0.45 + 0.6) / 2),
        "stars": 2,
        "starred_rows": 2,
        "information": pytest.approx((0.4 + 0.5) / 2),
    }
    # 4 of 5 rows tell their own sensitive value
    with_sa = one(con, "SELECT information FROM info_loss('t', 'r', ['age', 'city'], sa := 'sa')")
    assert with_sa["information"] == pytest.approx((0.4 + 0.5 + 0.8) / 3)


def test_the_same_release_typed_costs_the_same(con: Lent, patients: None) -> None:
    low, high = {"lo": 20, "hi": 25}, {"lo": 40, "hi": 60}
    types = "STRUCT(lo INTEGER, hi INTEGER)"
    for star in (["*"], ["a", "b", "c", None]):
        store(con, "r", {"age": types, "city": "VARCHAR[]"}, [(low, ["a"]), (low, ["a"]), *[(high, star)] * 2])
        answer = one(con, "SELECT gcp, stars, starred_rows, information FROM info_loss('t', 'r', ['age', 'city'])")
        assert answer == pytest.approx({"gcp": 0.525, "stars": 2, "starred_rows": 2, "information": 0.45})


def test_a_release_that_is_its_source_costs_nothing(con: Lent, patients: None) -> None:
    answer = one(con, "FROM info_loss('t', 't', ['age', 'city'], sa := 'sa')")
    assert (answer["gcp"], answer["stars"], answer["information"], answer["dm"]) == (0, 0, 1, 5)


def test_a_sensitive_list_tells_one_of_its_distinct_values(con: Lent) -> None:
    table(con, "t", "q INTEGER, sa INTEGER", (1, 7), (1, 7), (1, 8), (1, None))
    for cell, kind in (("{7, 7, 8, NULL}", "VARCHAR"), ([7, 7, 8, None], "INTEGER[]")):
        table(con, "r", f"q VARCHAR, sa {kind}", *[("1", cell)] * 4)
        # q tells everything, sa 1 of {7, 8, NULL}
        answer = one(con, "FROM info_loss('t', 'r', ['q'], sa := 'sa')")
        assert answer["information"] == pytest.approx((1 + 1 / 3) / 2)


def test_sensitive_values_with_commas_are_found_again_in_a_list_of_text(con: Lent) -> None:
    values = ("a", "a, b", "b, c", "a, b, c")
    table(con, "t", "q INTEGER, sa VARCHAR", *enumerate(values))
    for cell, distinct in (("{a, a, b, a, b, a, b, c, b, c}", 4), ("{a, b, a, b}", 1), ("{a, b, b, c}", 2)):
        table(con, "r", "q VARCHAR, sa VARCHAR", *((str(q), cell) for q in range(4)))
        answer = one(con, "FROM info_loss('t', 'r', ['q'], sa := 'sa')")
        assert answer["information"] == pytest.approx((1 + 1 / distinct) / 2)


def test_a_comma_between_two_values_separates_them(con: Lent) -> None:
    table(con, "t", "q INTEGER, sa VARCHAR", (1, "a"), (1, "b"), (1, "a, b"))
    table(con, "r", "q VARCHAR, sa VARCHAR", *[("1", "{a, b}")] * 3)
    answer = one(con, "FROM info_loss('t', 'r', ['q'], sa := 'sa')")
    assert answer["information"] == pytest.approx((1 + 1 / 2) / 2)


def test_a_starred_sensitive_value_may_be_any(con: Lent) -> None:
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
    con: Lent, top: str, values: list[str | None], cells: list[str]
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


def test_a_label_that_the_taxonomy_of_the_sensitive_attribute_lacks_is_a_mismatch(con: Lent) -> None:
    store(con, "levels", {"leaf": "VARCHAR", "top": "VARCHAR"}, [("a", "Any"), ("b", "Any")])
    store(con, "t", {"q": "INTEGER", "sa": "VARCHAR"}, [(1, "a")])
    store(con, "r", {"q": "INTEGER", "sa": "VARCHAR"}, [(1, "north")])
    message = con.refused("FROM info_loss('t', 'r', ['q'], sa := 'sa', taxonomy := {'sa': 'levels'})")
    assert "[SA301] column 'sa' of rel" in message
    store(con, "levels", {"leaf": "VARCHAR", "top": "VARCHAR"}, [("b", "Any")])
    message = con.refused("FROM info_loss('t', 'r', ['q'], sa := 'sa', taxonomy := {'sa': 'levels'})")
    assert "[SA105] the taxonomy of column 'sa'" in message


def test_a_range_may_end_between_and_beyond_the_values_of_the_source(con: Lent) -> None:
    table(con, "t", "age INTEGER", (21,), (25,), (33,), (61,))
    table(con, "r", "age VARCHAR", ("[20, 29]",), ("[20, 29]",), ("[30, 39]",), ("[60, 69]",))
    # of the 40 years from 21 to 61, each range takes 9; they hold 2, 2, 1 and 1 ages of the source
    answer = one(con, "FROM info_loss('t', 'r', ['age'])")
    assert answer["gcp"] == pytest.approx(9 / 40)
    assert answer["information"] == pytest.approx((1 / 2 + 1 / 2 + 1 + 1) / 4)
    check(con, [Attribute("age", [21, 25, 33, 61], int)], {}, None)


def test_a_range_loses_at_most_everything_and_nothing_if_there_is_one_value(con: Lent) -> None:
    table(con, "r", "age VARCHAR", ("[0, 100]",), ("[0, 100]",))
    for second, gcp in ((22, 1), (21, 0)):
        table(con, "t", "age INTEGER", (21,), (second,))
        assert one(con, "FROM info_loss('t', 'r', ['age'])")["gcp"] == gcp


def test_classes_are_told_apart_by_what_is_published_alone(con: Lent) -> None:
    table(con, "t", "age INTEGER", *[(age,) for age in (1, 1, 9, 9)])
    table(con, "r", "group_id INTEGER, age VARCHAR", (1, "[1, 9]"), (1, "[1, 9]"), (2, "[1, 9]"), (2, "[1, 9]"))
    answer = one(con, "FROM info_loss('t', 'r', ['age'])")
    assert (answer["classes"], answer["avg_class_size"], answer["dm"]) == (1, 4.0, 16)


LEVELS = [("a", "A", "AB", "*"), ("b", "B", "AB", "*"), ("c", "C", "CD", "*"), ("d", "C", "CD", "*")]


@pytest.mark.parametrize("root", ["*", "Any"])
def test_labels_lose_the_share_of_their_leaves(con: Lent, root: str) -> None:
    paths = [(*path[:-1], root) for path in LEVELS]
    values, labels = ["a", "b", "a", None, "c"], ["A", "AB", root, "a", "C"]
    store(con, "levels", {f"l{i}": "VARCHAR" for i in range(4)}, paths)
    table(con, "t", "town VARCHAR", *[(value,) for value in values])
    table(con, "r", "town VARCHAR", *[(label,) for label in labels])
    answer = check(con, [attribute("town", values, paths)], {"town": "levels"}, None)
    # A has one leaf, AB two of four, the root all, C two: one of them does not occur, and counts. `*` covers NULL too.
    assert answer["gcp"] == pytest.approx((0 + 2 / 4 + 1 + 0 + 2 / 4) / 5)
    assert answer["stars"] == (1 if root == "*" else 0)
    assert answer["information"] == pytest.approx((1 + 1 / 2 + (1 / 5 if root == "*" else 1 / 4) + 1 + 1 / 2) / 5)


def test_a_list_that_stops_short_of_the_domain_is_no_star(con: Lent) -> None:
    store(con, "levels", {f"l{i}": "VARCHAR" for i in range(4)}, LEVELS)
    table(con, "t", "town VARCHAR", ("a",), ("b",), ("c",), (None,))
    release = [(["a", "b", "c", "d"],), (["a", "b", "c", "d", None],), (["c", "d"],), (["a"],)]
    table(con, "r", "town VARCHAR[]", *release)
    answer = check(con, [attribute("town", ["a", "b", "c", None], LEVELS)], {"town": "levels"}, None)
    assert answer["stars"] == 1
    assert answer["gcp"] == pytest.approx((1 + 1 + 2 / 4 + 0) / 4)


@pytest.mark.parametrize("format", ["text", "typed"])
def test_what_is_no_number_is_a_whole_range_away(con: Lent, format: str) -> None:
    values = [-math.inf, 1.0, 2.0, 5.0, math.inf, math.nan, math.nan, None]
    table(con, "t", "real DOUBLE", *[(value,) for value in values])
    for k in (1, 2, 3):
        con.execute(f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['real'], {k}, format := '{format}')")
        check(con, [Attribute("real", values, float)], {}, None)
    cells = [
        "[-inf, 1.0]", "[1.0, 2.0]", "[2.0, inf]", "[5.0, nan]", "[inf, nan]", "nan", "inf", "*",
    ]  # fmt: skip
    table(con, "r", "real VARCHAR", *[(cell,) for cell in cells])
    answer = check(con, [Attribute("real", values, float)], {}, None)
    # 1 … 5 are 4 long: [1, 2] loses a quarter, single values nothing, whatever reaches beyond everything
    assert answer["gcp"] == pytest.approx((1 + 1 / 4 + 1 + 1 + 1 + 0 + 0 + 1) / 8)


def test_endless_dates_are_a_whole_range_away(con: Lent) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT unnest(['2024-01-01', '2024-01-11', 'infinity'])::DATE AS day")
    table(con, "r", "day VARCHAR", ("[2024-01-01, 2024-01-06]",), ("[2024-01-11, infinity]",), ("infinity",))
    answer = one(con, "FROM info_loss('t', 'r', ['day'])")
    assert answer["gcp"] == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert answer["information"] == pytest.approx((1 + 1 / 2 + 1) / 3)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("BIGINT", [2**62, 2**62 + 1, 2**62 + 4]),
        ("UBIGINT", [2**64 - 5, 2**64 - 4, 2**64 - 1]),
        ("DECIMAL(10, 2)", ["1.10", "1.20", "1.50"]),
        ("FLOAT", ["0.5", "0.75", "1.5"]),
        ("DECIMAL(18, 4)", [f"99999999999000.000{i}" for i in (1, 2, 5)]),
        ("DECIMAL(38, 0)", ["9" * 37 + str(i) for i in (1, 2, 5)]),
        ("HUGEINT", [10, 11, 14]),
        ("HUGEINT", [2**127 - 5, 2**127 - 4, 2**127 - 1]),
        ("HUGEINT", [-(2**127), -(2**127) + 1, -(2**127) + 4]),
        ("UHUGEINT", [2**128 - 5, 2**128 - 4, 2**128 - 1]),
        ("BIGNUM", [10**400 + 1, 10**400 + 2, 10**400 + 5]),
        ("BIGNUM", [-(10**400), -(10**400) // 2, 10**400]),
        ("TIME_NS", [f"10:00:00.00000000{i}" for i in (1, 2, 5)]),
        ("INTERVAL", ["360 days", "1 year 2 days", "368 days"]),
        ("INTERVAL", [f"170000000 years 00:00:00.00000{i}" for i in (1, 2, 5)]),
        ("DATE", [f"5000000-01-0{i}" for i in (1, 2, 5)]),
        ("TIMESTAMP", [f"290000-01-01 00:00:00.00000{i}" for i in (1, 2, 5)]),
        ("TIME", ["10:00:00", "10:15:00", "11:00:00"]),
        ("INTERVAL", ["1 day", "2 days", "5 days"]),
        ("TIMESTAMP_NS", [f"2024-01-01 00:00:00.00000000{i}" for i in (1, 2, 5)]),
        ("TIMESTAMP_S", [f"2024-01-01 00:00:0{i}" for i in (1, 2, 5)]),
        ("TIMESTAMPTZ", [f"2024-01-01 00:00:0{i}+00" for i in (1, 2, 5)]),
    ],
)
@pytest.mark.parametrize("format", ["text", "typed"])
def test_every_measured_type_has_a_length(con: Lent, kind: str, values: list[Any], format: str) -> None:
    # the second of three values is a quarter of the way from the first to the last
    listed = [str(value) for value in values] if kind == "BIGNUM" else values
    con.execute(f"CREATE OR REPLACE TABLE t AS SELECT unnest({listed * 2})::{kind} AS q").fetchall()
    con.execute(f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['q'], 4, format := '{format}')")
    assert one(con, "FROM attribute_loss('t', 'r', ['q'])")["ncp"] == 1.0
    con.execute(f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['q'], 2, format := '{format}')")
    assert one(con, "FROM info_loss('t', 'r', ['q'])")["information"] == 1.0
    part = f"(SELECT q FROM t WHERE q <> ''{values[2]}''::{kind})"
    con.execute(f"CREATE OR REPLACE TABLE r AS FROM kanonymous('{part}', ['q'], 4, format := '{format}')")
    answer = one(con, "FROM info_loss('t', 'r', ['q'])")
    assert answer["gcp"] == pytest.approx((4 / 4 + 2) / 6)
    assert answer["information"] == pytest.approx((4 / 2) / 6)


wide_numbers = st.one_of(
    st.tuples(st.just("HUGEINT"), st.just(0), st.integers(-(2**127), 2**127 - 1)),
    st.tuples(st.just("BIGNUM"), st.just(0), st.sampled_from([10**400, -(10**400), 10**30, 10**17])),
    st.tuples(st.just("DECIMAL(38, 9)"), st.just(9), st.integers(-(10**38) + 10, 10**38 - 10)),
)


@settings(deadline=None, max_examples=30)
@given(wide_numbers, st.lists(st.integers(-9, 9), min_size=4, max_size=8), st.booleans())
def test_neighbours_keep_their_distance_whatever_digits_they_have(
    con: Lent, start: tuple[str, int, int], steps: list[int], typed: bool
) -> None:
    kind, scale, middle = start
    reach = {"HUGEINT": 2**127, "DECIMAL(38, 9)": 10**38}.get(kind, 10**500)
    numbers = [min(max(middle + step, -reach + 1), reach - 1) for step in steps]
    texts = [str(Decimal(number).scaleb(-scale, Context(prec=500))) for number in numbers]
    store(con, "t", {"q": kind}, [(f"{Decimal(text):f}",) for text in texts])
    con.execute(
        f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['q'], 2, format := '{'typed' if typed else 'text'}')"
    )
    groups: dict[int, list[Fraction]] = {}
    ends = "unnest([q.lo, q.hi])" if typed else "unnest(string_split(trim(q, '[]'), ', '))"
    for group_id, end in con.rows(f"SELECT group_id, CAST({ends} AS VARCHAR) FROM r"):
        groups.setdefault(group_id, []).append(Fraction(end))
    whole = max(map(Fraction, texts)) - min(map(Fraction, texts))
    sizes = dict(con.rows("SELECT group_id, count(*) FROM r GROUP BY ALL"))
    lost = sum(sizes[group_id] * (max(ends) - min(ends)) for group_id, ends in groups.items())
    expected = float(lost / whole / len(texts)) if whole else 0.0
    assert one(con, "FROM info_loss('t', 'r', ['q'])")["gcp"] == pytest.approx(expected, rel=1e-12)
    ordered = sorted(map(Fraction, texts))
    best = [Fraction(0), *[Fraction(10**600)] * len(ordered)]
    for end in range(2, len(ordered) + 1):  # groups of two or three neighbours: no cut loses less
        best[end] = min(
            best[end - size] + size * (ordered[end - 1] - ordered[end - size]) for size in (2, 3) if size <= end
        )
    assert lost == best[-1]


def test_the_cost_is_what_the_algorithm_minimised(con: Lent, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlanon.udfs import groups as groups_udf
    from sqlanon.udfs.kernels.swaps import total_loss

    con.execute("CREATE OR REPLACE TABLE t AS FROM census(2000)")
    qi = ["age", "gender", "education", "marital", "race", "workclass", "country"]
    trees = {name: f"census_taxonomy('{name}')" for name in qi if name not in ("age", "education")}
    taxonomy = "{" + ", ".join(f"'{name}': 'census_taxonomy(''{name}'')'" for name in trees) + "}"
    seen: list[float] = []
    load_kernel = groups_udf.load_kernel

    def watched(kernel: str) -> Any:
        partition = load_kernel(kernel)

        def run(data: Any, least: int, **options: Any) -> Any:
            group_of = partition(data, least, **options)
            count = int(group_of.max()) + 1
            seen.append(total_loss(data.codes.T.copy(), data.space, group_of, count) / data.codes.size)
            return group_of

        return run

    monkeypatch.setattr(groups_udf, "load_kernel", watched)
    monkeypatch.setattr(groups_udf, "warm_up", lambda partition, algo: None)
    for release in ("ldiverse('t', {}, 'occupation', 4", "kanonymous('t', {}, 10"):
        for format in ("text", "typed"):
            sql = f"FROM {release.format(qi)}, taxonomy := {taxonomy}, format := '{format}')"
            con.execute(f"CREATE OR REPLACE TABLE r AS {sql}")
            answer = one(con, f"FROM info_loss('t', 'r', {qi}, taxonomy := {taxonomy})")
            assert answer["gcp"] == pytest.approx(seen[-1], rel=1e-12)
    assert len(seen) == 4


# ---- where the tables come from


def test_columns_are_found_by_name_wherever_they_stand(con: Lent, patients: None) -> None:
    con.execute("CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['age', 'city'], 2)")
    straight = one(con, "FROM info_loss('t', 'r', ['age', 'city'])")
    con.execute("CREATE OR REPLACE TABLE turned AS SELECT 1 AS extra, city, group_id, age AS AGE, [1] AS more FROM r")
    assert one(con, "FROM info_loss('t', 'turned', ['age', 'city'])") == straight
    assert one(con, "FROM info_loss('(SELECT * FROM t)', 'SELECT * FROM turned', ['age', 'city'])") == straight
    assert one(con, "WITH c AS (FROM r) FROM info_loss('t', 'c', ['age', 'city'])") == straight
    backwards = one(con, "FROM info_loss('t', 'r', ['city', 'age'])")
    assert backwards == {name: pytest.approx(value) for name, value in straight.items()}
    each = answers(con, "FROM attribute_loss('t', 'r', ['city', 'age'])")
    assert [answer["attribute"] for answer in each] == ["city", "age"]


HOSTILE = ["n", "cell", "qi_1", "source", "select", 'a"b', "it's", "; DROP TABLE t; --", "domain_size", "ünï 字", "tbl"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_column_may_be_called_anything(con: Lent, name: str) -> None:
    quoted, text = '"' + name.replace('"', '""') + '"', name.replace("'", "''")
    for table in ("t", "source", "classes"):
        con.execute(f"CREATE OR REPLACE TABLE {table} ({quoted} INTEGER, other INTEGER)")
        con.execute(f"INSERT INTO {table} VALUES (1, 1), (2, 2), (3, 3), (5, 4)")
        con.execute(f"CREATE OR REPLACE TABLE released AS FROM kanonymous('{table}', ['{text}'], 2)")
        [answer] = answers(con, f"FROM attribute_loss('{table}', 'released', ['{text}'])")
        assert answer["attribute"] == name
        assert answer["ncp"] == pytest.approx((1 + 1 + 2 + 2) / 4 / 4)
        con.execute(f"DROP TABLE {table}; DROP TABLE released")


def test_without_rows_there_are_counts_and_no_measures(con: Lent) -> None:
    table(con, "t", "age INTEGER, town VARCHAR, sa VARCHAR")
    table(con, "r", "age VARCHAR, town VARCHAR, sa VARCHAR")
    store(con, "levels", {f"l{i}": "VARCHAR" for i in range(4)}, LEVELS)
    attributes = [attribute("age", [])], [attribute("town", [], LEVELS)]
    for [each], trees in zip(attributes, ({}, {"town": "levels"}), strict=True):
        answer = check(con, [each], trees, [])
        assert (answer["dm"], answer["gcp"], answer["information"]) == (0, None, None)


def test_an_empty_release_has_lost_everything(con: Lent, patients: None) -> None:
    table(con, "r", "age VARCHAR, city VARCHAR, sa VARCHAR")
    answer = one(con, "FROM info_loss('t', 'r', ['age', 'city'], sa := 'sa')")
    assert (answer["suppressed_rows"], answer["classes"], answer["avg_class_size"]) == (5, 0, None)
    assert (answer["dm"], answer["gcp"], answer["stars"], answer["information"]) == (25, 1, 0, 0)
    each = answers(con, "FROM attribute_loss('t', 'r', ['age', 'city'])")
    assert [answer["ncp"] for answer in each] == [1, 1]


def test_a_list_covers_what_it_names_whatever_rows_left_out_have_in_between(con: Lent) -> None:
    table(con, "t", "city VARCHAR", ("a",), ("a",), ("b",), ("c",), ("c",), ("d",), (None,))
    table(con, "r", "city VARCHAR[]", *[(["a", "c"],)] * 4, (["d"],))
    # of 7 rows, 2 are suppressed: they lose everything, and so do 4 cells of two values without a taxonomy
    [answer] = answers(con, "FROM attribute_loss('t', 'r', ['city'])")
    city = {"attribute": "city", "ncp": (2 + 4) / 7, "stars": 0, "information": (4 * 1 / 2 + 1) / 7}
    assert answer == pytest.approx(city)


# ---- what is refused


@pytest.mark.parametrize("function", ["info_loss", "attribute_loss"])
def test_a_release_with_more_rows_than_its_source_is_refused(con: Lent, patients: None, function: str) -> None:
    message = con.refused(f"FROM {function}('t', '(FROM t UNION ALL FROM t)', ['age'])")
    assert "[SA301] rel has more rows than src." in message


@pytest.mark.parametrize("function", ["info_loss", "attribute_loss"])
def test_a_column_that_is_missing_is_named(con: Lent, patients: None, function: str) -> None:
    con.execute("CREATE OR REPLACE TABLE ages AS SELECT age FROM t")
    message = con.refused(f"FROM {function}('t', 'ages', ['age', 'city'])")
    assert "[SA301] there is no column 'city' in rel." in message
    message = con.refused(f"FROM {function}('ages', 't', ['age', 'city'])")
    assert "[SA101] there is no column 'city' in src." in message


def test_a_sensitive_column_that_is_missing_is_named(con: Lent, patients: None) -> None:
    con.execute("CREATE OR REPLACE TABLE ages AS SELECT age FROM t")
    assert "[SA301] there is no column 'sa' in rel." in con.refused("FROM info_loss('t', 'ages', ['age'], sa := 'sa')")
    assert "[SA101] there is no column 'sa' in src." in con.refused("FROM info_loss('ages', 't', ['age'], sa := 'sa')")


def test_of_a_column_that_neither_table_has_the_source_s_error_is_told(con: Lent) -> None:
    con.execute("CREATE OR REPLACE TABLE many AS SELECT i AS age FROM range(5000) AS r(i)")
    for _ in range(10):  # whichever was read first used to win
        assert "[SA101]" in con.refused("FROM info_loss('many', 'many', ['age', 'nowhere'])")


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("age", "4711"), ("age", "[4711, 4712]"), ("age", "22"), ("age", "[60, 20]"), ("age", "[21, 24]"),
        ("age", "secret4711"), ("age", "[20, 25, 4711]"), ("age", "[20, ]"), ("age", None), ("age", ""),
        ("city", "secret4711"), ("city", "[a, b]"), ("city", ""), ("city", "A"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("function", ["info_loss", "attribute_loss"])
def test_a_value_outside_the_domain_is_refused_and_not_shown(
    con: Lent, patients: None, function: str, column: str, cell: str | None
) -> None:
    table(con, "r", f"{column} VARCHAR", (cell,))
    message = con.refused(f"FROM {function}('t', 'r', ['{column}'])")
    assert f"[SA301] column '{column}' of rel has a value that lies outside the domain of src." in message
    assert "4711" not in message


@pytest.mark.parametrize(
    ("column", "kind", "cell"),
    [
        ("age", "STRUCT(lo INTEGER, hi INTEGER)", {"lo": 4711, "hi": 4712}),
        ("age", "STRUCT(lo INTEGER, hi INTEGER)", {"lo": 20, "hi": None}),
        ("age", "STRUCT(lo INTEGER, hi INTEGER)", {"lo": None, "hi": 20}),
        ("age", "VARCHAR[]", ["20", "25"]),
        ("city", "VARCHAR[]", ["4711"]),
        ("city", "VARCHAR[]", ["a", "4711"]),
        ("city", "VARCHAR[]", ["a", "b", "c", "4711"]),
        ("city", "VARCHAR[]", ["a", "c", "4711"]),
        ("city", "VARCHAR[]", ["a", None]),
        ("city", "VARCHAR[]", []),
    ],
)
def test_a_typed_value_outside_the_domain_is_refused_and_not_shown(
    con: Lent, patients: None, column: str, kind: str, cell: object
) -> None:
    store(con, "r", {column: kind}, [(cell,)])
    message = con.refused(f"FROM info_loss('t', 'r', ['{column}'])")
    assert f"[SA301] column '{column}' of rel" in message
    assert "4711" not in message


def test_a_sensitive_value_outside_the_domain_is_refused_and_not_shown(con: Lent, patients: None) -> None:
    lists = ["secret4711"], ["flu", "secret4711"], ["flu", None]
    for cell in ("secret4711", None, "{flu, secret4711}", "{flu, NULL}", "{}", *lists):
        kind = "VARCHAR[]" if isinstance(cell, list) else "VARCHAR"
        table(con, "r", f"age VARCHAR, sa {kind}", ("20", cell))
        message = con.refused("FROM info_loss('t', 'r', ['age'], sa := 'sa')")
        assert "[SA301] column 'sa' of rel" in message
        assert "4711" not in message


@pytest.mark.parametrize("label", ["secret4711", "B", "", None])
def test_a_label_that_the_taxonomy_does_not_know_is_refused_and_not_shown(con: Lent, label: str | None) -> None:
    store(con, "levels", {f"l{i}": "VARCHAR" for i in range(4)}, [("a", "A", "A", "*"), ("c", "C", "C", "*")])
    table(con, "t", "town VARCHAR", ("a",), ("c",))
    table(con, "r", "town VARCHAR", (label,))
    message = con.refused("FROM info_loss('t', 'r', ['town'], taxonomy := {'town': 'levels'})")
    assert "[SA301] column 'town' of rel" in message
    assert "4711" not in message


@pytest.mark.parametrize(
    ("paths", "problem"),
    [
        ([("a", "*"), ("b", "*")], "does not cover the data"),
        ([], "does not cover the data"),
        ([("a", "A", "*"), ("c", "A", "*"), ("c", "C", "*")], "is not a tree: a label lies below two"),
        ([("a", "A", "X", "*"), ("c", "A", "Y", "*")], "is not a tree: a label lies below two"),
        ([("a", "A"), ("c", "C")], "is not a tree: its last level has more than one value"),
        ([("a", None, "*"), ("c", "C", "*")], "is not a tree: a label is NULL"),
    ],
)
@pytest.mark.parametrize("function", ["info_loss", "attribute_loss"])
def test_a_taxonomy_that_is_wrong_is_refused(con: Lent, function: str, paths: list[Row], problem: str) -> None:
    store(con, "levels", {f"l{i}": "VARCHAR" for i in range(len((paths or [(0, 0)])[0]))}, paths)
    table(con, "t", "town VARCHAR", ("a",), ("c",))
    table(con, "r", "town VARCHAR", ("a",), ("c",))
    message = con.refused(f"FROM {function}('t', 'r', ['town'], taxonomy := {{'town': 'levels'}})")
    assert f"[SA105] the taxonomy of column 'town' {problem}" in message


def test_a_nested_column_has_no_loss(con: Lent) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT {'secret4711': 1} AS q")
    message = con.refused("FROM info_loss('t', 't', ['q'])")
    assert "[SA104] column 'q' has type STRUCT, which cannot be" in message
    assert "4711" not in message


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("'t', 't', 'age'", "SA102"),
        ("'t', 't', []", "SA102"),
        ("'t', 't', NULL", "SA102"),
        ("'t', 't', [1]", "SA102"),
        ("NULL, 't', ['age']", "SA102"),
        ("'t', NULL, ['age']", "SA102"),
        ("5, 't', ['age']", "SA102"),
        ("'t', 't', ['age'], taxonomy := 'levels'", "SA102"),
        ("'t', 't', ['age'], taxonomy := {'age': 5}", "SA102"),
        ("'t', 't', ['age'], taxonomy := {'city': 'levels'}", "SA101"),
        ("'t', 't', ['age', 'AGE']", "SA101"),
        ("'t; DROP TABLE t', 't', ['age']", "SA103"),
        ("'t', 't WHERE age > 1', ['age']", "SA103"),
        ("'t', 'DELETE FROM t', ['age']", "SA103"),
        ("'t', '(', ['age']", "SA103"),
        ("'t', 't', ['age'], taxonomy := {'age': 'levels; SELECT 1'}", "SA103"),
    ],
)
@pytest.mark.parametrize("function", ["info_loss", "attribute_loss"])
def test_wrong_arguments_are_refused(con: Lent, patients: None, function: str, arguments: str, code: str) -> None:
    assert f"[{code}]" in con.refused(f"FROM {function}({arguments})")
    assert con.execute("SELECT count(*) FROM t").fetchall() == [(5,)]


def test_a_wrong_sensitive_attribute_is_refused(con: Lent, patients: None) -> None:
    for sa, code in (("5", "SA102"), ("['sa', 'city']", "SA102"), ("'age'", "SA101"), ("['sa', 'sa']", "SA102")):
        assert f"[{code}]" in con.refused(f"FROM info_loss('t', 't', ['age'], sa := {sa})")
