"""estimate on random releases and queries: compared with the oracle, and with the sources that were published."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.estimate import Cell, answers, holds, star, told
from thorough import examples

pytestmark = pytest.mark.oldest

AGES = range(0, 7)
CITIES = ("Ayr", "Bonn", "Cork")
SICK = ("cold", "flu")
FIRST_DAY = datetime.date(2024, 2, 27)


def ask(con: duckdb.DuckDBPyConnection, query: str) -> list[tuple[Any, ...]]:
    escaped = query.replace("'", "''")
    return con.execute(f"FROM estimate('rel', '{escaped}', {{'city': NULL, 'sick': NULL}})").fetchall()


def sql(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, datetime.date):
        return f"DATE '{value}'"
    return str(value) if isinstance(value, int | float) else "'" + value.replace("'", "''") + "'"


@dataclass(frozen=True)
class Published:
    """A published value: kind is value, range, star or list."""

    kind: str
    values: tuple[Any, ...]

    def text(self) -> str:
        if self.kind == "star":
            return "'*'"
        if self.kind == "range":
            return sql(f"[{self.values[0]}, {self.values[-1]}]")
        if self.kind == "list":
            return sql("{" + ", ".join("NULL" if v is None else str(v) for v in self.values) + "}")
        return "NULL" if self.values[0] is None else sql(str(self.values[0]))

    def typed(self, kind: str) -> str:
        if self.values == (None,) and self.kind == "value":
            return "NULL"
        if kind in ("INTEGER", "DATE"):
            low, high = ("NULL", "NULL") if self.kind == "star" else map(sql, (self.values[0], self.values[-1]))
            return f"{{'lo': {low}, 'hi': {high}}}"
        if self.kind == "star":
            return "['*']"
        return f"[{', '.join(map(sql, self.values))}]"


def ranges(steps: list[Any]) -> st.SearchStrategy[Published]:
    spans = [Published("range", tuple(steps[i:j])) for i in range(len(steps)) for j in range(i + 2, len(steps) + 1)]
    points = [Published("value", (value,)) for value in (*steps, None)]
    return st.sampled_from(spans) | st.sampled_from([*points, Published("star", ())])


def categories(lists: bool) -> st.SearchStrategy[Published]:
    points = st.sampled_from([Published("value", (city,)) for city in (*CITIES, None)])
    if not lists:
        return points | st.just(Published("star", ()))
    some = st.sets(st.sampled_from([*CITIES, None]), min_size=2).map(
        lambda found: Published("list", tuple(sorted(found, key=lambda v: (v is None, v or ""))))
    )
    return points | some | st.just(Published("star", ()))


def secrets(values: tuple[Any, ...]) -> st.SearchStrategy[Published]:
    alone = st.sampled_from([Published("value", (value,)) for value in (*values, None)])
    group = st.lists(st.sampled_from([*values, None]), min_size=2, max_size=3)
    return alone | group.map(lambda found: Published("list", tuple(sorted(found, key=lambda v: (v is None, v or 0)))))


@st.composite
def releases(draw: st.DrawFn) -> tuple[str, list[dict[str, Published]]]:
    """Rows of age (whole numbers), born (dates), city, sick and cost, in one of the formats."""
    form = draw(st.sampled_from(["text", "typed", "anatomy"]))
    days = [FIRST_DAY + datetime.timedelta(days=i) for i in range(5)]
    exact = form == "anatomy"
    sick = secrets(SICK) if exact else st.sampled_from([Published("value", (value,)) for value in (*SICK, None)])
    cost = st.sampled_from([Published("value", (value,)) for value in (-3, 0, 2, 5, None)])
    row = st.fixed_dictionaries(
        {
            "age": ranges(list(AGES)),
            "born": ranges(days),
            "city": categories(form == "typed"),
            "sick": sick,
            "cost": cost,
        }
    )
    return form, draw(st.lists(row, min_size=0, max_size=4))


def create(con: duckdb.DuckDBPyConnection, form: str, rows: list[dict[str, Published]]) -> None:
    kinds = {"age": "INTEGER", "born": "DATE", "city": "VARCHAR"}
    if form == "typed":
        types = {name: f"STRUCT(lo {kind}, hi {kind})" for name, kind in kinds.items()} | {"city": "VARCHAR[]"}
    else:
        types = dict.fromkeys(kinds, "VARCHAR")
    columns = ", ".join(f"{name} {kind}" for name, kind in {**types, "sick": "VARCHAR", "cost": "INTEGER"}.items())
    con.execute(f"CREATE OR REPLACE TABLE rel ({columns})")
    for row in rows:
        cells = [
            row[name].typed(kinds[name]) if form == "typed" and name in kinds else row[name].text()
            for name in CONSTANTS
        ]
        con.execute(f"INSERT INTO rel VALUES ({', '.join(cells)})")


STEP = {"age": 1, "born": datetime.timedelta(days=1)}


def open_cells(rows: list[dict[str, Published]], names: set[str]) -> list[dict[str, Cell]] | None:
    """The release for the oracle; None where a column shows nothing but stars."""
    opened: list[dict[str, Cell]] = [{} for _ in rows]
    for name in names:
        values = [value for row in rows for value in row[name].values]
        known = sorted({value for value in values if value is not None})
        if name in STEP and known:
            known = [known[0] + i * STEP[name] for i in range((known[-1] - known[0]) // STEP[name] + 1)]
        shown = known + [None] * (None in values)
        others = {"age": range(-2, 10), "born": [FIRST_DAY + datetime.timedelta(days=i) for i in range(-2, 8)]}.get(
            name, ["Aa", "Ayr", "B", "Bonn", "C", "Cork", "Zug"]
        )
        for row, cells in zip(rows, opened, strict=True):
            cell = row[name]
            if cell.kind == "star" and not shown:
                return None
            cells[name] = star(shown, others) if cell.kind == "star" else told(cell.values)
    return opened


CONSTANTS: dict[str, st.SearchStrategy[Any]] = {
    "age": st.integers(-1, 8) | st.sampled_from([0.5, 2.5, 5.5]),
    "born": st.integers(-1, 6).map(lambda i: FIRST_DAY + datetime.timedelta(days=i)),
    "city": st.sampled_from([*CITIES, "B"]),
    "sick": st.sampled_from([*SICK, "gout"]),
    "cost": st.integers(-4, 6),
}


@st.composite
def atoms(draw: st.DrawFn) -> tuple[Any, ...]:
    name = draw(st.sampled_from(list(CONSTANTS)))
    word = draw(st.sampled_from(["=", "<>", "<", "<=", ">", ">=", "in", "between", "null"]))
    if word == "null":
        return ("null", name)
    if word == "in":
        return ("in", name, tuple(draw(st.lists(CONSTANTS[name], min_size=1, max_size=3))))
    return (word, name, *(draw(CONSTANTS[name]) for _ in range(2 if word == "between" else 1)))


CONDITIONS = st.recursive(
    atoms(),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: ("and", *parts)),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: ("or", *parts)),
    ),
    max_leaves=5,
)


def written(condition: tuple[Any, ...]) -> str:
    word, *rest = condition
    if word in ("and", "or"):
        return "(" + f" {word.upper()} ".join(map(written, rest)) + ")"
    if word == "not":
        return f"NOT ({written(rest[0])})"
    if word == "null":
        return f"{rest[0]} IS NULL"
    if word == "in":
        return f"{rest[0]} IN ({', '.join(map(sql, rest[1]))})"
    if word == "between":
        return f"{rest[0]} BETWEEN {sql(rest[1])} AND {sql(rest[2])}"
    return f"{rest[0]} {word} {sql(rest[1])}"


def named(condition: tuple[Any, ...]) -> set[str]:
    word, *rest = condition
    return set().union(*map(named, rest)) if word in ("and", "or", "not") else {rest[0]}


def close(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


SLOW = settings(max_examples=examples(120), deadline=None, suppress_health_check=list(HealthCheck))


@SLOW
@given(
    release=releases(),
    condition=CONDITIONS,
    groups=st.lists(st.sampled_from(["age", "born", "city", "sick"]), max_size=2, unique=True),
    aggregate=st.sampled_from(["count(*)", "count(city)", "sum(cost)", "avg(cost)"]),
)
def test_every_answer_is_that_of_the_oracle(
    con: duckdb.DuckDBPyConnection,
    release: tuple[str, list[dict[str, Published]]],
    condition: tuple[Any, ...],
    groups: list[str],
    aggregate: str,
) -> None:
    form, rows = release
    create(con, form, rows)
    kind, column = aggregate.removesuffix(")").split("(")
    names = named(condition) | set(groups) | ({column} - {"*"})
    opened = open_cells(rows, names)
    if opened is None:
        return
    expected = answers(opened, condition, groups, kind, None if column == "*" else column)
    by = f" GROUP BY {', '.join(groups)}" if groups else ""
    found = ask(con, f"SELECT {''.join(g + ', ' for g in groups)}{aggregate} FROM src WHERE {written(condition)}{by}")
    read = {tuple(read_back(name, value) for name, value in zip(groups, row, strict=False)): row[-3:] for row in found}
    assert len(read) == len(found)
    assert read.keys() == expected.keys()
    for group, answer in expected.items():
        assert all(map(close, read[group], answer)), (group, read[group], answer)


def read_back(name: str, value: Any) -> Any:
    """A group of a text release as what it means."""
    if value is None or not isinstance(value, str):
        return value
    return {"age": int, "born": datetime.date.fromisoformat}.get(name, str)(value)


@SLOW
@given(
    source=st.lists(
        st.tuples(
            st.none() | st.integers(0, 9),
            st.none() | st.integers(0, 3).map(lambda i: FIRST_DAY + datetime.timedelta(days=i)),
            st.none() | st.sampled_from(CITIES),
            st.sampled_from(SICK),
            st.none() | st.integers(-5, 5),
        ),
        min_size=4,
        max_size=12,
    ),
    call=st.sampled_from([
        "kanonymous('src', ['age', 'born', 'city'], 2, keep := ['sick', 'cost'])",
        "kanonymous('src', ['age', 'born', 'city'], 2, keep := ['sick', 'cost'], format := 'typed')",
        "kanonymous('src', ['age', 'born', 'city'], 3, keep := ['sick', 'cost'], recode := 'suppress')",
        "kanonymous('src', ['age', 'born', 'city'], 3, keep := ['sick', 'cost'], recode := 'suppress', "
        "format := 'typed')",
        "ldiverse('src', ['age', 'born', 'city', 'cost'], 'sick', 2, algo := 'anatomy')",
        "ldiverse('src', ['age', 'born', 'city', 'cost'], 'sick', 2, algo := 'anatomy', format := 'typed')",
    ]),
    condition=CONDITIONS,
    aggregate=st.sampled_from(["count(*)", "sum(cost)", "avg(cost)"]),
)  # fmt: skip
def test_the_true_answer_always_lies_between_lower_and_upper(
    con: duckdb.DuckDBPyConnection, source: list[tuple[Any, ...]], call: str, condition: tuple[Any, ...], aggregate: str
) -> None:
    con.execute("CREATE OR REPLACE TABLE src (age INTEGER, born DATE, city VARCHAR, sick VARCHAR, cost INTEGER)")
    for row in source:
        con.execute(f"INSERT INTO src VALUES ({', '.join(map(sql, row))})")
    try:
        con.execute(f"CREATE OR REPLACE TABLE rel AS FROM {call}").fetchall()
    except duckdb.Error as error:
        assert "SA201" in str(error), "one disease in more than half of the rows"
        return
    query = f"SELECT {aggregate} FROM src WHERE {written(condition)}"
    truth = con.execute(query).fetchone()[0]  # type: ignore[index]
    ((_, lower, upper),) = ask(con, query)
    if truth is None:  # of no rows
        return
    assert lower is None or truth >= lower - 1e-9
    assert upper is None or truth <= upper + 1e-9


def test_the_oracle_knows_three_truth_values() -> None:
    assert holds(("not", ("<", "age", 3)), {"age": None}) is None
    assert holds(("or", ("null", "age"), ("<", "age", 3)), {"age": None}) is True
