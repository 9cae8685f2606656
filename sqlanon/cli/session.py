"""A session for one command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..publishing import session
from ..publishing.engine import Engine
from .narration import show_progress


@contextmanager
def session_with_progress(engine: Engine) -> Iterator[session.Session]:
    """A session; meanwhile, progress is drawn."""
    with show_progress(), session.open_session(engine) as one:
        yield one
