"""Published cells, odd ones included, and what each of them says: every reader of releases has to read them so.

A case has the values of a column of the source, one published cell of it, and the values that the cell may stand for.
"""

from __future__ import annotations

from dataclasses import dataclass

Text = str | None
"""A value as DuckDB writes it; None is NULL."""


@dataclass(frozen=True)
class Case:
    """A cell, and what it covers: values, one that is there twice counts twice; None is SA301.

    `cell` is an expression of SQL. `roles` says where it reads so: as a quasi-identifier, as a sensitive value, or
    both. `wild`: it may be anything, also for whoever does not know the source. `alone`: so does whoever does not know
    the source read it, and `plainly` whoever does not know sqlanon either.
    """

    name: str
    kind: str
    values: tuple[Text, ...]
    cell: str
    covers: tuple[Text, ...] | None
    star: bool = False
    wild: bool = False
    alone: bool = False
    plainly: bool = False
    roles: tuple[str, ...] = ("qi", "sa")
    paths: tuple[tuple[str, ...], ...] = ()

    @property
    def domain(self) -> tuple[Text, ...]:
        """The values that the column can have."""
        if not self.paths:
            return self.values
        return (*(path[0] for path in self.paths), *((None,) if None in self.values else ()))


ABC = ("a", "b", "c")
GAP = ("a", "b", None)
ODD = ("a", "a, b", "b, c", "a, b, c", "{", "{a}", "it's", '"', "", "NULL", None)
NUMBERS = ("-3", "0", "4", "5", "10")
HALVES = ("-1.5", "0.0", "2.25", "1e+300", "inf", "-inf", "nan")
DAYS = ("2023-12-31", "2024-02-28", "2024-02-29", "2024-03-01")
TREE = (("a", "x", "all"), ("b", "x", "all"), ("c", "y", "all"), ("d", "y", "all"))
STARRED = (("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"))
QI, SA = ("qi",), ("sa",)

TEXTS = [
    Case("a value", "VARCHAR", ABC, "'b'", ("b",), alone=True, plainly=True),
    Case("a value that the source lacks", "VARCHAR", ABC, "'d'", None),
    Case("an empty text", "VARCHAR", ("", "a"), "''", ("",), alone=True),
    Case("an empty text that the source lacks", "VARCHAR", ABC, "''", None),
    Case("NULL", "VARCHAR", GAP, "CAST(NULL AS VARCHAR)", (None,), wild=True),
    Case("NULL that the source lacks", "VARCHAR", ABC, "CAST(NULL AS VARCHAR)", None, wild=True),
    Case("a star", "VARCHAR", ABC, "'*'", ABC, star=True, wild=True),
    Case("a star and NULL", "VARCHAR", GAP, "'*'", GAP, star=True, wild=True),
    Case("a star that is a value, generalized", "VARCHAR", ("*", "a"), "'*'", ("*", "a"), True, True, roles=QI),
    Case("a star that is a value, as it is", "VARCHAR", ("*", "a"), "'*'", ("*",), wild=True, roles=SA),
    Case("a text like a range", "VARCHAR", ("[a, b]", "a", "b"), "'[a, b]'", ("[a, b]",)),
    Case("a text like a range that the source lacks", "VARCHAR", ABC, "'[a, b]'", None),
    Case("half a list", "VARCHAR", ODD, "'{'", ("{",)),
    Case("a quote", "VARCHAR", ODD, "'it''s'", ("it's",), alone=True, plainly=True),
    Case("a double quote", "VARCHAR", ODD, "'\"'", ('"',), alone=True),
    Case("a value with a comma", "VARCHAR", ODD, "'a, b'", ("a, b",)),
    Case("the word NULL", "VARCHAR", ODD, "'NULL'", ("NULL",)),
    Case("an ENUM", "ENUM('b', 'a')", ("b", "a"), "'a'", ("a",)),
    Case("a BOOLEAN", "BOOLEAN", ("false", "true"), "'true'", ("true",)),
]

