"""Signals that end a command: it cleans up as it does after Ctrl-C, and its exit code says which signal it was."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

from .messages import interrupted_line, wants_json

STOPPING = (signal.SIGINT, signal.SIGTERM) if sys.platform == "win32" else (
    signal.SIGINT, signal.SIGTERM, signal.SIGHUP
)  # fmt: skip

_received = signal.SIGINT


def interrupt(number: int, frame: FrameType | None) -> None:
    """Raise what Ctrl-C raises."""
    global _received
    _received = signal.Signals(number)
    raise KeyboardInterrupt


def exit_at_once(number: int, frame: FrameType | None) -> None:
    """End at once: what is being imported might turn an exception into another one, and nothing is to be cleaned up."""
    os.write(2, f"{interrupted_line(wants_json(None))}\n".encode())
    os._exit(128 + number)


def leave_on_signals() -> None:
    """Until the commands are imported, these signals end the program."""
    _handle_by(exit_at_once)


def stop_on_signals() -> None:
    """From now on, these signals interrupt."""
    _handle_by(interrupt)


def ignore_signals() -> None:
    """Ignore signals: nothing is left to stop, as Python ends."""
    _handle_by(signal.SIG_IGN)


def _handle_by(handler: object) -> None:
    """Handle these signals; but one that the shell had ignored, as nohup does, stays ignored."""
    for number in STOPPING:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler, exit_at_once, interrupt):
            signal.signal(number, handler)  # type: ignore[arg-type]


def exit_code() -> int:
    """The exit code of a command that was interrupted: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP."""
    return 128 + _received
