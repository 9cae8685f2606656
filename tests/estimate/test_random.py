"""estimate against DuckDB on random sources: its bounds hold, and are exact where nothing is hidden."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import duckdb
import pytest
from connections import TestConnection
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

ZONE = "Europe/Berlin"
CLOCKS = ["'2024-02-28 01:00:00'", "'2024-03-31 03:30:00'", "'2024-06-01 12:00:00'"]
DAYS = ["'2024-02-28'", "'2024-03-02'", "'2024-06-01'", "'infinity'", "'-infinity'"]
MOMENTS = ["DATE '2024-02-29'", "'2024-06-01'", "TIMESTAMP '2024-03-02 12:00:00'", "TIMESTAMP '2024-06-01 12:00:00'"]


@dataclass(frozen=True)
class Kind:
    """A column: its type, values that it may have, constants that it is compared with, and its taxonomy."""

    type_name: str
    values: list[str]
    constants: list[str]
    tree: str | None = None


KINDS = {
    "whole": Kind("INTEGER", ["-5", "0", "1", "2", "3", "7", "20"], ["0", "2", "2.5", "7e0", "1e300", "-6"]),
    "level": Kind("SMALLINT", ["-5", "0", "3", "20"], ["0", "4", "2.5"], "levels"),
    "large": Kind("BIGINT", ["-5", "9007199254740992", "9007199254740993"], ["0"]),
    "single": Kind("FLOAT", ["0.1", "0.2", "7", "'inf'", "'nan'", "'-inf'", "1e20"], ["0.1", "1e-1", "7", "-2e0"]),
    "double": Kind("DOUBLE", ["0.1", "-1.5", "7", "'inf'", "'nan'", "'-inf'", "1e300"], ["0.1", "7", "-2e0", "1e299"]),
    "exact": Kind("DECIMAL(8, 2)", ["0.1", "0.25", "-1.5", "7"], ["0.1", "0.25", "7", "1e0"]),
    "day": Kind("DATE", DAYS, MOMENTS),
    "moment": Kind("TIMESTAMP", [*CLOCKS, "'infinity'"], MOMENTS),
    "instant": Kind("TIMESTAMPTZ", CLOCKS, MOMENTS),
    "town": Kind("VARCHAR", ["'a'", "'b'", "'c'"], ["'a'", "'b'", "'d'", "'nowhere'"], "towns"),
    "flag": Kind("BOOLEAN", ["true", "false"], ["true", "'false'", "'t'"]),
    "label": Kind("ENUM('z', 'a', 'M')", ["'z'", "'a'", "'M'"], ["'a'", "'z'", "'b'"]),
    "key": Kind("UUID", [f"'00000000-0000-0000-0000-{i:012}'" for i in range(3)], [f"'{0:08}-0000-0000-0000-{1:012}'"]),
}
NUMBERS = {"whole", "level", "single", "double", "exact"}


@pytest.fixture(scope="module", autouse=True)
def taxonomies(con: TestConnection) -> None:
    con.execute(f"SET TimeZone = '{ZONE}'")
    con.execute("CREATE TABLE towns AS FROM (VALUES ('a', 'n', '*'), ('b', 'n', '*'), ('c', 's', '*')) AS t")
    con.execute("CREATE TABLE levels AS SELECT i, i // 5 || 'x', 'any' FROM range(-5, 21) AS r(i)")


@st.composite
def conditions(draw: st.DrawFn, names: list[str], depth: int = 2) -> str:
    shape = draw(st.sampled_from(["and", "or", "not", *["one"] * 3])) if depth else "one"
    if shape in ("and", "or"):
        return f"({draw(conditions(names, depth - 1))} {shape} {draw(conditions(names, depth - 1))})"
    if shape == "not":
        return f"NOT {draw(conditions(names, depth - 1))}"
    name = draw(st.sampled_from(names))
    one, other = (draw(st.sampled_from(KINDS[name].constants)) for _ in range(2))
    compared = draw(st.sampled_from(["=", "<>", "<", "<=", ">", ">="]))
    return draw(
        st.sampled_from(
            [
                *[f"{name} {compared} {one}"] * 3,
                f"{name} IS NULL",
                f"{name} IS DISTINCT FROM {one}",
                f"{name} IN ({one}, {other})",
                f"{name} BETWEEN {one} AND {other}",
            ]
        )
    )


def written(name: str, value: str) -> str:
    return f"CAST({value} AS {KINDS[name].type_name}) AS {name}"


@st.composite
def cases(draw: st.DrawFn) -> dict[str, Any]:
    """A source, how it is published, and a query."""
    names = draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3, unique=True))
    row = st.tuples(*(st.sampled_from([*KINDS[name].values, "NULL"]) for name in names))
    rows = draw(st.lists(row, min_size=1, max_size=10))
    measured = draw(st.sampled_from([None, *sorted(NUMBERS & {*names})]))
    aggregate = "count(*)" if measured is None else draw(st.sampled_from([f"sum({measured})", f"avg({measured})"]))
    grouped = [name for name in names if name != measured and draw(st.integers(0, 3)) == 0]
    return {
        "rows": [", ".join(map(written, names, row)) for row in rows],
        "qi": names[: draw(st.integers(1, len(names)))],
        "keep": names,
        "k": draw(st.sampled_from([1, 1, 2, 3])),
        "trees": draw(st.booleans()),
        "how": f"format := '{draw(st.sampled_from(['text', 'typed']))}'"
        f", recode := '{draw(st.sampled_from(['generalize', 'suppress']))}'",
        "aggregate": aggregate,
        "grouped": grouped,
        "conditions": draw(st.lists(conditions(names), min_size=8, max_size=8)),
    }


def answers(
    con: TestConnection, grouped: list[str], columns: str, table: str
) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """{texts of GROUP BY: the rest}; numbers are told by what they are, as text and types write them differently."""
    keys = [f"CAST({name} AS VARCHAR)" for name in grouped]
    rows = con.rows(f"SELECT {', '.join([*keys, columns])} FROM {table}")
    wide = len(grouped)

    def key(row: tuple[Any, ...]) -> tuple[Any, ...]:
        cells = zip(grouped, row[:wide], strict=True)
        return tuple(repr(float(cell)) if cell and name in NUMBERS else cell for name, cell in cells)

    return {key(row): row[wide:] for row in rows}


@settings(max_examples=examples(60), deadline=None, database=None)
@given(cases())
def test_what_is_certain_is_true(con: TestConnection, case: dict[str, Any]) -> None:
    con.execute("CREATE OR REPLACE TABLE src AS SELECT " + " UNION ALL SELECT ".join(case["rows"]))
    trees = {name: KINDS[name].tree for name in case["qi"] if case["trees"] and KINDS[name].tree} or "NULL"
    k, keep = min(case["k"], len(case["rows"])), [name for name in case["keep"] if name not in case["qi"]]
    published = f"kanonymous('src', {case['qi']}, {k}, taxonomy := {trees}, keep := {keep}, {case['how']})"
    con.execute(f"CREATE OR REPLACE TABLE rel AS FROM {published}")
    for condition in case["conditions"]:
        check(con, case, condition, hidden=k > 1, trees=str(trees))


def check(con: TestConnection, case: dict[str, Any], condition: str, hidden: bool, trees: str) -> None:
    """One query on the source, and on the release; `hidden` if the release has groups of more than one row."""
    grouped, aggregate = case["grouped"], case["aggregate"]
    group_by = f" GROUP BY {', '.join(grouped)}" if grouped else ""
    query = f"SELECT {', '.join([*grouped, aggregate])} FROM src WHERE {condition}{group_by}"
    try:
        actual = answers(con, grouped, "answer", f"({query.replace(aggregate, added(aggregate) + ' AS answer')})")
    except duckdb.Error:
        return  # a constant that DuckDB cannot compare with this type
    try:
        estimated = f"estimate('rel', $query${query}$query$, taxonomy := {trees})"
        found = answers(con, grouped, "estimate, lower, upper", estimated)
    except duckdb.Error as error:
        assert "[SA102]" in str(error) or "[SA301]" in str(error), query
        return
    for group, (expected,) in actual.items():
        if group not in found:
            starred = hidden and set(grouped) & {*case["qi"]}
            assert starred or expected is None, query
            continue
        estimate, lower, upper = found[group]
        if expected is None or not math.isfinite(expected):
            continue
        near = 1e-6 * max(1, abs(expected)) if aggregate != "count(*)" else 0
        assert lower is None or lower - near <= expected, query
        assert upper is None or expected <= upper + near, query
        if not hidden and aggregate == "count(*)":
            assert (estimate, lower, upper) == (expected, expected, expected), query


def added(aggregate: str) -> str:
    """The aggregate in DOUBLE, as estimate adds."""
    return aggregate if aggregate == "count(*)" else aggregate.replace("(", "(CAST(").replace(")", " AS DOUBLE))")
