"""Warnings, and what takes so long: the logger `sqlanon`, drawn on stderr."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from .output import errors, printable

PATIENCE = 2.0
"""Seconds before progress is drawn."""

_log = logging.getLogger("sqlanon")


class Drawing:
    """The phases of one piece of work, drawn once it has taken some time, and gone when it is done."""

    def __init__(self, console: Console) -> None:
        columns = SpinnerColumn(finished_text=" "), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
        self._progress = Progress(*columns, console=console, transient=True)
        self._running: dict[str, TaskID] = {}
        self._timer = threading.Timer(PATIENCE, self._progress.start)
        self._timer.daemon = True

    def __enter__(self) -> Drawing:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._timer.join()  # or it might start what has just been stopped
        self._progress.stop()

    def hear(self, record: logging.LogRecord) -> None:
        """A phase begins or has ended."""
        name, rows, seconds = (record.__dict__.get(field) for field in ("phase", "rows", "seconds"))
        if name is None:
            return
        if seconds is None:
            words = name if rows is None else f"{name}: {rows:,} rows"
            self._running[name] = self._progress.add_task(printable(words), total=None)
        elif name in self._running:
            self._progress.update(self._running.pop(name), total=1, completed=1)


class Narrator(logging.Handler):
    """Prints warnings, and, while somebody works and a person looks on, draws phases."""

    def __init__(self, console: Console) -> None:
        super().__init__(logging.INFO)
        self.console = console
        self.drawing: Drawing | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            self.console.print(f"warning: {printable(record.getMessage())}", soft_wrap=True)
        elif self.drawing:
            self.drawing.hear(record)


_narrators: list[Narrator] = []


@contextmanager
def listening() -> Iterator[None]:
    """Hear what the logger says: phases only if stderr is a terminal."""
    narrator, level = Narrator(errors()), _log.level
    _log.addHandler(narrator)
    _narrators.append(narrator)
    if narrator.console.is_terminal:
        _log.setLevel(logging.INFO)
    try:
        yield
    finally:
        _narrators.remove(narrator)
        _log.removeHandler(narrator)
        _log.setLevel(level)


@contextmanager
def working() -> Iterator[None]:
    """Draw the phases of what happens meanwhile. Results are printed after it, or lines would mix."""
    narrator = _narrators[-1] if _narrators else None
    if narrator is None or not narrator.console.is_terminal:
        yield
        return
    with Drawing(narrator.console) as narrator.drawing:
        try:
            yield
        finally:
            narrator.drawing = None