LISTS = [
    Case("a list", "VARCHAR", ABC, "'{a, c}'", ("a", "c"), alone=True, plainly=True),
    Case("a list of one", "VARCHAR", ABC, "'{b}'", ("b",)),
    Case("a list with one value twice", "VARCHAR", ABC, "'{a, a, c}'", ("a", "a", "c"), alone=True, plainly=True),
    Case("a list with NULL", "VARCHAR", GAP, "'{a, NULL}'", ("a", None)),
    Case("a list with NULL that the source lacks", "VARCHAR", ABC, "'{a, NULL}'", None),
    Case("a list with the word NULL", "VARCHAR", ODD, "'{a, NULL}'", ("a", "NULL")),
    Case("a list with a value that the source lacks", "VARCHAR", ABC, "'{a, d}'", None),
    Case("a list of the whole domain", "VARCHAR", ABC, "'{a, b, c}'", ABC, alone=True, plainly=True),
    Case("a value like a list", "VARCHAR", ODD, "'{a}'", ("{a}",)),
    Case("a list of values with commas, the longest first", "VARCHAR", ODD, "'{a, b, c}'", ("a, b, c",)),
    Case("the longest that leaves a way", "VARCHAR", ("a", "a, b", "b, c"), "'{a, b, c}'", ("a", "b, c")),
    Case("a list of values with commas, the only way", "VARCHAR", ("a, b", "c"), "'{a, b, c}'", ("a, b", "c")),
    Case("pieces that are values", "VARCHAR", ("a", "b", "a, b"), "'{a, b}'", ("a", "b")),
    Case("pieces that are no values in any way", "VARCHAR", ("a, b", "c"), "'{a, c}'", None),
    Case("a list of the empty text", "VARCHAR", ODD, "'{}'", ("",)),
    Case("an open list", "VARCHAR", ABC, "'{a, b'", None),
    Case("a list of numbers", "INTEGER", NUMBERS, "'{-3, 10}'", ("-3", "10")),
    Case("a list of dates", "DATE", DAYS, "'{2024-02-28, 2024-02-29}'", ("2024-02-28", "2024-02-29")),
    Case(
        "a list of moments in another zone",
        "TIMESTAMPTZ",
        ("2024-01-01 10:00:00+00", "2024-01-01 12:00:00+00", "2024-01-01 13:00:00+00"),
        "'{2024-01-01 12:00:00+02, 2024-01-01 14:00:00+01}'",
        ("2024-01-01 10:00:00+00", "2024-01-01 13:00:00+00"),
    ),
    Case("a typed list", "VARCHAR", ABC, "['a', 'c']", ("a", "c"), alone=True),
    Case("a typed list of one", "VARCHAR", ABC, "['b']", ("b",), alone=True),
    Case("a typed star", "VARCHAR", GAP, "['*']", GAP, star=True, wild=True),
    Case("a typed list with NULL", "VARCHAR", ("a", "b", "c", None), "['a', NULL]", ("a", None), alone=True),
    Case("a typed list with NULL that the source lacks", "VARCHAR", ABC, "['a', NULL]", None),
    Case("a typed list of NULL", "VARCHAR", GAP, "CAST([NULL] AS VARCHAR[])", (None,)),
    Case("a typed NULL", "VARCHAR", GAP, "CAST(NULL AS VARCHAR[])", (None,), wild=True),
    Case("a typed list of the whole domain", "VARCHAR", ABC, "['a', 'b', 'c']", ABC, star=True, roles=QI),
    Case("a typed list of all sensitive values", "VARCHAR", ABC, "['a', 'b', 'c']", ABC, roles=SA, alone=True),
    Case("a typed list of values with commas", "VARCHAR", ODD, "['a', 'a, b, c']", ("a", "a, b, c"), alone=True),
    Case("a typed list of the word NULL", "VARCHAR", GAP, "['NULL']", None),
    Case("an empty list", "VARCHAR", ABC, "CAST([] AS VARCHAR[])", None),
    Case("a typed list of numbers", "INTEGER", NUMBERS, "[0, 10]", ("0", "10"), alone=True),
]

