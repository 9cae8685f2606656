"""A column of the release as a query uses it, and what can be wrong with it.

Its published values (cells) are taken apart by `here` (macros of sql/estimate.sql) or, for another engine, by
`elsewhere` (plain SQL), from

    published_*   the distinct cells, of the rows that cannot count too: a star stands for whatever they show

into

    told_*     every cell that tells something, one row per value or range in it: cell, pieces (how many), label (its
               text), low_text and high_text (the ends of a range, else the label twice), ranged
    stars_*    the cells that tell nothing
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.errors import InvalidParameter, ReleaseMismatch, SqlanonError

from .sets import Regions

MOST_STEPS = 100_000
"""Values that the ranges of a column of GROUP BY may go through."""

MOST_RUNS = 256
"""Separate pieces of a number axis that one condition may ask for."""


@dataclass(frozen=True)
class Used:
    """A column of the release that a query uses: our name of it, the analyst's, and how its values are cut."""

    own: str
    name: str
    regions: Regions
    tree: bool
    """Whether it has a taxonomy."""
    grouped: bool
    """Whether it is in GROUP BY."""


def no_value_of(used: Used, kind: str) -> SqlanonError:
    """The error of a published value that is not what the query compares it with."""
    return ReleaseMismatch(
        f"column {used.name!r} of rel has a value that is no {kind}, which query takes it for.",
        "Compare it with text in quotes, or give its taxonomy.",
    )


def is_unclear(used: Used) -> bool:
    """Whether a column is compared with a value that a list of text would not show as one."""
    unclear = [text for text in used.regions.texts if ", " in text or text == "NULL"]
    return used.regions.axis == "text" and not used.tree and bool(unclear)


def unclear_value(used: Used) -> SqlanonError:
    """The error of such a value where there is such a list."""
    return InvalidParameter(
        f"query compares column {used.name!r} with a value that has a comma or reads NULL; rel has lists of text.",
        "Publish with format := 'typed'.",
    )


def no_text(used: Used) -> SqlanonError:
    """The error of a number compared with text."""
    return InvalidParameter(
        f"query compares column {used.name!r} with text, but the release shows numbers, dates or times there.",
        "Compare it with a number, or write DATE '2024-02-29'.",
    )


def no_steps(used: Used) -> SqlanonError:
    """The error of ranges that are to be grouped by, value by value."""
    return InvalidParameter(
        f"query: GROUP BY column {used.name!r}, whose ranges cannot be gone through value by value.",
        f"Ranges of whole numbers and dates can, up to {MOST_STEPS} values in all; compare the column instead.",
    )


def too_long(used: Used) -> SqlanonError:
    """The error of a list that plain SQL does not go through."""
    return InvalidParameter(f"column {used.name!r} of rel lists more than 1000 values.", "Use estimate in DuckDB.")


def unknown_label(used: Used) -> SqlanonError:
    """The error of a label that the taxonomy does not have."""
    return ReleaseMismatch(
        f"column {used.name!r} of rel has a value that is not in its taxonomy.",
        "Is it the taxonomy that the release was published with?",
    )


def too_large(used: Used) -> SqlanonError:
    """The error of whole numbers that a DOUBLE does not tell apart: bounds would not be certain."""
    return InvalidParameter(
        f"column {used.name!r} of rel has whole numbers beyond 2^53, which cannot be compared exactly.",
        "Leave those rows out of rel, or divide the column.",
    )


def too_fine(used: Used) -> SqlanonError:
    """The error of decimals and nanoseconds that are not told apart either."""
    return InvalidParameter(
        f"column {used.name!r} of rel has numbers or times with more digits than can be compared exactly.",
        "Leave those rows out of rel, or round the column.",
    )


def too_many_runs(used: Used) -> SqlanonError:
    """The error of a condition that cuts a column into too many pieces."""
    return InvalidParameter(
        f"query: its condition on column {used.name!r} has more than {MOST_RUNS} separate ranges or numbers.",
        "Ask for fewer at a time.",
    )


def endless(used: Used) -> SqlanonError:
    """The error of a range up to infinity: uniform over it means nothing."""
    return InvalidParameter(
        f"column {used.name!r} of rel has a range without an end, over which nothing can be spread.",
        "Leave those rows out of rel.",
    )
