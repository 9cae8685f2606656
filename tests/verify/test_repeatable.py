"""Figures are equal to the digit, however many threads add them up."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import sqlanon

QI = ["age", "gender", "education", "salary"]
TREE = "taxonomy := {'occupation': 'census_taxonomy(''occupation'')'}"
MEASURED = {
    "certificate": f"SELECT measures, risk FROM certify('released', {QI}, 'occupation', l := 3, c := 5)",
    "tau": f"FROM tau_privacy('released', {QI}, 'occupation', 3, {TREE})",
    "t_hierarchical": f"SELECT t_hierarchical FROM privacy('released', {QI}, 'occupation', {TREE})",
    "wildcards": "FROM risk('(FROM released LIMIT 3000)', ['age', 'gender'], nulls := 'wildcard')",
    "loss": f"FROM info_loss('people', 'released', {QI}, sa := 'occupation')",
    "losses": f"FROM attribute_loss('people', 'released', {QI})",
    "weighted": f"FROM info_loss('people', 'released', {QI}, weights := {{'age': 0.3, 'salary': 0.7}})",
}


@pytest.fixture(scope="module")
def publication() -> Iterator[duckdb.DuckDBPyConnection]:
    """A release of rows enough for four threads."""
    with sqlanon.connect() as con:
        con.execute("CREATE TABLE people AS FROM census(40000)")
        con.execute(f"CREATE TABLE released AS FROM ldiverse('people', {QI}, 'occupation', 3)")
        for table in ("people", "released"):
            con.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT n.* FROM range(8) AS times, {table} AS n")
        yield con


@pytest.mark.parametrize("statement", MEASURED.values(), ids=MEASURED)
def test_figures_are_equal_to_the_digit_with_any_number_of_threads(
    publication: duckdb.DuckDBPyConnection, statement: str
) -> None:
    answers = set()
    for threads in (1, 2, 4, 4):
        publication.execute(f"SET threads = {threads}")
        answers.add(repr(publication.execute(statement).fetchall()))
    assert len(answers) == 1
