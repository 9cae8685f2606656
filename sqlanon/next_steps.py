"""What to try with a table that is not eligible: the words of errors, and of the function eligibility.

>>> suppression_percent(52, 100, 2)
4
"""

from __future__ import annotations

MOST_SUPPRESSED = 20
"""The percentage of rows up to which leaving them out is recommended."""

NO_DIVERSE_RELEASE = "No l-diverse release of this table exists."
ONLY_VALUE = "No release can hide the only value that there is."
GENERALIZED = "whoever knows which value is frequent knows what most labels stand for."
NO_ROWS = "Nothing can be published from it."


def try_diverse(l: object) -> str:
    """An l that the table allows."""
    return f"Try ldiverse(…, {l})."


def try_generalizing(l: object, also: str = "Try") -> str:
    """Where rows, not people, are counted, such a release always exists."""
    return f"{also} taudiverse(…, 0.5, {l}), which generalizes sensitive values, too; {GENERALIZED}"


def try_suppressing(two_digits: object) -> str:
    """Without some of its rows the table might be eligible: at least this percentage, in two digits."""
    return f"Or leave rows out: algo := 'incognito', options := {{'suppress': 0.{two_digits}}}, or more, may do."


def suppression_percent(top: int, rows: int, l: int) -> int:
    """The percentage of the rows to leave out, all with the most frequent value, until it takes 1/l of the rest."""
    return -(-100 * (top * l - rows) // ((l - 1) * rows))
