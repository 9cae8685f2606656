"""verification_sql: what PostgreSQL, or DuckDB without sqlanon, answers is what the SQL function answers."""

from __future__ import annotations

import datetime
import logging
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

import duckdb
import pytest
import sqlglot
from postgres import Postgres
from sqlglot import exp

import sqlanon
from sqlanon.errors import BadTable, InvalidParameter, SqlanonError
from sqlanon.request.verification import WITHOUT_SA
from sqlanon.verification import DIALECTS, PORTABLE

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
        bounded = self.function == "violations"  # takes every bound by name
        l = [literal(self.others["l"])] if "l" in self.others and not bounded else []
        qi = [f"[{', '.join(map(literal, self.qi))}]"] if self.qi else []
        sa = [literal(self.sa)] if self.sa is not None else []
        named = [f"{name} := {literal(value)}" for name, value in self.others.items() if name != "l" or bounded]
        return f"FROM {self.function}({', '.join([literal(self.table), *qi, *sa, *l, *named])})"


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool | int | float | Decimal):
        return str(value).upper()
    return "'" + str(value).replace("'", "''") + "'"


BOUNDS = {"k": 3, "l": 2, "entropy_l": Decimal("1.5"), "t": Decimal("0.3"), "c": 2}
"""Bounds that some classes of most tables break."""


def ways_to_count(data: Data) -> list[dict[str, Any]]:
    """Arguments that all measures of classes take; how to take NULL makes no difference where there is none."""
    places = [list(data.columns).index(name) for name in data.qi]
    gaps = any(row[place] in (None, "*") for row in data.rows for place in places)
    ways: list[dict[str, Any]] = [
        {"nulls": nulls} for nulls in (("value", "wildcard", "exclude") if gaps else ("value",))
    ]
    if data.entity is not None:
        ways += [{**way, "entity": data.entity} for way in ways[:2]]
    return ways


def questions(function: str, data: Data) -> Iterator[Question]:
    """The calls to try on a table: each sensitive attribute, each way to count people and to take NULL."""
    table = quoted(data.name)
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
            bounds = {"recursive_c": {"l": 2}, "violations": BOUNDS}.get(function, {})
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


def released() -> Data:
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
    released(),
]
each_table = pytest.mark.parametrize("data", TABLES, ids=[data.name.split('"')[0].strip() for data in TABLES])
each_function = pytest.mark.parametrize("function", PORTABLE)
each_dialect = pytest.mark.parametrize("dialect", DIALECTS)


@pytest.fixture(scope="module")
def with_sqlanon() -> Iterator[duckdb.DuckDBPyConnection]:
    with sqlanon.connect() as con:
        con.execute("SET threads = 1")
        for data in TABLES:
            con.execute(data.script())
        yield con


@pytest.fixture(scope="module")
def plain_duckdb() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        con.execute("SET threads = 1")
        for data in TABLES:
            con.execute(data.script())
        yield con


@pytest.fixture(scope="module")
def loaded_postgres(postgres: Postgres) -> Postgres:
    postgres.execute("\n".join(data.script() for data in TABLES))
    return postgres


@pytest.fixture(scope="module")
def expected(with_sqlanon: duckdb.DuckDBPyConnection) -> Callable[[Question], Table]:
    """What the SQL function answers; asked once."""
    known: dict[str, Table] = {}

    def ask(question: Question) -> Table:
        sql = question.macro()
        if sql not in known:
            known[sql] = answer(with_sqlanon, sql)
        return known[sql]

    return ask


def answer(con: duckdb.DuckDBPyConnection, sql: str) -> Table:
    found = con.execute(sql)
    return Table([column[0] for column in found.description], found.fetchall())


