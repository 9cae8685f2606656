"""Random tables for the verification functions, tables worked by hand, and how answers are compared."""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import Any

import pytest
from connections import TestConnection
from hypothesis import settings
from hypothesis import strategies as st
from oracles.privacy import Row
from thorough import examples

NULLS = ("value", "wildcard", "exclude")
SENSITIVE = {"word": False, "number": True, "day": True}
"""The sensitive attributes of a random table, and whether their values have an order to be far apart in."""
Table = list[tuple[Any, ...]]
checked = settings(max_examples=examples(40), deadline=None)


def tables(least: int = 0) -> st.SearchStrategy[Table]:
    """Few values of each column, so that classes and ties are common; NULL among them, and the star of a release."""
    columns = st.tuples(
        st.sampled_from([None, "*", "a", "b"]),
        st.sampled_from([None, 1, 2]),
        st.sampled_from([None, "", "flu", "gout", "Flu"]),
        st.sampled_from([None, -3, 0, 5, 6, 1000]),
        st.sampled_from([None, datetime.date(1999, 12, 31), datetime.date(2020, 2, 29), datetime.date(2000, 1, 1)]),
        st.sampled_from([None, 1, 2, 3, 4, 5]),
    )
    return st.lists(columns, min_size=least, max_size=30)


def load(con: TestConnection, table: Table) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE t (city VARCHAR, room INTEGER, word VARCHAR, number INTEGER, day DATE, person INTEGER)"
    )
    if table:
        placeholders = ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(table))
        con.execute(f"INSERT INTO t VALUES {placeholders}", [cell for row in table for cell in row])


def rows_of(table: Table, sensitive: str) -> list[Row]:
    i = ["city", "room", *SENSITIVE].index(sensitive)
    return [Row(row[:2], row[i], row[-1]) for row in table]


def answers(con: TestConnection, sql: str) -> list[dict[str, Any]]:
    result = con.execute(sql)
    names = [column[0] for column in result.description]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def literal(value: object) -> str:
    """A value of an argument as SQL."""
    return "NULL" if value is None else f"'{value}'" if isinstance(value, str) else repr(value)


def close(measure: Any) -> Any:
    """Equal up to rounding; a count, a text and NULL exactly."""
    if isinstance(measure, Fraction | float):
        return pytest.approx(float(measure), rel=1e-12, abs=0)
    return measure


def all_close(measures: dict[str, Any]) -> dict[str, Any]:
    return {name: close(measure) for name, measure in measures.items()}


def text(sql: str) -> str:
    """SQL as a text literal of SQL."""
    return "'" + sql.replace("'", "''") + "'"


def table_of(*groups: tuple[object, dict[object, int]]) -> str:
    """A table with columns q and s: for each class, how often it has each sensitive value."""
    rows = [f"({literal(q)}, {literal(s)})" for q, counts in groups for s, n in counts.items() for _ in range(n)]
    return text(f"(FROM (VALUES {', '.join(rows)}) AS v(q, s))")


def measures(con: TestConnection, table: str, more: str = "") -> dict[str, Any]:
    (found,) = answers(con, f"FROM privacy({table}, ['q'], 's'{more})")
    return found
