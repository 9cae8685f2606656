"""verification_sql: what PostgreSQL, or DuckDB without sqlanon, answers is what the SQL function answers."""

import datetime
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from postgres import Postgres, postgres_server  # noqa: F401

import sqlanon
from sqlanon.verification import DIALECTS

Rows = list[tuple[Any, ...]]


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
        columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in self.columns.items())
        create = f"CREATE TABLE {quoted(self.name)} ({columns});"
        rows = ",\n".join(f"({', '.join(map(literal, row))})" for row in self.rows)
        return f"{create}\nINSERT INTO {quoted(self.name)} VALUES\n{rows};" if rows else create


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
        l = [literal(self.others["l"])] if "l" in self.others else []
        qi = [f"[{', '.join(map(literal, self.qi))}]"] if self.qi else []
        sa = [literal(self.sa)] if self.sa is not None else []
        named = [f"{name} := {literal(value)}" for name, value in self.others.items() if name != "l"]
        return f"FROM {self.function}({', '.join([literal(self.table), *qi, *sa, *l, *named])})"


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool | int | float | Decimal):
        return str(value).upper()
    return "'" + str(value).replace("'", "''") + "'"


def all_questions(data: Data) -> Iterator[Question]:
    """Every portable function on every sensitive attribute, with every way to count people and to take NULL."""
    table = quoted(data.name)
    ways = [{"nulls": nulls} for nulls in ("value", "wildcard", "exclude")]
    if data.entity is not None:
        ways += [{**way, "entity": data.entity} for way in ways]
    for way in ways:
        yield Question("risk", table, data.qi, others={**way, "threshold": Decimal("0.2")})
        yield Question("risk_by_size", table, data.qi, others=way)
    for sa, ordered in data.sensitive.items():
        yield Question("eligibility", table, sa=sa)
        yield Question("buckets", table, sa=sa)
        for l in (1, 2, 3):
            yield Question("eligible_c", table, sa=sa, others={"l": l})
        for way in ways:
            yield Question("privacy", table, data.qi, sa, ordered, way)
            yield Question("equivalence_classes", table, data.qi, sa, others=way)
            yield Question("recursive_c", table, data.qi, sa, others={**way, "l": 2})


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
EMPTY = Data("empty", PATIENTS.columns, [], PATIENTS.qi, PATIENTS.entity, PATIENTS.sensitive)
HOSTILE = Data(
    'a "table"; DROP TABLE patients --',
    {'ag"e': "INTEGER", "select": "VARCHAR", "it's; --": "VARCHAR", "Größe `x`": "INTEGER"},
    [(1, "a", "x", 1), (1, "a", "y", 1), (2, None, "x", 2), (2, None, "y", 3)],
    qi=('ag"e', "select"),
    entity="Größe `x`",
    sensitive={"it's; --": False},
)
OUR_NAMES = Data(
    "given",
    {"value": "INTEGER", "class": "INTEGER", "n": "VARCHAR", "person": "INTEGER"},
    [(1, 1, "x", 1), (1, 1, "y", 2), (2, None, "x", 3), (2, 2, "y", 3)],
    qi=("value", "class"),
    entity="person",
    sensitive={"n": False},
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


def released() -> Data:
    """A release: groups of at least 3 diseases, with ranges as text."""
    with sqlanon.connect() as con:
        found = con.execute("FROM ldiverse('FROM census(300)', ['age', 'gender', 'education'], 'occupation', 3)")
        names = [column[0] for column in found.description]
        columns = {name: "INTEGER" if name == "group_id" else "VARCHAR" for name in names}
        rows = [tuple(value if value is None else str(value) for value in row) for row in found.fetchall()]
    return Data("release", columns, rows, ("age", "gender", "education"), None, {"occupation": False})


TABLES = [PATIENTS, TIES, ONE_VALUE, ALL_NULL, EMPTY, HOSTILE, OUR_NAMES, *map(random_table, range(4)), released()]
each_table = pytest.mark.parametrize("data", TABLES, ids=[data.name.split('"')[0].strip() for data in TABLES])
other_engines = pytest.mark.parametrize("dialect", [dialect for dialect in DIALECTS if dialect != "duckdb"])
every_dialect = pytest.mark.parametrize("dialect", DIALECTS)


@pytest.fixture(scope="module")
def with_sqlanon() -> Iterator[duckdb.DuckDBPyConnection]:
    with sqlanon.connect() as con:
        for data in TABLES:
            con.execute(data.script())
        yield con


@pytest.fixture(scope="module")
def plain_duckdb() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        for data in TABLES:
            con.execute(data.script())
        yield con


@pytest.fixture(scope="module")
def loaded_postgres(postgres: Postgres) -> Postgres:
    postgres.execute("\n".join(data.script() for data in TABLES))
    return postgres


def answer(con: duckdb.DuckDBPyConnection, sql: str) -> tuple[list[str], Rows]:
    found = con.execute(sql)
    return [column[0] for column in found.description], found.fetchall()


def in_one_order(question: Question, rows: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    """Rows whose order is not promised, by the columns that tell them apart. Text sorts differently between engines."""
    if question.function == "equivalence_classes":
        return sorted(rows, key=lambda row: [(cell is None, str(cell)) for cell in row[: len(question.qi)]])
    if question.function == "buckets":
        return sorted(rows, key=lambda row: (row[0] is None, str(row[0])))
    return list(rows)


def agrees(ours: Any, theirs: Any) -> bool:
    """Whether a cell that DuckDB answered is the cell of another engine, which may be text."""
    if ours is None or theirs is None:
        return ours is theirs
    if isinstance(ours, bool) or isinstance(ours, str | datetime.date):
        return str(ours) == str(theirs)
    if isinstance(ours, int | Decimal):
        return Decimal(ours) == Decimal(theirs)
    return math.isclose(ours, float(theirs), rel_tol=1e-12, abs_tol=0.0)


def compare(question: Question, ours: tuple[list[str], Rows], theirs: tuple[list[str], Sequence[Any]]) -> None:
    """Compare two answers cell by cell."""
    names, rows = ours
    assert theirs[0] == names, question
    assert len(theirs[1]) == len(rows), question
    ordered_as_given = question.function == "buckets" and not question.ordered
    for one, other in zip(in_one_order(question, rows), in_one_order(question, theirs[1]), strict=True):
        for name, our_cell, their_cell in zip(names, one, other, strict=True):
            if ordered_as_given and name == "rank":
                continue
            assert agrees(our_cell, their_cell), f"{question}: {name} is {our_cell!r}, elsewhere {their_cell!r}"


@each_table
def test_postgres_answers_as_the_sql_function_does(
    data: Data, loaded_postgres: Postgres, with_sqlanon: duckdb.DuckDBPyConnection
) -> None:
    for question in all_questions(data):
        found = loaded_postgres.query(question.statement("postgres"))
        compare(question, answer(with_sqlanon, question.macro()), (found.columns, found.rows))


@each_table
def test_duckdb_without_sqlanon_answers_as_the_sql_function_does(
    data: Data, plain_duckdb: duckdb.DuckDBPyConnection, with_sqlanon: duckdb.DuckDBPyConnection
) -> None:
    for question in all_questions(data):
        compare(question, answer(with_sqlanon, question.macro()), answer(plain_duckdb, question.statement("duckdb")))
