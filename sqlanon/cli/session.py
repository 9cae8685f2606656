"""A session for one command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..publishing import session
from ..publishing.engine import Engine
from .narration import working


@contextmanager
def opened(engine: Engine) -> Iterator[session.Session]:
    """A session; meanwhile, progress is drawn."""
    with working(), session.opened(engine) as one:
        yield one
