"""The output to stderr: errors, warnings, and phases with their progress, drawn or line by line."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from ..phases import PROGRESS
from .messages import error_line, phase_line, warning_line
from .output import errors, printable

PATIENCE = 2.0
"""Seconds before progress is drawn."""

_log = logging.getLogger("sqlanon")


class Percentage(ProgressColumn):
    """The progress of DuckDB's statement, beside the first phase that has not ended."""

    def render(self, task: Task) -> Text:
        """Return the percentage, if it is known."""
        done = None if task.finished or task.fields.get("inner") else PROGRESS.percentage()
        return Text("" if done is None else f"{done:3.0f} %")


class Drawing:
    """The phases of one piece of work, drawn once it has taken some time, and gone when it is done."""

    def __init__(self, console: Console) -> None:
        words = TextColumn("{task.description}", markup=False)
        columns = SpinnerColumn(finished_text=" "), words, Percentage(), TimeElapsedColumn()
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
            self._running[name] = self._progress.add_task(printable(words), total=None, inner=bool(self._running))
        elif name in self._running:
            self._progress.update(self._running.pop(name), total=1, completed=1)


class Narrator(logging.Handler):
    """Prints errors and warnings; phases as lines, if it is to be verbose, and drawn, while a person looks on."""

    def __init__(self, console: Console, json: bool = False) -> None:
        super().__init__(logging.INFO)
        self.console = console
        self.json = json
        self.verbose = False
        self.drawing: Drawing | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """A warning, or a phase that begins or has ended."""
        if record.levelno >= logging.WARNING:
            self.print(warning_line(record.getMessage(), self.json))
            return
        fields = record.__dict__
        if self.verbose and fields.get("seconds") is not None:
            self.print(phase_line(fields["phase"], fields["rows"], fields["seconds"], record.getMessage(), self.json))
        if self.drawing:
            self.drawing.hear(record)

    def print(self, line: str) -> None:
        """Print a line; an error may have several."""
        self.console.print(printable(line, keep="\n"), soft_wrap=True)


_narrators: list[Narrator] = []


@contextmanager
def listen(json: bool = False) -> Iterator[None]:
    """Hear what the logger says: phases only if stderr is a terminal, or if `be_verbose` is called meanwhile."""
    narrator, level = Narrator(errors(), json), _log.level
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
def show_progress() -> Iterator[None]:
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


def be_verbose(wanted: bool) -> None:
    """From now on, each phase is a line when it has ended."""
    if wanted and _narrators:
        _narrators[-1].verbose = True
        _log.setLevel(logging.INFO)


def print_error(message: str, hint: str = "", code: str | None = None) -> None:
    """Print one error."""
    narrator = _narrators[-1] if _narrators else Narrator(errors())
    narrator.print(error_line(message, hint, code, narrator.json))


def print_warning(message: str) -> None:
    """Print one warning."""
    _log.warning("%s", message)
