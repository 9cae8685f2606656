"""The built-in data sets: their sizes, their shape, and that SQL and Python give the same rows."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from connections import TestConnection
from sqlanon.udfs.census import census_block
from sqlanon.udfs.synthetic.blocks import BLOCK_ROWS, BLOCKS_PER_CALL

from sqlanon import datasets
from sqlanon.errors import InvalidParameter

pytestmark = pytest.mark.oldest

ADULT_COLUMNS = [
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native-country",
    "salary-class",
]
CENSUS_LEVELS = {"gender": 2, "marital": 3, "race": 2, "workclass": 4, "country": 3, "occupation": 3}
CENSUS_DOMAINS = {
    "age": 79,
    "gender": 2,
    "education": 17,
    "marital": 6,
    "race": 9,
    "workclass": 10,
    "country": 83,
    "occupation": 50,
    "salary": 50,
}


@pytest.fixture(scope="module")
def people() -> pa.Table:
    return datasets.census(100_000)


def rows_of(table: pa.Table) -> list[tuple[object, ...]]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def top_share(people: pa.Table, column: str) -> float:
    counts = Counter(people[column].to_pylist())
    return max(counts.values()) / counts.total()


def share(people: pa.Table, column: str, value: str, mask: npt.NDArray[np.bool_]) -> float:
    return float(np.mean(people[column].to_numpy()[mask] == value))


def test_adult_has_its_published_size() -> None:
    adult = datasets.adult()
    assert (adult.num_rows, adult.num_columns) == (48_842, 15)
    assert adult.column_names[-1] == "salary-class"
    assert adult.slice(0, 32_561).drop_null().num_rows == 30_162
    assert adult.drop_null().num_rows == 45_222


def test_importing_the_datasets_does_not_import_pyarrow_or_numpy() -> None:
    # sqlanon itself may need both, so only the file is run.
    program = (
        "import runpy, sys; runpy.run_path(sys.argv[1]); "
        "assert not {'numpy', 'pyarrow'} & set(sys.modules), 'heavy import'"
    )
    subprocess.run([sys.executable, "-c", program, datasets.__file__], check=True)


@pytest.mark.parametrize("rows", [0, 1, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 1000])
def test_census_has_as_many_rows_as_asked_for(rows: int) -> None:
    census = datasets.census(rows)
    assert census.num_rows == rows
    assert census.column_names == list(CENSUS_DOMAINS)


def test_census_spans_several_calls() -> None:
    rows = BLOCK_ROWS * BLOCKS_PER_CALL + 1
    assert datasets.census(rows).num_rows == rows


@pytest.mark.parametrize("column", CENSUS_DOMAINS)
def test_every_value_of_every_domain_appears(people: pa.Table, column: str) -> None:
    assert len(people[column].unique()) == CENSUS_DOMAINS[column]
    assert people[column].null_count == 0


@pytest.mark.parametrize(("column", "first", "last"), [("age", 17, 95), ("education", 1, 17), ("salary", 1, 50)])
def test_numbers_fill_their_range(people: pa.Table, column: str, first: int, last: int) -> None:
    assert set(people[column].to_pylist()) == set(range(first, last + 1))


def test_the_same_seed_gives_the_same_people() -> None:
    assert datasets.census(1000, seed=7).equals(datasets.census(1000, seed=7))


def test_another_seed_gives_other_people() -> None:
    assert not datasets.census(1000, seed=7).equals(datasets.census(1000, seed=8))


def test_blocks_differ() -> None:
    assert not census_block(0, BLOCK_ROWS, 0).equals(census_block(1, BLOCK_ROWS, 0))


def test_the_people_of_a_seed_stay_the_same_across_versions() -> None:
    assert rows_of(datasets.census(1, seed=0)) == [
        (52, "Female", 4, "Married", "Black", "Private company", "United States", "Cashier", 18)
    ]


@pytest.mark.parametrize("rows", [0, 1, 100, BLOCK_ROWS, 1000])
def test_a_longer_census_starts_with_a_shorter_one(people: pa.Table, rows: int) -> None:
    assert rows_of(people.slice(0, rows)) == rows_of(datasets.census(rows))


def test_a_short_block_is_the_start_of_a_full_one() -> None:
    assert census_block(3, 50, 1).equals(census_block(3, BLOCK_ROWS, 1).slice(0, 50))


@pytest.mark.parametrize(("rows", "seed"), [(-1, 0), (10, -1), (0, -1)])
def test_negative_arguments_are_refused(rows: int, seed: int) -> None:
    with pytest.raises(InvalidParameter, match=r"\[SA102\] "):
        datasets.census(rows, seed)


@pytest.mark.parametrize("column", ["occupation", "salary"])
def test_no_sensitive_value_is_too_frequent_for_l_13(people: pa.Table, column: str) -> None:
    assert top_share(people, column) < 0.065


def test_occupations_are_skewed(people: pa.Table) -> None:
    counts = Counter(people["occupation"].to_pylist()).values()
    assert max(counts) >= 10 * min(counts)


def test_most_people_were_born_in_one_country(people: pa.Table) -> None:
    assert top_share(people, "country") == pytest.approx(0.85, abs=0.01)


def test_education_follows_age(people: pa.Table) -> None:
    age, education = people["age"].to_numpy(), people["education"].to_numpy()
    adults = education[(age >= 25) & (age < 65)].mean()
    assert adults > education[age < 20].mean() + 2
    assert adults > education[age >= 65].mean() + 1


def test_marital_status_follows_age_and_gender(people: pa.Table) -> None:
    age, women = people["age"].to_numpy(), people["gender"].to_numpy() == "Female"
    assert share(people, "marital", "Never married", age < 20) > 0.9
    old = age >= 70
    assert share(people, "marital", "Widowed", old & women) > 2 * share(people, "marital", "Widowed", old & ~women)


def test_race_follows_the_country_of_birth(people: pa.Table) -> None:
    born_in_japan = people["country"].to_numpy() == "Japan"
    assert share(people, "race", "Japanese", born_in_japan) > 0.7
    assert share(people, "race", "Japanese", ~born_in_japan) < 0.05


def test_workclass_follows_education(people: pa.Table) -> None:
    graduate = people["education"].to_numpy() >= 15
    local = share(people, "workclass", "Local government", graduate)
    assert local > 2 * share(people, "workclass", "Local government", ~graduate)


def test_occupation_follows_education_and_gender(people: pa.Table) -> None:
    education = people["education"].to_numpy()
    women = people["gender"].to_numpy() == "Female"
    everyone = np.ones(people.num_rows, dtype=bool)
    assert share(people, "occupation", "Lawyer", education >= 15) > 0.05
    assert share(people, "occupation", "Lawyer", education <= 8) < 0.001
    assert share(people, "occupation", "Secretary", women) > 5 * share(people, "occupation", "Secretary", ~women)
    assert share(people, "occupation", "Secretary", everyone) > 0.03


def test_salary_follows_education_age_and_occupation(people: pa.Table) -> None:
    salary, age, education = (people[name].to_numpy() for name in ("salary", "age", "education"))
    occupation = people["occupation"].to_numpy()
    assert np.corrcoef(salary, education)[0, 1] > 0.5
    assert salary[(age >= 40) & (age < 60)].mean() > salary[age < 22].mean() + 5
    assert salary[occupation == "Physician"].mean() > salary[occupation == "Nursing aide"].mean() + 20


def taxonomies() -> list[tuple[str, str]]:
    return [("adult", column) for column in ADULT_COLUMNS] + [("census", column) for column in CENSUS_LEVELS]


TAXONOMY_OF: dict[str, Callable[[str], pa.Table]] = {
    "adult": datasets.adult_taxonomy,
    "census": datasets.census_taxonomy,
}


@pytest.mark.parametrize(("table", "column"), taxonomies())
def test_every_taxonomy_is_a_tree(table: str, column: str) -> None:
    levels = [level.to_pylist() for level in TAXONOMY_OF[table](column).columns]
    for child_level, parent_level in pairwise(levels):
        parents: dict[str, str] = {}
        for child, parent in zip(child_level, parent_level, strict=True):
            assert parents.setdefault(child, parent) == parent
    assert set(levels[-1]) == {"*"}
    assert len(set(levels[0])) == len(levels[0])
    assert all(label for level in levels for label in level)


@pytest.mark.parametrize(("table", "column"), taxonomies())
def test_every_taxonomy_covers_exactly_the_values(people: pa.Table, table: str, column: str) -> None:
    source = datasets.adult() if table == "adult" else people
    values = set(source[column].drop_null().unique().to_pylist())
    assert set(TAXONOMY_OF[table](column)["column0"].to_pylist()) == values


@pytest.mark.parametrize(("column", "levels"), CENSUS_LEVELS.items())
def test_census_taxonomies_have_their_published_height(column: str, levels: int) -> None:
    assert datasets.census_taxonomy(column).num_columns == levels


@pytest.mark.parametrize("table", ["adult", "census"])
def test_every_taxonomy_file_is_tested(table: str) -> None:
    files = {file.stem for file in (datasets.TAXONOMIES / table).glob("*.csv")}
    assert files == {column for name, column in taxonomies() if name == table}


@pytest.mark.parametrize("taxonomy", [datasets.adult_taxonomy, datasets.census_taxonomy])
def test_an_unknown_taxonomy_names_the_choices(taxonomy: Callable[[str], pa.Table]) -> None:
    with pytest.raises(ValueError, match=r"'shoe-size'.*Choose one of: .*workclass"):
        taxonomy("shoe-size")


def test_sql_adult_equals_python_adult(con: TestConnection) -> None:
    assert con.sql("FROM adult()").fetchall() == rows_of(datasets.adult())


@pytest.mark.parametrize("rows", [0, 1, BLOCK_ROWS, 1000])
def test_sql_census_equals_python_census(con: TestConnection, rows: int) -> None:
    result = con.sql(f"FROM census({rows}, seed := 3)")
    assert result.columns == list(CENSUS_DOMAINS)
    assert result.fetchall() == rows_of(datasets.census(rows, seed=3))


def test_sql_census_has_seed_0_unless_told(con: TestConnection) -> None:
    assert con.sql("FROM census(10)").fetchall() == rows_of(datasets.census(10, seed=0))


def test_sql_census_spans_several_calls(con: TestConnection) -> None:
    rows = BLOCK_ROWS * BLOCKS_PER_CALL + 1
    assert con.sql(f"SELECT count(*) FROM census({rows})").fetchall() == [(rows,)]


@pytest.mark.parametrize(("table", "column"), taxonomies())
def test_sql_taxonomies_equal_python_taxonomies(con: TestConnection, table: str, column: str) -> None:
    result = con.sql(f"FROM {table}_taxonomy('{column}')")
    taxonomy = TAXONOMY_OF[table](column)
    assert result.columns == taxonomy.column_names
    assert result.fetchall() == rows_of(taxonomy)


@pytest.mark.parametrize("arguments", ["-1", "NULL", "'many'", "10, seed := -1", "10, seed := NULL", "0, seed := -1"])
def test_sql_census_refuses_what_is_not_a_number(con: TestConnection, arguments: str) -> None:
    with pytest.raises(duckdb.Error, match=r"\[SA102\] "):
        con.sql(f"FROM census({arguments})").fetchall()


@pytest.mark.parametrize("table", ["adult", "census"])
@pytest.mark.parametrize("column", ["'shoe-size'", "NULL", "'../census/race'"])
def test_sql_taxonomies_refuse_an_unknown_column(con: TestConnection, table: str, column: str) -> None:
    with pytest.raises(duckdb.Error, match=r"\[SA101\] .*Choose one of: .*workclass"):
        con.sql(f"FROM {table}_taxonomy({column})").fetchall()
