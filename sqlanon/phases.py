"""What a long call is doing, told to the logger `sqlanon` at INFO: the phase, how many rows, the seconds; no values.

A phase logs twice, when it begins and when it has ended. Both records have `phase` and `rows`, the second one has
`seconds`, too (None in the first), so that a handler can draw them. With INFO off, that costs one look at the logger.

>>> with phase("grouping", 9):
...     pass
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

_log = logging.getLogger("sqlanon")


@contextmanager
def phase(name: str, rows: int | None = None) -> Iterator[None]:
    """Log that a phase begins and, unless it fails, that it has ended."""
    if not _log.isEnabledFor(logging.INFO):
        yield
        return
    words = name if rows is None else f"{name}: {rows:,} rows"
    _log.info(words, extra={"phase": name, "rows": rows, "seconds": None})
    began = time.perf_counter()
    yield
    seconds = time.perf_counter() - began
    _log.info("%s in %.1f s", words, seconds, extra={"phase": name, "rows": rows, "seconds": seconds})
