"""The refusals of an estimate, in words: statements for DuckDB and for other engines raise it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.errors import InvalidParameter, ReleaseMismatch, SqlanonError

MOST_STEPS = 100_000
"""Values that the ranges of a column of GROUP BY may go through."""

MOST_RUNS = 256
"""Separate pieces of a number axis that one condition may ask for."""

MOST_VALUES = 10_000_000
"""Rows that the ranges of one column of GROUP BY may become."""

MOST_GROUPS = 1_000_000
"""Groups that an estimate may come back with."""

MOST_SHARES = 5_000_000
"""Pairs of a class of a release and a group that it may be in."""

FINE_DAYS = 65_536
"""Days before and after 1970 in which a DOUBLE of days tells microseconds apart."""


@dataclass(frozen=True)
class Named:
    """A column of the release, by the analyst's name of it."""

    name: str


def no_value_of(column: Named, kind: str) -> SqlanonError:
    """A published value that is not what the query compares it with."""
    return ReleaseMismatch(
        f"column {column.name!r} of rel has a value that is no {kind}, which query takes it for.",
        "Compare it with text in quotes, or give its taxonomy.",
    )


def unclear_value(column: Named) -> SqlanonError:
    """A value that a list of text would not show as one."""
    return InvalidParameter(
        f"query compares column {column.name!r} with a value that has a comma or reads NULL; rel has lists of text.",
        "Publish with format := 'typed'.",
    )


def no_text(column: Named) -> SqlanonError:
    """A number compared with text."""
    return InvalidParameter(
        f"query compares column {column.name!r} with text, but the release shows numbers, dates or times there.",
        "Compare it with a number, or write DATE '2024-02-29'.",
    )


def no_moments(column: Named) -> SqlanonError:
    """Timestamps where plain SQL reads dates."""
    return InvalidParameter(
        f"column {column.name!r} of rel has times, and this statement reads dates only.", "Use estimate in DuckDB."
    )


def no_steps(column: Named) -> SqlanonError:
    """Ranges that are to be grouped by, value by value."""
    return InvalidParameter(
        f"query: GROUP BY column {column.name!r}, whose ranges cannot be gone through value by value.",
        f"Ranges of whole numbers and dates can, up to {MOST_STEPS} values in all; compare the column instead.",
    )


def too_many_groups() -> SqlanonError:
    """Ranges of several columns that are to be grouped by, every value of one with every value of the others."""
    return InvalidParameter(
        "query: GROUP BY spreads the rows of rel over too many groups.",
        f"At most {MOST_GROUPS:,} come back, from {MOST_SHARES:,} pairs of rows that publish the same and a group: "
        "group by fewer columns.",
    )


def unclear_type(column: Named) -> SqlanonError:
    """A comparison that depends on a type which text does not tell."""
    return InvalidParameter(
        f"query: what column {column.name!r} is compared with depends on its type, which rel does not show.",
        "Write constants as rel does, without quotes for numbers and without exponents, or publish with "
        "format := 'typed'.",
    )


def no_single(column: Named) -> SqlanonError:
    """Constants between which there is no FLOAT."""
    return InvalidParameter(
        f"query compares column {column.name!r} of type FLOAT with numbers that FLOAT does not tell apart.",
        "Round them.",
    )


def unclear_moment(column: Named) -> SqlanonError:
    """Moments whose order, or whose time zone, is not that of the release."""
    return InvalidParameter(
        f"query compares column {column.name!r} with moments that cannot be put in order with those of rel.",
        "Write all of them with an offset for a TIMESTAMP WITH TIME ZONE, none for a TIMESTAMP, and dates for a DATE.",
    )


def too_long(column: Named) -> SqlanonError:
    """A list that plain SQL does not go through."""
    return InvalidParameter(f"column {column.name!r} of rel lists more than 1000 values.", "Use estimate in DuckDB.")


def unknown_label(column: Named) -> SqlanonError:
    """A label that the taxonomy does not have."""
    return ReleaseMismatch(
        f"column {column.name!r} of rel has a value that is not in its taxonomy.",
        "Is it the taxonomy that the release was published with?",
    )


def unshown_value(column: Named) -> SqlanonError:
    """A constant that is nowhere in a column: the column may have labels, one of which stands for it."""
    return ReleaseMismatch(
        f"query compares column {column.name!r} with a value that rel does not show: what it shows may be labels.",
        WHOSE_LABELS,
    )


def masked_value(column: Named) -> SqlanonError:
    """A label of a taxonomy of prefixes, 10*, compared without the taxonomy."""
    return ReleaseMismatch(
        f"column {column.name!r} of rel has labels, text that ends with *, and its taxonomy was not given.",
        WHOSE_LABELS,
    )


WHOSE_LABELS = "Give the column's taxonomy; if it shows values of the source as they stand, give NULL as its taxonomy."


def too_large(column: Named) -> SqlanonError:
    """Whole numbers that a DOUBLE does not tell apart: bounds would not be certain."""
    return InvalidParameter(
        f"column {column.name!r} of rel has whole numbers beyond 2^53, which cannot be compared exactly.",
        "Leave those rows out of rel, or divide the column.",
    )


def too_fine(column: Named) -> SqlanonError:
    """Decimals and nanoseconds that are not told apart either."""
    return InvalidParameter(
        f"column {column.name!r} of rel has numbers or times with more digits than can be compared exactly.",
        "Leave those rows out of rel, or round the column.",
    )


def too_many_runs(column: Named) -> SqlanonError:
    """A condition that cuts a column into too many pieces."""
    return InvalidParameter(
        f"query: its condition on column {column.name!r} has more than {MOST_RUNS} separate ranges or numbers.",
        "Ask for fewer at a time.",
    )


def endless(column: Named) -> SqlanonError:
    """A range up to infinity: uniform over it means nothing."""
    return InvalidParameter(
        f"column {column.name!r} of rel has a range without an end, over which nothing can be spread.",
        "Leave those rows out of rel.",
    )
