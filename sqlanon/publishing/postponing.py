"""Signals that would end a program in the middle of what must be whole."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def postpone_signals() -> Iterator[None]:
    """Meanwhile, signals that the program answers wait: what they would raise is raised in the end."""
    received: list[int] = []
    answered = {number: handler for number in ENDING if callable(handler := signal.getsignal(number))}
    if threading.current_thread() is not threading.main_thread():
        answered = {}  # the main thread answers signals, and it alone may say how
    for number in answered:
        signal.signal(number, lambda number, _: received.append(number))
    try:
        yield
    finally:
        for number, handler in answered.items():
            signal.signal(number, handler)
        if received:
            signal.raise_signal(received[0])
