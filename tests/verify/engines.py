"""Tables for every engine to judge, and the questions to ask of each."""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

import sqlanon
from sqlanon.statement.engine import OTHER_ENGINES as DIALECTS
from sqlanon.verify.portable import PORTABLE
from sqlanon.verify.request import OF_BASE_VALUES, WITHOUT_SA

Rows = list[tuple[Any, ...]]


class Table(NamedTuple):
    """An answer."""

    columns: list[str]
    rows: Rows


@dataclass(frozen=True)
class Data:
    """A table to judge, as SQL that every engine understands."""

    name: str
    columns: dict[str, str]
    rows: Rows
    qi: tuple[str, ...]
    entity: str | None = None
    sensitive: dict[str, bool] = field(default_factory=dict)
    """The columns to take as sensitive attribute, and whether they have an order of their own."""

    def script(self) -> str:
        columns = ", ".join(f"{quote(name)} {kind}" for name, kind in self.columns.items())
        create = f"CREATE TABLE {quote(self.name)} ({columns});"
        rows = ",\n".join(f"({', '.join(map(literal, row))})" for row in self.rows)
        return f"{create}\nINSERT INTO {quote(self.name)} VALUES\n{rows};" if rows else create


@dataclass(frozen=True)
class Question:
    """One call of a function, for the macro and for verification_sql."""

    function: str
    table: str
    qi: tuple[str, ...] = ()
    sa: str | None = None
    ordered: bool = False
    others: dict[str, Any] = field(default_factory=dict)

    def statement(self, dialect: str) -> str:
        given = {"qi": self.qi} if self.qi else {}
        return sqlanon.verification_sql(
            self.function, dialect=dialect, table=self.table, sa=self.sa, ordered=self.ordered, **given, **self.others
        )

    def macro(self) -> str:
        """The same, in SQL, on a connection with sqlanon."""
        bounded = self.function == "violations"  # takes every bound by name
        numbers = () if bounded else [name for name in ("tau", "l") if name in self.others]
        qi = [f"[{', '.join(map(literal, self.qi))}]"] if self.qi else []
        sa = [literal(self.sa)] if self.sa is not None else []
        positional = [literal(self.others[name]) for name in numbers]
        named = [f"{name} := {literal(value)}" for name, value in self.others.items() if name not in numbers]
        return f"FROM {self.function}({', '.join([literal(self.table), *qi, *sa, *positional, *named])})"


def quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool | int | float | Decimal):
        return str(value).upper()
    return "'" + str(value).replace("'", "''") + "'"


BOUNDS = {"k": 3, "l": 2, "entropy_l": Decimal("1.5"), "t": Decimal("0.3"), "c": 2}
"""Bounds that some classes of most tables break."""

NUMBERS: dict[str, list[dict[str, Any]]] = {
    "recursive_c": [{"l": 2}],
    "violations": [BOUNDS, {"tau": Decimal("0.6"), "l": 2}, {"distinct_l": 2, "beta": Decimal("1.5"), "delta": 1}],
    "tau_privacy": [{"l": 2}],
    "excessive_protection": [{"tau": Decimal("0.6"), "l": 2}],
}
"""The numbers that functions of classes are called with."""


def ways_to_count(data: Data) -> list[dict[str, Any]]:
    """Arguments that all measures of classes take; how to take NULL makes no difference where there is none."""
    positions = [list(data.columns).index(name) for name in data.qi]
    gaps = any(row[position] in (None, "*") for row in data.rows for position in positions)
    ways: list[dict[str, Any]] = [
        {"nulls": nulls} for nulls in (("value", "wildcard", "exclude") if gaps else ("value",))
    ]
    if data.entity is not None:
        ways += [{**way, "entity": data.entity} for way in ways[:2]]
    return ways


def questions(function: str, data: Data) -> Iterator[Question]:
    """The calls to try on a table: each sensitive attribute, each way to count people and to take NULL."""
    table = quote(data.name)
    ways = ways_to_count(data)
    if function in ("risk", "risk_by_size"):
        threshold = {"threshold": Decimal("0.2")} if function == "risk" else {}
        yield from (Question(function, table, data.qi, others={**way, **threshold}) for way in ways)
        return
    if function in WITHOUT_SA:
        k = {"k": BOUNDS["k"]} if function == "violations" else {}
        yield from (Question(function, table, data.qi, others={**way, **k}) for way in ways)
    for sa, ordered in data.sensitive.items():
        if function in ("eligibility", "buckets"):
            yield Question(function, table, sa=sa)
        elif function == "eligible_c":
            yield from (Question(function, table, sa=sa, others={"l": l}) for l in (1, 2, 3))
        else:
            if function in OF_BASE_VALUES:
                if data in (
                    ONE_VALUE,
                    ALL_NULL,
                    OUR_NAMES,
                ):  # SA102 here: l = 2 is too many; or a column is called value
                    return
                ways = [way for way in ways if "entity" not in way]
            for bounds in NUMBERS.get(function, [{}]):
                yield from (Question(function, table, data.qi, sa, ordered, {**way, **bounds}) for way in ways)


