"""info_loss and attribute_loss asked, and compared with the oracle."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from connections import Row, TestConnection, store
from hypothesis import settings
from oracles import loss
from oracles.loss import Attribute
from thorough import examples

checked = settings(max_examples=examples(30), deadline=None, database=None)
READ = {"num": int, "real": float, "day": datetime.date.fromisoformat, "at": datetime.datetime.fromisoformat}


def answers(con: TestConnection, sql: str, *parameters: object) -> list[dict[str, Any]]:
    result = con.execute(sql, list(parameters))
    names = [column[0] for column in result.description]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def one(con: TestConnection, sql: str) -> dict[str, Any]:
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
    con: TestConnection,
    attributes: list[Attribute],
    taxonomy: dict[str, str],
    source_sa: Sequence[Any] | None,
    rel: str = "r",
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


def table(con: TestConnection, name: str, columns: str, *rows: Row) -> None:
    """A table of a few rows, its columns with their types."""
    store(con, name, dict(column.split(maxsplit=1) for column in columns.split(", ")), rows)


PATIENTS = [(20, "a", "flu"), (25, "a", "gout"), (40, "b", "flu"), (60, "c", "cold"), (60, None, "gout")]
LEVELS = [("a", "A", "AB", "*"), ("b", "B", "AB", "*"), ("c", "C", "CD", "*"), ("d", "C", "CD", "*")]
