"""Synthetic census microdata, drawn block by block: FROM census(1000000) in SQL."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sqlanon.errors import Guard

from .synthetic import census_tables as tables
from .synthetic.blocks import Block, listed_blocks, refuse_wrong_size, stream, whole_table

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]


class Choice:
    """A column drawn by its weights, under one of several conditions.

    All conditions share one sorted array, condition c in [c, c + 1), so that one binary search
    finds every row's value.
    """

    def __init__(self, weights: npt.ArrayLike) -> None:
        """Take one row of weights per condition; each row needs a positive sum."""
        table = np.atleast_2d(np.asarray(weights, dtype=np.float64))
        conditions, self.values = table.shape
        share = np.cumsum(table, axis=1) / table.sum(axis=1, keepdims=True)
        self.bounds = (share + np.arange(conditions)[:, np.newaxis]).ravel()

    def draw(self, uniform: Floats, condition: Codes | int = 0) -> Codes:
        """Turn uniform numbers in [0, 1) into codes in [0, values)."""
        position = np.searchsorted(self.bounds, uniform + condition, side="right")
        # Adding the condition can round up to the next one: stay inside.
        codes: Codes = np.minimum(position - condition * self.values, self.values - 1)
        return codes


def steps(starts: Iterable[int], values: Codes) -> Codes:
    """Number each value by the last start that is not above it."""
    return np.searchsorted(np.fromiter(starts, np.int64), values, side="right") - 1


def lines(corners: tuple[tuple[float, float], ...], values: Codes) -> Floats:
    """Read values off the straight lines between corners."""
    x, y = zip(*corners, strict=True)
    heights: Floats = np.interp(values, x, y)
    return heights


def country_weights() -> Floats:
    """Give the home country its share and the others the rest by Zipf's law."""
    tail = 1 / np.arange(1, len(tables.REGION_OF_COUNTRY))
    return np.concatenate([[tables.HOME_SHARE], (1 - tables.HOME_SHARE) * tail / tail.sum()])


def race_weights() -> list[tuple[int, ...]]:
    """Weigh race for every country of birth, in the order of the countries."""
    return [
        tables.RACE_BY_COUNTRY.get(country, tables.RACE_BY_REGION[region])
        for country, region in tables.REGION_OF_COUNTRY.items()
    ]


def occupation_weights() -> Floats:
    """Weigh occupation for every (education, gender): near its education, by its share of women."""
    weight = np.array([o.weight for o in tables.OCCUPATIONS])
    typical = np.array([o.typical_education for o in tables.OCCUPATIONS])
    women = np.array([o.women for o in tables.OCCUPATIONS])
    distance = (np.array(tables.EDUCATIONS)[:, np.newaxis] - typical) / tables.EDUCATION_REACH
    near = weight * np.exp(-(distance**2) / 2)
    return np.stack([near * women, near * (1 - women)], axis=1).reshape(-1, len(weight))


AGES = np.arange(tables.FIRST_AGE, tables.LAST_AGE + 1)
WOMEN = lines(tables.WOMEN_BY_AGE, AGES)
EDUCATION_BAND = steps(tables.EDUCATION_BY_AGE, AGES)
MARITAL_BAND = steps(tables.MARITAL_BY_AGE_AND_GENDER, AGES)
WORKCLASS_BAND = np.searchsorted(list(tables.WORKCLASS_BY_EDUCATION_AND_GENDER), tables.EDUCATIONS)

AGE = Choice(lines(tables.AGE_WEIGHTS, AGES))
GENDER = Choice(np.stack([WOMEN, 1 - WOMEN], axis=1))
EDUCATION = Choice(list(tables.EDUCATION_BY_AGE.values()))
MARITAL = Choice(np.concatenate(list(tables.MARITAL_BY_AGE_AND_GENDER.values())))
COUNTRY = Choice(country_weights())
RACE = Choice(race_weights())
WORKCLASS = Choice(np.concatenate(list(tables.WORKCLASS_BY_EDUCATION_AND_GENDER.values())))
OCCUPATION = Choice(occupation_weights())

