"""Errors as one line on stderr, and the exit code of each."""

from __future__ import annotations

import os
import sys

import duckdb
import typer

from ..errors import BrokenPromise, NotEligible, NotPrivate, SqlanonError, TooFewRows, from_duckdb
from ..udfs.grouping.interrupts import HEEDING
from .output import errors, printable

BROKEN, WRONG_USE, NOT_ELIGIBLE, INTERRUPTED = 1, 2, 3, 130

CODES: tuple[tuple[type[SqlanonError], int], ...] = (
    (BrokenPromise, BROKEN),
    (NotPrivate, BROKEN),
    (NotEligible, NOT_ELIGIBLE),
    (TooFewRows, NOT_ELIGIBLE),
)
"""Every other error of ours is wrong use."""

SHOWS_VALUES = (
    duckdb.ConversionException,
    duckdb.InvalidInputException,
    duckdb.OutOfRangeException,
    duckdb.ConstraintException,
    duckdb.TypeMismatchException,
)
"""Errors of DuckDB whose text may show what is in the data."""


def report(error: BaseException, whole: bool = False) -> int:
    """Print an error; return the exit code. `whole`: what DuckDB says is printed, even if it may show data values."""
    if is_interrupt(error):
        complain("interrupted")
        HEEDING.settle()
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        # nobody reads on; and Python must not complain about it when it closes its stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WRONG_USE
    coded = (
        error if isinstance(error, SqlanonError) else from_duckdb(error) if isinstance(error, duckdb.Error) else None
    )
    complain(str(coded) if coded else describe(error, whole))
    return next((code for kind, code in CODES if isinstance(coded, kind)), WRONG_USE)


def is_interrupt(error: BaseException) -> bool:
    """Ctrl-C, in each of the ways in which DuckDB, Typer and Python tell of it."""
    if isinstance(error, KeyboardInterrupt | typer.Abort | duckdb.InterruptException):
        return True
    text = str(error)
    return isinstance(error, RuntimeError | duckdb.Error) and (
        "Query interrupted" in text or "KeyboardInterrupt" in text
    )


def describe(error: BaseException, whole: bool) -> str:
    """What to say of an error that is not ours."""
    usage = getattr(error, "format_message", None)  # of Typer: an option that is not there, a number that is none
    if usage is not None:
        context = getattr(error, "ctx", None)
        return f"{usage()} See {context.command_path if context else 'sqlanon'} --help."
    if isinstance(error, duckdb.Error):
        kind, _, text = str(error).partition(": ")
        if isinstance(error, SHOWS_VALUES) and not whole:
            return f"{kind} of DuckDB. Its text may show data values; sqlanon sql would show it."
        return f"{kind}: {text}" if whole else f"{kind}: {text}".split("\n\n")[0]
    if isinstance(error, OSError):
        return f"{error.strerror or type(error).__name__}" + (f": {error.filename}" if error.filename else "")
    return f"{type(error).__name__}. This is a bug in sqlanon: please report the command and the version."


def complain(text: str) -> None:
    """Print one error."""
    errors().print("error:", printable(text, keep="\n"), soft_wrap=True)