PATIENTS = Data(
    "patients",
    {"age": "INTEGER", "zip": "VARCHAR", "disease": "VARCHAR", "stay": "INTEGER", "seen": "DATE", "person": "INTEGER"},
    [
        (30, "101", "flu", 1, datetime.date(2024, 1, 5), 1),
        (30, "101", "flu", 1, datetime.date(2024, 1, 5), 1),
        (30, "101", "cold", 7, datetime.date(2023, 12, 31), 2),
        (30, "101", None, None, None, 3),
        (40, "102", "flu", 2, datetime.date(2024, 1, 5), 4),
        (40, "102", "angina", 2, datetime.date(2022, 2, 28), 5),
        (None, "102", "angina", -3, datetime.date(2024, 2, 29), 6),
        (None, "102", None, 7, None, 6),
        (40, None, "cold", None, datetime.date(2023, 12, 31), 7),
        (None, None, "O'Hara's", 2, datetime.date(2024, 1, 5), 8),
        (50, "*", "flu", 90, datetime.date(2024, 1, 5), 9),
        (50, "101", "", 1, datetime.date(2024, 1, 6), 10),
    ],
    qi=("age", "zip"),
    entity="person",
    sensitive={"disease": False, "stay": True, "seen": True},
)
TIES = Data(
    "ties",
    {"sex": "VARCHAR", "income": "DOUBLE PRECISION", "job": "VARCHAR"},
    [(sex, income, job) for sex in ("f", "m") for income in (-0.5, 1e-9, 2.25) for job in ("a", "B", "é")],
    qi=("sex",),
    sensitive={"income": True, "job": False},
)
ONE_VALUE = Data(
    "one_value",
    {"age": "INTEGER", "dose": "INTEGER"},
    [(1, 5), (1, 5), (2, 5)],
    qi=("age",),
    sensitive={"dose": True},
)
ALL_NULL = Data(
    "all_null",
    {"age": "INTEGER", "dose": "INTEGER"},
    [(None, None), (None, None)],
    qi=("age",),
    sensitive={"dose": True},
)
EMPTY = Data("empty", PATIENTS.columns, [], PATIENTS.qi, PATIENTS.entity, {"disease": False, "stay": True})
HOSTILE = Data(
    'a "table"; DROP TABLE patients --',
    {'ag"e': "INTEGER", "select": "VARCHAR", "it's; --": "VARCHAR", "Größe `x`": "INTEGER"},
    [(1, "a", "x", 1), (1, "a", "y", 1), (2, None, "x", 2), (2, None, "y", 3)],
    qi=('ag"e', "select"),
    entity="Größe `x`",
    sensitive={"it's; --": False},
)
OUR_NAMES = Data(
    "our_names",
    {"value": "INTEGER", "class": "INTEGER", "n": "VARCHAR", "person": "INTEGER"},
    [(1, 1, "x", 1), (1, 1, "y", 2), (2, None, "x", 3), (2, 2, "y", 3)],
    qi=("value", "class"),
    entity="person",
    sensitive={"n": False},
)


STRANGERS = Data(
    "strangers",
    {"age": "INTEGER", "disease": "VARCHAR", "person": "INTEGER"},  # in one class, no person is known
    [(1, "flu", None), (1, "cold", None), (2, "flu", 5), (2, "cold", None)],
    qi=("age",),
    entity="person",
    sensitive={"disease": False},
)


def random_table(seed: int) -> Data:
    """A table of 20 to 200 rows with NULLs and stars, in which people, values and classes repeat."""
    draw = random.Random(seed)
    size = draw.randint(20, 200)
    ages, zips, diseases = draw.randint(2, 5), draw.randint(2, 4), draw.randint(2, 8)
    sparse = draw.choice((0.0, 0.05, 0.2))

    def maybe(value: Any) -> Any:
        return None if draw.random() < sparse else value

    rows: Rows = [
        (
            maybe(draw.randrange(ages)),
            maybe(draw.choice(["*", *map(str, range(zips))])),
            maybe(f"disease {min(draw.randrange(diseases), draw.randrange(diseases))}"),
            maybe(Decimal(draw.randrange(0, 40 * diseases)) / 4),
            draw.randrange(size),
        )
        for _ in range(size)
    ]
    columns = {"age": "INTEGER", "zip": "VARCHAR", "disease": "VARCHAR", "cost": "DECIMAL(9, 2)", "person": "INTEGER"}
    return Data(f"random_{seed}", columns, rows, ("age", "zip"), "person", {"disease": False, "cost": True})


def released_data() -> Data:
    """A release, with ranges as text: every class has at least 3 occupations."""
    with sqlanon.connect() as con:
        found = con.execute("FROM ldiverse('FROM census(300)', ['age', 'gender', 'education'], 'occupation', 3)")
        names = [column[0] for column in found.description]
        columns = {name: "INTEGER" if name == "group_id" else "VARCHAR" for name in names}
        rows = [tuple(value if value is None else str(value) for value in row) for row in found.fetchall()]
    return Data("release", columns, rows, ("age", "gender", "education"), None, {"occupation": False})


TABLES = [
    PATIENTS,
    TIES,
    ONE_VALUE,
    ALL_NULL,
    EMPTY,
    HOSTILE,
    OUR_NAMES,
    STRANGERS,
    *map(random_table, (1, 2)),
    released_data(),
]
each_table = pytest.mark.parametrize("data", TABLES, ids=[data.name.split('"')[0].strip() for data in TABLES])
each_function = pytest.mark.parametrize("function", PORTABLE)
each_dialect = pytest.mark.parametrize("dialect", DIALECTS)
