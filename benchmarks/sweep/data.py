"""The tables of the experiments: those in ../shared/data where they are, else the built-in ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from benchmarks.queries import read_loss, struct

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
HIERARCHIES = SHARED / "adult_hierarchies"
UCI = SHARED / "uci"

Setting = tuple[float, int]
"""A requirement: tau and l."""

ADULT_QI = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country")
ADULT_SETTINGS = ((0.5, 2), (0.5, 3), (0.4, 4), (0.3, 5), (0.25, 6), (0.2, 7), (0.15, 8))
NURSERY_QI = ("Parents", "Has_nurs", "Form", "Children", "Housing", "Finance", "Social", "Health")
NURSERY_SETTINGS = ((0.5, 2), (0.5, 3), (0.45, 4), (0.4, 5))

SENSITIVE = {
    "abalone": ("Rings", 6),
    "car": ("Acceptability", 1),
    "krkopt": ("Game", 6),
    "connect4": ("target", 1),
    "cmc": ("Contraceptive_method", 2),
    "magic": ("class", 1),
    "mushroom": ("Poisonous/Edible", 1),
    "musk2": ("target", 1),
    "nursery": ("Class", 3),
    "shuttle": ("target", 1),
}
"""The sensitive attribute of each table, and the largest l that the paper's Table 1 gives for it."""

MOST_QI = 8
"""Of tables with more columns (musk2 has 166), the first ones are quasi-identifiers."""
BINS = 8
"""A column of numbers with more values than this is cut into as many parts with the same number of rows."""


@dataclass(frozen=True)
class Rules:
    """Which classification rules to learn: the class, from which columns, and when a conjunction is a rule."""

    columns: tuple[str, ...]
    target: str
    accuracy: float
    cover: int
    in_paper: int


@dataclass(frozen=True)
class Data:
    """A table, its columns and their taxonomies."""

    name: str
    table: str
    qi: tuple[str, ...]
    sa: str
    taxonomy: Mapping[str, str] = field(default_factory=dict, kw_only=True)

    @property
    def sql_taxonomy(self) -> str:
        """All taxonomies, as an argument."""
        return struct(self.taxonomy)

    def read_loss(self, con: duckdb.DuckDBPyConnection, release: str, columns: str) -> tuple[float, ...]:
        """These columns of info_loss for a release."""
        return read_loss(con, columns, self.table, release, self.qi, self.sa, self.sql_taxonomy)


@dataclass(frozen=True)
class Experiment(Data):
    """A table with the requirements, and the one for which queries are shown by dimension."""

    settings: tuple[Setting, ...]
    shown: Setting
    rules: Rules

    @property
    def sensitive_taxonomy(self) -> dict[str, str]:
        """The taxonomy of the sensitive attribute alone."""
        return {column: tree for column, tree in self.taxonomy.items() if column == self.sa}

    @property
    def public_taxonomy(self) -> dict[str, str]:
        """Those of the quasi-identifiers."""
        return {column: tree for column, tree in self.taxonomy.items() if column != self.sa}


def adult(con: duckdb.DuckDBPyConnection, rows: int | None) -> Experiment:
    """Adult without the rows that miss something, 45,222; sensitive: occupation."""
    con.execute("CREATE OR REPLACE TABLE whole AS FROM adult(complete := true)")
    take(con, "adult", "whole", rows)
    taxonomy = adult_taxonomies(con, (*ADULT_QI, "occupation"))
    rules = Rules((*ADULT_QI, "occupation"), "salary-class", 0.7, 250, in_paper=62)
    return Experiment("Adult", "adult", ADULT_QI, "occupation", ADULT_SETTINGS, (0.3, 5), rules, taxonomy=taxonomy)


def adult_taxonomies(con: duckdb.DuckDBPyConnection, columns: tuple[str, ...]) -> dict[str, str]:
    """ARX's hierarchies, or the built-in taxonomies and one of 16 bins for age."""
    if HIERARCHIES.is_dir():
        return {column: str(HIERARCHIES / f"{column}.csv") for column in columns}
    con.execute(f"CREATE OR REPLACE TABLE age_levels AS FROM numeric_taxonomy('adult', 'age', bins := {BINS})")
    return {column: "age_levels" if column == "age" else f"(FROM adult_taxonomy('{column}'))" for column in columns}


