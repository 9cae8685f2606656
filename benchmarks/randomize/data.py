"""The tables of the experiments, and the cross tabulations that are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import duckdb
import numpy as np
import numpy.typing as npt

MOST_CELLS = 1500
"""Of a cross tabulation that is asked for."""

ADULT = """
    SELECT age // 5 * 5 AS age, workclass, CAST(floor(10 * (rank() OVER (ORDER BY fnlwgt) - 1) / count(*) OVER ()) AS INTEGER) AS fnlwgt,
        education, "education-num", "marital-status", occupation, relationship, race, sex,
        CASE "capital-gain" WHEN 0 THEN 0 ELSE 1 + least(3, "capital-gain" // 5000) END AS "capital-gain",
        CASE "capital-loss" WHEN 0 THEN 0 ELSE 1 + least(3, "capital-loss" // 1000) END AS "capital-loss",
        "hours-per-week" // 10 * 10 AS "hours-per-week", "native-country", "salary-class"
    FROM adult(complete := true)
"""  # noqa: E501
"""All 15 attributes, numbers cut into parts: 2 to 41 values, as in the paper."""


@dataclass(frozen=True)
class Table:
    """A table of columns with few values each."""

    con: duckdb.DuckDBPyConnection
    title: str
    name: str

    @cached_property
    def domains(self) -> dict[str, list[object]]:
        """The values of each column, sorted."""
        columns = [name for name, *_ in self.con.execute(f"DESCRIBE {self.name}").fetchall()]
        listed = ", ".join(f'list_sort(list(DISTINCT "{column}"))' for column in columns)
        [row] = self.con.execute(f"SELECT {listed} FROM {self.name}").fetchall()
        return dict(zip(columns, row, strict=True))

    @property
    def sizes(self) -> dict[str, int]:
        """How many values each column has."""
        return {column: len(domain) for column, domain in self.domains.items()}

    @cached_property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.con.execute(f"SELECT count(*) FROM {self.name}").fetchall()[0][0])

    def codes(self, column: str) -> npt.NDArray[np.int64]:
        """The position of each row's value in its domain, row by row."""
        values = self.con.execute(f'SELECT "{column}" AS value FROM {self.name} ORDER BY rowid').fetchnumpy()["value"]
        return np.searchsorted(np.array(self.domains[column]), np.asarray(values)).astype(np.int64)

    def distribution(self, attributes: Sequence[str]) -> npt.NDArray[np.float64]:
        """The true cross tabulation, as shares, the last attribute running fastest."""
        sizes = [self.sizes[attribute] for attribute in attributes]
        cells = np.ravel_multi_index([self.codes(attribute) for attribute in attributes], sizes)
        return np.bincount(cells, minlength=int(np.prod(sizes))) / self.rows

    @property
    def protectable(self) -> list[str]:
        """Columns with three values or more: a list of both values of the others tells nothing."""
        return [column for column, size in self.sizes.items() if size > 2]

    def queries(self, attributes: int, how_many: int, seed: int) -> list[tuple[str, ...]]:
        """Random sets of attributes with at most MOST_CELLS combinations, no two the same."""
        random = np.random.default_rng([seed, attributes])
        drawn: dict[tuple[str, ...], None] = {}
        while len(drawn) < how_many:
            some = tuple(str(column) for column in random.choice(self.protectable, attributes, replace=False))
            if int(np.prod([self.sizes[column] for column in some])) <= MOST_CELLS:
                drawn[tuple(sorted(some))] = None
        return list(drawn)


def adult(con: duckdb.DuckDBPyConnection, rows: int | None = None) -> Table:
    """Adult without the rows that miss something, 45,222, or some of them, always the same."""
    some = "" if rows is None else f"ORDER BY hash(whole) LIMIT {rows}"
    con.execute(f"CREATE OR REPLACE TABLE adult_parts AS FROM ({ADULT}) AS whole {some}")
    return Table(con, "Adult", "adult_parts")


def wide_census(con: duckdb.DuckDBPyConnection, rows: int, seed: int = 0) -> Table:
    """The built-in census of 68 columns."""
    con.execute(f"CREATE OR REPLACE TABLE wide_{rows} AS FROM wide_census({rows}, seed := {seed})")
    return Table(con, "Census", f"wide_{rows}")
