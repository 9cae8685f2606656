"""The functions that bring data to try things on."""

from __future__ import annotations

from .declaration import ANY, FLAG, WHOLE, Function, Parameter, whole_from

ROWS = Parameter("rows", WHOLE, "How many people.")
DRAW = Parameter("seed", whole_from(0), "Which people: the same seed, the same people.", 0)
PEOPLE = """
    SELECT unnest({block}(number, size, CAST(seed AS BIGINT)), recursive := true)
    FROM _sqlanon_blocks('{name}', "rows", seed)
"""
"""People are made block by block."""

COLUMN = Parameter("column", ANY, "A text column of the table.")

FUNCTIONS = (
    Function(
        "adult",
        "the UCI Adult table, 48,842 people in 15 columns; what the source left out is NULL. Or only those of "
        "whom it left out nothing.",
        (Parameter("complete", FLAG, "Only people of whom the source left out nothing.", False),),
        "datasets.request:read_adult",
        "datasets.statement:adult_statement",
    ),
    Function(
        "census",
        "that many made-up people in 9 correlated columns (age, gender, education, marital, race, workclass, "
        "country, occupation, salary). The same seed gives the same people, and a longer census starts with the "
        "people of a shorter one.",
        (ROWS, DRAW),
        body=PEOPLE.format(block="_sqlanon_census", name="census"),
    ),
    Function(
        "wide_census",
        "that many made-up people in 68 short columns, c01 … c68, with 2 to 18 values each, skewed and dependent."
        " The same seed gives the same people, and a longer census starts with the people of a shorter one.",
        (ROWS, DRAW),
        body=PEOPLE.format(block="_sqlanon_wide_census", name="wide_census"),
    ),
    Function(
        "adult_taxonomy",
        "one row per value of a text column of adult(): the value, then ever more general labels, '*' last.",
        (COLUMN,),
        "datasets.request:read_taxonomy",
        "datasets.statement:taxonomy_statement",
    ),
    Function(
        "census_taxonomy",
        "the same for the text columns of census().",
        (COLUMN,),
        "datasets.request:read_taxonomy",
        "datasets.statement:taxonomy_statement",
    ),
)
