"""Lines on stderr, for people or, with --json, for machines. Little is imported: Ctrl-C needs them early."""

from __future__ import annotations

import sys
from collections.abc import Sequence

JSON = "--json"


def wants_json(arguments: Sequence[str] | None) -> bool:
    """Whether a command is asked for JSON; told before anything is parsed, as that may fail.

    >>> wants_json(["risk", "t.csv", "--json"]), wants_json(["sql", "--", "--json"])
    (True, False)
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    return JSON in words[: words.index("--") if "--" in words else None]


def error_line(message: str, hint: str = "", code: str | None = None, json: bool = False) -> str:
    """An error, as one line.

    >>> error_line("k = 0 is out of range.", "It starts at 1.", "SA102")
    'error: [SA102] k = 0 is out of range. It starts at 1.'
    """
    if json:
        return json_line(code=code, message=message, hint=hint)
    return "error: " + (f"[{code}] " if code else "") + message + (f" {hint}" if hint else "")


def interrupted_line(json: bool) -> str:
    """The error of a signal. Nothing is imported for it: the signal may come in the middle of another import.

    >>> interrupted_line(json=True) == error_line("interrupted", json=True)
    True
    """
    return '{"code": null, "message": "interrupted", "hint": ""}' if json else error_line("interrupted")


def warning_line(message: str, json: bool) -> str:
    """A warning."""
    return json_line(warning=message) if json else f"warning: {message}"


def phase_line(phase: str, rows: int | None, seconds: float, words: str, json: bool) -> str:
    """A phase that has ended, which `words` say to people."""
    return json_line(phase=phase, rows=rows, seconds=round(seconds, 3)) if json else words


def json_line(**keys: object) -> str:
    """An object in ASCII: nothing in it moves a cursor."""
    import json  # here, as Python reads it for a while

    return json.dumps(keys)