def nursery(con: duckdb.DuckDBPyConnection, rows: int | None) -> Experiment | None:
    """Nursery, 12,960 rows, flat taxonomies; sensitive: its class. None where it is not there."""
    if not uci_file("nursery").is_file():
        return None
    load(con, "nursery")
    take(con, "nursery", "whole", rows)
    rules = Rules(NURSERY_QI, "Class", 0.9, 100, in_paper=19)
    return Experiment("Nursery", "nursery", NURSERY_QI, "Class", NURSERY_SETTINGS, (0.5, 3), rules)


def uci_file(name: str) -> Path:
    """The file of one of UCI's tables, which may not be there."""
    return UCI / f"{name}.parquet"


def load(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Load one of UCI's tables as the table `whole`."""
    con.execute("CREATE OR REPLACE TABLE whole AS FROM read_parquet($file)", {"file": str(uci_file(name))})


def count_values(con: duckdb.DuckDBPyConnection, table: str, column: str) -> int:
    """The number of different values in a column."""
    [(values,)] = con.execute(f'SELECT count(DISTINCT "{column}") FROM {table}').fetchall()
    return int(values)


def take(con: duckdb.DuckDBPyConnection, name: str, whole: str, rows: int | None) -> None:
    """Number the rows, and take some of them by chance, always the same."""
    some = "" if rows is None else f"ORDER BY hash(id) LIMIT {rows}"
    con.execute(f"CREATE OR REPLACE TABLE {name} AS FROM (SELECT row_number() OVER () AS id, * FROM {whole}) {some}")


@dataclass(frozen=True)
class Skewed(Data):
    """A table for which no l-diverse release exists, as l = 1 is the largest; the number of its sensitive values."""

    values: int


def skewed_tables(con: duckdb.DuckDBPyConnection, rows: int | None) -> Iterator[Skewed]:
    """Adult by salary, and the tables of UCI whose class is too skewed for l = 2."""
    columns = (*ADULT_QI, "salary-class")
    yield Skewed("Adult, salary", "adult", ADULT_QI, "salary-class", 2, taxonomy=adult_taxonomies(con, columns))
    for name, (sa, max_l) in SENSITIVE.items():
        if max_l == 1 and uci_file(name).is_file():
            yield coarse_table(con, name, sa, rows)


def coarse_table(con: duckdb.DuckDBPyConnection, name: str, sa: str, rows: int | None) -> Skewed:
    """A table with numbers cut into parts, as the paper converts attributes to categories."""
    load(con, name)
    take(con, name, "whole", rows)
    columns = con.execute(f"DESCRIBE {name}").fetchall()
    qi = [(column, kind) for column, kind, *_ in columns if column not in ("id", sa) and not column.endswith("_name")]
    qi = qi[:MOST_QI]
    cells = [coarse_cell(con, name, column, kind) for column, kind in qi]
    con.execute(f'CREATE OR REPLACE TABLE {name} AS SELECT id, {", ".join(cells)}, "{sa}" FROM {name}')
    return Skewed(name, name, tuple(column for column, _ in qi), sa, count_values(con, name, sa))


def coarse_cell(con: duckdb.DuckDBPyConnection, table: str, column: str, kind: str) -> str:
    """The column as it is, or the number of its part."""
    if kind == "VARCHAR" or count_values(con, table, column) <= BINS:
        return f'"{column}"'
    part = f'1 + CAST(floor({BINS} * (rank() OVER (ORDER BY "{column}") - 1) / count(*) OVER ()) AS INTEGER)'
    return f'{part} AS "{column}"'


def eligible_ranges(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, str, int, int, int]]:
    """Table 1: table, sensitive attribute, its values, the largest l, and the paper's. Whole tables, always."""
    for sa, in_paper in (("salary-class", 1), ("occupation", 7)):
        yield ("Adult", sa, *eligible_range(con, "adult(complete := true)", sa), in_paper)
    for name, (sa, in_paper) in SENSITIVE.items():
        if uci_file(name).is_file():
            load(con, name)
            yield (name, sa, *eligible_range(con, "whole", sa), in_paper)


def eligible_range(con: duckdb.DuckDBPyConnection, table: str, sa: str) -> tuple[int, int]:
    """The number of sensitive values of a table, and the largest l."""
    query = "SELECT distinct_values, max_l FROM eligibility($table, $sa)"
    [(values, max_l)] = con.execute(query, {"table": table, "sa": sa}).fetchall()
    return int(values), int(max_l)