RANGES = [
    Case("a number", "INTEGER", NUMBERS, "'4'", ("4",), alone=True, plainly=True),
    Case("a number in its type", "INTEGER", NUMBERS, "4", ("4",), alone=True),
    Case("a number as another type writes it", "INTEGER", NUMBERS, "4.0::DOUBLE", ("4",)),
    Case("a number that the source lacks", "INTEGER", NUMBERS, "'3'", None),
    Case("a range", "INTEGER", NUMBERS, "'[-3, 4]'", ("-3", "0", "4")),
    Case("a range whose ends do not occur", "INTEGER", NUMBERS, "'[-2, 7]'", ("0", "4", "5")),
    Case(
        "a range of all whole numbers",
        "INTEGER",
        ("-1", "0", "1"),
        "'[-1, 1]'",
        ("-1", "0", "1"),
        False,
        False,
        True,
        True,
    ),
    Case("a range of nothing", "INTEGER", NUMBERS, "'[6, 9]'", None),
    Case("a range turned round", "INTEGER", NUMBERS, "'[4, 0]'", None),
    Case("a typed range", "INTEGER", NUMBERS, "{'lo': 0, 'hi': 5}", ("0", "4", "5")),
    Case("a typed range of one", "INTEGER", NUMBERS, "{'lo': 4, 'hi': 4}", ("4",), alone=True),
    Case("half a typed range", "INTEGER", NUMBERS, "{'lo': 4, 'hi': CAST(NULL AS INTEGER)}", None),
    Case(
        "a typed range without ends",
        "INTEGER",
        ("1", "2", None),
        "CAST({'lo': NULL, 'hi': NULL} AS STRUCT(lo INTEGER, hi INTEGER))",
        ("1", "2", None),
        star=True,
        wild=True,
    ),
    Case(
        "a typed NULL for a range",
        "INTEGER",
        ("1", None),
        "CAST(NULL AS STRUCT(lo INTEGER, hi INTEGER))",
        (None,),
        wild=True,
    ),
    Case("a star of numbers", "INTEGER", ("1", "2", None), "'*'", ("1", "2", None), star=True, wild=True),
    Case("a fraction", "DOUBLE", HALVES, "'2.25'", ("2.25",), alone=True),
    Case("a range of fractions", "DOUBLE", HALVES, "'[-1.5, 2.25]'", ("-1.5", "0.0", "2.25")),
    Case("a range up to infinity", "DOUBLE", HALVES, "'[2.25, inf]'", ("2.25", "1e+300", "inf")),
    Case("a range from below", "DOUBLE", HALVES, "'[-inf, -1.5]'", ("-inf", "-1.5")),
    Case("no number", "DOUBLE", HALVES, "'nan'", ("nan",)),
    Case("a decimal", "DECIMAL(5,2)", ("-1.50", "0.00", "2.25"), "'[-1.50, 0.00]'", ("-1.50", "0.00")),
    Case(
        "huge numbers", "HUGEINT", ("9007199254740992", "9007199254740993"), "'9007199254740993'", ("9007199254740993",)
    ),
    Case("a range of dates", "DATE", DAYS, "'[2024-02-28, 2024-03-01]'", DAYS[1:], False, False, True, True),
    Case(
        "a typed range of dates",
        "DATE",
        DAYS,
        "{'lo': DATE '2024-02-28', 'hi': DATE '2024-02-29'}",
        DAYS[1:3],
        alone=True,
    ),
    Case(
        "dates before Christ",
        "DATE",
        ("0002-01-01 (BC)", "0001-01-01"),
        "'[0002-01-01 (BC), 0001-01-01]'",
        ("0002-01-01 (BC)", "0001-01-01"),
    ),
    Case(
        "a date without end", "DATE", ("2024-02-29", "infinity"), "'[2024-02-29, infinity]'", ("2024-02-29", "infinity")
    ),
    Case(
        "a timestamp",
        "TIMESTAMP",
        ("2024-01-01 10:00:00", "2024-01-01 10:00:00.5"),
        "'2024-01-01 10:00:00.5'",
        ("2024-01-01 10:00:00.5",),
    ),
    Case(
        "a timestamp in another zone",
        "TIMESTAMPTZ",
        ("2024-01-01 10:00:00+00", "2024-01-01 12:00:00+00"),
        "'[2024-01-01 12:00:00+02, 2024-01-01 11:30:00+00]'",
        ("2024-01-01 10:00:00+00",),
    ),
    Case("a time", "TIME", ("08:00:00", "09:30:00", "23:00:00"), "'[08:00:00, 10:00:00]'", ("08:00:00", "09:30:00")),
    Case(
        "an interval",
        "INTERVAL",
        ("1 day", "36:00:00", "1 month"),
        "'[1 day, 30 days]'",
        ("1 day", "36:00:00", "1 month"),
    ),
]

LABELS = [
    Case("a leaf", "VARCHAR", ("a", "c"), "'a'", ("a",), paths=TREE, alone=True),
    Case("a label", "VARCHAR", ("a", "c"), "'x'", ("a", "b"), paths=TREE, alone=True),
    Case("the root", "VARCHAR", ("a", "c"), "'all'", ("a", "b", "c", "d"), paths=TREE, alone=True),
    Case("the root does not cover NULL", "VARCHAR", ("a", None), "'all'", ("a", "b", "c", "d"), paths=TREE),
    Case("a root that is a star does", "VARCHAR", ("a", None), "'*'", ("a", "b", "c", None), True, True, paths=STARRED),
    Case("a label that the taxonomy lacks", "VARCHAR", ("a", "c"), "'z'", None, paths=TREE),
    Case("a typed list of leaves", "VARCHAR", ("a", "c"), "['a', 'b']", ("a", "b"), paths=TREE, alone=True),
    Case("leaves of two branches", "VARCHAR", ("a", "c"), "['a', 'd']", ("a", "d"), paths=TREE, alone=True),
    Case("leaves as text", "VARCHAR", ("a", "c"), "'{a, c}'", ("a", "c"), paths=TREE, alone=True),
    Case("leaves and NULL", "VARCHAR", ("a", None), "['d', NULL]", ("d", None), paths=TREE),
    Case(
        "all leaves",
        "VARCHAR",
        ("a", "c"),
        "['a', 'b', 'c', 'd']",
        ("a", "b", "c", "d"),
        star=True,
        roles=QI,
        paths=TREE,
    ),
]

CASES = [*TEXTS, *LISTS, *RANGES, *LABELS]
