"""What to try if a table is not eligible, in the words of whoever wanted the release."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import duckdb

from ..errors import NotEligible, from_duckdb

STATEMENTS = {
    "ldiverse": r"\bldiverse\(…, (\d+)\)",
    "taudiverse": r"\btaudiverse\(…, ([\d.]+), (\d+)\)",
    "algo": r"algo := '(\w+)', options := \{'(\w+)': ([\d.]+)\}",
}
"""What hints say in SQL."""


@contextmanager
def advising_in(words: Mapping[str, str]) -> Iterator[None]:
    """Say what could be tried in other words than SQL: replacements of the patterns above."""
    try:
        yield
    except duckdb.Error as error:
        refusal = from_duckdb(error)
        if not isinstance(refusal, NotEligible):
            raise
        raise NotEligible(*(in_words(words, text) for text in (refusal.message, refusal.hint))) from None


def in_words(words: Mapping[str, str], text: str) -> str:
    """A text with other words for the patterns above."""
    for name, pattern in STATEMENTS.items():
        text = re.sub(pattern, words[name], text)
    return text