SALARY_OF_AGE = lines(tables.SALARY_BY_AGE, AGES)
SALARY_OF_EDUCATION = np.array(tables.SALARY_BY_EDUCATION, dtype=np.float64)
SALARY_OF_GENDER = np.array(tables.SALARY_BY_GENDER)
SALARY_OF_OCCUPATION = np.array([o.pay for o in tables.OCCUPATIONS])

# One per drawn column, and three more whose sum is the noise of the salary.
DRAWS_PER_ROW = 11


def uniforms(block: int, rows: int, seed: int) -> Floats:
    """Draw the random numbers of one block, row by row, so that a shorter block is a prefix."""
    refuse_wrong_size("census", rows, seed)
    return np.random.Generator(stream(block, seed)).random((rows, DRAWS_PER_ROW))


def salary_classes(age: Codes, gender: Codes, education: Codes, occupation: Codes, noise: Floats) -> Codes:
    """Add up what a person earns; noise is in [0, 3), the sum of three uniform numbers."""
    salary = SALARY_OF_AGE[age] + SALARY_OF_EDUCATION[education] + SALARY_OF_GENDER[gender]
    salary += SALARY_OF_OCCUPATION[occupation] + tables.SALARY_NOISE * (noise - 1.5)
    classes: Codes = np.clip(salary, 1, tables.SALARY_CLASSES).astype(np.int64)
    return classes


def people(draws: Floats) -> pa.StructArray:
    """Turn rows of random numbers into rows of the census. Assumes DRAWS_PER_ROW columns."""
    u = np.ascontiguousarray(draws.T)
    age = AGE.draw(u[0])
    gender = GENDER.draw(u[1], age)
    education = EDUCATION.draw(u[2], EDUCATION_BAND[age])
    marital = MARITAL.draw(u[3], 2 * MARITAL_BAND[age] + gender)
    country = COUNTRY.draw(u[4])
    race = RACE.draw(u[5], country)
    workclass = WORKCLASS.draw(u[6], 2 * WORKCLASS_BAND[education] + gender)
    occupation = OCCUPATION.draw(u[7], 2 * education + gender)
    salary = salary_classes(age, gender, education, occupation, u[8] + u[9] + u[10])
    columns = {
        "age": numbers(age + tables.FIRST_AGE),
        "gender": labels(tables.GENDERS, gender),
        "education": numbers(education + tables.EDUCATIONS[0]),
        "marital": labels(tables.MARITALS, marital),
        "race": labels(tables.RACES, race),
        "workclass": labels(tables.WORKCLASSES, workclass),
        "country": labels(tuple(tables.REGION_OF_COUNTRY), country),
        "occupation": labels(tuple(o.name for o in tables.OCCUPATIONS), occupation),
        "salary": numbers(salary),
    }
    return pa.StructArray.from_arrays(list(columns.values()), names=list(columns))


def numbers(values: Codes) -> pa.Array:
    """Narrow to the INTEGER that DuckDB is told of."""
    return pa.array(values.astype(np.int32))


def labels(values: tuple[str, ...], codes: Codes) -> pa.Array:
    """Spell codes out."""
    return pa.array(values, pa.string()).take(pa.array(codes))


def census_block(block: int, rows: int, seed: int) -> pa.StructArray:
    """Draw the first rows of one block of the census."""
    return people(uniforms(block, rows, seed))


def census_blocks(blocks: Iterable[Block]) -> pa.StructArray:
    """Draw the rows of several (block, rows, seed), one after the other.

    Turning many small blocks into people at once is what makes them cheap.
    """
    return people(np.concatenate([np.empty((0, DRAWS_PER_ROW)), *(uniforms(*block) for block in blocks)]))


def census_table(rows: int, seed: int) -> pa.Table:
    """Draw a whole census, as the macro does."""
    return whole_table("census", rows, seed, census_blocks)


def call(block: pa.ChunkedArray, rows: pa.ChunkedArray, seed: pa.ChunkedArray) -> pa.Array:
    """Draw one list of rows per input row, at most a block of them."""
    with Guard("drawing people"):
        return listed_blocks("census", block, rows, seed, census_blocks)
