"""Errors as one line on stderr, and the exit code of each."""

from __future__ import annotations

import duckdb
import typer

from ..errors import (
    BadCertificate,
    BrokenPromise,
    NotEligible,
    NotPrivate,
    OutOfMemory,
    SqlanonError,
    TooFewRows,
    from_duckdb,
)
from ..publishing.destinations import drop_output
from ..udfs.kernels.runtime.signals import INTERRUPT_WATCHER, INTERRUPTING
from .narration import print_error
from .signals import exit_code, interrupt

BROKEN, WRONG_USE, NOT_ELIGIBLE, OUT_OF_MEMORY = 1, 2, 3, 4

CODES: tuple[tuple[type[SqlanonError], int], ...] = (
    (BrokenPromise, BROKEN),
    (NotPrivate, BROKEN),
    (BadCertificate, BROKEN),
    (NotEligible, NOT_ELIGIBLE),
    (TooFewRows, NOT_ELIGIBLE),
    (OutOfMemory, OUT_OF_MEMORY),
)
"""Every other error of ours is wrong use."""

INTERRUPTING.add(interrupt)

SHOWS_VALUES = (
    duckdb.ConversionException,
    duckdb.InvalidInputException,
    duckdb.OutOfRangeException,
    duckdb.ConstraintException,
    duckdb.TypeMismatchException,
)
"""Errors of DuckDB whose text may show what is in the data."""


def report_failure(error: BaseException, whole: bool = False) -> int:
    """Print an error; return the exit code. `whole`: what DuckDB says is printed, even if it may show data values."""
    if is_interrupt(error):
        print_error("interrupted")
        INTERRUPT_WATCHER.settle()
        return exit_code()
    if isinstance(error, BrokenPipeError):
        drop_output()
        return WRONG_USE
    coded = error if isinstance(error, SqlanonError) else None
    if isinstance(error, duckdb.Error | MemoryError | RuntimeError):  # DuckDB's own, or what Python makes of C++'s
        coded = from_duckdb(error)
    if coded:
        print_error(coded.message, coded.hint, coded.code)
    else:
        print_error(*describe(error, whole))
    return next((code for kind, code in CODES if isinstance(coded, kind)), WRONG_USE)


def is_interrupt(error: BaseException) -> bool:
    """Ctrl-C, in each of the ways in which DuckDB, Typer and Python tell of it."""
    if isinstance(error, KeyboardInterrupt | typer.Abort | duckdb.InterruptException):
        return True
    text = str(error)
    return isinstance(error, RuntimeError | duckdb.Error) and (
        "Query interrupted" in text or "KeyboardInterrupt" in text
    )


def describe(error: BaseException, whole: bool) -> tuple[str, str]:
    """A message and a hint for an error that is not ours."""
    usage = getattr(error, "format_message", None)  # of Typer: an option that is not there, a number that is none
    if usage is not None:
        context = getattr(error, "ctx", None)
        return usage(), f"See {context.command_path if context else 'sqlanon'} --help."
    if isinstance(error, duckdb.Error):
        kind, _, text = str(error).partition(": ")
        if isinstance(error, SHOWS_VALUES) and not whole:
            return f"{kind} of DuckDB. Its text may show data values.", "sqlanon sql would show it."
        return f"{kind}: {text}" if whole else f"{kind}: {text}".split("\n\n")[0], ""
    if isinstance(error, OSError):
        return f"{error.strerror or type(error).__name__}" + (f": {error.filename}" if error.filename else ""), ""
    return f"{type(error).__name__}. This is a bug in sqlanon.", "Please report the command and the version."
