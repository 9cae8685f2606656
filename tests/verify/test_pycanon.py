"""Where pycanon, a checker that many use, is right, it says the same."""

from __future__ import annotations

import random

import pandas as pd
import pytest
from connections import TestConnection
from pycanon import anonymity

QI = ["city", "age"]


@pytest.fixture(params=range(12))
def table(con: TestConnection, request: pytest.FixtureRequest) -> pd.DataFrame:
    """A small random table without NULLs, here and in DuckDB."""
    chance = random.Random(request.param)
    rows = [
        (
            chance.choice("abc"),
            chance.randrange(20, 22),
            chance.choice(["flu", "gout", "acne"]),
            chance.randrange(5) * 10,
        )
        for _ in range(chance.randrange(5, 60))
    ]
    con.execute("CREATE OR REPLACE TABLE t (city VARCHAR, age INTEGER, disease VARCHAR, cost INTEGER)")
    con.execute(f"INSERT INTO t VALUES {', '.join(['(?, ?, ?, ?)'] * len(rows))}", [x for row in rows for x in row])
    return pd.DataFrame(rows, columns=["city", "age", "disease", "cost"])


def measure(con: TestConnection, function: str, *arguments: object) -> tuple[object, ...]:
    (row,) = con.execute(f"FROM {function}({', '.join(map(repr, ['t', QI, *arguments]))})").fetchall()
    return row


def test_k_anonymity_agrees(con: TestConnection, table: pd.DataFrame) -> None:
    assert measure(con, "k_anonymity") == (anonymity.k_anonymity(table, QI),)


@pytest.mark.parametrize("sa", ["disease", "cost"])
def test_alpha_k_anonymity_agrees(con: TestConnection, table: pd.DataFrame, sa: str) -> None:
    alpha, k = anonymity.alpha_k_anonymity(table, QI, [sa])
    assert measure(con, "alpha_k_anonymity", sa) == (pytest.approx(alpha), k)


@pytest.mark.parametrize("sa", ["disease", "cost"])
def test_l_diversity_agrees(con: TestConnection, table: pd.DataFrame, sa: str) -> None:
    assert measure(con, "l_diversity", sa) == (anonymity.l_diversity(table, QI, [sa]),)


@pytest.mark.parametrize("sa", ["disease", "cost"])
@pytest.mark.parametrize("function", ["basic_beta_likeness", "t_closeness"])
def test_the_other_measures_agree(con: TestConnection, table: pd.DataFrame, function: str, sa: str) -> None:
    expected = getattr(anonymity, function)(table, QI, [sa])
    assert measure(con, function, sa) == (pytest.approx(expected, rel=1e-9, abs=1e-12),)


@pytest.mark.parametrize("sa", ["disease", "cost"])
def test_enhanced_beta_agrees_wherever_a_beta_holds(con: TestConnection, table: pd.DataFrame, sa: str) -> None:
    # pycanon takes the smaller of basic beta and the largest -ln p, which is a number also where no beta holds
    expected = anonymity.enhanced_beta_likeness(table, QI, [sa])
    (beta,) = measure(con, "enhanced_beta_likeness", sa)
    assert beta is None or beta == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_enhanced_beta_agrees_on_a_table_whose_classes_are_much_alike(con: TestConnection) -> None:
    rows = [(city, 20, disease, 0) for city in "ab" for disease in ("flu", "gout", "acne") for _ in range(4)]
    rows += [("a", 20, "flu", 0), ("b", 20, "acne", 0), ("b", 20, "acne", 0)]
    con.execute("CREATE OR REPLACE TABLE t (city VARCHAR, age INTEGER, disease VARCHAR, cost INTEGER)")
    con.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
    table = pd.DataFrame(rows, columns=["city", "age", "disease", "cost"])
    (beta,) = measure(con, "enhanced_beta_likeness", "disease")
    assert beta == pytest.approx(anonymity.enhanced_beta_likeness(table, QI, ["disease"]), rel=1e-9)
    assert beta == pytest.approx((6 / 14 - 10 / 27) / (10 / 27))
