"""Advice for a table that is not eligible, in the words of SQL, the command line or a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..errors import NotEligible
from ..next_steps import NextStep


@contextmanager
def advise_in(words: Callable[[NextStep], str]) -> Iterator[None]:
    """Say in other words than SQL what could be tried."""
    try:
        yield
    except NotEligible as refusal:
        if not refusal.advice:
            raise
        raise NotEligible.with_advice(refusal.message, refusal.advice, words) from None
