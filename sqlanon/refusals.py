"""What an estimate refuses, in words: told by the Arrow function, and by statements for other engines."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import InvalidParameter, ReleaseMismatch, SqlanonError

MOST_STEPS = 100_000
"""Values that the ranges of a column of GROUP BY may go through."""

MOST_RUNS = 256
"""Separate pieces of a number axis that one condition may ask for."""

MOST_VALUES = 10_000_000
"""Rows that the ranges of one column of GROUP BY may become, or the values of all of them together."""


@dataclass(frozen=True)
class Named:
    """A column of the release, by the analyst's name of it."""

    name: str


def no_value_of(used: Named, kind: str) -> SqlanonError:
    """A published value that is not what the query compares it with."""
    return ReleaseMismatch(
        f"column {used.name!r} of rel has a value that is no {kind}, which query takes it for.",
        "Compare it with text in quotes, or give its taxonomy.",
    )


def unclear_value(used: Named) -> SqlanonError:
    """A value that a list of text would not show as one."""
    return InvalidParameter(
        f"query compares column {used.name!r} with a value that has a comma or reads NULL; rel has lists of text.",
        "Publish with format := 'typed'.",
    )


def no_text(used: Named) -> SqlanonError:
    """A number compared with text."""
    return InvalidParameter(
        f"query compares column {used.name!r} with text, but the release shows numbers, dates or times there.",
        "Compare it with a number, or write DATE '2024-02-29'.",
    )


def no_moments(used: Named) -> SqlanonError:
    """Timestamps where plain SQL reads dates."""
    return InvalidParameter(
        f"column {used.name!r} of rel has times, and this statement reads dates only.", "Use estimate in DuckDB."
    )


def no_steps(used: Named) -> SqlanonError:
    """Ranges that are to be grouped by, value by value."""
    return InvalidParameter(
        f"query: GROUP BY column {used.name!r}, whose ranges cannot be gone through value by value.",
        f"Ranges of whole numbers and dates can, up to {MOST_STEPS} values in all; compare the column instead.",
    )


def too_many_groups() -> SqlanonError:
    """Columns of GROUP BY whose values go together in too many ways."""
    return InvalidParameter(
        f"query: its classes fall into more than {MOST_VALUES:,} combinations of the values of GROUP BY.",
        "Group by fewer columns, or compare some of them.",
    )


def too_long(used: Named) -> SqlanonError:
    """A list that plain SQL does not go through."""
    return InvalidParameter(f"column {used.name!r} of rel lists more than 1000 values.", "Use estimate in DuckDB.")


def unknown_label(used: Named) -> SqlanonError:
    """A label that the taxonomy does not have."""
    return ReleaseMismatch(
        f"column {used.name!r} of rel has a value that is not in its taxonomy.",
        "Is it the taxonomy that the release was published with?",
    )


def too_large(used: Named) -> SqlanonError:
    """Whole numbers that a DOUBLE does not tell apart: bounds would not be certain."""
    return InvalidParameter(
        f"column {used.name!r} of rel has whole numbers beyond 2^53, which cannot be compared exactly.",
        "Leave those rows out of rel, or divide the column.",
    )


def too_fine(used: Named) -> SqlanonError:
    """Decimals and nanoseconds that are not told apart either."""
    return InvalidParameter(
        f"column {used.name!r} of rel has numbers or times with more digits than can be compared exactly.",
        "Leave those rows out of rel, or round the column.",
    )


def too_many_runs(used: Named) -> SqlanonError:
    """A condition that cuts a column into too many pieces."""
    return InvalidParameter(
        f"query: its condition on column {used.name!r} has more than {MOST_RUNS} separate ranges or numbers.",
        "Ask for fewer at a time.",
    )


def endless(used: Named) -> SqlanonError:
    """A range up to infinity: uniform over it means nothing."""
    return InvalidParameter(
        f"column {used.name!r} of rel has a range without an end, over which nothing can be spread.",
        "Leave those rows out of rel.",
    )