def assert_same(question: Question, ours: Table, theirs: Table) -> None:
    """Compare two answers cell by cell. Only classes come in no order."""
    assert theirs.columns == ours.columns, question
    assert len(theirs.rows) == len(ours.rows), question
    for one, other in zip(in_one_order(question, ours.rows), in_one_order(question, theirs.rows), strict=True):
        for name, our_cell, their_cell in zip(ours.columns, one, other, strict=True):
            assert agrees(our_cell, their_cell), f"{question}: {name} is {our_cell!r}, elsewhere {their_cell!r}"


def in_one_order(question: Question, rows: Rows) -> Rows:
    if question.function not in ("equivalence_classes", "violations"):
        return rows
    return sorted(rows, key=lambda row: [(cell is None, str(cell)) for cell in row[: len(question.qi)]])


def agrees(ours: Any, theirs: Any) -> bool:
    """Whether a cell that DuckDB answered is the cell of another engine, which may be text."""
    if ours is None or theirs is None:
        return ours is theirs
    if isinstance(ours, list):  # elsewhere a text
        items = str(theirs).split(", ")
        return len(items) == len(ours) and all(map(agrees, ours, items))
    if isinstance(ours, str | datetime.date):
        return str(ours) == str(theirs)
    if isinstance(ours, int | Decimal):
        return Decimal(ours) == Decimal(theirs)
    return math.isclose(ours, float(theirs), rel_tol=1e-12, abs_tol=0.0)


@each_table
@each_function
def test_postgres_answers_as_the_sql_function_does(
    function: str, data: Data, loaded_postgres: Postgres, expected: Callable[[Question], Table]
) -> None:
    for question in questions(function, data):
        found = loaded_postgres.query(question.statement("postgres"))
        assert_same(question, expected(question), Table(found.columns, list(found.rows)))


@each_table
@each_function
def test_duckdb_without_sqlanon_answers_as_the_sql_function_does(
    function: str, data: Data, plain_duckdb: duckdb.DuckDBPyConnection, expected: Callable[[Question], Table]
) -> None:
    for question in questions(function, data):
        assert_same(question, expected(question), answer(plain_duckdb, question.statement("duckdb")))


def test_postgres_measures_a_query_as_it_measures_a_table(
    loaded_postgres: Postgres, expected: Callable[[Question], Table]
) -> None:
    adults = "(SELECT age, disease FROM patients WHERE age > 30)"
    question = Question("privacy", adults, ("age",), "disease")
    found = loaded_postgres.query(question.statement("postgres"))
    assert_same(question, expected(question), Table(found.columns, list(found.rows)))


def test_without_an_order_there_is_no_ordered_distance_on_postgres(loaded_postgres: Postgres) -> None:
    unordered = Question("privacy", "patients", ("age",), "stay")
    (row,) = (found := loaded_postgres.query(unordered.statement("postgres"))).rows
    assert row[found.columns.index("t_ordered")] is None
    assert row[found.columns.index("t")] is not None


@pytest.mark.parametrize("function", ["recursive_c", "eligible_c"])
def test_postgres_answers_null_where_no_c_will_do(function: str, loaded_postgres: Postgres) -> None:
    question = next(question for question in questions(function, ONE_VALUE) if question.others["l"] == 2)
    found = loaded_postgres.query(question.statement("postgres"))
    assert [row[found.columns.index("c")] for row in found.rows] == [None]


def test_the_threshold_of_risk_has_the_default_of_the_sql_function(
    plain_duckdb: duckdb.DuckDBPyConnection, expected: Callable[[Question], Table]
) -> None:
    question = Question("risk", "patients", PATIENTS.qi)
    assert_same(question, expected(question), answer(plain_duckdb, question.statement("duckdb")))


