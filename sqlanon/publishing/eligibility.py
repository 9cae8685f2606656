"""Advice for a table that is not eligible, in the words of SQL, the command line or a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import duckdb

from ..errors import NotEligible, from_duckdb
from ..next_steps import NextStep


@contextmanager
def advise_in(words: Callable[[NextStep], str]) -> Iterator[None]:
    """Say in other words than SQL what could be tried."""
    try:
        yield
    except duckdb.Error as error:
        refusal = from_duckdb(error)
        if not isinstance(refusal, NotEligible):
            raise
        if not refusal.advice:
            raise refusal from None
        raise NotEligible.with_advice(refusal.message, refusal.advice, words) from None
