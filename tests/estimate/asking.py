"""How the tests ask: a query on the source, answered from the release `rel`."""

from __future__ import annotations

from typing import Any

from connections import TestConnection


def ask(con: TestConnection, query: str, rel: str = "rel", taxonomy: str = "NULL") -> list[tuple[Any, ...]]:
    escaped = [text.replace("'", "''") for text in (rel, query)]
    return con.execute(f"FROM estimate('{escaped[0]}', '{escaped[1]}', taxonomy := {taxonomy})").fetchall()


PATIENTS = """
    CREATE OR REPLACE TABLE rel AS SELECT * FROM (VALUES
        ('[30, 35]', 'flu', 100), ('[30, 35]', 'cold', 200), ('[41, 50]', 'flu', 300), ('44', 'flu', -50)
    ) AS t(age, disease, cost)
"""


def one(con: TestConnection, query: str, **how: str) -> tuple[Any, ...]:
    (row,) = ask(con, query, **how)
    return tuple(round(cell, 9) if isinstance(cell, float) else cell for cell in row)
