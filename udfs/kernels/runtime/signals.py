"""Ctrl-C while an algorithm runs.

DuckDB calls a function of ours in any of its threads, mostly not in the main one. Python answers signals in the main
thread only, and that waits inside DuckDB: it raises an error there, but then DuckDB waits for our function to return.
So the function has to learn of the signal in its thread, from outside. faulthandler can write to a pipe when a signal
arrives, and passes it on: Python's handlers, and those of the program, work as they always do.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
import time
from types import TracebackType

from .interrupt import STOP

ANSWERED = 0.5
"""Seconds in which the main thread, in DuckDB, has noticed a signal: it looks every hundredth of a second."""


END_OF_USE = b"\0"
"""The byte between the signals of one use of the pipe and those of the next."""


INTERRUPTING: set[object] = {signal.default_int_handler}
"""Handlers that raise KeyboardInterrupt: Python's own, and that of the command line, which adds it."""

WATCHED = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that stop an algorithm if their handler is one of these."""


class InterruptWatcher:
    """While in this context, Ctrl-C sets STOP, if it is left to Python: programs with a handler decide themselves.

    Several threads may be in it. DuckDB tells nobody of `interrupt()`, so that is heeded between two functions only.
    """

    def __init__(self) -> None:
        self._entering = threading.Lock()
        self._inside = 0
        self._uses = 0
        self._watched: list[signal.Signals] = []
        self._pipe_end = -1  # opened when needed, and never closed: a signal may be writing to it

    def __enter__(self) -> None:
        with self._entering:
            if self._inside == 0:
                STOP[0] = 0
                self._watch_signal()
            self._inside += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        with self._entering:
            self._inside -= 1
            if self._inside == 0:
                self._unwatch_signal()
        if kind is KeyboardInterrupt and threading.current_thread() is not threading.main_thread():
            time.sleep(ANSWERED)  # or DuckDB would report our error, and Python the signal right after it

    def settle(self) -> None:
        """Wait until no function of ours runs in a thread of DuckDB: Python must not end under it."""
        while self._inside:
            time.sleep(0.01)
        time.sleep(2 * ANSWERED)

    def _watch_signal(self) -> None:
        if sys.platform == "win32":  # has no such signals: an algorithm runs to its end
            return
        if self._pipe_end < 0:
            to_read, self._pipe_end = os.pipe()
            threading.Thread(target=self._await_signals, args=(to_read,), daemon=True).start()
        self._watched = [number for number in map(signal.Signals.__getitem__, WATCHED) if interrupts(number)]
        for number in self._watched:
            faulthandler.register(number, self._pipe_end, all_threads=False, chain=True)

    def _unwatch_signal(self) -> None:
        if sys.platform != "win32":
            for number in self._watched:
                faulthandler.unregister(number)
            self._uses += 1
            os.write(self._pipe_end, END_OF_USE)

    def _await_signals(self, pipe_end: int) -> None:
        uses = 0
        while written := os.read(pipe_end, 1 << 16):
            uses += written.count(END_OF_USE)
            with self._entering:
                if all(map(interrupts, self._watched)) and uses == self._uses and not written.endswith(END_OF_USE):
                    STOP[0] = 1


def interrupts(number: signal.Signals) -> bool:
    """Whether a signal interrupts: programs with a handler of their own decide themselves what it does."""
    return signal.getsignal(number) in INTERRUPTING


INTERRUPT_WATCHER = InterruptWatcher()
if sys.platform != "win32":
    os.register_at_fork(after_in_child=INTERRUPT_WATCHER.__init__)  # type: ignore[misc]