@pytest.mark.parametrize("name", ["given", "classes", "spread"])
def test_a_table_may_have_the_name_of_a_step_of_ours(
    name: str, plain_duckdb: duckdb.DuckDBPyConnection, loaded_postgres: Postgres, expected: Callable[[Question], Table]
) -> None:
    create = f"CREATE TABLE {name} AS SELECT * FROM patients"
    plain_duckdb.execute(create)
    loaded_postgres.execute(f"{create};")
    patients = Question("privacy", "patients", PATIENTS.qi, "disease")
    question = replace(patients, table=name)
    assert_same(question, expected(patients), answer(plain_duckdb, question.statement("duckdb")))
    found = loaded_postgres.query(question.statement("postgres"))
    assert_same(question, expected(patients), Table(found.columns, list(found.rows)))


COMMON_FUNCTIONS = {
    "ABS", "AND", "CASE", "CAST", "COALESCE", "COUNT", "EXP", "FLOOR", "GREATEST", "IF", "LEAD", "LEAST", "LENGTH",
    "LN", "MAX", "MIN", "NULLIF", "OR", "ROUND", "ROW_NUMBER", "SUBSTRING", "SUM", "TRY_CAST",
}  # fmt: skip
"""What sqlglot calls functions, in statements that all engines understand. CAST is TRY_CAST where a failure is NULL."""
RESERVED = {
    "bigquery": {
        "ALL", "ANY", "ARRAY", "AT", "BY", "CROSS", "CURRENT", "DEFAULT", "END", "EXCLUDE", "GROUPS", "INTERVAL",
        "NEW", "NO", "NULLS", "OF", "OVER", "PARTITION", "RANGE", "ROWS", "SET", "SOME", "STRUCT", "TO", "WINDOW",
    },
    "snowflake": {
        "ALL", "ANY", "BY", "CHECK", "COLUMN", "CURRENT", "FOR", "INCREMENT", "ISSUE", "MINUS", "OF", "ROW", "ROWS",
        "SAMPLE", "SET", "SOME", "START", "TABLE", "TO", "UNIQUE", "VALUES",
    },
}  # fmt: skip
"""Words that we might have taken for names, and that these engines keep for themselves."""


@cache
def fullest(function: str) -> Question:
    """A call that needs as many relations as it can, on a table with names that ask for quotes."""
    (sa,) = HOSTILE.sensitive
    question = list(questions(function, HOSTILE))[-1]
    return replace(question, sa=sa, ordered=True) if question.sa is not None else question


@cache
def fullest_tree(function: str, dialect: str) -> exp.Expr:
    return sqlglot.parse_one(fullest(function).statement(dialect), dialect=dialect)


