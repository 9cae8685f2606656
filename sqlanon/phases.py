"""The phases of a long call, written to the logger `sqlanon` at INFO: the phase, how many rows, the seconds; no values.

A phase logs twice, when it begins and when it has ended. Both records have `phase` and `rows`, the second one has
`seconds`, too (None in the first), so that a handler can draw them. With INFO off, that costs one look at the logger.

>>> with phase("grouping", 9):
...     pass
>>> with phase("reading") as reading:
...     reading.rows = 9  # known only now
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_log = logging.getLogger("sqlanon")


@dataclass
class Phase:
    """A phase: its name, and its rows, once they are known."""

    name: str
    rows: int | None

    def log(self, seconds: float | None) -> None:
        """Tell that it begins (no seconds) or has ended."""
        words = self.name if self.rows is None else f"{self.name}: {self.rows:,} rows"
        details = {"phase": self.name, "rows": self.rows, "seconds": seconds}
        _log.info(words if seconds is None else f"{words} in {seconds:.1f} s", extra=details)


@contextmanager
def phase(name: str, rows: int | Callable[[], int] | None = None) -> Iterator[Phase]:
    """Log that a phase begins and, unless it fails, that it has ended. Rows are counted only if somebody listens."""
    listens = _log.isEnabledFor(logging.INFO)
    running = Phase(name, None if callable(rows) and not listens else rows() if callable(rows) else rows)
    if not listens:
        yield running
        return
    running.log(None)
    began = time.perf_counter()
    yield running
    running.log(time.perf_counter() - began)


class Progress:
    """How far the statements of a connection are, for whoever draws it in another thread."""

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._ask: Callable[[], float] | None = None

    @contextmanager
    def poll(self, ask: Callable[[], float]) -> Iterator[None]:
        """Meanwhile, `ask` answers with a percentage, or with -1. It is not called afterwards, nor while this ends."""
        self._ask, before = ask, self._ask
        try:
            yield
        finally:
            with self._asking:
                self._ask = before

    def percentage(self) -> float | None:
        """Return how much of the statement that runs is done, from 0 to 100; None if that is not known."""
        with self._asking:
            done = -1.0 if self._ask is None else self._ask()
        return done if done >= 0 else None


PROGRESS = Progress()
"""That of the connection which was opened last."""
