"""The eligible ranges of UCI data sets, by one query: Table 1 of Tian and Zhang, DKE 70 (2011).

The files are no part of the repository and are looked for beside it; a small table is always measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from connections import TestConnection

UCI = Path(__file__).parents[3] / "shared" / "data" / "uci"


@dataclass(frozen=True)
class Published:
    """A row of the table: how many sensitive values there are, and the largest l."""

    name: str
    sa: str
    values: int
    max_l: int


TABLE_1 = (
    Published("abalone", "Rings", 29, 6),
    Published("car", "Acceptability", 4, 1),
    Published("cmc", "Contraceptive_method", 3, 2),
    Published("connect4", "target", 3, 1),
    Published("krkopt", "Game", 18, 6),
    Published("magic", "class", 2, 1),
    Published("mushroom", "Poisonous/Edible", 2, 1),
    Published("musk2", "target", 2, 1),
    Published("nursery", "Class", 5, 3),
    Published("shuttle", "target", 7, 1),
)
"""Those of its data sets that are there; Adult, which is built in, has a test of its own."""

VALUES_THAT_DIFFER = {"abalone": 28}
"""The paper counts the rings from 1 to 29; no abalone in the file has 28."""


def ranges(con: TestConnection, asked: dict[str, tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """Name → distinct values and largest l; for each name, a table and its sensitive attribute, all in one query."""
    each = [f"SELECT ?, distinct_values, max_l FROM eligibility($${table}$$, '{sa}')" for table, sa in asked.values()]
    found = con.execute(" UNION ALL ".join(each), list(asked)).fetchall()
    return {name: (values, max_l) for name, values, max_l in found}


@pytest.mark.skipif(not UCI.is_dir(), reason=f"there is no {UCI}")
def test_eligible_ranges_are_those_of_the_paper(con: TestConnection) -> None:
    found = ranges(con, {one.name: (f"(FROM '{UCI / one.name}.parquet')", one.sa) for one in TABLE_1})
    assert found == {one.name: (VALUES_THAT_DIFFER.get(one.name, one.values), one.max_l) for one in TABLE_1}


def test_eligible_ranges_of_adult_are_those_of_the_paper(con: TestConnection) -> None:
    known = "(FROM adult() WHERE NOT occupation IS NULL)"
    found = ranges(con, {"salary": ("adult()", "salary-class"), "occupation": (known, "occupation")})
    assert found == {"salary": (2, 1), "occupation": (14, 7)}


def test_the_eligible_range_ends_at_the_rows_by_those_of_the_most_frequent_value(
    con: TestConnection,
) -> None:
    con.execute("""
        CREATE TABLE visits AS
        SELECT i, i % 3 AS third, greatest(i, 6) AS skewed, NULLIF(i % 4, 0) AS missing, 'one' AS same
        FROM range(12) AS r(i)
    """)
    found = ranges(con, {sa: ("visits", sa) for sa in ("i", "third", "skewed", "missing", "same")})
    assert found == {"i": (12, 12), "third": (3, 3), "skewed": (6, 1), "missing": (4, 4), "same": (1, 1)}