@each_dialect
@each_function
def test_a_statement_is_one_that_its_dialect_can_express(
    function: str, dialect: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        sql = fullest(function).statement(dialect)
        (statement,) = sqlglot.parse(sql, dialect=dialect)
        assert isinstance(statement, exp.Select)
        again = statement.sql(dialect=dialect, pretty=True, unsupported_level=sqlglot.ErrorLevel.RAISE)
    assert again == sql
    assert caplog.messages == []


@each_dialect
@each_function
def test_a_statement_calls_only_functions_that_all_engines_have(function: str, dialect: str) -> None:
    tree = fullest_tree(function, dialect)
    called = {
        call.name.upper() if isinstance(call, exp.Anonymous) else call.sql_name() for call in tree.find_all(exp.Func)
    }
    assert called <= COMMON_FUNCTIONS
    assert "_sqlanon_" not in tree.sql(dialect=dialect).lower()


@each_dialect
@each_function
def test_names_that_users_gave_are_quoted(function: str, dialect: str) -> None:
    question = fullest(function)
    used = {HOSTILE.name, *question.qi, *filter(None, [question.sa, question.others.get("entity")])}
    tree = fullest_tree(function, dialect)
    names = [name for name in tree.find_all(exp.Identifier) if name.name in used]
    assert {name.name for name in names} == used
    assert all(name.quoted for name in names)
    tables = {table.name for table in tree.find_all(exp.Table)}
    assert tables - {cte.alias for cte in tree.ctes} == {HOSTILE.name}


@each_function
@pytest.mark.parametrize("dialect", sorted(RESERVED))
def test_names_of_our_own_are_no_reserved_words(function: str, dialect: str) -> None:
    tree = fullest_tree(function, dialect)
    unquoted = {name.name.upper() for name in tree.find_all(exp.Identifier) if not name.quoted}
    assert unquoted & RESERVED[dialect] == set()


@each_dialect
def test_rows_are_never_numbered_without_an_order(dialect: str) -> None:
    tree = fullest_tree("privacy", dialect)
    numbered = [window for window in tree.find_all(exp.Window) if isinstance(window.this, exp.RowNumber)]
    assert numbered
    assert all(window.args.get("order") for window in numbered)


def test_bigquery_gets_no_nulls_last_which_it_refuses_in_windows() -> None:
    for function in PORTABLE:
        assert "NULLS " not in fullest_tree(function, "bigquery").sql(dialect="bigquery")


@each_dialect
def test_a_table_may_have_a_schema_and_a_catalog(dialect: str) -> None:
    sql = sqlanon.verification_sql("buckets", dialect=dialect, table='shop.main."my sales"', sa="price")
    parts = [
        [part.name for part in table.parts]
        for table in sqlglot.parse_one(sql, dialect=dialect).find_all(exp.Table)
        if table.name == "my sales"
    ]
    assert parts == [["shop", "main", "my sales"]]


def test_an_unknown_function_is_refused_with_the_list_of_those_there_are() -> None:
    for unknown in ("privacies", "ldiverse", ""):
        with pytest.raises(InvalidParameter) as refused:
            sqlanon.verification_sql(unknown, dialect="postgres", table="t", qi=["age"], sa="d")
        assert str(refused.value) == (
            f"[SA102] function: {unknown!r} is not known. Choose one of: equivalence_classes, privacy, recursive_c, "
            "violations, risk, risk_by_size, eligibility, eligible_c, buckets."
        )


def test_an_unknown_dialect_is_refused_with_the_list_of_those_there_are() -> None:
    for unknown in ("postgresql", "Postgres", "mysql", ""):
        with pytest.raises(InvalidParameter) as refused:
            sqlanon.verification_sql("risk", dialect=unknown, table="t", qi=["age"])
        assert str(refused.value) == (
            f"[SA102] dialect: {unknown!r} is not known. "
            "Choose one of: duckdb, postgres, snowflake, bigquery, spark, databricks."
        )


@pytest.mark.parametrize(
    ("function", "arguments", "code"),
    [
        ("eligibility", {"qi": ["age"], "sa": "d"}, "SA102"),
        ("risk", {"qi": ["age"], "sa": "d"}, "SA102"),
        ("recursive_c", {"qi": ["age"], "sa": "d"}, "SA102"),
        ("recursive_c", {"qi": ["age"], "l": 2}, "SA102"),
        ("violations", {"qi": ["age"], "k": 2, "t": 0.5}, "SA102"),
        ("eligible_c", {"sa": "d", "l": 0}, "SA102"),
        ("privacy", {"qi": ["age"], "sa": "d", "nulls": "maybe"}, "SA102"),
        ("privacy", {"qi": ["age", "AGE"], "sa": "d"}, "SA101"),
        ("privacy", {"qi": ["age"], "sa": "d", "colour": 1}, "SA102"),
    ],
)
def test_arguments_are_checked_as_those_of_the_sql_function(
    function: str, arguments: dict[str, Any], code: str
) -> None:
    with pytest.raises(SqlanonError) as refused:
        sqlanon.verification_sql(function, dialect="postgres", table="t", **arguments)
    assert str(refused.value).startswith(f"[{code}]")


def test_a_table_that_is_another_statement_is_refused() -> None:
    for table in ("t; DROP TABLE t", "DELETE FROM t", "t WHERE 1 = 1", "(DROP TABLE t)"):
        with pytest.raises(BadTable):
            sqlanon.verification_sql("buckets", dialect="postgres", table=table, sa="d")
